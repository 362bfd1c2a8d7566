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
from typing import Any

from jace_repro.tracker.call_options import CallOptions
from jace_repro.tracker.lastcall import LastCall
from jace_repro.tracker.origin import Origin


@dataclass(eq=False)
class KnownEntry:
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
        """The entry of a jaxpr, and whether it was not known before."""
        trace = self.trace(closed)
        if trace.known is not None:
            return trace.known, False
        from jace.ir import fingerprint
        from jace_repro.trace.callbacks import callbacks_digest

        key = fingerprint(closed), callbacks_digest(closed)
        with self._lock:
            entry = self._programs.get(key)
            new = entry is None
            if entry is None:
                entry = self._programs[key] = KnownEntry(next(self._ids), name, *key)
            trace.known = entry
        return entry, new

    def look_up_failure(self, key: str, name: str) -> tuple[KnownEntry, bool]:
        """The entry of a trace that failed, and whether none has failed like that before."""
        with self._lock:
            entry = self._failures.get(key)
            new = entry is None
            if entry is None:
                entry = self._failures[key] = KnownEntry(next(self._ids), name, "")
        return entry, new

    def count(self, entry: KnownEntry) -> bool:
        """Count a call.  True at every power of two: reported then, little is lost by a kill."""
        with self._lock:
            entry.calls += 1
            self._last.note(entry.number, entry.calls)
            return entry.calls > 1 and entry.calls & (entry.calls - 1) == 0

    def further_input(self, entry: KnownEntry, digest: str, most: int) -> int | None:
        """The number of the inputs with that digest among the `most` that are kept; None when they are not wanted."""
        with self._lock:
            if entry.seen is None or digest in entry.seen:
                return None
            entry.seen.add(digest)
            entry.inputs += 1
            number = entry.inputs
            if number >= most:
                entry.seen = None
        return number

    def announced(self, entry: KnownEntry, calls: int) -> None:
        """An entry is in the journal, in a directory that exists: from now on the last call is noted."""
        with contextlib.suppress(OSError):  # no room: the repro may fit, and the journal says if it does not
            self._last.open()
        self._last.note(entry.number, calls)

    def counts(self) -> dict[str, int]:
        """How often each entry has been called."""
        with self._lock:
            return {entry.id: entry.calls for entry in (*self._programs.values(), *self._failures.values())}

    def close(self) -> None:
        """The process comes to a clean end. Raises OSError."""
        self._last.remove()
