"""Values on the way through a reduction: NumPy's where it can, and XLA is asked nothing where it ends the process."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.reducer import evaluation, reduce_repro
from jace_repro.repro import Header
from jace_repro.tester.numerics import native
from jace_repro.tester.verdict.verdict import Verdict

X = np.arange(6, dtype=np.float32)


def looping(x):
    x = lax.scan(lambda c, _: (jnp.sin(c) * 2, None), x, length=3)[0]
    n, y = lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, jnp.sort(c[1])[::-1]), (0, x))
    return jnp.cos(y) + n


@pytest.fixture
def no_xla(monkeypatch):
    """Whoever compiles fails."""
    asked: list[str] = []

    def refuse(*args, **kwargs):
        asked.append("compiled")
        raise AssertionError("XLA was asked")

    monkeypatch.setattr(native, "eval_equation", refuse)
    for name in ("eval_equation", "_run_while"):
        monkeypatch.setattr(f"jace.ir.iterations.{name}", refuse)
    monkeypatch.setattr("jace_repro.reducer.termination._Runner", refuse)
    return asked


def test_what_xla_crashes_on_is_reduced_without_it(no_xla):
    closed = jax.make_jaxpr(looping)(X)
    repro = emit_flat(closed, [X], header=Header(name="looping"))

    def check(candidate):
        return Verdict("fused", "reference-crash", "0" * 12 if "lax.sort" in candidate.source else None)

    reduced = reduce_repro(repro, check, signature="0" * 12, without_xla=True)
    assert reduced.equations == 1
    assert "lax.sort" in reduced.repro.source
    assert reduced.stopped == "fixpoint"
    assert no_xla == []


def test_what_is_dead_stays_where_xla_dies_of_it(no_xla):
    """As of a sum in the body of a loop that nobody reads: without it there is nothing left to reduce."""

    def program(x):
        def step(carry):
            jnp.sum(jnp.cos(carry[1]))
            return carry[0] + 1, jnp.sin(carry[1]) * 2

        return jnp.tanh(lax.while_loop(lambda c: c[0] < 4, step, (0, x))[1])

    repro = emit_flat(jax.make_jaxpr(program)(X), [X], header=Header(name="dead"))

    def check(candidate):
        dies = "lax.reduce_sum" in candidate.source
        return Verdict("fused", "reference-crash", "0" * 12 if dies else None)

    reduced = reduce_repro(repro, check, signature="0" * 12, without_xla=True)
    assert "lax.reduce_sum" in reduced.repro.source
    assert reduced.equations == 2  # and one that is given out
    assert reduced.stopped == "fixpoint"


def test_numpy_answers_first():
    """XLA ends the process on 120 two-bit integers: corpus/repros/xla/890e893a3bc5.py."""
    numbers = np.array([1, -2, 0, 1, -1, 0] * 20, jnp.int2)
    sort = jax.make_jaxpr(lax.sort)(numbers).eqns[0]
    (found,) = evaluation.equation(sort, [numbers])
    assert np.array_equal(found.astype(np.int32), np.sort(numbers.astype(np.int32)))


def test_jax_answers_what_numpy_does_not_know_unless_it_may_not(monkeypatch):
    monkeypatch.setattr(native, "native_op", lambda eqn: None)
    sine = jax.make_jaxpr(jnp.sin)(X).eqns[0]
    assert np.allclose(evaluation.equation(sine, [X])[0], np.sin(X))
    with evaluation.without_xla(), pytest.raises(NotImplementedError, match="NumPy has no sin"):
        evaluation.equation(sine, [X])
    assert evaluation.may_run()


def test_bodies_are_entered_as_far_as_that_needs_no_xla(no_xla):
    scan, loop = (eqn for eqn in jax.make_jaxpr(looping)(X).eqns if eqn.primitive.name in ir.CONTROL)
    with evaluation.without_xla():
        (entered,) = evaluation.entry_values(scan, ir.slots(scan)[0], [X], 0)
        assert np.array_equal(entered, X)
        assert evaluation.entry_values(scan, ir.slots(scan)[0], [X], 1) is None
        assert evaluation.trip_count(scan, [X]) == 3
        for slot in ir.slots(loop):
            assert evaluation.entry_values(loop, slot, [np.int32(0), X]) == [0, X]
            assert evaluation.entry_values(loop, slot, [np.int32(0), X], 1) is None
        assert evaluation.trip_count(loop, [np.int32(0), X]) == 1
    assert no_xla == []
