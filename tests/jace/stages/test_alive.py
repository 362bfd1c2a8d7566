"""What no result needs is not compiled, and nothing is compiled twice for it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace
from jace import ir
from jace.translate import passes
from jace.translate.unit import clear_caches

X = np.linspace(0.1, 1.0, 7, dtype=np.float32)


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[Any]:
    """The programs that are translated from now on, with empty caches."""
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path))
    clear_caches()
    found: list[Any] = []
    translate = passes.translate

    def seen(closed: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(closed)
        return translate(closed, *args, **kwargs)

    monkeypatch.setattr(passes, "translate", seen)
    return found


def _with_dead_code(x: jax.Array, unused: jax.Array) -> jax.Array:
    """The body of its loop is given constants that no result needs; JAX drops them when it lowers."""

    def step(carry: Any, row: jax.Array) -> Any:
        kept, dropped = carry
        return (kept + jnp.sin(row), dropped * unused.sum()), jnp.cos(row)

    (kept, _), _ = jax.lax.scan(step, (jnp.float32(0.25), jnp.float32(1.0)), x)
    return kept * jnp.tan(jnp.float32(0.375))


def test_a_compiled_jaxpr_is_translated_once_for_both_ways_to_call_it(translated: list[Any]) -> None:
    closed = jax.make_jaxpr(_with_dead_code)(X, X)
    compiled = jace.compile_jaxpr(closed)
    direct, through_xla = compiled.call_direct(X, X), compiled(X, X)
    np.testing.assert_allclose(direct[0], jax.jit(_with_dead_code)(X, X), rtol=1e-6)
    np.testing.assert_array_equal(direct[0], through_xla[0])
    assert len(translated) == 1
    assert len(translated[0].in_avals) == 1


def test_a_function_that_is_compiled_ahead_is_translated_once(translated: list[Any]) -> None:
    compiled = jace.jit(_with_dead_code).lower(X, X).compile()
    np.testing.assert_allclose(compiled(X, X), jax.jit(_with_dead_code)(X, X), rtol=1e-6)
    assert len(translated) == 1


def test_the_jaxpr_of_what_was_traced_is_the_users() -> None:
    traced = jace.jit(_with_dead_code).trace(X, X)
    assert len(traced.jaxpr.in_avals) == 2


def test_the_sdfg_of_a_jaxpr_is_that_which_is_compiled_with_all_inputs(translated: list[Any]) -> None:
    closed = jax.make_jaxpr(_with_dead_code)(X, X)
    jace.translate_jaxpr(closed)
    jace.compile_jaxpr(closed)
    shown, compiled = translated
    assert shown.in_avals == closed.in_avals
    assert ir.primitives(shown) == ir.primitives(compiled)
    assert ir.primitives(shown) != ir.primitives(closed)
