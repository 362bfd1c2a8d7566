"""One call checks a function on XLA against the fused and the canonical pipeline."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest
import together
from agreement import assert_same
from together import Later, in_earnest, plain, results

import jace

PIPELINES = ("fused", "canonical")
#: XLA's simpler emitters and no optimisation mean the same, and take half the time. For where no last bit counts.
SIMPLE = {"xla_cpu_use_fusion_emitters": False, "xla_backend_optimization_level": 0}

#: XLA as it is but for LLVM's optimisations, which take half of the time and change no bit of a single operation.
UNOPTIMISED = {"xla_backend_optimization_level": 0}


def on_pipelines(values: Sequence[Any], both: Sequence[Any]) -> list[Any]:
    """Parameters (value, pipelines): all values on fused, `both` of them on canonical too, the others with `-m slow`.

    For what is one equation each: of two dtypes of a kind, canonical's nodes differ in a type.
    """
    named = [(v, getattr(v, "__name__", str(v))) for v in values]
    found = [pytest.param(v, PIPELINES if v in both else ("fused",), id=name) for v, name in named]
    return found + [
        pytest.param(v, ("canonical",), id=f"{name}-canonical", marks=pytest.mark.slow)
        for v, name in named
        if v not in both
    ]


def by_xla(fun: Callable[..., Any], *args: Any) -> Any:
    """What jax.jit makes of a function, to the last bit or nearly."""
    return together.by_xla(fun, args, SIMPLE)


def run(fun: Callable[..., Any], args: Sequence[Any], pipeline: str) -> list[np.ndarray[Any, Any]]:
    """The flat results of `fun` on a pipeline, without XLA.

    Raises:
        Later: the test is only asked what it will `check`.
    """
    in_earnest()
    closed = jax.make_jaxpr(fun)(*args)
    return jace.compile_jaxpr(closed, pipeline).call_direct(*map(plain, jax.tree.leaves(args)))


def check(
    fun: Callable[..., Any],
    *args: Any,
    pipelines: Sequence[str] = PIPELINES,
    reference: Callable[..., Any] | None = None,
) -> None:
    """Assert that `fun` gives on every pipeline what jax.jit gives, for `reference` in its place if there is one."""
    with contextlib.suppress(Later):
        expected, ours, _ = results(fun, args, pipelines, reference=reference, options=SIMPLE)
        for got in ours:
            assert_same(expected, got)
