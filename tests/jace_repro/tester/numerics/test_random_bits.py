"""Random bits are those of optimised code."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from jace import ir
from jace_repro.tester.numerics import native, random_bits
from jace_repro.tester.numerics.compare import bits_equal


def draws(key):
    """Of every way there is."""
    one, two = jax.random.split(jax.random.fold_in(key, 7))
    return jax.random.bits(one, (3, 5)), jax.random.bits(two, (4,), np.uint8), jax.random.uniform(one, (2, 0))


def plain(value):
    """A key's words, else the value."""
    keyed = ir.is_key_dtype(getattr(value, "dtype", None))
    return np.asarray(jax.random.key_data(value) if keyed else value)


@pytest.mark.parametrize("partitionable", [False, True])
@pytest.mark.parametrize("implementation", ["threefry2x32", "rbg"])
def test_random_bits_are_those_of_optimised_code(implementation, partitionable):
    with jax.threefry_partitionable(partitionable):
        key = jax.random.key(3, impl=implementation)
        closed = jax.make_jaxpr(draws)(key)
        met = set()
        for _, eqn, operands, results in native.evaluate_each(closed, [key]):
            met |= {eqn.primitive.name} & random_bits.GENERATORS
            for want, have in zip(ir.eval_equation(eqn, operands), results, strict=True):
                assert bits_equal(plain(want), plain(have)), eqn
        assert met == {"random_bits", "random_fold_in", "random_split"}
