"""Records the call tree of every trace (:mod:`jace_repro.trace.model`), thread by thread.

The border between user code and JAX is a stack: a :class:`Body` on top means that a user function runs and
what it calls is a step; None means that JAX runs, and that what it calls is its own affair.  Nothing is
recorded while no top-level trace is open.  Traced values are known by identity while the trace lasts,
and are let go when it ends.

A failure of the tape itself never reaches the program: the body it happened in says so (``problem``), and has
no script.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import inspect
import operator
import threading
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import jax.custom_derivatives

from jace_repro.trace import callsite
from jace_repro.trace.frames import is_jax_file
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Called,
    Closure,
    Custom,
    Function,
    Mapped,
    Method,
    Operation,
    Public,
    Step,
    kind_of,
    leaves,
)
from jace_repro.trace.public_api import public_name
from jace_repro.trace.values import VALUES, Tape, describe, glance, is_array, watched_function

#: Options that a program changes by a context manager of the same name without "jax_".
CONTEXTS = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_prng_impl",
    "jax_threefry_partitionable",
)
_values = operator.attrgetter(*CONTEXTS)

_local = threading.local()


class _Stack(list["Body | None"]):
    """Who is running, innermost last."""

    tape: Tape


# ---------------------------------------------------------------------------------------- the border


@contextlib.contextmanager
def top_level(body: Body | None = None) -> Iterator[Tape]:
    """Within it a top-level function is traced: JAX runs, until it calls the function.

    ``body``: nothing is traced, and this is the function that runs.
    """
    before = getattr(_local, "stack", None)
    stack = _Stack([body])
    stack.tape = Tape(eager=body is not None)
    _local.stack = stack
    try:
        yield stack.tape
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


def begin(body: Body, operation: Operation, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Step | None:
    """The step that the running user function takes, described before JAX sees the arguments.

    None, and a remark in the body, when it cannot be described.
    """
    try:
        known = _local.stack.tape.known  # most arguments are
        shown = tuple([known.get(id(a)) or _described(a) for a in args])
        step = Step(operation, shown, _described(dict(kwargs)) if kwargs else {})
        if type(operation) not in _CALL_NOTHING and not _only_values(operation, step):
            step.before = {id(f): f.body for f in functions(step)}
        frame = callsite.user_frame()
        if frame is not None:
            step.line = callsite.line_of(frame)
            step.targets, body.unpacking = callsite.names_for(frame, body.unpacking)
            if not _local.stack.tape.eager:
                _locate(step, frame, body)
        now = options()
        if now != body.config:
            changed = ((n, v) for n, v, old in zip(CONTEXTS, now, body.config, strict=True) if v != old)
            step.config = {n: v.value if isinstance(v, enum.Enum) else v for n, v in changed}
        return step
    except Exception as error:
        body.problem = body.problem or f"{type(error).__name__}: {error}"
        return None


def _locate(step: Step, frame: types.FrameType, body: Body) -> None:
    """Note which functions of the user's run, and what those that have just been called were given."""
    before = body.steps[-1].path if body.steps else ()
    here = (frame.f_code, frame.f_lasti)
    if before and callsite.called_from(frame, before, _run.__code__):
        step.path = (*before[:-1], here)
        if here[1] > before[-1][1]:
            return  # the same call goes on
        looped = [depth for depth, site in enumerate(before[:-1]) if callsite.in_loop(*site)]
        if not looped:
            return
        frames = callsite.calls_from(frame, _run.__code__)
        new = {depth: frames[depth] for depth in range(looped[0] + 1, len(frames))}
    else:
        frames = callsite.calls_from(frame, _run.__code__)
        step.path = tuple([(f.f_code, f.f_lasti) for f in frames])
        same, both = 0, min(len(before), len(frames))
        while same < both and step.path[same] == before[same]:
            same += 1
        if same == len(frames):
            same -= 1  # the same instruction again: in a loop, of this function or of its caller
        elif same < both and step.path[same][0] is before[same][0]:
            same += step.path[same][1] > before[same][1]  # the same call goes on
        new = {depth: frames[depth] for depth in range(max(same, 1), len(frames))}
    if not new:
        return
    tape: Tape = _local.stack.tape
    with contextlib.suppress(Exception):  # of an object of the program's; these are only names
        step.entered = {
            depth: {name: glance(tape, v) for name, v in callsite.parameters_of(f).items()}
            for depth, f in new.items()
        }


#: Steps of theirs have no functions of the user's among the arguments, or have run them themselves.
_CALL_NOTHING = frozenset({Method, Bound, Mapped})


def _only_values(operation: Operation, step: Step) -> bool:
    """Whether a step obviously has no functions of the user's; most have none."""
    values = (*step.args, *step.kwargs.values())
    return type(operation) is Public and VALUES.issuperset(map(type, values))


def end(body: Body, step: Step | None, result: Any) -> Any:
    """The user function has the result of a step.  Answers the result, callables in it replaced by watched ones."""
    if step is None:
        return result
    try:
        kind = type(step.operation)
        if type(result) is types.FunctionType and kind is not Mapped:
            return returned(result, step)
        if isinstance(result, jax.tree_util.Partial) and kind is Public:
            return jax.tree_util.Partial(returned(result, step))
        step.result = _described(result, closures=kind is not Mapped)
        if step.before:
            _find_bodies(step)
        body.steps.append(step)
    except Exception as error:
        body.problem = body.problem or f"{type(error).__name__}: {error}"
    return result


def _find_bodies(step: Step) -> None:
    """How the functions of a step ran: in it, or in one that was alike, whose trace JAX has kept."""
    key = None
    for function in functions(step):
        if function.body is not step.before.get(id(function)):
            if function.body is not None:
                step.bodies[id(function)] = function.body
                key = key or _signature(step)
                function.by_call[key] = function.body
        elif not (isinstance(step.operation, Custom) and function in step.operation.rules):
            key = key or _signature(step)
            if key in function.by_call:
                step.bodies[id(function)] = function.by_call[key]


def _signature(step: Step) -> Any:
    """What two steps have in common when JAX may take the trace of one for the other."""
    operation = step.operation
    what: Any = getattr(operation, "name", type(operation).__name__)
    if isinstance(operation, Applied):
        what = _signature(operation.made)
    kwargs = dict(step.kwargs)
    shown = [kind_of(leaf) for leaf in (*leaves(step.args), *leaves(kwargs))]
    return (what, len(step.args), tuple(kwargs), tuple(shown), tuple(step.config.items()))


def functions(step: Step) -> Iterator[Function]:
    """The user functions that a step hands to JAX, its operation's included."""
    operation = step.operation
    if isinstance(operation, Applied):
        yield from functions(operation.made)
    elif isinstance(operation, Custom):
        yield from (operation.function, *operation.rules)
    for leaf in (*leaves(step.args), *leaves(dict(step.kwargs))):
        if isinstance(leaf, Function):
            yield leaf


def options() -> tuple[Any, ...]:
    """The values of CONTEXTS now."""
    found: tuple[Any, ...] = _values(jax.config)
    return found


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
        stack: _Stack | None = getattr(_local, "stack", None)
        if not stack or stack[-1] is not None:
            return fun(*args, **kwargs)
        return _run(stack, function, fun, args, kwargs)

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


def _run(
    stack: _Stack, function: Function, fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    body = Body(function, (), {}, config=options())
    try:
        args = tuple(_callable_argument(a) for a in args)
        body.args, body.kwargs = _described(args), _described(kwargs)
    except Exception as error:
        body.problem = f"{type(error).__name__}: {error}"
    depth = len(stack)
    stack.append(body)
    try:
        result = fun(*args, **kwargs)
    finally:
        del stack[depth:]
    try:
        body.result = _described(result)
    except Exception as error:
        body.problem = body.problem or f"{type(error).__name__}: {error}"
    function.bodies = [*function.bodies[-63:], body]
    return result


def run(function: Function, fun: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Body]:
    """(result, body) of a function that JAX has called; the body is not kept among those of the function."""
    result = _run(_local.stack, function, fun, args, {})
    return result, function.bodies.pop()


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

    closure = _local.stack.tape.closure(call)
    return call


def function_of(fun: Callable[..., Any]) -> Function:
    """The Function of a user function, watched or not."""
    call: Any = watched(fun)
    function: Function = call.__jace_repro_function__
    return function


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
        return returned(result, Step(operation, _described(args), _described(dict(kwargs))), outside)
    except Exception:  # something in the arguments is no data: the function stays what it is
        return result


Take = Callable[[tuple[Any, ...], dict[str, Any]], Any]  # a call as a step
#: (take, original, args, kwargs, names of its parameters): a call while no trace is open.
Outside = Callable[[Take, Callable[..., Any], tuple[Any, ...], dict[str, Any], tuple[str, ...]], Any]


def returned(result: Callable[..., Any], step: Step, outside: Outside | None = None) -> Callable[..., Any]:
    """What a transform returned, recording a step when a user function calls it under a trace.

    ``outside`` is asked when no trace is open.
    """

    def take_step(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return take(Applied(step), result, args, kwargs)

    @functools.wraps(result)
    def call(*args: Any, **kwargs: Any) -> Any:
        if user_body() is None:
            if outside is not None and not is_open():
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
    body = user_body()
    if body is None:
        return original(*args, **kwargs)
    step = begin(body, operation, args if shown is None else shown, kwargs)
    return end(body, step, jax_runs(original, *args, **kwargs))


def take_map(
    original: Callable[..., Any], fun: Callable[..., Any], trees: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call ``jax.tree.map``, which is ``original``, as a step of the running user function."""
    stack: _Stack = _local.stack
    body = stack[-1]
    assert body is not None
    function, runs = _function(fun), list[Body]()

    def call(*leaves: Any) -> Any:
        result = _run(stack, function, fun, leaves, {})
        runs.append(function.bodies.pop())
        return result

    step = begin(body, Mapped(function, ()), trees, {})
    result = jax_runs(original, call, *trees, **kwargs)
    if step is not None:
        step.operation = Mapped(function, tuple(runs))
    return end(body, step, result)


def watched_arguments(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a public function with the user's functions among them replaced by watched ones.

    An object that can be called may be data as well (a model that is differentiated): it is a function only where
    the public function takes one.
    """
    places = PLACES.get(name)
    if places is None:
        return args, kwargs
    if name == "jax.lax.cond" and len(args) == 5 and not callable(args[1]):
        places = (2, 4)  # an older form: cond(pred, true_operand, true_fun, false_operand, false_fun)
    return (
        tuple(_watched_argument(a) if i in places else a for i, a in enumerate(args)),
        {k: _watched_argument(v) if k in _KEYWORDS else v for k, v in kwargs.items()},
    )


_FIRST = (
    *("checkpoint", "remat", "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacrev", "jvp", "linear_transpose"),
    *(
        "linearize",
        "named_call",
        "value_and_grad",
        "vjp",
        "vmap",
        "lax.scan",
        "lax.map",
        "lax.associative_scan",
    ),
    *("numpy.vectorize", "numpy.frompyfunc", "numpy.fromfunction", "numpy.apply_along_axis"),
    *("numpy.apply_over_axes", "experimental.checkify.checkify"),
    *(f"scipy.sparse.linalg.{name}" for name in ("cg", "gmres", "bicgstab")),
)
#: Where public functions take functions; no other argument of theirs is one, though it may be callable.
PLACES = {
    **{f"jax.{name}": (0,) for name in _FIRST},
    "jax.lax.cond": (1, 2),
    "jax.lax.switch": (1,),
    "jax.lax.while_loop": (0, 1),
    "jax.lax.fori_loop": (2,),
    "jax.lax.custom_root": (0, 2, 3),
    "jax.lax.custom_linear_solve": (0, 2, 3),
    "jax.lax.reduce": (2,),
    "jax.lax.reduce_window": (2,),
    "jax.numpy.piecewise": (2,),
    "jax.scipy.optimize.minimize": (0,),
    "jax.experimental.ode.odeint": (0,),
}
#: Keyword arguments of public functions that are functions to trace (a checkpoint policy is not).
_KEYWORDS = frozenset(
    (
        *(
            "f",
            "fun",
            "func",
            "fn",
            "body",
            "body_fun",
            "cond_fun",
            "true_fun",
            "false_fun",
            "branches",
            "solve",
        ),
        *("computation", "transpose_solve", "tangent_solve", "matvec", "pyfunc", "init_fun", "operator"),
    )
)


def _watched_argument(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_watched_argument(v) for v in value)
    if not callable(value) or isinstance(value, type) or is_array(value) or public_name(value) is not None:
        return value
    return watched(value)


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


# ------------------------------------------------------------------------------------------- values


def _tape() -> Tape | None:
    """That of the open trace; None when none is open."""
    return _local.stack.tape if is_open() else None


def _described(value: Any, closures: bool = False) -> Any:
    """A value as data, as the open trace knows it."""
    return describe(_tape(), value, closures)


def described(value: Any) -> Any:
    """A value as data; itself where it cannot be described."""
    try:
        return _described(value)
    except Exception:  # it is compared with what a body has, by identity then
        return value


def same_closure(value: Any, other: Any) -> None:
    """``other`` is how JAX will know the closure ``value`` when it is called."""
    closure, tape = closure_of(value), _tape()
    if closure is not None and tape is not None:
        tape.adopt([other], [closure])


def closure_of(value: Any) -> Closure | None:
    """The Closure that a step returned as this object."""
    tape = _tape()
    known = tape.known.get(id(value)) if tape is not None else None
    return known if isinstance(known, Closure) else None
