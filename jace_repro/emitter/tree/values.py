"""Values, literals and containers as source."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.core import literals, params
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.tree.paths import has_fields, tree_key
from jace_repro.emitter.tree.scopes import NAMES, Scope, token
from jace_repro.trace.model import Body, Closure, Function, Node, Traced
from jace_repro.trace.public_api import public_name


class Values:
    """Writes what stands in the arguments of calls.

    `reserved`: the names no variable may have, to which it adds those of the classes it defines; `function` writes
    a function among the arguments. `classes`: the names of those it has defined.
    """

    def __init__(
        self,
        script: Script,
        reserved: set[str],
        function: Callable[[Function, Scope, Mapping[int, Body]], str],
    ) -> None:
        self.script = script
        self.reserved = reserved
        self._function = function
        self.classes: dict[tuple[str, tuple[str, ...] | None, int], str] = {}

    def arguments(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], scope: Scope, bodies: Mapping[int, Body]
    ) -> str:
        """Arguments of a call, with tokens for values."""
        given = [self.value(a, scope, bodies) for a in args]
        given += [f"{k}={self.value(v, scope, bodies)}" for k, v in kwargs.items()]
        return ", ".join(given)

    def items(self, values: Iterable[Any], scope: Scope, bodies: Mapping[int, Body]) -> str:
        """Values with commas between them."""
        return ", ".join(self.value(v, scope, bodies) for v in values)

    def value(self, value: Any, scope: Scope, bodies: Mapping[int, Body]) -> str:
        """An argument as source, with tokens for traced values. Raises EmitError for what has none."""
        if isinstance(value, Traced | Closure):
            return token(value)
        if isinstance(value, Function):
            return self._function(value, scope, bodies)
        kind = type(value)
        if (kind in (tuple, list, dict) or isinstance(value, Node)) and (
            name := scope.trees.get(tree_key(value))
        ):
            return name
        if isinstance(value, Node):
            return self._node(value, scope, bodies)
        if kind in (tuple, list):
            inner = self.items(value, scope, bodies)
            comma = "," if len(value) == 1 else ""
            return f"({inner}{comma})" if kind is tuple else f"[{inner}]"
        if kind is dict:
            pairs = [
                f"{self.value(k, scope, bodies)}: {self.value(v, scope, bodies)}" for k, v in value.items()
            ]
            return f"{{{', '.join(pairs)}}}"
        if kind is slice:
            return f"slice({self.items((value.start, value.stop, value.step), scope, bodies)})"
        if value is Ellipsis:
            return "..."
        if kind is str:
            return literals.string(value)
        if isinstance(value, jax.Array):
            return self.script.const(value)
        if isinstance(value, np.ndarray) and value.size > 1:
            return self.script.const(value)  # the same array is the same constant of the jaxpr
        if isinstance(value, np.ndarray | np.generic):
            return self.script.array(value, f"v{len(self.script.arrays)}")
        if callable(value) and (name := public_name(value)) is not None:
            return self.public(name)
        if kind is frozenset and (name := _set_of_checks(value)) is not None:
            return self.public(name)
        return params.param(self.script, value, self.jaxpr)

    def writable(self, value: Any) -> Any:
        """A value with None for everything in it that has no source."""
        kind = type(value)
        if kind in (tuple, list):
            return kind(self.writable(v) for v in value)
        if kind is dict:
            return {k: self.writable(v) for k, v in value.items()}
        if isinstance(value, Node):
            return replace(value, children=tuple(self.writable(v) for v in value.children))
        if isinstance(value, Function):
            return value if value.body is not None else None
        if isinstance(value, Traced | Closure | jax.Array | np.ndarray | np.generic | slice | str):
            return value
        try:
            params.param(self.script, value, self.jaxpr)
        except EmitError:
            return None
        return value

    def jaxpr(self, jaxpr: Any) -> str:
        """A jaxpr among the arguments. Raises EmitError: steps have functions, not jaxprs."""
        raise EmitError("a jaxpr where none is expected")

    def index_item(self, value: Any, scope: Scope) -> str:
        """One item between the brackets of x[...]."""
        if not isinstance(value, slice):
            return self.value(value, scope, {})
        parts = ["" if v is None else self.value(v, scope, {}) for v in (value.start, value.stop, value.step)]
        return ":".join(parts[:2]) + (f":{parts[2]}" if parts[2] else "")

    def _node(self, node: Node, scope: Scope, bodies: Mapping[int, Body]) -> str:
        """A container of somebody's class: a namedtuple with its fields, or a tuple."""
        items = self.items(node.children, scope, bodies)
        if not has_fields(node):
            return f"({items}{',' if len(node.children) == 1 else ''})"
        if node.type.__module__.partition(".")[0] == "jax" and issubclass(node.type, tuple):
            return f"{self.script.attribute(node.type)}({items})"
        name = self._node_class(node)
        return f"{name}({items})"

    def _node_class(self, node: Node) -> str:
        keys = node.keys or ()
        key = (node.type.__qualname__, keys, id(node.type))
        if key not in self.classes:
            text = f'collections.namedtuple("{{name}}", {list(keys)!r})'.replace("'", '"')
            self.script.imports.add("import collections")
            name = self.script.assign(node.type.__name__, text, NAMES)
            self.reserved.add(name)
            self.classes[key] = name
        return self.classes[key]

    def public(self, name: str) -> str:
        """An expression for an importable public function."""
        module, _, attribute = name.rpartition(".")
        if module == "jax.lax":
            return self.script.lax(attribute)
        if module == "jax.numpy" or module.startswith("jax.numpy."):
            return self.script.import_("import jax.numpy as jnp", f"jnp{name.removeprefix('jax.numpy')}")
        if module != "jax":
            self.script.imports.add(f"import {module}")
        return name


def _set_of_checks(value: frozenset[Any]) -> str | None:
    """The public name of a set of checks, as `jax.experimental.checkify.checkify` takes them."""
    checkify = sys.modules.get("jax.experimental.checkify")
    names = ("user", "nan", "div", "index", "float", "automatic", "all")
    found = (f"{name}_checks" for name in names if getattr(checkify, f"{name}_checks", None) == value)
    return next((f"jax.experimental.checkify.{name}" for name in found), None)
