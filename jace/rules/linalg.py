"""jax.lax.linalg: one rule a primitive, on LAPACK and BLAS as JAX's CPU backend does it.

What JAX lowers by `lower_fun` (qr, symmetric_product, cholesky_update, lu_pivots_to_permutation) is expanded by the
generic fallback.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import accumulation
from jace.plan import Planner
from jace.registry import register_region
from jace.rules.lapack import INFO, LENGTH, Lapack, Work, cast, lapack_kernel, unsupported
from jace.rules.operations import LU, Cholesky
from jace.rules.structured import computes

_GOOD = "info == 0"
_INT = np.dtype(np.int32)


def _uplo(lower: bool) -> str:
    return '"L"' if lower else '"U"'


def _enum_name(value: Any) -> str:
    """Name of a member of one of JAX's enums of algorithms; "DEFAULT" for None."""
    return "DEFAULT" if value is None else str(value.name)


@computes(Cholesky, "cholesky")
def _cholesky(eqn: JaxprEqn) -> Cholesky:
    return Cholesky(eqn, eqn.invars[0])


@computes(LU, "lu")
def _lu(eqn: JaxprEqn) -> LU:
    return LU(eqn, eqn.invars[0])


@register_region("triangular_solve", lazy=(0, 1))
def _triangular_solve(planner: Planner, eqn: JaxprEqn) -> None:
    """Narrow floats are solved in f32 (XLA solves them step by step in their own precision)."""
    p = eqn.params
    dtype = np.dtype(eqn.invars[0].aval.dtype)
    compute = accumulation(dtype)
    conjugate = p["conjugate_a"] and dtype.kind == "c"
    transpose = ("C" if conjugate else "T") if p["transpose_a"] else "N"

    def build(k: Lapack) -> None:
        order, _ = k.shape(0)
        m, n = k.shape(1)
        a, b = k.matrix(0, compute), k.matrix(1, compute)
        if conjugate and transpose == "N":
            k.em.line(f"jace::lapack::conjugate({a}, {order * order});")
        side = '"L"' if p["left_side"] else '"R"'
        diagonal = '"U"' if p["unit_diagonal"] else '"N"'
        one = cast(compute, 1)
        k.blas("trsm", side, _uplo(p["lower"]), f'"{transpose}"', diagonal, m, n, one, a, order, b, m)
        k.give(0, b)

    lapack_kernel(planner, eqn, build, compute=compute)


@register_region("geqrf", lazy=(0,))
def _geqrf(planner: Planner, eqn: JaxprEqn) -> None:
    def build(k: Lapack) -> None:
        m, n = k.shape(0)
        a = k.matrix(0)
        k.lapack("geqrf", m, n, a, max(1, m), k.result(1), Work(k.dtype), LENGTH, INFO)
        k.give(0, a)

    lapack_kernel(planner, eqn, build)


@register_region("geqp3", lazy=(0,))
def _geqp3(planner: Planner, eqn: JaxprEqn) -> None:
    if eqn.invars[1].aval.dtype != _INT:
        raise unsupported(eqn, "LAPACK takes pivots of int32")

    def build(k: Lapack) -> None:
        m, n = k.shape(0)
        a, pivots = k.matrix(0), k.vector(1, k.result(1))
        real = [Work(k.real, 2 * n)] if k.is_complex else []
        k.lapack("geqp3", m, n, a, max(1, m), pivots, k.result(2), Work(k.dtype), LENGTH, *real, INFO)
        k.give(0, a)

    lapack_kernel(planner, eqn, build)


@register_region("householder_product", lazy=(0,))
def _householder_product(planner: Planner, eqn: JaxprEqn) -> None:
    def build(k: Lapack) -> None:
        m, n = k.shape(0)
        (reflectors,) = k.shape(1)
        a, tau = k.matrix(0), k.operand(1)
        routine = "ungqr" if k.is_complex else "orgqr"
        k.lapack(routine, m, n, reflectors, a, max(1, m), tau, Work(k.dtype), LENGTH, INFO)
        k.give(0, a)

    lapack_kernel(planner, eqn, build)


@register_region("ormqr", lazy=(0, 2))
def _ormqr(planner: Planner, eqn: JaxprEqn) -> None:
    p = eqn.params

    def build(k: Lapack) -> None:
        (reflectors,) = k.shape(1)
        m, n = k.shape(2)
        a, tau, c = k.matrix(0), k.operand(1), k.matrix(2)
        routine = "unmqr" if k.is_complex else "ormqr"
        side = '"L"' if p["left"] else '"R"'
        transpose = ('"C"' if k.is_complex else '"T"') if p["transpose"] else '"N"'
        order = max(1, k.shape(0)[0])
        k.lapack(
            routine,
            side,
            transpose,
            m,
            n,
            reflectors,
            a,
            order,
            tau,
            c,
            max(1, m),
            Work(k.dtype),
            LENGTH,
            INFO,
        )
        k.give(0, c)

    lapack_kernel(planner, eqn, build)


@register_region("eigh", lazy=(0,))
def _eigh(planner: Planner, eqn: JaxprEqn) -> None:
    p = eqn.params
    n = eqn.invars[0].aval.shape[-1]
    if p["subset_by_index"] not in (None, (0, n)):
        raise unsupported(eqn, "a subset of eigenvalues is not available on CPU (in JAX neither)")
    algorithm = _enum_name(p.get("algorithm", p.get("implementation")))
    if algorithm in ("QDWH", "JACOBI"):
        raise unsupported(eqn, f"the {algorithm} algorithm is not available on CPU (in JAX neither)")

    def build(k: Lapack) -> None:
        a, values = k.matrix(0), k.result(1)
        integers = Work(_INT, 3 + 5 * n)
        head = ('"V"', _uplo(p["lower"]), n, a, n, values)
        if k.is_complex:
            work, real = Work(k.dtype, 2 * n + n * n), Work(k.real, 1 + 5 * n + 2 * n * n)
            k.lapack("heevd", *head, work, LENGTH, real, LENGTH, integers, LENGTH, INFO)
        else:
            work = Work(k.dtype, 1 + 6 * n + 2 * n * n)
            k.lapack("syevd", *head, work, LENGTH, integers, LENGTH, INFO)
        k.give(0, a, _GOOD)
        k.check(1, _GOOD)

    lapack_kernel(planner, eqn, build)


@register_region("eig", lazy=(0,))
def _eig(planner: Planner, eqn: JaxprEqn) -> None:
    p = eqn.params
    if _enum_name(p.get("implementation")) not in ("DEFAULT", "LAPACK"):
        raise unsupported(eqn, "only the lapack implementation is available on CPU (in JAX too)")
    wanted = [p["compute_left_eigenvectors"], p["compute_right_eigenvectors"]]

    def build(k: Lapack) -> None:
        n, _ = k.shape(0)
        a = k.matrix(0)
        jobs = ['"V"' if want else '"N"' for want in wanted]
        vectors = [k.temp(n * n if want else 1, k.dtype) for want in wanted]
        places = [argument for v in vectors for argument in (v, n)]
        given = [v for v, want in zip(vectors, wanted, strict=True) if want]
        k.em.line("info = -4;")
        with k.em.block(f"if (jace::lapack::all_finite({a}, {n * n}))"):
            if k.is_complex:
                values = k.result(0)
                k.lapack(
                    "geev", *jobs, n, a, n, values, *places, Work(k.dtype), LENGTH, Work(k.real, 2 * n), INFO
                )
            else:
                re, im = k.temp(n, k.dtype), k.temp(n, k.dtype)
                k.lapack("geev", *jobs, n, a, n, re, im, *places, Work(k.dtype), LENGTH, INFO)
        if k.is_complex:
            k.check(0, _GOOD)
            for position, v in enumerate(given, 1):
                k.give(position, v, _GOOD)
            return
        k.em.line(f"jace::lapack::join({_GOOD}, {re}, {im}, {n}, {k.result(0)});")
        for position, v in enumerate(given, 1):
            k.em.line(f"jace::lapack::give_pairs({_GOOD}, {v}, {im}, {n}, {k.result(position)});")

    lapack_kernel(planner, eqn, build)


@register_region("svd", lazy=(0,))
def _svd(planner: Planner, eqn: JaxprEqn) -> None:
    p = eqn.params
    m, n = eqn.invars[0].aval.shape[-2:]
    least, most = min(m, n), max(m, n)
    if p["subset_by_index"] not in (None, (0, least)):
        raise unsupported(eqn, "a subset of singular values is not available on CPU (in JAX neither)")
    algorithm = _enum_name(p.get("algorithm"))
    if algorithm not in ("DEFAULT", "QR", "DIVIDE_AND_CONQUER"):
        raise unsupported(eqn, f"the {algorithm} algorithm is not available on CPU (in JAX neither)")
    vectors = p["compute_uv"]
    full = vectors and p["full_matrices"]
    job = ('"A"' if full else '"S"') if vectors else '"N"'

    def build(k: Lapack) -> None:
        if least == 0:  # only the square factor of full_matrices has elements
            for position, ref in enumerate(k.results):
                if ref.buffer.size:
                    k.em.line(f"jace::lapack::identity({k.result(position)}, {most});")
            return
        rows = (n if full else least) if vectors else least
        a = k.matrix(0)
        u = k.temp(m * (m if full else least) if vectors else 1, k.dtype)
        vt = k.temp(rows * n if vectors else 1, k.dtype)
        head = (m, n, a, m, k.result(0), u, m, vt, rows, Work(k.dtype), LENGTH)
        if algorithm == "QR":
            real = [Work(k.real, 5 * least)] if k.is_complex else []
            k.lapack("gesvd", job, job, *head, *real, INFO)
        else:
            size = max(5 * least * least + 5 * least, 2 * most * least + 2 * least * least + least)
            real = [Work(k.real, size if vectors else 7 * least)] if k.is_complex else []
            k.lapack("gesdd", job, *head, *real, Work(_INT, 8 * least), INFO)
        k.check(0, _GOOD)
        if vectors:
            k.give(1, u, _GOOD)
            k.give(2, vt, _GOOD)

    lapack_kernel(planner, eqn, build)


@register_region("schur", lazy=(0,))
def _schur(planner: Planner, eqn: JaxprEqn) -> None:
    if eqn.params["sort_eig_vals"]:
        raise unsupported(
            eqn, "sorting the eigenvalues of a Schur form is not available on CPU (in JAX neither)"
        )
    vectors = eqn.params["compute_schur_vectors"]

    def build(k: Lapack) -> None:
        n, _ = k.shape(0)
        a = k.matrix(0)
        vs = k.temp(n * n if vectors else 1, k.dtype)
        values = [k.temp(n, k.dtype)] if k.is_complex else [k.temp(n, k.dtype), k.temp(n, k.dtype)]
        real = [Work(k.real, n)] if k.is_complex else []
        job, nothing, selected = '"V"' if vectors else '"N"', "(void*)nullptr", k.temp(1, _INT)
        head = (job, '"N"', nothing, n, a, n, selected, *values, vs, n)
        k.lapack("gees", *head, Work(k.dtype), LENGTH, *real, nothing, INFO)
        k.give(0, a, _GOOD)
        if vectors:
            k.give(1, vs, _GOOD)

    lapack_kernel(planner, eqn, build)


@register_region("hessenberg", lazy=(0,))
def _hessenberg(planner: Planner, eqn: JaxprEqn) -> None:
    def build(k: Lapack) -> None:
        n, _ = k.shape(0)
        a = k.matrix(0)
        k.lapack("gehrd", n, 1, n, a, n, k.result(1), Work(k.dtype), LENGTH, INFO)
        k.give(0, a, _GOOD)
        k.check(1, _GOOD)

    lapack_kernel(planner, eqn, build)


@register_region("tridiagonal", lazy=(0,))
def _tridiagonal(planner: Planner, eqn: JaxprEqn) -> None:
    uplo = _uplo(eqn.params["lower"])

    def build(k: Lapack) -> None:
        n, _ = k.shape(0)
        a = k.matrix(0)
        routine = "hetrd" if k.is_complex else "sytrd"
        vectors = [k.result(position) for position in (1, 2, 3)]
        k.lapack(routine, uplo, n, a, n, *vectors, Work(k.dtype), LENGTH, INFO)
        k.give(0, a, _GOOD)
        for position in (1, 2, 3):
            k.check(position, _GOOD)

    lapack_kernel(planner, eqn, build)


@register_region("tridiagonal_solve")
def _tridiagonal_solve(planner: Planner, eqn: JaxprEqn) -> None:
    batch = tuple(eqn.invars[3].aval.shape[:-2])

    def build(k: Lapack) -> None:
        m, n = k.shape(3)
        if eqn.params.get("perturb_singular"):
            lower, diagonal, upper = (k.operand(position) for position in range(3))
            x, u = k.result(0), k.temp(3 * m, k.dtype)
            k.em.line(f"jace::lapack::copy({k.operand(3)}, {m * n}, {x});")
            arguments = f"{m}, {n}, {lower}, {diagonal}, {upper}, {x}, {u}"
            k.em.line(f"jace::lapack::solve_tridiagonal_perturbed({arguments});")
            return
        lower, diagonal, upper = (k.vector(position) for position in range(3))
        b = k.matrix(3)
        k.lapack("gtsv", m, n, f"{lower} + 1", diagonal, upper, b, m, INFO)
        k.give(0, b, _GOOD)

    lapack_kernel(planner, eqn, build, batch=batch)
