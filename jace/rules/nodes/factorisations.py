"""Factorisations by DaCe's LAPACK nodes (`canonical`): they work in place, on matrices with no side of one element.

What is around the node is what JAX means and LAPACK does not: NaN where a matrix has no factor, and the permutation
that the swaps of rows amount to. The other routines have no node of DaCe's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jace.plan import Box, Copy, Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.nodes.accumulating import call, in_loops
from jace.rules.operations import LU, Cholesky, Operation

_REAL = frozenset(map(np.dtype, ("float32", "float64")))
_ALL = _REAL | frozenset(map(np.dtype, ("complex64", "complex128")))
_INT = np.dtype(np.int32)


def cholesky(planner: Planner, op: Cholesky) -> bool:
    """`Potrf` of the lower triangle; DaCe's expansions take real matrices only."""
    if not _fits(op.operand.aval, _REAL):
        return False
    source, target = planner.stored(op.operand), planner.output(op.out)
    _copied(planner, op, source, target)

    def factor(batch: Sequence[Ix]) -> None:
        matrix, info = _part(target, batch), planner.temp((1,), _INT)
        call(planner, "potrf", "Potrf", {"_xin": matrix}, {"_xout": matrix, "_res": info}, {})
        _nan_unless(planner, matrix, info, "== 0")

    in_loops(planner, "cholesky", target.shape[:-2], factor)
    return True


def lu(planner: Planner, op: LU) -> bool:
    """`Getrf`, and a routine of ours that counts swaps from 0 and applies them to the rows' numbers."""
    if not _fits(op.operand.aval, _ALL):
        return False
    source = planner.stored(op.operand)
    target, swaps, rows = (planner.output(out) for out in op.eqn.outvars)
    _copied(planner, op, source, target)
    count, order = swaps.shape[-1], rows.shape[-1]

    def factor(batch: Sequence[Ix]) -> None:
        matrix, info = _part(target, batch), planner.temp((1,), _INT)
        results = {"_xout": matrix, "_ipiv": _part(swaps, batch), "_res": info}
        call(planner, "getrf", "Getrf", {"_xin": matrix}, results, {})
        _nan_unless(planner, matrix, info, ">= 0")  # a zero on the diagonal of U is no failure

    in_loops(planner, "lu", target.shape[:-2], factor)

    def permuted(em: Emitter, batch: Index) -> None:
        first, second = (f"w_{ref.buffer.name} + {ref.address((*batch, ZERO))}" for ref in (swaps, rows))
        em.line(f"jace::lapack::permutation({first}, {count}, {second}, {order});")

    planner.kernel("permutation", swaps.shape[:-1], permuted, writes=[swaps, rows], reads=[swaps])
    return True


def _fits(aval: Any, dtypes: frozenset[np.dtype[Any]]) -> bool:
    """Whether DaCe's nodes take matrices of this type: they drop axes of one element."""
    return aval.dtype in dtypes and min(aval.shape[-2:]) > 1 and 0 not in aval.shape


def _copied(planner: Planner, op: Operation, source: Ref, target: Ref) -> None:
    planner.extend([Copy(op.label, Box.of(source), Box.of(target), planner.sources)])


def _part(ref: Ref, batch: Sequence[Ix]) -> Ref:
    return replace(ref, prefix=(*ref.prefix, *batch))


def _nan_unless(planner: Planner, matrix: Ref, info: Ref, good: str) -> None:
    """NaN everywhere unless what LAPACK reports is `good`."""
    nan = cpp_literal(
        np.asarray(complex(np.nan, np.nan) if matrix.dtype.kind == "c" else np.nan), matrix.dtype
    )

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        value = f"{em.load(info, (ZERO,))} {good} ? {em.load(matrix, index)} : {nan}"
        return [Store(matrix, em.let(matrix.dtype, value))]

    planner.exact_kernel("nan_unless_factored", matrix.shape, body)
