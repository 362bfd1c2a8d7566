"""Sums of products: DaCe's MatMul and Einsum, or maps that add up."""

from __future__ import annotations

import math

import numpy as np

from jace.dtypes import kind
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.literals import cpp_literal
from jace.rules.combining import combine, convert
from jace.rules.nodes.accumulating import (
    MOST_STEPS,
    accumulate,
    accumulate_into,
    call,
    carrier,
    computed_in,
    fill,
    identity,
    in_dtype,
    small,
)
from jace.rules.operations import Contraction, Convolution
from jace.rules.operations.products import Subscripts


def contracted(planner: Planner, op: Contraction) -> bool:
    """A contraction by MatMul, Einsum, or a map that adds up products."""
    if 0 in op.shape or math.prod((*op.shape, *op.depth)) > MOST_STEPS:
        return False
    total = carrier(op.wide, "sum")
    left, right = (in_dtype(planner, planner.stored(v), total) for v in (op.left, op.right))
    with computed_in(planner, planner.output(op.out, part=True), total) as result:
        if 0 in left.shape or 0 in right.shape:
            fill(planner, result, identity(op.wide, "sum"))
        else:
            _products(planner, op.subscripts, left, right, result)
    return True


def _is_einsum(planner: Planner, names: Subscripts) -> bool:
    """Whether DaCe's Einsum is to have a contraction; its dimensions have more than one element."""
    ordered = names.in_order or not planner.goes_round("einsum_order")
    return bool(names.left and names.right) and ordered


def _products(planner: Planner, names: Subscripts, left: Ref, right: Ref, out: Ref) -> None:
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


def convolved(planner: Planner, op: Convolution) -> bool:
    """A convolution by a map over every product that is added up."""
    images, kernels = planner.stored(op.left), planner.stored(op.right)
    extents = (op.in_features, *op.windows.sizes)
    if not small((*op.shape, *extents)):
        return False
    wide, total = op.wide, carrier(op.wide, "sum")
    spec, rank = op.dims.out_spec, len(op.shape)

    def value(em: Emitter, at: Index) -> str:
        feature, inner, offsets = at[spec[1]], at[rank], at[rank + 1 :]
        place = tuple(at[d] for d in spec[2:])
        source, inside = op.source(em, op.group(em, feature), at[spec[0]], inner, place, offsets)

        def product() -> str:
            a = convert(images.dtype, wide, em.load(images, source))
            b = convert(kernels.dtype, wide, em.load(kernels, op.kernel_index(feature, inner, offsets)))
            return convert(wide, total, em.let(wide, combine("mul", wide, a, b)))

        if inside == "true":
            return em.let(total, product())
        return em.select(inside, total, product, lambda: cpp_literal(0, total))

    accumulate(planner, op, "sum", identity(wide, "sum"), extents, value)
    return True
