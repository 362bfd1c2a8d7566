"""How a scan's operands are grouped, in whichever form the installed JAX has it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jace.ir import describe, fingerprint
from jace.releases import scans

X = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)


def equation():
    def body(carry, row):
        (a, b), c = carry, jnp.sin(row)
        return (a + c, b * scale), {"out": c}

    scale = jnp.asarray(X[0]) * 2
    closed = jax.make_jaxpr(lambda s, x: jax.lax.scan(lambda c, r: body(c, r + s), (x[0], x[1]), x))(scale, X)
    (eqn,) = (e for e in closed.jaxpr.eqns if e.primitive.name == "scan")
    return eqn


def test_counts_are_those_of_the_program():
    consts, carries = scans.counts(equation().params)
    assert carries == 2
    assert consts + carries + 1 == len(equation().invars)


def test_groups_say_what_they_are_made_of():
    params = equation().params
    consts, carries = scans.counts(params)
    again = {**params, **scans.groups(params, params["jaxpr"], consts, carries)}
    assert scans.counts(again) == (consts, carries)
    assert again.keys() == params.keys()


def test_texts_are_in_the_words_of_the_first_release():
    assert {"num_consts", "num_carry"} <= scans.plain(equation().params).keys()
    assert "num_carry=2" in describe(equation())
    assert "ft_in" not in describe(equation())
    assert scans.plain({"axis": 0}) == {"axis": 0}


def test_the_fingerprint_of_a_loop_does_not_depend_on_the_release():
    closed = jax.make_jaxpr(lambda x: jax.lax.scan(lambda c, r: (c + r, None), x[0], x)[0])(X)
    assert fingerprint(closed) == "e3b0787e5eae73282ff5a2b4507b045ec20d54dd94246de1af62b191ed6a88f8"
