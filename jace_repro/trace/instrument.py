"""Where the call tree takes hold of JAX: beside hooks.py the only module of the tracker that knows ``jax._src``.

A public function written in Python gets other code while recording (:func:`_redirect`): the object stays what
it was, so that it does not matter who imported it, when and under which name.  Jitted functions all pass
``pjit._infer_params`` and ``pjit._run_python_pjit``; custom derivatives, ufuncs and primitives have one
method each.  What is called while JAX itself runs takes the original way after one look at a
thread-local (:func:`jace_repro.trace.builder.no_user_runs`).
"""

from __future__ import annotations

import collections
import contextlib
import functools
import inspect
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

from jace_repro.trace import builder, custom_primitives, eager
from jace_repro.trace.frames import called_by_program
from jace_repro.trace.model import Body, Bound, Called, Custom, Function, Jitted, Method, Operation, Public
from jace_repro.trace.public_api import public_functions, public_name, public_objects, signature

NEEDED = (
    ("jax._src.core", "Primitive.bind"),
    ("jax._src.pjit", "_infer_params"),
    ("jax._src.pjit", "_run_python_pjit"),
    ("jax._src.pjit", "jit_p"),
    ("jax._src.api", "VJP.__call__"),
    ("jax._src.api", "_lift_linearized"),
    ("jax._src.api_util", "resolve_kwargs"),
    ("jax._src.tree_util", "tree_map"),
    ("jax._src.custom_batching", "custom_vmap.__call__"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr_dynamic"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr_nounits"),
    ("jax._src.numpy.array_methods", "_array_operators"),
    ("jax._src.numpy.array_methods", "_array_methods"),
    ("jax._src.numpy.array_methods", "_array_properties"),
    ("jax._src.numpy.array_methods", "_IndexUpdateRef"),
)

_WRAPPERS = (
    *(
        "checkpoint",
        "remat",
        "fwd_and_bwd",
        "grad",
        "hessian",
        "jacfwd",
        "jacrev",
        "linear_transpose",
        "named_call",
    ),
    *("value_and_grad", "vmap", "numpy.vectorize", "numpy.frompyfunc", "experimental.checkify.checkify"),
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

_pending = threading.local()  # the function that a jitted call of the user's may have to trace
#: A body belongs to its function, which JAX's cache of the jaxpr keeps alive: held here, none would ever go.
_bodies: weakref.WeakKeyDictionary[Any, weakref.ref[Body]] = weakref.WeakKeyDictionary()
#: But where the function is no plain one (a bound method, a partial): that does not keep what is known of it.
_methods: collections.deque[Function] = collections.deque(maxlen=1024)


def body_of(closed: Any) -> Body | None:
    """How the function ran that a jaxpr was traced from; None when its trace was not seen."""
    found = _bodies.get(closed)
    return found() if found is not None else None


@dataclass(frozen=True)
class _Change:
    """An attribute of an object of JAX's: what it is, and what it is made."""

    owner: Any
    name: str
    plain: Any
    hooked: Any


class _Changes:
    """Changes that are made and taken back together, hundreds around every trace: the loop is C's."""

    def __init__(self, changes: Iterable[_Change]) -> None:
        listed = tuple(changes)
        self._owners, self._names = [c.owner for c in listed], [c.name for c in listed]
        self._plain, self._hooked = [c.plain for c in listed], [c.hooked for c in listed]

    def make(self) -> None:
        """Each object gets what is to stand in for its own."""
        self._set(self._hooked)

    def take_back(self) -> None:
        """Each object is as it was."""
        self._set(self._plain)

    def _set(self, values: list[Any]) -> None:
        collections.deque(map(setattr, self._owners, self._names, values), maxlen=0)


_tracing = threading.Lock()
_open = 0  # top-level traces, in all threads
_changes: _Changes | None = None  # what is only there while one is open; None while nothing is recorded
_made: _Changes | None = None  # what the open ones found: the recording may end before they do


def install() -> list[Callable[[], None]]:
    """Report to :mod:`jace_repro.trace.builder` what user functions under a trace ask of JAX, in all threads.

    Functions that take functions are watched all the time, the rest only while something is traced: between
    traces a program has JAX as it is, errors have their usual tracebacks, and eager operations their usual speed.
    Answers how to undo it: to be called last first.
    """
    global _changes
    public_functions()  # reads the functions' code: before it changes
    redirects = _redirects()
    always = _Changes([*(r.code for r in redirects if r.always), _pullbacks()])
    with _tracing:
        if _open and _made is not None:
            _changes = _made  # JAX is not as it is: a trace of an earlier recording goes on
        else:
            _changes = _Changes([*(r.code for r in redirects if not r.always), *_patches()])
        for redirect in redirects:
            redirect.sign()
    always.make()
    return [
        builder.forget,
        eager.forget,
        custom_primitives.forget,
        _methods.clear,
        _uninstall,
        always.take_back,
    ]


def _uninstall() -> None:
    global _changes
    with _tracing:
        _changes = None
        if not _open:
            _unsign()


def _unsign() -> None:
    for redirect in _redirects():
        redirect.unsign()


@contextlib.contextmanager
def _watching() -> Iterator[None]:
    """Within it something is recorded in this thread."""
    global _open, _made
    with _tracing:
        _open += 1
        if _open == 1:
            _made = _changes
            if _made is not None:
                custom_primitives.watch()
                _made.make()
    try:
        yield
    finally:
        with _tracing:
            _open -= 1
            if _open == 0 and _made is not None:
                _made.take_back()
                if _changes is None:
                    _unsign()


def traced(trace: Callable[..., Any], fun: Callable[..., Any], *rest: Any, top: bool, **kwargs: Any) -> Any:
    """``trace(fun, *rest)``, which traces a jitted function, with its body recorded where that is a user's."""
    if top:
        with _watching(), builder.top_level():
            return _traced(trace, fun, *rest, **kwargs)
    if getattr(_pending, "fun", None) is not fun:
        return trace(fun, *rest, **kwargs)
    _pending.fun = None
    return _traced(trace, fun, *rest, **kwargs)


def _traced(trace: Callable[..., Any], fun: Callable[..., Any], *rest: Any, **kwargs: Any) -> Any:
    if _jitted_names().get(id(fun)) is not None or jax.config.jax_check_tracer_leaks:
        return trace(fun, *rest, **kwargs)  # a leak check must not find the tracers that the tape holds
    function, info = builder.function_of(fun), rest[0]
    function.static = (tuple(info.static_argnums), tuple(info.static_argnames))
    if not isinstance(fun, types.FunctionType):
        _methods.append(function)
    params = trace(function.watcher, *rest, **kwargs)
    if function.body is not None:
        _bodies[params.params["jaxpr"]] = weakref.ref(function.body)
    return params


# --------------------------------------------------------------------------------- public functions


_TEMPLATE = """
def outer():
    {names} = None
    def template(*_args, **_kwargs):
        _target = "ASIDE"
        if _target():
            _target = "ORIGINAL"
            return _target(*_args, **_kwargs)
        _target = "TARGET"
        return _target(_args, _kwargs)
        ({used})
    return template
"""


@functools.cache
def _template(free: tuple[str, ...]) -> types.CodeType:
    """Code of a function that passes its arguments to one of two constants, and has these free variables.

    It does not use them, but whoever looks at the variables of its frames must find them.
    """
    space: dict[str, Any] = {}
    text = _TEMPLATE.format(names=" = ".join(free or ("_none",)), used=", ".join(free))
    exec(compile(text, __file__, "exec"), space)
    template: types.FunctionType = space["outer"]()
    if template.__code__.co_freevars == free or not free:
        return template.__code__
    raise AssertionError(f"free variables {template.__code__.co_freevars} instead of {free}")


Target = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


@dataclass(frozen=True)
class _Redirect:
    """How every call of a function is made one of its target.  ``always``: outside of traces, too.

    The signature, None where it need not be said, stays with the function as long as something is recorded:
    whoever asks for it gets the same answer, and traces begin the sooner.
    """

    code: _Change
    signature: inspect.Signature | None
    always: bool

    def sign(self) -> None:
        """Have the function say its signature, which its code will not."""
        if self.signature is not None:
            self.code.owner.__signature__ = self.signature

    def unsign(self) -> None:
        """The code says it again."""
        if self.signature is not None:
            vars(self.code.owner).pop("__signature__", None)


def _redirect(fun: types.FunctionType, target: Target, *, always: bool) -> _Redirect:
    """How to make every call of ``fun`` one of ``target(original, args, kwargs)``, where it is not JAX's own.

    The code knows what it calls as constants.  Its place is this file, whose frames JAX leaves out of tracebacks, or
    that of the function (``always``); name and signature stay the function's.
    """
    code, signed = fun.__code__, "__signature__" in fun.__dict__
    original = types.FunctionType(code, fun.__globals__, fun.__name__, fun.__defaults__, fun.__closure__)
    original.__kwdefaults__ = fun.__kwdefaults__
    original.__qualname__, original.__module__ = fun.__qualname__, fun.__module__
    template = _template(code.co_freevars)
    called = {
        "ASIDE": builder.jax_traces if always else builder.no_user_runs,
        "ORIGINAL": original,
        "TARGET": functools.partial(target, original),
    }
    constants = (called.get(c, c) if isinstance(c, str) else c for c in template.co_consts)
    redirected = template.replace(co_consts=tuple(constants))
    signature = None
    if not hasattr(fun, "__wrapped__"):  # else signature and place are looked for there
        signature = None if signed else inspect.signature(fun)
        if always:
            redirected = redirected.replace(
                co_filename=code.co_filename,
                co_firstlineno=code.co_firstlineno,
                co_name=code.co_name,
                co_qualname=code.co_qualname,
            )
    return _Redirect(_Change(fun, "__code__", code, redirected), signature, always)


@functools.cache
def _redirects() -> tuple[_Redirect, ...]:
    """Made once: code that has run is faster, and a recording may begin while the last one's trace goes on."""
    return tuple(_redirect(fun, target, always=always) for fun, target, always in _targets())


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
        if module == "jax" and name not in _OTHER_STEPS | _SILENT and name not in builder.PLACES:
            continue
        seen.add(id(fun))
        always = name in builder.PLACES
        target = functools.partial(_takes_functions if always else _public, Public(name))
        yield fun, _silent if name in _SILENT else target, always
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
                builder.same_closure(part, part.func.args[0])
    return result


def _takes_functions(operation: Public, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    take = functools.partial(_public, operation, original)
    if builder.is_open():  # and a user function runs
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
    from jax._src import core

    if builder.is_silent() or not core.trace_state_clean() or not called_by_program():
        return original(*args, **kwargs)
    with _watching():
        return eager.recorded(take, original, args, kwargs, parameters, made)


def _silent(original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    if builder.user_body() is None:
        return original(*args, **kwargs)
    return builder.jax_runs(original, *args, **kwargs)


def _update(operation: Method, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    ref = args[0]
    return builder.take(operation, original, args, kwargs, shown=(ref.array, ref.index, *args[1:]))


def _linearized(original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    count = original.__code__.co_argcount  # what JAX has bound already, before *tangents
    return _closure_called(args[0], functools.partial(original, *args[:count]), args[count:], kwargs)


def _pullbacks() -> _Change:
    """Calls of what jax.vjp returned."""
    from jax._src import api

    call = api.VJP.__call__

    @functools.wraps(call)
    def hooked(self: Any, *args: Any) -> Any:
        if builder.jax_traces():
            return call(self, *args)
        return _closure_called(self, functools.partial(call, self), args, {})

    return _Change(api.VJP, "__call__", call, hooked)


def _closure_called(made: Any, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """A call of what a step returned, under a trace or outside of any; `made` is the object it is known by."""

    def take(args: Any, kwargs: Any) -> Any:
        closure = builder.closure_of(made)
        assert closure is not None
        return builder.take(Called(closure), original, args, kwargs)

    if builder.closure_of(made) is not None:
        return take(args, kwargs)
    if builder.is_open() or not eager.has_made(made):
        return original(*args, **kwargs)
    return _outside(take, original, args, kwargs, (), made)


def _tree_map(original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    if len(args) < 2 or not callable(args[0]):
        return original(*args, **kwargs)
    return builder.take_map(original, args[0], args[1:], kwargs)


# ------------------------------------------------------------------------------- methods and globals


@functools.cache
def _jitted_names() -> dict[int, Operation]:
    """What a call of a jitted function of JAX's is, by ``id`` of the function in it."""
    from jax._src.numpy import array_methods as methods

    jitted: dict[int, Operation] = {}
    for name, fun in methods._array_methods.items():
        if not isinstance(fun, types.FunctionType) and hasattr(fun, "__wrapped__"):
            jitted[id(fun.__wrapped__)] = Method(name)
    for public in public_objects().values():
        fun = getattr(public.value, "_func", public.value)  # of a ufunc
        if not isinstance(fun, types.FunctionType) and hasattr(fun, "__wrapped__"):
            jitted[id(fun.__wrapped__)] = Public(public.name)
    return jitted


def _patches() -> Iterator[_Change]:
    from jax._src import api_util, core, custom_batching, pjit
    from jax._src.interpreters import partial_eval
    from jax.interpreters import partial_eval as public_partial_eval

    infer_params = pjit._infer_params

    @functools.wraps(infer_params)
    def hooked_infer(fun: Callable[..., Any], info: Any, *rest: Any) -> Any:
        if builder.user_body() is None:
            return infer_params(fun, info, *rest)
        _pending.fun = fun
        return builder.jax_runs(infer_params, fun, info, *rest)

    run_pjit = pjit._run_python_pjit

    @functools.wraps(run_pjit)
    def hooked_run(p: Any, flat: Any, fun: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        user = builder.user_body()
        if user is None:
            return run_pjit(p, flat, fun, args, kwargs)
        operation = _jitted_names().get(id(fun))
        shown, named = args, kwargs
        if operation is None and (body := body_of(p.params["jaxpr"])) is not None:
            shown, named = body.function.dynamic(args, kwargs)
            operation = Jitted(builder.function_of(fun), body, p.params)
        if operation is None:
            operation, shown, named = Bound(pjit.jit_p, p.params), tuple(flat), {}
        step = builder.begin(user, operation, shown, named)
        result = builder.jax_runs(run_pjit, p, flat, fun, args, kwargs)
        builder.end(user, step, result[0])
        return result

    bind = core.Primitive.bind

    @functools.wraps(bind)
    def hooked_bind(self: Any, *args: Any, **params: Any) -> Any:
        if builder.user_body() is None:
            return bind(self, *args, **params)
        return builder.take(Bound(self, params), functools.partial(bind, self, **params), args, {})

    ufunc_call: Any = jax.numpy.ufunc.__call__

    @functools.wraps(ufunc_call)
    def hooked_ufunc(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = public_name(self) if builder.user_body() is not None else None
        if name is None:
            return ufunc_call(self, *args, **kwargs)
        return builder.take(Public(name), functools.partial(ufunc_call, self), args, kwargs)

    def custom_call(original: Callable[..., Any], rules: tuple[str, ...]) -> Callable[..., Any]:
        @functools.wraps(original)
        def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
            if builder.user_body() is None:
                return original(self, *args, **kwargs)
            call = functools.partial(original, self)
            name = public_name(self)
            if name is not None:
                return builder.take(Public(name), call, args, kwargs)
            if not all(getattr(self, rule, None) for rule in rules):
                return call(*args, **kwargs)  # JAX says what is missing
            own = {n: getattr(self, n) for n in ("fun", *rules)}
            args = api_util.resolve_kwargs(self.fun, args, kwargs)
            nondiff = tuple(getattr(self, "nondiff_argnums", None) or ())
            shown = tuple(a for i, a in enumerate(args) if i not in nondiff)
            functions = [builder.function_of(fun) for fun in own.values()]
            operation = Custom(
                kind=type(self).__name__,  # type: ignore[arg-type]
                function=functions[0],
                rules=tuple(functions[1:]),
                nondiff=nondiff,
                static=tuple(builder.described(args[i]) for i in nondiff),
                symbolic_zeros=bool(vars(self).get("symbolic_zeros", False)),
                owner=id(self),
            )
            vars(self).update({n: f.watcher for n, f in zip(own, functions, strict=True)})
            try:
                return builder.take(operation, call, args, {}, shown=shown)
            finally:
                vars(self).update(own)

        return hooked

    def silent(trace: Callable[..., Any]) -> Callable[..., Any]:
        """A trace that no function above has begun: what it traces is no part of the user's program."""

        @functools.wraps(trace)
        def hooked(*args: Any, **kwargs: Any) -> Any:
            return _silent(trace, args, kwargs)

        evict = getattr(trace, "evict_weakref", None)
        if evict is not None:  # a cache, keyed by functions: by the watched ones while recording

            def evict_both(fun: Callable[..., Any]) -> None:
                evict(fun)
                evict(builder.function_of(fun).watcher)

            hooked.evict_weakref = evict_both  # type: ignore[attr-defined]
        return hooked

    jvp_class: Any = jax.custom_jvp
    vjp_class: Any = jax.custom_vjp
    vmap_class: Any = custom_batching.custom_vmap
    modules = (partial_eval, public_partial_eval)  # libraries have it from there
    traces = ("trace_to_jaxpr", "trace_to_jaxpr_dynamic", "trace_to_jaxpr_nounits")
    hooked = (
        *((module, n, silent(vars(module)[n])) for module in modules for n in traces if n in vars(module)),
        (pjit, "_infer_params", hooked_infer),
        (pjit, "_run_python_pjit", hooked_run),
        (core.Primitive, "bind", hooked_bind),
        (jax.numpy.ufunc, "__call__", hooked_ufunc),
        (jvp_class, "__call__", custom_call(jvp_class.__call__, ("jvp",))),
        (vjp_class, "__call__", custom_call(vjp_class.__call__, ("fwd", "bwd"))),
        (vmap_class, "__call__", custom_call(vmap_class.__call__, ("vmap_rule",))),
    )
    for owner, name, wrapper in hooked:
        yield _Change(owner, name, owner.__dict__[name], wrapper)
