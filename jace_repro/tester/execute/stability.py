"""Whether an executable gives the same every time, and if not, what its results depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace_repro.tester.execute import runs
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.runs import Execution, same_bits
from jace_repro.tester.execute.traced import TracedProgram

_Array = np.ndarray[Any, Any]

#: Identical runs that look for a race.
RACES = 4
#: What the results of one binary may depend on besides its inputs.
CAUSES: Mapping[str, str] = {
    "race": "so do identical runs, so it is a race",
    "memory": "it reads memory that nobody has written",
    "threads": "the number of threads decides",
    "order": "the order in which the threads come decides, so it is a race",
    "overlap": "threads that run at once decide, so it is a race",
    "": "further runs did not differ",
}
#: The run that asks about each cause.
_ASKED = {
    "race": "the same run again",
    "memory": "over other memory",
    "threads": "1 thread instead of 2",
    "order": "the last thread first",
    "overlap": "4 threads or 2 that begin at once",
}
#: Causes that may be a sum which the threads share out: of no harm where rounding explains the difference.
SHARED_OUT = frozenset({"threads", "order", "overlap"})
#: On a GPU threads come in any order each time, or, once more, in the same.
ON_GPU = frozenset({"race", ""})
#: Causes that show in every test: one run has other memory, another has fewer threads, another another order of them.
SURE = frozenset({"memory", "threads", "order"})


@dataclass(frozen=True)
class Repeated:
    """Further runs of an executable: a key of `CAUSES`, and which runs gave the same as the first one."""

    cause: str
    same: Mapping[str, bool]


def comes_and_goes(same: Mapping[str, bool | None]) -> bool:
    """Whether the next test may not show that runs differ, by which of them gave the same as the first one."""
    return all(same.get(_named(cause)) is not False for cause in SURE)


def unstable(
    executable: Executable,
    prog: TracedProgram,
    execution: Execution,
    agree: Callable[..., bool],
    *,
    on_gpu: bool = False,
) -> Repeated | None:
    """What the runs of an execution differ in; None when they do not, or the threads share out a sum.

    Args:
        agree: of two runs' outputs, whether rounding explains their difference.
        on_gpu: it runs on a GPU.
    """
    differing = execution.differing
    if not differing:
        return None
    found = repeat(executable, prog)
    harmless = SHARED_OUT | ON_GPU if on_gpu else SHARED_OUT
    if found.cause in harmless and all(agree(execution.outputs, outputs) for outputs in differing):
        return None
    return found


def repeat(executable: Executable, prog: TracedProgram) -> Repeated:
    """Find out what the results of an executable depend on, changing one thing at a time."""

    def run(pattern: int = runs.POISONS[0], count: int = runs.THREADS[0]) -> list[_Array]:
        return runs.run_once(executable, prog, pattern, count).outputs

    first = run()
    same = {
        "race": all(same_bits(first, run()) for _ in range(RACES)),
        "memory": same_bits(first, run(pattern=runs.POISONS[1])),
        "threads": same_bits(first, run(count=runs.THREADS[1])),
        "order": same_bits(first, runs.run_in_turn(executable, prog).outputs),
        "overlap": not runs.runs_at_once(executable, prog, first, runs.AT_ONCE_SECONDS),
    }
    cause = next((cause for cause, equal in same.items() if not equal), "")
    return Repeated(cause, {_named(cause): equal for cause, equal in same.items()})


def _named(cause: str) -> str:
    """What the run that asks about a cause is called among the evidence."""
    return f"DaCe, {_ASKED[cause]}"
