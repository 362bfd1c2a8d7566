"""What the tracker itself cannot do goes to the journal, and never reaches the program."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from jace_repro.tracker import hooks
from jace_repro.tracker.journal import Journal

T = TypeVar("T")


class Problems:
    """The things that could not be recorded, each journaled once; thread-safe."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._said: set[str] = set()
        self._lock = threading.RLock()  # reentrant: a signal handler may give JAX something at any time

    def report(self, reason: str) -> None:
        """Journal it; never raises."""
        with self._lock:
            if reason in self._said:
                return
            self._said.add(reason)
        try:
            self._journal.write("tracker-error", reason=reason)
        except Exception as error:
            if _UNWRITABLE not in self._said:
                self._said.add(_UNWRITABLE)
                print(f"jace-repro: {_UNWRITABLE}: {error}", file=sys.stderr)


_UNWRITABLE = "the tracker cannot write its journal"


class Reporting(Protocol):
    """What has methods that are guarded."""

    problems: Problems


def guarded(method: Callable[..., T]) -> Callable[..., T | None]:
    """A method that never breaks the program: its failures go to the journal, it returns None."""

    @functools.wraps(method)
    def call(self: Reporting, *args: Any, **kwargs: Any) -> T | None:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self.problems.report(f"{method.__name__}: {one_line(error)}")
            return None

    return call


def harmless(method: Callable[..., T]) -> Callable[..., T | None]:
    """A guarded method that may use JAX: what it does there is the tracker's own."""
    safe = guarded(method)

    @functools.wraps(method)
    def call(self: Reporting, *args: Any, **kwargs: Any) -> T | None:
        with hooks.suspended():
            return safe(self, *args, **kwargs)

    return call


def one_line(error: BaseException) -> str:
    """Type and first line of an exception."""
    return f"{type(error).__name__}: {error}".strip().partition("\n")[0][:500]
