"""What Python callbacks answered while a recorded call ran.

A script cannot contain the callbacks of a program, but it can contain their answers. :class:`Log` belongs to one
recorded call: it keeps, for each callback of its jaxpr, a key of the arguments and a copy of the results of every
invocation. :class:`Logs` are those under way. The emitter writes them as tables (:class:`Table`).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jace import ir

#: Primitives whose Python function returns values that the program uses, and where its answers are noted.
PRIMITIVES = frozenset({"pure_callback", "io_callback"})

#: Bytes of results that one recorded call may keep; beyond them the log is incomplete.
LIMIT = 1 << 28


@dataclass(frozen=True)
class Table:
    """Invocations whose arguments and results have the same types: a key of each one's arguments, and results
    stacked over the invocations."""

    keys: np.ndarray
    results: tuple[np.ndarray, ...]


@dataclass
class _Calls:
    callback: Any
    ordered: bool
    pure: bool
    rows: dict[str, list[tuple[int, list[np.ndarray]]]] = field(default_factory=dict)
    seen: set[tuple[str, int]] = field(default_factory=set)


class Log:
    """The answers of the callbacks of one call."""

    def __init__(self, callbacks: Iterable[tuple[Any, bool, bool]]) -> None:
        self._calls = [_Calls(*found) for found in callbacks]
        self._lock = threading.Lock()
        self._left = LIMIT

    @property
    def complete(self) -> bool:
        """Whether every answer was kept."""
        return self._left >= 0

    def note(self, callback: Any, args: Sequence[Any], results: Sequence[Any]) -> None:
        """One invocation, if `callback` is one of this call's."""
        calls = self._find(callback)
        if calls is None or not self.complete:
            return
        values = [np.asarray(a) for a in args]
        key = arguments_key(values, types_only=calls.ordered)
        kind = ";".join(f"{v.dtype}{v.shape}" for v in (*values, *map(np.asarray, results)))
        with self._lock:
            if calls.pure and (kind, key) in calls.seen:
                return
            calls.seen.add((kind, key))
            calls.rows.setdefault(kind, []).append((key, [np.array(r) for r in results]))
            self._left -= sum(np.asarray(r).nbytes for r in results)

    def tables(self, callback: Any) -> list[Table] | None:
        """What is known of a callback; None when it is not one of this call's, or the log is incomplete."""
        calls = self._find(callback)
        if calls is None or not self.complete:
            return None
        return [
            Table(
                np.array([key for key, _ in rows], np.uint64),
                tuple(np.stack(column) for column in zip(*(results for _, results in rows), strict=True)),
            )
            for rows in calls.rows.values()
        ]

    def _find(self, callback: Any) -> _Calls | None:
        return next((c for c in self._calls if c.callback is callback or c.callback == callback), None)


class Logs:
    """The logs of the calls under way; callbacks come from any thread."""

    def __init__(self) -> None:
        self._open: list[Log] = []
        self._lock = threading.Lock()

    def open(self, closed: Any) -> Log | None:
        """A log for a call of `closed` that begins; None when it has no callback that answers anything."""
        found = list(callbacks(closed))
        if not found:
            return None
        log = Log(found)
        with self._lock:
            self._open.append(log)
        return log

    def close(self, log: Log | None) -> None:
        """The call has ended."""
        with self._lock:
            if log in self._open:
                self._open.remove(log)

    def note(self, callback: Any, args: Sequence[Any], results: Sequence[Any]) -> None:
        """One invocation of a callback, whoever made it."""
        with self._lock:
            logs = list(self._open)
        for log in logs:
            log.note(callback, args, results)


def callbacks(closed: Any) -> Iterator[tuple[Any, bool, bool]]:
    """(callback, whether its calls are ordered, whether it is pure) of each callback that answers something."""
    for _, eqn in ir.walk(closed):
        if eqn.primitive.name in PRIMITIVES:
            pure = eqn.primitive.name == "pure_callback"
            yield eqn.params["callback"], bool(eqn.params.get("ordered")), pure


def arguments_key(values: Sequence[Any], *, types_only: bool) -> int:
    """64 bits of a hash of types and bytes. The scripts compute the same (`answers` in emitter/script.py)."""
    digest = hashlib.sha256()
    for value in map(np.asarray, values):
        digest.update(f"{value.dtype}{value.shape}".encode() + (b"" if types_only else value.tobytes()))
    return int.from_bytes(digest.digest()[:8], "little")
