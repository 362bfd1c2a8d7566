"""Programs of several operations: the same for the same seed, connected, and with results that say something."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.ir import walk
from jace_repro.fuzz.blocks import BLOCKS
from jace_repro.fuzz.compose import Composer, Inputs, Ref, is_meant, says_something
from jace_repro.fuzz.programs import program
from jace_repro.tester.numerics import native

X = np.linspace(0.1, 0.9, 12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(scope="module")
def programs():
    return [program(f"composed/{seed}") for seed in range(4)]


def test_the_same_seed_is_the_same_program(programs) -> None:
    again = program("composed/3")
    assert str(again.closed) == str(programs[3].closed)
    assert all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(again.arrays, programs[3].arrays, strict=True)
    )


def test_results_say_something_and_most_are_finite(programs) -> None:
    for one in programs:
        outputs = native.evaluate(one.closed, one.arrays)
        assert outputs
        assert all(map(says_something, outputs))


def test_programs_are_of_several_operations(programs) -> None:
    assert all(len(one.choices) > 1 for one in programs[:4])
    assert len({value for one in programs for _, value in one.choices}) > 10
    assert max(sum(1 for _ in walk(one.closed)) for one in programs) > 50


def test_steps_read_what_others_gave() -> None:
    inner = 0
    for seed in range(3):
        composer = Composer(f"seed {seed}", False, Inputs())
        composer.grow()
        inner += sum(not ref.is_input for step in composer.steps for ref in step.refs)
    assert inner > 3


def test_what_no_step_reads_is_a_result() -> None:
    composer = Composer("seed", False, Inputs(), [X])
    composer.values += [X + 1, X + 2]
    composer.steps += [_step(Ref(0, is_input=False)), _step(Ref(1, is_input=False))]
    assert composer.unread() == [2]


def _step(ref: Ref):
    from jace_repro.fuzz.compose import Step

    return Step("add", lambda x: x + 1, (ref,))


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_a_block_in_each_context(name: str) -> None:
    def block(x, n):
        return [jnp.sin(x) * 2, n + 1, x.sum()]

    run = BLOCKS[name](block, 3)
    closed = jax.make_jaxpr(lambda *a: run(*a))(X, np.int32(3))
    outputs = native.evaluate(closed, [X, np.int32(3)])
    assert outputs
    assert all(np.all(np.isfinite(x)) for x in outputs)


def test_values_that_fit_a_domain() -> None:
    assert is_meant(X, "unit", None)
    assert not is_meant(X * 3, "unit", None)
    assert not is_meant(-X, "positive", None)
    assert is_meant(-X, "plain", None)
    assert not is_meant(np.array([np.nan], np.float32), "plain", None)
    assert is_meant(np.array([np.nan], np.float32), "any", None)
    assert is_meant(np.arange(3), "indices", (0, 2))
    assert not is_meant(np.arange(4), "indices", (0, 2))
    assert is_meant(np.arange(9), "indices beyond", (0, 2))
    assert not is_meant(X, "indices", (0, 2))
    assert not is_meant(X @ X.T, "positive definite", None)


def test_values_that_say_something() -> None:
    assert says_something(X)
    assert says_something(np.float32(3.0).reshape(()))
    assert not says_something(np.ones(5, np.float32))
    assert not says_something(np.full(5, np.nan, np.float32))
    assert not says_something(np.array([1e38, 2.0], np.float32))
    assert says_something(np.array([np.inf, 2.0, 3.0], np.float32))
