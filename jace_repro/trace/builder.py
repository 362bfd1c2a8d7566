"""Records the call tree of every trace (:mod:`jace_repro.trace.model`): calls of JAX, and functions it calls back.

A call that the running user function makes of JAX is a step (:func:`take`); a function that it hands to JAX is watched
(:func:`watched`) and has a body for each time that JAX calls it; what JAX answers that can be called is watched for
being called in turn.  Who runs is known to :mod:`jace_repro.trace.stack`, what is noted of a step to
:mod:`jace_repro.trace.steps`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import jax

from jace_repro.trace import stack, steps
from jace_repro.trace.frames import is_jax_file
from jace_repro.trace.function_arguments import replace_functions
from jace_repro.trace.model import Applied, Body, Called, Function, Mapped, Operation, Public, Step
from jace_repro.trace.public_api import public_name
from jace_repro.trace.values import watched_function

Take = Callable[[tuple[Any, ...], dict[str, Any]], Any]  # a call as a step
#: (take, original, args, kwargs, names of its parameters): a call while no trace is open.
Outside = Callable[[Take, Callable[..., Any], tuple[Any, ...], dict[str, Any], tuple[str, ...]], Any]

#: So many runs of a function are kept: a loop in Python may run one a thousand times.
_KEPT = 64


# -------------------------------------------------------------------------------------- calls of JAX's


def take(
    operation: Operation,
    original: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    shown: tuple[Any, ...] | None = None,
) -> Any:
    """Call ``original`` as a step of the running user function; just call it when none runs.

    ``shown`` are the arguments of the step, when they are not those of the call.
    """
    body = stack.user_body()
    if body is None:
        return original(*args, **kwargs)
    step = steps.begin(body, operation, args if shown is None else shown, kwargs)
    return _ended(body, step, stack.jax_runs(original, *args, **kwargs))


def take_map(
    original: Callable[..., Any], fun: Callable[..., Any], trees: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call ``jax.tree.map``, which is ``original``, as a step of the running user function."""
    body = stack.user_body()
    assert body is not None
    function, runs = _function(fun), list[Body]()

    def call(*leaves: Any) -> Any:
        run, given = _begun(function, leaves, {})
        result = stack.user_runs(run, fun, given, {})
        runs.append(_finished(run, result))
        return result

    step = steps.begin(body, Mapped(function, ()), trees, {})
    result = stack.jax_runs(original, call, *trees, **kwargs)
    if step is not None:
        step.operation = Mapped(function, tuple(runs))
        steps.end(body, step, result)
    return result


def _ended(body: Body, step: Step | None, result: Any) -> Any:
    """The result of a step; in the place of a function, or of a Partial, one that is watched for being called."""
    if step is None:
        return result
    try:
        if type(result) is types.FunctionType:
            return returned(result, step)
        if isinstance(result, jax.tree_util.Partial) and type(step.operation) is Public:
            return jax.tree_util.Partial(returned(result, step))
    except Exception as error:
        steps.remark(body, error)
    else:
        steps.end(body, step, result)
    return result


# ------------------------------------------------------------------------------------ user functions


def watched(fun: Callable[..., Any]) -> Callable[..., Any]:
    """``fun``, recording a body whenever JAX calls it under a trace; the same object for the same function."""
    known = getattr(fun, "__jace_repro__", None)
    if known is not None and known.__wrapped__ is fun:
        return known
    if watched_function(fun) is not None:
        return fun

    function = _function(fun)

    def call(*args: Any, **kwargs: Any) -> Any:
        if not stack.jax_traces():
            return fun(*args, **kwargs)
        body, args = _begun(function, args, kwargs)
        result = stack.user_runs(body, fun, args, kwargs)
        function.bodies = [*function.bodies[1 - _KEPT :], _finished(body, result)]
        return result

    # not its __dict__: what others keep there is not for two functions
    for name in functools.WRAPPER_ASSIGNMENTS:
        with contextlib.suppress(AttributeError, TypeError):  # an object may have anything under these names
            setattr(call, name, getattr(fun, name))
    call.__wrapped__ = fun  # type: ignore[attr-defined]
    call.__jace_repro_function__ = function  # type: ignore[attr-defined]
    function.watcher = call
    if isinstance(fun, types.FunctionType):
        fun.__jace_repro__ = call  # type: ignore[attr-defined]
        _marked.add(fun)
    return call


_marked: weakref.WeakSet[types.FunctionType] = weakref.WeakSet()


def forget() -> None:
    """Take off the user's functions what :func:`watched` put there."""
    for fun in list(_marked):
        vars(fun).pop("__jace_repro__", None)
    _marked.clear()


def run(function: Function, fun: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Body]:
    """(result, body) of a function that JAX has called; the body is not kept among those of the function."""
    body, given = _begun(function, args, {})
    result = stack.user_runs(body, fun, given, {})
    return result, _finished(body, result)


def function_of(fun: Callable[..., Any]) -> Function:
    """The Function of a user function, watched or not."""
    call: Any = watched(fun)
    function: Function = call.__jace_repro_function__
    return function


def _begun(
    function: Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Body, tuple[Any, ...]]:
    """The body of a run that begins, and the arguments that the user's function gets."""
    body = Body(function, (), {}, config=steps.options())
    try:
        args = tuple(_callable_argument(a) for a in args)
        body.args, body.kwargs = stack.data_of(args), stack.data_of(kwargs)
    except Exception as error:
        steps.remark(body, error)
    return body, args


def _finished(body: Body, result: Any) -> Body:
    """The body of a run that gave this result."""
    try:
        body.result = stack.data_of(result)
    except Exception as error:
        steps.remark(body, error)
    return body


def _function(fun: Any) -> Function:
    inner = fun
    bound = 0
    for _ in range(16):
        if isinstance(inner, functools.partial):
            bound += len(inner.args)
            inner = inner.func
        elif isinstance(inner, types.MethodType):
            bound += 1
            inner = inner.__func__
        elif hasattr(inner, "__wrapped__"):
            inner = inner.__wrapped__
        else:
            break
    names = (getattr(f, "__name__", None) for f in (fun, inner))
    name = next((n for n in names if isinstance(n, str)), type(fun).__name__)
    code = getattr(inner, "__code__", None)
    if code is None:
        return Function(name, "", (), fun)
    source = f"{code.co_filename}:{code.co_firstlineno}"
    return Function(name, source, code.co_varnames[bound : code.co_argcount], fun)


def watched_arguments(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a public function with the user's functions among them replaced by watched ones."""
    return replace_functions(name, args, kwargs, watched)


# ------------------------------------------------------------------------------ callables that JAX made


def is_made_by_jax(fun: Callable[..., Any]) -> bool:
    """Whether the code of a function stands in JAX."""
    return is_jax_file(_file_of(fun))


def _callable_argument(value: Any) -> Any:
    """An argument that JAX gives a user function: a function that JAX made is watched for being called."""
    if isinstance(value, jax.tree_util.Partial):
        return jax.tree_util.Partial(_known(value)) if is_jax_file(_file_of(value.func)) else value
    made_by_jax = type(value) is types.FunctionType and is_jax_file(_file_of(value))
    return _known(value) if made_by_jax and watched_function(value) is None else value


def _file_of(fun: Any) -> str:
    while isinstance(fun, functools.partial):
        fun = fun.func
    code = getattr(inspect.unwrap(fun), "__code__", None)
    return code.co_filename if code is not None else ""


def _known(value: Any) -> Callable[..., Any]:
    """A function in the place of a closure, recording a step when it is called."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return take(Called(closure), value, args, kwargs)

    closure = stack.new_closure(call)
    return call


def made(
    operation: Operation,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    result: Any,
    outside: Outside,
) -> Any:
    """What a transform returned while nothing is traced, watched for being called (see :func:`returned`)."""
    if type(result) is not types.FunctionType:
        return result
    try:
        step = Step(operation, stack.data_of(args), stack.data_of(dict(kwargs)))
        return returned(result, step, outside)
    except Exception:  # something in the arguments is no data: the function stays what it is
        return result


def returned(result: Callable[..., Any], step: Step, outside: Outside | None = None) -> Callable[..., Any]:
    """What a transform returned, recording a step when a user function calls it under a trace.

    ``outside`` is asked when no trace is open.
    """

    def take_step(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return take(Applied(step), result, args, kwargs)

    @functools.wraps(result)
    def call(*args: Any, **kwargs: Any) -> Any:
        if stack.user_body() is None:
            if outside is not None and not stack.is_open():
                return outside(take_step, result, args, kwargs, _parameters_of(step))
            return result(*args, **kwargs)
        inner = public_name(step.args[0]) if step.args and callable(step.args[0]) else None
        if inner is not None:  # jax.named_call(lax.while_loop): the arguments are that function's
            args, kwargs = watched_arguments(inner, args, kwargs)
        return take_step(args, kwargs)

    return call


def _parameters_of(made: Step) -> tuple[str, ...]:
    """Names of the positional parameters of what a transform returned: of its function's, where that is known."""
    inner = made.args[0] if made.args else None
    return inner.parameters if isinstance(inner, Function) else ()
