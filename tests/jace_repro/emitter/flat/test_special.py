"""What tracing does not give: hand-made programs, callbacks, references, foreign primitives."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.extend.core import ClosedJaxpr, Literal, Primitive, Var
from jax.interpreters import ad, batching, mlir

from jace import ir
from jace.jax_internals import new_jaxpr_eqn
from jace_repro.emitter import EmitError, emit_flat
from jace_repro.emitter.core import prelude
from jace_repro.repro import Header, Repro, load, trace_repro
from jace_repro.selfcheck import self_check

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ROW = jnp.asarray(X[0])
SQUARES = jnp.asarray(X**2)

foreign = Primitive("foreign")
foreign.def_impl(lambda x, *, power: lax.mul(lax.integer_pow(x, power), x))
foreign.def_abstract_eval(lambda x, *, power: x)
closed_box = Primitive("closed_box")
closed_box.def_abstract_eval(lambda x: x)


def written(closed: ClosedJaxpr, *args: Any) -> tuple[Repro, bool]:
    """The repro and whether it retraces to what its header says."""
    repro = emit_flat(closed, args, header=Header(fingerprint=ir.fingerprint(closed)))
    again, _ = trace_repro(repro)
    return repro, ir.fingerprint(again) == repro.header.fingerprint


def traced(fun: Any, *args: Any) -> tuple[Repro, bool]:
    return written(jax.make_jaxpr(fun)(*args), *args)


def var(like: Any) -> Var:
    return Var(jax.typeof(like))


def unary(primitive: Any, like: Any, out: Any, **params: Any) -> ClosedJaxpr:
    """A program of one equation, which tracing would have simplified."""
    operand, result = var(like), var(out)
    atom: Any = operand if np.ndim(like) else Literal(np.asarray(like), jax.typeof(like))
    eqn = new_jaxpr_eqn([atom], [result], primitive, params, set())
    return ir.make_closed([operand] if np.ndim(like) else [], [result], [eqn])


CONVERT = {"weak_type": False, "sharding": None}
HAND_MADE: dict[str, tuple[ClosedJaxpr, Sequence[Any]]] = {
    "idle conversion": (unary(lax.convert_element_type_p, X, X, new_dtype=X.dtype, **CONVERT), (X,)),
    "folded conversion": (
        unary(lax.convert_element_type_p, np.float32(3), np.int32(3), new_dtype=np.dtype("int32"), **CONVERT),
        (),
    ),
    "idle broadcast": (
        unary(lax.broadcast_in_dim_p, X, X, shape=(2, 3), broadcast_dimensions=(0, 1), sharding=None),
        (X,),
    ),
}


@pytest.mark.parametrize("name", HAND_MADE)
def test_equations_that_tracing_would_drop(name: str) -> None:
    closed, args = HAND_MADE[name]
    _, same = written(closed, *args)
    assert same


def test_an_inlined_jit_stays_a_jit() -> None:
    closed = jax.make_jaxpr(jax.jit(jnp.sin))(X)
    eqn = closed.eqns[0].replace(params={**closed.eqns[0].params, "inline": True})
    _, same = written(ir.make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, [eqn]), X)
    assert same


def test_constants_of_hand_made_programs() -> None:
    closed = jax.make_jaxpr(lambda x: (x * ROW, x + SQUARES, SQUARES))(X)
    scalar, unused = var(np.float32(2)), var(X)
    first = closed.eqns[0].replace(invars=[scalar, closed.jaxpr.invars[0]], primitive=lax.mul_p)
    first = first.replace(params={"out_dtype": None}, outvars=[var(X)])
    eqns = [first, *closed.eqns]
    consts = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    reordered = dict(reversed(list(consts.items())))
    for given in (consts, reordered, {unused: X, scalar: np.float32(2), **reordered}):
        used = eqns if scalar in given else closed.eqns
        program = ir.make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, used, given)
        repro, same = written(program, X)
        assert same
        before = jax.jit(jax.extend.core.jaxpr_as_fun(program))(X)
        after = jax.tree.leaves(jax.jit(repro.load_function())(X))
        assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def without_calls(closed: ClosedJaxpr) -> ClosedJaxpr:
    return ir.eliminate_dead(ir.inline_calls(closed))


@pytest.mark.parametrize("rewrite", [ir.inline_calls, ir.fold_constants, ir.eliminate_dead, without_calls])
def test_rewritten_programs(rewrite: Any) -> None:
    def program(x: Any) -> Any:
        y = lax.scan(lambda c, t: (jax.nn.relu(c) * t, c.sum()), x[0], x)
        return y[1], jnp.argsort(x, 1), jax.jit(jnp.linalg.norm)(x), x.at[0].add(1.0), jax.nn.softmax(x)

    _, same = written(rewrite(jax.make_jaxpr(program)(X)), X)
    assert same


def test_rules_of_transformations_are_stubs() -> None:
    policy = lambda *args, **params: True
    repro, same = traced(jax.grad(lambda x: jax.checkpoint(jnp.sin, policy=policy)(x).sum()), X)
    assert same
    assert "the policy of a" in repro.header.notes[0]


def test_references_become_functional() -> None:
    def program(x: Any) -> Any:
        ref = jax.new_ref(jnp.zeros(3))
        ref[...] = x[0]
        ref[1] += 2.0
        return ref[...]

    repro, same = traced(program, X)
    assert not same
    assert repro.header.notes == ("mutable references were turned into functional updates",)
    assert np.array_equal(jax.jit(repro.load_function())(X), program(X))


def test_foreign_primitives_are_lowered_away() -> None:
    repro, same = traced(lambda x: foreign.bind(x, power=2) + foreign.bind(x, power=3), X)
    assert same
    assert repro.header.notes == (
        "foreign was replaced by what it computes: primitive foreign is not part of JAX",
    )
    assert "integer_pow(a, 2)" in repro.source
    assert np.array_equal(jax.jit(repro.load_function())(X), X**3 + X**4)


def weak_foreign() -> Primitive:
    """A primitive that says its result is weakly typed, and is implemented by one that is not."""
    primitive = Primitive("weakly")
    primitive.def_impl(lambda x: lax.mul(x, x))
    primitive.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype, weak_type=True))
    return primitive


weakly = weak_foreign()
nested = Primitive("nested")
nested.def_impl(lambda x: lax.fori_loop(0, 3, lambda i, c: foreign.bind(c, power=2) + SQUARES, x))
nested.def_abstract_eval(lambda x: x)


chosen = Primitive("chosen")  # its implementation looks at a value, as that of equinox's noinline does
chosen.def_impl(lambda index, x: (lax.sin, lax.cos)[index.item()](x))
chosen.def_abstract_eval(lambda index, x: x)


@jax.custom_jvp
def around(x: Any) -> Any:
    return foreign.bind(x, power=2)


around.defjvp(lambda primals, tangents: (around(*primals), foreign.bind(tangents[0], power=3)))

FOREIGN: dict[str, Any] = {
    "weak result": lambda x: (weakly.bind(x), weakly.bind(x) + 1),
    "in a loop": lambda x: lax.scan(lambda c, t: (foreign.bind(c, power=2), t), x[0], x),
    "of a literal": lambda x: foreign.bind(np.float32(3), power=2) * x,
    "by a literal": lambda x: chosen.bind(np.int32(0), x) + 2 * chosen.bind(np.int32(1), x),
    "made of others": lambda x: nested.bind(x) * 2,
    "in a function with a rule": lambda x: around(x) + around(x * 2),
    "in a jit": lambda x: jax.jit(lambda y: foreign.bind(y, power=2) + weakly.bind(y))(x),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_the_script_is_the_program_with_what_was_replaced(tmp_path: Path, name: str) -> None:
    """Its header has the fingerprint of that program, which the self-check finds in the script."""
    closed = jax.make_jaxpr(FOREIGN[name])(X)
    repro = emit_flat(closed, [X], header=Header(fingerprint=ir.fingerprint(closed)))
    assert "was replaced by what it computes" in repro.header.notes[0]
    again, _ = trace_repro(repro)
    assert repro.header.fingerprint == ir.fingerprint(ir.live_form(again)) != ir.fingerprint(closed)
    assert ir.primitives(again).keys().isdisjoint({"foreign", "weakly", "nested", "chosen"})
    assert [a.weak_type for a in again.out_avals] == [a.weak_type for a in closed.out_avals]
    assert self_check(repro.save(tmp_path / "repro.py").path).status == "exact"


second = Primitive("second")
second.def_impl(lambda flag, x: lax.mul(x, x))
second.def_abstract_eval(lambda flag, x: x)


def test_what_only_a_replaced_primitive_was_given_is_not_compared(tmp_path: Path) -> None:
    """JAX keeps what a primitive reads; a script that computes the same without it is the same program."""

    def program(x: Any) -> Any:
        step = lambda c, t: ((c[0] & (t.sum() > 0), second.bind(c[0], c[1])), None)
        return lax.scan(step, (np.bool_(True), x[0]), x)[0][1]

    closed = jax.make_jaxpr(program)(X)
    repro = emit_flat(closed, [X], header=Header(fingerprint=ir.fingerprint(closed)))
    assert repro.header.without_dead_code
    assert load(repro.save(tmp_path / "repro.py").path).header == repro.header
    without = jax.make_jaxpr(lambda x: lax.scan(lambda c, t: (lax.mul(c, c), None), x[0], x)[0])(X)
    wrong = jax.make_jaxpr(lambda x: lax.scan(lambda c, t: (lax.mul(c, t), None), x[0], x)[0])(X)
    for other, status in ((without, "exact"), (wrong, "jaxpr-differs")):
        script = emit_flat(other, [X], header=Header())
        script = replace(script, header=repro.header)
        assert self_check(script.save(tmp_path / "other.py").path).status == status
    script = replace(
        emit_flat(without, [X], header=Header()), header=replace(repro.header, without_dead_code=False)
    )
    assert self_check(script.save(tmp_path / "other.py").path).status == "jaxpr-differs"


def test_constants_of_functions_with_rules_that_are_literals() -> None:
    """What replacing equations may leave: tracing would have written the number itself."""

    @jax.custom_jvp
    def fun(x: Any) -> Any:
        return x * ROW + ROW

    fun.defjvp(lambda primals, tangents: (fun(*primals), tangents[0] * ROW * 3))
    closed = jax.make_jaxpr(fun)(X[0])
    (eqn,) = closed.eqns
    scalar = Literal(np.float32(2), jax.core.ShapedArray((), np.float32))
    body = jax.make_jaxpr(lambda c, x: x * c + c)(np.float32(2), X[0])
    params = {**eqn.params, "call_jaxpr": body}
    eqn = eqn.replace(invars=[scalar, closed.jaxpr.invars[0]], params=params)
    program = ir.make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, [eqn])
    repro = emit_flat(program, [X[0]], header=Header())
    again, _ = trace_repro(repro)
    assert ir.fingerprint(again) == repro.header.fingerprint
    assert np.array_equal(jax.jit(repro.load_function())(X[0]), X[0] * 2 + 2)


def test_what_cannot_be_written() -> None:
    with pytest.raises(EmitError, match="closed_box"):
        traced(closed_box.bind, X)
    with pytest.raises(EmitError, match="1 values for 2 operands"):
        emit_flat(jax.make_jaxpr(jnp.add)(1, 2), [1], header=Header())


def test_emission_is_quick() -> None:
    def program(x: Any) -> Any:
        for i in range(25):
            x = jnp.sin(x) * i
        return x

    closed = jax.make_jaxpr(program)(X)
    assert len(closed.eqns) == 50
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        emit_flat(closed, [X], header=Header(fingerprint="0"))
        best = min(best, time.process_time() - start)
    assert best < 0.02


SCRIPT = """
import hashlib, jax, jax.numpy as jnp, numpy as np
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
def program(x, k):
    policy = jax.checkpoint_policies.save_only_these_names("a", "b", "c", "d")
    y = jax.grad(lambda v: jax.checkpoint(lambda w: jnp.sin(jnp.sin(w)), policy=policy)(v).sum())(x)
    return y, jax.random.normal(k, (2,)), x[jnp.array([1, 0])], jax.lax.cond(x[0] > 0, jnp.cos, jnp.sin, x)
args = [np.arange(40.0), jax.random.key(1)]
repro = emit_flat(jax.make_jaxpr(program)(*args), args, header=Header())
print(hashlib.sha256(repro.text().encode()).hexdigest())
"""


@pytest.mark.ci
def test_the_same_text_in_every_process(tmp_path: Path) -> None:
    found = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("several", [False, True])
def test_a_primitive_in_a_script_that_is_not_mapped_needs_no_rule_for_it(several: bool) -> None:
    """A loop asks for this while it finds out what of its state is mapped; no run of a rule has recorded it."""
    space: dict[str, Any] = {"jax": jax, "Primitive": Primitive, "ad": ad, "batching": batching, "mlir": mlir}
    exec(prelude.FUNCTIONS["primitive"], space)
    made = space["primitive"](lambda x: [x * 2] if several else x * 2, several=several)
    found, dims = batching.fancy_primitive_batchers[made](None, (jnp.float32(3),), (None,))
    assert (found, dims) == (([6.0], [None]) if several else (6.0, None))
