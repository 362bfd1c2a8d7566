"""What findings are reduced with."""

from __future__ import annotations

import collections
import contextlib
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import SIGNATURE, FloorIsWrong

from jace_repro.campaign import reduction
from jace_repro.campaign.observer import Observer
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.smallest import LEAST_SECONDS
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, load
from jace_repro.repro.entry import Entry
from jace_repro.tester import OUTCOMES, Verdict
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.verdict.culprit import Crash, Culprit, Evidence
from jace_repro.tester.workers.died import WorkerDied, with_crash


def test_candidates_that_hang_are_not_waited_for_as_long_as_the_finding(monkeypatch):
    opened = []

    @contextlib.contextmanager
    def open_pool(settings):
        opened.append(settings)
        yield "quick"

    monkeypatch.setattr(reduction, "open_pool", open_pool)
    settings = Settings(timeout=90.0, sanitize=True)
    with reduction.suited("own", settings, Verdict("fused", "mismatch", "ab")) as suitable:
        assert suitable == ("own", settings)
    with reduction.suited("own", settings, Verdict("fused", "timeout", "ab")) as (suitable, hasty):
        assert suitable == "quick"
        assert (hasty.stage_timeout, hasty.sanitize) == (LEAST_SECONDS, False)
    assert opened == [hasty]


class Counting(FloorIsWrong):
    """Counts its tests; `right` from then on."""

    def __init__(self):
        super().__init__()
        self.asked, self.right = 0, False

    def check(self, repro, pipelines, options=None, explain=True):
        self.asked += 1
        return [Verdict(p, "ok") for p in pipelines] if self.right else super().check(repro, pipelines)


@pytest.fixture
def repro(tmp_path, monkeypatch):
    """A program that `FloorIsWrong` finds wrong; the cache is its own."""
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    x = np.linspace(0.1, 3, 8, dtype=np.float32)
    closed = jax.make_jaxpr(lambda x: jnp.sin(jnp.floor(x * 3)) + x)(x)
    return emit_flat(closed, [x], header=Header(name="prog", origin="src/prog.py:7 (prog)"))


@pytest.fixture
def reduced(repro, tmp_path):
    """reduced(pool) -> the reduction of that program."""

    def reduce(pool, **changed):
        verdict = Verdict("fused", "mismatch", SIGNATURE)
        return reduction.reduce_one(repro, verdict, pool, replace(Settings(), **changed), tmp_path / "m.py")

    return reduce


def told_of(repro, pool, destination):
    """(the reduction of a mismatch, what an observer is told that begins)"""
    told = []
    verdict, observer = Verdict("fused", "mismatch", SIGNATURE), Observer(begins=told.append)
    found = reduction.reduce_one(repro, verdict, pool, Settings(), destination, observer=observer)
    return found, told


def test_what_an_earlier_run_has_reduced_is_tested_and_not_searched_for(reduced):
    first, again = Counting(), Counting()
    one, other = reduced(first), reduced(again)
    assert first.asked > again.asked == 1
    assert (one.reduced.earlier, other.reduced.earlier) == (False, True)
    assert other.doubt is None
    assert other.reduced.repro.path.read_text() == one.reduced.repro.path.read_text()
    assert [
        other.report(Path("m.py")).to_json(Path())[key] for key in ("equations", "oracle_calls", "earlier")
    ] == [
        one.reduced.equations,
        one.reduced.oracle_calls,
        True,
    ]
    assert other.reduced.steps == one.reduced.steps


@pytest.mark.parametrize("changed", [{"sanitize": True}, {"environment": (("XLA_FLAGS", "--x"),)}])
def test_under_other_conditions_it_is_searched_for(reduced, changed):
    reduced(Counting())
    assert not reduced(Counting(), **changed).reduced.earlier


def test_it_is_searched_for_where_it_does_not_show_the_finding_any_more(reduced):
    reduced(Counting())
    pool = Counting()
    pool.right = True
    found = reduced(pool)
    assert not found.reduced.earlier
    assert found.doubt == "the minimal repro showed it in 0 of 11 tests"
    assert pool.asked > 2


def test_it_is_searched_for_where_nothing_is_remembered(reduced, tmp_path, monkeypatch):
    reduced(Counting())
    (kept,) = (tmp_path / "cache").rglob("reduced.json")
    kept.write_text("{")
    assert not reduced(Counting()).reduced.earlier
    assert reduced(Counting()).reduced.earlier
    monkeypatch.setenv("JACE_CACHE", "0")
    assert not reduced(Counting()).reduced.earlier


@pytest.mark.parametrize(
    ("took", "seconds"),
    [({}, 180.0), ({"xla": 0.5, "compile": 1.0}, 20.0), ({"run": 2.0, "judge": 8.0}, 40.0)],
)
def test_candidates_have_as_long_as_what_they_are_cut_from_needs(repro, tmp_path, took, seconds):
    given = []

    class Patient(FloorIsWrong):
        def within(self, seconds, limits=None):
            given.append((seconds, limits))
            return super().within(seconds)

    verdict = Verdict("fused", "mismatch", SIGNATURE, seconds=took)
    reduction.reduce_one(repro, verdict, Patient(), Settings(), tmp_path / "m.py")
    assert given == [(seconds, {}), (seconds, None)]


def test_what_hangs_has_little_time_while_it_is_searched_for_and_more_at_the_end(repro, tmp_path):
    given = []

    class Hanging(FloorIsWrong):
        def within(self, seconds, limits=None):
            given.append(limits)
            return super().within(seconds)

        def check(self, repro, pipelines, options=None, explain=True):
            return [
                replace(v, outcome="timeout" if v.is_finding else "ok")
                for v in super().check(repro, pipelines)
            ]

    verdict = Verdict("fused", "timeout", SIGNATURE, stage="run")
    reduction.reduce_one(repro, verdict, Hanging(), Settings(), tmp_path / "m.py")
    assert given == [{"run": OUTCOMES["timeout"].reduction.seconds}, None]


class NowAndThen(FloorIsWrong):
    """What has no `sin` shows the failure in the first test of it only."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def check(self, repro, pipelines, options=None, explain=True):
        program = repro.source.partition("def inputs")[2]
        again = program in self.seen
        self.seen.add(program)
        if again and "sin" not in program:
            return [Verdict(p, "ok") for p in pipelines]
        return super().check(repro, pipelines)


def test_what_does_not_show_it_every_time_is_searched_for_with_more_tests(repro, tmp_path):
    path = tmp_path / "m.py"
    found, told = told_of(repro, NowAndThen(), path)
    assert found.doubt is None
    assert "sin" in path.read_text()
    assert "floor" in path.read_text()
    assert found.reduced.equations == 2
    assert any("once more" in line for line in told)


class Counts(FloorIsWrong):
    """Counts the tests of each program."""

    def __init__(self):
        super().__init__()
        self.tests = collections.Counter()

    def number(self, repro):
        """Of this test, from 1."""
        program = repro.source.partition("def inputs")[2]
        self.tests[program] += 1
        return self.tests[program]


class EveryOtherTime(Counts):
    """Every second test of a program shows nothing."""

    def check(self, repro, pipelines, options=None, explain=True):
        if self.number(repro) % 2 == 0:
            return [Verdict(p, "ok") for p in pipelines]
        return super().check(repro, pipelines)


def test_of_what_never_shows_it_every_time_it_is_said_how_often_it_does(repro, tmp_path):
    verdict, path = Verdict("fused", "mismatch", SIGNATURE), tmp_path / "m.py"
    found = reduction.reduce_one(repro, verdict, EveryOtherTime(), Settings(), path)
    shown, tests = found.shown
    assert (tests, shown in (5, 6)) == (11, True)
    assert found.doubt == f"the minimal repro showed it in {shown} of 11 tests"
    report = found.report(path)
    assert (report.verdict, report.refused) == (None, None), "nothing is certified"
    assert path.exists()


class Races(Counts):
    """Every third test of a program with `floor` shows a race."""

    def check(self, repro, pipelines, options=None, explain=True):
        if self.number(repro) % 3 or "floor" not in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        return [Verdict(p, "nondeterministic", SIGNATURE, "runs differ") for p in pipelines]


@pytest.mark.parametrize(("witness", "equations"), [("the same run again", 1), ("over other memory", None)])
def test_a_race_is_tested_as_often_as_it_is_rare(repro, tmp_path, witness, equations):
    seen = Evidence(f"DaCe, {witness}", agrees_with_dace=False)
    verdict = Verdict("fused", "nondeterministic", SIGNATURE, evidence=[seen])
    found = reduction.reduce_one(repro, verdict, Races(), Settings(), tmp_path / "m.py")
    if equations is None:  # what shows every time and then does not is no race
        assert found.asked == 1
        assert found.reduced.equations > 1
        return
    assert found.reduced.equations == equations
    assert found.asked == 5, "in 1 of 3 tests, and in the first: 0.5 ** 5 is less than 5%"
    assert found.doubt is not None
    assert found.doubt.endswith("tests; a smaller one was refused after 5 tests that did not")
    assert found.report(tmp_path / "m.py").refused is None, "nothing is certified"


class ReadsOutOfBounds(NowAndThen):
    """What a sanitized build says every time: `floor` reads what is not its own."""

    def sanitizing(self):
        return Sanitized()


class Sanitized(FloorIsWrong):
    """Its workers run sanitized builds."""

    sanitize = True

    def check(self, repro, pipelines, options=None, explain=True):
        if "floor" not in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        crash = Crash(kind="heap-buffer-overflow", access="read of 4 bytes", primitive="floor")
        return [with_crash(Verdict(p, "crash", stage="run"), crash) for p in pipelines]


def test_what_shows_by_chance_is_reduced_as_the_bad_access_that_a_sanitized_build_shows(repro, tmp_path):
    verdict, path = Verdict("fused", "mismatch", SIGNATURE), tmp_path / "m.py"
    found = reduction.reduce_one(repro, verdict, ReadsOutOfBounds(), Settings(), path)
    assert found.doubt is None
    assert found.reduced.equations == 1
    assert (found.verdict.outcome, found.verdict.crash.primitive) == ("crash", "floor")
    header = load(path).header
    assert header.sanitize, "the minimal repro says how it is tested"
    assert (header.outcome, header.signature) == ("crash", found.verdict.signature)


class DiffersAsAWhole(ReadsOutOfBounds):
    """Two runs of the whole differ; of its parts, all are wrong alike."""

    def check(self, repro, pipelines, options=None, explain=True):
        return [Verdict(p, "mismatch", "another") for p in pipelines]


def test_what_differs_from_run_to_run_is_reduced_as_the_bad_access(repro, tmp_path):
    seen = Evidence("DaCe, over other memory", agrees_with_dace=False)
    verdict = Verdict("fused", "nondeterministic", SIGNATURE, evidence=[seen])
    found = reduction.reduce_one(repro, verdict, DiffersAsAWhole(), Settings(), tmp_path / "m.py")
    assert (found.reduced.equations, found.verdict.outcome) == (1, "crash")
    assert found.doubt is None


class GatherIsWrong(FloorIsWrong):
    """Always, and in a sanitized build it reads what is not its own."""

    def __init__(self, sanitize=False):
        super().__init__()
        self.sanitize = sanitize

    def sanitizing(self):
        return GatherIsWrong(sanitize=True)

    def check(self, repro, pipelines, options=None, explain=True):
        if "gather" not in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        if not self.sanitize:
            return [Verdict(p, "mismatch", SIGNATURE) for p in pipelines]
        crash = Crash(kind="heap-buffer-overflow", access="read of 4 bytes", primitive="gather")
        return [with_crash(Verdict(p, "crash", stage="run"), crash) for p in pipelines]


def test_what_computes_addresses_is_looked_at_in_a_sanitized_build_though_it_shows_every_time(tmp_path):
    x, i = np.arange(6.0, dtype=np.float32), np.array([7, 2])
    closed = jax.make_jaxpr(lambda x, i: jnp.sin(jnp.take(x, i, mode="fill")))(x, i)
    program = emit_flat(closed, [x, i], header=Header(name="prog"))
    found, told = told_of(program, GatherIsWrong(), tmp_path / "m.py")
    assert (found.verdict.outcome, found.verdict.crash.primitive) == ("crash", "gather")
    assert load(tmp_path / "m.py").header.sanitize
    assert any("what a sanitized build shows" in line for line in told)
    assert found.doubt is None


class LeavesUnwritten(FloorIsWrong):
    """`floor` leaves memory as it was: the whole has a stale value there, which its parts do not."""

    def check(self, repro, pipelines, options=None, explain=True):
        if "floor" not in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        if "sin" in repro.source:
            return [Verdict(p, "mismatch", SIGNATURE) for p in pipelines]
        return [Verdict(p, "nondeterministic", "other", "memory that nobody has written") for p in pipelines]

    def localize(self, repro, pipeline):
        alone = jax.make_jaxpr(jnp.floor)(np.ones(8, np.float32))
        return Localized(
            Culprit("floor", confirmed=True),
            repro=emit_flat(alone, [np.ones(8, np.float32)], header=Header(name="prog")),
        )


def test_a_value_that_is_stale_in_the_whole_is_reduced_as_what_its_equation_leaves_unwritten(repro, tmp_path):
    found, told = told_of(repro, LeavesUnwritten(), tmp_path / "m.py")
    assert (found.verdict.outcome, found.verdict.signature) == ("nondeterministic", "other")
    assert (found.reduced.equations, found.doubt) == (1, None)
    header = load(tmp_path / "m.py").header
    assert (header.outcome, header.signature, header.sanitize) == ("nondeterministic", "other", False)
    assert any("the guilty equation alone: memory that nobody has written" in line for line in told)


class LeavesUnwrittenLater(LeavesUnwritten):
    """No program shows it twice, and the equation is found in the second search only."""

    def __init__(self):
        super().__init__()
        self.seen, self.searches = set(), 0

    def check(self, repro, pipelines, options=None, explain=True):
        known = repro.source in self.seen
        self.seen.add(repro.source)
        if known and "sin" in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        return super().check(repro, pipelines)

    def localize(self, repro, pipeline):
        self.searches += 1
        return super().localize(repro, pipeline) if self.searches > 1 else None


def test_what_is_unwritten_may_be_found_when_it_is_searched_for_again(repro, tmp_path):
    found, told = told_of(repro, LeavesUnwrittenLater(), tmp_path / "m.py")
    assert (found.verdict.outcome, found.reduced.equations, found.doubt) == ("nondeterministic", 1, None)
    assert len(told) >= 2


class DamagesHeap(Sanitized):
    """Crashes in a plain build, too; counts its tests."""

    sanitize = False

    def __init__(self):
        super().__init__()
        self.asked = 0

    def sanitizing(self):
        return Sanitized()

    def check(self, repro, pipelines, options=None, explain=True):
        self.asked += 1
        return super().check(repro, pipelines)


def test_what_damages_the_heap_is_reduced_in_sanitized_builds_at_once(repro, tmp_path):
    pool = DamagesHeap()
    (verdict,) = pool.check(repro, ["fused"])
    found = reduction.reduce_one(repro, verdict, pool, Settings(), tmp_path / "m.py")
    assert pool.asked == 1, "what comes of it in a plain build is chance"
    assert found.reduced.equations == 1
    assert load(tmp_path / "m.py").header.sanitize
    assert found.doubt is None


class Unexplained(FloorIsWrong):
    """Crashes on `floor`; what is small is explained, and has its place's signature."""

    def check(self, repro, pipelines, options=None, explain=True):
        if "floor" not in repro.source:
            return [Verdict(p, "ok") for p in pipelines]
        plain = Verdict(pipelines[0], "crash", SIGNATURE, stage="run", crash=Crash(signal="SIGSEGV"))
        crash = replace(
            plain.crash, kind="SEGV", access="write", primitive="floor", equation="f32[] = floor[]"
        )
        return [with_crash(plain, crash) if explain and "sin" not in repro.source else plain]


def test_a_crash_that_is_too_large_to_be_explained_is_explained_when_it_is_small(repro, tmp_path):
    (verdict,) = Unexplained().check(repro, ["fused"])
    assert verdict.guilty is None
    found = reduction.reduce_one(repro, verdict, Unexplained(), Settings(), tmp_path / "m.py")
    assert found.doubt is None
    assert found.reduced.equations == 1
    assert found.verdict.guilty.primitive == "floor"
    assert load(tmp_path / "m.py").header.signature == found.verdict.signature != SIGNATURE


class NotBisected(FloorIsWrong):
    """A pass is wrong; the worker that looks for it dies."""

    def check(self, repro, pipelines, options=None, explain=True):
        return [replace(v, who="DaCe pass") for v in super().check(repro, pipelines)]

    def bisect(self, repro, pipeline, outcome):
        raise WorkerDied("crash", "SIGSEGV", "execute", "killed by SIGSEGV", None)


def test_a_minimal_repro_outlives_a_search_for_the_pass_that_ends_its_worker(repro, tmp_path):
    verdict = Verdict("fused", "mismatch", SIGNATURE, "wrong")
    path = tmp_path / "prog.py"
    repro.save(path)
    entry = EntryReport(Entry("prog"), repro=path, verdicts=(verdict,))
    made, _ = reduction.reduce_finding(entry, verdict, tmp_path / "m" / "m.py", NotBisected(), Settings())
    assert made.error == "not bisected: WorkerDied: killed by SIGSEGV"
    assert made.reduced.repro.is_file()
    assert made.reduced.equations == 1


def test_it_is_said_how_many_findings_are_left(repro, tmp_path):
    """Two of three programs show one signature; the third one has another."""
    path, told = repro.save(tmp_path / "prog.py").path, []
    entries = [
        EntryReport(Entry(name), repro=path, verdicts=(Verdict("fused", "mismatch", signature),))
        for name, signature in (("a", SIGNATURE), ("b", SIGNATURE), ("c", "ba9876543210"))
    ]
    observer = Observer(begins=told.append)
    found = list(reduction.reduce_findings(entries, tmp_path / "m", FloorIsWrong(), Settings(), observer))
    assert [text for text in told if " on fused)" in text] == [
        "reducing a (mismatch on fused); 1 more after it",
        "reducing c (mismatch on fused)",
    ]
    assert [entry.same_as for _, entry in found] == [None, "a", None]
