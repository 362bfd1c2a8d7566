"""The smallest program that shows a finding, as workers judge candidates, and whether it shows it every time."""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from jax.lax import GatherScatterMode

from jace import ir
from jace.errors import CompileError
from jace_repro.reducer import Keep, Named, Progress, Reduced, reduce_repro
from jace_repro.reducer.asking import unawaited_threads
from jace_repro.reducer.source import is_untraceable, reduce_source
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester import OUTCOMES, Localized, Pool, Verdict
from jace_repro.tester.execute.stability import comes_and_goes
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS

#: Judges a candidate.
Judge = Callable[[Repro], Verdict]

#: What an edit may well bring about: a loop without end, an array without bound.
_OF_EDITS = frozenset({"timeout", "memory"})
#: What was found must show in so many tests: what reads memory that nobody has written shows it now and then.
CONFIRMATIONS = 3
#: Of what does not, so many tests say how often it does.
DOUBTS = 10
#: A candidate that shows as often as the original is taken with this probability, in so many tests at most.
SURE_ENOUGH, MOST_TESTS = 0.95, 8
#: Outcomes of code that was run.
_RUN = frozenset({"mismatch", "nondeterministic", "crash"})
#: Stages that end before code runs.
_UNRUN = frozenset({"translate", "compile"})
#: What names of primitives begin with whose operands are indices.
_ADDRESSING = ("gather", "scatter", "dynamic_")
#: A stage of the test of a candidate may take so many times as long as the whole test of what it is cut from, and at
#: least so many seconds: an edit may well make a loop endless.
PATIENCE, LEAST_SECONDS = 4.0, 20.0


class _Unwritten(Exception):
    """The guilty equation alone gives what nobody has written: that is the cause of what is stale in the whole."""

    def __init__(self, alone: Repro, verdict: Verdict) -> None:
        super().__init__(verdict.detail)
        self.alone = alone
        self.verdict = verdict


@dataclass(frozen=True)
class Smallest:
    """The end of a search.

    Attributes:
        reduced: the smallest program.
        shown: so many tests of it show the finding, of so many; none was made where the search was interrupted.
        verdict: the finding; of one that shows by chance, the bad access that a sanitized build shows every time; of
            one whose guilty equation alone leaves memory unwritten, that.
        met: of each other outcome that is a finding the shortest candidate that showed it, with what it showed.
        asked: a candidate was refused when so many tests of it did not show the finding.
    """

    reduced: Reduced
    shown: tuple[int, int]
    verdict: Verdict
    met: tuple[tuple[Repro, Verdict], ...] = ()
    asked: int = 1

    @property
    def confirmed(self) -> bool:
        """Whether every test of it shows the finding."""
        return self.shown[0] == self.shown[1]


def smallest(
    repro: Repro,
    verdict: Verdict,
    pool: Pool,
    max_calls: int = REDUCE_CALLS,
    *,
    until: float = math.inf,
    as_written: bool = False,
    keep: Keep | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    again: Callable[[Verdict], None] = lambda _: None,
) -> Smallest:
    """Reduce `repro` while it keeps the signature of `verdict`, and test what is left several times.

    It may read or write where it must not, and show that by chance. So what damages the heap, what differs from run to
    run, what computes addresses, and what one test does not show, is looked at in a sanitized build: if that says so,
    it is this that is searched for. Else, where one test does not show it, the search is made again with candidates
    that must show the finding in as many tests, and have the time for it; what that leads to is answered if it is
    better. A race that comes and goes has no such candidates: one is taken when any of several tests shows it, the more
    of them the rarer it is.

    What an equation leaves unwritten is memory that differs from run to run where it is alone, and another value, the
    same each time, where the program had that memory before. So where the guilty equation alone differs from run to
    run, it is this that is searched for, from that equation on.

    Args:
        repro: what failed.
        verdict: how; with a signature.
        pool: tests the candidates, and names the guilty equation where one may be guilty by itself.
        max_calls: candidates to test at most.
        until: the search ends once time.monotonic() is there.
        as_written: its script is edited, not its jaxpr, and stays its author's. So is one that JAX does not trace to
            its end.
        keep: is given the best repro so far.
        on_progress: is told of each candidate.
        again: is told when the search is made again, and for what.
    Raises:
        TrivialProgramError: no output depends on an equation.
    """
    assert verdict.signature is not None
    signature = verdict.signature
    can_localize = OUTCOMES[verdict.outcome].localizable
    untraceable = not OUTCOMES[verdict.outcome].is_finding and is_untraceable(repro)

    by_chance = _comes_and_goes(verdict)
    asked = _tests_of_each(repro, verdict, pool) if by_chance else 1
    others: dict[str, tuple[Repro, Verdict]] = {}

    def ended(reduced: Reduced, shown: tuple[int, int]) -> Smallest:
        met = (pair for pair in others.values() if not _promises(pair[0]))
        return Smallest(reduced, shown, verdict, tuple(met), asked)

    def tested(candidate: Repro, *, located: bool = True) -> Verdict:
        answers = (_tested(candidate, verdict, pool, located=located) for _ in range(asked))
        found = next(answers)
        while found.outcome != verdict.outcome and (once_more := next(answers, None)) is not None:
            found = once_more
        if found.is_finding and found.outcome not in (verdict.outcome, *_OF_EDITS):
            known = others.get(found.outcome)
            if known is None or len(candidate.source) < len(known[0].source):
                others[found.outcome] = candidate, found
        return found

    def fails(candidate: Repro) -> bool:
        # as the finding does, wherever: that costs no localisation and no sanitized build
        return tested(candidate, located=False).outcome == verdict.outcome

    def localize(candidate: Repro) -> Localized | None:
        found = pool.localize(candidate, verdict.pipeline)
        if verdict.outcome == "mismatch" and found is not None and found.repro and found.culprit.confirmed:
            alone = _tested(found.repro, verdict, pool, located=False)
            if alone.outcome == "nondeterministic":
                raise _Unwritten(found.repro, alone)
        return found

    def search(times: int) -> Reduced:
        if as_written or untraceable:
            return reduce_source(
                repro,
                None if untraceable else tested,
                signature=signature,
                times=times,
                max_calls=max_calls,
                until=until,
                jobs=pool.jobs,
                keep=keep,
                on_progress=on_progress,
            )
        return reduce_repro(
            repro,
            tested,
            signature=signature,
            times=times,
            quick=fails if can_localize or verdict.explained else None,
            localize=localize if can_localize else None,
            named=None if can_localize else _named(verdict),
            max_calls=max_calls,
            until=until,
            jobs=pool.jobs,
            keep=keep,
            on_progress=on_progress,
            without_xla=OUTCOMES[verdict.outcome].ends_plain_jax,
        )

    of_another = functools.partial(
        smallest,
        max_calls=max_calls,
        until=until,
        as_written=as_written,
        keep=keep,
        on_progress=on_progress,
    )

    def of_access(start: Repro, before: Reduced | None) -> Smallest | None:
        """The smallest program, from this one on, with the bad access that a sanitized build shows, if it does."""
        access = bad_access(start, verdict, pool)
        if access is None:
            return None
        again(access)
        sure = of_another(start, access, pool.sanitizing())
        return replace(sure, reduced=_after(before, sure.reduced))

    def of_equation(unwritten: _Unwritten, seconds: float) -> Smallest:
        """The smallest program, from the guilty equation on, that gives what nobody has written."""
        again(unwritten.verdict)
        sure = of_another(unwritten.alone, unwritten.verdict, pool, again=again)
        calls = sure.reduced.oracle_calls + 2  # the localisation, and the test of the equation alone
        reduced = replace(sure.reduced, oracle_calls=calls, seconds=sure.reduced.seconds + seconds)
        return replace(sure, reduced=reduced)

    # what differs from run to run may be read where it must not be; a part of it is but wrong then, every time
    if (verdict.damages_heap or verdict.outcome == "nondeterministic") and (sure := of_access(repro, None)):
        return sure
    how, patience = OUTCOMES[verdict.outcome].reduction, _patience(verdict, pool)
    limits = {} if how.stage is None or how.seconds is None else {how.stage: how.seconds}
    times = 1 if limits else CONFIRMATIONS  # what hangs takes all its seconds in each test

    def searched() -> Smallest:
        """What the search comes to, made again where one test of its end does not show the finding."""
        with pool.within(patience, limits):
            found = search(1)
        with pool.within(patience):
            if found.stopped == "interrupt":
                return ended(found, (0, 0))
            if _computes_addresses(found.repro) and (sure := of_access(found.repro, found)):
                return sure
            if shows(found.repro, verdict, pool, times):
                return ended(found, (times, times))
            if sure := of_access(repro, found):
                return sure
            if not by_chance:
                again(verdict)
                surer = _after(found, search(times))
                if surer.stopped != "interrupt" and shows(surer.repro, verdict, pool, times):
                    return ended(surer, (times, times))
                found = replace(
                    found,
                    oracle_calls=surer.oracle_calls,
                    seconds=surer.seconds,
                    stopped=surer.stopped,
                )
            found = replace(found, refused=None)
            often = times_shown(found.repro, verdict, pool, DOUBTS if times > 1 else 1)
        if keep is not None:
            keep(found.repro, found.equations)
        return ended(found, often)

    began = time.monotonic()
    try:
        return searched()
    except _Unwritten as unwritten:
        return of_equation(unwritten, time.monotonic() - began)


def _comes_and_goes(verdict: Verdict) -> bool:
    """Whether it is a race that the next test may not show."""
    same = {witness.oracle: witness.agrees_with_dace for witness in verdict.evidence or ()}
    return verdict.outcome == "nondeterministic" and comes_and_goes(same)


def _tests_of_each(repro: Repro, verdict: Verdict, pool: Pool) -> int:
    """How many tests a candidate has for showing a finding that comes and goes, which the original showed once."""
    shown, tests = times_shown(repro, verdict, pool, CONFIRMATIONS)
    missed = 1 - (shown + 1) / (tests + 1)
    return min(math.ceil(math.log(1 - SURE_ENOUGH, missed)), MOST_TESTS) if missed else 1


def _named(verdict: Verdict) -> Named | None:
    """What a finding says of the guilty equation, if it does."""
    guilty = verdict.guilty
    if guilty is None or guilty.primitive is None:
        return None
    return Named(guilty.primitive, guilty.equation, verdict.stage in _UNRUN)


def _after(before: Reduced | None, found: Reduced) -> Reduced:
    """What a search has come to, with what the one before it took."""
    if before is None:
        return found
    calls, seconds = before.oracle_calls + found.oracle_calls, before.seconds + found.seconds
    return replace(found, oracle_calls=calls, seconds=seconds)


def _promises(repro: Repro) -> bool:
    """Whether a program promises of its indices what an edit may have broken: then it may fail by that alone."""
    promised = ("unique_indices", "indices_are_sorted")
    return any(
        eqn.params.get("mode") == GatherScatterMode.PROMISE_IN_BOUNDS or any(map(eqn.params.get, promised))
        for eqn in _equations(repro)
    )


def _computes_addresses(repro: Repro) -> bool:
    """Whether its values decide which elements it reads or writes."""
    return any(eqn.primitive.name.startswith(_ADDRESSING) for eqn in _equations(repro))


def _equations(repro: Repro) -> list[ir.JaxprEqn]:
    """All equations of a program that JAX traces, bodies included; none of another."""
    with repro.configured():
        try:
            closed, _ = trace_repro(repro)
        except Exception:  # what it raises is the finding
            return []
    return [eqn for _, eqn in ir.walk(closed)]


def shows(repro: Repro, verdict: Verdict, pool: Pool, times: int) -> bool:
    """Whether each of several tests of a repro shows the finding."""
    with _tests(repro, verdict, pool, times) as answers:
        return all(answers)


def times_shown(repro: Repro, verdict: Verdict, pool: Pool, times: int) -> tuple[int, int]:
    """How many of several tests of a repro show the finding, and how many were made."""
    with _tests(repro, verdict, pool, times) as answers:
        return sum(answers), times


@contextlib.contextmanager
def _tests(repro: Repro, verdict: Verdict, pool: Pool, times: int) -> Iterator[Iterator[bool]]:
    """Whether a test shows the finding, one after the other; those that nobody waits for are none."""

    def once(_: int) -> bool:
        return _tested(repro, verdict, pool).signature == verdict.signature

    with unawaited_threads(pool.jobs) as threads:
        yield threads.map(once, range(times))


def bad_access(repro: Repro, verdict: Verdict, pool: Pool) -> Verdict | None:
    """What a sanitized build says that a program does wrong, whatever comes of it; None where it says nothing."""
    if pool.sanitize or verdict.outcome not in _RUN:
        return None
    try:
        found = _tested(repro, verdict, pool.sanitizing())
    except CompileError:  # there is no sanitizer here
        return None
    return found if found.explained else None


def _tested(repro: Repro, verdict: Verdict, pool: Pool, *, located: bool = True) -> Verdict:
    """What one test says, as it was found: who is to blame does not matter here, the signature does.

    Args:
        located: a wrong equation, or the place of a crash, is looked for, if the finding's is known.
    """
    how = replace(pool.options, blame=False, inputs=0, localize=located and pool.options.localize)
    return pool.check(repro, [verdict.pipeline], how, explain=located and verdict.explained)[0]


def _patience(verdict: Verdict, pool: Pool) -> float:
    """Seconds that a stage of a candidate's test may take; those of the original's where nobody knows what it took."""
    took = sum(verdict.seconds.values())
    return max(LEAST_SECONDS, PATIENCE * took) if took else pool.timeout
