"""`reduce_repro`: repro in, repro out; the glue between the passes, the emitter and the tester."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from jace import ir
from jace_repro.emitter import EmitError, emit_flat
from jace_repro.reducer import evaluation
from jace_repro.reducer.asking import Answer, Ask, no, unawaited_threads
from jace_repro.reducer.candidate import C
from jace_repro.reducer.cleaning import clean, computed, keeping_dead, keeping_outputs
from jace_repro.reducer.loop import Improvement, Minimized, Progress, Stopped, minimize
from jace_repro.reducer.passes import Named, standard_passes
from jace_repro.reducer.problem import Problem, is_trivial, normalise
from jace_repro.reducer.termination import worth_testing
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS

#: Is given a script and its equations.
Keep = Callable[[Repro, int], None]


class HasSignature(Protocol):
    """What a reduction needs of a verdict."""

    @property
    def outcome(self) -> str:
        """A name in `OUTCOMES`."""

    @property
    def signature(self) -> str | None:
        """Equal for two failures that are the same bug; None for what is no failure."""


class HasRepro(Protocol):
    """What a reduction needs of a localisation: the guilty equation, on its operands, as a repro."""

    @property
    def repro(self) -> Repro | None:
        """The guilty equation alone; None when it cannot be written."""


@dataclass(frozen=True)
class Reduced:
    """The outcome of a reduction.

    Attributes:
        repro: the smallest repro found; its header says what it shows and where it comes from.
        equations: its equations, bodies included.
        elements: elements of its inputs, results and outputs.
        oracle_calls: how often `check` and `localize` were asked.
        seconds: wall time.
        stopped: "fixpoint" when no pass can improve it; "budget" (of tests), "seconds" or "interrupt" when the search
            ended early.
        steps: the ever smaller programs on the way there, from the one to begin with.
        earlier: whether it was searched for in an earlier run, which is what the numbers are of.
        refused: so many smaller programs do not show it: every step that a pass can take from this one was tried. None
            where the search ended before that.
    """

    repro: Repro
    equations: int
    elements: int
    oracle_calls: int
    seconds: float
    stopped: Stopped = "fixpoint"
    steps: tuple[Improvement, ...] = ()
    earlier: bool = False
    refused: int | None = None


def reduced(result: Minimized[C], smallest: Repro, start: float) -> Reduced:
    """What a search that began at this time has come to; `smallest` is the script of its best candidate."""
    best = result.problem
    return Reduced(
        repro=smallest,
        equations=best.equations,
        elements=best.elements,
        oracle_calls=result.calls,
        seconds=time.monotonic() - start,
        stopped=result.stopped,
        steps=result.steps,
        refused=result.refused,
    )


@dataclass
class Judging:
    """Whether a script shows a failure, in each of several tests.

    Attributes:
        check: makes one test.
        signature: of the failure.
        times: how many.
        outcome: what the last test that showed it was called.
    """

    check: Callable[[Repro], HasSignature]
    signature: str
    times: int
    outcome: str | None

    def shows(self, script: Repro) -> bool:
        """Whether all tests show it."""
        for _ in range(self.times):
            verdict = self.check(script)
            if verdict.signature != self.signature:
                return False
            self.outcome = verdict.outcome
        return True


def fingerprinted(script: Repro) -> Repro:
    """A script that was just written, whose header knows what it traces to. Raises what the script raises."""
    # of the script, not of what it was written from: Python scalars have types that JAX's own values need not have
    fingerprint = ir.fingerprint(trace_repro(script)[0])
    header = dataclasses.replace(script.header, fingerprint=fingerprint, without_dead_code=False)
    return dataclasses.replace(script, header=header)


class TrivialProgramError(ValueError):
    """The program has no equation that an output depends on: there is nothing to reduce."""


def reduce_repro(
    repro: Repro,
    check: Callable[[Repro], HasSignature],
    *,
    signature: str,
    times: int = 1,
    quick: Callable[[Repro], bool] | None = None,
    localize: Callable[[Repro], HasRepro | None] | None = None,
    named: Named | None = None,
    max_calls: int = REDUCE_CALLS,
    jobs: int = 1,
    until: float = math.inf,
    on_progress: Callable[[Progress], None] | None = None,
    keep: Keep | None = None,
    without_xla: bool = False,
) -> Reduced:
    """The smallest repro found for which `check` answers the same signature.

    Args:
        repro: the failing repro; it is taken on trust that `check(repro)` has `signature`.
        check: judges a candidate.
        signature: of the failure to preserve.
        times: so many tests must all show it, of one that does not show it every time.
        quick: costs less than `check`: False when a candidate does not fail, True when it does, in this way or in
            another. What is kept is confirmed by `check`.
        localize: finds the guilty equation of a program with several, or None.
        named: what the failure says of the guilty equation, if it does.
        max_calls: calls of `check`, `quick` and `localize` together to spend at most.
        jobs: candidates that are tested at a time, in as many threads, which only `check` and `quick` are called in.
        until: the search ends once time.monotonic() is there.
        on_progress: called after every call of `check`.
        keep: is given the best repro so far, whenever a better one is found.
        without_xla: XLA ends the process on the program: it compiles nothing in this one.

    Raises:
        TrivialProgramError: no output depends on an equation.

    Ctrl-C ends the search early: the best so far is answered, with `stopped` "interrupt".
    """
    start = time.monotonic()
    judging = Judging(check, signature, times, repro.header.outcome)
    spent = 0  # on tests beside those of the search
    apart = evaluation.without_xla() if without_xla else contextlib.nullcontext()
    with repro.configured(), apart, unawaited_threads(jobs) as threads:
        closed, args = trace_repro(repro)
        problem = Problem(closed, tuple(args))
        if is_trivial(problem):
            raise TrivialProgramError(f"{repro.header.name}: no output depends on any equation")

        def emit(candidate: Problem) -> Repro:
            header = dataclasses.replace(
                repro.header,
                outcome=judging.outcome,
                signature=signature,
                fingerprint=None,
                outputs_sha256=None,
                notes=(),
            )
            return emit_flat(candidate.closed, candidate.args, header=header)

        def finished(candidate: Problem) -> Repro:
            return fingerprinted(emit(candidate))

        def asks(test: Callable[[Repro], bool]) -> Ask[Problem]:
            def ask(candidate: Problem) -> Answer:
                try:
                    script = emit(candidate)  # JAX is configured in this thread
                except EmitError:  # a program that cannot be written down cannot be handed to anyone
                    return no(candidate)
                return threads.submit(test, script)

            return ask

        def locate(candidate: Problem) -> Problem | None:
            nonlocal spent
            if localize is None or spent + 1 >= max_calls:
                return None
            spent += 1
            found = localize(repro if candidate is problem else emit(candidate))
            if found is None or found.repro is None:
                return None
            return normalise(*trace_repro(found.repro), "the guilty equation alone")

        def on_better(better: Problem) -> None:
            if keep is not None:
                keep(finished(better), better.equations)

        def with_what_it_dies_of() -> contextlib.AbstractContextManager[None]:
            """XLA may die of what is dead, as in the body of a loop: then that stays."""
            nonlocal spent
            tidy = clean(problem)
            if not without_xla or tidy.fingerprint == problem.fingerprint:
                return contextlib.nullcontext()
            spent += 1
            return contextlib.nullcontext() if judging.shows(emit(tidy)) else keeping_dead()

        def with_what_is_given_back() -> contextlib.AbstractContextManager[None]:
            """An output may be wrong that no equation computes: an input, or one that is there twice."""
            nonlocal spent
            outputs = computed(problem)
            if len(outputs) == len(problem.jaxpr.outvars):
                return contextlib.nullcontext()
            spent += 1
            without = problem.edited(problem.eqns, outputs, problem.note)
            return contextlib.nullcontext() if judging.shows(emit(without)) else keeping_outputs()

        with with_what_it_dies_of(), with_what_is_given_back():
            result = minimize(
                problem,
                asks(judging.shows),
                standard_passes(locate if localize is not None else None, named),
                max_calls=max_calls,
                admissible=worth_testing(problem),
                quick=None if quick is None else asks(quick),
                width=jobs,
                until=until,
                on_progress=on_progress,
                on_better=on_better,
                calls_used=lambda: spent,
            )
        best = result.problem
        smallest = repro if best is problem else finished(best)
    return reduced(result, smallest, start)
