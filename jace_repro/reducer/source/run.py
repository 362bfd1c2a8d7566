"""`reduce_source`: repro in, repro out, like `reduce_repro`; what is edited is the script."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable

from jace_repro.emitter import EmitError
from jace_repro.reducer.asking import Answer, Ask, at_once, no, unawaited_threads
from jace_repro.reducer.loop import Progress, minimize
from jace_repro.reducer.problem import is_trivial
from jace_repro.reducer.run import HasSignature, Judging, Keep, Reduced, TrivialProgramError, reduced
from jace_repro.reducer.source.passes import source_passes
from jace_repro.reducer.source.program import Program, program_of
from jace_repro.reducer.termination import worth_testing
from jace_repro.repro import Repro

#: Tests that a reduction of a script spends unless told otherwise: an edit of text takes less away than one of a jaxpr.
SOURCE_CALLS = 400
#: The same of one that is only traced, in this process.
_TRACES = 5000


def is_untraceable(repro: Repro) -> bool:
    """Whether JAX does not trace a script to its end. Raises whatever executing the script raises."""
    return program_of(repro).problem is None


def reduce_source(
    repro: Repro,
    check: Callable[[Repro], HasSignature] | None,
    *,
    signature: str,
    times: int = 1,
    max_calls: int = SOURCE_CALLS,
    jobs: int = 1,
    until: float = math.inf,
    on_progress: Callable[[Progress], None] | None = None,
    keep: Keep | None = None,
) -> Reduced:
    """The smallest script found for which `check` answers the same signature; other arguments as of `reduce_repro`.

    Args:
        check: judges a candidate. None for a script that JAX does not trace to its end: the error, and what is called
            there, must stay the same. That shows in this process, and `max_calls` does not count.
    Raises:
        TrivialProgramError: no output depends on an equation.
    """
    start = time.monotonic()
    judging = None if check is None else Judging(check, signature, times, repro.header.outcome)
    with repro.configured(), unawaited_threads(jobs) as threads:
        program = program_of(repro)
        failure = program.failure if judging is None else None
        if program.problem is not None and is_trivial(program.problem):
            raise TrivialProgramError(f"{repro.header.name}: no output depends on any equation")

        fails_alike: Ask[Program] = at_once(lambda candidate: candidate.failure == failure)

        def ask(candidate: Program) -> Answer:
            if judging is None:
                return fails_alike(candidate)
            try:
                return threads.submit(judging.shows, candidate.repro)
            except EmitError:  # as of a jaxpr: what cannot be written cannot be handed to anyone
                return no(candidate)

        worth = (lambda _: True) if program.problem is None else worth_testing(program.problem)

        def admissible(candidate: Program) -> bool:
            if program.problem is None:
                return failure is None or candidate.problem is None
            return candidate.problem is not None and worth(candidate.problem)

        def finished(candidate: Program) -> Repro:
            script = candidate.repro
            outcome = repro.header.outcome if judging is None else judging.outcome
            header = dataclasses.replace(script.header, outcome=outcome, signature=signature, self_check=None)
            return dataclasses.replace(script, header=header)

        def on_better(better: Program) -> None:
            if keep is not None:
                keep(finished(better), better.equations)

        result = minimize(
            program,
            ask,
            source_passes(),
            max_calls=max_calls if failure is None else max(max_calls, _TRACES),
            admissible=admissible,
            width=jobs,
            until=until,
            on_progress=on_progress,
            on_better=on_better,
        )
        best = result.problem
        smallest = repro if best is program else finished(best)
    return reduced(result, smallest, start)
