"""Reductions, cumulative reductions, argmax and argmin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import ctype
from jace.ir.core import open_jaxpr
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map, register_region
from jace.rules.combining import REDUCTIONS, accumulator, combine, convert
from jace.rules.nodes import reductions


@contextmanager
def loop_nest(em: Emitter, extents: list[int], pragma: str = "") -> Iterator[list[Ix]]:
    """Nested sequential loops; `pragma` goes on the innermost."""
    with ExitStack() as stack:
        last = len(extents) - 1
        yield [
            stack.enter_context(em.loop(extent, pragma=pragma if d == last else ""))
            for d, extent in enumerate(extents)
        ]


def accumulate(em: Emitter, kind: str, dtype: np.dtype[Any], total: str, value: str) -> None:
    """Emit the combination of `value` of `dtype` into the accumulator `total`; `kind` is sum, max, ..."""
    operation, _ = REDUCTIONS[kind]
    wide = accumulator(dtype, kind)
    em.line(f"{total} = {combine(operation, wide, total, convert(dtype, wide, value))};")


def start(em: Emitter, kind: str, dtype: np.dtype[Any]) -> str:
    """Declare an accumulator for values of `dtype`, holding the identity; answer its name."""
    wide = accumulator(dtype, kind)
    return em.declare(wide, cpp_literal(REDUCTIONS[kind][1](wide), wide))


def finish(em: Emitter, kind: str, dtype: np.dtype[Any], total: str) -> str:
    """The value of an accumulator as `dtype`."""
    wide = accumulator(dtype, kind)
    return total if wide == dtype else em.let(dtype, convert(wide, dtype, total))


#: Accumulators of a maximum and the like, which the compiler does not vectorize into several by itself.
LANES = 64


def _by_lanes(
    em: Emitter,
    kind: str,
    dtype: np.dtype[Any],
    total: str,
    extents: list[int],
    add: Callable[[list[Ix], str], None],
) -> None:
    """Combine into `total` over `extents`; `add(index, accumulator)` emits one step."""
    *outer, last = extents
    lanes = em.fresh("lanes")
    em.line(f"{ctype(dtype)} {lanes}[{LANES}];")
    with em.loop(LANES) as lane:
        em.line(f"{lanes}[{lane}] = {total};")
    with loop_nest(em, outer) as reduced:
        with em.loop(last // LANES) as step, em.loop(LANES, pragma="#pragma omp simd") as lane:
            add([*reduced, step * LANES + lane], f"{lanes}[{lane}]")
        if last % LANES:
            with em.loop(last % LANES) as rest:
                add([*reduced, constant(last - last % LANES) + rest], total)
    operation = REDUCTIONS[kind][0]
    width = LANES
    while width > 1:
        width //= 2
        with em.loop(width, pragma="#pragma omp simd") as lane:
            here, there = f"{lanes}[{lane}]", f"{lanes}[{lane + width}]"
            em.line(f"{here} = {combine(operation, dtype, here, there)};")
    em.line(f"{total} = {combine(operation, dtype, total, f'{lanes}[0]')};")


def _reduce(kind: str) -> Callable[..., str]:
    def rule(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
        operand = eqn.invars[0]
        dtype = operand.aval.dtype
        axes = sorted(eqn.params["axes"])
        total = start(em, kind, dtype)
        extents = [operand.aval.shape[a] for a in axes]

        def add(reduced: list[Ix], into: str) -> None:
            rest, inner = iter(index), dict(zip(axes, reduced, strict=True))
            source = tuple(inner[d] if d in inner else next(rest) for d in range(operand.aval.ndim))
            accumulate(em, kind, dtype, into, em.value(operand, source))

        if kind not in ("sum", "prod") and extents and extents[-1] >= 2 * LANES:
            _by_lanes(em, kind, dtype, total, extents, add)
            return total
        # reassociating a floating-point sum needs leave; XLA takes it too, in another order
        vector = kind == "sum" and accumulator(dtype, kind).kind in "fiu"
        pragma = f"#pragma omp simd reduction(+:{total})" if vector else ""
        with loop_nest(em, extents, pragma) as reduced:
            add(reduced, total)
        return finish(em, kind, dtype, total)

    return rule


#: Accumulators of a block of neighbouring columns: they stay in the first-level cache.
ROW_BLOCK = 512
#: Fewer columns, or fewer values of each, are reduced one column after the other.
MIN_ROW, MIN_REDUCED = 8, 4
#: Values from which threads are worth their start.
PARALLEL_VALUES = 1 << 18
#: Parts into which a long reduction to few elements is divided for the threads.
PARTS = 8


#: Emits one step of a reduction by rows: given the value of a column, combine it into the column's accumulator.
RowStep = Callable[[Callable[[Ix], str]], None]


def reduce_rows(
    planner: Planner,
    eqn: JaxprEqn,
    kind: str,
    dtype: np.dtype[Any],
    target: Ref,
    steps: Callable[[Emitter, Index, RowStep], None],
    *,
    depth: int,
) -> None:
    """Add a kernel that computes blocks of neighbouring elements of `target` together, one accumulator each.

    Args:
        kind: sum, max, ...
        dtype: of the values.
        steps: emits all steps for the row at an index (of all dimensions but the last).
        depth: how many steps there are.
    """
    wide = accumulator(dtype, kind)
    *outer, length = target.shape
    blocks = -(-length // ROW_BLOCK)
    extent = min(length, ROW_BLOCK)

    def body(em: Emitter, index: Index) -> None:
        *row, block = index
        first, stop = block * ROW_BLOCK, ""
        if blocks > 1 and length % ROW_BLOCK:
            left = em.let(np.int64, f"{length} - {first}")
            stop = em.let(np.int64, f"{left} < {ROW_BLOCK} ? {left} : {ROW_BLOCK}")
        totals = em.fresh("total")
        em.line(f"{ctype(wide)} {totals}[{extent}];")
        with em.loop(extent, stop=stop) as column:
            em.line(f"{totals}[{column}] = {cpp_literal(REDUCTIONS[kind][1](wide), wide)};")

        def step(value: Callable[[Ix], str]) -> None:
            with em.loop(extent, stop=stop, pragma="#pragma omp simd") as column:
                accumulate(em, kind, dtype, f"{totals}[{column}]", value(first + column))

        steps(em, tuple(row), step)
        with em.loop(extent, stop=stop, pragma="#pragma omp simd") as column:
            value = convert(wide, target.dtype, f"{totals}[{column}]")
            em.line(f"w_{target.buffer.name}[{target.address((*row, first + column))}] = {value};")

    parallel = math.prod(target.shape) * depth >= PARALLEL_VALUES
    planner.kernel(eqn.primitive.name, (*outer, blocks), body, writes=[target], parallel=parallel)


def _reduce_by_rows(kind: str) -> Callable[[Planner, JaxprEqn], bool]:
    """Reductions that keep the last dimension."""

    def build(planner: Planner, eqn: JaxprEqn) -> bool:
        operand, (result,) = eqn.invars[0], eqn.outvars
        shape, dtype = operand.aval.shape, operand.aval.dtype
        axes = sorted(eqn.params["axes"])
        if not axes or axes[-1] == len(shape) - 1 or 0 in shape:
            return False
        depth = math.prod(shape[a] for a in axes)
        if shape[-1] < MIN_ROW or depth < MIN_REDUCED:
            return False
        target = planner.output(result)
        longest = max(axes, key=lambda a: shape[a])
        parts = 1
        if math.prod(target.shape) < PARTS * ROW_BLOCK and depth * shape[-1] >= PARALLEL_VALUES:
            parts = max(n for n in range(1, PARTS + 1) if shape[longest] % n == 0)
        length = shape[longest] // parts
        wide = accumulator(dtype, kind)
        partial = planner.temp((parts, *target.shape), wide) if parts > 1 else target

        def steps(em: Emitter, index: Index, step: RowStep) -> None:
            part, rest = (index[0], iter(index[1:])) if parts > 1 else (ZERO, iter(index))
            with loop_nest(em, [length if a == longest else shape[a] for a in axes]) as reduced:
                inner = dict(zip(axes, reduced, strict=True))
                inner[longest] = part * length + inner[longest]
                place = [inner[d] if d in inner else next(rest) for d in range(len(shape) - 1)]
                step(lambda column: em.value(operand, (*place, column)))

        reduce_rows(planner, eqn, kind, dtype, partial, steps, depth=depth // parts)
        if parts > 1:
            _join_parts(planner, kind, dtype, partial, target)
        return True

    return build


def _join_parts(planner: Planner, kind: str, dtype: np.dtype[Any], partial: Ref, target: Ref) -> None:
    """`target` = the reduction of `partial`, accumulators, along its first dimension."""

    def body(em: Emitter, index: Index) -> None:
        total = start(em, kind, dtype)
        for part in range(partial.shape[0]):
            value = em.load(partial, (constant(part), *index))
            em.line(f"{total} = {combine(REDUCTIONS[kind][0], partial.dtype, total, value)};")
        em.line(f"w_{target.buffer.name}[{target.address(index)}] = {finish(em, kind, dtype, total)};")

    planner.kernel("join", target.shape, body, writes=[target], independent=True)


for _kind in REDUCTIONS:
    register_index_map(
        f"reduce_{_kind}",
        cost=32,
        materialize=True,
        build=_reduce_by_rows(_kind),
        node=reductions.reduce(_kind),
    )(_reduce(_kind))


def _arg_reduce(better: str) -> Callable[..., str]:
    def rule(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
        operand = eqn.invars[0]
        dtype = operand.aval.dtype
        out = eqn.params["index_dtype"]
        (axis,) = eqn.params["axes"]

        def at(ix: Ix) -> str:
            return em.value(operand, (*index[:axis], ix, *index[axis:]))

        best = em.declare(dtype, at(ZERO))
        where = em.declare(out, cpp_literal(0, out))
        with em.loop(operand.aval.shape[axis]) as ix:
            value = at(ix)
            # the first NaN wins, else the first best value
            test = f"{value} {better} {best}"
            if dtype.kind not in "iub":
                test = f"{best} == {best} && ({test} || {value} != {value})"
            with em.block(f"if ({test})"):
                em.line(f"{best} = {value};")
                em.line(f"{where} = ({ctype(out)})({ix});")
        return where

    return rule


register_index_map("argmax", cost=32, materialize=True, node=reductions.extreme("max"))(_arg_reduce(">"))
register_index_map("argmin", cost=32, materialize=True, node=reductions.extreme("min"))(_arg_reduce("<"))


def _cumulative(kind: str) -> Callable[[Planner, JaxprEqn], None]:
    def rule(planner: Planner, eqn: JaxprEqn) -> None:
        operand, out = eqn.invars[0], eqn.outvars[0]
        axis, reverse = eqn.params["axis"], eqn.params["reverse"]
        extent = operand.aval.shape[axis]
        dtype = operand.aval.dtype
        target = planner.output(out)
        others = (*operand.aval.shape[:axis], *operand.aval.shape[axis + 1 :])

        def body(em: Emitter, index: Index) -> None:
            total = start(em, kind, dtype)
            with em.loop(extent) as step:
                position = constant(extent - 1) - step if reverse else step
                at = (*index[:axis], position, *index[axis:])
                accumulate(em, kind, dtype, total, em.value(operand, at))
                value = finish(em, kind, dtype, total)
                em.line(f"w_{target.buffer.name}[{target.address(at)}] = {value};")

        if extent:
            planner.kernel(
                eqn.primitive.name, others, body, writes=[target], parallel=operand.aval.size > 65536
            )

    return rule


for _name, _kind in {"cumsum": "sum", "cumprod": "prod", "cummax": "max", "cummin": "min"}.items():
    register_region(_name, lazy=(0,), node=reductions.cumulative(_kind))(_cumulative(_kind))


def combine_with(em: Emitter, eqn: JaxprEqn, totals: list[str], values: list[str]) -> None:
    """`totals = combiner(totals, values)`, by the jaxpr of lax.reduce or lax.reduce_window."""
    closed = eqn.params["jaxpr"]
    with em.block(""):
        for total, new in zip(totals, em.inline(open_jaxpr(closed), [*totals, *values]), strict=True):
            em.line(f"{total} = {new};")


def initial(em: Emitter, eqn: JaxprEqn) -> tuple[list[Any], list[str]]:
    """Operands of a variadic reduction, and its accumulators holding the initial values."""
    half = len(eqn.invars) // 2
    operands, starts = list(eqn.invars[:half]), eqn.invars[half:]
    return operands, [em.declare(v.aval.dtype, em.value(v, ())) for v in starts]


@register_index_map("reduce", cost=32, materialize=True)
def _general_reduce(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operands = eqn.invars[: len(eqn.invars) // 2]
    axes = sorted(eqn.params["dimensions"])
    shape = operands[0].aval.shape
    extents = [shape[a] for a in axes]

    def source(reduced: list[Ix]) -> tuple[Ix, ...]:
        rest, inner = iter(index), dict(zip(axes, reduced, strict=True))
        return tuple(inner[d] if d in inner else next(rest) for d in range(len(shape)))

    if math.prod(extents) == 1:  # XLA combines nothing then, not even with the initial value
        return em.value(operands[k], source([ZERO] * len(axes)))
    _, totals = initial(em, eqn)
    with loop_nest(em, extents) as reduced:
        here = source(reduced)
        combine_with(em, eqn, totals, [em.value(v, here) for v in operands])
    return totals[k]
