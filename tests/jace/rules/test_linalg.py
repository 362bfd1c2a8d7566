"""jax.lax.linalg and what jax.numpy and jax.scipy build on it, against XLA: the same LAPACK, hence the same numbers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest
from agreement import assert_same
from both_ways import PIPELINES, by_xla, check, on_pipelines, run
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.lax import linalg
from together import together

import jace
from jace.releases.xla import XLA

Array = Any
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def matrix(*shape: int, dtype: Any = np.float64, seed: int = 0) -> Array:
    """A random array; complex dtypes get an imaginary part."""
    rng = np.random.default_rng([seed, *shape])
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def positive(*shape: int, dtype: Any = np.float64, seed: int = 0) -> Array:
    """Hermitian and positive definite matrices."""
    a = matrix(*shape, dtype=dtype, seed=seed)
    return (a @ a.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])).astype(dtype)


def decompositions(a: Array, s: Array) -> dict[str, Any]:
    """Every primitive with a factorisation, on square, tall and wide matrices."""
    out: dict[str, Any] = {
        "cholesky": linalg.cholesky(s),
        "cholesky of the lower triangle": linalg.cholesky(jnp.triu(s, 1) + s, symmetrize_input=False),
        "eigh": linalg.eigh(s),
        "eigh of the upper triangle": linalg.eigh(a, lower=False, symmetrize_input=False),
        "eig": linalg.eig(a, compute_left_eigenvectors=True, compute_right_eigenvectors=True),
        "eigenvalues": linalg.eig(a, compute_left_eigenvectors=False, compute_right_eigenvectors=False),
        "schur": linalg.schur(a),
        "schur form": linalg.schur(a, compute_schur_vectors=False),
        "hessenberg": linalg.hessenberg(a),
        "tridiagonal": linalg.tridiagonal(s),
        "tridiagonal of the upper triangle": linalg.tridiagonal(s, lower=False),
    }
    for name, x in {"tall": a[..., :-1], "wide": a[..., :-1, :]}.items():
        out[f"lu {name}"] = linalg.lu(x)
        out[f"qr {name}"] = linalg.qr(x, full_matrices=True)
        out[f"thin qr {name}"] = linalg.qr(x, full_matrices=False, pivoting=True)
        out[f"svd {name}"] = linalg.svd(x, full_matrices=True)
        out[f"thin svd {name}"] = linalg.svd(x, full_matrices=False, algorithm=linalg.SvdAlgorithm.QR)
        out[f"singular values {name}"] = linalg.svd(x, compute_uv=False)
    return out


@together
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_decomposition(dtype: Any) -> None:
    pipelines = PIPELINES if dtype == np.complex64 else ["fused"]
    check(decompositions, matrix(2, 4, 4, dtype=dtype), positive(2, 4, 4, dtype=dtype), pipelines=pipelines)


@together
def test_blocked_code_of_large_matrices() -> None:
    def factors(a: Array, s: Array) -> Any:
        return linalg.cholesky(s), linalg.lu(a), linalg.qr(a), linalg.svd(a, compute_uv=False), linalg.eigh(s)

    a, s = matrix(150, 150), positive(150, 150)
    check(factors, a, s, pipelines=["fused"])
    (lower, lu, _, permutation, q, r, values, vectors, eigenvalues) = run(factors, (a, s), "fused")
    np.testing.assert_allclose(lower @ lower.T, s, atol=1e-9)
    np.testing.assert_allclose((np.tril(lu, -1) + np.eye(150)) @ np.triu(lu), a[permutation], atol=1e-9)
    np.testing.assert_allclose(q @ r, a, atol=1e-9)
    np.testing.assert_allclose(values, np.linalg.svd(a)[1], atol=1e-9)
    np.testing.assert_allclose(vectors * eigenvalues @ vectors.T, s, atol=1e-9)


FLAGS = [
    {name: bool(code >> bit & 1) for bit, name in enumerate(names)}
    for names in [("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal")]
    for code in range(32)
]


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines([np.float32, np.complex128], [np.float32]))
def test_triangular_solve_in_all_its_ways(dtype: Any, pipelines: Any) -> None:
    def solve(a: Array, left: Array, right: Array) -> Any:
        return [linalg.triangular_solve(a, left if kw["left_side"] else right, **kw) for kw in FLAGS]

    a, left, right = (
        positive(2, 3, 3, dtype=dtype),
        matrix(2, 3, 2, dtype=dtype),
        matrix(2, 2, 3, dtype=dtype),
    )
    check(solve, a, left, right, pipelines=pipelines)


def test_a_right_side_that_several_batches_share() -> None:
    def solve(a: Array, b: Array) -> Array:
        return linalg.triangular_solve(
            a, jnp.broadcast_to(b, (3, *b.shape)), left_side=True, lower=True, unit_diagonal=True
        )

    check(solve, matrix(3, 2, 3, 2, 2), matrix(2, 3, 2, 5))


@pytest.mark.parametrize("dtype", [np.float16, jnp.bfloat16])
def test_triangular_solve_of_narrow_floats_is_as_accurate_as_xla(dtype: Any) -> None:
    def solve(a: Array, b: Array) -> Array:
        return linalg.triangular_solve(a, b, left_side=True, lower=True)

    a, b = positive(5, 5).astype(dtype), matrix(5, 3).astype(dtype)
    exact = np.linalg.solve(np.tril(a.astype(np.float64)), b.astype(np.float64))
    (ours,), theirs = run(solve, (a, b), "fused"), np.asarray(jax.jit(solve)(a, b))
    errors = [np.abs(x.astype(np.float64) - exact).max() for x in (ours, theirs)]
    assert ours.dtype == np.dtype(dtype)
    assert errors[0] <= errors[1]


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines([np.float32, np.complex128], [np.complex128]))
def test_products_with_reflectors(dtype: Any, pipelines: Any) -> None:
    def products(a: Array, c: Array, d: Array) -> Any:
        h, tau = jnp.linalg.qr(a, mode="raw")
        h = h.mT
        q = linalg.householder_product(h, tau)
        sides = [
            linalg.ormqr(h, tau, c if left else d, left=left, transpose=transpose)
            for left in (True, False)
            for transpose in (True, False)
        ]
        return q, sides, jsl.qr_multiply(a[0], d[0])

    a, c, d = matrix(2, 4, 3, dtype=dtype), matrix(2, 4, 2, dtype=dtype), matrix(2, 2, 4, dtype=dtype)
    check(products, a, c, d, pipelines=pipelines)


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines([np.float32, np.complex128], [np.complex128]))
def test_tridiagonal_systems(dtype: Any, pipelines: Any) -> None:
    def solve(lower: Array, diagonal: Array, upper: Array, b: Array) -> Any:
        return (
            linalg.tridiagonal_solve(lower, diagonal, upper, b),
            linalg.tridiagonal_solve(lower, diagonal, upper, b, perturb_singular=True),
            linalg.tridiagonal_solve(
                lower[:, :1], diagonal[:, :1], upper[:, :1], b[:, :1], perturb_singular=True
            ),
        )

    diagonals = (matrix(2, 5, dtype=dtype, seed=k) for k in range(3))
    check(solve, *diagonals, matrix(2, 5, 3, dtype=dtype), pipelines=pipelines)


@together
@pytest.mark.parametrize("zeros", ["diagonal", "last row", "everything"])
def test_singular_tridiagonal_systems_are_perturbed(zeros: str) -> None:
    lower, diagonal, upper = (matrix(6, seed=k) for k in range(3))
    where = {"diagonal": slice(None), "last row": slice(-1, None), "everything": slice(None)}[zeros]
    diagonal[where] = 0
    if zeros != "diagonal":
        lower[where] = 0
    if zeros == "everything":
        upper[:] = 0

    def solve(*args: Array) -> Array:
        return linalg.tridiagonal_solve(*args, perturb_singular=True)

    args = (lower, diagonal, upper, matrix(6, 2))
    check(solve, *args, pipelines=["fused"])
    assert np.isfinite(run(solve, args, "fused")[0]).all()


@together
def test_what_jax_writes_in_terms_of_others() -> None:
    def derived(r: Array, w: Array, a: Array, c: Array, pivots: Array) -> Any:
        return (
            linalg.cholesky_update(r, w),
            linalg.symmetric_product(a, c, alpha=2.0, beta=3.0, symmetrize_output=True),
            linalg.lu_pivots_to_permutation(pivots, 6),
        )

    upper = np.linalg.cholesky(positive(3, 3)).T.copy()
    check(derived, upper, matrix(3), matrix(4, 2), positive(4, 4), np.array([[3, 4, 2, 5]] * 2, np.int32))


EMPTY = {
    "square": ((0, 0), lambda x: (linalg.cholesky(x), linalg.eigh(x), linalg.eig(x), linalg.schur(x))),
    "no matrices": ((0, 3, 3), lambda x: (linalg.cholesky(x), linalg.eigh(x), linalg.eig(x), linalg.lu(x))),
    "no rows": ((2, 0, 3), lambda x: (linalg.lu(x), linalg.qr(x), linalg.svd(x), linalg.svd(x, full_matrices=False))),
    "no columns": ((3, 0), lambda x: (linalg.lu(x), linalg.qr(x, full_matrices=True), linalg.svd(x))),
    "nothing to solve": ((3, 0), lambda x: jnp.linalg.solve(jnp.eye(3), x)),
    "solve": ((0, 0), lambda x: (jnp.linalg.solve(x, x), jnp.linalg.inv(x), jnp.linalg.det(x))),
    "tridiagonal systems": ((0, 2), lambda b: linalg.tridiagonal_solve(b[:, 0], b[:, 0], b[:, 0], b)),
}  # fmt: skip


@together
@pytest.mark.parametrize("case", EMPTY)
def test_empty_matrices(case: str) -> None:
    shape, fun = EMPTY[case]
    check(fun, np.zeros(shape))


def test_reflectors_of_no_columns() -> None:
    """Not together with others: XLA dies of a second use of such an array (corpus/xla/ormqr_of_no_columns.py)."""
    check(lambda a: linalg.ormqr(a, a[0], jnp.ones((3, 2))), np.zeros((3, 0)))


def failing(a: Array, s: Array) -> dict[str, Any]:
    """What answers NaN for a matrix with an element that is not finite."""
    return {
        "cholesky": linalg.cholesky(s),
        "eigh": linalg.eigh(s),
        "eig": linalg.eig(a),
        "svd": linalg.svd(a),
        "solve": linalg.tridiagonal_solve(a[..., 0], a[..., 1], a[..., 2], a),
    }


@together
@pytest.mark.parametrize(
    ("bad", "dtype"),
    [
        (np.nan, np.complex128),
        (np.inf, np.float32),
        pytest.param(np.nan, np.float32, marks=pytest.mark.slow),
        pytest.param(np.inf, np.complex128, marks=pytest.mark.slow),
    ],
)
def test_bad_matrices_give_nan_and_leave_the_others_alone(dtype: Any, bad: float) -> None:
    a = matrix(2, 4, 4, dtype=dtype)
    a[0, 1, 2] = bad
    s = positive(2, 4, 4, dtype=dtype)
    s[0, 2, 1] = s[0, 1, 2] = bad
    check(failing, a, s, pipelines=["fused"])
    got = jax.tree.unflatten(jax.tree.structure(failing(a, s)), run(failing, (a, s), "fused"))
    for name in ("cholesky", "eig", "eigh", "svd"):
        for leaf in jax.tree.leaves(got[name]):
            assert np.isnan(leaf[0]).any(), name
            assert np.isfinite(leaf[1]).all(), name


@together
def test_matrices_that_are_singular_or_indefinite() -> None:
    def factors(zero: Array, indefinite: Array) -> Any:
        diagonal = zero[:, 0]
        return (
            linalg.lu(zero),
            linalg.qr(zero),
            linalg.svd(zero),
            linalg.cholesky(indefinite),
            jnp.linalg.solve(zero, indefinite),
            linalg.tridiagonal_solve(diagonal, diagonal, diagonal, zero),
        )

    zero, indefinite = np.zeros((3, 3)), np.diag([1.0, -1.0, 1.0])
    check(factors, zero, indefinite)
    got = run(factors, (zero, indefinite), "fused")
    assert np.isnan(got[8][np.tril_indices(3)]).all()  # the Cholesky factor
    assert np.isnan(got[10]).all()  # the tridiagonal system


def library(a: Array, s: Array, t: Array, b: Array) -> dict[str, Any]:
    """jax.numpy.linalg and jax.scipy.linalg."""
    la = jnp.linalg
    return {
        "inv": la.inv(a), "det": la.det(a), "slogdet": la.slogdet(a), "solve": la.solve(a, b),
        "lstsq": la.lstsq(t, t[:, 0] ** 2), "pinv": la.pinv(t), "rank": la.matrix_rank(t), "cond": la.cond(a),
        "norm": la.norm(a, "nuc"), "power": la.matrix_power(a, -3), "eigvals": la.eigvals(a),
        "eigvalsh": la.eigvalsh(s), "svd": la.svd(s, hermitian=True), "cholesky": la.cholesky(s, upper=True),
        "expm": jsl.expm(a), "polar": jsl.polar(t),
        "hessenberg": jsl.hessenberg(a, calc_q=True), "lu": jsl.lu(a), "posv": jsl.solve(s, b, assume_a="pos"),
        "lu_solve": jsl.lu_solve(jsl.lu_factor(a), b, trans=1), "cho_solve": jsl.cho_solve(jsl.cho_factor(s), b),
        "triangular": jsl.solve_triangular(s, b, trans=2, lower=True), "qr": jsl.qr(t, pivoting=True, mode="economic"),
        "sqrtm": jsl.sqrtm(a), "schur": jsl.schur(a, output="complex"),
    }  # fmt: skip


@together
def test_functions_of_jax_numpy_and_jax_scipy() -> None:
    check(library, matrix(4, 4), positive(4, 4), matrix(6, 4), matrix(4, 2), pipelines=["fused"])


GRADIENTS: dict[str, Callable[[Array], Array]] = {
    "cholesky": lambda x: (linalg.cholesky(x) ** 3).sum(),
    "lu": lambda x: (linalg.lu(x)[0] ** 3).sum(),
    "qr": lambda x: sum((y**3).sum() for y in linalg.qr(x)),
    "eigh": lambda x: (linalg.eigh(x)[1] ** 2).sum() + (linalg.eigh(x)[0][0] ** 2).sum(),
    "svd": lambda x: sum((y**3).sum() for y in linalg.svd(x[:, :2], full_matrices=False)),
    "eigvals": lambda x: (jnp.linalg.eigvals(x).real ** 2).sum(),
    "solve": lambda x: (jnp.linalg.solve(x, x[0]) ** 2).sum(),
    "triangular_solve": lambda x: (linalg.triangular_solve(x, x @ x) ** 2).sum(),
    "tridiagonal_solve": lambda x: (linalg.tridiagonal_solve(x[0], x[1] + 9, x[2], x) ** 2).sum(),
    "slogdet": lambda x: jnp.linalg.slogdet(x)[1],
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_derivatives_around_a_compiled_function(name: str) -> None:
    fun, x = GRADIENTS[name], positive(3, 3) + np.triu(matrix(3, 3), 1)
    assert_same(by_xla(jax.grad(fun), x), [jax.grad(jace.jit(fun))(x)])


@together
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_inside_of_control_flow(pipeline: str) -> None:
    def program(s: Array, b: Array) -> Any:
        def step(x: Array, k: Array) -> tuple[Array, Any]:
            return jnp.linalg.solve(s[0], x) + k, (linalg.eigh(s * k), linalg.lu(s + k))

        last, stacked = jax.lax.scan(step, b, jnp.arange(1.0, 4.0))
        return last, stacked, jax.lax.cond(b[0, 0] > 9, linalg.cholesky, lambda x: -x, s)

    check(program, positive(2, 3, 3), matrix(3, 2), pipelines=[pipeline])


def test_calls_from_several_threads() -> None:
    s = positive(50, 6, 6)
    compiled = jace.compile_jaxpr(jax.make_jaxpr(lambda x: (linalg.eigh(x), linalg.svd(x)))(s))
    inputs = [s * (k + 1) for k in range(4)]
    expected = [compiled.call_direct(x) for x in inputs]
    got: list[Any] = [None] * len(inputs)

    def work(k: int) -> None:
        for _ in range(20):
            got[k] = compiled.call_direct(inputs[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(expected, got, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_cheap_operands_are_computed_while_they_are_copied() -> None:
    def source(fun: Callable[[Array], Array]) -> str:
        return jace.jit(fun).lower(np.eye(3)).compile().as_text()

    assert "by_columns(element" in source(linalg.cholesky)
    assert "by_columns(element" not in source(
        lambda x: linalg.cholesky(jnp.exp(jnp.sin(x)), symmetrize_input=False)
    )
    check(lambda x: linalg.lu((x + x.T) / 2), matrix(40, 40), pipelines=["fused"])


def shaped(n: int) -> Any:
    return jax.ShapeDtypeStruct((n, n), np.float32)


@pytest.mark.parametrize(
    ("fun", "x", "message"),
    [
        # From jax 0.11 on JAX itself has none.
        *([] if XLA >= 1100 else [(linalg.cholesky, np.eye(3, dtype=np.float16), "no float16 routines")]),
        (lambda x: linalg.eigh(x, subset_by_index=(0, 2)), np.eye(3), "subset of eigenvalues"),
        (lambda x: linalg.eigh(x, implementation=linalg.EighImplementation.JACOBI), np.eye(3), "JACOBI"),
        (
            lambda x: linalg.svd(x, subset_by_index=(0, 2), full_matrices=False),
            np.eye(3),
            "subset of singular",
        ),
        (lambda x: linalg.svd(x, algorithm=linalg.SvdAlgorithm.JACOBI), np.eye(3), "JACOBI"),
        (
            lambda x: linalg.eig(x, implementation=linalg.EigImplementation.MAGMA),
            np.eye(3),
            "only the lapack",
        ),
        (linalg.cholesky, shaped(2**31), "lapack/spotrf takes 32-bit integers, but 2147483648"),
        (linalg.eigh, shaped(40_000), "32-bit integers, but 3200240001"),
    ],
)
def test_what_cannot_be_translated_says_why(fun: Any, x: Any, message: str) -> None:
    with pytest.raises(jace.UnsupportedPrimitiveError, match=message):
        jace.jit(fun).lower(x)


ROUTINES: dict[str, Callable[[Array], Any]] = {
    "lu": linalg.lu,
    "qr": lambda x: linalg.qr(x, full_matrices=True),
    "thin qr": lambda x: linalg.qr(x, full_matrices=False, pivoting=True),
    "svd": linalg.svd,
    "thin svd": lambda x: linalg.svd(x, full_matrices=False),
}


@together
@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(sorted(ROUTINES)),
    shape=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    batch=st.sampled_from([(), (0,), (3,), (2, 2)]),
    dtype=st.sampled_from(DTYPES),
)
def test_any_shape(name: str, shape: tuple[int, int], batch: tuple[int, ...], dtype: Any) -> None:
    with jax.enable_x64(True):
        check(ROUTINES[name], matrix(*batch, *shape, dtype=dtype), pipelines=["fused"])
