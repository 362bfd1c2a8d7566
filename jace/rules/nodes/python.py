"""Elementwise operations as Python tasklets, which DaCe's passes can read, where its operators mean what XLA means.

They do not, and a C++ expression of ours stands instead: for signed integers, which wrap; for floats of 16 bits and
less, which are computed in f32 and rounded; for complex numbers, whose products are rounded otherwise; for a maximum of
floats, which is NaN where one is; for functions of the C library, whose last bits are not XLA's; for the division of
integers, by zero too; and for constants that Python has no literal of (infinities, NaN).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn, Literal

from jace.dtypes import dace_name
from jace.plan import Access, Kernel, Planner, Ref
from jace.plan.index import ZERO, symbol

_FLOATS = frozenset({"float32", "float64"})
_WRAPPING = _FLOATS | {"uint32", "uint64"}
_INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_ORDERED = _FLOATS | _INTEGERS | {"bool"}

#: primitive -> (dtypes of its operands, Python expression of them).
_EXPRESSIONS: dict[str, tuple[frozenset[str], str]] = {
    "add": (_WRAPPING, "{0} + {1}"),
    "add_any": (_WRAPPING, "{0} + {1}"),
    "sub": (_WRAPPING, "{0} - {1}"),
    "mul": (_WRAPPING, "{0} * {1}"),
    "div": (_FLOATS, "{0} / {1}"),
    "neg": (_FLOATS, "-{0}"),
    "square": (_WRAPPING, "{0} * {0}"),
    "eq": (_ORDERED, "{0} == {1}"),
    "ne": (_ORDERED, "{0} != {1}"),
    "lt": (_ORDERED, "{0} < {1}"),
    "le": (_ORDERED, "{0} <= {1}"),
    "gt": (_ORDERED, "{0} > {1}"),
    "ge": (_ORDERED, "{0} >= {1}"),
    "select_n": (_ORDERED, "{2} if {0} else {1}"),
}


def tasklet(planner: Planner, eqn: JaxprEqn) -> bool:
    """The map of an elementwise equation, with a Python tasklet; False where there has to be C++."""
    operands, (out,) = eqn.invars, eqn.outvars
    shape = tuple(out.aval.shape)
    dtypes, expression = _EXPRESSIONS.get(eqn.primitive.name, (frozenset(), ""))
    if 0 in shape or any(np.dtype(v.aval.dtype).name not in dtypes for v in operands):
        return False
    if eqn.primitive.name == "select_n" and (len(operands) != 3 or operands[0].aval.dtype != np.bool_):
        return False
    if eqn.params.get("out_dtype") not in (None, out.aval.dtype):
        return False
    texts: list[str] = []
    reads: dict[str, Access] = {}
    parameters = planner.parameters(len(shape))
    for v in operands:
        if isinstance(v, Literal):
            texts.append(_literal(v))
            continue
        ref = planner.stored(v)
        access = _access(f"e{len(reads)}", ref, parameters, v.aval.shape)
        known = next(
            (name for name, a in reads.items() if (a.buffer, a.subset) == (access.buffer, access.subset)), ""
        )
        reads.setdefault(known or access.connector, access)
        texts.append(known or access.connector)
    if "" in texts:
        return False
    target = planner.output(out, part=True)
    write = _access("s0", target, parameters, shape)
    planner.extend(
        [
            Kernel(
                eqn.primitive.name,
                tuple(zip(parameters, shape, strict=True)),
                f"s0 = {expression.format(*texts)}",
                tuple(reads.values()),
                (write,),
                sources=planner.sources,
                python=True,
            )
        ]
    )
    return True


def _access(connector: str, ref: Ref, parameters: tuple[str, ...], shape: Any) -> Access:
    index = [symbol(p) if extent != 1 else ZERO for p, extent in zip(parameters, shape, strict=False)]
    return Access(connector, ref.buffer, (*ref.prefix, *index))


def _literal(literal: Literal) -> str:
    """A Python expression of a scalar constant of its dtype; "" if there is none."""
    value = np.asarray(literal.val, literal.aval.dtype)
    if value.dtype == np.bool_:
        return str(bool(value))
    if value.dtype.kind == "f" and not math.isfinite(value):
        return ""
    text = repr(float(value)) if value.dtype.kind == "f" else str(int(value))
    return f"dace.{dace_name(value.dtype)}({text})"
