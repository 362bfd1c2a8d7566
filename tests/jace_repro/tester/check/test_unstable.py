"""Programs whose outputs say nothing: nobody is accused on noise, and a wrong equation is found all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro

X = np.linspace(0.1, 0.9, 33, dtype=np.float32)


def _trajectory(step: Callable[[Any], Any], length: int = 200) -> Callable[[Any], Any]:
    """All that a map goes through."""
    return lambda x: lax.scan(lambda c, _: (step(c),) * 2, x, None, length=length)[1]


def _lorenz(x: Any) -> Any:
    def step(state: Any, _: Any) -> Any:
        a, b, c = state
        change = 10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c
        state = tuple(v + 0.02 * w for v, w in zip(state, change, strict=True))
        return state, state[0]

    return lax.scan(step, (x, x + 1, x + 20.0), None, length=1200)[1]


def _until_it_has_run(x: Any) -> Any:
    return lax.while_loop(lambda c: c[1] < 300, lambda c: (jnp.exp(jnp.sin(c[0] * 9.0)), c[1] + 1), (x, 0))[0]


#: Each with the primitives that it is made of.
CHAOTIC = {
    "sine map": (_trajectory(lambda c: jnp.sin(c * 3.1) * jnp.exp(c * -0.01) * 1.2), ("sin", "exp")),
    "until it has run": (_until_it_has_run, ("exp", "sin")),
    "Lorenz": (_lorenz, ()),
    "Gauss map": (_trajectory(lambda c: 1 / c - jnp.floor(1 / c) + 1e-3), ("div",)),
    "powers": (_trajectory(lambda c: 4.0 * c**1.1 * (1 - c**1.3) + 0.01), ("pow",)),
    "logarithms": (_trajectory(lambda c: jnp.sin(jnp.log(jnp.abs(c) + 0.01) * 4.3)), ("log", "sin")),
    "roots": (_trajectory(lambda c: jnp.sin(jnp.sqrt(jnp.abs(c) + 0.01) * 7.9)), ("sqrt",)),
}


@contextmanager
def planted(primitive: str, factor: str) -> Iterator[None]:
    """The rule of a primitive off by a factor."""
    right = jace.rule_of(primitive)

    def expression(params: Any, ins: Any, out: Any, *operands: str) -> str:
        return f"(({right.expression(params, ins, out, *operands)}) * {factor})"

    with jace.use_rules({primitive: jace.Elementwise(expression)}):
        yield


def judged(fun: Callable[..., Any], *args: Any) -> Verdict:
    repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="prog"))
    return check_repro(repro, ["fused"], options=Options(blame=False))[0]


@pytest.mark.parametrize("name", CHAOTIC)
def test_chaos_is_nobodys_fault(name: str) -> None:
    found = judged(CHAOTIC[name][0], X)
    assert found.outcome in ("ok", "ill-conditioned"), found.detail
    assert found.guilty is None


#: What is searched for the wrong equation in every run of the tests; in the others with `-m ci`.
SEARCHED = ("sine map", "powers", "roots")
WRONG = [
    pytest.param(name, primitive, marks=() if name in SEARCHED else pytest.mark.ci)
    for name, (_, primitives) in CHAOTIC.items()
    for primitive in primitives
]


@pytest.mark.parametrize(("name", "primitive"), WRONG)
def test_an_equation_that_is_wrong_in_chaos_is_found(name: str, primitive: str) -> None:
    factor = "1.00001f" if primitive == "sqrt" else "1.001f"
    with planted(primitive, factor):
        found = judged(CHAOTIC[name][0], X)
    assert found.outcome == "mismatch", found.detail
    assert found.guilty is not None
    assert (found.guilty.primitive, found.guilty.confirmed) == (primitive, True)
    assert found.guilty.path


def test_the_finding_is_the_same_on_the_next_pipeline() -> None:
    fun, _ = CHAOTIC["sine map"]
    repro = emit_flat(jax.make_jaxpr(fun)(X), [X], header=Header(name="prog"))
    with planted("exp", "1.001f"):
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
