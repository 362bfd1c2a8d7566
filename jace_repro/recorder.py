"""Writes to a directory what the hooks report: the journal, and one repro file per distinct entry.

The files are there before XLA compiles or runs anything, so nothing is lost when the program dies.  Whatever
the recorder itself cannot do becomes a ``tracker-error`` event; the program runs on.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import re
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import jax
import numpy as np

from jace_repro import hooks
from jace_repro.answers import Log, Logs
from jace_repro.autopsy import examine, type_name
from jace_repro.call_options import CallOptions, describe, placement_notes
from jace_repro.frames import frames_of, function_source, is_jax_file, shown_path, user_line
from jace_repro.recording import ENTRIES, JOURNAL, SCHEMA, TraceFailure

T = TypeVar("T")


@dataclass
class _Entry:
    """What is known of one distinct entry while recording."""

    id: str
    name: str
    fingerprint: str
    calls: int = 0
    placeholder: bool = False  # recorded from its shapes alone: compiled ahead of time, not called yet


@dataclass(frozen=True)
class _Flight:
    """The first call of an entry, between dispatch and completion.  ``repro`` is what was saved.

    ``log`` is of what the call's Python callbacks answer, ``emit`` writes the repro with it.
    """

    entry: _Entry
    repro: Any = None
    path: Path | None = None
    log: Log | None = None
    emit: Callable[[Log], Any] | None = None


@dataclass
class _Context:
    """Where a call comes from: function, its source, the line that called it."""

    name: str
    source: str
    eager: bool
    call_site: str = ""
    thread: str = field(default_factory=lambda: threading.current_thread().name)

    def origin(self) -> str:
        """Function and its source, for the header of the repro."""
        return f"{self.source} ({self.name})" if self.source else self.name


class Journal:
    """Appends JSON lines, each flushed to the operating system before the call returns."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()
        self._start = time.monotonic()

    def write(self, event: str, **fields: Any) -> None:
        """Raises OSError when the disk is full; ignored after :meth:`close`."""
        line = json.dumps(
            {"event": event, "t": round(time.monotonic() - self._start, 4), **fields}, default=str
        )
        with self._lock:
            if not self._file.closed:
                self._file.write(line + "\n")
                self._file.flush()

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            self._file.close()


def _harmless(method: Callable[..., T]) -> Callable[..., T | None]:
    """A method that never breaks the program: its failures go to the journal, it returns None."""

    @functools.wraps(method)
    def guarded(self: Recorder, *args: Any, **kwargs: Any) -> T | None:
        with hooks.suspended():
            try:
                return method(self, *args, **kwargs)
            except Exception as error:
                self.problem(f"{method.__name__}: {_one_line(error)}")
                return None

    return guarded


class DiskBudget:
    """How many bytes of repros a recording may still write; the journal, a line an event, is not counted."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self._used = 0
        self._refused = False
        self._lock = threading.Lock()

    def refused(self, closed: Any) -> str | None:
        """Why the inputs and constants of a jaxpr are not written; None when they may be."""
        if self.limit is None:
            return None
        avals = [*closed.in_avals, *(v.aval for v in closed.jaxpr.constvars)]
        needed = sum(getattr(a, "size", 1) * getattr(getattr(a, "dtype", None), "itemsize", 8) for a in avals)
        with self._lock:
            if self._used + needed <= self.limit:
                return None
            return f"{self._used} bytes are written and --max-disk is {self.limit}: {needed} more would exceed it"

    def first_refusal(self) -> bool:
        """Whether nothing was refused before."""
        with self._lock:
            first, self._refused = not self._refused, True
        return first

    def spent(self, *paths: Path) -> None:
        """Count files that were written, those that exist."""
        with self._lock:
            self._used += sum(path.stat().st_size for path in paths if path.exists())


class Recorder:
    """Writes to a directory what the hooks report (:class:`jace_repro.hooks.Handler`); thread-safe."""

    def __init__(
        self, directory: Path, *, header: Mapping[str, Any] | None = None, max_disk: int | None = None
    ) -> None:
        self.directory = directory
        self._budget = DiskBudget(max_disk)
        (directory / ENTRIES).mkdir(parents=True, exist_ok=True)
        self.journal = Journal(directory / JOURNAL)
        self._lock = threading.Lock()
        self._logs = Logs()
        self._ids = itertools.count(1)
        self._by_fingerprint: dict[str, _Entry] = {}
        self._failures: dict[str, _Entry] = {}
        self._options: weakref.WeakKeyDictionary[Any, CallOptions] = weakref.WeakKeyDictionary()
        self._by_jaxpr: weakref.WeakKeyDictionary[Any, _Entry] = weakref.WeakKeyDictionary()
        self.journal.write(
            "start",
            schema=SCHEMA,
            versions={"python": sys.version.split()[0], "jax": jax.__version__, "numpy": np.__version__},
            pid=os.getpid(),
            **(header or {}),
        )

    # ------------------------------------------------------------------------------ what hooks report

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> _Flight | None:
        """Count a call; on the first one of a distinct entry write its repro and journal it."""
        known = self._by_jaxpr.get(closed)
        if known is not None and not known.placeholder:
            if self._count(known):
                self._report_calls(known)
            return None
        return self._first_call(closed, args, name)

    @_harmless
    def _first_call(self, closed: Any, args: Sequence[Any], name: str) -> _Flight | None:
        """The first call of a jaxpr, which may yet be that of a known entry."""
        entry, new = self._lookup(closed, name)
        self._count(entry)
        if not new and not entry.placeholder:
            return None
        context = _context(closed, name)
        if new:
            self._announce(entry, closed, context)
        else:
            entry.placeholder = False
            self.note(entry, None)
        pairs = zip(args, closed.in_avals, strict=True)
        flight = self._emit(
            entry,
            closed,
            lambda: [hooks.plain_value(a, aval) for a, aval in pairs],
            context,
            placement_notes(args),
        )
        if flight.repro is not None and any(n.startswith("unknown:") for n in flight.repro.header.notes):
            return replace(flight, log=self._logs.open())
        return flight

    @_harmless
    def compiled(self, token: _Flight | None) -> None:
        """XLA is done with an entry; it runs next."""
        if token is not None:
            self.journal.write("dispatched", id=token.entry.id)

    @_harmless
    def executed(self, token: _Flight | None, outputs: Sequence[Any]) -> None:
        """Wait for the outputs of the first call of an entry and journal their digest."""
        if token is None:
            return
        from jace_repro.emitter import digest_outputs

        try:
            for value in outputs:
                if hasattr(value, "block_until_ready"):
                    value.block_until_ready()
            if token.log is not None:
                jax.effects_barrier()  # callbacks that no output waits for
        except Exception as error:  # the program will meet it where it uses the outputs
            self.journal.write("raised", id=token.entry.id, error=_one_line(error))
            return
        finally:
            if token.log is not None:
                self._logs.close(token.log)
        digest = digest_outputs(outputs)
        self.journal.write("completed", id=token.entry.id, outputs_sha256=digest)
        if token.repro is not None and token.path is not None:
            repro = token.repro
            if token.log is not None and token.emit is not None:
                repro = token.emit(token.log).save(token.path)
                self._budget.spent(token.path.with_suffix(".npz"))
            header = replace(repro.header, outputs_sha256=digest)
            _rewrite(replace(repro, header=header).text(), token.path)

    @_harmless
    def answered(self, callback: Any, args: Sequence[Any], results: Sequence[Any], **kind: bool) -> None:
        """A Python callback has returned."""
        self._logs.note(callback, args, results, **kind)

    @_harmless
    def failed(self, token: _Flight | None, error: BaseException) -> None:
        """Compiling or running raised."""
        _mark(error)
        if token is not None:
            if token.log is not None:
                self._logs.close(token.log)
            self.journal.write("raised", id=token.entry.id, error=_one_line(error))

    @_harmless
    def tracing(self, fun: Callable[..., Any]) -> None:
        """Leave a line on disk before the user's Python runs: it may not come back."""
        code = getattr(fun, "__code__", None)
        source = f"{shown_path(code.co_filename)}:{code.co_firstlineno}" if code else ""
        self.journal.write("tracing", name=getattr(fun, "__name__", type(fun).__name__), source=source)

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
        self._options[params["jaxpr"]] = describe(fun, info, args, kwargs, params)

    @_harmless
    def trace_failed(self, error: BaseException, frames: list[tuple[types.FrameType, int]]) -> None:
        """Write a repro of an error raised while tracing, once per error."""
        if not isinstance(error, Exception) or _marked(error):
            return
        _mark(error)
        if isinstance(error, FloatingPointError) and _debugging_numbers():
            return  # JAX's explanation of a NaN that a compiled call made: that call is journaled as raised
        failure = examine(error, frames)
        if failure is None:
            return
        key = f"{failure.exception} {failure.source} {failure.message}"
        with self._lock:
            entry = self._failures.get(key)
            new = entry is None
            if entry is None:
                entry = self._failures[key] = _Entry(f"e{next(self._ids):04d}", failure.name, "")
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
        context = _context(closed, name)
        self._announce(entry, closed, context, calls=0)
        flight = self._emit(entry, closed, lambda: [hooks.zeros(aval) for aval in closed.in_avals], context)
        if flight.repro is not None:
            self.note(entry, "compiled ahead of time and not called: its inputs are zeros")

    @_harmless
    def program_failed(self, error: BaseException) -> None:
        """The program is ending with an exception."""
        self.journal.write("exception", type=type_name(error), message=str(error))
        self.trace_failed(error, frames_of(error))

    # ------------------------------------------------------------------------------------- bookkeeping

    def problem(self, reason: str) -> None:
        """Journal something the tracker could not do; never raises."""
        try:
            self.journal.write("tracker-error", reason=reason)
        except Exception as error:
            print(f"jace-repro: the tracker cannot write its journal: {error}", file=sys.stderr)

    def note(self, entry: _Entry, note: str | None) -> None:
        """Attach a remark to an entry."""
        self.journal.write("note", id=entry.id, note=note)

    def finish(self) -> None:
        """Write the call counts and close the journal."""
        with self._lock:
            entries = (*self._by_fingerprint.values(), *self._failures.values())
            counts = {entry.id: entry.calls for entry in entries}
        with contextlib.suppress(OSError, ValueError):
            self.journal.write("calls", counts=counts)
        self.journal.close()

    def _lookup(self, closed: Any, name: str) -> tuple[_Entry, bool]:
        """The entry of a jaxpr, and whether it was not known before."""
        known = self._by_jaxpr.get(closed)
        if known is not None:
            return known, False
        from jace.ir import fingerprint

        key = fingerprint(closed)
        with self._lock:
            entry = self._by_fingerprint.get(key)
            new = entry is None
            if entry is None:
                entry = _Entry(f"e{next(self._ids):04d}", name, key)
                self._by_fingerprint[key] = entry
            self._by_jaxpr[closed] = entry
        return entry, new

    def _count(self, entry: _Entry) -> bool:
        """Count a call.  True at every power of two: reported then, little is lost by a kill."""
        with self._lock:
            entry.calls += 1
            return entry.calls > 1 and entry.calls & (entry.calls - 1) == 0

    @_harmless
    def _report_calls(self, entry: _Entry) -> None:
        """Journal how often an entry has been called."""
        self.journal.write("calls", counts={entry.id: entry.calls})

    def _announce(self, entry: _Entry, closed: Any, context: _Context, *, calls: int = 1) -> None:
        """The first line about an entry."""
        from jace.ir import count_equations, primitives

        self.journal.write(
            "traced",
            id=entry.id,
            name=context.name,
            source=context.source,
            call_site=context.call_site,
            thread=context.thread,
            eager=context.eager,
            calls=calls,
            equations=count_equations(closed),
            primitives=primitives(closed),
            fingerprint=entry.fingerprint,
        )

    def _emit(
        self,
        entry: _Entry,
        closed: Any,
        values: Callable[[], list[Any]],
        context: _Context,
        notes: Sequence[str] = (),
    ) -> _Flight:
        """Write the repro of an entry.  Where that fails the journal says why."""
        if (refused := self._budget.refused(closed)) is not None:
            if self._budget.first_refusal():
                self.problem(refused)
            self.note(entry, f"no repro: {refused}")
            return _Flight(entry)
        try:
            from jace_repro.emitter import emit_flat, save_jaxpr
            from jace_repro.repro import Header, current_config

            options = self._options.get(closed, CallOptions())
            header = Header(
                origin=context.origin(),
                name=context.name,
                jax_config=current_config(),
                pipeline=None,
                outcome=None,
                signature=None,
                fingerprint=entry.fingerprint,
                outputs_sha256=None,
                static=options.static,
                donated=options.donated,
                notes=(*options.notes, *notes),
            )
            emit = functools.partial(emit_flat, closed, values(), header=header)
            repro = emit()
            path = self.directory / ENTRIES / f"{entry.id}_{_slug(context.name)}.py"
            repro = repro.save(path)
            if repro.header.fingerprint == entry.fingerprint:
                save_jaxpr(path, closed)
            self._budget.spent(path, path.with_suffix(".npz"), path.with_suffix(".jaxpr.gz"))
        except Exception as error:
            self.note(entry, f"no repro: {_one_line(error)}")
            self.problem(f"no repro of {entry.id} ({context.name}): {_one_line(error)}")
            return _Flight(entry)
        self.journal.write("repro", id=entry.id, repro=path.relative_to(self.directory).as_posix())
        return _Flight(entry, repro, path, emit=lambda log: emit(answers=log))

    def _report_failure(self, entry: _Entry, failure: TraceFailure) -> None:
        """Journal an entry that died while being traced and write the script that dies alike."""
        from jace.ir import count_equations, primitives

        func = failure.root.func
        closed = func.jaxpr if func else None
        self.journal.write(
            "traced",
            id=entry.id,
            name=failure.name,
            source=failure.source,
            call_site=failure.root.source,
            thread=threading.current_thread().name,
            eager=_is_eager(failure),
            calls=1,
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
            from jace_repro.emitter import emit_calltree
            from jace_repro.repro import Header, current_config

            header = Header(
                origin=f"{failure.source} ({failure.name})",
                name=failure.name,
                jax_config=current_config(),
                expected_error=failure.exception,
            )
            path = self.directory / ENTRIES / f"{entry.id}_{_slug(failure.name)}.py"
            emit_calltree(failure, header=header).save(path)
        except Exception as error:
            self.note(entry, f"no repro: {_one_line(error)}")
            self.problem(f"no repro of {entry.id} ({failure.name}): {_one_line(error)}")
            return
        self.journal.write("repro", id=entry.id, repro=path.relative_to(self.directory).as_posix())


# ----------------------------------------------------------------------------------------- details


def _debugging_numbers() -> bool:
    """Whether JAX is asked to raise where a NaN or an infinity appears."""
    return any(getattr(jax.config, name, False) for name in ("jax_debug_nans", "jax_debug_infs"))


_NOT_JAX = "raised by the program's own code, not by a JAX call: there is no repro"
_NOT_WRITABLE = "raised by a JAX call whose arguments cannot be written as source: there is no repro"


def _is_eager(failure: TraceFailure) -> bool:
    """Whether the function that died is one of JAX's own."""
    func = failure.root.func
    return func is not None and is_jax_file(func.source.rpartition(":")[0])


def _context(closed: Any, name: str) -> _Context:
    """Who made a jaxpr and who calls it.  Eager: nothing in it comes from outside JAX."""
    function, file, line = function_source(closed)
    site = user_line()
    eager = all(not f or is_jax_file(f) for _, f, _ in hooks.all_functions(closed))
    if name in _LOOPS and [eqn.primitive.name for eqn in closed.jaxpr.eqns] == [name]:
        eager = False  # lax.scan and its kin called directly: the loop is the user's
    if file and not is_jax_file(file):
        known = name if function == "<unknown>" else function
        return _Context(known, f"{shown_path(file)}:{line}", eager, site)
    return _Context(name, site.partition(" (")[0], eager, site)


_LOOPS = frozenset({"scan", "while", "cond", "custom_linear_solve"})


def _rewrite(text: str, path: Path) -> None:
    """Replace a script in one step: a kill leaves the old one or the new one."""
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _slug(name: str) -> str:
    """A name as part of a file name."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")[:40] or "entry"


def _one_line(error: BaseException) -> str:
    """Type and first line of an exception."""
    return f"{type(error).__name__}: {error}".strip().partition("\n")[0][:500]


def _mark(error: BaseException) -> None:
    """Remember on the exception itself that it is journaled; keeping a reference would keep its frames."""
    with contextlib.suppress(AttributeError, TypeError):
        error.__jace_repro_seen__ = True  # type: ignore[attr-defined]


def _marked(error: BaseException) -> bool:
    return bool(getattr(error, "__jace_repro_seen__", False))
