"""Index maps: data movement whose source index is known when the program is translated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import bits, ctype, is_struct, kind
from jace.plan.emit import Emitter, Index
from jace.plan.index import ZERO, Ix, constant, divmod_exact
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map
from jace.rules.operations import Concatenation, Reshape, Slice, Transposition
from jace.rules.structured import computes


@register_index_map("broadcast_in_dim")
def _broadcast_in_dim(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand = eqn.invars[0]
    source = tuple(
        ZERO if extent == 1 else index[target]
        for extent, target in zip(operand.aval.shape, eqn.params["broadcast_dimensions"], strict=True)
    )
    return em.value(operand, source)


def reshape_index(em: Emitter, index: Index, old: tuple[int, ...], new: tuple[int, ...]) -> Index:
    """Index into an array of shape `old` of element `index` of its C-order reshape to `new`.

    Dimensions are matched in groups of equal size, so that an untouched dimension keeps its affine index.
    """
    source: list[Ix] = [ZERO] * len(old)
    if 0 in old:  # there is none: what reads one is never executed
        return tuple(source)
    i = j = 0
    while i < len(old) or j < len(new):
        first_i, first_j = i, j
        size_i = size_j = 1
        if i < len(old):
            size_i, i = old[i], i + 1
        if j < len(new):
            size_j, j = new[j], j + 1
        while size_i != size_j:
            if size_i < size_j:
                size_i, i = size_i * old[i], i + 1
            else:
                size_j, j = size_j * new[j], j + 1
        _reshape_group(em, index[first_j:j], new[first_j:j], source, old, range(first_i, i))
    return tuple(source)


def _reshape_group(
    em: Emitter, index: Index, extents: tuple[int, ...], source: list[Ix], old: tuple[int, ...], dims: range
) -> None:
    linear = ZERO
    for ix, extent in zip(index, extents, strict=True):
        linear = linear * extent + (ix if extent != 1 else ZERO)
    for d in reversed(dims[1:]):
        if old[d] == 1:
            continue
        if math.prod(old[e] for e in dims if e < d) == 1:
            source[d] = linear
            return
        parts = divmod_exact(linear, old[d], em.ranges)
        if parts is None:
            limits = em.bounds(linear)
            whole = em.opaque(str(linear), limits)
            quotient = em.opaque(f"{whole} / {old[d]}", (0, -(-limits[1] // old[d])) if limits else None)
            parts = quotient, em.opaque(f"{whole} % {old[d]}", (0, old[d]))
        linear, source[d] = parts
    if len(dims):
        source[dims[0]] = linear


@computes(Reshape, "reshape")
def _reshape(eqn: JaxprEqn) -> Reshape:
    operand = eqn.invars[0]
    old, new = tuple(operand.aval.shape), tuple(eqn.outvars[0].aval.shape)
    dimensions = eqn.params.get("dimensions")

    def source(em: Emitter, index: Index) -> Index:
        if dimensions is None:
            return reshape_index(em, index, old, new)
        place = dict(
            zip(dimensions, reshape_index(em, index, tuple(old[d] for d in dimensions), new), strict=True)
        )
        return tuple(place[d] for d in range(len(old)))

    return Reshape(eqn, operand, source, None if dimensions is None else tuple(dimensions))


@computes(Reshape, "squeeze")
def _squeeze(eqn: JaxprEqn) -> Reshape:
    operand = eqn.invars[0]
    rank = operand.aval.ndim
    removed = {d % rank for d in eqn.params["dimensions"]}

    def source(em: Emitter, index: Index) -> Index:
        rest = iter(index)
        return tuple(ZERO if d in removed else next(rest) for d in range(rank))

    return Reshape(eqn, operand, source)


@computes(Reshape, "expand_dims")
def _expand_dims(eqn: JaxprEqn) -> Reshape:
    added = {d % eqn.outvars[0].aval.ndim for d in eqn.params["dimensions"]}

    def source(em: Emitter, index: Index) -> Index:
        return tuple(ix for d, ix in enumerate(index) if d not in added)

    return Reshape(eqn, eqn.invars[0], source)


@computes(Transposition, "transpose")
def _transpose(eqn: JaxprEqn) -> Transposition:
    return Transposition(eqn, eqn.invars[0], tuple(eqn.params["permutation"]))


@register_index_map("rev")
def _rev(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand = eqn.invars[0]
    flipped = eqn.params["dimensions"]
    source = tuple(
        constant(extent - 1) - ix if d in flipped else ix
        for d, (ix, extent) in enumerate(zip(index, operand.aval.shape, strict=True))
    )
    return em.value(operand, source)


@computes(Slice, "slice")
def _slice(eqn: JaxprEqn) -> Slice:
    begin = tuple(map(int, eqn.params["start_indices"]))
    return Slice(eqn, eqn.invars[0], begin, tuple(eqn.params["strides"] or (1,) * len(begin)))


@computes(Concatenation, "concatenate")
def _concatenate(eqn: JaxprEqn) -> Concatenation:
    return Concatenation(eqn, tuple(eqn.invars), eqn.params["dimension"])


@register_index_map("stack", cost=1)
def _stack(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    axis = eqn.params["axis"] % eqn.outvars[0].aval.ndim
    rest = (*index[:axis], *index[axis + 1 :])
    dtype = eqn.outvars[0].aval.dtype
    ix = index[axis]
    if not ix.terms:
        return em.value(eqn.invars[ix.const], rest)

    def pick(position: int) -> str:
        operand = eqn.invars[position]
        if position == len(eqn.invars) - 1:
            return em.value(operand, rest)
        return em.select(
            f"{ix} == {position}", dtype, lambda: em.value(operand, rest), lambda: pick(position + 1)
        )

    return pick(0)


@register_index_map("unstack")
def _unstack(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    axis = eqn.params["axis"] % eqn.invars[0].aval.ndim
    return em.value(eqn.invars[0], (*index[:axis], constant(k), *index[axis:]))


@register_index_map("split")
def _split(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    axis, start = eqn.params["axis"], sum(eqn.params["sizes"][:k])
    return em.value(eqn.invars[0], (*index[:axis], index[axis] + start, *index[axis + 1 :]))


@register_index_map("tile")
def _tile(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand = eqn.invars[0]
    shape = (1,) * (len(index) - operand.aval.ndim) + tuple(operand.aval.shape)
    source = []
    for ix, extent in zip(index, shape, strict=True):
        limits = em.bounds(ix)
        if extent == 1:
            source.append(ZERO)
        elif limits and limits[1] <= extent:
            source.append(ix)
        else:
            parts = divmod_exact(ix, extent, em.ranges)
            source.append(parts[1] if parts else em.opaque(f"({ix}) % {extent}", (0, extent)))
    return em.value(operand, tuple(source[len(index) - operand.aval.ndim :]))


@register_index_map("pad", cost=2)
def _pad(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand, filler = eqn.invars
    conditions, source = [], []
    for ix, extent, (low, _, inner) in zip(
        index, operand.aval.shape, eqn.params["padding_config"], strict=True
    ):
        shifted = ix - low
        limits = em.bounds(shifted)
        if inner:
            parts = divmod_exact(shifted, inner + 1, em.ranges)
            if parts is None:
                # of a negative index the remainder test leaves multiples, whose quotients are negative, too
                conditions.append(f"({shifted}) % {inner + 1} == 0")
                parts = em.opaque(f"({shifted}) / {inner + 1}"), ZERO
            else:
                conditions.append(f"({parts[1]}) == 0")
            shifted = parts[0]
            limits = em.bounds(shifted)
        if not limits or limits[0] < 0:
            conditions.append(f"({shifted}) >= 0")
        if not limits or limits[1] > extent:
            conditions.append(f"({shifted}) < {extent}")
        source.append(shifted)
    if not conditions:
        return em.value(operand, tuple(source))
    return em.select(
        " && ".join(conditions),
        operand.aval.dtype,
        lambda: em.value(operand, tuple(source)),
        lambda: em.value(filler, ()),
    )


def _as_type(em: Emitter, ix: Ix, dtype: Any) -> str:
    """An index as a value of the dtype."""
    dtype = np.dtype(dtype)
    if not ix.terms:
        return cpp_literal(ix.const, dtype)
    if kind(dtype) == "c":
        part = "jace::f32" if dtype == np.complex64 else "jace::f64"
        return em.let(dtype, f"{ctype(dtype)}{{({part})({ix}), 0}}")
    if is_struct(dtype) and kind(dtype) == "f":
        return em.let(dtype, f"{ctype(dtype)}((jace::f32)({ix}))")
    return em.let(dtype, f"({ctype(dtype)})({ix})")


@register_index_map("iota")
def _iota(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    return _as_type(em, index[eqn.params["dimension"]], eqn.params["dtype"])


@register_index_map("iota_2x32_shape")
def _iota_2x32_shape(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    linear = ZERO
    for ix, extent in zip(index, eqn.params["shape"], strict=True):
        linear = linear * extent + ix
    counter = em.opaque(str(linear))
    return em.let(
        np.uint32, f"(jace::u32)((jace::u64){counter} >> 32)" if k == 0 else f"(jace::u32){counter}"
    )


@register_index_map("device_put", "optimization_barrier")
def _same(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    return em.value(eqn.invars[k], index)


@register_index_map("create_linear", "empty", "empty2", "zeros_like")
def _zeros(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    # uninitialized memory is zero here: deterministic, and what XLA CPU gives
    return cpp_literal(0, eqn.outvars[0].aval.dtype)


@register_index_map("bitcast_convert_type", cost=1)
def _bitcast(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    """Same width: element by element. Narrowing adds a trailing dimension, widening removes it (little endian)."""
    operand = eqn.invars[0]
    old, new = operand.aval.dtype, np.dtype(eqn.params["new_dtype"])
    if bits(old) == bits(new):
        return em.let(new, f"jace::bit_cast<{ctype(new)}>({em.value(operand, index)})")
    if bits(old) > bits(new):
        word = em.declare(old, em.value(operand, index[:-1]))
        if bits(new) < 8:
            offset = em.opaque(str(index[-1] * bits(new)))
            byte = f"((const jace::u8*)&{word})[{offset} / 8]"
            return em.let(
                new, f"jace::bit_cast<{ctype(new)}>(jace::u8({byte} >> {offset} % 8 & {2 ** bits(new) - 1}))"
            )
        name = em.declare(new, f"{ctype(new)}()")
        em.line(
            f"__builtin_memcpy(&{name}, (const char*)&{word} + {new.itemsize} * ({index[-1]}), {new.itemsize});"
        )
        return name
    name = em.declare(new, f"{ctype(new)}()")
    for part in range(bits(new) // bits(old)):
        piece = em.declare(old, em.value(operand, (*index, constant(part))))
        if bits(old) < 8:
            code = f"(jace::bit_cast<jace::u8>({piece}) & {2 ** bits(old) - 1})"
            em.line(f"((jace::u8*)&{name})[{part * bits(old) // 8}] |= {code} << {part * bits(old) % 8};")
            continue
        em.line(f"__builtin_memcpy((char*)&{name} + {part * old.itemsize}, &{piece}, {old.itemsize});")
    return name
