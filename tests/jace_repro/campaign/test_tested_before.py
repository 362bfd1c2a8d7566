"""What an earlier run found right is not tested again, unless anything has changed that decides it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from planted_pool import FloorIsWrong

import jace_repro
from jace_repro.campaign import run as campaign
from jace_repro.campaign import stored, tested_before
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.text import summary_lines
from jace_repro.tester import Verdict
from jace_repro.tracker.recording import Target

TARGET = Target("path", "prog.py")
SETTINGS = Settings(("fused",), self_check=False, reduce=False, eager=False)


@pytest.fixture
def tested(monkeypatch, tmp_path):
    """The names of what is tested, with a cache of its own."""
    names: list[str] = []
    real = FloorIsWrong.check

    def check(self, repro, *more, **options):
        names.append(repro.header.name)
        return real(self, repro, *more, **options)

    monkeypatch.setattr(FloorIsWrong, "check", check)
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("JACE_CACHE", "1")
    return names


@pytest.fixture
def run(tmp_path, tested):
    """Records a program of two functions, one of which is computed wrongly, and tests it; what was tested."""
    made = iter(range(100))

    def run(value=1.0, settings=SETTINGS):
        @jax.jit
        def wrong(x):
            return jax.numpy.floor(x)

        @jax.jit
        def right(x):
            return x * 2.0

        with jace_repro.record(tmp_path / f"out{next(made)}") as live:
            right(np.full(4, value, np.float32))
            wrong(np.full(4, value, np.float32))
        tested.clear()
        out = live.recording.directory
        return campaign.run(TARGET, live.recording, out, settings, FloorIsWrong()), out, list(tested)

    return run


def test_only_what_was_wrong_is_tested_again(run):
    first, _, tested = run()
    assert sorted(tested) == ["right", "wrong"]
    assert first.tested_earlier == 0
    second, out, tested = run()
    assert tested == ["wrong"]
    entries = {entry.name: entry for entry in second.entries}
    assert [entries[name].earlier for name in ("right", "wrong")] == [True, False]
    assert entries["right"].verdicts == {e.name: e for e in first.entries}["right"].verdicts
    assert json.loads((out / "report.json").read_text())["summary"]["tested_earlier"] == 1
    assert stored.read(out / "report.json").report.tested_earlier == 1
    told = [line.text for line in summary_lines(second)]
    assert any(line.startswith("1 of them were right in an earlier run") for line in told)


def _with_another_release(monkeypatch):
    monkeypatch.setattr(tested_before, "versions", lambda: {"dace": "3.0"})


def _with_another_tester(monkeypatch):
    monkeypatch.setattr(tested_before, "_tester", lambda: "another")


def _with_a_flag(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_max_isa=AVX2")


def _with_a_setting_of_dace(monkeypatch):
    monkeypatch.setenv("DACE_compiler_cpu_args", "-O0")


def _without_a_cache(monkeypatch):
    monkeypatch.setenv("JACE_CACHE", "0")


@pytest.mark.parametrize(
    "change",
    [_with_another_release, _with_another_tester, _with_a_flag, _with_a_setting_of_dace, _without_a_cache],
)
def test_what_decides_a_verdict_has_it_tested_again(run, monkeypatch, change):
    run()
    change(monkeypatch)
    assert sorted(run()[2]) == ["right", "wrong"]


def test_other_data_and_other_settings_are_tested(run, tmp_path):
    run()
    assert sorted(run(value=2.0)[2]) == ["right", "wrong"]
    assert sorted(run(settings=replace(SETTINGS, pipelines=("fused", "canonical")))[2]) == ["right", "wrong"]
    assert sorted(run(settings=replace(SETTINGS, inputs=None))[2]) == ["right", "wrong"]
    assert run()[2] == ["wrong"]


def test_nothing_is_remembered_of_rules_and_passes_of_a_user(run, tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text("")
    for settings in (replace(SETTINGS, rules=rules), replace(SETTINGS, pipelines=("canonical/my_pass",))):
        assert sorted(run(settings=settings)[2]) == ["right", "wrong"]
        assert sorted(run(settings=settings)[2]) == ["right", "wrong"]


def test_a_damaged_memory_is_as_good_as_none(run, tmp_path):
    run()
    kept = [path for path in Path(tmp_path / "cache").rglob("verdicts/*/*") if path.is_file()]
    assert len(kept) == 1
    assert Verdict.from_json(json.loads(kept[0].read_text())[0]).outcome == "ok"
    kept[0].write_text('[{"pipeline": "fus')
    assert sorted(run()[2]) == ["right", "wrong"]
