"""Programs whose outputs say nothing: nobody is accused on noise, and a wrong equation is found all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chaos
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chaos import CHAOTIC, FACTORS, X, judged, planted

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro


@pytest.mark.parametrize("name", ["until it has run", "Newton's fractal"])
def test_chaos_is_nobodys_fault(name: str) -> None:
    assert chaos.accused(name) == ""


def test_an_equation_that_is_wrong_in_chaos_is_found() -> None:
    assert chaos.missed("sine map", "exp") == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAOTIC)
def test_no_chaos_is_anybodys_fault(name: str) -> None:
    assert chaos.accused(name) == ""


@pytest.mark.slow
@pytest.mark.parametrize("primitive", FACTORS)
def test_every_function_that_is_off_in_chaos_is_convicted_at_its_equation(primitive: str) -> None:
    missed = {name: chaos.missed(name, primitive) for name, (_, ps) in CHAOTIC.items() if primitive in ps}
    print(f"{primitive}: {sum(not said for said in missed.values())} of {len(missed)}")
    assert {name: said for name, said in missed.items() if said} == {}


def test_the_finding_is_the_same_on_the_next_pipeline() -> None:
    fun, _ = CHAOTIC["sine map"]
    repro = emit_flat(jax.make_jaxpr(fun)(X), [X], header=Header(name="prog"))
    with planted("exp"):
        one, other = check_repro(repro, ["fused", "canonical"], options=Options(blame=False))
    assert one.signature == other.signature is not None
    assert other.guilty is not None
    assert other.guilty.compilations == 1


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: jnp.sum(jnp.sin(x) * 1e4) - 1e4 * jnp.sum(jnp.sin(x)),  # what is left of a cancellation
        jax.grad(lambda x: jnp.sum(jax.nn.softmax(x * 3))),  # zero by mathematics
        lambda x: jnp.cumsum(jnp.sin(x) * 1e3)[::-1] - jnp.cumsum(jnp.sin(x) * 1e3)[::-1].mean(),
    ],
)
def test_what_a_cancellation_leaves_is_fine(fun: Callable[..., Any]) -> None:
    assert judged(fun, X).outcome == "ok"


def test_noise_is_told_from_instability() -> None:
    from jace_repro.tester.check import excuses
    from jace_repro.tester.check.reference import reference_of
    from jace_repro.tester.numerics.compare import compare
    from jace_repro.tester.numerics.errormodel import Budget

    def is_noise(fun: Callable[..., Any], off: float) -> bool:
        reference = reference_of(emit_flat(jax.make_jaxpr(fun)(X), [X], header=Header(name="prog")))
        assert not isinstance(reference, Verdict)
        moved = [out + np.asarray(off, out.dtype) for out in reference.outputs]
        return excuses.is_noise(reference, compare(reference.outputs, moved, [Budget(0.0, False)]))

    assert is_noise(lambda x: jnp.sum(x * 1e4) - 1e4 * jnp.sum(x), 0.5)
    assert not is_noise(lambda x: jnp.sum(x * 1e4) - 1e4 * jnp.sum(x), 500.0)
    assert not is_noise(jnp.sin, 0.5)
    assert not is_noise(lambda x: (x > 0.5).astype(jnp.int32), 1)
