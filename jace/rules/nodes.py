"""Reductions, products and the like as a person who writes SDFGs would have them, for `canonical`.

DaCe's library nodes where it has them, else maps with write-conflict resolution; every memlet is exact. What is here
answers False where the rule's own C++ is to stand instead.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import bits, dace_name, kind
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import constant, symbol
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, accumulator, combine, convert

Node = Callable[[Planner, JaxprEqn], bool]

#: What DaCe's own operators mean as XLA does, by reduction: (kinds of dtypes, the lambda).
_OWN = {
    "sum": ("iufc", "a + b"),
    "prod": ("iuf", "a * b"),
    "max": ("iub", "max(a, b)"),
    "min": ("iub", "min(a, b)"),
    "and": ("iu", "a & b"),
    "or": ("iu", "a | b"),
    "xor": ("iu", "a ^ b"),
}


def wcr(reduction: str, dtype: np.dtype[Any]) -> str:
    """Write-conflict resolution on values of `dtype`: DaCe's own where it means what XLA does, else our function.

    A floating-point maximum of ours is NaN where one is, and complex products are rounded as XLA's are.
    """
    kinds, expression = _OWN[reduction]
    if kind(dtype) in kinds:
        return f"lambda a, b: {expression}"
    return f"lambda a, b: jace_{REDUCTIONS[reduction][0]}(a, b)"


def carrier(dtype: np.dtype[Any], reduction: str) -> np.dtype[Any]:
    """The dtype in which DaCe accumulates: one that it has, and that loses nothing of XLA's accumulator."""
    wide = accumulator(dtype, reduction)
    if (
        dace_name(wide) == "uint8" and wide != np.uint8
    ):  # 4 bits and less wrap as 8 do, floats of 8 bits are f32's
        return np.dtype(np.float32 if kind(wide) == "f" else np.int8 if kind(wide) == "i" else np.uint8)
    return np.dtype(np.float32) if kind(wide) == "f" and bits(wide) < 32 else wide


def identity(dtype: np.dtype[Any], reduction: str) -> Any:
    """The identity of a reduction of values of `dtype`, as a scalar of its carrier."""
    wide = accumulator(dtype, reduction)
    value = np.asarray(REDUCTIONS[reduction][1](wide), wide)
    return value.astype(carrier(dtype, reduction))


def fill(planner: Planner, target: Ref, value: Any) -> None:
    """`target` = a scalar everywhere."""
    literal = cpp_literal(value, target.dtype)
    planner.exact_kernel(
        "fill", target.shape, lambda em, index: [Store(target, em.let(target.dtype, literal))]
    )


def converted(planner: Planner, source: Ref, target: Ref) -> Ref:
    """`target` = `source`, converted."""

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        value = convert(source.dtype, target.dtype, em.load(source, index))
        return [Store(target, em.let(target.dtype, value))]

    planner.exact_kernel("convert", target.shape, body)
    return target


def in_dtype(planner: Planner, source: Ref, dtype: np.dtype[Any]) -> Ref:
    """`source` where its dtype is right, else a copy that is converted."""
    return source if source.dtype == dtype else converted(planner, source, planner.temp(source.shape, dtype))


def reduce(reduction: str) -> Node:
    """The node of `reduce_sum`, `reduce_max`, ...: DaCe's Reduce."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        axes, dtype = tuple(sorted(eqn.params["axes"])), operand.aval.dtype
        if not axes or 0 in out.aval.shape:
            return False
        total = carrier(dtype, reduction)
        start = identity(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        target = planner.output(out, part=True)
        result = target if target.dtype == total else planner.temp(target.shape, total)
        reduce_into(planner, reduction, source, axes, result, start)
        if result is not target:
            converted(planner, result, target)
        return True

    return node


def reduce_into(
    planner: Planner, reduction: str, source: Ref, axes: tuple[int, ...], target: Ref, start: Any
) -> None:
    """`target` = the reduction of `source`, of its dtype, along `axes`, beginning with `start`."""
    own = kind(target.dtype) in "fiu" and np.isfinite(start)  # what DaCe writes into C++ as a literal
    if not own or 0 in source.shape:
        fill(planner, target, start)
    if 0 in source.shape:
        return
    # axes of one element are none to DaCe, which then copies and combines nothing
    planner.call(
        f"reduce_{reduction}",
        "Reduce",
        {"_in": source},
        {"_out": target},
        wcr=wcr(reduction, target.dtype),
        axes=tuple(a + len(source.prefix) for a in axes),
        identity=start.item() if own else None,
    )


#: Steps up to which a map adds up one at a time; more are left to loops that a compiler vectorizes, and to BLAS.
MOST_STEPS = 1 << 24


def small(extents: Sequence[int]) -> bool:
    """Whether a map over `extents` has work, and not too much."""
    return 0 < math.prod(extents) <= MOST_STEPS


def accumulate(
    planner: Planner,
    eqn: JaxprEqn,
    reduction: str,
    start: Any,
    extents: Sequence[int],
    value: Callable[[Emitter, Index], str],
) -> None:
    """The result of `eqn` = the reduction of values over `extents`, by write-conflict resolution.

    Args:
        start: the identity, of the dtype in which values are combined.
        value: emits one, given the index of the result followed by one in `extents`.
    """
    (out,) = eqn.outvars
    total = start.dtype
    target = planner.output(out, part=True)
    result = target if target.dtype == total else planner.temp(target.shape, total)
    rank = len(target.shape)
    fill(planner, result, start)

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        return [Store(result, value(em, index), at=index[:rank], wcr=wcr(reduction, total))]

    planner.exact_kernel(eqn.primitive.name, (*target.shape, *extents), body)
    if result is not target:
        converted(planner, result, target)


def contraction(planner: Planner, eqn: JaxprEqn, wide: np.dtype[Any]) -> bool:
    """The node of a `dot_general` that is computed in `wide`: MatMul, Einsum, or a map that adds up products."""
    lhs, rhs = eqn.invars
    (out,) = eqn.outvars
    contracted = [lhs.aval.shape[d] for d in eqn.params["dimension_numbers"][0][0]]
    if 0 in out.aval.shape or math.prod((*out.aval.shape, *contracted)) > MOST_STEPS:
        return False
    total = carrier(wide, "sum")
    left, right = (in_dtype(planner, planner.stored(v), total) for v in (lhs, rhs))
    target = planner.output(out, part=True)
    result = target if target.dtype == total else planner.temp(target.shape, total)
    if 0 in left.shape or 0 in right.shape:
        fill(planner, result, identity(wide, "sum"))
    else:
        _products(planner, _Subscripts.of(eqn), left, right, result)
    if result is not target:
        converted(planner, result, target)
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
    def is_einsum(self) -> bool:
        """Whether DaCe's Einsum is right: it takes dimensions of one role as one, in whatever order they stand.

        corpus/dace/einsum_order.py
        """
        texts = (self.left, self.right, self.out)
        roles: dict[tuple[bool, ...], list[str]] = {}
        for c in dict.fromkeys("".join(texts)):
            roles.setdefault(tuple(c in text for text in texts), []).append(c)
        return bool(self.left and self.right) and all(
            "".join(letters) in text
            for present, letters in roles.items()
            for text, there in zip(texts, present, strict=True)
            if there
        )


def _products(planner: Planner, names: _Subscripts, left: Ref, right: Ref, out: Ref) -> None:
    """`out` = the contraction; all three are of one dtype."""
    extents = dict(zip(names.left + names.right, left.shape + right.shape, strict=True))
    single = {c for c, extent in extents.items() if extent == 1}
    dtype = out.dtype
    # DaCe multiplies by its alpha, which no complex type of ours takes; its signed integers may overflow
    own = kind(dtype) in "fu"
    reads, writes = {"_a": left, "_b": right}, {"_c": out}
    if own and names.is_matmul and not single:
        planner.call("matmul", "MatMul", reads, writes)
    elif own and (many := names.without(single)).is_einsum:
        planner.call("einsum", "Einsum", reads, writes, einsum_str=f"{many.left},{many.right}->{many.out}")
    else:
        fill(planner, out, np.zeros((), dtype))
        summed = [c for c in names.left if c not in names.out]
        order = names.out + "".join(summed)

        def body(em: Emitter, index: Index) -> Sequence[Store]:
            at = dict(zip(order, index, strict=True))
            a, b = (
                em.load(ref, tuple(at[c] for c in text))
                for ref, text in ((left, names.left), (right, names.right))
            )
            value = em.let(dtype, combine("mul", dtype, a, b))
            return [Store(out, value, at=tuple(at[c] for c in names.out), wcr=wcr("sum", dtype))]

        planner.exact_kernel("products", [extents[c] for c in order], body)


def cumulative(reduction: str) -> Node:
    """The node of `cumsum` and the like: a loop whose carry is combined with and stored, step by step."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        axis, dtype = eqn.params["axis"], operand.aval.dtype
        if 0 in out.aval.shape:
            return False
        extent = out.aval.shape[axis]
        total = carrier(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        target = planner.output(out, part=True)
        carry = planner.temp([n for d, n in enumerate(out.aval.shape) if d != axis], total)
        fill(planner, carry, identity(dtype, reduction))
        name = planner.loop_symbol(extent)
        step = constant(extent - 1) - symbol(name) if eqn.params["reverse"] else symbol(name)

        def at(index: Index) -> Index:
            return (*index[:axis], step, *index[axis:])

        def combine_step(em: Emitter, index: Index) -> Sequence[Store]:
            # not by write-conflict resolution: DaCe would make a map of the loop
            # (corpus/dace/loop_to_map_reads_resolution.py)
            old, new = em.load(carry, index), em.load(source, at(index))
            return [Store(carry, em.let(total, combine(REDUCTIONS[reduction][0], total, old, new)))]

        def store_step(em: Emitter, index: Index) -> Sequence[Store]:
            value = em.let(target.dtype, convert(total, target.dtype, em.load(carry, index)))
            return [Store(target, value, at=at(index))]

        with planner.nested() as body:
            planner.exact_kernel("combine", carry.shape, combine_step)
            planner.exact_kernel("store", carry.shape, store_step)
        planner.add_loop(eqn.primitive.name, body, symbol=name, extent=extent)
        return True

    return node


def extreme(reduction: str) -> Node:
    """The node of `argmax` and `argmin`: the extreme value, then the least index at which it (or a NaN) is."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        (axis,), dtype = eqn.params["axes"], operand.aval.dtype
        if 0 in out.aval.shape or kind(dtype) == "c":
            return False
        total = carrier(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        target = planner.output(out)
        place = carrier(target.dtype, "min")
        best = planner.temp(target.shape, total)
        where = target if target.dtype == place else planner.temp(target.shape, place)
        reduce_into(planner, reduction, source, (axis,), best, identity(dtype, reduction))
        fill(planner, where, last := np.asarray(source.shape[axis] - 1, place))

        def body(em: Emitter, index: Index) -> Sequence[Store]:
            kept = (*index[:axis], *index[axis + 1 :])
            value, wanted = em.load(source, index), em.load(best, kept)
            here = f"{value} == {wanted} || {value} != {value}"
            position = convert(np.int64, place, em.let(np.int64, str(index[axis])))
            found = em.let(place, f"({here}) ? {position} : {cpp_literal(last, place)}")
            return [Store(where, found, at=kept, wcr=wcr("min", place))]

        planner.exact_kernel(f"index_of_{reduction}", source.shape, body)
        if where is not target:
            converted(planner, where, target)
        return True

    return node
