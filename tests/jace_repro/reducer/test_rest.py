"""A program without what is known to be wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.reducer.rest import rest_of
from jace_repro.repro import Header, Repro, digest_outputs, trace_repro
from jace_repro.tester.verdict.culprit import Culprit

X = np.linspace(0.1, 2.0, 6, dtype=np.float32)


def repro_of(fun: Callable[..., Any], *args: Any) -> Repro:
    header = Header(
        name="step", pipeline="fused", outcome="mismatch", signature="ab", relation="vmap = a loop"
    )
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=header)


def run(repro: Repro) -> list[jax.Array]:
    closed, args = trace_repro(repro)
    return jax.jit(jaxpr_as_fun(closed))(*args)


def counted(repro: Repro) -> dict[str, int]:
    return ir.primitives(trace_repro(repro)[0])


def test_a_primitive_goes_wherever_it_stands_and_what_it_gave_is_given() -> None:
    whole = repro_of(jax.jit(lambda x: (jnp.sin(jnp.cos(x)) + jnp.sin(x), jnp.tanh(x))), X)
    rest = rest_of(whole, Culprit("sin", confirmed=True, index=1), "step without sin")
    assert rest is not None
    assert counted(rest) == {"add": 1, "cos": 1, "tanh": 1}
    outputs = run(rest)
    wanted = [np.cos(X), np.sin(np.cos(X)) + np.sin(X), np.tanh(X)]
    assert sorted(float(np.sum(o)) for o in outputs) == pytest.approx(sorted(float(w.sum()) for w in wanted))


def test_its_header_promises_nothing() -> None:
    rest = rest_of(
        repro_of(lambda x: jnp.sin(x) + 1.0, X), Culprit("sin", confirmed=True), "step without sin"
    )
    assert rest is not None
    header = rest.header
    assert (header.name, header.outcome, header.signature, header.relation) == (
        "step without sin",
        None,
        None,
        None,
    )
    assert header.fingerprint == ir.fingerprint(trace_repro(rest)[0])
    assert header.notes == ("without sin: what it gives is an input",)


@pytest.mark.parametrize(
    "guilty",
    [
        Culprit("scan", confirmed=True, index=2),
        Culprit("mul", confirmed=True, index=2, path=("scan.jaxpr[2]",)),
        Culprit("mul", confirmed=False, index=2, path=("scan.jaxpr[2]",)),
    ],
    ids=["loop", "in a loop", "in its context"],
)
def test_a_loop_goes_as_a_whole_and_alone(guilty: Culprit) -> None:
    def two(x: Any) -> Any:
        once = lax.scan(lambda c, row: (c * row, c), x[0], x)[1]
        return lax.scan(lambda c, row: (c * 2.0 + row, c), x[0], once)[1]

    rest = rest_of(repro_of(two, X), guilty, "rest")
    assert rest is not None
    assert counted(rest)["scan"] == 1
    assert "add" in counted(rest)
    start, result = run(rest)  # the first loop began with what is an output now
    assert start == X[0]
    assert digest_outputs([result]) == digest_outputs([jax.jit(two)(X)])


def test_a_place_that_is_not_there_is_looked_for_by_its_primitive() -> None:
    """What was localised on other inlined calls, say."""
    rest = rest_of(repro_of(lambda x: jnp.sin(x) + 1.0, X), Culprit("sin", confirmed=False, index=7), "rest")
    assert rest is not None
    assert counted(rest) == {"add": 1}


@pytest.mark.parametrize("primitive", ["sin", "cos"], ids=["all of it", "nothing of it"])
def test_there_is_no_rest_of(primitive: str) -> None:
    assert rest_of(repro_of(jnp.sin, X), Culprit(primitive, confirmed=True), "rest") is None
