"""How values are combined in DaCe's terms: write-conflict resolution, its dtypes, Reduce nodes, maps that add up."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jace.dtypes import bits, kind
from jace.plan import Call, Emitter, Planner, Ref, Span
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, symbol
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, accumulator, convert
from jace.rules.operations import Operation

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
    if kind(wide) == "f" and bits(wide) < 32:
        return np.dtype(np.float32)
    if kind(wide) in "iu" and bits(wide) < 8:  # wraps at the end as each step would have
        return np.dtype(np.int8 if kind(wide) == "i" else np.uint8)
    return wide


def identity(dtype: np.dtype[Any], reduction: str) -> Any:
    """The identity of a reduction of values of `dtype`, as a scalar of its carrier."""
    wide = accumulator(dtype, reduction)
    value = np.asarray(REDUCTIONS[reduction][1](wide), wide)
    return value.astype(carrier(dtype, reduction))


def call(
    planner: Planner,
    label: str,
    node: str,
    reads: Mapping[str, Ref],
    writes: Mapping[str, Ref],
    properties: Mapping[str, Any],
) -> None:
    """Add one of DaCe's library nodes, its operands by connector."""
    ins, outs = (tuple(Span(c, ref) for c, ref in side.items()) for side in (reads, writes))
    planner.extend([Call(label, node, ins, outs, tuple(properties.items()), planner.sources)])


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


@contextlib.contextmanager
def computed_in(planner: Planner, target: Ref, dtype: np.dtype[Any]) -> Iterator[Ref]:
    """Where a result of `dtype` is computed that `target` is to hold: there, or in memory of its own until the end."""
    result = target if target.dtype == dtype else planner.temp(target.shape, dtype)
    yield result
    if result is not target:
        converted(planner, result, target)


def reduce_into(
    planner: Planner, reduction: str, source: Ref, axes: tuple[int, ...], target: Ref, start: Any
) -> None:
    """`target` = the reduction of `source`, of its dtype, along `axes`, beginning with `start`."""
    own = kind(target.dtype) in "fiu" and np.isfinite(start)  # what DaCe writes into C++ as a literal
    if not own or 0 in source.shape:
        fill(planner, target, start)
    if 0 in source.shape:
        return
    properties = {
        "wcr": wcr(reduction, target.dtype),
        "axes": tuple(a + len(source.prefix) for a in axes),
        "identity": start.item() if own else None,
    }
    call(planner, f"reduce_{reduction}", "Reduce", {"": source}, {"": target}, properties)


def in_loops(
    planner: Planner, label: str, extents: Sequence[int], step: Callable[[list[Ix]], None], *before: Ix
) -> None:
    """Plan a step at an index of `extents` (`before` its first ones), in one loop for each that is not 1."""
    if not extents:
        step([*before])
        return
    extent, *rest = extents
    if extent == 1:
        in_loops(planner, label, rest, step, *before, ZERO)
        return
    name = planner.loop_symbol(extent)
    with planner.nested() as body:
        in_loops(planner, label, rest, step, *before, symbol(name))
    planner.add_loop(label, body, symbol=name, extent=extent)


#: Steps up to which a map adds up one at a time; more are left to loops that a compiler vectorizes, and to BLAS.
MOST_STEPS = 1 << 20


def small(extents: Sequence[int]) -> bool:
    """Whether a map over `extents` has work, and not too much."""
    return 0 < math.prod(extents) <= MOST_STEPS


def accumulate(
    planner: Planner,
    op: Operation,
    reduction: str,
    start: Any,
    extents: Sequence[int],
    value: Callable[[Emitter, Index], str],
) -> None:
    """The result of `op` = the reduction of values over `extents`, by write-conflict resolution.

    Args:
        start: the identity, of the dtype in which values are combined.
        value: as for `accumulate_into`.
    """
    with computed_in(planner, planner.output(op.out, part=True), start.dtype) as result:
        accumulate_into(planner, op.label, reduction, result, start, extents, value)


def accumulate_into(
    planner: Planner,
    label: str,
    reduction: str,
    target: Ref,
    start: Any,
    extents: Sequence[int],
    value: Callable[[Emitter, Index], str],
) -> None:
    """`target` = the reduction of values of its dtype over `extents`, by write-conflict resolution.

    Args:
        start: the identity.
        value: emits one, given the index of the result followed by one in `extents`.
    """
    fill(planner, target, start)
    rank, combined = len(target.shape), wcr(reduction, target.dtype)

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        return [Store(target, value(em, index), at=index[:rank], wcr=combined)]

    planner.exact_kernel(label, (*target.shape, *extents), body)
