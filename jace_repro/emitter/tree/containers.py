"""Containers in the data of a call tree: which there are, and a tree with other leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax.custom_derivatives

from jace_repro.trace.model import Node


def is_jax_object(node: Node) -> bool:
    """Whether JAX made it, and what is in it is neither indexed nor an attribute."""
    known = (tuple, jax.custom_derivatives.CustomVJPPrimal)
    return node.type.__module__.partition(".")[0] == "jax" and not issubclass(node.type, known)


def has_fields(node: Node) -> bool:
    """Whether the script has a class with named fields for it."""
    keys = node.keys
    return keys is not None and all(k.isidentifier() and not k.startswith("_") for k in keys)


def is_container(value: Any) -> bool:
    """Whether a value is a container of others."""
    return isinstance(value, tuple | list | dict | Node)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with its leaves changed, always in the same order."""
    kind = type(value)
    if kind in (tuple, list):
        return kind([mapped(v, change) for v in value])
    if kind is dict:
        return {k: mapped(v, change) for k, v in value.items()}
    if isinstance(value, Node):
        return replace(value, children=tuple([mapped(v, change) for v in value.children]))
    if isinstance(value, slice):
        return slice(*[mapped(v, change) for v in (value.start, value.stop, value.step)])
    return change(value)
