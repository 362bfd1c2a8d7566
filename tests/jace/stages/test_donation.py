"""A donated argument's buffer becomes the result's, as jax.jit's does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace

both = pytest.mark.parametrize("jit", [jace.jit, jax.jit], ids=["jace", "jax"])


def step(state: Any, x: Any) -> Any:
    return {"a": state["a"] + x, "b": state["b"] @ state["b"]}


def fresh() -> Any:
    return {"a": jnp.arange(64.0), "b": jnp.eye(8) * 2}


@both
@pytest.mark.parametrize(
    "options", [{"donate_argnums": 0}, {"donate_argnames": "state"}], ids=["nums", "names"]
)
def test_results_have_the_buffers_of_donated_arguments(
    jit: Callable[..., Any], options: dict[str, Any]
) -> None:
    fun = jit(step, **options)
    state, x = fresh(), jnp.ones(64)
    buffers = {name: value.unsafe_buffer_pointer() for name, value in state.items()}
    found = fun(state, x)
    assert {name: value.unsafe_buffer_pointer() for name, value in found.items()} == buffers
    assert all(value.is_deleted() for value in state.values())
    assert not x.is_deleted()
    np.testing.assert_array_equal(found["a"], np.arange(64.0) + 1)
    np.testing.assert_array_equal(found["b"], np.eye(8) * 4)
    with pytest.raises(RuntimeError, match="Array has been deleted"):
        _ = state["a"] + 1


@both
def test_the_analysis_tells(jit: Callable[..., Any]) -> None:
    compiled = jit(step, donate_argnums=0).lower(fresh(), jnp.ones(64)).compile()
    assert compiled.donate_argnums == (0, 1)
    assert [info.donated for info in jax.tree.leaves(compiled.args_info)] == [True, True, False]
    assert compiled.memory_analysis().alias_size_in_bytes == 2 * 64 * 4


@both
def test_a_buffer_that_fits_no_result_is_warned_of(jit: Callable[..., Any]) -> None:
    with pytest.warns(UserWarning, match=r"Some donated buffers were not usable: float32\[5\]"):
        jit(lambda x: x[:2], donate_argnums=0)(jnp.ones(5))


@both
def test_arguments_that_are_not_donated_stay(jit: Callable[..., Any]) -> None:
    state = fresh()
    jit(step)(state, jnp.ones(64))
    assert not any(value.is_deleted() for value in state.values())
