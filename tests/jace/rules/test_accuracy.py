"""A fast subset of scripts/bench_accuracy.py: no function's largest error is above XLA's and 4 ULP."""

from __future__ import annotations

from typing import Any

import jax
import mpmath
import numpy as np
import pytest
from jax import lax
from script_modules import load_script

import jace


def load() -> Any:
    return load_script("bench_accuracy")


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_errors_are_at_most_those_of_xla_or_four_ulp(dtype: str) -> None:
    bench = load()
    rows = bench.run(list(bench.FUNCTIONS), dtype, 1000, whole=False)
    failed = [row for row in rows if not row.passed]
    assert not failed, failed


def test_incomplete_gamma_far_beyond_what_the_bench_draws() -> None:
    """Every branch: series, fraction, complement of a small a, tail integral, density in parts; where XLA drifts."""
    cases = [
        (1e-12, 0.3), (1e-3, 1.05), (0.2, 1e-200), (1.25, 1.1), (3.0, 600.0), (99.5, 40.0), (150.0, 149.0),
        (150.0, 20.0), (199.9, 260.5), (201.0, 150.0), (201.0, 250.0), (5000.0, 5100.0), (5000.0, 3600.0),
        (5000.0, 7100.0), (2e4, 1.96e4),
    ]  # fmt: skip
    a, x = (np.array(v) for v in zip(*cases, strict=True))
    mpmath.mp.dps = 60
    p = [mpmath.gammainc(mpmath.mpf(s), 0, mpmath.mpf(t), regularized=True) for s, t in cases]
    q = [mpmath.gammainc(mpmath.mpf(s), mpmath.mpf(t), mpmath.inf, regularized=True) for s, t in cases]
    # by quadrature of the density to 30 digits: the series of other libraries gives up after some thousand terms
    a, x = np.append(a, 9150384.848806717), np.append(x, 9136587.812868383)
    lower = "2.51841671746717925044695744e-6"
    p, q = [*p, mpmath.mpf(lower)], [*q, 1 - mpmath.mpf(lower)]
    with jax.enable_x64(True):
        np.testing.assert_allclose(jace.jit(lax.igamma)(a, x), np.array(p, float), rtol=2e-14)
        np.testing.assert_allclose(jace.jit(lax.igammac)(a, x), np.array(q, float), rtol=2e-14)


def test_incomplete_beta_far_beyond_what_the_bench_draws() -> None:
    cases = [
        (1e-10, 0.5, 1e-200), (0.5, 0.01, 0.999), (60.0, 80.0, 0.4), (149.0, 5.0, 0.96), (3000.0, 20.0, 0.99),
        (20.0, 3000.0, 0.004), (2000.0, 2000.0, 0.49), (0.001, 1e3, 1e-6),
    ]  # fmt: skip
    a, b, x = (np.array(v) for v in zip(*cases, strict=True))
    mpmath.mp.dps = 60
    true = [mpmath.betainc(*map(mpmath.mpf, (s, t)), 0, mpmath.mpf(u), regularized=True) for s, t, u in cases]
    with jax.enable_x64(True):
        np.testing.assert_allclose(jace.jit(lax.betainc)(a, b, x), np.array(true, float), rtol=2e-13)
