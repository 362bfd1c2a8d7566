"""The functions that JAX makes public, by the name a program imports them under."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax

from jace_repro.trace.frames import is_jax_file

#: Where public names are looked up, best first.
MODULES = (
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.lax.linalg",
    "jax.nn",
    "jax.nn.initializers",
    "jax.random",
    "jax.scipy.special",
    "jax.scipy.linalg",
    "jax.scipy.signal",
    "jax.scipy.stats",
    "jax.scipy.sparse.linalg",
    "jax.scipy.optimize",
    "jax.image",
    "jax.ops",
    "jax.debug",
    "jax.experimental.checkify",
    "jax.experimental.ode",
    "jax.tree",
    "jax",
)


#: Modules that hold more than they mean to export.
_EXPORTS = {"jax.experimental.ode": ("odeint",)}

#: What `jax.jit` makes of a function.
_JITTED = type(jax.jit(lambda: None))


@functools.cache
def _modules() -> Mapping[str, Mapping[str, Any]]:
    """What the public modules hold; imported here, for a program may import them later than it is recorded from."""
    held = {name: vars(importlib.import_module(name)) for name in MODULES}
    return {name: {k: values[k] for k in _EXPORTS.get(name, values)} for name, values in held.items()}


@functools.cache
def public_functions() -> Mapping[types.CodeType, str]:
    """Importable name of JAX's public functions by the code that runs when they are called."""
    found: dict[types.CodeType, str] = {}
    for module_name, held in _modules().items():
        for name in sorted(held):
            code = None if name.startswith("_") else code_of(held[name])
            if code is not None and is_jax_file(code.co_filename):
                found.setdefault(code, f"{module_name}.{name}")
    return found


def code_of(value: Any) -> types.CodeType | None:
    """The code behind a function, seen through jit, ufuncs, partial and wrappers."""
    for _ in range(8):
        if isinstance(value, types.FunctionType) and not hasattr(value, "__wrapped__"):
            return value.__code__
        if isinstance(value, types.MethodType):
            value = value.__func__
        elif isinstance(value, functools.partial):
            value = value.func
        elif hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        elif isinstance(value, jax.numpy.ufunc):
            value = getattr(value, "_func", None)
        else:
            return None
    return None


@dataclass(frozen=True, eq=False)
class PublicObject:
    """A function, jitted function, ufunc, custom derivative or scalar type that a JAX module exports."""

    name: str
    value: Any


@functools.cache
def public_objects() -> Mapping[int, PublicObject]:
    """What JAX's public modules hold, by ``id``; the best name of each: its own, in the first module."""
    found: dict[int, PublicObject] = {}
    for module_name, held in _modules().items():
        for name, value in sorted(held.items()):
            if name.startswith("_") or not callable(value) or isinstance(value, types.ModuleType):
                continue
            known = found.get(id(value))
            own = getattr(value, "__name__", None) == name
            if known is None or (own and known.name.rpartition(".")[0] == module_name):
                found[id(value)] = PublicObject(f"{module_name}.{name}", value)
    return found


def public_name(value: Any) -> str | None:
    """The importable name of an object that a public JAX module exports, None for any other object."""
    found = public_objects().get(id(value))
    return found.name if found is not None and found.value is value else None


def _object(name: str) -> Callable[..., Any]:
    """What an importable name is the name of."""
    module, _, attribute = name.rpartition(".")
    function: Callable[..., Any] = getattr(sys.modules[module], attribute)
    return function


@functools.cache
def signature(name: str) -> Mapping[str, inspect.Parameter]:
    """Parameters of a public function by name; none where they are not known."""
    try:
        return inspect.signature(_object(name)).parameters
    except (TypeError, ValueError):
        return {}


@functools.cache
def defaults(name: str) -> Mapping[str, Any]:
    """Parameters of a public function that have a default, with it."""
    parameters = signature(name).values()
    return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}


def is_jitted(name: str) -> bool:
    """Whether a public function is one that `jax.jit` made."""
    return isinstance(_object(name), _JITTED)


def is_default(name: str, parameter: str, value: Any) -> bool:
    """Whether an argument of a public function is what it would be without being given; never compares arrays."""
    known = defaults(name)
    if parameter not in known:
        return False
    default = known[parameter]
    plain = isinstance(value, bool | int | float | complex | str) and type(value) is type(default)
    return value is default or (plain and bool(value == default))
