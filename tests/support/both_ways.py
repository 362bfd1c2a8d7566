"""One call checks a function on XLA against the fused and the canonical pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from agreement import assert_same

import jace

PIPELINES = ("fused", "canonical")


def plain(value: Any) -> np.ndarray[Any, Any]:
    """An array; typed keys as their data."""
    if jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return np.asarray(value)


def run(fun: Callable[..., Any], args: Sequence[Any], pipeline: str) -> list[np.ndarray[Any, Any]]:
    """The flat results of `fun` on a pipeline, without XLA."""
    closed = jax.make_jaxpr(fun)(*args)
    return jace.compile_jaxpr(closed, pipeline).call_direct(*map(plain, jax.tree.leaves(args)))


def check(
    fun: Callable[..., Any],
    *args: Any,
    pipelines: Sequence[str] = PIPELINES,
    reference: Callable[..., Any] | None = None,
) -> None:
    """Assert that `fun` gives on every pipeline what jax.jit gives, for `reference` in its place if there is one."""
    expected = [plain(x) for x in jax.tree.leaves(jax.jit(reference or fun)(*args))]
    for pipeline in pipelines:
        assert_same(expected, run(fun, args, pipeline))
