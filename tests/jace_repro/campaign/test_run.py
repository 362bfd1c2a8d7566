"""From a recording to a report and minimal repros, with nobody at a terminal."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import FloorIsWrong

import jace_repro
from jace_repro.campaign import run as campaign
from jace_repro.campaign import smallest, views
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.progress import PROGRESS
from jace_repro.campaign.reduction import why_not_reduced
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.text import summary_lines
from jace_repro.repro import load
from jace_repro.tester import OUTCOMES, Verdict
from jace_repro.tester.views import Line
from jace_repro.tracker.recording import Target

TARGET = Target("path", "prog.py")


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setenv("JACE_CACHE", "0")  # what a pool says that tests nothing is not to be remembered
    return FloorIsWrong()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    @jax.jit
    def long(x):
        return jnp.sin(jnp.floor(x) + 1.0) * 2.0

    @jax.jit
    def short(x):
        return jnp.floor(x) + 1.0

    @jax.jit
    def right(x):
        return x * 2.0

    with jace_repro.record(tmp_path_factory.mktemp("recording") / "out") as live:
        for function in (long, short, right):
            function(np.ones(4, np.float32))
    return live.recording


@pytest.fixture
def heard():
    return {"begins": [], "tested": [], "all_tested": []}


@pytest.fixture
def observer(heard):
    return Observer(
        begins=heard["begins"].append,
        tested=lambda entry, remark: heard["tested"].append(entry.name),
        all_tested=lambda entries: heard["all_tested"].append(len(entries)),
    )


def test_each_failure_is_reduced_once_in_the_smallest_entry(recorded, pool, observer, heard, tmp_path):
    settings = Settings(("fused",), self_check=False)
    result = campaign.run(TARGET, recorded, tmp_path, settings, pool, observer)
    entries = {e.name: e for e in result.entries if not e.entry.eager}
    assert entries["short"].reduced is not None
    assert (entries["long"].reduced, entries["long"].same_as) == (None, "short")
    assert entries["right"].findings == ()
    minimal = load(tmp_path / "minimal" / "short-mismatch-01234567.py")
    assert (minimal.header.outcome, minimal.header.signature) == ("mismatch", "0123456789ab")
    assert "floor" in minimal.source
    assert result.exit_code == 1
    assert json.loads((tmp_path / "report.json").read_text())["summary"]["exit_code"] == 1
    assert {"long", "short", "right"} <= set(heard["tested"])
    assert heard["all_tested"] == [len(result.entries)]
    assert set(result.seconds) == {"testing", "reducing", "views"}
    assert heard["begins"] == [
        "reducing short (mismatch on fused)",
        "looking into the minimal repro",
        "looking beside the finding of short",
    ]
    assert pool.requests[:1] == ["begin"]
    assert len(pool.requests) > 1
    (group,) = result.groups
    seen = views.stored(group, tmp_path / "views")
    assert seen is not None
    assert seen.repro.jaxpr == (Line("fused short"),)


def test_nobody_need_listen_and_nothing_need_be_reduced(recorded, pool, tmp_path):
    result = campaign.run(TARGET, recorded, tmp_path, Settings(self_check=False, reduce=False), pool)
    assert [v.pipeline for v in result.entries[0].verdicts] == ["fused", "canonical"]
    assert all(e.reduced is None for e in result.entries)
    assert not (tmp_path / "minimal").exists()
    assert not (tmp_path / "views").exists()  # `report` makes them when it is asked for


def test_what_is_known_when_ctrl_c_comes_is_reported(recorded, pool, observer, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    result = campaign.run(
        TARGET, recorded, tmp_path, Settings(self_check=False), pool, replace(observer, begins=stop)
    )
    assert result.interrupted
    assert all(e.verdicts for e in result.entries)
    assert (tmp_path / "report.json").exists()


def test_a_recording_that_ctrl_c_ended_is_not_tested(recorded, pool, tmp_path):
    ended = replace(recorded, error="interrupted (ctrl-C)")
    assert campaign.run(TARGET, ended, tmp_path, Settings(), pool).exit_code == 130
    assert not pool.requests


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Verdict("fused", "mismatch", "ab"), None),
        (Verdict("fused", "mismatch"), "no signature"),
        (Verdict("fused", "nondeterministic", "ab"), None),
        (Verdict("", "relation-mismatch", "ab"), "missing in the other"),
        (Verdict("fused", "timeout", "ab", stage="run"), None),
        (Verdict("fused", "timeout", "ab", stage="compile"), "stage 'compile' is slow"),
    ],
)
def test_which_failures_are_reduced(verdict, reason):
    found = why_not_reduced(verdict)
    assert found is None if reason is None else reason in found


def test_the_table_of_outcomes_is_complete():
    for outcome in OUTCOMES.values():
        assert bool(outcome.title) == outcome.is_finding
        assert outcome.is_finding or not (outcome.to_report or outcome.localizable or outcome.bisectable)
        limited = outcome.reduction.max_calls == 0 or outcome.reduction.stage is not None
        assert bool(outcome.reduction.why_not) == limited


def test_entries_that_nobody_asked_for_are_counted_and_not_tested(recorded, pool, tmp_path):
    settings = Settings(("fused",), self_check=False, reduce=False, select=("s*", "lnog"), eager=False)
    result = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    assert [e.name for e in result.entries] == ["short"]
    assert result.left_out == len(recorded.entries) - 1
    summary = result.to_json(tmp_path)["summary"]
    assert (summary["left_out"], summary["entries"]) == (result.left_out, 1)
    text = [line.text for line in summary_lines(result)]
    assert f"{result.left_out} entries were left out (--select, --ignore, --no-eager)." in text
    assert any("--select lnog means none" in line and "did you mean 'long'?" in line for line in text)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(select=("shrt",)), "did you mean 'short'"),
        (Settings(ignore=("*",)), "every entry is left out"),
    ],
)
def test_nothing_left_to_test_is_an_error(recorded, pool, tmp_path, settings, told):
    result = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    assert result.exit_code == 2
    assert told in result.errors[0]
    assert "Nothing was tested." in [line.text for line in summary_lines(result)]
    assert not pool.requests


def test_a_number_of_distinct_findings_is_enough(recorded, pool, tmp_path):
    settings = Settings(("fused",), self_check=False, max_findings=1)
    result = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    tested = [e for e in result.entries if e.verdicts]
    assert len([e for e in tested if e.findings]) == 1
    assert next(e for e in tested if e.findings).reduced is not None
    assert result.stopped
    untested = len(result.entries) - len(tested)
    assert f"Stopped there (--max-findings): {untested} entries were not tested." in [
        line.text for line in summary_lines(result)
    ]
    whole = campaign.run(TARGET, recorded, tmp_path, replace(settings, max_findings=2, reduce=False), pool)
    assert not whole.stopped  # two entries show one finding
    assert all(e.verdicts for e in whole.entries)


@pytest.fixture
def counted(recorded, pool, tmp_path, monkeypatch):
    """A run into a directory of its own: its report, and what was tested for it."""
    tested = []
    real = FloorIsWrong.check

    def check(self, repro, *more, **options):
        tested.append(repro.header.name)
        return real(self, repro, *more, **options)

    monkeypatch.setattr(FloorIsWrong, "check", check)
    shutil.copytree(recorded.directory, tmp_path / "out")

    def run(observer=NOBODY, recorded=recorded, **settings):
        tested.clear()
        chosen = Settings(("fused",), self_check=False, eager=False)
        here = replace(recorded, directory=tmp_path / "out")
        result = campaign.run(TARGET, here, tmp_path / "out", replace(chosen, **settings), pool, observer)
        return result, list(tested)

    return run


def test_a_run_that_was_interrupted_goes_on_where_it_was(counted, observer, tmp_path):
    def stop(entry, remark):
        if entry.name == "short":
            raise KeyboardInterrupt

    result, tested = counted(replace(observer, tested=stop))
    assert result.interrupted
    assert tested == ["long", "short"]
    with (tmp_path / "out" / PROGRESS).open("a") as file:
        file.write('\n{"how": "torn')  # and ended by kill -9 in the middle of a line
    result, tested = counted(reduce=False)
    assert not result.interrupted
    assert tested == ["right"]
    whole = [bool(e.findings) for e in result.entries]
    assert whole == [True, True, False]
    result, tested = counted()
    assert set(tested) == {"short", "short without floor"}  # is reduced, and looked beside
    assert result.entries[1].reduced is not None
    again, tested = counted()
    assert tested == []
    assert replace(again, seconds={}).to_json(tmp_path) == replace(result, seconds={}).to_json(tmp_path)
    assert counted(pipelines=("fused", "canonical"), reduce=False)[1] == ["long", "short", "right"]


def test_a_reduction_that_was_interrupted_is_done_again(counted, monkeypatch):
    real = smallest.reduce_repro
    monkeypatch.setattr(
        smallest, "reduce_repro", lambda *args, **named: replace(real(*args, **named), stopped="interrupt")
    )
    result, _ = counted()
    assert result.interrupted
    assert result.entries[1].reduced.stopped == "interrupt"
    monkeypatch.setattr(smallest, "reduce_repro", real)
    result, _ = counted()
    assert (result.interrupted, result.entries[1].reduced.stopped) == (False, "fixpoint")


def test_a_run_that_stopped_at_a_finding_goes_on_to_the_next(counted):
    result, tested = counted(max_findings=1, reduce=False)
    assert (result.stopped, tested) == (True, ["long"])
    result, tested = counted(max_findings=1, reduce=False)
    assert (result.stopped, tested) == (False, ["short", "right"])  # the same finding, and none


def test_what_cannot_be_kept_is_said(counted, tmp_path):
    (tmp_path / "out" / PROGRESS).mkdir()
    (result, _) = counted(reduce=False)
    assert "this run cannot be resumed" in result.notes[0]


def test_the_longest_entries_are_tested_first_unless_a_few_findings_are_enough(counted, recorded):
    backwards = replace(recorded, entries=recorded.entries[::-1])
    one_by_one = {"recorded": backwards, "reduce": False}
    assert counted(**one_by_one)[1] == ["long", "short", "right"]
    assert counted(**one_by_one, max_findings=9, inputs=1)[1] == ["right", "short", "long"]
