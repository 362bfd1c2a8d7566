"""Elementwise operations as Python tasklets, which DaCe's passes can read, where its operators mean what XLA means.

They do not, and a C++ expression of ours stands instead: for signed integers, which wrap; for floats of 16 bits and
less, which are computed in f32 and rounded; for complex numbers, whose products are rounded otherwise; for a maximum of
floats, which is NaN where one is; for functions of the C library, whose last bits are not XLA's; for the division of
integers, by zero too; and for constants that Python has no literal of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import dace_name
from jace.ir.core import Atom
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Constant, Index
from jace.plan.kernel import Store

Node = Callable[[Planner, JaxprEqn], bool]

#: Names of the dtypes whose division, sums and products, bits, and comparisons C++ and XLA have alike.
BOOLEAN = frozenset({"bool"})
DIVIDED = frozenset({"float32", "float64"})
WRAPPING = DIVIDED | {"uint32", "uint64"}
INTEGERS = BOOLEAN | {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
ORDERED = DIVIDED | INTEGERS


def python(expression: str, dtypes: frozenset[str]) -> Node:
    """The node of an elementwise primitive: a map with a Python tasklet.

    Args:
        expression: with {0}, {1}, ... for the operands.
        dtypes: names of those for which it is right, of all operands.
    """

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (out,) = eqn.outvars
        shape = tuple(out.aval.shape)
        names = {v.aval.dtype.name for v in eqn.invars}
        if 0 in shape or not names <= dtypes or eqn.params.get("out_dtype") is not None:
            return False
        operands = [_operand(planner, v) for v in eqn.invars]
        if None in operands:
            return False

        def body(em: Emitter, index: Index) -> Sequence[Store]:
            texts = [
                em.connector(x, em.broadcast(index, shape, x.shape)) if isinstance(x, Ref) else x
                for x in operands
            ]
            return [Store(planner.output(out, part=True), expression.format(*texts))]

        planner.exact_kernel(eqn.primitive.name, shape, body, python=True)
        return True

    return node


def comparison(expression: str) -> Node:
    """The node of a comparison; arguments as of `python`."""
    own = python(expression, ORDERED)

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        truths = any(v.aval.dtype == np.bool_ for v in eqn.invars)
        return not (truths and planner.goes_round("compared_truth")) and own(planner, eqn)

    return node


def select(planner: Planner, eqn: JaxprEqn) -> bool:
    """The node of `select_n` where a boolean chooses one of two."""
    which, *cases = eqn.invars
    chosen = python("({2} if {0} else {1})", ORDERED)
    return which.aval.dtype == np.bool_ and len(cases) == 2 and chosen(planner, eqn)


def _operand(planner: Planner, atom: Atom) -> Ref | str | None:
    """What is in memory, or a constant's text; None for what is neither."""
    source = planner.source(atom)
    if isinstance(source, Constant):
        return _literal(source.value) if source.value.size == 1 else None
    return source if isinstance(source, Ref) else None


def _literal(value: np.ndarray[Any, Any]) -> str | None:
    """A Python expression of a constant of its dtype, if there is one that C++ takes as it is."""
    if value.dtype == np.bool_:
        return str(bool(value.item()))
    if not math.isfinite(value.item()) or (value.dtype.kind in "iu" and abs(value.item()) >= 1 << 31):
        return None
    return f"dace.{dace_name(value.dtype)}({value.item()!r})"
