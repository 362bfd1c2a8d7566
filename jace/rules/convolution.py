"""conv_general_dilated: grouped, batch-grouped, dilated, transposed, any dimension order.

Large ones of types that BLAS knows are products of the kernel with patches of the input, copied out a block of an image
at a time; all others are direct sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.ir import ShapedArray
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, linear
from jace.plan.literals import cpp_literal
from jace.registry import register_region
from jace.rules.combining import combine, convert
from jace.rules.contraction import multiply_add, sum_dtype
from jace.rules.gemm import (
    Matrix,
    View,
    emit_product,
    fits,
    matrix,
    prepared,
    store_converted,
    worthwhile,
)
from jace.rules.nodes import accumulating
from jace.rules.reduction import loop_nest
from jace.rules.windows import window_source

#: Elements of the copied patches: a part of the second-level cache.
PATCH_ELEMENTS = 1 << 17


@dataclass(frozen=True)
class _Convolution:
    """The geometry of one equation; features and images are counted within a group.

    A group convolves `in_features` features of an image to `out_features`. Feature groups take different features
    of the image, batch groups different images.
    """

    lhs: Ref
    rhs: Ref
    out: ShapedArray
    params: dict[str, Any]

    @property
    def wide(self) -> np.dtype[Any]:
        return sum_dtype(self.lhs.dtype, self.rhs.dtype, self.out.dtype)

    @property
    def groups(self) -> int:
        return int(self.params["feature_group_count"] * self.params["batch_group_count"])

    @property
    def dims(self) -> Any:
        return self.params["dimension_numbers"]

    @property
    def in_features(self) -> int:
        return self.rhs.shape[self.dims.rhs_spec[1]]

    @property
    def out_features(self) -> int:
        return self.out.shape[self.dims.out_spec[1]] // self.groups

    @property
    def images(self) -> int:
        return self.out.shape[self.dims.out_spec[0]]

    @property
    def window(self) -> list[int]:
        return [self.rhs.shape[d] for d in self.dims.rhs_spec[2:]]

    @property
    def spatial(self) -> list[int]:
        return [self.out.shape[d] for d in self.dims.out_spec[2:]]

    def group(self, em: Emitter, feature: Ix) -> Ix:
        """Of a feature of the result, counted over all groups."""
        return em.opaque(f"({feature}) / {self.out_features}", (0, self.groups)) if self.groups > 1 else ZERO

    def source(
        self, em: Emitter, group: Ix, image: Ix, feature: Ix, at: Index, offsets: list[Ix]
    ) -> tuple[Index, str]:
        """Index into the input, and the C++ condition that it is not padding."""
        p, spec = self.params, self.dims.lhs_spec
        geometry = {
            "window_strides": p["window_strides"],
            "padding": p["padding"],
            "window_dilation": p["rhs_dilation"],
            "base_dilation": p["lhs_dilation"],
        }
        place, conditions = window_source(
            em, at, offsets, geometry, tuple(self.lhs.shape[d] for d in spec[2:])
        )
        if p["batch_group_count"] > 1:
            image = group * self.images + image
        else:
            feature = group * self.in_features + feature
        index = dict(zip(spec, (image, feature, *place), strict=True))
        return tuple(index[d] for d in sorted(index)), " && ".join(conditions) or "true"

    def kernel_index(self, feature: Ix, in_feature: Ix, offsets: list[Ix]) -> Index:
        """Index into the kernel; `feature` counts over all groups."""
        index = dict(zip(self.dims.rhs_spec, (feature, in_feature, *offsets), strict=True))
        return tuple(index[d] for d in sorted(index))


def _node(planner: Planner, eqn: JaxprEqn) -> bool:
    """A map over every product that is added up."""
    lhs, rhs = (planner.stored(v) for v in eqn.invars)
    conv = _Convolution(lhs, rhs, eqn.outvars[0].aval, eqn.params)
    extents = (conv.in_features, *conv.window)
    if not accumulating.small((*conv.out.shape, *extents)):
        return False
    total = accumulating.carrier(conv.wide, "sum")
    spec, rank = conv.dims.out_spec, len(conv.out.shape)

    def value(em: Emitter, at: Index) -> str:
        feature, inner, offsets = at[spec[1]], at[rank], list(at[rank + 1 :])
        place = tuple(at[d] for d in spec[2:])
        source, inside = conv.source(em, conv.group(em, feature), at[spec[0]], inner, place, offsets)

        def product() -> str:
            a = convert(lhs.dtype, conv.wide, em.load(lhs, source))
            b = convert(rhs.dtype, conv.wide, em.load(rhs, conv.kernel_index(feature, inner, offsets)))
            return convert(conv.wide, total, em.let(conv.wide, combine("mul", conv.wide, a, b)))

        if inside == "true":
            return em.let(total, product())
        return em.select(inside, total, product, lambda: cpp_literal(0, total))

    accumulating.accumulate(planner, eqn, "sum", accumulating.identity(conv.wide, "sum"), extents, value)
    return True


@register_region("conv_general_dilated", node=_node)
def _conv(planner: Planner, eqn: JaxprEqn) -> None:
    lhs, rhs = (planner.stored(v) for v in eqn.invars)
    out = planner.output(eqn.outvars[0])
    conv = _Convolution(lhs, rhs, eqn.outvars[0].aval, eqn.params)
    if 0 in out.shape:
        return
    depth = conv.in_features * math.prod(conv.window)
    if worthwhile(conv.wide, math.prod(conv.spatial), conv.out_features, depth):
        _by_products(planner, conv, out)
    else:
        _directly(planner, conv, out)


def _directly(planner: Planner, conv: _Convolution, out: Ref) -> None:
    wide = conv.wide
    spec = conv.dims.out_spec

    def body(em: Emitter, index: Index) -> None:
        feature = index[spec[1]]
        group = conv.group(em, feature)
        total = em.declare(wide, cpp_literal(0, wide))
        at = tuple(index[d] for d in spec[2:])
        with loop_nest(em, conv.window) as offsets:
            _, inside = conv.source(em, group, index[spec[0]], ZERO, at, offsets)
            with em.block(f"if ({inside})"), em.loop(conv.in_features) as inner:
                source, _ = conv.source(em, group, index[spec[0]], inner, at, offsets)
                a = convert(conv.lhs.dtype, wide, em.load(conv.lhs, source))
                b = convert(
                    conv.rhs.dtype, wide, em.load(conv.rhs, conv.kernel_index(feature, inner, offsets))
                )
                em.line(f"{total} = {multiply_add(wide, total, a, b)};")
        em.line(f"w_{out.buffer.name}[{out.address(index)}] = {convert(wide, out.dtype, total)};")

    planner.kernel("convolution", out.shape, body, writes=[out], independent=True)


def _by_products(planner: Planner, conv: _Convolution, out: Ref) -> None:
    """Each block of rows of an image: patches into a matrix, times the kernel, into the output or a temporary."""
    wide = conv.wide
    out_spec, rhs_spec = conv.dims.out_spec, conv.dims.rhs_spec
    first, *rest = conv.spatial
    depth, row = conv.in_features * math.prod(conv.window), math.prod(rest)
    block = max(
        b for b in range(1, first + 1) if first % b == 0 and (b == 1 or b * row * depth <= PATCH_ELEMENTS)
    )
    positions = [block, *rest]
    # a row of the matrix is a patch if features are contiguous in the input; else a column is
    by_rows = conv.dims.lhs_spec[1] > max(conv.dims.lhs_spec[2:])
    patch_dims = (*rhs_spec[2:], rhs_spec[1]) if by_rows else rhs_spec[1:]
    patches = planner.temp((block * row, depth) if by_rows else (depth, block * row), wide)
    weights = prepared(planner, View(conv.rhs, (), tuple(patch_dims), (rhs_spec[0],)), wide)
    result = View(out, (out_spec[0],), tuple(out_spec[2:]), (out_spec[1],))
    in_place = fits(result, wide)
    if not in_place:
        rank = len(out.shape)
        shape = (conv.images, *conv.spatial, conv.groups * conv.out_features)
        result = View(planner.temp(shape, wide), (0,), tuple(range(1, rank - 1)), (rank - 1,))

    def body(em: Emitter, index: Index) -> None:
        group, image = index
        a, b, c = (
            f"{kind}_{ref.buffer.name}"
            for kind, ref in zip("wqw", (patches, weights.ref, result.ref), strict=True)
        )
        em.pointer(weights.ref.buffer)
        with em.loop(first // block) as part:
            _copy_patches(em, conv, (group, image, part * block), positions, a, by_rows)
            left = Matrix(a, depth if by_rows else block * row, turned=not by_rows)
            right = matrix(weights, (), b)
            right = right.moved(column=group * conv.out_features)
            whole = matrix(result, (image,), c)
            whole = whole.moved(row=part * (block * row), column=group * conv.out_features)
            emit_product(em, wide, (block * row, conv.out_features, depth), left, right, whole)

    planner.kernel("convolution", (conv.groups, conv.images), body, writes=[result.ref, patches])
    if not in_place:
        order = dict(zip(out_spec, (0, rank - 1, *range(1, rank - 1)), strict=True))
        store_converted(planner, result.ref, out, [order[d] for d in range(rank)])


def _copy_patches(
    em: Emitter,
    conv: _Convolution,
    start: tuple[Ix, Ix, Ix],
    positions: list[int],
    pointer: str,
    by_rows: bool,
) -> None:
    """Emit the copy of the patches of a block of output positions, padding as zeros.

    Args:
        start: group, image, first row of the output.
        positions: extents of the block.
        by_rows: whether a patch is contiguous, with features last; else the block is, under features first.
    """
    group, image, first = start
    wide = conv.wide
    total, depth = math.prod(positions), conv.in_features * math.prod(conv.window)

    def copy(place: list[Ix], offsets: list[Ix], feature: Ix, slot: Ix) -> None:
        source, _ = conv.source(em, group, image, feature, (place[0] + first, *place[1:]), offsets)
        em.line(f"{pointer}[{slot}] = {convert(conv.lhs.dtype, wide, em.load(conv.lhs, source))};")

    def fill(slot: Ix) -> None:
        em.line(f"{pointer}[{slot}] = {cpp_literal(0, wide)};")

    def inside(place: list[Ix], offsets: list[Ix]) -> str:
        return conv.source(em, group, image, ZERO, (place[0] + first, *place[1:]), offsets)[1]

    if by_rows:
        with loop_nest(em, positions) as place, loop_nest(em, conv.window) as offsets:
            slot = linear(place, positions) * depth + linear(offsets, conv.window) * conv.in_features
            with em.block(f"if ({inside(place, offsets)})"), em.loop(conv.in_features) as feature:
                copy(place, offsets, feature, slot + feature)
            with em.block("else"), em.loop(conv.in_features) as feature:
                fill(slot + feature)
        return
    with em.loop(conv.in_features) as feature, loop_nest(em, conv.window) as offsets:
        number = feature * math.prod(conv.window) + linear(offsets, conv.window)
        with loop_nest(em, positions) as place:
            slot = number * total + linear(place, positions)
            with em.block(f"if ({inside(place, offsets)})"):
                copy(place, offsets, feature, slot)
            with em.block("else"):
                fill(slot)
