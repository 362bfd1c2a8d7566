"""Where a traced value stands in a container: the expression that gets it out again.

Containers of classes that the script does not have are namedtuples in it, or tuples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from jace_repro.emitter.core import literals, syntax
from jace_repro.emitter.tree.containers import has_fields, is_jax_object
from jace_repro.trace.model import Closure, Node, Traced, leaves


def identifier_of(path: str) -> str:
    """A variable's name after an expression: params["dense"][0] gives params_dense_0."""
    text = re.sub(r"\W+", "_", path).strip("_") or "x"
    return f"x_{text}" if text[0].isdigit() else text


def paths(value: Any, path: str) -> Iterable[tuple[Traced | Closure, str]]:
    """(value, expression) of everything traced in a tree that stands in the variable `path`."""
    if isinstance(value, Traced | Closure):
        yield value, path
    if isinstance(value, Closure):
        yield from ((kept, f"jax.tree.leaves({path})[{i}]") for i, kept in enumerate(value.kept))
    for item, inner in children(value, path):
        yield from paths(item, inner)


def subtrees(value: Any, path: str) -> Iterable[tuple[Any, str]]:
    """(key, expression) of every container of traced values in a tree that stands in the variable `path`."""
    if isinstance(value, Traced | Closure):
        return
    key = tree_key(value)
    if key is not None:
        yield key, path
    for item, inner in children(value, path):
        yield from subtrees(item, inner)


def lengths(value: Any, path: str) -> Iterable[tuple[str, int]]:
    """(expression, length) of every tuple and list in a tree that stands in the variable `path`."""
    if type(value) in (tuple, list):
        yield path, len(value)
    for item, inner in children(value, path):
        yield from lengths(item, inner)


def tree_key(value: Any) -> Any:
    """What a container of nothing but traced values is known by; None for any other value."""
    if isinstance(value, Traced | Closure):
        return value.id
    inner = [tree_key(item) for item, _ in children(value, "")]
    if not inner or any(key is None for key in inner):
        return None
    kind = (value.type, value.keys) if isinstance(value, Node) else type(value)
    return (kind, tuple(value) if type(value) is dict else (), tuple(inner))


def children(value: Any, path: str) -> Iterable[tuple[Any, str]]:
    """(item, expression) of what is directly in a container."""
    if type(value) in (tuple, list):
        yield from ((item, f"{path}[{i}]") for i, item in enumerate(value))
    elif type(value) is dict:
        for key, item in value.items():
            yield item, f"{path}[{_key(key)}]"
    elif isinstance(value, Node) and is_jax_object(value):
        for i, leaf in enumerate(leaf for leaf in leaves(value) if leaf is not None):
            yield leaf, f"jax.tree.leaves({path})[{i}]"
    elif isinstance(value, Node):
        for i, item in enumerate(value.children):
            yield item, f"{path}.{value.keys[i]}" if value.keys and has_fields(value) else f"{path}[{i}]"


def _key(key: Any) -> str:
    if type(key) is tuple:
        return syntax.tuple_of(map(_key, key))
    return literals.string(key) if isinstance(key, str) else repr(key)
