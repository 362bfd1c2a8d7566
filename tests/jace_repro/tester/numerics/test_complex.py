"""The oracle's complex functions are right in both parts, where XLA's in the wide type are not."""

from __future__ import annotations

import jax
import mpmath
import numpy as np
import pytest
from jax import lax
from oracles import oracle

from jace_repro.tester.numerics.numpy_ops import COMPLEX, of_complex


def numbers(count: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    parts = [rng.choice([-1.0, 1.0], count) * 10 ** rng.uniform(-18, 1.3, count) for _ in range(2)]
    return parts[0] + 1j * parts[1]


@pytest.mark.parametrize("name", sorted(COMPLEX))
def test_both_parts_are_right_to_the_last_digits(name: str) -> None:
    points = numbers(300)
    found = of_complex(name, points)
    with mpmath.workdps(60):
        right = [getattr(mpmath, name)(mpmath.mpc(z.real, z.imag)) for z in points]
    for have, want in zip(found, right, strict=True):
        assert have.real == pytest.approx(float(want.real), rel=1e-14, abs=0)
        assert have.imag == pytest.approx(float(want.imag), rel=1e-14, abs=0)


def test_what_is_not_finite_is_left_to_jax() -> None:
    odd = np.array([np.inf + 1j, np.nan + 0j, 800.0 + 1j])
    assert np.isnan(of_complex("exp", odd)).all()


def test_a_small_sinh_of_xla_is_convicted() -> None:
    z = np.array([1.4e-6 - 8.9e-4j, 2e-19 + 0j], np.complex64)
    found = oracle(lax.sinh, z)
    assert not found.assess([np.sinh(z.astype(np.complex128)).astype(np.complex64)]).wrong
    assert found.assess([np.array([1.3e-6 - 8.9e-4j, 0], np.complex64)]).wrong


def test_beside_a_pole_a_logistic_function_may_cancel() -> None:
    z = np.array([1j * np.pi * (1 + 2**-8)])
    with jax.enable_x64(True):
        found = oracle(lax.logistic, z)
        right = 1 / (1 + np.exp(-z))
        beside = 2 * np.finfo(np.float64).eps * np.abs(right) ** 2
        assert not found.assess([right + beside]).wrong
        assert found.assess([right + 1e3 * beside]).wrong
