"""Loops are calls of public functions where these give the very same equation, and binds where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace import ir
from jace.releases.scans import groups
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, trace_repro

X = np.arange(6, dtype=np.float32).reshape(2, 3)
BINDS = ("scan_p.bind", "while_p.bind")


def carry(x: Any) -> Any:
    return x * 2


PUBLIC: dict[str, Callable[[Any], Any]] = {
    "carry, constants and rows": lambda x: lax.scan(lambda c, r: (c * 2 + x[0], c.sum()), x[0], x),
    "groups": lambda x: lax.scan(
        lambda c, r: ((c[1], c[0] + r[0]), (r[1], c[0])), (x[0], x[1]), (x, x + 1), reverse=True
    ),
    "nothing is carried": lambda x: lax.map(lambda r: jnp.sort(r) + 1, x),
    "no rows": lambda x: lax.scan(lambda c, _: (c * x, None), x, None, length=3, unroll=2),
    "of weak types": lambda x: lax.fori_loop(0, 5, lambda i, c: c + i * x, x),
    "nested": lambda x: lax.scan(
        lambda c, r: (lax.scan(lambda d, s: (d + s * c[0], d), 0.0, r)[0] + c, r * x[1]), x[0], x
    ),
    "derivatives": lambda x: jax.grad(lambda x: lax.scan(lambda c, r: (jnp.sin(c) * r, c), x[0], x)[0].sum())(x),
    "while": lambda x: lax.while_loop(lambda c: c[0] < x.sum(), lambda c: (c[0] + 1, c[1] + x), (0.0, x)),
    "while of one": lambda x: lax.while_loop(lambda c: c.sum() < 100, lambda c: c + x, x),
    "a function called carry": lambda x: lax.scan(
        lambda c, r: ((jax.jit(carry)(c[0]), c[1] + r), None), (x[0], x[1]), x
    )[0],
    "keys": lambda x: lax.scan(
        lambda k, r: (jax.random.split(k)[0], r + jax.random.normal(k)), jax.random.key(3), x
    )[1],
    "without results": lambda x: (lax.scan(lambda c, r: (c, None), None, x), x)[1],
}  # fmt: skip


def consts(names: str, body: Callable[..., Any]) -> Callable[[Any], Any]:
    """A scan that is bound with these operands, of x, y and 2.0, as its constants."""

    def program(x: Any) -> Any:
        known = {"x": x, "y": x + 1, "2": 2.0}
        given = [known[name] for name in names]
        inner = jax.make_jaxpr(body)(*given, x)
        options = dict(eqn_of(lambda x: lax.scan(lambda c, _: (c * 2, None), x, None, length=2)).params)
        options |= {"jaxpr": inner, **groups(options, inner, len(given), 1)}
        return lax.scan_p.bind(*given, x, **options)

    return program


def eqn_of(fun: Callable[[Any], Any]) -> Any:
    """The loop of a function."""
    (eqn,) = (e for e in jax.make_jaxpr(fun)(X).jaxpr.eqns if e.primitive.name in ("scan", "while"))
    return eqn


#: What `lax.scan` and `lax.while_loop` would make another equation of.
OTHERS: dict[str, Callable[[Any], Any]] = {
    "constants in another order": consts("xy", lambda x, y, c: [c * y + x]),
    "the same constant twice": consts("xx", lambda x, y, c: [c * x + y]),
    "a constant that is a number": consts("2", lambda n, c: [c * n]),
    "a condition for each lane": jax.vmap(
        lambda r: lax.while_loop(lambda c: c.sum() < 10, lambda c: c * 2 + 1, r)
    ),
}


def emitted(fun: Callable[[Any], Any]) -> Repro:
    closed = jax.make_jaxpr(fun)(X)
    repro = emit_flat(closed, [X], header=Header(name="loop"))
    assert ir.fingerprint(trace_repro(repro)[0]) == ir.fingerprint(ir.normal_form(closed)), repro.source
    return repro


@pytest.mark.parametrize("name", PUBLIC)
def test_a_loop_is_a_call(name: str) -> None:
    repro = emitted(PUBLIC[name])
    assert "lax.scan(" in repro.source or "lax.while_loop(" in repro.source
    assert not [text for text in BINDS if text in repro.source]


@pytest.mark.parametrize("name", OTHERS)
def test_another_equation_is_bound(name: str) -> None:
    assert [text for text in BINDS if text in emitted(OTHERS[name]).source]


def test_a_constant_that_is_not_used_is_left_out() -> None:
    assert not [text for text in BINDS if text in emitted(consts("xy", lambda x, y, c: [c * x])).source]


def test_it_reads_well() -> None:
    """Constants by their names, groups taken apart where they come in."""
    source = emitted(lambda x: lax.scan(lambda c, r: ((c[1], c[0] + r + x[1]), c[0]), (x[0], x[1]), x)).source
    body = source[source.index("def body") : source.index("def inputs")].rstrip()
    assert [line.partition("  #")[0] for line in body.splitlines()] == [
        "def body(a, carry, d):",
        "    b, c = carry",
        "    e = lax.add(b, d)",
        "    f = lax.slice(a, (1, 0), (2, 3))",
        "    g = lax.squeeze(f, (0,))",
        "    h = lax.add(e, g)",
        "    return (c, h), b",
    ]
    assert "    (f, g), h = lax.scan(functools.partial(body, a), (c, e), a)" in source
