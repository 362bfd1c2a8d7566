"""Tracing a derivative rule without a trace of it in the program.

JAX keeps, with each rule, the jaxprs it has traced it to and the structures of its last results. A program that
differentiates later relies on both, so they are put back as they were.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import FunctionType
from typing import Any

#: Attributes in which the classes of JAX that are of interest keep what they have: wrapped functions, stores.
_ATTRIBUTES = {
    "WrappedFun": ("f", "f_transformed", "transforms", "stores"),
    "Store": ("_val",),
    "EqualStore": ("_store",),
}


@contextlib.contextmanager
def isolated(*functions: Any) -> Iterator[None]:
    """Within it, these functions of JAX remember nothing of before; afterwards, nothing of meanwhile."""
    found: dict[int, Any] = {}
    for function in functions:
        _collect(function, found)
    stores = [(s, s._val) for s in found.values() if type(s).__name__ == "Store"]
    memos = [(m, dict(m)) for m in found.values() if type(m) is dict]
    for memo, _ in memos:
        memo.clear()
    try:
        yield
    finally:
        for store, value in stores:
            store._val = value
        for memo, entries in memos:
            memo.clear()
            memo.update(entries)


def remembered(function: Any) -> list[tuple[Any, ...]]:
    """The arguments for which JAX has traced a rule, oldest first: what the program has asked of it."""
    found: dict[int, Any] = {}
    _collect(function, found)
    return [args for memo in found.values() if type(memo) is dict for args in memo]


def _collect(value: Any, found: dict[int, Any]) -> None:
    """What is reachable from a function through JAX's own closures: wrapped functions, stores, memos."""
    if id(value) in found:
        return
    names = _ATTRIBUTES.get(type(value).__name__)
    if names is not None:
        found[id(value)] = value
        for name in names:
            _collect(getattr(value, name, None), found)
    elif isinstance(value, tuple | list):
        for item in value:
            _collect(item, found)
    elif isinstance(value, FunctionType) and value.__module__.startswith("jax."):
        found[id(value)] = value
        cells = dict(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
        for name, cell in cells.items():
            with contextlib.suppress(ValueError):  # a cell that is empty yet
                inner = cell.cell_contents
                if type(inner) is dict and value.__name__ == "memoized" and name == "cells":
                    found[id(inner)] = inner
                else:
                    _collect(inner, found)
