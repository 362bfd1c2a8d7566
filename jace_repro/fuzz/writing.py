"""Programs by seed, in the order in which a campaign tests them, and their repro files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

#: Programs that one process writes before another takes its place: JAX remembers what it traced.
_LIFETIME = 10


def name_at(seed: int, number: int) -> str:
    """The name of a campaign's program: one of several operations and one of one in turn, each third in 64-bit mode.

    Campaigns of two seeds share no program, as long as none has a million.
    """
    from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
    from jace_repro.fuzz.programs import COMPOSED, name_of

    operations = [operation for operation in OPERATIONS if operation not in UNWRITTEN]
    which = seed * 1_000_000 + number
    operation = COMPOSED if number % 2 == 0 else operations[which // 2 % len(operations)]
    return name_of(operation, which, x64=number % 3 == 2)


@dataclass(frozen=True)
class Written:
    """A program of a campaign: its number and name; its repro file and size, or why there is none."""

    number: int
    name: str
    path: Path | None = None
    equations: int = 0
    why: str = ""


def write(seed: int, numbers: Sequence[int], folder: Path) -> list[Written]:
    """Write the repros of these programs of a campaign."""
    return [_written(number, name_at(seed, number), folder) for number in numbers]


def _written(number: int, name: str, folder: Path) -> Written:
    from jace.ir import walk
    from jace_repro.emitter import emit_flat
    from jace_repro.fuzz.programs import named
    from jace_repro.repro import Header, current_config

    told = named(name)
    try:
        with told.configured():
            closed, arrays = told.traced
            header = Header(name=name, origin=f"jace-repro fuzz: {name}", jax_config=current_config())
            repro = emit_flat(closed, arrays, header=header)
        path = repro.save(folder / f"{name.replace('/', '-')}.py").path
        return Written(number, name, path, sum(1 for _ in walk(closed)))
    except Exception as error:  # whatever JAX or the emitter says: it is counted, and told once
        return Written(number, name, why=f"{type(error).__name__}: {error}")


@contextmanager
def writer(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that write programs while others are tested."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=_LIFETIME)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
