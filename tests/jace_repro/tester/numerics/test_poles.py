"""Whether a result is infinite says nothing where rounding may take an operand onto a pole; elsewhere it convicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from oracles import oracle

_X = np.random.default_rng(0).normal(size=400).astype(np.float32)
_LARGE = np.random.default_rng(1).uniform(5e4, 4e5, size=400).astype(np.float32)
_FACTOR = np.float32(1.1)


def one(x: Any) -> Any:
    return jnp.sin(x) ** 2 + jnp.cos(x) ** 2


#: Programs whose answers are infinite or not by chance, and their operands.
BY_CHANCE: dict[str, tuple[Callable[..., Any], np.ndarray[Any, Any]]] = {
    "1 / (1 - 1)": (lambda x: 1 / (one(x) - 1), _X),
    "log(1 - 1)": (lambda x: jnp.log(jnp.abs(one(x) - 1)), _X),
    "lgamma": (lambda x: lax.lgamma(-x * _FACTOR), _LARGE),
    "digamma": (lambda x: lax.digamma(jnp.reshape(-x * _FACTOR, (20, 20))), _LARGE),
    "log1p": (lambda x: jnp.log1p(-one(x)), _X),
    "in a loop, of what the last iteration gave": (
        lambda x: lax.scan(lambda c, _: (lax.tanh(c - lax.digamma(c)), None), -9 - jnp.abs(x), length=2)[0],
        _X,
    ),
    "in a branch": (
        lambda x: lax.cond(x[0] < 9, lax.digamma, jnp.sin, jnp.reshape(-_LARGE * _FACTOR, 400)),
        _X,
    ),
    "atanh": (lambda x: jnp.arctanh(jnp.tanh(x * 6)), _X),
}


@pytest.mark.parametrize("name", BY_CHANCE)
def test_nobody_is_accused_of_hitting_a_pole_that_rounding_reaches(name: str) -> None:
    fun, operand = BY_CHANCE[name]
    found = oracle(fun, operand)
    got = np.asarray(jax.jit(fun)(operand))
    assert not np.isfinite(got).all()
    assert np.isfinite(got).any()
    assert str(found.assess([got])) == ""


def test_the_operand_itself_has_no_choice() -> None:
    beside = np.nextafter(np.float32(-7), np.float32(0), dtype=np.float32)
    found = oracle(lax.lgamma, np.array([beside, -6.5], np.float32))
    assert found.assess([np.array([np.inf, found.centre[0][1]], np.float32)]).kind == "inf"


def test_a_difference_of_numbers_that_nobody_rounded_is_what_it_is() -> None:
    x = np.array([1 + 2**-23, 3], np.float32)
    found = oracle(lambda x: 1 / (x - 1), x)
    assert found.assess([np.array([np.inf, 0.5], np.float32)]).kind == "inf"


def test_far_from_a_pole_infinity_convicts() -> None:
    found = oracle(lambda x: 1 / (one(x) - 0.5), _X)
    wrong = found.centre[0].astype(np.float32)
    wrong[7] = np.inf
    assert found.assess([wrong]).kind == "inf"


def test_on_a_pole_it_may_be_finite_that_is_nan_beside_it() -> None:
    """A power of a negative number is 1 where a difference vanishes, as it does unless multiply and add are fused."""
    x = np.array([-1 / 3, -1.25], np.float32)
    found = oracle(lambda x: lax.pow(x, x * 3 + 1), x)
    assert np.isnan(found.centre[0]).all()
    assert not found.assess([np.array([1, np.nan], np.float32)]).wrong
    assert found.assess([np.array([1, 1], np.float32)]).kind == "nan"
