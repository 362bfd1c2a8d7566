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
from jace_repro.trace.failure import Call, Func, Opaque, Ref, TraceFailure
from jace_repro.tracker.api import record

X = np.array([1.0, 2.0, 3.0], np.float32)


def in_a_scan(x: Any) -> Any:
    return lax.scan(lambda c, t: (jnp.sin(c) @ jnp.ones((7, 2)), t), x * 2, jnp.arange(3.0))


def concretized(x: Any) -> Any:
    return x if jnp.sum(x) > 0 else -x


PROGRAMS: dict[str, tuple[Callable[..., Any], str]] = {
    "concatenate": (lambda x: jnp.concatenate([jnp.sin(x), x], axis=5), "jnp.concatenate((b, a), axis=5)"),
    "in a scan": (in_a_scan, "jnp.matmul("),
    "branch on a tracer": (concretized, "bool("),
    "carry type": (lambda x: lax.scan(lambda c, t: (c.astype(int), t), x, jnp.arange(3.0)), "lax.scan("),
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


def failure(*candidates: Call, exception: str = "TypeError", message: str = "") -> TraceFailure:
    ref = Ref(0, (3,), "float32")
    closed = jax.make_jaxpr(lambda x: x)(X)
    func = Func("f", "prog.py:3", "jit", (ref,), closed, (ref,), candidates)
    return TraceFailure(
        "f", "prog.py:3", exception, message, Call("trace", "jit", func=func), candidates, (X,)
    )


OPERAND = Ref(0, (3,), "float32")
FINE = Call("api", "jax.numpy.sin", (OPERAND,))
BAD = Call("api", "jax.numpy.reshape", (OPERAND, 7))
OPAQUE = Call("api", "jax.numpy.sin", (Opaque("a value of type Thing", "<thing>"),))


def test_the_first_candidate_that_raises_it_is_taken() -> None:
    repro = emit_failure(failure(OPAQUE, FINE, BAD), header=Header(name="f"))
    assert "jnp.reshape(a, 7)  # raises TypeError" in repro.source
    assert not repro.header.notes


def test_one_that_nothing_confirms_says_so() -> None:
    repro = emit_failure(failure(FINE), header=Header(name="f"))
    assert repro.header.notes == ("unconfirmed: the script raises nothing, the program raised TypeError",)


def test_nothing_that_can_be_written() -> None:
    with pytest.raises(EmitError, match="a value of type Thing"):
        emit_failure(failure(OPAQUE), header=Header(name="f"))


def test_values_of_no_known_trace_become_operands() -> None:
    key = Ref(5, (2,), "key<fry>")
    call = Call("api", "jax.random.normal", (key, (3,)))
    lost = Call("trace", "jit", func=Func("f", "prog.py:3", "jit"))
    tree = TraceFailure("f", "prog.py:3", "ValueError", "", lost, (call,))
    repro = emit_failure(tree, header=Header(name="f"))
    assert [k.shape for k in repro.load_inputs()] == [(2,)]
    assert not repro.header.notes
