"""The entries of a recording that are known so far, and what is known of each jaxpr that JAX has traced.

Here entries are told apart and their calls counted; thread-safe.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from jace_repro.repro.entry import CallOptions, Entry
from jace_repro.trace.failure import TraceFailure
from jace_repro.tracker.lastcall import LastCall
from jace_repro.tracker.origin import entry_of, entry_of_failure

K = TypeVar("K")


@dataclass(eq=False)
class KnownEntry:
    """An entry while it is recorded, as its first call was, and how far that has come."""

    number: int
    entry: Entry
    calls: int = 0
    #: Recorded from its shapes alone (compiled ahead of time, not called yet), or interrupted while it was recorded.
    placeholder: bool = False
    #: Digests of the inputs recorded so far; None when no more are wanted.
    seen: set[str] | None = None
    inputs: int = 1
    test: str | None = None

    @property
    def id(self) -> str:
        """As in the journal."""
        return f"e{self.number:04d}"


@dataclass(eq=False)
class TraceInfo:
    """What is known of one traced jaxpr beside itself.

    `own`: traced for a jitted function that the program made and called, maybe of functions of JAX only. `known` is
    its entry, once it was called or compiled.
    """

    options: CallOptions = field(default_factory=CallOptions)
    own: bool = False
    known: KnownEntry | None = None


class EntryBook:
    """The known entries of one process's part of a recording."""

    def __init__(self, directory: Path) -> None:
        self._ids = itertools.count(1)
        self._lock = threading.RLock()  # reentrant: a signal handler may give JAX something at any time
        self._last = LastCall(directory)
        self._programs: dict[tuple[str, str], KnownEntry] = {}
        self._failures: dict[str, KnownEntry] = {}
        self._traces: weakref.WeakKeyDictionary[Any, TraceInfo] = weakref.WeakKeyDictionary()

    def trace(self, closed: Any) -> TraceInfo:
        """What is known of a jaxpr, to be added to."""
        return self._traces.setdefault(closed, TraceInfo())

    def known(self, closed: Any) -> KnownEntry | None:
        """The entry of a jaxpr that was looked up before: what a later call costs."""
        trace = self._traces.get(closed)
        return None if trace is None else trace.known

    def look_up(self, closed: Any, name: str) -> tuple[KnownEntry, bool]:
        """The entry of a jaxpr that is called as `name`, and whether it was not known before."""
        trace = self.trace(closed)
        if trace.known is not None:
            return trace.known, False
        from jace.ir import fingerprint
        from jace_repro.trace.callbacks import callbacks_digest

        key = fingerprint(closed), callbacks_digest(closed)
        known, new = self._programs.get(key), False
        if known is None:
            entry = entry_of(closed, name, fingerprint=key[0], callbacks=key[1], own=trace.own)
            known, new = self._enter(self._programs, key, entry)
        trace.known = known
        return known, new

    def look_up_failure(self, failure: TraceFailure) -> tuple[KnownEntry, bool]:
        """The entry of a trace that failed, and whether none has failed like that before."""
        key = f"{failure.exception} {failure.source} {failure.message}"
        known = self._failures.get(key)
        if known is not None:
            return known, False
        return self._enter(self._failures, key, entry_of_failure(failure))

    def _enter(self, table: dict[K, KnownEntry], key: K, entry: Entry) -> tuple[KnownEntry, bool]:
        """Make an entry known, unless another thread was quicker; whether it was not."""
        with self._lock:
            new = key not in table
            if new:
                table[key] = KnownEntry(next(self._ids), entry)
            return table[key], new

    def count(self, known: KnownEntry) -> bool:
        """Count a call.  True at every power of two: reported then, little is lost by a kill."""
        with self._lock:
            known.calls += 1
            self._last.note(known.number, known.calls)
            return known.calls > 1 and known.calls & (known.calls - 1) == 0

    def further_input(self, known: KnownEntry, digest: str, most: int) -> int | None:
        """The number of the inputs with that digest among the `most` that are kept; None when they are not wanted."""
        with self._lock:
            if known.seen is None or digest in known.seen:
                return None
            known.seen.add(digest)
            known.inputs += 1
            number = known.inputs
            if number >= most:
                known.seen = None
        return number

    def announced(self, known: KnownEntry, calls: int) -> None:
        """An entry is in the journal, in a directory that exists: from now on the last call is noted."""
        with contextlib.suppress(OSError):  # no room: the repro may fit, and the journal says if it does not
            self._last.open()
        self._last.note(known.number, calls)

    def counts(self) -> dict[str, int]:
        """How often each entry has been called."""
        with self._lock:
            return {known.id: known.calls for known in (*self._programs.values(), *self._failures.values())}

    def close(self) -> None:
        """The process comes to a clean end. Raises OSError."""
        self._last.remove()
