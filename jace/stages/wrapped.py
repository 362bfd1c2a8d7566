"""What `jace.jit` answers: a callable with the stages and the attributes of a jax.jit function."""

from __future__ import annotations

import functools
import importlib
import pickle
import traceback
import types
from collections.abc import Callable
from typing import Any

from jace.jax_internals import api_boundary
from jace.stages.ahead import Lowered, Traced


class Wrapped:
    """A callable with the stages of a jax.jit function.

    Calling it is calling the jax.jit function inside: a subclass made for each function has that C++ object
    as its `__call__`, so that dispatch pays for no Python frame.
    """

    def __init__(
        self, fun: Callable[..., Any], jitted: Any, tracer: Any, remake: Callable[..., Wrapped]
    ) -> None:
        functools.update_wrapper(self, fun)
        self._jitted = jitted
        self._tracer = tracer
        self._remake = remake

    @staticmethod
    def of(
        fun: Callable[..., Any], jitted: Any, tracer: Any, remake: Callable[..., Wrapped], called: Any
    ) -> Wrapped:
        """A `Wrapped` whose call is `called`'s.

        Args:
            fun: the user's function.
            jitted: what its stages are of.
            tracer: the jax.jit function that `jitted` has `fun` traced by.
            remake: makes it again from `fun`; can be pickled.
            called: `jitted`, or where jace is disabled what jax.jit makes of `fun`.
        """
        made = type("Wrapped", (Wrapped,), {"__call__": staticmethod(called), "__module__": __name__})
        return made(fun, jitted, tracer, remake)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function; every instance's class overrides this."""
        return self._jitted(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<jace.jit function {getattr(self, '__qualname__', '?')}>"

    def __reduce__(self) -> Any:
        """Pickled by name where the function's name finds this object, else as the function and its options.

        Raises:
            pickle.PicklingError: neither is possible, since the function itself has no name that finds it.
        """
        fun = self.__wrapped__  # type: ignore[attr-defined]  # set by update_wrapper
        if isinstance(fun, types.FunctionType) and not _by_value():
            found = _named(fun)
            if found is self:
                return fun.__qualname__
            if found is not fun:
                raise pickle.PicklingError(
                    f"{self!r} cannot be pickled: pickle stores a function as its name, and "
                    f"{fun.__module__}.{fun.__qualname__} does not find this one. Define it at the top of a module, "
                    "or use cloudpickle, which stores the function itself"
                )
        return self._remake, (fun,)

    @api_boundary
    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Trace for these arguments (arrays or `jax.ShapeDtypeStruct`s)."""
        return Traced(self._jitted.trace(*args, **kwargs))

    @api_boundary
    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Trace and translate for these arguments."""
        return self.trace(*args, **kwargs).lower()

    @api_boundary
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results."""
        return self._jitted.eval_shape(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forget what was traced and compiled for this function in this process."""
        self._jitted.clear_cache()
        self._tracer.clear_cache()

    def _cache_size(self) -> int:
        """How many signatures dispatch knows; private in JAX too, but what tests of recompilation ask for."""
        return int(self._jitted._cache_size())


def _named(fun: Any) -> Any:
    """What an import by the function's name finds; None if nothing."""
    try:
        found: Any = importlib.import_module(fun.__module__)
        for part in fun.__qualname__.split("."):
            found = getattr(found, part)
    except (AttributeError, ImportError):
        return None
    return found


def _by_value() -> bool:
    """Whether cloudpickle asks, which stores a function where pickle stores its name; an object is not told."""
    return any(
        "cloudpickle" in frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_stack(None)
    )
