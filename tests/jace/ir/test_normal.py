"""The one form of a jaxpr that tracing gives back."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, jaxpr_as_fun

import jace
from jace import ir

X = np.arange(3, dtype=np.float32)


def with_constant(constant: object) -> ClosedJaxpr:
    """x + c, with c a constant of the jaxpr, as a trace inside of another one leaves it."""
    opened = jax.make_jaxpr(lambda c, x: x + c)(jnp.float32(2), X).jaxpr
    c, x = opened.invars
    return ir.make_closed([x], opened.outvars, opened.eqns, {c: constant})


def test_scalar_constants_are_literals_and_unused_ones_gone() -> None:
    normal = ir.normal_form(with_constant(np.float32(2)))
    assert not normal.jaxpr.constvars
    assert ir.fingerprint(normal) == ir.fingerprint(jax.make_jaxpr(lambda x: x + np.float32(2))(X))
    assert ir.normal_form(normal) is normal


def test_what_is_computed_in_vain_is_not_in_the_live_form() -> None:
    def counted(n: int) -> Callable[[jax.Array], jax.Array]:
        """A loop that carries `n` values which nobody needs."""

        def body(carry: tuple[jax.Array, ...], _: None) -> tuple[tuple[jax.Array, ...], None]:
            x, *vain = carry
            return (jnp.sin(x), *(v + x for v in vain)), None

        return lambda x: jax.lax.scan(body, (x, *[x] * n), None, length=3)[0][0] * 2

    one, other = (jax.make_jaxpr(counted(n))(X) for n in (0, 2))
    assert ir.fingerprint(one) != ir.fingerprint(other)
    assert ir.fingerprint(ir.live_form(one)) == ir.fingerprint(one) == ir.fingerprint(ir.live_form(other))


def test_the_order_of_what_a_function_with_a_rule_closes_over_means_nothing() -> None:
    def program(x: jax.Array, y: jax.Array) -> jax.Array:
        @jax.custom_jvp
        def fun(z: jax.Array) -> jax.Array:
            return (z - x) * y

        fun.defjvp(lambda primals, tangents: (fun(*primals), tangents[0] * y))
        return fun(x * y)

    closed = jax.make_jaxpr(program)(X, X)
    *others, eqn = closed.jaxpr.eqns
    body, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    assert count == 2
    a, b, *rest = body.jaxpr.invars
    swapped = ir.make_closed([b, a, *rest], body.jaxpr.outvars, body.jaxpr.eqns, {})
    first, second, *others_in = eqn.invars
    again = eqn.replace(invars=[second, first, *others_in], params={**eqn.params, "call_jaxpr": swapped})
    other = ir.make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, [*others, again], {})
    assert ir.fingerprint(other) == ir.fingerprint(closed)
    wrong = eqn.replace(invars=[second, first, *others_in])
    other = ir.make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, [*others, wrong], {})
    assert ir.fingerprint(other) != ir.fingerprint(closed)


def test_a_value_of_a_trace_stays_a_constant() -> None:
    """Libraries keep rules that nothing calls any more, whose constants are values of a trace that is over."""
    kept: list[ClosedJaxpr | Jaxpr] = []

    def outer(c: object) -> object:
        kept.append(ir.normal_form(with_constant(c)))
        return c

    jax.make_jaxpr(outer)(jnp.float32(2))
    assert len(kept[0].consts) == 1
    assert isinstance(kept[0].consts[0], jax.core.Tracer)


def test_what_a_function_with_a_rule_closes_over_and_does_not_read_is_nothing() -> None:
    """A trace has such a constant for as long as somebody holds the value: a tracker does."""
    held: list[object] = []

    def program(x: jax.Array, keep: bool) -> jax.Array:
        @jax.custom_jvp
        def fun(z: jax.Array) -> jax.Array:
            made = jnp.array(np.zeros(3, np.float32), jnp.float32)
            held.extend([made] * keep)
            return jnp.sin(z)

        fun.defjvp(lambda primals, tangents: (fun(*primals), tangents[0]))
        return fun(x)

    with_it, without = (jax.make_jaxpr(lambda x, k=keep: program(x, k))(X) for keep in (True, False))
    assert [c.jaxpr.eqns[0].params["num_consts"] for c in (with_it, without)] == [1, 0]
    assert ir.fingerprint(with_it) != ir.fingerprint(without)
    normal = ir.normal_form(with_it)
    assert ir.fingerprint(normal) == ir.fingerprint(ir.normal_form(without))
    assert not normal.consts
    np.testing.assert_array_equal(jaxpr_as_fun(normal)(X)[0], jnp.sin(X))


def test_a_call_of_a_jace_function_is_what_it_computes() -> None:
    ours = jax.make_jaxpr(lambda x: jace.jit(lambda y: jnp.sin(y) * 2)(x) + 1)(X)
    assert "jace_call" in str(ours)
    plain = jax.make_jaxpr(lambda x: jnp.sin(x) * 2 + 1)(X)
    found = ir.inline_calls(ir.normal_form(ours))
    assert ir.fingerprint(found) == ir.fingerprint(plain)


def test_what_a_loop_closes_over_and_does_not_read_is_nothing() -> None:
    held: list[object] = []

    def touch(keep: bool) -> None:
        made = jnp.array(np.zeros(3, np.float32), jnp.float32)
        held.extend([made] * keep)

    def program(x: jax.Array, keep: bool) -> object:
        def step(c: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
            touch(keep)
            return c * y + row, c

        def longer(c: jax.Array) -> jax.Array:
            touch(keep)
            return jnp.sum(c * y) < 50

        def body(c: jax.Array) -> jax.Array:
            touch(keep)
            return c + y

        y = x + 1
        return jax.lax.scan(step, x, jnp.zeros((2, 3)), reverse=True), jax.lax.while_loop(longer, body, x)

    with_it, without = (jax.make_jaxpr(lambda x, k=keep: program(x, k))(X) for keep in (True, False))
    scan, loop = (next(e for e in with_it.jaxpr.eqns if e.primitive.name == n) for n in ("scan", "while"))
    assert (loop.params["cond_nconsts"], loop.params["body_nconsts"]) == (2, 2)
    normal = ir.normal_form(with_it)
    assert ir.fingerprint(normal) == ir.fingerprint(ir.normal_form(without)) != ir.fingerprint(with_it)
    assert not normal.consts
    args, outs = [X], jaxpr_as_fun(normal)(X)
    for one, other in zip(outs, jaxpr_as_fun(with_it)(*args), strict=True):
        np.testing.assert_array_equal(one, other)
    assert scan.params != normal.jaxpr.eqns[1].params
