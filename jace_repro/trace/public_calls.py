"""What becomes of a call of a public function, and of what it returned: a step, recorded for itself, or nothing.

Functions that take functions are watched all the time, the rest only while something is traced.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import jax

from jace_repro.trace import builder, eager, stack
from jace_repro.trace.changes import Change, change
from jace_repro.trace.frames import called_by_program
from jace_repro.trace.function_arguments import PLACES
from jace_repro.trace.inspect import trace_state_clean
from jace_repro.trace.model import Called, Method, Public
from jace_repro.trace.public_api import public_objects, signature
from jace_repro.trace.redirect import Redirect, Target, redirect
from jace_repro.trace.watching import watching

NEEDED = (
    ("jax._src.api", "VJP.__call__"),
    ("jax._src.api", "_lift_linearized"),
    ("jax._src.tree_util", "tree_map"),
    ("jax._src.numpy.array_methods", "_array_operators"),
    ("jax._src.numpy.array_methods", "_array_methods"),
    ("jax._src.numpy.array_methods", "_array_properties"),
    ("jax._src.numpy.array_methods", "_IndexUpdateRef"),
)

_WRAPPERS = (
    *("checkpoint", "remat", "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacrev", "linear_transpose"),
    *("named_call", "value_and_grad", "vmap", "numpy.vectorize", "numpy.frompyfunc"),
    "experimental.checkify.checkify",
)
#: Of the functions that take functions, those that answer one; the others call theirs.
_MAKERS = frozenset(f"jax.{name}" for name in _WRAPPERS)
#: Those that make steps besides; the others configure, inspect or only wrap.
_OTHER_STEPS = frozenset({"jax.device_put"})
#: They trace a user function for themselves: what happens in there is no part of the program.
_SILENT = frozenset({"jax.eval_shape", "jax.make_jaxpr", "jax.closure_convert"})
#: Their equations are recorded, for they hold a function that is never traced.
_TRANSPARENT = frozenset(
    ("jax.pure_callback", "jax.debug.callback", "jax.debug.breakpoint", "jax.lax.platform_dependent")
)


@functools.cache
def redirects() -> tuple[Redirect, ...]:
    """Made once: code that has run is faster, and a recording may begin while the last one's trace goes on."""
    return tuple(redirect(fun, target, always=always) for fun, target, always in _targets())


def _targets() -> Iterator[tuple[types.FunctionType, Target, bool]]:
    """(function, where its calls go, whether outside of traces, too)."""
    from jax._src import api, tree_util
    from jax._src.numpy import array_methods as methods

    seen: set[int] = set()
    for public in public_objects().values():
        name, fun = public.name, public.value
        module = name.rpartition(".")[0]
        if not isinstance(fun, types.FunctionType) or module == "jax.tree" or name in _TRANSPARENT:
            continue
        if module == "jax" and name not in _OTHER_STEPS | _SILENT and name not in PLACES:
            continue
        seen.add(id(fun))
        always = name in PLACES
        target = functools.partial(_takes_functions if always else _public, Public(name))
        yield fun, stack.aside if name in _SILENT else target, always
    arrays = [(f"__{name}__", fun) for name, fun in methods._array_operators.items()]
    arrays += list(methods._array_methods.items())
    arrays += [(f".{name}", fun) for name, fun in methods._array_properties.items()]
    for name, fun in arrays:
        if isinstance(fun, types.FunctionType) and id(fun) not in seen:
            seen.add(id(fun))
            yield fun, functools.partial(builder.take, Method(name)), False
    for name, fun in vars(methods._IndexUpdateRef).items():
        if isinstance(fun, types.FunctionType) and not name.startswith("_"):
            yield fun, functools.partial(_update, Method(f"at.{name}")), False
    yield api._lift_linearized, _linearized, True
    yield tree_util.tree_map, _tree_map, False


def _public(operation: Public, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    args, kwargs = builder.watched_arguments(operation.name, args, kwargs)
    result = builder.take(operation, original, args, kwargs)
    if operation.name == "jax.linearize":
        for part in result:
            if isinstance(part, jax.tree_util.Partial):
                stack.same_closure(part, part.func.args[0])
    return result


def _takes_functions(operation: Public, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    take = functools.partial(_public, operation, original)
    if stack.is_open():  # and a user function runs
        return take(args, kwargs)
    if operation.name not in _MAKERS:
        return _outside(take, original, args, kwargs, tuple(signature(operation.name)))
    args, kwargs = builder.watched_arguments(operation.name, args, kwargs)
    return builder.made(operation, args, kwargs, original(*args, **kwargs), _outside)


def _outside(
    take: builder.Take,
    original: Callable[..., Any],
    args: Any,
    kwargs: Any,
    parameters: tuple[str, ...],
    made: Any = None,
) -> Any:
    """A call of the program's own while nothing is traced, as one that is recorded for itself.

    `made`: the object that is called, where an earlier such call returned it.
    """
    if stack.is_silent() or not trace_state_clean() or not called_by_program():
        return original(*args, **kwargs)
    with watching():
        return eager.recorded(take, original, args, kwargs, parameters, made)


def _update(operation: Method, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    ref = args[0]
    return builder.take(operation, original, args, kwargs, shown=(ref.array, ref.index, *args[1:]))


def _linearized(original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    count = original.__code__.co_argcount  # what JAX has bound already, before *tangents
    return _closure_called(args[0], functools.partial(original, *args[:count]), args[count:], kwargs)


def pullbacks() -> Change:
    """Calls of what jax.vjp returned."""
    from jax._src import api

    call = api.VJP.__call__

    @functools.wraps(call)
    def hooked(self: Any, *args: Any) -> Any:
        if stack.jax_traces():
            return call(self, *args)
        return _closure_called(self, functools.partial(call, self), args, {})

    return change(api.VJP, "__call__", hooked)


def _closure_called(made: Any, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """A call of what a step returned, under a trace or outside of any; `made` is the object it is known by."""

    def take(args: Any, kwargs: Any) -> Any:
        closure = stack.closure_of(made)
        assert closure is not None
        return builder.take(Called(closure), original, args, kwargs)

    if stack.closure_of(made) is not None:
        return take(args, kwargs)
    if stack.is_open() or not eager.has_made(made):
        return original(*args, **kwargs)
    return _outside(take, original, args, kwargs, (), made)


def _tree_map(original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    if len(args) < 2 or not callable(args[0]):
        return original(*args, **kwargs)
    return builder.take_map(original, args[0], args[1:], kwargs)
