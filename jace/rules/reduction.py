"""Reductions, cumulative reductions, argmax and argmin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import accumulation, ctype, highest, lowest
from jace.dtypes import kind as kind_of
from jace.ir.core import open_jaxpr
from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.registry import Elementwise, lookup, register_index_map, register_region
from jace.rules.indexing import combine

#: reduction -> (elementwise primitive that combines, identity)
_REDUCTIONS: dict[str, tuple[str, Callable[[np.dtype[Any]], Any]]] = {
    "sum": ("add", lambda dtype: 0),
    "prod": ("mul", lambda dtype: 1),
    "max": ("max", lowest),
    "min": ("min", highest),
    "and": ("and", lambda dtype: -1 if kind_of(dtype) == "i" else highest(dtype)),
    "or": ("or", lambda dtype: 0),
    "xor": ("xor", lambda dtype: 0),
}


def accumulator(dtype: np.dtype[Any], kind: str) -> np.dtype[Any]:
    """The dtype of a reduction's accumulator; minima and the like are exact in any."""
    return accumulation(dtype) if kind in ("sum", "prod") else dtype


def convert(old: Any, new: Any, value: str) -> str:
    """C++ expression converting between dtypes."""
    old, new = np.dtype(old), np.dtype(new)
    if old == new:
        return value
    rule = lookup("convert_element_type")
    assert isinstance(rule, Elementwise)
    return rule.expression({"new_dtype": new, "weak_type": False}, (old,), new, value)


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
    operation, _ = _REDUCTIONS[kind]
    wide = accumulator(dtype, kind)
    em.line(f"{total} = {combine(operation, wide, total, convert(dtype, wide, value))};")


def start(em: Emitter, kind: str, dtype: np.dtype[Any]) -> str:
    """Declare an accumulator for values of `dtype`, holding the identity; answer its name."""
    wide = accumulator(dtype, kind)
    return em.declare(wide, cpp_literal(_REDUCTIONS[kind][1](wide), wide))


def finish(em: Emitter, kind: str, dtype: np.dtype[Any], total: str) -> str:
    """The value of an accumulator as `dtype`."""
    wide = accumulator(dtype, kind)
    return total if wide == dtype else em.let(dtype, convert(wide, dtype, total))


def _reduce(kind: str) -> Callable[..., str]:
    def rule(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
        operand = eqn.invars[0]
        dtype = operand.aval.dtype
        axes = sorted(eqn.params["axes"])
        total = start(em, kind, dtype)
        # reassociating a floating-point sum needs leave; XLA takes it too, in another order
        vector = kind == "sum" and accumulator(dtype, kind).kind in "fiu"
        pragma = f"#pragma omp simd reduction(+:{total})" if vector else ""
        with loop_nest(em, [operand.aval.shape[a] for a in axes], pragma) as reduced:
            rest, inner = iter(index), dict(zip(axes, reduced, strict=True))
            source = tuple(inner[d] if d in inner else next(rest) for d in range(operand.aval.ndim))
            accumulate(em, kind, dtype, total, em.value(operand, source))
        return finish(em, kind, dtype, total)

    return rule


for _kind in _REDUCTIONS:
    register_index_map(f"reduce_{_kind}", cost=32, materialize=True)(_reduce(_kind))


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


register_index_map("argmax", cost=32, materialize=True)(_arg_reduce(">"))
register_index_map("argmin", cost=32, materialize=True)(_arg_reduce("<"))


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
    register_region(_name, lazy=(0,))(_cumulative(_kind))


def combine_with(em: Emitter, eqn: JaxprEqn, totals: list[str], values: list[str]) -> None:
    """totals = combiner(totals, values), by the jaxpr of lax.reduce or lax.reduce_window."""
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
    operands, totals = initial(em, eqn)
    axes = sorted(eqn.params["dimensions"])
    shape = operands[0].aval.shape
    with loop_nest(em, [shape[a] for a in axes]) as reduced:
        rest, inner = iter(index), dict(zip(axes, reduced, strict=True))
        source = tuple(inner[d] if d in inner else next(rest) for d in range(len(shape)))
        combine_with(em, eqn, totals, [em.value(v, source) for v in operands])
    return totals[k]
