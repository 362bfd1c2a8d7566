"""The scripts that are written of an entry, from its first line on disk to the digest of its outputs.

Each is journaled when it is there; where one cannot be written the journal says why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax

from jace_repro.repro.digest import digest_outputs
from jace_repro.repro.entry import Entry
from jace_repro.trace import bodies, eager
from jace_repro.trace.callback_log import Log, Logs
from jace_repro.trace.failure import TraceFailure
from jace_repro.trace.frames import file_of, is_jax_file
from jace_repro.trace.inspect import data_of
from jace_repro.trace.model import Body
from jace_repro.tracker.book import KnownEntry, TraceInfo
from jace_repro.tracker.budget import DiskBudget, NoRoomError
from jace_repro.tracker.guard import Problems, harmless, one_line
from jace_repro.tracker.journal import Journal
from jace_repro.tracker.settings import RecordSettings
from jace_repro.tracker.writer import EntryFiles, Script, stem_of


@dataclass(frozen=True)
class CallInFlight:
    """A recorded call of an entry, between dispatch and completion.

    ``scripts`` are what was written of it; ``log`` is of what its Python callbacks answer. A child process that was
    forked meanwhile has another ``journal``. ``written`` are the mutable references that the call may change.
    """

    known: KnownEntry
    journal: Journal
    input: int = 1
    scripts: tuple[Script, ...] = ()
    log: Log | None = None
    written: tuple[Any, ...] = ()

    def write(self, event: str, **fields: Any) -> None:
        """An event about this call. Raises OSError."""
        number = {"input": self.input} if self.input > 1 else {}
        self.journal.write(event, id=self.known.id, **number, **fields)


class EntryScripts:
    """Writes the scripts of the entries of one process's part of a recording; thread-safe."""

    def __init__(self, journal: Journal, settings: RecordSettings, problems: Problems) -> None:
        self.journal = journal
        self.problems = problems
        self._max_inputs = settings.max_inputs
        root = Path(settings.root)
        self._files = EntryFiles(journal.directory, root, DiskBudget(settings.max_disk, root))
        self._logs = Logs()

    def answered(self, callback: Any, args: Sequence[Any], results: Sequence[Any], **kind: bool) -> None:
        """A Python callback of a running program has returned: calls in flight may be waiting for it."""
        self._logs.note(callback, args, results, **kind)

    def kept(self, array: Any) -> Any:
        """An array as it is now: a copy, or the file that a large one has. Raises OSError and NoRoomError."""
        return self._files.kept(array)

    def write_call(
        self,
        known: KnownEntry,
        trace: TraceInfo,
        closed: Any,
        values: Callable[[], list[Any]],
        number: int = 1,
        placed: tuple[str, ...] = (),
    ) -> CallInFlight:
        """Write the repro of a call, and its call tree when it is the first one; ``values`` makes the inputs.

        ``number`` is that of the call among those that are kept; ``placed`` are notes about where its arguments were.
        """
        flight = CallInFlight(known, self.journal, number)
        entry = replace(known.entry, options=trace.options.noting(*placed))
        try:
            self._files.require_room(closed)
            inputs = values()
            if number == 1 and self._max_inputs > 1 and not known.placeholder:
                known.seen = {digest_outputs(inputs)}
            stem = stem_of(known.id, entry.name, number)
            keep_jaxpr = number == 1 and not entry.eager
            flat = self._files.flat(stem, closed, inputs, entry, keep_jaxpr=keep_jaxpr)
        except NoRoomError as error:
            known.seen = None
            if number == 1:
                self.problems.report(error.general)
                self.journal.note(known.id, f"no repro: {error}")
            return flight
        except Exception as error:
            known.seen = None
            if number == 1:
                self.journal.note(known.id, f"no repro: {one_line(error)}")
            self.problems.report(f"no repro of {known.id} ({entry.name}): {one_line(error)}")
            return flight
        except BaseException:  # ctrl-C, say, that the program may survive: recorded when it is called again
            known.placeholder = number == 1
            raise
        flight.write("repro", repro=self._files.shown(flat.path))
        tree = self._call_tree(known, trace, flat, closed, inputs, entry) if number == 1 else None
        scripts = (flat,) if tree is None else (flat, tree)
        log = self._logs.open() if any(script.unknown for script in scripts) else None
        return replace(flight, scripts=scripts, log=log)

    def write_failure(self, known: KnownEntry, failure: TraceFailure) -> None:
        """Write the script that dies as a trace did."""
        if not failure.candidates:
            self.journal.note(known.id, _NOT_JAX if failure.outside else _NOT_WRITABLE)
            return
        try:
            path = self._files.failure(stem_of(known.id, failure.name), failure, known.entry)
        except Exception as error:
            self.journal.note(known.id, f"no repro: {one_line(error)}")
            self.problems.report(f"no repro of {known.id} ({failure.name}): {one_line(error)}")
            return
        self.journal.write("repro", id=known.id, repro=self._files.shown(path))

    def complete(self, flight: CallInFlight, outputs_sha256: str) -> None:
        """Write into the scripts what their call has come to. Raises OSError and EmitError."""
        for script in flight.scripts:
            self._files.complete(script, outputs_sha256, flight.log)

    def close(self, flight: CallInFlight) -> None:
        """The call has ended: what callbacks answer from now on is not for it."""
        if flight.log is not None:
            self._logs.close(flight.log)

    def _call_tree(
        self,
        known: KnownEntry,
        trace: TraceInfo,
        flat: Script,
        closed: Any,
        inputs: list[Any],
        entry: Entry,
    ) -> Script | None:
        """Write the same program as its user wrote it; None, and the reason in the journal, where that cannot be."""
        if entry.eager:
            return None
        body = bodies.body_of(closed)
        if body is None or (is_jax_file(file_of(body.function.source)) and not trace.own):
            if (call := eager.current()) is not None:
                call.waiting.append(functools.partial(self._eager_tree, known, flat, entry))
                return None
            self.journal.write("calltree", id=known.id, reason=_DERIVED if body is None else _OUTSIDE)
            return None
        return self._write_tree(known, flat, body, inputs, entry)

    @harmless
    def _eager_tree(self, known: KnownEntry, flat: Script, entry: Entry, call: eager.EagerCall) -> None:
        """Write a call that was made outside of jit, in which JAX ran the entry."""
        values = [data_of(value, jax.typeof(value), self.kept) for value in call.inputs]
        script = self._write_tree(known, flat, call.body, values, entry, outside_jit=True)
        if script is not None:
            self._files.complete(script, digest_outputs(call.outputs), None)

    def _write_tree(
        self,
        known: KnownEntry,
        flat: Script,
        body: Body,
        inputs: Sequence[Any],
        entry: Entry,
        *,
        outside_jit: bool = False,
    ) -> Script | None:
        from jace_repro.emitter import EmitError

        try:
            script = self._files.call_tree(flat, body, inputs, entry, outside_jit=outside_jit)
        except Exception as error:
            reason = str(error) if isinstance(error, EmitError) else one_line(error)
            self.journal.write("calltree", id=known.id, reason=reason)
            return None
        self.journal.write("calltree", id=known.id, repro=self._files.shown(script.path))
        return script


_DERIVED = (
    "JAX derived this program from others (a jitted function under an eager transform): nobody wrote it"
)
_OUTSIDE = "called outside of any jitted function: the program's own functions in it were traced before"
_NOT_JAX = "raised by the program's own code, not by a JAX call: there is no repro"
_NOT_WRITABLE = "raised by a JAX call whose arguments cannot be written as source: there is no repro"
