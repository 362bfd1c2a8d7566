"""What became of changes of jace, as a table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mutants.mechanical import draw, results, scope, telling
from places import ROOT


def result(outcome: str, **more: Any) -> results.Result:
    return results.Result(draw.drawn(1, 1, files=["rules/special.py"])[0], outcome, **more)


def test_loud_mutants_and_those_that_change_nothing_are_counted_apart() -> None:
    every = [
        result("mismatch"),
        result("loud"),
        result("", reached=3, same=3),
        result("", reached=3, ran=3),
        result(""),
    ]
    assert [r.reason for r in every] == ["", "", "same source", "answers agree", "no program reaches it"]
    assert telling.score(every) == 0.5
    assert telling.score(every, loud=False) == pytest.approx(1 / 3)
    lines = list(telling.table(every))
    assert lines[1].split()[:6] == ["rules", "5", "1", "1", "1", "2"]
    assert any(line.startswith("missed, same source") for line in lines)


def test_those_that_tests_show_are_counted_beside() -> None:
    every = [
        result("mismatch"),
        result("", reached=1, ran=1, test="t"),
        result(""),
        result("", reached=1, same=1),
    ]
    assert telling.score(every) == pytest.approx(1 / 3)
    assert telling.guarded(every) == pytest.approx(2 / 3)
    every[-1].test = "u"
    assert telling.guarded(every) == pytest.approx(3 / 4)
    lines = list(telling.table(every))
    assert lines[1].split()[8:10] == ["2", "75%"]
    assert any("shown by u" in line for line in lines)


def test_a_bad_day_is_no_failure() -> None:
    found, missed = result("mismatch"), result("", reached=1, ran=1)
    assert not telling.too_few([found] * 8 + [missed] * 10, 0.6)
    assert telling.too_few([found] * 3 + [missed] * 15, 0.6)
    assert not telling.too_few([], 0.6)


def test_what_runs_have_kept_is_told_without_what_was_argued_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = scope.mutations("rules/special.py")
    rows = [
        results.Result(every[0], outcome="mismatch", program="erf/3", reached=4, ran=2, seconds=3.0),
        results.Result(every[1], reached=4, ran=2, seconds=60.0),
        results.Result(every[2], reached=4, same=4, seconds=2.0),
    ]
    again = [results.Result.of_json(row.to_json()) for row in rows]
    assert [r.to_json() for r in again] == [r.to_json() for r in rows]
    assert [r.mutation.key for r in again] == [m.key for m in every[:3]]
    for name in ("one", "two"):
        (tmp_path / name).write_text(json.dumps({"mutants": [r.to_json() for r in rows]}))
    done = subprocess.run(
        [sys.executable, "scripts/mutants.py", "--told", tmp_path / "one", tmp_path / "two"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "all                 3      1     0     1       1    50%" in done.stdout
    assert "missed, answers agree:" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 runs, 3 mutants, 0 of them argued to be equivalent"
