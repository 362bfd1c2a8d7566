"""Sums of products: DaCe's MatMul and Einsum, or a map that adds up."""

from __future__ import annotations

import math
import string
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import kind
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.rules.combining import combine
from jace.rules.nodes.accumulating import (
    MOST_STEPS,
    accumulate_into,
    call,
    carrier,
    computed_in,
    fill,
    identity,
    in_dtype,
)


def contraction(planner: Planner, eqn: JaxprEqn, wide: np.dtype[Any]) -> bool:
    """The node of a `dot_general` that is computed in `wide`: MatMul, Einsum, or a map that adds up products."""
    lhs, rhs = eqn.invars
    (out,) = eqn.outvars
    contracted = [lhs.aval.shape[d] for d in eqn.params["dimension_numbers"][0][0]]
    if 0 in out.aval.shape or math.prod((*out.aval.shape, *contracted)) > MOST_STEPS:
        return False
    total = carrier(wide, "sum")
    left, right = (in_dtype(planner, planner.stored(v), total) for v in (lhs, rhs))
    with computed_in(planner, planner.output(out, part=True), total) as result:
        if 0 in left.shape or 0 in right.shape:
            fill(planner, result, identity(wide, "sum"))
        else:
            _products(planner, _Subscripts.of(eqn), left, right, result)
    return True


@dataclass(frozen=True)
class _Subscripts:
    """The dimensions of the operands and the result of a contraction, as letters."""

    left: str
    right: str
    out: str

    @classmethod
    def of(cls, eqn: JaxprEqn) -> _Subscripts:
        (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
        letters = iter(string.ascii_letters)
        left = [next(letters) for _ in eqn.invars[0].aval.shape]
        right = [next(letters) for _ in eqn.invars[1].aval.shape]
        for d, e in zip((*contract_l, *batch_l), (*contract_r, *batch_r), strict=True):
            right[e] = left[d]
        free_l = [c for d, c in enumerate(left) if d not in (*contract_l, *batch_l)]
        free_r = [c for d, c in enumerate(right) if d not in (*contract_r, *batch_r)]
        return cls("".join(left), "".join(right), "".join([*(left[d] for d in batch_l), *free_l, *free_r]))

    @property
    def is_matmul(self) -> bool:
        """Whether both are matrices, or stacks of them, as `a @ b` takes them."""
        a, b, c = self.left, self.right, self.out
        stacked = len(a) == len(b) == len(c) in (2, 3) and a[:-2] == b[:-2] == c[:-2]
        return stacked and a[-1] == b[-2] and c[-2:] == a[-2] + b[-1]

    def without(self, single: set[str]) -> _Subscripts:
        """Those of the dimensions of more than one element: Einsum drops the others from its operands."""
        return _Subscripts(
            *("".join(c for c in text if c not in single) for text in (self.left, self.right, self.out))
        )

    @property
    def in_order(self) -> bool:
        """Whether dimensions of one role stand together, and in one order."""
        texts = (self.left, self.right, self.out)
        roles: dict[tuple[bool, ...], list[str]] = {}
        for c in dict.fromkeys("".join(texts)):
            roles.setdefault(tuple(c in text for text in texts), []).append(c)
        return all(
            "".join(letters) in text
            for present, letters in roles.items()
            for text, there in zip(texts, present, strict=True)
            if there
        )


def _is_einsum(planner: Planner, names: _Subscripts) -> bool:
    """Whether DaCe's Einsum is to have a contraction; its dimensions have more than one element."""
    ordered = names.in_order or not planner.goes_round("einsum_order")
    return bool(names.left and names.right) and ordered


def _products(planner: Planner, names: _Subscripts, left: Ref, right: Ref, out: Ref) -> None:
    """`out` = the contraction; all three are of one dtype."""
    extents = dict(zip(names.left + names.right, left.shape + right.shape, strict=True))
    single = {c for c, extent in extents.items() if extent == 1}
    dtype = out.dtype
    # DaCe multiplies by its alpha, which no complex type of ours takes; its signed integers may overflow
    own = kind(dtype) in "fu"
    reads, writes = {"_a": left, "_b": right}, {"_c": out}
    if own and names.is_matmul and not single:
        call(planner, "matmul", "MatMul", reads, writes, {})
    elif own and _is_einsum(planner, many := names.without(single)):
        text = f"{many.left},{many.right}->{many.out}"
        call(planner, "einsum", "Einsum", reads, writes, {"einsum_str": text})
    else:
        summed = "".join(c for c in names.left if c not in names.out)

        def product(em: Emitter, index: Index) -> str:
            at = dict(zip(names.out + summed, index, strict=True))
            a, b = (
                em.load(ref, tuple(at[c] for c in text))
                for ref, text in ((left, names.left), (right, names.right))
            )
            return em.let(dtype, combine("mul", dtype, a, b))

        zero, lengths = np.zeros((), dtype), [extents[c] for c in summed]
        accumulate_into(planner, "products", "sum", out, zero, lengths, product)
