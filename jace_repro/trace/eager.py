"""Calls that a program makes outside of jit, of functions that take functions: ``jax.grad(f)(x)``, ``lax.scan``.

JAX answers such a call by programs that it derives from the user's functions and jits one by one; nobody wrote
those.  What its user wrote is the call, which is recorded as a trace is (:mod:`jace_repro.trace.builder`): arrays are
its values. The entries that JAX ran meanwhile get the script of the call for their call tree.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import jax
import numpy as np

from jace_repro.trace import builder, callsite, stack, steps
from jace_repro.trace.model import Body, Closure, Function, Traced, leaves, values
from jace_repro.trace.values import KnownValues

#: Calls of one kind that are recorded in vain, one after the other, before the next are not.
_PATIENCE = 3

_local = threading.local()
_vain: dict[Any, int] = {}
#: The calls that made the functions of no name that the program still has (the second result of jax.vjp), by their id.
_makers: dict[int, _Maker] = {}


@dataclass(frozen=True)
class _Maker:
    """A call that is over: what it took, by name and as arrays, and what its result is known as."""

    body: Body
    inputs: Mapping[Traced, Any]
    closure: Closure
    alive: weakref.ref[Any]


@dataclass(eq=False)
class EagerCall:
    """A call in flight.  ``waiting`` are told when it has returned; ``inputs`` and ``outputs`` are its arrays then.

    ``body`` is the call as that of a function of no name, whose parameters are those of the function called.
    """

    body: Body
    inputs: list[Any] = field(default_factory=list)
    outputs: list[Any] = field(default_factory=list)
    waiting: list[Callable[[EagerCall], None]] = field(default_factory=list)


def current() -> EagerCall | None:
    """The call of this thread that is being recorded."""
    return getattr(_local, "call", None)


def forget() -> None:
    """Begin anew: what was recorded in vain for one recording may be of use to the next."""
    _vain.clear()
    _makers.clear()


def has_made(value: Any) -> bool:
    """Whether a call that was recorded returned this object, or has it inside its result."""
    return id(value) in _makers


def recorded(
    take: builder.Take,
    original: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    parameters: tuple[str, ...],
    made: Any = None,
) -> Any:
    """``take(args, kwargs)``, which calls ``original`` as a step, as the last step of a function of its own.

    The steps before it are those that ``made`` an object that is called; else there are none.
    """
    given = jax.tree_util.tree_leaves((args, dict(kwargs)))
    arrays = [leaf for leaf in given if isinstance(leaf, jax.Array | np.ndarray)]
    key = _kind(original, arrays)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in given) or _vain.get(key, 0) >= _PATIENCE:
        return original(*args, **kwargs)
    function = Function("program", "", parameters, None)
    call = EagerCall(Body(function, (), {}, config=steps.options()))
    _local.call = call
    try:
        with stack.top_level(call.body) as known:
            maker = _makers.get(id(made))
            if maker is not None:
                known.adopt([made], [maker.closure])
                known.adopt(maker.inputs.values(), maker.inputs)
            with _remarking(call.body):
                known.adopt(arrays)
                call.body.args, call.body.kwargs = (
                    stack.data_or_itself(args),
                    stack.data_or_itself(dict(kwargs)),
                )
            if maker is not None:
                _begin_with(maker.body, call.body)
            result = take(args, kwargs)
            with _remarking(call.body):
                _finish(call, known, result)
    finally:
        _local.call = None
    _vain[key] = 0 if call.waiting else _vain.get(key, 0) + 1
    for tell in call.waiting:
        tell(call)
    return result


@contextlib.contextmanager
def _remarking(body: Body) -> Iterator[None]:
    """Within it nothing that the tracker cannot do reaches the program: the body says so, and has no script."""
    try:
        yield
    except Exception as error:
        steps.remark(body, error)


def _begin_with(made: Body, body: Body) -> None:
    """Have a body do what another did, before it does anything of its own."""
    count = len(made.args)
    names = (*made.function.parameters, *(f"made_{i}" for i in range(count)))[:count]
    body.function = replace(body.function, parameters=(*names, *body.function.parameters))
    body.args, body.kwargs = (*made.args, *body.args), {**made.kwargs, **body.kwargs}
    body.steps = list(made.steps)


def _finish(call: EagerCall, known: KnownValues, result: Any) -> None:
    """What the call took and gave; of a result that is no data only the values in it."""
    body = call.body
    body.args = tuple(a if values(a) else None for a in body.args)
    body.result = stack.data_or_itself(result)
    if not all(isinstance(leaf, Traced) for leaf in leaves(body.result)):
        body.result = tuple(t for t in values(body.result) if isinstance(t, Traced))
    arrays = known.values()
    operands = dict.fromkeys(values((body.args, dict(body.kwargs))))
    call.inputs = [arrays[t.id] for t in operands]
    call.outputs = [arrays[leaf.id] for leaf in leaves(body.result)]
    inputs = {t: arrays[t.id] for t in operands if isinstance(t, Traced)}
    for value, closure in known.closures():
        with contextlib.suppress(TypeError):  # what cannot be referred to weakly would never be let go
            alive = weakref.ref(value, functools.partial(_gone, id(value)))
            _makers[id(value)] = _Maker(body, inputs, closure, alive)


def _gone(key: int, _: Any) -> None:
    _makers.pop(key, None)


def _kind(original: Callable[..., Any], arrays: list[Any]) -> Any:
    """Calls from one place of one function, of arrays of the same types."""
    frame = callsite.user_frame()
    place = (id(frame.f_code), frame.f_lasti) if frame is not None else None
    function = inspect.unwrap(original)
    code = getattr(function, "__code__", None)
    return place, id(code), tuple((a.shape, str(a.dtype)) for a in arrays)
