"""Functions with derivative rules keep them: the script's gradient is the program's, equation by equation."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax
from jax.custom_derivatives import SymbolicZero

from jace import ir
from jace.releases.xla import XLA
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, trace_repro

X = np.linspace(-2.0, 2.0, 6, dtype=np.float32).reshape(2, 3)
CONSTANT = jnp.asarray([0.5, -1.5, 2.0], jnp.float32)


@jax.custom_jvp
def smooth(x: Any) -> Any:
    return jnp.log1p(jnp.exp(x))


smooth.defjvp(lambda primals, tangents: (smooth(*primals), tangents[0] * jax.nn.sigmoid(primals[0]) * 3))


@jax.custom_vjp
def clipped(x: Any, y: Any) -> Any:
    return jnp.minimum(x, y), x * y


clipped.defvjp(
    lambda x, y: (clipped(x, y), (x, y, x + y)),
    lambda res, ct: (ct[0] * res[1] + res[2], (ct[1] * res[0]).astype(res[1].dtype)),
)


@jax.custom_jvp
def scaled(x: Any) -> Any:
    return x * CONSTANT


scaled.defjvp(lambda primals, tangents: (scaled(*primals), tangents[0] * CONSTANT * 7))


@jax.custom_vjp
def halved(x: Any) -> Any:
    return x * CONSTANT


halved.defvjp(lambda x: (halved(x), None), lambda _, ct: (ct * CONSTANT / 2,))


@jax.custom_jvp
def product(x: Any, y: Any) -> Any:
    return x * y


def product_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    if isinstance(dx, SymbolicZero):
        return product(x, y), dy * x * 5
    if isinstance(dy, SymbolicZero):
        return product(x, y), dx * y * 7
    return product(x, y), dx * y + dy * x


product.defjvp(product_rule, symbolic_zeros=True)


@jax.custom_vjp
def noticed(x: Any, y: Any) -> Any:
    return x * y, x


noticed.defvjp(
    lambda x, y: (noticed(x.value, y.value), (x.value, y.value)),
    lambda res, ct: (ct[0] * res[1], ct[0] * res[0]),
    symbolic_zeros=True,
)


def ladder(order: int) -> Callable[[Any], Any]:
    """A function whose derivative is another one with the same text: not to be taken for itself."""
    fun = jax.custom_jvp(lambda x: x * 2)
    rule = lambda primals, tangents: (fun(*primals), tangents[0] * ladder(order + 1)(*primals) * order)
    fun.defjvp(rule)
    return fun


PROGRAMS: dict[str, Callable[..., Any]] = {
    "jvp": lambda x: smooth(x) + smooth(x * 2) + smooth(1.0),
    "vjp": lambda x: clipped(x, x * 2)[1],
    "vjp and integers": lambda x: clipped(x, jnp.arange(3))[0],
    "constants": lambda x: scaled(x) * halved(x),
    "symbolic zeros": lambda x: product(x, x * 2) + product(x, 3 * X) + product(2 * X, x),
    "symbolic zeros, vjp": lambda x: noticed(x, x * 2)[0],
    "jax.nn": lambda x: jax.nn.relu(x) + jax.nn.relu6(x) + jax.nn.gelu(x) + jax.nn.silu(x),
    "jax.numpy": lambda x: jnp.logaddexp(x, 2 * x) + jnp.i0(x) + jnp.sinc(x),
    "scan": lambda x: lax.scan(lambda c, t: (smooth(c) * t, clipped(c, t)[0]), x[0], x)[1],
    "vmap": lambda x: jax.vmap(lambda row: smooth(row) * clipped(row, 2 * row)[0])(x),
    "jit": lambda x: jax.jit(lambda y: smooth(y) * 2)(x),
    "remat": lambda x: jax.checkpoint(lambda y: smooth(jnp.sin(y)))(x),
    "jvp inside": lambda x: jax.jvp(smooth, (x,), (x,))[1],
}


def emitted(fun: Callable[..., Any]) -> Repro:
    """The repro of a program of X, which retraces to what it was written from."""
    closed = jax.make_jaxpr(fun)(X)
    repro = emit_flat(closed, [X], header=Header())
    assert ir.fingerprint(trace_repro(repro)[0]) == ir.fingerprint(closed)
    return repro


def assert_same_gradients(fun: Callable[..., Any], repro: Repro) -> None:
    recorded = jax.grad(lambda x: jnp.sum(fun(x)))
    script = jax.grad(lambda x: jnp.sum(repro.load_function()(x)))
    before, after = (ir.canonical_text(jax.make_jaxpr(g)(X)).splitlines() for g in (recorded, script))
    assert before == after, "\n".join([*difflib.unified_diff(before, after, lineterm=""), repro.source])
    assert np.asarray(jax.jit(recorded)(X)).tobytes() == np.asarray(jax.jit(script)(X)).tobytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient_of_the_script_is_that_of_the_program(name: str, request: pytest.FixtureRequest) -> None:
    if name == "vmap" and XLA >= 1200:
        reason = "jax 0.12 does not map zero tangents of a rule; the script's are mapped"
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    repro = emitted(PROGRAMS[name])
    assert_same_gradients(PROGRAMS[name], repro)
    if name != "jax.numpy":  # sinc's derivatives are functions with rules without end
        assert not repro.header.notes


def test_second_derivatives() -> None:
    fun = lambda x: smooth(x) * scaled(x)
    repro = emitted(fun)
    hessian = lambda f: np.asarray(jax.jit(jax.hessian(lambda x: jnp.sum(f(x))))(X))
    assert hessian(fun).tobytes() == hessian(repro.load_function()).tobytes()


def test_one_definition_for_one_rule() -> None:
    source = emitted(lambda x: smooth(x) + smooth(x + 1) * jax.jit(smooth)(x)).source
    assert source.count("@jax.custom_jvp") == 1
    assert source.count("defjvp") == 1


def test_functions_of_jax_are_called_by_their_name() -> None:
    source = emitted(lambda x: jax.nn.relu(x) + jax.nn.relu6(x)).source
    assert "jax.nn.relu(a)" in source
    assert "custom_jvp" not in source


def test_a_function_that_is_only_called_like_one_of_jax_is_written_out() -> None:
    @jax.custom_jvp
    def relu(x: Any) -> Any:
        return jnp.maximum(x, 0)

    relu.defjvp(lambda primals, tangents: (relu(*primals), tangents[0] * 11))
    repro = emitted(relu)
    assert "jax.nn.relu" not in repro.source
    assert_same_gradients(relu, repro)


def test_rules_of_rules_without_end_are_left_out_and_never_confused() -> None:
    fun = ladder(1)
    repro = emitted(fun)
    (note,) = repro.header.notes
    assert "rules of rules are written to a depth of 3" in note
    assert_same_gradients(fun, repro)
    second = lambda f: np.asarray(jax.grad(lambda x: jnp.sum(jax.grad(lambda y: jnp.sum(f(y)))(x)))(X))
    assert second(fun).tobytes() == second(repro.load_function()).tobytes()
    deep = jax.grad(jax.grad(jax.grad(jax.grad(lambda x: repro.load_function()(jnp.full((2, 3), x)).sum()))))
    with pytest.raises(NotImplementedError, match="lacks the derivative rule"):
        deep(1.0)


def test_a_rule_that_closes_over_the_trace_is_a_stub_with_a_note() -> None:
    def program(x: Any) -> Any:
        def inner(y: Any) -> Any:
            captured = jnp.cos(y)
            fun = jax.custom_jvp(lambda z: z * 2)
            fun.defjvp(lambda primals, tangents: (fun(*primals), tangents[0] * captured))
            return fun(y)

        return jax.jit(inner)(x)

    repro = emitted(program)
    (note,) = repro.header.notes
    assert "the derivative rule of <lambda> is not in the script" in note
    with pytest.raises(NotImplementedError, match="lacks the derivative rule"):
        jax.grad(lambda x: repro.load_function()(x).sum())(X)


def test_a_rule_that_raises_is_a_stub_with_a_note() -> None:
    fun = jax.custom_vjp(lambda x: x * 2)
    fun.defvjp(lambda x: (x * 2, None), lambda res, ct: 1 / 0)
    repro = emitted(fun)
    assert "the backward rule cannot be traced: ZeroDivisionError: division by zero" in repro.header.notes[0]
    with pytest.raises(NotImplementedError, match="lacks the derivative rule"):
        jax.grad(lambda x: repro.load_function()(x).sum())(X)


STEPS: dict[str, Callable[[Any], Any]] = {
    "smooth": smooth,
    "clipped": lambda x: clipped(x, jnp.cos(x))[0],
    "scaled": scaled,
    "halved": halved,
    "product": lambda x: product(x, X),
    "relu": jax.nn.relu,
    "sin": jnp.sin,
    "jit": lambda x: jax.jit(lambda y: smooth(y) + clipped(y, y)[1])(x),
    "rows": lambda x: jax.vmap(smooth)(x),
    "cond": lambda x: lax.cond(x[0, 0] > 0, smooth, scaled, x),
    "scan": lambda x: lax.scan(lambda c, t: (smooth(c + t), c), x[0], x)[1],
}


#: One rule after another.
COMPOSITIONS = st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=5)


def assert_composition_keeps_its_gradients(names: list[str]) -> None:
    def program(x: Any) -> Any:
        for name in names:
            x = STEPS[name](x)
        return x

    assert_same_gradients(program, emitted(program))


@settings(max_examples=10, deadline=None, derandomize=True)
@given(COMPOSITIONS)
def test_any_composition(names: list[str]) -> None:
    assert_composition_keeps_its_gradients(names)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True)
@given(COMPOSITIONS)
def test_many_compositions(names: list[str]) -> None:
    assert_composition_keeps_its_gradients(names)


def test_operands_that_a_rule_forbids_to_differentiate() -> None:
    """As Equinox's rules do: the others keep their derivatives."""

    @jax.custom_vjp
    def fun(x: Any, y: Any) -> Any:
        return x * y

    def forward(x: Any, y: Any) -> Any:
        assert not y.perturbed
        return x.value * y.value, y.value

    fun.defvjp(forward, lambda res, ct: (ct * res * 3, None), symbolic_zeros=True)
    program = lambda x: fun(x, X + 1)
    repro = emitted(program)
    assert not repro.header.notes
    assert_same_gradients(program, repro)


def test_a_rule_that_allows_only_what_the_program_differentiates() -> None:
    """Of eight operands: too many to try which of them may be differentiated."""

    @jax.custom_vjp
    def fun(*operands: Any) -> Any:
        return sum(operands)

    def forward(*operands: Any) -> Any:
        assert [x.perturbed for x in operands] == [True, False] * 4
        return sum(x.value for x in operands), operands[0].value

    fun.defvjp(forward, lambda res, ct: (ct * res, None) * 4, symbolic_zeros=True)
    program = lambda x: fun(*[x, X] * 4)
    closed = jax.make_jaxpr(program)(X)
    jax.grad(lambda x: jax.core.eval_jaxpr(closed.jaxpr, closed.consts, x)[0].sum())(X)
    repro = emit_flat(closed, [X], header=Header())
    assert not repro.header.notes
    assert_same_gradients(program, repro)


def test_a_backward_rule_that_branches_on_a_constant_residual() -> None:
    @jax.custom_vjp
    def fun(x: Any) -> Any:
        return x * 2

    fun.defvjp(lambda x: (fun(x), (x, True)), lambda res, ct: (ct * res[0] if res[1] else ct,))
    repro = emitted(fun)
    assert not repro.header.notes
    assert_same_gradients(fun, repro)


def test_rules_of_rules_are_not_traced_for_every_combination() -> None:
    """A function whose rule calls one whose rule calls one: Optimistix's roots took minutes to write."""
    traced = []

    def level(inner: Any) -> Any:
        fun = jax.custom_jvp(lambda x, y, z: x * y * z)

        def rule(primals: Any, tangents: Any) -> Any:
            traced.append(fun)
            given = [t for t in tangents if not isinstance(t, SymbolicZero)]
            return inner(*primals), sum(given)

        fun.defjvp(rule, symbolic_zeros=True)
        return fun

    program = level(level(level(lambda x, y, z: x * y * z)))
    emitted(lambda x: program(x, x + 1, x + 2))
    assert len(traced) <= 7 * 3  # once for each way to have three tangents, the innermost not more often


def test_the_program_does_not_notice() -> None:
    """A rule whose residuals depend on what is differentiated: JAX keeps the structure of the last trace."""

    @jax.custom_vjp
    def fun(x: Any, y: Any) -> Any:
        return x * y

    def forward(x: Any, y: Any) -> Any:
        if x.perturbed and y.perturbed:
            raise ValueError("not both")
        return x.value * y.value, ([y.value] if x.perturbed else {"x": x.value, "y": y.value})

    def backward(res: Any, ct: Any) -> Any:
        return (ct * res[0], None) if isinstance(res, list) else (None, ct * res["x"] * 3)

    fun.defvjp(forward, backward, symbolic_zeros=True)
    closed = jax.make_jaxpr(fun)(X, X + 1)
    rule = closed.eqns[0].params
    for flags in ((True, False), (False, True)):  # what differentiating does, and may do again
        traced = rule["fwd_jaxpr_thunk"].call_wrapped(*flags)
        trees = rule["out_trees"]()
        emit_flat(closed, [X, X + 1], header=Header())
        assert rule["fwd_jaxpr_thunk"].call_wrapped(*flags) is traced
        assert rule["out_trees"]() == trees
