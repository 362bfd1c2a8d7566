"""Programs of other generators, and how soon they show a mutant beside those of jace's fuzzer."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest
from mutants import generators
from mutants.mechanical import scope
from mutants.mechanical.reach import Record, Trace
from mutants.mechanical.sources import Subject
from places import SCRIPTS

from jace.ir import count_equations
from jace_repro.repro import load, trace_repro


@pytest.mark.parametrize("name", [generators.OWN, *generators.OTHERS])
def test_programs_are_the_same_for_the_same_seed(name: str, tmp_path: Path) -> None:
    if name in ("nnsmith", "xlaxiom"):
        pytest.importorskip(name, reason="scripts/bench_generators.py says what is to be installed for it")
    one = generators.write(name, 3, 12, tmp_path / "one")
    assert len(one) >= 4
    if name != "nnsmith":  # whose solver has as long as it has
        other = generators.write(name, 3, 12, tmp_path / "other")
        assert [path.read_text() for path in one] == [path.read_text() for path in other]
    for path in one:
        repro = load(path)
        with repro.configured():
            closed, args = trace_repro(repro)
        assert count_equations(closed) > 0 or name == "plain"
        assert len(args) == len(closed.jaxpr.invars)
        assert generators.needs_x64(path) == bool(repro.header.jax_config.get("jax_enable_x64"))


def test_another_seed_is_other_programs(tmp_path: Path) -> None:
    written = [generators.write("plain", seed, 12, tmp_path / str(seed)) for seed in (3, 4)]
    one, other = ([path.read_text().partition("def repro")[2] for path in paths] for paths in written)
    assert one != other


def _trace(name: str, line: int) -> Trace:
    lines = {"rules/special.py": frozenset({line})}
    empty = frozenset[str]()
    return Trace(Subject("maker", name), "source", *[empty] * 5, 0.1, lines)


def test_programs_are_asked_in_the_order_of_a_campaign() -> None:
    mutation = scope.mutations("rules/special.py")[0]
    traces = {
        t.subject.key: t
        for t in (_trace("small:c", mutation.line), _trace("b", 1), _trace("a", mutation.line))
    }
    order = [Subject("maker", name).key for name in ("a", "b", "small:c")]
    asked = Record(traces, {}, order).asked(mutation)
    assert [t.subject.name for t in asked] == ["a", "small:c"]


def _row(line: int, **more: object) -> dict[str, object]:
    return {
        "file": "jace/a.py",
        "before": f"{line}",
        "after": "x",
        "outcome": "",
        "reason": "",
        "campaign": None,
    } | more


def test_only_what_changes_some_program_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from bench_generators import table

    found = {
        "own": [
            _row(1, outcome="mismatch", campaign=10.0),
            _row(2, outcome="loud", campaign=100.0),
            _row(3, reason="same source"),
            _row(4, reason="answers agree"),
        ],
        "plain": [
            _row(1, reason="no program reaches it"),
            _row(2, outcome="loud", campaign=5.0),
            _row(3, reason="same source"),
            _row(4, reason="same source"),
        ],
    }
    campaigns = {name: {"a minute": 60.0, "programs": 9, "mutants": rows} for name, rows in found.items()}
    _, own, plain = (line.split() for line in table(campaigns))
    assert own == ["own", "60", "9", "3", "33%", "67%", "55.0", "1"]
    assert plain == ["plain", "60", "9", "3", "33%", "33%", "5.0", "0"]


@pytest.mark.ci
def test_a_mutant_is_found_by_a_program_of_a_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from bench_generators import campaign

    x = np.linspace(1, 2, 7).astype(np.float16)
    programs = [lambda x, y: x + y, lambda x, y: x * 2, lambda x, y: x - y]

    def write(name: str, seed: int, count: int, folder: Path, jobs: int) -> list[Path]:
        folder.mkdir(exist_ok=True)
        return [
            generators.written(generators.Made(program, [x, x[::-1].copy()]), folder / f"{k}.py")
            for k, program in enumerate(programs)
        ]

    monkeypatch.setattr(generators, "write", write)
    mutation = next(
        m
        for m in scope.mutations("build/runtime/arith.h")
        if "T(widen(a) - widen(b))" in m.before and "T(widen(b) - widen(a))" in m.after
    )
    options = argparse.Namespace(first=1, seconds=60.0, effort=30.0, jobs=2)
    (row,) = campaign("plain", [mutation], ["fused"], tmp_path, options)["mutants"]
    assert (row["outcome"], row["at"]) == ("mismatch", 2), row
    assert row["campaign"] > 0
