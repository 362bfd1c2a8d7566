"""The oracle's incomplete gamma functions are right for any order, and end."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from jax import lax
from oracles import oracle

from jace_repro.tester.numerics import incomplete_gamma
from jace_repro.tester.numerics.exact_functions import EXACT

FUNCTIONS = {"igamma": incomplete_gamma.lower, "igammac": incomplete_gamma.upper}


def points(low: float, high: float, count: int) -> np.ndarray:
    """Orders between two powers of ten, and arguments up to 30 standard deviations from the mean."""
    rng = np.random.default_rng(11)
    a = 10 ** rng.uniform(low, high, count)
    return np.stack([a, a + rng.uniform(-30, 30, count) * np.sqrt(a)])


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("low", "high"), [(3, 4.6), (4.7, 6), (6, 30)])
def test_both_are_right_about_the_mean_and_far_from_it(name: str, low: float, high: float) -> None:
    a, x = points(low, high, 20)
    with mpmath.workdps(60):
        for order, argument, found in zip(a, x, FUNCTIONS[name](a, x), strict=True):
            right = EXACT[name].at([float(order), float(argument)])
            if abs(right) > 1e-290:
                assert found == pytest.approx(float(right), rel=1e-11, abs=0)


def test_a_number_of_sixty_digits_behind_the_point_is_known_to_be_none() -> None:
    a, x = 1e10, 1e10 + 20 * 1e5
    with mpmath.workdps(40):
        assert 0 < EXACT["igammac"].at([a, x]) < 1e-80


def test_ends_are_limits() -> None:
    a = np.array([3.4e38, 3.4e38, 3.4e38, np.inf, 2.0, 2.0, -1.0, 1.0])
    x = np.array([1.0, 3.4e38, np.inf, 5.0, 0.0, np.inf, 1.0, -1.0])
    lower = incomplete_gamma.lower(a, x)
    np.testing.assert_allclose(lower, [0, 0.5, 1, 0, 0, 1, np.nan, np.nan])
    np.testing.assert_allclose(incomplete_gamma.upper(a, x), 1 - lower)


def test_the_oracle_has_an_answer_where_xla_does_not_end_in_the_wider_type() -> None:
    a = np.float32([3.4028235e38, 3.4028235e38, 5.0])
    x = np.float32([3.4028235e38, 1e38, 4.0])
    found = oracle(lax.igamma, a, x)
    assert not found.assess([np.float32([0.5, 0.0, 0.37116306])]).wrong
    assert found.assess([np.float32([0.5, 0.0, 0.38])]).wrong
