"""What each pass on scripts proposes, on small programs; an oracle in this process says what is still interesting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from jace import ir
from jace_repro.reducer import loop
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.source.parts import Parts
from jace_repro.reducer.source.passes import source_passes
from jace_repro.reducer.source.program import Program
from jace_repro.repro import Header, Repro

IMPORTS = frozenset({"import jax.numpy as jnp", "from jax import lax"})
X = np.array([0.5, 1.5, 2.5], np.float32)


def program(text: str, *args: Any) -> Program:
    """A program with this text, of the imports that all of these have."""
    parts = Parts(text.strip("\n") + "\n", Repro("", {}, Header()), IMPORTS, {}, frozenset())
    return Program(parts, args)


def has(primitive: str) -> Callable[[Program], bool]:
    """Whether an output depends on an equation of a primitive, and on an input."""

    def interesting(candidate: Program) -> bool:
        assert candidate.problem is not None
        live = ir.live_form(candidate.problem.closed)
        there = any(eqn.primitive.name == primitive for _, eqn in ir.walk(live.jaxpr))
        return there and not ir.used_variables(live.jaxpr).isdisjoint(live.jaxpr.invars)

    return interesting


def smallest(start: Program, interesting: Callable[[Program], bool], *names: str) -> Program:
    """What these passes leave, or all."""
    passes = [one for one in source_passes() if not names or one.name in names]
    assert len(passes) == len(names) or not names
    found = loop.minimize(
        start,
        at_once(interesting),
        passes,
        max_calls=500,
        admissible=lambda candidate: candidate.problem is not None,
    )
    assert found.stopped == "fixpoint"
    return found.problem


CASES: dict[str, tuple[str, str, str]] = {
    "return earlier": (
        "def repro(x):\n    a = jnp.sin(x)\n    b = jnp.cos(a)\n    c = jnp.exp(b)\n    return c",
        "cos",
        "def repro(x):\n    a = jnp.sin(x)\n    b = jnp.cos(a)\n    return b\n",
    ),
    "start later": (
        "def repro(x):\n    a = jnp.sin(x)\n    b = jnp.cos(a)\n    c = jnp.exp(b)\n    return c",
        "exp",
        "def repro(b):\n    c = jnp.exp(b)\n    return c\n",
    ),
    "drop statements": (
        "def repro(x):\n    a = jnp.sin(x)\n    b = jnp.cos(x)\n\n    def f(y):\n        return a\n\n"
        "    x = x + 1\n    return b",
        "cos",
        "def repro(x):\n    b = jnp.cos(x)\n\n    return b\n",
    ),
    "drop inputs": (
        "def repro(x, y, z):\n    return jnp.sin(y)",
        "sin",
        "def repro(y):\n    return jnp.sin(y)\n",
    ),
    "inline functions": (
        "def f(x, y):\n    a = jnp.sin(x)  # u.py:3\n    return a + y  # u.py:4\n\n\n"
        "def repro(a):\n    b = f(a * 2, y=a)\n    return b",
        "sin",
        "def repro(a):\n    x, y = (a * 2), a\n    a_2 = jnp.sin(x)  # u.py:3\n    b = a_2 + y  # u.py:4\n"
        "    return b\n",
    ),
    "peel": (
        "def f(x):\n    return jnp.sin(x)\n\n\ndef repro(x):\n    return jax.vmap(jax.checkpoint(f))(jnp.exp(x) + 1)",
        "sin",
        "def f(x):\n    return jnp.sin(x)\n\n\ndef repro(x):\n    return f(x)\n",
    ),
    "unpack less": (
        "def f(x):\n    return jnp.sin(x).sum()\n\n\n"
        "def repro(x):\n    l, g = jax.value_and_grad(f)(x)  # u.py:9\n    return l",
        "sin",
        "def f(x):\n    return jnp.sin(x).sum()\n\n\ndef repro(x):\n    l = f(x)  # u.py:9\n    return l\n",
    ),
    "take as input": (
        "def repro(x):\n    p = {'w': jnp.exp(x)}\n    return jnp.sin(p['w'])",
        "sin",
        "def repro(x, x_2, x_3):\n    p = {'w': x_2}\n    return jnp.sin(x_3)\n",
    ),
    "drop parameters": (
        "def f(x, y):\n    return jnp.sin(y)\n\n\ndef repro(x):\n    return f(x * 2, x)",
        "sin",
        "def f(y):\n    return jnp.sin(y)\n\n\ndef repro(x):\n    return f(x)\n",
    ),
    "inline variables": (
        "def repro(x):\n    a = x + 1\n    b = jnp.sin(a) * a\n    return b * 2",
        "sin",
        "def repro(x):\n    a = x + 1\n    return (jnp.sin(a) * a) * 2\n",
    ),
    "open blocks": (
        "def repro(x):\n    for p in [x, x * 2]:\n        a = jnp.sin(p)  # u.py:2\n    return a",
        "sin",
        "def repro(x):\n    p = next(iter([x, x * 2]))\n    a = jnp.sin(p)  # u.py:2\n    return a\n",
    ),
    "simplify numbers": (
        "def repro(x):\n    return jnp.sin(x * 7.25) + 9",
        "sin",
        "def repro(x):\n    return jnp.sin(x * 0.0) + 0\n",
    ),
    "plain brackets": (
        "def repro(x):\n    return (jnp.sin((x)) + (x, 1)[1]) * (2)",
        "sin",
        "def repro(x):\n    return (jnp.sin(x) + (x, 1)[1]) * 2\n",
    ),
    "plain names": (
        "def f_2(x):\n    return jnp.sin(x)\n\n\ndef repro(x_3):\n    return f_2(x_3)",
        "sin",
        "def f(x):\n    return jnp.sin(x)\n\n\ndef repro(x_3):\n    return f(x_3)\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_pass_alone(name: str) -> None:
    text, primitive, left = CASES[name]
    start = program(text, *[X] * (text.partition("def repro(")[2].partition(")")[0].count(",") + 1))
    assert smallest(start, has(primitive), name).text == left


def test_a_loop_is_run_once() -> None:
    text = (
        "def step(c, t):\n    return jnp.sin(c), t\n\n\n"
        "def repro(x, ts):\n    c, ys = lax.scan(step, x, ts)\n    return c"
    )
    found = smallest(program(text, X[0], X), has("sin"))
    assert found.text == "def repro(x):\n    return jnp.sin(x)\n"
    assert np.shape(found.args[0]) == ()


def test_sizes_shrink_with_the_numbers_that_are_them() -> None:
    text = "def repro(x):\n    return jnp.cumsum(x.reshape(3, 4), axis=1)"
    found = smallest(program(text, np.arange(12, dtype=np.float32)), has("cumsum"))
    assert found.text == "def repro(x):\n    return jnp.cumsum(x)\n"
    assert np.size(found.args[0]) == 1
    assert not found.args[0].any()


def test_all_together_leave_one_call() -> None:
    text = """
LIMIT = 3.0


def layer(p, x):
    return jnp.tanh(x @ p["w"] + p["b"])  # net.py:3


def loss(params, x):
    for p in params:
        x = layer(p, x)
    r = jnp.clip(x, -LIMIT, LIMIT)  # net.py:8
    return jnp.mean(r**2), r


def repro(w, b, x):
    params = [{"w": w, "b": b}, {"w": w, "b": b}]
    (l, r), g = jax.value_and_grad(loss, has_aux=True)(params, x)  # net.py:12
    n = jnp.sqrt(sum(jnp.sum(v**2) for v in jax.tree.leaves(g)))  # net.py:13
    return l, n
"""
    rng = np.random.default_rng(3)
    args = [rng.standard_normal(shape).astype(np.float32) for shape in ((4, 4), (4,), (5, 4))]
    found = smallest(program(text, *args), has("sqrt"))
    assert found.text == "def repro(x):\n    return jnp.sqrt(x)\n"
    found = smallest(program(text, *args), has("tanh"))
    assert "jnp.tanh(" in found.text
    assert found.key.nodes <= 20


def test_numbers_may_be_of_any_size() -> None:
    start = program(
        f"def repro(x):\n    return jnp.sin(x) + np.uint32({2**32 - 5}) + jnp.float32({10**30})", X
    )
    assert smallest(start, has("sin")).text == "def repro(x):\n    return jnp.sin(x)\n"


def test_the_script_has_nothing_that_its_program_does_not_use() -> None:
    text = "C0 = np.arange(3)\n\n\ndef f(x):\n    return jnp.sin(x) + C0\n\n\ndef repro(x):\n    return f(x)"
    start = program(text, X)
    assert "from jax import lax" not in start.repro.source
    found = smallest(start, has("sin"))
    assert "C0" not in found.repro.source
    assert found.repro.source.count("def ") == 2  # inputs, repro
    assert jnp.array_equal(found.repro.load_function()(X), jnp.sin(X))
