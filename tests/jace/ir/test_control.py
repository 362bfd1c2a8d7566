"""What scan, while and cond mean, said once: run body by body they give what JAX gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace import ir

X = np.linspace(0.5, 2.0, 4, dtype=np.float32)
ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)


def scanned(reverse: bool) -> Callable[..., Any]:
    def step(carry: Any, row: Any) -> Any:
        return carry * 0.5 + row + X, (carry.sum(), row * 2)

    return lambda x, rows: lax.scan(step, x, rows, reverse=reverse)


def counted(limit: Any, x: Any) -> Any:
    return lax.while_loop(lambda s: s[0] < limit, lambda s: (s[0] + 1, s[1] * s[2], s[2] + 1), (0, x, x))


def branched(index: Any, x: Any) -> Any:
    return lax.switch(index, [lambda v: v * 2, lambda v: v + 1, lambda v: -v], x)


PROGRAMS: dict[str, tuple[Callable[..., Any], Sequence[Any]]] = {
    "scan": (scanned(False), (X, ROWS)),
    "reverse scan": (scanned(True), (X, ROWS)),
    "scan of nothing": (scanned(False), (X, ROWS[:0])),
    "while": (counted, (np.int32(5), X)),
    "while that never runs": (counted, (np.int32(0), X)),
    "batch of whiles": (jax.vmap(counted), (np.int32([3, 0, 5, 1]), X)),
    "cond": (branched, (np.int32(1), X)),
    "cond with an index below": (branched, (np.int32(-7), X)),
    "cond with an index beyond": (branched, (np.int32(7), X)),
}


def closed_of(name: str) -> tuple[ir.ClosedJaxpr, list[Any]]:
    fun, args = PROGRAMS[name]
    return ir.inline_calls(jax.make_jaxpr(fun)(*args)), jax.tree.leaves(args)


def control_of(name: str) -> tuple[ir.JaxprEqn, list[Any]]:
    """The one control flow equation of a program, and its operands."""
    closed, args = closed_of(name)
    return next((eqn, invals) for _, eqn, invals, _ in ir.eval_each(closed, args) if ir.slots(eqn))


def test_every_program_has_its_equation() -> None:
    assert {control_of(name)[0].primitive.name for name in PROGRAMS} == ir.CONTROL


@pytest.mark.parametrize("name", PROGRAMS)
def test_bodies_run_one_by_one_give_what_jax_gives(name: str) -> None:
    def equation(eqn: ir.JaxprEqn, invals: list[Any]) -> Sequence[Any]:
        return ir.run_control(eqn, invals, run) if ir.slots(eqn) else ir.eval_equation(eqn, invals)

    def run(body: ir.ClosedJaxpr, operands: list[Any]) -> list[Any]:
        return ir.evaluate(body, operands, equation)

    fun, args = PROGRAMS[name]
    got = run(*closed_of(name))
    for g, w in zip(got, jax.tree.leaves(jax.jit(fun)(*args)), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-6)
        assert np.shape(g) == w.shape


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_enters_a_body_is_the_same_step_by_step_and_compiled(name: str) -> None:
    eqn, operands = control_of(name)
    seen = dict.fromkeys(ir.slots(eqn), 0)
    for label, body, wanted in ir.entries(eqn, operands):
        slot = next(s for s in seen if s.of(eqn) is body)
        assert label.startswith(f"{eqn.primitive.name}.{slot.param}[")
        again = ir.entry_values(eqn, slot, operands, seen[slot])
        assert again is not None
        jax.tree.map(
            np.testing.assert_array_equal, [np.asarray(v) for v in again], [np.asarray(v) for v in wanted]
        )
        seen[slot] += 1
    if eqn.primitive.name != "cond":
        assert seen[ir.carried(eqn)[0]] == ir.trip_count(eqn, operands)


def test_rows_of_a_batch_that_have_ended_stay() -> None:
    before, after = np.zeros((3, 2)), np.ones((3, 2))
    [state] = ir.advanced(np.array([True, False, True]), [after], [before])
    np.testing.assert_array_equal(state[:, 0], [1, 0, 1])
    assert ir.advanced(np.bool_(True), [after], [before])[0] is after


@pytest.mark.parametrize("name", ["scan", "while", "cond"])
def test_values_flow_into_bodies_around_loops_and_out(name: str) -> None:
    eqn, _ = control_of(name)
    pairs = [pair for targets, values in ir.flows(eqn) for pair in zip(targets, values, strict=True)]
    targets = {target for target, _ in pairs}
    inner = [v for slot in ir.slots(eqn) for v in slot.of(eqn).jaxpr.invars]
    assert targets == {*inner, *eqn.outvars}
    assert {v for _, v in pairs if isinstance(v, ir.Var)} >= {
        v for v in eqn.invars[1:] if isinstance(v, ir.Var)
    }


def test_an_evaluation_yields_each_equation_and_returns_the_outputs() -> None:
    closed = jax.make_jaxpr(lambda x: (jnp.sin(x) + 1, x))(X)
    steps = list(ir.eval_each(closed, [X]))
    assert [eqn.primitive.name for _, eqn, _, _ in steps] == ["sin", "add"]
    outs = ir.evaluate(closed, [X], lambda eqn, operands: [operands[0] * 2])
    np.testing.assert_array_equal(outs[0], X * 4)
    assert outs[1] is X
