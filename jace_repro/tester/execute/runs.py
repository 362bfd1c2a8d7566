"""Running an executable more than once: over different memory, with other threads, in other orders of them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.build import placing
from jace_repro.repro.large import same_bytes
from jace_repro.tester.execute import schedules
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.conditions import poisoned, threads
from jace_repro.tester.execute.surroundings import Overwritten, Surroundings
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.numerics.compare import bits_equal

_Array = np.ndarray[Any, Any]

#: What two runs may differ in: the pattern of fresh memory, and how many threads there are.
POISONS = (0xA5, 0x5A)
THREADS = (2, 1)
#: How many threads come one after the other, the last one first, where a program has any.
IN_TURN_THREADS = 8
#: How many threads begin at once, alternating, and for how many seconds a race among them is looked for.
AT_ONCE_THREADS = (4, 2)
AT_ONCE_SECONDS = 0.3


@dataclass(frozen=True)
class Run:
    """Outputs of a run, what it wrote and may not, its seconds."""

    outputs: list[_Array]
    overwritten: Overwritten | None
    seconds: float


@dataclass(frozen=True)
class Execution:
    """Runs of one executable, over different poison, with 2 threads and with 1, with threads in other orders.

    Attributes:
        outputs: of the first run.
        others: outputs of the other runs.
        overwritten: what the first run that wrote what it may not did write.
        seconds: of the first run.
    """

    outputs: list[_Array]
    others: list[list[_Array]]
    overwritten: Overwritten | None
    seconds: float

    @property
    def differing(self) -> list[list[_Array]]:
        """The outputs of the other runs that are not those of the first."""
        return [outputs for outputs in self.others if not same_bits(self.outputs, outputs)]


def execute(executable: Executable, prog: TracedProgram, seconds: float | None = None) -> Execution:
    """Run over memory poisoned with two patterns, with 2 threads and with 1, and with threads in an order of ours.

    These take turns or begin at once, where there are any.

    The poison is the proof that the code ran (a result that nobody writes is a pattern, not the reference's
    freed buffer), and turns a read of uninitialised memory into nondeterminism. A race between few iterations
    seldom shows among 2 threads; when they come in reverse order (`schedules`) it nearly always does.

    Args:
        seconds: how long a race among threads that begin at once is looked for; None for `AT_ONCE_SECONDS`.
    """
    known = schedules.regions()
    runs = [
        run_once(executable, prog, pattern, count) for pattern, count in zip(POISONS, THREADS, strict=True)
    ]
    if schedules.regions() != known:
        runs.append(run_in_turn(executable, prog))
        if all(same_bits(runs[0].outputs, run.outputs) for run in runs):
            patience = AT_ONCE_SECONDS if seconds is None else seconds
            runs.extend(runs_at_once(executable, prog, runs[0].outputs, patience))
    return Execution(
        runs[0].outputs,
        [run.outputs for run in runs[1:]],
        next((run.overwritten for run in runs if run.overwritten is not None), None),
        runs[0].seconds,
    )


def run_once(executable: Executable, prog: TracedProgram, pattern: int, count: int) -> Run:
    """One run on copies of the inputs, with `count` threads, over fresh memory filled with `pattern`.

    So is what lies around its inputs and outputs.
    """
    around = Surroundings(pattern)
    inputs = [around.copy(a, f"input {i}") for i, a in enumerate(prog.flat)]
    with threads(count), poisoned(pattern), placing(around.place):
        started = time.perf_counter()
        outputs = [np.array(out, copy=True) for out in executable.call_direct(*inputs)]
        elapsed = time.perf_counter() - started
    return Run(outputs, _changed(inputs, prog.flat) or around.overwritten(), elapsed)


def _changed(inputs: Sequence[_Array], originals: Sequence[_Array]) -> Overwritten | None:
    """The first input that is no more as it was."""
    for i, (have, had) in enumerate(zip(inputs, originals, strict=True)):
        if not same_bytes(have, had):
            return Overwritten("input", f"input {i} was overwritten")
    return None


def run_in_turn(executable: Executable, prog: TracedProgram) -> Run:
    """One run whose threads come one after the other, the last one first."""
    with schedules.ordered(schedules.IN_TURN):
        return run_once(executable, prog, POISONS[0], IN_TURN_THREADS)


def runs_at_once(
    executable: Executable, prog: TracedProgram, expected: list[_Array], seconds: float
) -> list[Run]:
    """The first run that is not as expected, of those for some seconds whose threads begin at once; none if all are."""
    until = time.perf_counter() + seconds
    for count in itertools.cycle(AT_ONCE_THREADS):
        with schedules.ordered(schedules.AT_ONCE):
            run = run_once(executable, prog, POISONS[0], count)
        if not same_bits(expected, run.outputs):
            return [run]
        if time.perf_counter() > until:
            break
    return []


def same_bits(one: Sequence[_Array], other: Sequence[_Array]) -> bool:
    """Whether two runs gave the same, all NaN counting as one."""
    return len(one) == len(other) and all(bits_equal(a, b) for a, b in zip(one, other, strict=True))
