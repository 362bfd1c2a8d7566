"""Factorisations, solves and Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw, Operand, dtype_of
from jace_repro.fuzz.operations.registry import operation

_linalg: Any = lax.linalg
_scipy: Any = jax.scipy.linalg


def _dtype(d: Draw) -> Any:
    names = ("float32", "complex64", *(("float64", "complex128") * d.x64))
    return dtype_of(d.pick("dtype", names))


def _square(d: Draw, domain: str, most: int = 6, least: int = 0) -> Operand:
    n = d.pick("order", tuple(n for n in (1, 2, 3, 4, 6, 0, 17, 33) if least <= n <= most))
    return d.array(shape=(*_batch(d), n, n), dtype=_dtype(d), domain=domain)


def _tall(d: Draw, domain: str = "well conditioned") -> Operand:
    m, n = d.pick("shape", ((3, 3), (5, 2), (2, 5), (1, 1), (1, 4), (4, 1), (7, 6), (0, 2), (33, 20)))
    return d.array(shape=(*_batch(d), m, n), dtype=_dtype(d), domain=domain)


def _batch(d: Draw) -> tuple[int, ...]:
    return d.pick("batch", ((), (), (2,), (2, 3), (0,)))


@operation
def _cholesky(d: Draw) -> Callable[..., Any]:
    _square(d, d.pick("matrix", ("positive definite", "positive definite", "indefinite", "zeros")), 33)
    symmetrize = d.flag("symmetrize_input")
    return lambda x: _linalg.cholesky(x, symmetrize_input=symmetrize)


@operation
def _cho_solve(d: Draw) -> Callable[..., Any]:
    x = _square(d, "positive definite", 17)
    d.array(shape=(*x.shape[:-1], 2), dtype=x.dtype, domain="plain")
    lower = d.flag("lower")
    return lambda a, b: _scipy.cho_solve(_scipy.cho_factor(a, lower=lower), b)


@operation
def _lu(d: Draw) -> Callable[..., Any]:
    _tall(d, d.pick("matrix", ("well conditioned", "well conditioned", "singular", "zeros")))
    return lambda x: _linalg.lu(x)


@operation
def _solve(d: Draw) -> Callable[..., Any]:
    x = _square(d, "well conditioned", 17)
    d.array(shape=(*x.shape[:-1], d.pick("columns", (1, 3))), dtype=x.dtype, domain="plain")
    return jnp.linalg.solve


@operation
def _inverse(d: Draw) -> Callable[..., Any]:
    _square(d, "well conditioned")
    return d.pick("function", (jnp.linalg.inv, jnp.linalg.det, jnp.linalg.slogdet, jax.scipy.linalg.expm))


@operation
def _qr(d: Draw) -> Callable[..., Any]:
    _tall(d)
    full, pivoting = d.flag("full_matrices"), d.flag("pivoting")
    return lambda x: _linalg.qr(x, full_matrices=full, pivoting=pivoting)


@operation
def _eigh(d: Draw) -> Callable[..., Any]:
    _square(d, "indefinite", 17)
    lower, symmetrize = d.flag("lower"), d.flag("symmetrize_input")
    vectors = d.flag("vectors")

    def run(x: Any) -> Any:
        # The sign of an eigenvector means nothing: what it spans does.
        v, w = _linalg.eigh(x, lower=lower, symmetrize_input=symmetrize)
        return (w, (v * w[..., None, :]) @ jnp.conj(jnp.swapaxes(v, -1, -2))) if vectors else w

    return run


@operation
def _eigvals(d: Draw) -> Callable[..., Any]:
    _square(d, "well conditioned")
    both = d.pick("vectors", ((False, False), (True, False), (False, True), (True, True)))
    return lambda x: _linalg.eig(x, compute_left_eigenvectors=both[0], compute_right_eigenvectors=both[1])


@operation
def _svd(d: Draw) -> Callable[..., Any]:
    _tall(d)
    vectors, full = d.flag("compute_uv"), d.flag("full_matrices")
    algorithm = d.pick("algorithm", (None, None, _linalg.SvdAlgorithm.QR))
    return lambda x: _linalg.svd(x, full_matrices=full, compute_uv=vectors, algorithm=algorithm)


@operation
def _factors_of_nothing(d: Draw) -> Callable[..., Any]:
    """Of a matrix without rows or columns: a factor may have elements all the same."""
    d.array(shape=(*_batch(d), *d.pick("shape", ((3, 0), (0, 4), (0, 0)))), dtype=_dtype(d), domain="plain")
    full = d.flag("full_matrices")
    factors: dict[str, Callable[[Any], Any]] = {
        "svd": lambda x: _linalg.svd(x, full_matrices=full),
        "qr": lambda x: _linalg.qr(x, full_matrices=full),
        "lu": lambda x: _linalg.lu(x),
    }
    return factors[d.pick("function", tuple(factors))]


@operation
def _factors_of_what_is_not_finite(d: Draw) -> Callable[..., Any]:
    """Of a matrix with a NaN or an infinity somewhere, which all of a factor is to show."""
    _square(d, d.pick("where", ("first not finite", "last not finite")), least=1)
    factors: dict[str, Callable[[Any], Any]] = {
        **{name: getattr(_linalg, name) for name in ("cholesky", "lu", "qr", "svd", "eigh", "eig", "schur")},
        "hessenberg": _linalg.hessenberg,
        "tridiagonal": _linalg.tridiagonal,
        "singular values": lambda x: _linalg.svd(x, compute_uv=False),
        "triangular_solve": lambda x: _linalg.triangular_solve(x, x, left_side=True),
    }
    return factors[d.pick("function", tuple(factors))]


@operation
def _triangular_solve(d: Draw) -> Callable[..., Any]:
    x = _square(d, "triangular", 17)
    left = d.flag("left_side")
    other = (x.shape[-1], d.pick("columns", (1, 2, 5)))
    d.array(shape=(*x.shape[:-2], *(other if left else other[::-1])), dtype=x.dtype, domain="plain")
    names = ("lower", "transpose_a", "conjugate_a", "unit_diagonal")
    named = {name: d.flag(name) for name in names}
    return lambda a, b: _linalg.triangular_solve(a, b, left_side=left, **named)


@operation
def _householder(d: Draw) -> Callable[..., Any]:
    _tall(d)

    def run(x: Any) -> Any:
        reflectors, taus = jnp.linalg.qr(x[..., : x.shape[-2]], mode="raw")
        return _linalg.householder_product(jnp.swapaxes(reflectors, -1, -2), taus)

    return run


@operation
def _schur(d: Draw) -> Callable[..., Any]:
    _square(d, "well conditioned")
    return lambda x: _linalg.schur(x)


@operation
def _hessenberg(d: Draw) -> Callable[..., Any]:
    _square(d, "well conditioned", least=1)  # JAX refuses an empty matrix when it is compiled
    return lambda x: _linalg.hessenberg(x)


@operation
def _tridiagonal(d: Draw) -> Callable[..., Any]:
    _square(d, "indefinite", least=1)
    lower = d.flag("lower")
    return lambda x: _linalg.tridiagonal(x, lower=lower)


@operation
def _tridiagonal_solve(d: Draw) -> Callable[..., Any]:
    n, dtype = d.pick("order", (3, 4, 9, 17)), _dtype(d)
    batch = _batch(d)
    for domain in ("small", "dominant", "small"):
        d.array(shape=(*batch, n), dtype=dtype, domain=domain)
    d.array(shape=(*batch, n, d.pick("columns", (1, 3))), dtype=dtype, domain="plain")
    return _linalg.tridiagonal_solve


@operation
def _tridiagonal_solve_perturbed(d: Draw) -> Callable[..., Any]:
    """Rows that change places or not, are apart from one another, or make the matrix singular."""
    n, dtype = d.pick("order", (1, 2, 3, 5, 9, 17)), _dtype(d)
    batch = _batch(d)
    below, middle = d.pick(
        "diagonals", (("ties", "dominant"), ("plain", "small"), ("ties", "ties"), ("small", "plain"))
    )
    for domain in (below, middle, "plain"):
        d.array(shape=(*batch, n), dtype=dtype, domain=domain)
    d.array(shape=(*batch, n, d.pick("columns", (1, 3))), dtype=dtype, domain="plain")
    return lambda *operands: _linalg.tridiagonal_solve(*operands, perturb_singular=True)


@operation
def _ormqr(d: Draw) -> Callable[..., Any]:
    """A product with the orthogonal matrix of a QR decomposition, from either side."""
    x = _square(d, "well conditioned", least=1)
    n, left, transpose = x.shape[-1], d.flag("left"), d.flag("transpose")
    columns = d.pick("columns", (1, 2, 5))
    d.array(shape=(*x.shape[:-2], *((n, columns) if left else (columns, n))), dtype=x.dtype, domain="plain")

    def run(x: Any, c: Any) -> Any:
        reflectors, taus = jnp.linalg.qr(x, mode="raw")
        reflectors = jnp.swapaxes(reflectors, -1, -2)
        return _linalg.ormqr(reflectors, taus, c, left=left, transpose=transpose)

    return run


@operation
def _fft(d: Draw) -> Callable[..., Any]:
    kind = d.pick("kind", ("fft", "ifft", "rfft", "irfft"))
    axes = d.pick("transformed axes", (1, 1, 2, 3))
    lengths = [
        d.pick("length", (1, 2, 3, 4, 5, 7, 8, 9, 11, 16, 12, 30, 64, 101)[: 14 if axes == 1 else 8])
        for _ in range(axes)
    ]
    batch = d.pick("batch", ((), (), (3,), (2, 2), (0,)))
    wide = d.x64 and d.flag("wide")
    real = dtype_of("float64" if wide else "float32")
    dtype = real if kind == "rfft" else dtype_of("complex128" if wide else "complex64")
    shape = [*lengths]
    if kind == "irfft":
        shape[-1] = lengths[-1] // 2 + 1
    d.array(shape=(*batch, *shape), dtype=dtype, domain="plain")
    return lambda x: lax.fft(x, kind, tuple(lengths))


@operation
def _fft_large(d: Draw) -> Callable[..., Any]:
    """So many transforms, or so long ones, that threads share them."""
    shape = d.pick("shape", ((20, 4096), (1030, 64), (3, 16_385), (101, 1001), (9, 64, 130), (2**17 + 2,)))
    kind, axis = d.pick("kind", ("fft", "ifft", "rfft", "irfft")), d.pick("axis", (-1, -1, 0))
    d.array(shape=shape, dtype=dtype_of("float32" if kind == "rfft" else "complex64"), domain="plain")
    function: Any = getattr(jnp.fft, kind)
    return lambda x: function(x, axis=axis)


@operation
def _fft_of_vector(d: Draw) -> Callable[..., Any]:
    """One vector, complex: DaCe has a node for it."""
    dtype = d.dtype("c")
    d.array(shape=(d.pick("length", (2, 3, 5, 8, 30, 64, 101, 1024, 1025)),), dtype=dtype, domain="plain")
    kind, there = d.pick("kind", ("fft", "ifft")), d.flag("there and back")
    function: Any = getattr(jnp.fft, kind)
    return lambda x: jnp.fft.ifft(jnp.fft.fft(x) * 2) if there else function(x)


@operation
def _fft_numpy(d: Draw) -> Callable[..., Any]:
    d.array("fc", (d.length(1), d.length(2)), domain="plain")
    if d.operands[-1].dtype.itemsize < 4:
        d.operands[-1] = Operand(d.operands[-1].shape, dtype_of("float32"), "plain")
    name = d.pick("function", ("fft", "ifft", "fft2", "fftshift", "hfft"))
    norm = d.pick("norm", (None, "ortho", "forward"))
    function: Any = getattr(jnp.fft, name)
    return lambda x: function(x) if name == "fftshift" else function(x, norm=norm)
