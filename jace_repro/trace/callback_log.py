"""What Python callbacks answered while a recorded call ran.

A script cannot contain the callbacks of a program, but it can contain their answers. :class:`Log` belongs to one
recorded call: it keeps, for each callback of its jaxpr, of every invocation a key of the arguments and copies of the
results and, where another compiler may round them otherwise, of the arguments. :class:`Logs` are those under way. The
emitter writes them as tables (:class:`Table`).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp
import numpy as np

#: Bytes of results and arguments that one recorded call may keep; beyond them the log is incomplete.
LIMIT = 1 << 28


@dataclass(frozen=True)
class Table:
    """N invocations of a callback whose arguments and results have the same types.

    `keys`: uint64[N], of each one's arguments (:func:`arguments_key`); `results`: stacked, [N, ...] each;
    `arguments`: stacked likewise, where rounding may move one of them and the order of calls does not decide; else ().
    """

    keys: np.ndarray
    results: tuple[np.ndarray, ...]
    arguments: tuple[np.ndarray, ...] = ()


#: The key of the arguments of one invocation, its results, its arguments.
_Row = tuple[int, list[np.ndarray], list[np.ndarray]]


@dataclass
class _Calls:
    callback: Any
    ordered: bool
    rows: dict[str, list[_Row]] = field(default_factory=dict)
    seen: set[tuple[str, int]] = field(default_factory=set)


class Log:
    """The answers of the callbacks of one call."""

    def __init__(self) -> None:
        self._calls: list[_Calls] = []
        self._lock = threading.Lock()
        self._left = LIMIT

    @property
    def complete(self) -> bool:
        """Whether every answer was kept."""
        return self._left >= 0

    def note(
        self, callback: Any, args: Sequence[Any], results: Sequence[Any], *, pure: bool, ordered: bool
    ) -> None:
        """One invocation. `callback` is JAX's wrapper of the function, which knows the structure of its arguments."""
        values = [np.asarray(a) for a in args]
        key = arguments_key(values, types_only=ordered)
        moved = not ordered and any(jnp.issubdtype(value.dtype, jnp.inexact) for value in values)
        kind = ";".join(f"{v.dtype}{v.shape}" for v in (*values, *map(np.asarray, results)))
        with self._lock:
            if not self.complete:
                return
            calls = self._find(callback, ordered, _same_object)
            if calls is None:
                calls = _Calls(callback, ordered)
                self._calls.append(calls)
            if pure and (kind, key) in calls.seen:
                return
            calls.seen.add((kind, key))
            row = key, [np.array(r) for r in results], [np.array(v) for v in values] if moved else []
            calls.rows.setdefault(kind, []).append(row)
            self._left -= sum(array.nbytes for array in (*row[1], *row[2]))

    def tables(self, callback: Any, ordered: bool) -> list[Table] | None:
        """What a callback answered: nothing if it was not called; None when the log is incomplete.

        A function that was made anew when the program was traced again is known by its code.
        """
        if not self.complete:
            return None
        calls = self._find(callback, ordered, _same_object) or self._find(callback, ordered, _same_code)
        return [
            Table(
                np.array([key for key, _, _ in rows], np.uint64),
                *(
                    tuple(np.stack(column) for column in zip(*arrays, strict=True))
                    for arrays in ([results for _, results, _ in rows], [args for _, _, args in rows])
                ),
            )
            for rows in (calls.rows.values() if calls is not None else ())
        ]

    def _find(self, callback: Any, ordered: bool, same: Callable[[Any, Any], bool]) -> _Calls | None:
        return next((c for c in self._calls if c.ordered == ordered and same(c.callback, callback)), None)


def _same_object(first: Any, second: Any) -> bool:
    return first is second or bool(first == second)


def _same_code(first: Any, second: Any) -> bool:
    functions = first.callback_func, second.callback_func
    codes = [getattr(f, "__code__", None) for f in functions]
    return functions[0] is functions[1] or (codes[0] is not None and codes[0] is codes[1])


class Logs:
    """The logs of the calls under way; callbacks come from any thread."""

    def __init__(self) -> None:
        self._open: list[Log] = []
        self._lock = threading.Lock()

    def open(self) -> Log:
        """A log for a call that begins."""
        log = Log()
        with self._lock:
            self._open.append(log)
        return log

    def close(self, log: Log) -> None:
        """The call has ended."""
        with self._lock:
            if log in self._open:
                self._open.remove(log)

    def note(self, callback: Any, args: Sequence[Any], results: Sequence[Any], **kind: bool) -> None:
        """One invocation of a callback, whoever made it; see :meth:`Log.note`."""
        with self._lock:
            logs = list(self._open)
        for log in logs:
            log.note(callback, args, results, **kind)


def arguments_key(values: Sequence[Any], *, types_only: bool) -> int:
    """64 bits of a hash of types and bytes. The scripts compute the same (`answers` in emitter/core/prelude.py)."""
    digest = hashlib.sha256()
    for value in map(np.asarray, values):
        digest.update(f"{value.dtype}{value.shape}".encode() + (b"" if types_only else value.tobytes()))
    return int.from_bytes(digest.digest()[:8], "little")
