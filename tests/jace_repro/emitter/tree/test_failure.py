"""Programs that die while being traced: the script raises the same error at the same call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.emitter import EmitError, emit_failure
from jace_repro.repro import Header, Repro
from jace_repro.trace.failure import TraceFailure, traced_run
from jace_repro.trace.model import Applied, Bound, Function, Method, Public, Step, Traced, Tracing
from jace_repro.tracker.api import record

X = np.array([1.0, 2.0, 3.0], np.float32)


def in_a_scan(x: Any) -> Any:
    return lax.scan(lambda c, t: (jnp.sin(c) @ jnp.ones((7, 2)), t), x * 2, jnp.arange(3.0))


def concretized(x: Any) -> Any:
    return x if jnp.sum(x) > 0 else -x


def carried_in_a_dict(x: Any) -> Any:
    def body(c: Any, t: Any) -> Any:
        return {"h": c["h"] + t, "w": (c["w"][0].astype(jnp.float16),)}, t

    return lax.scan(body, {"h": x.sum(), "w": (x,)}, jnp.arange(3.0))


def many_arguments(x: Any) -> Any:
    return lax.cond(x.sum() > 0, lambda *xs: (xs[0], xs[1]), lambda *xs: (xs[1], 1), x, x)


PROGRAMS: dict[str, tuple[Callable[..., Any], str]] = {
    "concatenate": (lambda x: jnp.concatenate([jnp.sin(x), x], axis=5), "jnp.concatenate((b, a), axis=5)"),
    "in a scan": (in_a_scan, "jnp.matmul("),
    "branch on a tracer": (concretized, "bool("),
    "carry type": (lambda x: lax.scan(lambda c, t: (c.astype(int), t), x, jnp.arange(3.0)), "lax.scan("),
    "carry in a dict": (carried_in_a_dict, 'lax.scan(body, {"h": '),
    "branches of *args": (many_arguments, "lax.cond("),
    "under grad": (lambda x: jax.grad(lambda v: jnp.sin(v).reshape(7).sum())(x), ".reshape("),
    "shapes": (lambda x: x + jnp.ones((8,)), "jnp.add(a, b)"),
    "numpy on a tracer": (lambda x: np.sin(x), "np.asarray(a)"),
    "lax": (lambda x: lax.dot(x, jnp.ones((4, 4))), "lax.dot(a, b)"),
    "a dynamic shape": (lambda x: jnp.zeros(x[0].astype(int)), "jnp.zeros("),
}


def scripts(directory: Path) -> list[Repro]:
    from jace_repro.repro import load

    return [load(path) for path in sorted((directory / "entries").glob("*.py"))]


@pytest.mark.parametrize("name", PROGRAMS)
def test_raises_alike(name: str, tmp_path: Path) -> None:
    fun, call = PROGRAMS[name]
    with record(tmp_path), pytest.raises((TypeError, ValueError)) as caught:
        jax.jit(fun)(X)
    repro = scripts(tmp_path)[-1]
    assert repro.header.expected_error is not None
    assert repro.header.expected_error.endswith(type(caught.value).__name__)
    (line,) = [line for line in repro.source.splitlines() if "# raises" in line]
    assert call in line
    assert not repro.header.notes
    with repro.configured(), pytest.raises(type(caught.value)) as again:
        jax.jit(repro.load_function())(*repro.load_inputs())
    assert str(again.value).splitlines()[0] == str(caught.value).splitlines()[0]


VECTOR = jax.typeof(jnp.asarray(X))
OPERAND = Traced(0, VECTOR)


def failure(*candidates: Step, exception: str = "TypeError", message: str = "") -> TraceFailure:
    closed = jax.make_jaxpr(lambda x: x)(X)
    body = traced_run("f", "prog.py:3", closed, (OPERAND,), (OPERAND,))
    open_call = Step(Tracing("jit", body), (), {})
    return TraceFailure("f", "prog.py:3", exception, message, (open_call,), candidates, (X,))


class Thing:
    """Nothing that a script could make."""


FINE = Step(Public("jax.numpy.sin"), (OPERAND,), {})
BAD = Step(Public("jax.numpy.reshape"), (OPERAND, 7), {})
OPAQUE = Step(Public("jax.numpy.sin"), (Thing(),), {})
NOT_TRACED = Step(Public("jax.vmap"), (Function("g", "", (), None),), {})


def test_the_first_candidate_that_raises_it_is_taken() -> None:
    repro = emit_failure(failure(OPAQUE, NOT_TRACED, FINE, BAD), header=Header(name="f"))
    assert "jnp.reshape(a, 7)  # raises TypeError" in repro.source
    assert not repro.header.notes


def test_one_that_nothing_confirms_says_so() -> None:
    repro = emit_failure(failure(FINE), header=Header(name="f"))
    assert repro.header.notes == ("unconfirmed: the script raises nothing, the program raised TypeError",)


def test_nothing_that_can_be_written() -> None:
    with pytest.raises(EmitError, match=r"sin: a value of type Thing.*vmap: the function g, which was not"):
        emit_failure(failure(OPAQUE, NOT_TRACED), header=Header(name="f"))


def test_values_of_no_known_trace_become_operands() -> None:
    key = Traced(5, jax.typeof(jax.random.split(jax.random.key(0))))
    call = Step(Public("jax.random.normal"), (key, (3,)), {})
    lost = Step(Tracing("jit", None), (), {})
    tree = TraceFailure("f", "prog.py:3", "ValueError", "", (lost,), (call,))
    repro = emit_failure(tree, header=Header(name="f"))
    assert [k.shape for k in repro.load_inputs()] == [(2,)]
    assert not repro.header.notes


WRITTEN = {
    "a[slice(None, 2, None), Ellipsis]": Step(
        Method("__getitem__"), (OPERAND, (slice(None, 2), Ellipsis)), {}
    ),
    "bool(a)": Step(Method("__bool__"), (OPERAND,), {}),
    "np.asarray(a)": Step(Method("__array__"), (OPERAND,), {}),
    "a.sum(axis=5)": Step(Method("sum"), (OPERAND,), {"axis": 5}),
    "jax.numpy.linalg.norm(a, np.array([1.0, 1.0], np.float32))": Step(
        Public("jax.numpy.linalg.norm"), (OPERAND, jnp.ones(2)), {}
    ),
    "jnp.asarray(a, f32)": Step(Public("jax.numpy.asarray"), (OPERAND, jnp.float32), {}),
    "lax.add_p.bind(a, np.float32(1.0))": Step(Bound(lax.add_p, {}), (OPERAND, np.float32(1)), {}),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_how_a_failing_call_is_written(text: str) -> None:
    """In full, and with arrays where they stand."""
    repro = emit_failure(failure(WRITTEN[text]), header=Header(name="f"))
    assert f"return {text}  # raises" in repro.source


def test_what_a_transform_returned_is_applied() -> None:
    closed = jax.make_jaxpr(lambda x: x * 2)(X)
    body = traced_run("double", "", closed, (Traced(1, VECTOR),), (Traced(2, VECTOR),))
    made = Step(Public("jax.vmap"), (body.function,), {"in_axes": 0})
    repro = emit_failure(failure(Step(Applied(made), (OPERAND,), {})), header=Header(name="f"))
    assert "return jax.vmap(double, in_axes=0)(a)  # raises" in repro.source
