"""Programs by seed, in the order in which a campaign tests them, and their repro files."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
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


class Writer:
    """Processes that write programs while others are tested; begun anew where all of them have ended."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = self._begun()

    def _begun(self) -> ProcessPool:
        return ProcessPool(self._jobs, _LIFETIME, _end_with_parent, context=get_context("spawn"))

    def begin(self, seed: int, number: int, folder: Path, sources: Sequence[Path]) -> Future[Written]:
        """Have a program written, as `write` does. The future raises what pebble's do."""
        if not self._pool.active:
            self._pool = self._begun()
        return self._pool.schedule(write, args=(seed, number, folder, sources), timeout=SECONDS)

    def stop(self) -> None:
        """End them, whatever they are at."""
        self._pool.stop()
        self._pool.join()


def write_all(
    writer: Writer, seed: int, numbers: Iterable[int], folder: Path, sources: Sequence[Path] = ()
) -> Callable[[], list[Written]]:
    """Have these programs written by other processes; call what is returned to wait for them.

    One that takes more than `SECONDS`, or takes its process with it, cannot be made.
    """
    begun = {number: writer.begin(seed, number, folder, sources) for number in numbers}

    def made(number: int, future: Future[Written], tries: int = 3) -> Written:
        try:
            return future.result()
        except TimeoutError:
            why = f"it took more than {SECONDS:.0f} s"
        except ProcessExpired as error:
            why = f"the process that made it ended: {error}"
        except BrokenProcessPool as error:  # it may be another's fault
            if tries > 1:
                return made(number, writer.begin(seed, number, folder, sources), tries - 1)
            why = f"the process that made it ended: {error}"
        return Written(number, name_at(seed, number, mutating=bool(sources)), why=why)

    return lambda: [made(number, future) for number, future in begun.items()]


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
def writer(jobs: int) -> Iterator[Writer]:
    """Processes that write programs; ended on exit."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    found = Writer(jobs)
    try:
        yield found
    finally:
        found.stop()
