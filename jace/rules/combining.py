"""How two values combine into one: in reductions, scatters, windows and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jace.dtypes import accumulation, highest, kind, lowest
from jace.plan import Emitter, Planner
from jace.registry import Elementwise, lookup
from jace.rules.operations import Scatter

#: reduction -> (elementwise primitive that combines, identity)
REDUCTIONS: dict[str, tuple[str, Callable[[np.dtype[Any]], Any]]] = {
    "sum": ("add", lambda dtype: 0),
    "prod": ("mul", lambda dtype: 1),
    "max": ("max", lowest),
    "min": ("min", highest),
    "and": ("and", lambda dtype: -1 if kind(dtype) == "i" else highest(dtype)),
    "or": ("or", lambda dtype: 0),
    "xor": ("xor", lambda dtype: 0),
}


def combine(name: str | None, dtype: np.dtype[Any], old: str, new: str) -> str:
    """C++ expression of the elementwise primitive `name` on two values; `new` when there is none."""
    if name is None:
        return new
    rule = lookup(name)
    assert isinstance(rule, Elementwise)
    return rule.expression({}, (dtype, dtype), dtype, old, new)


def convert(old: Any, new: Any, value: str) -> str:
    """C++ expression converting between dtypes."""
    old, new = np.dtype(old), np.dtype(new)
    if old == new:
        return value
    rule = lookup("convert_element_type")
    assert isinstance(rule, Elementwise)
    return rule.expression({"new_dtype": new, "weak_type": False}, (old,), new, value)


def accumulator(dtype: np.dtype[Any], reduction: str) -> np.dtype[Any]:
    """The dtype of a reduction's accumulator; minima and the like are exact in any."""
    return accumulation(dtype) if reduction in ("sum", "prod") else dtype


def combiner(planner: Planner, op: Scatter) -> Callable[[Emitter, str, str], str]:
    """How a scatter combines: (emitter, the slot as an lvalue, the update) -> expression."""
    dtype = op.operand.aval.dtype
    if op.function is None:
        return lambda em, old, new: combine(op.combiner, dtype, old, new)
    function = op.function
    planner.bind_consts(function)
    return lambda em, old, new: em.inline(function.jaxpr, [em.let(dtype, old), new])[0]
