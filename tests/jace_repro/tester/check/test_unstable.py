"""Programs whose outputs say nothing: nobody is accused on noise, and a wrong equation is found all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chaos
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends
from chaos import CHAOTIC, FACTORS, X, judged, planted
from jax.extend.core import ClosedJaxpr

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro
from jace_repro.tester.check import trial
from jace_repro.tester.execute.backends import DEFAULT_BACKEND, Executable, load_backend, no_stages
from jace_repro.tester.locate.by_itself import guilty_by_itself


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


def _mixed(x: jax.Array) -> jax.Array:
    """Activations in bf16, whose rounding XLA leaves out, and what they come to in f32."""
    return jnp.sin(jax.nn.softmax(x.astype(jnp.bfloat16)).astype(jnp.float32))


def test_a_loss_has_the_digits_of_the_activations_that_it_is_computed_from() -> None:
    verdict = judged(_mixed, np.random.default_rng(0).normal(size=(5, 5)).astype(np.float32))
    assert (verdict.outcome, "coarsest numbers" in verdict.detail) == ("ok", True)


def test_an_equation_that_is_wrong_in_the_digits_of_a_loss_is_found() -> None:
    with planted("sin"):
        verdict = judged(_mixed, X)
    assert verdict.outcome == "mismatch"
    assert verdict.guilty is not None
    assert verdict.guilty.primitive == "sin"


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


def test_what_right_outputs_depend_on_is_not_asked() -> None:
    built: set[str] = set()

    def build(closed: ClosedJaxpr) -> Executable:
        built.update(ir.primitives(closed))
        return load_backend(DEFAULT_BACKEND)(closed, "fused", no_stages)

    def program(x: jax.Array) -> Any:
        sine = jnp.sin(x)
        return sine, jnp.tanh(sine) * 2

    closed = jax.make_jaxpr(program)(X)
    assert guilty_by_itself(closed, [X], build, right=[0]) is None
    assert built == {"tanh", "mul"}
    assert guilty_by_itself(closed, [X], build) is None
    assert built == {"sin", "tanh", "mul"}


def test_what_xla_has_as_dace_has_it_is_not_convicted() -> None:
    """SciPy has infinity and zero there."""
    operands = np.array([0.0, 3.0, 1.0], np.float32), np.array([-0.0, np.inf, 2.5], np.float32)
    closed = jax.make_jaxpr(jax.lax.polygamma)(*operands)
    build = lambda closed: load_backend(DEFAULT_BACKEND)(closed, "fused", no_stages)
    assert guilty_by_itself(closed, list(operands), build) is None


def test_an_equation_that_only_a_noisy_output_depends_on_is_still_convicted() -> None:
    """The right output has nothing to do with the exponential, which is off."""

    def program(x: jax.Array) -> Any:
        return jnp.sin(x), jnp.sum(jnp.exp(x) * 1e4) - 1e4 * jnp.sum(jnp.exp(x))

    with planted("exp"):
        verdict = judged(program, X)
    assert (verdict.outcome, verdict.guilty and verdict.guilty.primitive) == ("mismatch", "exp")


@pytest.mark.parametrize(("equations", "expected"), [(3, True), (200, False)])
def test_a_long_program_is_not_compiled_once_more_for_a_loop_around_it(
    monkeypatch: pytest.MonkeyPatch, equations: int, expected: bool
) -> None:
    asked: list[bool] = []
    calls = trial.calls

    def seen(*args: Any, inside: bool) -> Any:
        asked.append(inside)
        return calls(*args, inside=False)

    def program(x: jax.Array) -> jax.Array:
        for _ in range(equations):
            x = jnp.sin(x)
        return x

    monkeypatch.setattr(trial, "calls", seen)
    repro = emit_flat(jax.make_jaxpr(program)(X), [X], header=Header(name="prog"))
    check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=1.0, inside_share=1.0))
    assert asked == [expected]


@pytest.mark.parametrize(
    ("pipeline", "outcome"), [("canonical/gpu", "ok"), ("canonical", "nondeterministic")]
)
def test_a_sum_has_no_order_on_a_gpu(pipeline: str, outcome: str) -> None:
    rows = np.random.default_rng(5).standard_normal((50, 20)).astype(np.float32)
    repro = emit_flat(jax.make_jaxpr(lambda x: x.sum(0))(rows), [rows], header=Header(name="prog"))
    options = Options(localize=False, blame=False)
    (verdict,) = check_repro(repro, [pipeline], backend=tester_backends.in_any_order, options=options)
    assert verdict.outcome == outcome, verdict.detail


def test_what_rounding_does_not_explain_is_a_race_on_a_gpu_too() -> None:
    rows = np.ones((2, 20), np.float32)
    repro = emit_flat(jax.make_jaxpr(lambda x: x.sum(0))(rows), [rows], header=Header(name="prog"))
    options = Options(localize=False, blame=False)
    (verdict,) = check_repro(repro, ["canonical/gpu"], backend=tester_backends.racing, options=options)
    assert verdict.outcome == "nondeterministic", verdict.detail
