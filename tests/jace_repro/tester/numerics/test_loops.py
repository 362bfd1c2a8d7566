"""Loops in an evaluation: in Python while that is quick, else compiled, and both give the same."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.tester.numerics import loops
from jace_repro.tester.numerics.precision import evaluate

X = np.linspace(1, 2, 5, dtype=np.float32)


def halved(x: Any) -> Any:
    """Ends when the values say so, after some hundred trips."""
    return lax.while_loop(lambda c: c.max() > 1e-3, lambda c: c * 0.98 + jnp.sin(c) * 1e-4, x)


def walked(monkeypatch: pytest.MonkeyPatch, salts: list[int]) -> tuple[list[int], list[Any]]:
    """How many equations were evaluated in Python for each salt, and the results."""
    closed = jax.make_jaxpr(halved)(X)
    counts, results = [], []
    for salt in salts:
        counts.append(0)
        steps = loops.control_steps

        def counted(*args: Any, steps: Any = steps) -> Any:
            inner, sent = steps(*args), None
            while True:
                try:
                    step = inner.send(sent)
                except StopIteration as end:
                    return end.value
                counts[-1] += 1
                sent = yield step

        with monkeypatch.context() as patch:
            patch.setattr(loops, "control_steps", counted)
            results.append(evaluate(closed, [X], salt)[0])
    return counts, results


def test_a_long_while_is_compiled_for_all_samples_when_it_was_walked_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loops._history.cache_clear()
    expected = np.asarray(jax.jit(halved)(X))
    (walks, short), (exact, noisy) = walked(monkeypatch, [0, 1])
    assert walks > 400  # quick: to its end, in every evaluation
    assert short > 400
    loops._history.cache_clear()
    monkeypatch.setattr(loops, "EAGER_EQUATIONS", 100)
    monkeypatch.setattr(loops, "EAGER_EACH", 1)
    (first, *others), results = walked(monkeypatch, [0, 0, 1, 2])
    assert 10 < first < 100
    assert others == [1, 1, 1]
    np.testing.assert_allclose(results[0], exact, rtol=1e-12)
    np.testing.assert_array_equal(results[0], results[1])
    for result in (exact, noisy, *results):
        np.testing.assert_allclose(result, expected, rtol=1e-3)


@pytest.mark.parametrize(("steps", "optimised"), [(1, True), (loops.LARGE_BODY + 1, False)])
def test_a_large_loop_is_not_optimised(steps: int, optimised: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def step(carry: Any, _: None) -> Any:
        for _ in range(steps):
            carry = jnp.sin(carry)
        return carry, None

    def scanned(x: Any) -> Any:
        return lax.scan(step, x, None, length=3000)[0]

    asked = []
    jit = jax.jit
    monkeypatch.setattr(jax, "jit", lambda f, **given: (asked.append(given), jit(f, **given))[1])
    monkeypatch.setattr(loops, "EAGER_EQUATIONS", 100)
    monkeypatch.setattr(loops, "EAGER_EACH", 1)
    (found,) = evaluate(jax.make_jaxpr(scanned)(X), [X])
    assert any("compiler_options" in given for given in asked) is not optimised
    np.testing.assert_allclose(found, jit(scanned)(X), rtol=1e-3)


def test_a_large_loop_in_another_is_compiled_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX refuses options of a function that is called while another is traced."""

    def step(carry: Any, _: None) -> Any:
        for _ in range(loops.LARGE_BODY + 1):
            carry = jnp.sin(carry)
        return carry, None

    def inner(carry: Any, _: None) -> Any:
        once = lax.scan(step, carry, None, length=3)[0]
        return lax.while_loop(lambda x: x.sum() > 1e3, lambda x: step(x, None)[0], once), None

    def scanned(x: Any) -> Any:
        return lax.scan(inner, x, None, length=100)[0]

    monkeypatch.setattr(loops, "EAGER_EQUATIONS", 100)
    monkeypatch.setattr(loops, "EAGER_EACH", 1)
    (found,) = evaluate(jax.make_jaxpr(scanned)(X), [X])
    np.testing.assert_allclose(found, jax.jit(scanned)(X), rtol=1e-3)
