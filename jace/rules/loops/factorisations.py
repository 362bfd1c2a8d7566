"""Factorisations by LAPACK, as JAX's CPU backend has them."""

from __future__ import annotations

from jace.plan import Planner
from jace.rules.lapack import INFO, Lapack, lapack_kernel
from jace.rules.operations import LU, Cholesky


def cholesky(planner: Planner, op: Cholesky) -> None:
    """The Cholesky factor of each matrix."""

    def build(k: Lapack) -> None:
        n, _ = k.shape(0)
        a = k.matrix(0)
        k.lapack("potrf", '"L"', n, a, n, INFO)
        k.give(0, a, "info == 0")

    lapack_kernel(planner, op.eqn, build)


def lu(planner: Planner, op: LU) -> None:
    """The factors of each matrix, the swaps and the permutation."""

    def build(k: Lapack) -> None:
        m, n = k.shape(0)
        a, swaps = k.matrix(0), k.result(1)
        k.lapack("getrf", m, n, a, max(1, m), swaps, INFO)
        k.give(0, a, "info >= 0")  # a zero on the diagonal of U is no failure
        k.em.line(f"jace::lapack::permutation({swaps}, {min(m, n)}, {k.result(2)}, {m});")

    lapack_kernel(planner, op.eqn, build)
