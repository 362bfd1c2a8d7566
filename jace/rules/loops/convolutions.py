"""Convolutions: grouped, batch-grouped, dilated, transposed, any dimension order.

Large ones of types that BLAS knows are products of the kernel with patches of the input, copied out a block of an image
at a time; all others are direct sums.
"""

from __future__ import annotations

import math

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, linear
from jace.plan.literals import cpp_literal
from jace.rules.combining import convert
from jace.rules.loops.gemm import (
    Matrix,
    View,
    emit_product,
    fits,
    matrix,
    prepared,
    store_converted,
    worthwhile,
)
from jace.rules.loops.nests import loop_nest, multiply_add
from jace.rules.operations import Convolution

#: Elements of the copied patches: a part of the second-level cache.
PATCH_ELEMENTS = 1 << 17


def convolved(planner: Planner, op: Convolution) -> None:
    """A convolution."""
    images, kernels = planner.stored(op.left), planner.stored(op.right)
    out = planner.output(op.out)
    if 0 in out.shape:
        return
    depth = op.in_features * math.prod(op.windows.sizes)
    if worthwhile(op.wide, math.prod(op.spatial), op.out_features, depth):
        _by_products(planner, op, images, kernels, out)
    else:
        _directly(planner, op, images, kernels, out)


def _directly(planner: Planner, op: Convolution, images: Ref, kernels: Ref, out: Ref) -> None:
    wide = op.wide
    spec = op.dims.out_spec

    def body(em: Emitter, index: Index) -> None:
        feature = index[spec[1]]
        group = op.group(em, feature)
        total = em.declare(wide, cpp_literal(0, wide))
        at = tuple(index[d] for d in spec[2:])
        with loop_nest(em, op.windows.sizes) as offsets:
            _, inside = op.source(em, group, index[spec[0]], ZERO, at, offsets)
            with em.block(f"if ({inside})"), em.loop(op.in_features) as inner:
                source, _ = op.source(em, group, index[spec[0]], inner, at, offsets)
                a = convert(images.dtype, wide, em.load(images, source))
                b = convert(kernels.dtype, wide, em.load(kernels, op.kernel_index(feature, inner, offsets)))
                em.line(f"{total} = {multiply_add(wide, total, a, b)};")
        em.line(f"w_{out.buffer.name}[{out.address(index)}] = {convert(wide, out.dtype, total)};")

    planner.kernel("convolution", out.shape, body, writes=[out], independent=True)


def _by_products(planner: Planner, op: Convolution, images: Ref, kernels: Ref, out: Ref) -> None:
    """Each block of rows of an image: patches into a matrix, times the kernel, into the output or a temporary."""
    wide = op.wide
    out_spec, rhs_spec = op.dims.out_spec, op.dims.rhs_spec
    first, *rest = op.spatial
    depth, row = op.in_features * math.prod(op.windows.sizes), math.prod(rest)
    block = max(
        b for b in range(1, first + 1) if first % b == 0 and (b == 1 or b * row * depth <= PATCH_ELEMENTS)
    )
    positions = [block, *rest]
    # a row of the matrix is a patch if features are contiguous in the input; else a column is
    by_rows = op.dims.lhs_spec[1] > max(op.dims.lhs_spec[2:])
    patch_dims = (*rhs_spec[2:], rhs_spec[1]) if by_rows else rhs_spec[1:]
    patches = planner.temp((block * row, depth) if by_rows else (depth, block * row), wide)
    weights = prepared(planner, View(kernels, (), tuple(patch_dims), (rhs_spec[0],)), wide)
    result = View(out, (out_spec[0],), tuple(out_spec[2:]), (out_spec[1],))
    in_place = fits(result, wide)
    if not in_place:
        rank = len(out.shape)
        shape = (op.images, *op.spatial, op.groups * op.out_features)
        result = View(planner.temp(shape, wide), (0,), tuple(range(1, rank - 1)), (rank - 1,))

    def body(em: Emitter, index: Index) -> None:
        group, image = index
        a, b, c = (
            f"{kind}_{ref.buffer.name}"
            for kind, ref in zip("wqw", (patches, weights.ref, result.ref), strict=True)
        )
        em.pointer(weights.ref.buffer)
        with em.loop(first // block) as part:
            _copy_patches(em, op, images, (group, image, part * block), positions, a, by_rows)
            left = Matrix(a, depth if by_rows else block * row, turned=not by_rows)
            right = matrix(weights, (), b)
            right = right.moved(column=group * op.out_features)
            whole = matrix(result, (image,), c)
            whole = whole.moved(row=part * (block * row), column=group * op.out_features)
            emit_product(em, wide, (block * row, op.out_features, depth), left, right, whole)

    planner.kernel("convolution", (op.groups, op.images), body, writes=[result.ref, patches])
    if not in_place:
        order = dict(zip(out_spec, (0, rank - 1, *range(1, rank - 1)), strict=True))
        store_converted(planner, result.ref, out, [order[d] for d in range(rank)])


def _copy_patches(
    em: Emitter,
    op: Convolution,
    images: Ref,
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
    wide = op.wide
    total, depth = math.prod(positions), op.in_features * math.prod(op.windows.sizes)

    def copy(place: list[Ix], offsets: list[Ix], feature: Ix, slot: Ix) -> None:
        source, _ = op.source(em, group, image, feature, (place[0] + first, *place[1:]), offsets)
        em.line(f"{pointer}[{slot}] = {convert(images.dtype, wide, em.load(images, source))};")

    def fill(slot: Ix) -> None:
        em.line(f"{pointer}[{slot}] = {cpp_literal(0, wide)};")

    def inside(place: list[Ix], offsets: list[Ix]) -> str:
        return op.source(em, group, image, ZERO, (place[0] + first, *place[1:]), offsets)[1]

    if by_rows:
        with loop_nest(em, positions) as place, loop_nest(em, op.windows.sizes) as offsets:
            slot = linear(place, positions) * depth + linear(offsets, op.windows.sizes) * op.in_features
            with em.block(f"if ({inside(place, offsets)})"), em.loop(op.in_features) as feature:
                copy(place, offsets, feature, slot + feature)
            with em.block("else"), em.loop(op.in_features) as feature:
                fill(slot + feature)
        return
    with em.loop(op.in_features) as feature, loop_nest(em, op.windows.sizes) as offsets:
        number = feature * math.prod(op.windows.sizes) + linear(offsets, op.windows.sizes)
        with loop_nest(em, positions) as place:
            slot = number * total + linear(place, positions)
            with em.block(f"if ({inside(place, offsets)})"):
                copy(place, offsets, feature, slot)
            with em.block("else"):
                fill(slot)
