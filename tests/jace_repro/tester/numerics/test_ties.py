"""Sorts that need not be stable: what is right is any order of equal keys, and the one that JAX takes is known."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax import lax

from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.order_ops import differ_in_ties, leaves_equal_keys


def test_where_a_sort_may_choose_its_choice_is_jaxs() -> None:
    """Equal keys of one that is not stable; of a stable one, and of one that is wrong, it is NumPy's."""
    keys, places = np.float32([2, 1] * 20), np.arange(40, dtype=np.int32)

    def by(stable: bool):
        return jax.make_jaxpr(lambda k, v: lax.sort([k, v], is_stable=stable))(keys, places)

    expected = jax.jit(lambda k, v: lax.sort([k, v], is_stable=False))(keys, places)
    assert not np.array_equal(expected[1], np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(native.evaluate(by(False), [keys, places])[1], expected[1])
    np.testing.assert_array_equal(
        native.evaluate(by(True), [keys, places])[1], np.argsort(keys, kind="stable")
    )


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ([[1, 1, 2], [1, 0, 2]], True),
        ([[1, 1, 2], [0, 2, 1]], False),  # an element of another key
        ([[1, 1, 2], [0, 0, 2]], False),  # one that is there twice
        ([[1, 2, 1], [0, 2, 1]], False),  # not in order
    ],
)
def test_elements_of_equal_keys_are_all_that_may_differ(other: list[list[float]], expected: bool) -> None:
    one = np.float32([1, 1, 2]), np.int32([0, 1, 2])
    (eqn,) = jax.make_jaxpr(lambda k, v: lax.sort([k, v], is_stable=False))(*one).jaxpr.eqns
    assert leaves_equal_keys(eqn, one)
    assert differ_in_ties(eqn, one, [np.float32(other[0]), np.int32(other[1])]) is expected
