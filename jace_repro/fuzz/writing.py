"""Programs by seed, in the order in which a campaign tests them, and their repro files."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from pebble import ProcessExpired, ProcessPool

if TYPE_CHECKING:
    from jax.extend.core import ClosedJaxpr

    from jace_repro.repro import Repro

#: Programs that one process writes before another takes its place: JAX remembers what it traced.
_LIFETIME = 160
#: Seconds that writing one may take: what is evaluated on the way may not end.
SECONDS = 60.0


def name_at(seed: int, number: int, *, mutating: bool = False) -> str:
    """The name of a campaign's program: one of several operations and one of one in turn, each third in 64-bit mode.

    Each eighth is a pair of forms. Campaigns of two seeds share no program, as long as none has a million. `mutating`:
    mutants take the place of programs of several operations.
    """
    from jace_repro.fuzz.mutants import MUTATED
    from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
    from jace_repro.fuzz.programs import COMPOSED, RELATED, name_of

    operations = [operation for operation in OPERATIONS if operation not in UNWRITTEN]
    which = seed * 1_000_000 + number
    operation = COMPOSED if number % 2 == 0 else operations[which // 2 % len(operations)]
    if number % 8 == 7:
        operation = RELATED
    if mutating and number % 2 == 0:
        return f"{MUTATED}/{which}"  # in the mode of what it is made of
    return name_of(operation, which, x64=number % 3 == 2)


@dataclass(frozen=True)
class Written:
    """A program of a campaign: its number and name; its repro file and size, or why there is none."""

    number: int
    name: str
    path: Path | None = None
    equations: int = 0
    why: str = ""


def write(seed: int, number: int, folder: Path, sources: Sequence[Path] = ()) -> Written:
    """Write the repro of a program of a campaign; `sources` are the repros that it mutates."""
    return _written(number, name_at(seed, number, mutating=bool(sources)), folder, sources)


def write_all(
    processes: ProcessPool, seed: int, numbers: Iterable[int], folder: Path, sources: Sequence[Path] = ()
) -> Callable[[], list[Written]]:
    """Have these programs written by other processes, as `write` does; call what is returned to wait for them.

    One that takes more than `SECONDS`, or takes its process with it, cannot be made.
    """
    begun = [
        (number, processes.schedule(write, args=(seed, number, folder, sources), timeout=SECONDS))
        for number in numbers
    ]

    def wait() -> list[Written]:
        found = []
        for number, future in begun:
            try:
                found.append(future.result())
            except (TimeoutError, ProcessExpired) as error:
                name = name_at(seed, number, mutating=bool(sources))
                late = isinstance(error, TimeoutError)
                why = (
                    f"it took more than {SECONDS:.0f} s"
                    if late
                    else f"the process that made it ended: {error}"
                )
                found.append(Written(number, name, why=why))
        return found

    return wait


def _written(number: int, name: str, folder: Path, sources: Sequence[Path]) -> Written:
    from jace.ir import count_equations

    try:
        repro, closed = _made(name, sources)
        path = repro.save(folder / f"{name.replace('/', '-')}.py").path
        return Written(number, name, path, count_equations(closed))
    except Exception as error:  # whatever JAX or the emitter says: it is counted, and told once
        return Written(number, name, why=f"{type(error).__name__}: {error}")


def _made(name: str, sources: Sequence[Path]) -> tuple[Repro, ClosedJaxpr]:
    """The repro of a program, and the program."""
    from jace_repro.emitter import emit_flat
    from jace_repro.fuzz.mutants import MUTATED, mutant
    from jace_repro.fuzz.programs import named, program
    from jace_repro.repro import Header, current_config, jax_configuration

    origin = f"jace-repro fuzz: {name}"
    if name.startswith(f"{MUTATED}/"):
        made = mutant(name, sources)
        with jax_configuration(made.jax_config):
            header = Header(f"{origin} of {made.says}", name, current_config())
            return emit_flat(made.closed, made.arrays, header=header), made.closed
    with named(name).configured():
        drawn = program(name)
        header = Header(origin, name, current_config(), relation=drawn.relation)
        return emit_flat(drawn.closed, drawn.arrays, header=header), drawn.closed


def _end_with_parent() -> None:
    """End when the process that started this one does, also where that is killed."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def writer(jobs: int) -> Iterator[ProcessPool]:
    """Processes that write programs while others are tested."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with ProcessPool(jobs, _LIFETIME, _end_with_parent, context=get_context("spawn")) as pool:
        try:
            yield pool
        finally:
            pool.stop()
