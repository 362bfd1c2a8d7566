"""Nested loops, and accumulators in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from jace.plan import Emitter
from jace.plan.index import Ix
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, accumulator, combine, convert


@contextmanager
def loop_nest(em: Emitter, extents: Sequence[int], pragma: str = "") -> Iterator[list[Ix]]:
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


def multiply_add(dtype: np.dtype[Any], total: str, a: str, b: str) -> str:
    """C++ expression total + a * b."""
    if dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        return f"{total} + {a} * {b}"
    return f"jace::add({total}, jace::mul({a}, {b}))"
