"""jax.experimental.sparse inside of jace.jit."""

from __future__ import annotations

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import PIPELINES, check, run
from jax.experimental import sparse
from jax.experimental.sparse import _lowerings, linalg
from together import together

import jace

_random = np.random.RandomState(0)


def _matrix(rows: int, columns: int) -> np.ndarray:
    dense = _random.randn(rows, columns) * (_random.rand(rows, columns) < 0.5)
    return dense.astype(np.float32)


D, E = _matrix(5, 6), _matrix(6, 4)
V, M = np.float32(_random.randn(6)), np.float32(_random.randn(6, 3))
BCOO, BCSR = sparse.BCOO.fromdense(D, nse=20), sparse.BCSR.fromdense(D, nse=20)
FLAT = {"coo": sparse.COO.fromdense(D), "csr": sparse.CSR.fromdense(D), "csc": sparse.CSC.fromdense(D)}

PROGRAMS = {
    "fromdense": lambda s, d: sparse.BCOO.fromdense(d, nse=25),
    "todense": lambda s, d: s.todense(),
    "any-todense": lambda s, d: sparse.todense(s) + sparse.todense(d),
    "matvec": lambda s, d: s @ V,
    "matmul": lambda s, d: s @ M,
    "sparse-sparse": lambda s, d: (s @ sparse.BCOO.fromdense(E, nse=15)).todense(),
    "transpose": lambda s, d: s.T.todense(),
    "sum-duplicates": lambda s, d: sparse.BCOO(
        (jnp.tile(s.data, 2), jnp.tile(s.indices, (2, 1))), shape=s.shape
    ).sum_duplicates(nse=20),
    "sort-indices": lambda s, d: sparse.BCOO((s.data[::-1], s.indices[::-1]), shape=s.shape).sort_indices(),
    "extract": lambda s, d: sparse.bcoo_extract(s, d * 2),
    "sampled": lambda s, d: sparse.bcoo_dot_general_sampled(
        d, E, s.indices % 4, dimension_numbers=(((1,), (0,)), ((), ()))
    ),
    "multiply-dense": lambda s, d: sparse.bcoo_multiply_dense(s, d),
    "multiply-sparse": lambda s, d: sparse.bcoo_multiply_sparse(s, s).todense(),
    "slice": lambda s, d: sparse.bcoo_slice(s, start_indices=(1, 1), limit_indices=(4, 5)).todense(),
    "concatenate": lambda s, d: sparse.bcoo_concatenate([s, s], dimension=0).todense(),
    "reduce": lambda s, d: sparse.bcoo_reduce_sum(s, axes=(0,)).todense(),
    "index": lambda s, d: s[1:3].todense(),
    "sparsify": lambda s, d: sparse.sparsify(lambda m: (m * 2).sum(0) + (m.T @ V[:5]) * 3)(s),
    "batched": lambda s, d: jax.vmap(lambda row: sparse.BCOO.fromdense(row, nse=6).todense())(d),
    "gradient": lambda s, d: jax.grad(
        lambda data: ((sparse.BCOO((data, s.indices), shape=s.shape) @ V) ** 2).sum()
    )(s.data),
}

#: Run on every pipeline: the rest are the same few gathers, scatters and sorts.
BOTH = ("matvec", "sum-duplicates", "sort-indices", "transpose")


@together
@pytest.mark.parametrize("name", PROGRAMS)
def test_bcoo(name):
    check(PROGRAMS[name], BCOO, D, pipelines=PIPELINES if name in BOTH else ("fused",))


BCSR_PROGRAMS = {
    "fromdense": lambda s, d: sparse.BCSR.fromdense(d, nse=25),
    "todense": lambda s, d: s.todense(),
    "matvec": lambda s, d: s @ V,
    "matmul": lambda s, d: s @ M,
    "extract": lambda s, d: sparse.bcsr.bcsr_extract(s.indices, s.indptr, d),
    "to-bcoo": lambda s, d: s.to_bcoo().todense(),
}


@together
@pytest.mark.parametrize("name", BCSR_PROGRAMS)
def test_bcsr(name):
    check(BCSR_PROGRAMS[name], BCSR, D, pipelines=("fused",))


@together
@pytest.mark.parametrize("kind", FLAT)
def test_flat_formats(kind):
    def program(s):
        return s.todense(), s @ V, s @ M, s.T @ V[:5]

    check(program, FLAT[kind], pipelines=("fused",))
    check(lambda d: type(FLAT[kind]).fromdense(d, nse=20).todense(), D, pipelines=("fused",))


def test_products_that_xla_has_no_code_for_on_cpu():
    """XLA refuses these primitives on CPU; the dense product says what they mean."""
    coo, csr = FLAT["coo"], FLAT["csr"]

    def program(transpose, v, m):
        p = {"transpose": transpose, "shape": (5, 6)}
        return (
            _lowerings.coo_spmv_p.bind(coo.data, coo.row, coo.col, v, **p),
            _lowerings.coo_spmm_p.bind(coo.data, coo.row, coo.col, m, **p),
            _lowerings.csr_spmv_p.bind(csr.data, csr.indices, csr.indptr, v, **p),
            _lowerings.csr_spmm_p.bind(csr.data, csr.indices, csr.indptr, m, **p),
        )

    for transpose, matrix, v, m in [(False, D, V, M), (True, D.T, V[:5], M[:5])]:
        got = run(lambda *a, t=transpose: program(t, *a), (v, m), "fused")
        for value, expected in zip(got, [matrix @ v, matrix @ m] * 2, strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_direct_solver_stays_with_python():
    matrix = sparse.CSR.fromdense(D[:, :5] + 5 * np.eye(5, dtype=np.float32))
    solve = lambda b: linalg.spsolve(matrix.data, matrix.indices, matrix.indptr, b * 2) + 1
    np.testing.assert_allclose(jace.jit(solve)(V[:5]), jax.jit(solve)(V[:5]), rtol=1e-6)


def test_jace_does_not_load_the_sparse_package():
    code = "import jace, jace.rules, sys; sys.exit('jax.experimental.sparse' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
