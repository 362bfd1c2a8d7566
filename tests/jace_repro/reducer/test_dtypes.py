"""Types become plainer where the failure is not of a type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.dtypes import plainer_dtypes, unplainness
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.dtypes import plainer_types
from jace_repro.reducer.problem import Problem, well_typed


def plainer(fun: Callable[..., Any], *args: Any, fails: Callable[[Problem], bool] | None = None) -> Problem:
    found = minimize(
        clean(problem_of(fun, *args)),
        at_once(fails or (lambda _: True)),
        [Pass("types", plainer_types)],
        max_calls=50,
    ).problem
    assert well_typed(found)
    return found


def dtypes(problem: Problem) -> set[str]:
    return {str(v.aval.dtype) for eqn in problem.eqns for v in (*eqn.invars, *eqn.outvars)}


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_floats_become_float32(dtype: Any) -> None:
    found = plainer(lambda x: jnp.abs(x), np.asarray([-2, 3], dtype))
    assert dtypes(found) == {"float32"}
    np.testing.assert_array_equal(found.args[0], np.float32([-2, 3]))


def test_complex_numbers_become_real_ones_where_that_is_a_program() -> None:
    z = np.complex64([1 + 2j, 3j])
    assert dtypes(plainer(jnp.exp, z)) == {"float32"}
    assert dtypes(plainer(lambda z: lax.imag(z) + 1, z)) == {"complex64", "float32"}


def test_wide_types_become_narrow_ones_together_with_numbers_and_parameters() -> None:
    with jax.enable_x64(True):

        def fun(x: Any, n: Any) -> Any:
            return lax.scan(lambda c, v: (c * 0.5 + v, c), jnp.float64(0), x)[1], n.astype(np.float64) + 0.25

        found = plainer(fun, np.arange(3.0), np.arange(3))
        assert {str(v.aval.dtype) for v in found.jaxpr.invars} == {"float32", "int32"}
        assert all(str(aval.dtype) == "float32" for aval in found.closed.out_avals)
        complex128 = plainer(lambda z: lax.real(z * z), np.asarray([1 + 2j]))
        assert dtypes(complex128) == {"complex64", "float32"}


def test_integers_become_int32_and_stay_within_it() -> None:
    with jax.enable_x64(True):
        wide = np.asarray([-(2**40), 7, 2**40])
        found = plainer(lambda n: n + 1, wide)
        assert dtypes(found) == {"int32"}
        np.testing.assert_array_equal(found.args[0], np.asarray([-(2**31), 7, 2**31 - 1], np.int32))
        unsigned = plainer(lambda n: lax.population_count(n), np.asarray([2**64 - 1], np.uint64))
        assert dtypes(unsigned) == {"int32"}
    assert dtypes(plainer(lambda n: n + 1, np.int8([-128, 127]))) == {"int32"}


def test_one_type_stays_where_it_is_what_fails() -> None:
    def fun(x: Any, n: Any) -> Any:
        return jnp.sin(x) * 2, n * 3

    def fails_in_half(p: Problem) -> bool:
        return any(e.primitive.name == "sin" and e.outvars[0].aval.dtype == np.float16 for e in p.eqns)

    found = plainer(fun, np.ones(3, np.float16), np.ones(3, np.uint8), fails=fails_in_half)
    assert [str(v.aval.dtype) for v in found.jaxpr.invars] == ["float16", "int32"]


def test_what_computes_with_bits_or_keys_is_left_alone() -> None:
    key = jax.random.key(0)
    found = plainer(lambda k: jax.random.bits(k, (2,)), key)
    assert found.jaxpr.invars[0].aval.dtype == key.dtype
    assert "uint32" in {str(aval.dtype) for aval in found.closed.out_avals}
    split = plainer(lambda x: lax.bitcast_convert_type(x, np.uint16), np.ones(2, np.float32))
    assert [e.primitive.name for e in split.eqns] == ["bitcast_convert_type"]


def test_a_type_becomes_plainer_at_every_depth() -> None:
    def fun(n: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (n, jnp.float16(1)))[1]

    found = plainer(fun, np.int16(0))
    assert {str(v.aval.dtype) for v in found.jaxpr.invars} == {"int32"}
    bodies = [inner for eqn in found.eqns for inner in ir.inner_jaxprs(eqn)]
    within = {str(v.aval.dtype) for b in bodies for v in ir.open_jaxpr(b).invars}
    assert within == {"int32", "float32"}


def test_the_plainest_types_have_none_that_is_plainer() -> None:
    for dtype in (np.float32, np.int32, np.bool_):
        assert unplainness(np.dtype(dtype)) == 0
    for dtype in (np.complex128, np.complex64, np.float64, np.float16, np.uint32, np.int8, ml_dtypes.int4):
        others = list(plainer_dtypes(np.dtype(dtype)))
        assert others
        assert all(unplainness(other) < unplainness(np.dtype(dtype)) for other in others)
