"""What the higher-precision evaluation takes an equation to mean."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax import lax
from oracles import oracle

BASES = {"float32": 1.0000001, "float16": 1.001, "bfloat16": 1.01, "float64": 1.0, "complex64": -5 + 1j}


@pytest.mark.parametrize("dtype", BASES)
def test_an_exponent_that_is_an_integer_is_rounded_to_the_type_of_the_base(dtype: str) -> None:
    with jax.enable_x64(True), np.errstate(over="ignore"):
        exponents = np.array([2**31 - 1, 2**31 - 127, 2**10 + 1, 257, 3, -(2**62) - 1])
        base = np.full(exponents.shape, BASES[dtype]).astype(dtype)
        (rounded,) = oracle(lax.pow, base, exponents.astype(dtype)).centre
        (given,) = oracle(lax.pow, base, exponents).centre
        np.testing.assert_array_equal(given, rounded)


def test_which_infinity_a_large_power_is_depends_on_the_rounded_exponent() -> None:
    base, exponent = np.complex64(-5 + 1.0000002j), np.int32(2**31 - 1)
    even = np.complex64(complex(np.inf, np.inf))  # of 2^31: what XLA and DaCe give
    assert not oracle(lax.pow, base, exponent).assess([even]).wrong
