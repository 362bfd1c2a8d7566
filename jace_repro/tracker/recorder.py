"""Writes to a directory what the hooks report: the journal, and one repro file per distinct entry.

The files are there before XLA compiles or runs anything, so nothing is lost when the program dies.  Whatever
the recorder itself cannot do becomes a ``tracker-error`` event; the program runs on.

An entry is recorded with the values of its first call, and with those of later calls as long as it has fewer
than ``max_inputs`` repros: a call of a known entry that wants no more costs a lookup and a count.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
import threading
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import jax
import numpy as np

from jace_repro.trace import bodies, eager
from jace_repro.trace.callback_log import Log, Logs
from jace_repro.trace.failure import TraceFailure
from jace_repro.trace.frames import (
    called_by_program,
    file_of,
    frames_of,
    is_jax_file,
    is_jitted_by_jax,
    shown_path,
)
from jace_repro.trace.inspect import plain_value, zeros
from jace_repro.trace.model import Body
from jace_repro.tracker import hooks
from jace_repro.tracker.budget import DiskBudget
from jace_repro.tracker.call_options import CallOptions, describe, placement_notes
from jace_repro.tracker.handler import Handler
from jace_repro.tracker.journal import Journal
from jace_repro.tracker.lastcall import LastCall
from jace_repro.tracker.origin import Origin, origin_of, origin_of_failure
from jace_repro.tracker.postmortem import examine, type_name
from jace_repro.tracker.settings import RecordSettings
from jace_repro.tracker.writer import EntryFiles, Program, Script, stem_of

T = TypeVar("T")


@dataclass
class _Entry:
    """What is known of one distinct entry while recording."""

    number: int
    name: str
    fingerprint: str
    #: The code of its Python callbacks, which its fingerprint does not tell apart.
    callbacks: str = ""
    calls: int = 0
    #: Recorded from its shapes alone (compiled ahead of time, not called yet), or interrupted while it was recorded.
    placeholder: bool = False
    #: Digests of the inputs recorded so far; None when no more are wanted.
    seen: set[str] | None = None
    inputs: int = 1
    origin: Origin | None = None
    test: str | None = None

    @property
    def id(self) -> str:
        """As in the journal."""
        return f"e{self.number:04d}"


@dataclass(frozen=True)
class _Flight:
    """A recorded call of an entry, between dispatch and completion.

    ``scripts`` are what was written of it; ``log`` is of what its Python callbacks answer. A child process that was
    forked meanwhile has another ``journal``.
    """

    entry: _Entry
    journal: Journal
    input: int = 1
    scripts: tuple[Script, ...] = ()
    log: Log | None = None

    def write(self, event: str, **fields: Any) -> None:
        """An event about this call."""
        self.journal.write(event, id=self.entry.id, **_of_input(self.input), **fields)


def _guarded(method: Callable[..., T]) -> Callable[..., T | None]:
    """A method that never breaks the program: its failures go to the journal, it returns None."""

    @functools.wraps(method)
    def guarded(self: Recorder, *args: Any, **kwargs: Any) -> T | None:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self.problem(f"{method.__name__}: {_one_line(error)}")
            return None

    return guarded


def _harmless(method: Callable[..., T]) -> Callable[..., T | None]:
    """A guarded method that may use JAX: what it does there is the tracker's own."""
    guarded = _guarded(method)

    @functools.wraps(method)
    def suspended(self: Recorder, *args: Any, **kwargs: Any) -> T | None:
        with hooks.suspended():
            return guarded(self, *args, **kwargs)

    return suspended


class Recorder(Handler):
    """Writes to a directory what the hooks report; thread-safe."""

    def __init__(self, journal: Journal, settings: RecordSettings) -> None:
        self.settings = settings
        self._begin(journal)

    def _begin(self, journal: Journal) -> None:
        self.journal = journal
        self._files = EntryFiles(
            journal.directory, DiskBudget(self.settings.max_disk, Path(self.settings.root))
        )
        self._logs = Logs()
        self._options: weakref.WeakKeyDictionary[Any, CallOptions] = weakref.WeakKeyDictionary()
        #: Traced for a jitted function that the program made and called, maybe of functions of JAX only.
        self._programs_own: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.RLock()  # reentrant: a signal handler may give JAX something at any time
        self._ids = itertools.count(1)
        self._said: set[str] = set()
        self._seen = object()
        self._last = LastCall(journal.directory)
        self._by_program: dict[tuple[str, str], _Entry] = {}
        self._failures: dict[str, _Entry] = {}
        self._by_jaxpr: weakref.WeakKeyDictionary[Any, _Entry] = weakref.WeakKeyDictionary()
        journal.describe(
            versions={"python": sys.version.split()[0], "jax": jax.__version__, "numpy": np.__version__}
        )

    def move(self, journal: Journal) -> None:
        """Begin anew in a forked child: what the parent knows is the parent's."""
        self._begin(journal)

    # ------------------------------------------------------------------------------ what hooks report

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> _Flight | None:
        """Count a call; on the first one of a distinct entry write its repro and journal it."""
        known = self._by_jaxpr.get(closed)
        if known is None or known.placeholder:
            return self._first_call(closed, args, name)
        if self._count(known):
            self._report_calls(known)
        if _TEST in os.environ:
            self._note_test(known)
        return None if known.seen is None else self._later_call(known, closed, args)

    @_harmless
    def _first_call(self, closed: Any, args: Sequence[Any], name: str) -> _Flight | None:
        """The first call of a jaxpr, which may yet be that of a known entry."""
        entry, new = self._lookup(closed, name)
        self._count(entry)
        if not new and not entry.placeholder:
            self._note_test(entry)
            return None if entry.seen is None else self._later_call(entry, closed, args)
        if new:
            entry.origin = origin_of(closed, name, own=closed in self._programs_own)
            self._announce(entry, closed, entry.origin)
        else:
            entry.placeholder = False
            self.note(entry, None)
        return self._emit(entry, closed, lambda: _plain(closed, args), placed=placement_notes(args))

    @_harmless
    def _later_call(self, entry: _Entry, closed: Any, args: Sequence[Any]) -> _Flight | None:
        """A call of an entry of which further inputs are wanted: one more repro when these are new."""
        from jace_repro.repro import digest_outputs

        values = _plain(closed, args)
        digest = digest_outputs(values)
        with self._lock:
            if entry.seen is None or digest in entry.seen:
                return None
            entry.seen.add(digest)
            entry.inputs += 1
            number = entry.inputs
            if number >= self.settings.max_inputs:
                entry.seen = None
        return self._emit(entry, closed, lambda: values, number, placement_notes(args))

    @_harmless
    def compiled(self, token: _Flight | None) -> None:
        """XLA is done with an entry; it runs next."""
        if token is not None:
            token.write("dispatched")

    @_harmless
    def executed(self, token: _Flight | None, outputs: Sequence[Any]) -> None:
        """Wait for the outputs of the first call of an entry and journal their digest."""
        if token is None or token.journal is not self.journal:
            return
        from jace_repro.repro import digest_outputs

        try:
            for value in outputs:
                if hasattr(value, "block_until_ready"):
                    value.block_until_ready()
            if token.log is not None:
                jax.effects_barrier()  # callbacks that no output waits for
        except Exception as error:  # the program will meet it where it uses the outputs
            token.write("raised", error=_one_line(error))
            return
        finally:
            if token.log is not None:
                self._logs.close(token.log)
        digest = digest_outputs(outputs)
        token.write("completed", outputs_sha256=digest)
        for script in token.scripts:
            self._files.complete(script, digest, token.log)

    @_harmless
    def answered(self, callback: Any, args: Sequence[Any], results: Sequence[Any], **kind: bool) -> None:
        """A Python callback has returned."""
        self._logs.note(callback, args, results, **kind)

    @_harmless
    def failed(self, token: _Flight | None, error: BaseException) -> None:
        """Compiling or running raised."""
        self._mark(error)
        if token is not None:
            if token.log is not None:
                self._logs.close(token.log)
            token.write("raised", error=_one_line(error))

    @_guarded
    def tracing(self, fun: Callable[..., Any]) -> None:
        """Leave a line on disk before the user's Python runs: it may not come back."""
        code = getattr(fun, "__code__", None)
        source = f"{shown_path(code.co_filename)}:{code.co_firstlineno}" if code else ""
        name = getattr(fun, "__name__", type(fun).__name__)
        self.journal.write("tracing", name=name, source=source, thread=threading.current_thread().name)

    @_guarded
    def trace_ended(self, fun: Callable[..., Any]) -> None:
        """The user's Python came back."""
        self.journal.write("tracing-done", thread=threading.current_thread().name)

    @_harmless
    def traced(
        self,
        params: Mapping[str, Any],
        fun: Callable[..., Any],
        info: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Keep what a jaxpr does not say of its call."""
        closed = params["jaxpr"]
        self._options[closed] = describe(fun, info, args, kwargs, params)
        if called_by_program() and not is_jitted_by_jax(fun):
            self._programs_own.add(closed)

    @_harmless
    def trace_failed(self, error: BaseException, frames: list[tuple[types.FrameType, int]]) -> None:
        """Write a repro of an error raised while tracing, once per error."""
        if self._marked(error):
            return
        self._mark(error)
        if isinstance(error, FloatingPointError) and _debugging_numbers():
            return  # JAX's explanation of a NaN that a compiled call made: that call is journaled as raised
        failure = examine(error, frames)
        if failure is None:
            return
        if not isinstance(error, Exception):
            failure = replace(failure, candidates=(), outside=True)  # ctrl-C hit the call by chance
        key = f"{failure.exception} {failure.source} {failure.message}"
        with self._lock:
            entry = self._failures.get(key)
            new = entry is None
            if entry is None:
                entry = self._failures[key] = _Entry(next(self._ids), failure.name, "")
        if self._count(entry):
            self._report_calls(entry)
        if new:
            self._report_failure(entry, failure)

    @_harmless
    def precompiled(self, closed: Any, name: str) -> None:
        """Record an entry compiled ahead of time with zeros, until it is called with real inputs."""
        entry, new = self._lookup(closed, name)
        if not new:
            return
        entry.placeholder = True
        entry.origin = origin_of(closed, name, own=closed in self._programs_own)
        self._announce(entry, closed, entry.origin, calls=0)
        flight = self._emit(entry, closed, lambda: [zeros(aval) for aval in closed.in_avals])
        if flight.scripts:
            self.note(entry, "compiled ahead of time and not called: its inputs are zeros")

    @_harmless
    def program_failed(self, error: BaseException) -> None:
        """The program is ending with an exception."""
        self.journal.write("exception", type=type_name(error), message=str(error))
        if isinstance(error, Exception):
            self.trace_failed(error, frames_of(error))

    # ------------------------------------------------------------------------------------- bookkeeping

    def problem(self, reason: str) -> None:
        """Journal something the tracker could not do, once; never raises."""
        with self._lock:
            if reason in self._said:
                return
            self._said.add(reason)
        try:
            self.journal.write("tracker-error", reason=reason)
        except Exception as error:
            if _UNWRITABLE not in self._said:
                self._said.add(_UNWRITABLE)
                print(f"jace-repro: {_UNWRITABLE}: {error}", file=sys.stderr)

    def note(self, entry: _Entry, note: str | None) -> None:
        """Attach a remark to an entry."""
        self.journal.write("note", id=entry.id, note=note)

    def report_all(self) -> None:
        """Journal how often each entry has been called. Raises OSError."""
        with self._lock:
            entries = (*self._by_program.values(), *self._failures.values())
            counts = {entry.id: entry.calls for entry in entries}
        self.journal.write("calls", counts=counts)
        self._last.remove()

    def _mark(self, error: BaseException) -> None:
        """Remember on the exception itself that it is journaled; keeping a reference would keep its frames."""
        with contextlib.suppress(
            AttributeError, TypeError
        ):  # it takes no attributes: it may be journaled twice
            error.__jace_repro_seen__ = (*getattr(error, _SEEN, ()), self._seen)  # type: ignore[attr-defined]

    def _marked(self, error: BaseException) -> bool:
        return self._seen in getattr(error, _SEEN, ())

    def _note_test(self, entry: _Entry) -> None:
        """Journal that a test calls an entry that it was not the first, nor the last, to call."""
        test = _current_test()
        if test is not None and test != entry.test:
            entry.test = test
            self._report_test(entry, test)

    @_harmless
    def _report_test(self, entry: _Entry, test: str) -> None:
        self.journal.write("test", id=entry.id, test=test)

    def _lookup(self, closed: Any, name: str) -> tuple[_Entry, bool]:
        """The entry of a jaxpr, and whether it was not known before."""
        known = self._by_jaxpr.get(closed)
        if known is not None:
            return known, False
        from jace.ir import fingerprint
        from jace_repro.trace.callbacks import callbacks_digest

        key = fingerprint(closed), callbacks_digest(closed)
        with self._lock:
            entry = self._by_program.get(key)
            new = entry is None
            if entry is None:
                entry = _Entry(next(self._ids), name, *key)
                self._by_program[key] = entry
            self._by_jaxpr[closed] = entry
        return entry, new

    def _count(self, entry: _Entry) -> bool:
        """Count a call.  True at every power of two: reported then, little is lost by a kill."""
        with self._lock:
            entry.calls += 1
            self._last.note(entry.number, entry.calls)
            return entry.calls > 1 and entry.calls & (entry.calls - 1) == 0

    @_harmless
    def _report_calls(self, entry: _Entry) -> None:
        """Journal how often an entry has been called."""
        self.journal.write("calls", counts={entry.id: entry.calls})

    def _announce(self, entry: _Entry, closed: Any, origin: Origin, *, calls: int = 1) -> None:
        """The first line about an entry."""
        from jace.ir import count_equations, primitives

        self.journal.write(
            "traced",
            id=entry.id,
            **origin.event(),
            calls=calls,
            **_in_test(entry),
            equations=count_equations(closed),
            primitives=primitives(closed),
            fingerprint=entry.fingerprint,
            **({"callbacks": entry.callbacks} if entry.callbacks else {}),
        )
        with contextlib.suppress(
            OSError
        ):  # no room for it: the repro may fit, and the journal says if it does not
            self._last.open()
        self._last.note(entry.number, calls)

    def _emit(
        self,
        entry: _Entry,
        closed: Any,
        values: Callable[[], list[Any]],
        number: int = 1,
        placed: tuple[str, ...] = (),
    ) -> _Flight:
        """Write a repro of an entry.  Where that fails the journal says why."""
        flight = _Flight(entry, self.journal, number)
        if (refused := self._files.refused(closed)) is not None:
            entry.seen = None
            if number == 1:
                self.problem(refused[0])
                self.note(entry, f"no repro: {refused[1]}")
            return flight
        origin = entry.origin
        assert origin is not None
        program = Program(
            name=origin.name,
            origin=origin.text(),
            fingerprint=entry.fingerprint,
            options=self._options.get(closed, CallOptions()),
            notes=placed,
        )
        try:
            from jace_repro.repro import digest_outputs

            inputs = values()
            if number == 1 and self.settings.max_inputs > 1 and not entry.placeholder:
                entry.seen = {digest_outputs(inputs)}
            stem = stem_of(entry.id, origin.name, number)
            keep_jaxpr = number == 1 and not origin.eager
            flat = self._files.flat(stem, closed, inputs, program, keep_jaxpr=keep_jaxpr)
        except Exception as error:
            entry.seen = None
            if number == 1:
                self.note(entry, f"no repro: {_one_line(error)}")
            self.problem(f"no repro of {entry.id} ({origin.name}): {_one_line(error)}")
            return flight
        except BaseException:  # ctrl-C, say, that the program may survive: recorded when it is called again
            entry.placeholder = number == 1
            raise
        flight.write("repro", repro=self._files.shown(flat.path))
        tree = self._call_tree(entry, flat, closed, inputs, program) if number == 1 else None
        scripts = (flat,) if tree is None else (flat, tree)
        log = self._logs.open() if any(script.unknown for script in scripts) else None
        return replace(flight, scripts=scripts, log=log)

    def _call_tree(
        self, entry: _Entry, flat: Script, closed: Any, inputs: list[Any], program: Program
    ) -> Script | None:
        """Write the same program as its user wrote it; None, and the reason in the journal, where that cannot be."""
        if entry.origin is None or entry.origin.eager:
            return None
        body = bodies.body_of(closed)
        own = closed in self._programs_own
        if body is None or (is_jax_file(file_of(body.function.source)) and not own):
            if (call := eager.current()) is not None:
                call.waiting.append(functools.partial(self._eager_tree, entry, flat, program))
                return None
            self.journal.write("calltree", id=entry.id, reason=_DERIVED if body is None else _OUTSIDE)
            return None
        return self._write_tree(entry, flat, body, inputs, program)

    @_harmless
    def _eager_tree(self, entry: _Entry, flat: Script, program: Program, call: eager.EagerCall) -> None:
        """Write a call that was made outside of jit, in which JAX ran the entry."""
        from jace_repro.repro import digest_outputs

        values = [plain_value(value, jax.typeof(value)) for value in call.inputs]
        script = self._write_tree(entry, flat, call.body, values, replace(program, eager=True))
        if script is not None:
            self._files.complete(script, digest_outputs(call.outputs), None)

    def _write_tree(
        self, entry: _Entry, flat: Script, body: Body, inputs: Sequence[Any], program: Program
    ) -> Script | None:
        from jace_repro.emitter import EmitError

        try:
            script = self._files.call_tree(flat, body, inputs, program)
        except Exception as error:
            reason = str(error) if isinstance(error, EmitError) else _one_line(error)
            self.journal.write("calltree", id=entry.id, reason=reason)
            return None
        self.journal.write("calltree", id=entry.id, repro=self._files.shown(script.path))
        return script

    def _report_failure(self, entry: _Entry, failure: TraceFailure) -> None:
        """Journal an entry that died while being traced and write the script that dies alike."""
        from jace.ir import count_equations, primitives

        closed = failure.body.jaxpr if failure.body is not None else None
        self.journal.write(
            "traced",
            id=entry.id,
            **origin_of_failure(failure).event(),
            calls=1,
            **_in_test(entry),
            equations=count_equations(closed) if closed is not None else 0,
            primitives=primitives(closed) if closed is not None else {},
            status="trace-error",
            error=f"{failure.exception}: {failure.message}".partition("\n")[0],
            failure=failure.summary(),
        )
        if not failure.candidates:
            self.note(entry, _NOT_JAX if failure.outside else _NOT_WRITABLE)
            return
        try:
            path = self._files.failure(stem_of(entry.id, failure.name), failure)
        except Exception as error:
            self.note(entry, f"no repro: {_one_line(error)}")
            self.problem(f"no repro of {entry.id} ({failure.name}): {_one_line(error)}")
            return
        self.journal.write("repro", id=entry.id, repro=self._files.shown(path))


# ----------------------------------------------------------------------------------------- details


_DERIVED = (
    "JAX derived this program from others (a jitted function under an eager transform): nobody wrote it"
)
_OUTSIDE = "called outside of any jitted function: the program's own functions in it were traced before"
_SEEN = "__jace_repro_seen__"
_UNWRITABLE = "the tracker cannot write its journal"
#: Set by pytest to "path::test (phase)".
_TEST = "PYTEST_CURRENT_TEST"


def _current_test() -> str | None:
    """The node id of the test that runs, or None."""
    return os.environ[_TEST].rpartition(" (")[0] if _TEST in os.environ else None


def _in_test(entry: _Entry) -> dict[str, str]:
    """The field of an event that says which test an entry came from, where there is one."""
    entry.test = _current_test()
    return {} if entry.test is None else {"test": entry.test}


def _of_input(number: int) -> dict[str, int]:
    """The field of an event that is not about the first recorded call of an entry."""
    return {"input": number} if number > 1 else {}


def _plain(closed: Any, args: Sequence[Any]) -> list[Any]:
    """Copies of the arguments of a call, as data."""
    return [plain_value(a, aval) for a, aval in zip(args, closed.in_avals, strict=True)]


def _debugging_numbers() -> bool:
    """Whether JAX is asked to raise where a NaN or an infinity appears."""
    return any(getattr(jax.config, name, False) for name in ("jax_debug_nans", "jax_debug_infs"))


_NOT_JAX = "raised by the program's own code, not by a JAX call: there is no repro"
_NOT_WRITABLE = "raised by a JAX call whose arguments cannot be written as source: there is no repro"


def _one_line(error: BaseException) -> str:
    """Type and first line of an exception."""
    return f"{type(error).__name__}: {error}".strip().partition("\n")[0][:500]
