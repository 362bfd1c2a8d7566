"""What stands in the arguments of calls as source: values, literals, containers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.core import literals, operands, params, syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.tree.containers import has_fields, mapped
from jace_repro.emitter.tree.paths import tree_key
from jace_repro.emitter.tree.scopes import NAMES, Scope, token
from jace_repro.trace.model import Body, Closure, Function, Node, Traced
from jace_repro.trace.public_api import public_name


class ArgumentWriter:
    """Writes what stands in the arguments of calls.

    Attributes:
        script: what it is written into.
        reserved: the names no variable may have, to which it adds those of the classes it defines.
        classes: the names of those.
    """

    def __init__(
        self,
        script: Script,
        reserved: set[str],
        function: Callable[[Function, Scope, Mapping[int, Body]], str],
    ) -> None:
        self.script = script
        self.reserved = reserved
        self.classes: dict[tuple[str, tuple[str, ...] | None, int], str] = {}
        self._function = function

    def given(
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
            items = [self.value(v, scope, bodies) for v in value]
            return syntax.tuple_of(items) if kind is tuple else syntax.list_of(items)
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
            return operands.const(self.script, value)
        if isinstance(value, np.ndarray) and value.ndim:
            return operands.const(self.script, value)  # the same array is the same constant of the jaxpr
        if isinstance(value, np.ndarray | np.generic):
            return operands.array(self.script, value, f"v{len(self.script.arrays)}")
        if callable(value) and (name := public_name(value)) is not None:
            return self.public(name)
        if kind is frozenset and (name := _set_of_checks(value)) is not None:
            return self.public(name)
        return params.param(self.script, value, self.jaxpr)

    def public(self, name: str) -> str:
        """An expression for an importable public function."""
        return self.script.public(name)

    def jaxpr(self, jaxpr: Any) -> str:
        """A jaxpr among the arguments. Raises EmitError: steps have functions, not jaxprs."""
        return params.no_jaxpr(jaxpr)

    def index_item(self, value: Any, scope: Scope) -> str:
        """One item between the brackets of x[...]."""
        if not isinstance(value, slice):
            return self.value(value, scope, {})
        parts = ["" if v is None else self.value(v, scope, {}) for v in (value.start, value.stop, value.step)]
        return ":".join(parts[:2]) + (f":{parts[2]}" if parts[2] else "")

    def writable(self, value: Any) -> Any:
        """A value with None for everything in it that has no source."""
        return mapped(value, lambda leaf: leaf if self._has_source(leaf) else None)

    def _has_source(self, leaf: Any) -> bool:
        if isinstance(leaf, Function):
            return leaf.body is not None
        if isinstance(leaf, Traced | Closure | jax.Array | np.ndarray | np.generic | str):
            return True
        try:
            params.param(self.script, leaf, self.jaxpr)
        except EmitError:
            return False
        return True

    def _node(self, node: Node, scope: Scope, bodies: Mapping[int, Body]) -> str:
        """A container of somebody's class: a namedtuple with its fields, or a tuple."""
        if not has_fields(node):
            return syntax.tuple_of([self.value(child, scope, bodies) for child in node.children])
        items = self.items(node.children, scope, bodies)
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


def _set_of_checks(value: frozenset[Any]) -> str | None:
    """The public name of a set of checks, as `jax.experimental.checkify.checkify` takes them."""
    checkify = sys.modules.get("jax.experimental.checkify")
    names = ("user", "nan", "div", "index", "float", "automatic", "all")
    found = (f"{name}_checks" for name in names if getattr(checkify, f"{name}_checks", None) == value)
    return next((f"jax.experimental.checkify.{name}" for name in found), None)
