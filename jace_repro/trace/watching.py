"""What JAX is while something is traced, and only then.

Between traces a program has JAX as it is: errors have their usual tracebacks, and eager operations their usual speed.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from jace_repro.trace import custom_primitives
from jace_repro.trace.changes import Change, Changes
from jace_repro.trace.redirect import Redirect

_lock = threading.Lock()
_open = 0  # top-level traces, in all threads
_wanted: Changes | None = None  # what is only there while one is open; None while nothing is recorded
_made: Changes | None = None  # what the open ones found: the recording may end before they do
_signed: Sequence[
    Redirect
] = ()  # functions that say their signature, until neither recording nor trace is left


def start(redirects: Sequence[Redirect], patches: Callable[[], Iterable[Change]]) -> None:
    """Whatever is traced from now on finds these functions redirected, and JAX patched."""
    global _wanted, _signed
    with _lock:
        if _open and _made is not None:
            _wanted = _made  # JAX is not as it is: a trace of an earlier recording goes on
        else:
            _wanted = Changes([*(r.code for r in redirects if not r.always), *patches()])
        _signed = redirects
        for redirect in redirects:
            redirect.sign()


def stop() -> None:
    """What is traced from now on finds JAX as it is."""
    global _wanted
    with _lock:
        _wanted = None
        if not _open:
            _unsign()


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """Within it something is recorded in this thread."""
    global _open, _made
    with _lock:
        _open += 1
        if _open == 1:
            _made = _wanted
            if _made is not None:
                custom_primitives.watch()
                _made.make()
    try:
        yield
    finally:
        with _lock:
            _open -= 1
            if _open == 0 and _made is not None:
                _made.take_back()
                if _wanted is None:
                    _unsign()


def _unsign() -> None:
    for redirect in _signed:
        redirect.unsign()
