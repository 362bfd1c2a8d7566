"""Writes to a directory what the hooks report: the journal, and one repro file per distinct entry.

The files are there before XLA compiles or runs anything, so nothing is lost when the program dies.  Whatever
the recorder itself cannot do becomes a ``tracker-error`` event; the program runs on.

An entry is recorded with the values of its first call, and with those of later calls as long as it has fewer
than ``max_inputs`` repros: a call of a known entry that wants no more costs a lookup and a count.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from jace import ir
from jace_repro.repro.digest import digest_outputs
from jace_repro.trace.failure import TraceFailure
from jace_repro.trace.frames import called_by_program, frames_of, is_jitted_by_jax, shown_path, user_line
from jace_repro.trace.inspect import data_of, zeros
from jace_repro.tracker.book import EntryBook, KnownEntry
from jace_repro.tracker.call_options import describe, placement_notes
from jace_repro.tracker.guard import Problems, guarded, harmless, one_line
from jace_repro.tracker.handler import Handler
from jace_repro.tracker.journal import LEFT_OUT, Journal
from jace_repro.tracker.postmortem import examine, type_name
from jace_repro.tracker.scripts import CallInFlight, EntryScripts
from jace_repro.tracker.settings import RecordSettings


class Recorder(Handler):
    """Writes to a directory what the hooks report; thread-safe."""

    def __init__(self, journal: Journal, settings: RecordSettings) -> None:
        self.settings = settings
        self._selection = settings.selection
        self.move(journal)

    def move(self, journal: Journal) -> None:
        """Begin with an empty journal: in a forked child what the parent knows is the parent's."""
        self.journal = journal
        self.problems = Problems(journal)
        self._book = EntryBook(journal.directory)
        self._scripts = EntryScripts(journal, self.settings, self.problems)
        self._seen = object()
        self._asked: set[tuple[str, str]] = set()
        journal.describe(
            versions={"python": sys.version.split()[0], "jax": jax.__version__, "numpy": np.__version__}
        )

    # ------------------------------------------------------------------------------ what hooks report

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> CallInFlight | None:
        """Count a call; on the first one of a distinct entry write its repro and journal it."""
        known = self._book.known(closed)
        if known is None or known.placeholder:
            return self._first_call(closed, args, name)
        if self._book.count(known):
            self._report_calls(known)
        if _TEST in os.environ:
            self._note_test(known)
        return None if known.seen is None else self._later_call(known, closed, args)

    @harmless
    def _first_call(self, closed: Any, args: Sequence[Any], name: str) -> CallInFlight | None:
        """The first call of a jaxpr, which may yet be that of a known entry."""
        known, new = self._book.look_up(closed, name)
        self._book.count(known)
        if not new and not known.placeholder:
            self._note_test(known)
            return None if known.seen is None else self._later_call(known, closed, args)
        trace = self._book.trace(closed)
        if new:
            self._announce(known, calls=1)
        else:
            known.placeholder = False
            self.journal.note(known.id, None)
        if self._left_out(known):
            return None
        placed = placement_notes(args)
        closed, args = ir.refs_as_operands(closed, args)
        flight = self._scripts.write_call(
            known, trace, closed, lambda: self._plain(closed, args), placed=placed
        )
        return replace(flight, written=_written(closed, args))

    @harmless
    def _later_call(self, known: KnownEntry, closed: Any, args: Sequence[Any]) -> CallInFlight | None:
        """A call of an entry of which further inputs are wanted: one more repro when these are new."""
        pure, operands = ir.refs_as_operands(closed, args)
        values = self._plain(pure, operands)
        number = self._book.further_input(known, digest_outputs(values), self.settings.max_inputs)
        if number is None:
            return None
        trace = self._book.trace(closed)
        flight = self._scripts.write_call(known, trace, pure, lambda: values, number, placement_notes(args))
        return replace(flight, written=_written(pure, operands))

    @harmless
    def compiled(self, token: CallInFlight | None) -> None:
        """XLA is done with an entry; it runs next."""
        if token is not None:
            token.write("dispatched")

    @harmless
    def executed(self, token: CallInFlight | None, outputs: Sequence[Any]) -> None:
        """Wait for the outputs of the first call of an entry and journal their digest."""
        if token is None or token.journal is not self.journal:
            return
        try:
            for value in outputs:
                if hasattr(value, "block_until_ready"):
                    value.block_until_ready()
            if token.log is not None:
                jax.effects_barrier()  # callbacks that no output waits for
        except Exception as error:  # the program will meet it where it uses the outputs
            token.write("raised", error=one_line(error))
            return
        finally:
            self._scripts.close(token)
        digest = digest_outputs([*outputs, *(ref[...] for ref in token.written)])
        token.write("completed", outputs_sha256=digest)
        self._scripts.complete(token, digest)

    @harmless
    def answered(self, callback: Any, args: Sequence[Any], results: Sequence[Any], **kind: bool) -> None:
        """A Python callback has returned."""
        self._scripts.answered(callback, args, results, **kind)

    @harmless
    def failed(self, token: CallInFlight | None, error: BaseException) -> None:
        """Compiling or running raised."""
        self._mark(error)
        if token is not None:
            self._scripts.close(token)
            token.write("raised", error=one_line(error))

    @guarded
    def asked(self, what: str, name: str) -> None:
        """The program asks jace for a pipeline or a rule; each is noted once."""
        if (what, name) not in self._asked:
            self._asked.add((what, name))
            self.journal.write("asked", what=what, name=name, place=user_line())

    @guarded
    def tracing(self, fun: Callable[..., Any]) -> None:
        """Leave a line on disk before the user's Python runs: it may not come back."""
        code = getattr(fun, "__code__", None)
        source = f"{shown_path(code.co_filename)}:{code.co_firstlineno}" if code else ""
        name = getattr(fun, "__name__", type(fun).__name__)
        self.journal.write("tracing", name=name, source=source, thread=threading.current_thread().name)

    @guarded
    def trace_ended(self, fun: Callable[..., Any]) -> None:
        """The user's Python came back."""
        self.journal.write("tracing-done", thread=threading.current_thread().name)

    @harmless
    def traced(
        self,
        params: Mapping[str, Any],
        fun: Callable[..., Any],
        info: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Keep what a jaxpr does not say of its call."""
        trace = self._book.trace(params["jaxpr"])
        trace.options = describe(fun, info, args, kwargs, params)
        trace.own = trace.own or (called_by_program() and not is_jitted_by_jax(fun))

    @harmless
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
        known, new = self._book.look_up_failure(failure)
        if self._book.count(known):
            self._report_calls(known)
        if new:
            self._announce_failure(known, failure)
            if not self._left_out(known):
                self._scripts.write_failure(known, failure)

    @harmless
    def precompiled(self, closed: Any, name: str) -> None:
        """Record an entry compiled ahead of time with zeros, until it is called with real inputs."""
        known, new = self._book.look_up(closed, name)
        if not new:
            return
        trace = self._book.trace(closed)
        known.placeholder = True
        self._announce(known, calls=0)
        if self._left_out(known):
            known.placeholder = False
            return
        closed, values = ir.refs_as_operands(closed, [None] * len(closed.in_avals))
        made = [
            zeros(a) if v is None else data_of(v, a) for v, a in zip(values, closed.in_avals, strict=True)
        ]
        flight = self._scripts.write_call(known, trace, closed, lambda: made)
        if flight.scripts:
            self.journal.note(known.id, "compiled ahead of time and not called: its inputs are zeros")

    @harmless
    def program_failed(self, error: BaseException) -> None:
        """The program is ending with an exception."""
        self.journal.write("exception", type=type_name(error), message=str(error))
        if isinstance(error, Exception):
            self.trace_failed(error, frames_of(error))

    def report_all(self) -> None:
        """Journal how often each entry has been called. Raises OSError."""
        self.journal.write("calls", counts=self._book.counts())
        self._book.close()

    # ------------------------------------------------------------------------------------- bookkeeping

    def _announce(self, known: KnownEntry, *, calls: int) -> None:
        """The first line about an entry."""
        self._write_traced(known, calls=calls)
        self._book.announced(known, calls)

    def _left_out(self, known: KnownEntry) -> bool:
        """Whether nobody wants a repro of an entry; noted in the journal."""
        if self._selection.takes(known.entry):
            return False
        self.journal.note(known.id, LEFT_OUT)
        return True

    def _announce_failure(self, known: KnownEntry, failure: TraceFailure) -> None:
        """The first line about an entry that died while being traced."""
        error = f"{failure.exception}: {failure.message}".partition("\n")[0]
        self._write_traced(known, calls=1, status="trace-error", error=error, failure=failure.summary())

    def _write_traced(self, known: KnownEntry, **fields: Any) -> None:
        known.test = _current_test()
        test = {} if known.test is None else {"test": known.test}
        self.journal.write("traced", id=known.id, **known.entry.event(), **test, **fields)

    @harmless
    def _report_calls(self, known: KnownEntry) -> None:
        """Journal how often an entry has been called."""
        self.journal.write("calls", counts={known.id: known.calls})

    def _note_test(self, known: KnownEntry) -> None:
        """Journal that a test calls an entry that it was not the first, nor the last, to call."""
        test = _current_test()
        if test is not None and test != known.test:
            known.test = test
            self._report_test(known, test)

    @harmless
    def _report_test(self, known: KnownEntry, test: str) -> None:
        self.journal.write("test", id=known.id, test=test)

    def _plain(self, closed: Any, args: Sequence[Any]) -> list[Any]:
        """The arguments of a call as data that stays as it is."""
        keep = self._scripts.kept
        return [data_of(a, aval, keep) for a, aval in zip(args, closed.in_avals, strict=True)]

    def _mark(self, error: BaseException) -> None:
        """Remember on the exception itself that it is journaled; keeping a reference would keep its frames."""
        # One that takes no attributes may be journaled twice.
        with contextlib.suppress(AttributeError, TypeError):
            error.__jace_repro_seen__ = (*getattr(error, _SEEN, ()), self._seen)  # type: ignore[attr-defined]

    def _marked(self, error: BaseException) -> bool:
        return self._seen in getattr(error, _SEEN, ())


def _written(closed: Any, args: Sequence[Any]) -> tuple[Any, ...]:
    """The mutable references among the arguments of a call that it may change."""
    return tuple(args[position] for position in ir.written_refs(closed))


_SEEN = "__jace_repro_seen__"
#: Set by pytest to "path::test (phase)".
_TEST = "PYTEST_CURRENT_TEST"


def _current_test() -> str | None:
    """The node id of the test that runs, or None."""
    return os.environ[_TEST].rpartition(" (")[0] if _TEST in os.environ else None


def _debugging_numbers() -> bool:
    """Whether JAX is asked to raise where a NaN or an infinity appears."""
    return any(getattr(jax.config, name, False) for name in ("jax_debug_nans", "jax_debug_infs"))
