"""What a script calls JAX's own objects: primitives, functions and classes, each with the import that it takes."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import jax
import jax.extend.core.primitives

from jace_repro.emitter.core.errors import EmitError

#: (import line or None, expression): every script imports jax itself.
Name = tuple[str | None, str]

#: Modules that a script calls by a shorter name.
_ALIASES = {
    "jax.lax": ("from jax import lax", "lax"),
    "jax.numpy": ("import jax.numpy as jnp", "jnp"),
    "jax.interpreters.ad": ("from jax.interpreters import ad", "ad"),
}

#: Modules whose objects are looked up by their own names, best first.
_MODULES = ("jax.lax", "jax", "jax.numpy", "jax.sharding", "jax.core", "jax.extend.core")

#: Modules that hold primitives, the best last.
_HOLDERS = (
    (jax.extend.core.primitives, "from jax.extend.core import primitives"),
    (jax.lax, "from jax import lax"),
)

#: The names of the primitives that were asked for or are public, each with the primitive, by its identity.
_primitives: dict[int, tuple[Any, Name]] = {}


def function_name(name: str) -> Name:
    """That of a public function, by its importable name: jax.numpy.linalg.norm is jnp.linalg.norm."""
    module = name.rpartition(".")[0]
    for known, (line, alias) in _ALIASES.items():
        if module == known or module.startswith(f"{known}."):
            return line, f"{alias}{name.removeprefix(known)}"
    return (None if module == "jax" else f"import {module}"), name


def attribute_name(value: Any) -> Name:
    """That of a class or function which some jax module defines under its own name.

    Raises:
        EmitError: no module of JAX does.
    """
    name = value.__qualname__
    for module in _MODULES:
        if getattr(importlib.import_module(module), name, None) is value:
            plain = module == "jax" or module in _ALIASES
            return function_name(f"{module}.{name}") if plain else (f"from {module} import {name}", name)
    owner = value.__module__ or ""  # a function that was made by exec may have none
    reachable = "." not in name and getattr(sys.modules.get(owner), name, None) is value
    if not reachable or owner.partition(".")[0] not in ("jax", "jaxlib"):
        raise EmitError(f"{owner}.{name} is not reachable from JAX")
    return f"from {owner} import {name}", name


def primitive_name(primitive: Any) -> Name:
    """That of a primitive.

    Raises:
        EmitError: it is not one of JAX's own.
    """
    if not _primitives:
        for module, line in _HOLDERS:
            alias = line.rpartition(" ")[2]
            for name, value in vars(module).items():
                if name.endswith("_p") and isinstance(value, jax.extend.core.Primitive):
                    _primitives[id(value)] = value, (line, f"{alias}.{name}")
    if id(primitive) not in _primitives:
        _primitives[id(primitive)] = primitive, _search_modules(primitive)
    return _primitives[id(primitive)][1]


def _search_modules(primitive: Any) -> Name:
    for module in sorted(name for name in sys.modules if name.startswith(("jax._src.", "jax."))):
        for name, value in list(vars(sys.modules[module]).items()):
            if value is primitive:
                return f"from {module} import {name}", name
    raise EmitError(f"primitive {primitive.name} is not part of JAX")
