"""Who runs in each thread: the border between user code and JAX, and what the open trace knows.

The border is a stack: a :class:`Body` on top means that a user function runs and what it calls is a step; None means
that JAX runs, and that what it calls is its own affair.  Nothing is recorded while no top-level trace is open.  Traced
values are known by identity while the trace lasts, and are let go when it ends.
"""

from __future__ import annotations

import contextlib
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jace_repro.trace.model import Body, Closure
from jace_repro.trace.values import KnownValues, describe

_local = threading.local()


class _Stack(list["Body | None"]):
    """Who is running, innermost last."""

    known: KnownValues


@contextlib.contextmanager
def top_level(body: Body | None = None) -> Iterator[KnownValues]:
    """Within it a top-level function is traced: JAX runs, until it calls the function.

    ``body``: nothing is traced, and this is the function that runs.
    """
    before = getattr(_local, "stack", None)
    stack = _Stack([body])
    stack.known = KnownValues(eager=body is not None)
    _local.stack = stack
    try:
        yield stack.known
    finally:
        _local.stack = before


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Within it nothing is recorded: the tracker itself uses JAX."""
    before, silent_before = getattr(_local, "stack", None), is_silent()
    _local.stack, _local.silent = None, True
    try:
        yield
    finally:
        _local.stack, _local.silent = before, silent_before


def is_silent() -> bool:
    """Whether this thread is inside :func:`silent`."""
    return getattr(_local, "silent", False)


def user_body() -> Body | None:
    """The body of the user function that runs in this thread; None when JAX runs or nothing is traced."""
    stack: _Stack | None = getattr(_local, "stack", None)
    return stack[-1] if stack else None


def is_open() -> bool:
    """Whether a trace is open in this thread."""
    return bool(getattr(_local, "stack", None))


def no_user_runs() -> bool:
    """Whether this thread has no trace open, or JAX runs in it."""
    stack: _Stack | None = getattr(_local, "stack", None)
    return not stack or stack[-1] is None


def jax_traces() -> bool:
    """Whether this thread has a trace open and JAX runs in it."""
    stack: _Stack | None = getattr(_local, "stack", None)
    return stack[-1] is None if stack else False


def jax_runs(call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """What a function of JAX's gives, called by the running user function."""
    stack: _Stack = _local.stack
    depth = len(stack)
    stack.append(None)
    try:
        return call(*args, **kwargs)
    finally:
        del stack[depth:]


def aside(original: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a function of JAX's gives, whoever calls it: what happens in there is no part of the program."""
    if user_body() is None:
        return original(*args, **kwargs)
    return jax_runs(original, *args, **kwargs)


def user_runs(body: Body, fun: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a function of the user's gives, called by JAX: what it does becomes steps of ``body``."""
    stack: _Stack = _local.stack
    depth = len(stack)
    stack.append(body)
    try:
        return fun(*args, **kwargs)
    finally:
        del stack[depth:]


#: The code of the frame that calls a user function: above it a body's frames end.
USER_RUNS: types.CodeType = user_runs.__code__


# ------------------------------------------------------------------------------------------- values


def known_values() -> KnownValues | None:
    """Those of the open trace; None when none is open."""
    return _local.stack.known if is_open() else None


def data_of(value: Any, closures: bool = False) -> Any:
    """A value as data, as the open trace knows it (see :func:`~jace_repro.trace.values.describe`)."""
    return describe(known_values(), value, closures)


def data_or_itself(value: Any) -> Any:
    """A value as data; itself where it cannot be described."""
    try:
        return data_of(value)
    except Exception:  # it is compared with what a body has, by identity then
        return value


def new_closure(value: Any) -> Closure:
    """A new closure of the open trace, which is this object."""
    known = known_values()
    assert known is not None
    return known.closure(value)


def same_closure(value: Any, other: Any) -> None:
    """``other`` is how JAX will know the closure ``value`` when it is called."""
    closure, known = closure_of(value), known_values()
    if closure is not None and known is not None:
        known.adopt([other], [closure])


def closure_of(value: Any) -> Closure | None:
    """The Closure that a step returned as this object."""
    known = known_values()
    found = known.names.get(id(value)) if known is not None else None
    return found if isinstance(found, Closure) else None
