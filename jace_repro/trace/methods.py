"""What has one method each in JAX: binds of primitives, ufuncs, functions with derivative rules of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import jax

from jace_repro.trace import builder, stack
from jace_repro.trace.changes import Change, change
from jace_repro.trace.model import Bound, Custom, Public
from jace_repro.trace.public_api import public_name

NEEDED = (
    ("jax._src.core", "Primitive.bind"),
    ("jax._src.api_util", "resolve_kwargs"),
    ("jax._src.custom_batching", "custom_vmap.__call__"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr_dynamic"),
    ("jax._src.interpreters.partial_eval", "trace_to_jaxpr_nounits"),
)

#: The functions that begin a trace which no public function has begun.
_TRACES = ("trace_to_jaxpr", "trace_to_jaxpr_dynamic", "trace_to_jaxpr_nounits")


def patches() -> Iterator[Change]:
    """Calls of these become steps; traces that no public function has begun are no part of the program."""
    from jax._src import core, custom_batching
    from jax._src.interpreters import partial_eval
    from jax.interpreters import partial_eval as public_partial_eval

    bind = core.Primitive.bind

    @functools.wraps(bind)
    def hooked_bind(self: Any, *args: Any, **params: Any) -> Any:
        if stack.user_body() is None:
            return bind(self, *args, **params)
        return builder.take(Bound(self, params), functools.partial(bind, self, **params), args, {})

    ufunc_call: Any = jax.numpy.ufunc.__call__

    @functools.wraps(ufunc_call)
    def hooked_ufunc(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = public_name(self) if stack.user_body() is not None else None
        if name is None:
            return ufunc_call(self, *args, **kwargs)
        return builder.take(Public(name), functools.partial(ufunc_call, self), args, kwargs)

    for module in (partial_eval, public_partial_eval):  # libraries have it from there
        for name in _TRACES:
            if name in vars(module):
                yield change(module, name, _silent(vars(module)[name]))
    yield change(core.Primitive, "bind", hooked_bind)
    yield change(jax.numpy.ufunc, "__call__", hooked_ufunc)
    yield _custom(jax.custom_jvp, ("jvp",))
    yield _custom(jax.custom_vjp, ("fwd", "bwd"))
    yield _custom(custom_batching.custom_vmap, ("vmap_rule",))


def _custom(kind: Any, rules: tuple[str, ...]) -> Change:
    """Calls of functions with rules of their own: these are the attributes ``rules``, and are watched as well."""
    from jax._src import api_util

    original = kind.__call__

    @functools.wraps(original)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        if stack.user_body() is None:
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
            static=tuple(stack.data_or_itself(args[i]) for i in nondiff),
            symbolic_zeros=bool(vars(self).get("symbolic_zeros", False)),
            owner=self,
        )
        vars(self).update({n: f.watcher for n, f in zip(own, functions, strict=True)})
        try:
            return builder.take(operation, call, args, {}, shown=shown)
        finally:
            vars(self).update(own)

    return change(kind, "__call__", hooked)


def _silent(trace: Callable[..., Any]) -> Callable[..., Any]:
    """A trace that no function above has begun: what it traces is no part of the user's program."""

    @functools.wraps(trace)
    def hooked(*args: Any, **kwargs: Any) -> Any:
        return stack.aside(trace, args, kwargs)

    evict = getattr(trace, "evict_weakref", None)
    if evict is not None:  # a cache, keyed by functions: by the watched ones while recording

        def evict_both(fun: Callable[..., Any]) -> None:
            evict(fun)
            evict(builder.function_of(fun).watcher)

        hooked.evict_weakref = evict_both  # type: ignore[attr-defined]
    return hooked
