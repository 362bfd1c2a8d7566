"""Programs of several operations: the same for the same seed, connected, and with results that say something."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.ir import live_form, primitives, walk
from jace_repro.fuzz.blocks import BLOCKS
from jace_repro.fuzz.compose import Composer, Inputs, Ref, Step, arrays_of, is_meant, says_something
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


def test_what_steps_give_says_something() -> None:
    for seed in range(4):
        composer = Composer(f"seed {seed}", False, Inputs())
        composer.grow()
        assert composer.values
        assert all(map(says_something, composer.values))


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


def composed_of(*steps: Step) -> Composer:
    """A block on X of these steps."""
    composer = Composer("seed", False, Inputs(), [X])
    for step in steps:
        operands = step.on([], composer.values)
        closed = jax.make_jaxpr(lambda *a, f=step.function: arrays_of(f(*a)))(*operands)
        composer.steps.append(step)
        composer.values += native.evaluate(closed, operands)
    return composer


def step(function, place: int) -> Step:
    return Step("step", function, (Ref(place, is_input=False),))


def test_what_no_step_reads_is_a_result() -> None:
    assert composed_of(step(lambda x: x + 1, 0), step(lambda x: x + 1, 1)).results() == [2]


@pytest.mark.parametrize("name", ["fori_loop", "while_loop", "scan"])
def test_a_loop_computes_nothing_in_vain(name: str) -> None:
    """What has the shape of no carry, and is read by nothing in the loop, is given out."""
    run = BLOCKS[name](lambda x: [x * 2, jnp.sum(x), x > 0.5], 3)
    shapes = [x.shape for x in jax.eval_shape(lambda x: run(x), X)]
    stacked = (3,) if name == "scan" else ()
    assert {X.shape, stacked, (*stacked, *X.shape)} <= set(shapes)
    closed = jax.make_jaxpr(lambda x: run(x))(X)
    assert "gt" in primitives(live_form(closed))


@pytest.mark.parametrize("trips", [1, 2, 3])
def test_a_while_loop_runs_once_and_ends_at_large_values(trips: int) -> None:
    run = BLOCKS["while_loop"](lambda x: [x + 1], trips)
    count, largest, _ = run(X * 1000)
    assert count == trips
    assert largest <= 1  # tamed


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
    assert not says_something(np.array([np.inf, 2.0, 3.0], np.float32))


def test_what_need_not_end_is_no_step(monkeypatch) -> None:
    def endless(x):
        return [jax.lax.while_loop(lambda x: (x > 0).all(), lambda x: x, x)]

    composer = Composer("0", x64=False, inputs=Inputs(), arguments=[X])
    step = Step("endless", endless, (Ref(0, is_input=False),))
    monkeypatch.setattr(composer, "_operation", lambda seed: step)
    monkeypatch.setattr(composer, "_nests", lambda: False)
    assert not composer._add("0")
    assert composer.steps == []
