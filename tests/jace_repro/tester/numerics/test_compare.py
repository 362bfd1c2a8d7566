"""Comparison and error model: what differs, in which class, and what the budget grants."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jace_repro.tester.numerics.compare import bits_equal, compare, ulp_distance
from jace_repro.tester.numerics.errormodel import Budget, budgets

EXACT = [Budget(0.0, True)]


def kind_of(reference, candidate, ulps=0.0):
    return compare([np.asarray(reference)], [np.asarray(candidate)], [Budget(ulps, ulps == 0)]).kind


def test_equal_outputs_have_no_difference():
    x = np.array([1.0, np.nan, -0.0, np.inf])
    found = compare([x], [x.copy()], EXACT)
    assert found.within_budget
    assert found.bits_equal
    assert (found.max_abs, found.max_rel, found.max_ulp) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("reference", "candidate", "kind"),
    [
        (np.zeros(3), np.zeros(4), "shape"),
        (np.zeros(()), np.zeros((1,)), "shape"),
        (np.zeros(3, np.float32), np.zeros(3), "dtype"),
        (np.array([1.0]), np.array([1.5]), "value"),
        (np.array([1.0]), np.array([np.nan]), "nan"),
        (np.array([np.nan]), np.array([1.0]), "nan"),
        (np.array([np.inf]), np.array([-np.inf]), "inf"),
        (np.array([np.inf]), np.array([1.0]), "inf"),
        (np.array([0.0]), np.array([-0.0]), "sign-of-zero"),
        (np.array([True]), np.array([False]), "value"),
        (np.array([3], np.uint8), np.array([4], np.uint8), "value"),
        (np.array([1 + 2j]), np.array([1 - 2j]), "value"),
        (np.array([1.0, 2.0]), np.array([np.nan, 2.5]), "value"),
        (np.array([1.5], ml_dtypes.bfloat16), np.array([np.nan], ml_dtypes.bfloat16), "nan"),
    ],
)
def test_each_class_of_difference_has_its_name(reference, candidate, kind):
    assert kind_of(reference, candidate) == kind


def test_a_missing_output_is_a_difference_of_the_tree():
    assert compare([np.zeros(2)], [], EXACT).kind == "tree"


def test_ulp_distance_counts_representable_numbers_across_zero():
    one = np.array([1.0], np.float32)
    assert ulp_distance(one, np.nextafter(one, np.float32(2))) == 1
    tiny = np.array([1e-45], np.float32)
    assert ulp_distance(tiny, -tiny) == 2
    assert ulp_distance(np.array([0.0]), np.array([-0.0])) == 0


def test_the_budget_is_in_ulps_of_each_element_not_of_the_largest():
    reference = np.array([1e9, 1.0], np.float32)
    off = reference + np.array([0, 3e-7], np.float32)
    assert kind_of(reference, off, ulps=4.0) is None
    assert kind_of(reference, reference + np.array([0, 1e-3], np.float32), ulps=4.0) == "value"


def test_the_worst_element_is_named():
    found = compare([np.zeros((2, 3))], [np.array([[0, 0, 0.5], [0, 2.0, 0]])], EXACT)
    assert found.differences[0].index == (1, 1)
    assert "got 2.0, expected 0.0" in str(found)
    assert found.max_abs == 2.0


def test_integers_are_measured_without_overflow():
    found = compare([np.array([2**63], np.uint64)], [np.array([1], np.uint64)], EXACT)
    assert found.max_abs == float(2**63 - 1)
    assert compare([np.array([-(2**63)])], [np.array([2**63 - 1])], EXACT).max_abs == float(2**64)


def test_bits_equal_takes_all_nans_as_one_and_signs_of_zero_apart():
    quiet = np.array([np.nan])
    assert bits_equal(quiet, -quiet)
    assert bits_equal(quiet + 1j, -quiet + 1j)
    assert not bits_equal(np.array([0.0]), np.array([-0.0]))
    assert not bits_equal(np.zeros(2), np.zeros(3))


X = jnp.ones((4, 3), jnp.float32)


@pytest.mark.parametrize(
    ("fun", "exact"),
    [
        (lambda x: x[::-1].T.reshape(-1), True),
        (lambda x: jnp.sort(x), True),
        (lambda x: jnp.argmax(x, 0), True),
        (lambda x: x.astype(jnp.int32) * 3 // 2, True),
        (lambda x: x + 1, True),  # one correctly rounded operation on exact operands
        (lambda x: x * 2, True),
        (lambda x: x.astype(jnp.bfloat16), True),
        (lambda x: x * 2 + 1, False),  # may be contracted to one rounding
        (lambda x: jnp.sum(x), False),
        (lambda x: jnp.sin(x), False),
        (lambda x: jnp.sin(x) > 0, False),  # the decision depends on a rounding
        (lambda x: x.at[0].add(x[1]), False),
        (lambda x: x.at[0].set(x[1]), True),
        (lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c[::-1], x), True),
        (lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c * 1.5 + x, x), False),
        (lambda x: jax.lax.reduce(x, 0.0, jax.lax.max, (0,)), True),
    ],
)
def test_an_output_is_exact_when_no_rounding_reaches_it(fun, exact):
    (budget,) = budgets(jax.make_jaxpr(fun)(X))
    assert budget.exact is exact
    assert (budget.ulps == 0) is (exact or budget.ulps == 0)


def test_budgets_grow_with_the_error_of_the_functions_and_stay_narrow():
    (sine,) = budgets(jax.make_jaxpr(jnp.sin)(X))
    (tower,) = budgets(jax.make_jaxpr(lambda x: jnp.exp2(jnp.exp2(jnp.exp2(x))))(X))
    assert 1 < sine.ulps < 4
    assert sine.ulps < tower.ulps <= 32
