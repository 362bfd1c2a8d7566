"""What the higher-precision evaluation takes an equation to mean."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from oracles import oracle

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, check_repro

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


def test_the_oracle_has_zeta_of_any_order_where_xla_and_scipy_have_none() -> None:
    order = np.float32([3.4e38, np.inf, 2e4, 1e30, np.inf, 5e4, 3.0])
    shift = np.float32([3.0, 3.0, 1.5, 1.0, 1.0, 0.5, 2.0])
    (found,) = oracle(lax.zeta, order, shift).centre
    np.testing.assert_allclose(found, [0, 0, 0, 1, 1, np.inf, 0.2020569], rtol=1e-6)


def test_nobody_but_xla_is_accused_of_its_zeta_of_a_large_order_in_the_middle_of_a_program() -> None:
    order = np.float32([[3.4e38, 2.0], [1.5, np.inf]])
    closed = jax.make_jaxpr(lambda x: jnp.concatenate([lax.zeta(x[:, :1], np.float32(3)), x], 1))(order)
    repro = emit_flat(closed, [order], header=Header(name="prog"))
    (found,) = check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=0.0))
    assert found.outcome == "reference-mismatch", found.detail
