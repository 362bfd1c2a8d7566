"""Programs by seed, in the order in which a campaign tests them, and their repro files."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pebble import ProcessExpired, ProcessPool

if TYPE_CHECKING:
    from jax.extend.core import ClosedJaxpr

    from jace_repro.repro import Repro

#: Programs that one process writes before another takes its place: JAX remembers what it traced.
_LIFETIME = 160
#: Seconds that writing one may take: what is evaluated on the way may not end. As many for what it reaches.
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
class Wanted:
    """A program of a campaign that is to be written: its number and name, and the repros that are mutated."""

    number: int
    name: str
    sources: Sequence[Path] = ()

    def in_folder(self, folder: Path) -> Path:
        """Its repro file."""
        return folder / f"{self.name.replace('/', '-')}.py"


def wanted_at(seed: int, number: int, sources: Sequence[Path] = ()) -> Wanted:
    """A campaign's program, where nothing but its number says which one is next."""
    return Wanted(number, name_at(seed, number, mutating=bool(sources)), sources)


@dataclass(frozen=True)
class Written:
    """A program of a campaign: its number and name; its repro file and size, or why there is none.

    Attributes:
        reached: what it reaches, where that was asked (`reach.reached`).
        mutable: whether mutants can be made of it, where that was asked.
    """

    number: int
    name: str
    path: Path | None = None
    equations: int = 0
    why: str = ""
    reached: frozenset[str] = field(default=frozenset(), repr=False)
    mutable: bool = False


def write(wanted: Wanted, folder: Path) -> Written:
    """Write the repro of a program."""
    from jace.ir import count_equations

    try:
        repro, closed = _made(wanted.name, wanted.sources)
        path = repro.save(wanted.in_folder(folder)).path
        return Written(wanted.number, wanted.name, path, count_equations(closed))
    except Exception as error:  # whatever JAX or the emitter says: it is counted, and told once
        return Written(wanted.number, wanted.name, why=f"{type(error).__name__}: {error}")


def measure(path: Path, pipelines: Sequence[str]) -> tuple[frozenset[str], bool]:
    """What a repro that was written reaches on these pipelines, and whether mutants can be made of it."""
    from jace_repro.fuzz.mutants import subject_of
    from jace_repro.fuzz.reach import reached
    from jace_repro.repro import load
    from jace_repro.tester.execute.traced import trace

    if not path.exists():  # it could not be made
        return frozenset(), False
    repro = load(path)
    with repro.configured(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prog = trace(repro)
        found = reached(prog.closed, pipelines)
        try:
            subject_of(prog)
        except ValueError:
            return found, False
        return found, repro.header.relation is None


class Writer:
    """Processes that write programs while others are tested; begun anew where all of them have ended."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = self._begun()

    def _begun(self) -> ProcessPool:
        return ProcessPool(self._jobs, _LIFETIME, _end_with_parent, context=get_context("spawn"))

    def begin(self, task: Callable[..., Any], *args: Any) -> Future[Any]:
        """Have one of them call a function of this module. The future raises what pebble's do."""
        if not self._pool.active:
            self._pool = self._begun()
        return self._pool.schedule(task, args=args, timeout=SECONDS)

    def stop(self) -> None:
        """End them, whatever they are at."""
        self._pool.stop()
        self._pool.join()


def write_all(
    writer: Writer, programs: Iterable[Wanted], folder: Path, measured: Sequence[str] = ()
) -> Callable[[], list[Written]]:
    """Have these programs written by other processes; call what is returned to wait for them.

    One that takes more than `SECONDS`, or takes its process with it, cannot be made. What they reach on the pipelines
    `measured` is found out as well; of one that takes too long, or fails, it is nothing.
    """
    begun = [
        (
            wanted,
            writer.begin(write, wanted, folder),
            writer.begin(measure, wanted.in_folder(folder), measured) if measured else None,
        )
        for wanted in programs
    ]

    def made(wanted: Wanted, future: Future[Written], tries: int = 3) -> Written:
        try:
            return future.result()
        except TimeoutError:
            why = f"it took more than {SECONDS:.0f} s"
        except ProcessExpired as error:
            why = f"the process that made it ended: {error}"
        except BrokenProcessPool as error:  # it may be another's fault
            if tries > 1:
                return made(wanted, writer.begin(write, wanted, folder), tries - 1)
            why = f"the process that made it ended: {error}"
        return Written(wanted.number, wanted.name, why=why)

    def whole(wanted: Wanted, writing: Future[Written], measuring: Future[Any] | None) -> Written:
        written = made(wanted, writing)
        if measuring is None or written.path is None:
            return written
        try:
            reached, mutable = measuring.result()
            return replace(written, reached=reached, mutable=mutable)
        except Exception:  # that it cannot be translated, or not in time, is for its test to say
            return written

    return lambda: [whole(*one) for one in begun]


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
