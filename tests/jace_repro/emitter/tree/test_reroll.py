"""A Python loop that a trace has unrolled is a loop again, unless its rounds differ."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from calltree_checks import check, without_comments
from calltree_programs import PROGRAMS

from jace.releases.xla import XLA
from jace_repro.emitter.tree.reroll import loop
from jace_repro.emitter.tree.reroll.repeats import Repeat

#: What the loops of `calltree_programs` look like; each of them retraces to the recorded program, as all of those do.
LOOPS = {
    "loop_of_one_value": """
def loop_of_one_value(x):
    for _ in range(5):
        x = jnp.sin(x) * 2
    return x
""",
    "loop_over_layers": """
def loop_over_layers(layers, x):
    for layer in layers:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x.sum()
""",
    "loop_over_named_layers": """
def loop_over_named_layers(params, x):
    for i in range(4):
        x = jax.nn.relu(x @ params[f"Dense_{i}"]["kernel"] + params[f"Dense_{i}"]["bias"])
    return x
""",
    "loop_of_leapfrog_steps": """
def energy(q):
    return (q**2).sum()


def loop_of_leapfrog_steps(q, p):
    for _ in range(10):
        p = p - 0.05 * jax.grad(energy)(q)
        q = q + 0.1 * p
        p = p - 0.05 * jax.grad(energy)(q)
    return q, p
""",
    "loop_of_a_recurrent_network": """
def loop_of_a_recurrent_network(w, xs):
    h = jnp.zeros(4)
    hs = []
    for i in range(5):
        h = jnp.tanh(w @ h + xs[i])
        hs.append(h)
    return jnp.stack(hs), h
""",
    "loop_of_gradient_descent": """
def loop_of_gradient_descent(params, x):
    for _ in range(4):

        def loss(p):
            return ((p["w"] @ x + p["b"]) ** 2).sum()

        gradient = jax.grad(loss)(params)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)
    return params
""",
    "loop_that_splits_keys": """
def loop_that_splits_keys(key, x):
    for _ in range(3):
        a = jax.random.split(key)
        key = lax.index_in_dim(a, 0, keepdims=False)
        sub = lax.index_in_dim(a, 1, keepdims=False)
        x = x + jax.random.normal(sub, (4,))
    return x
""",
    "loop_that_needs_its_first_value": """
def loop_that_needs_its_first_value(x):
    y = x + jnp.sin(x) * x
    for _ in range(3):
        y = y + jnp.sin(x) * y
    return y + x
""",
    "loop_of_a_series": """
def loop_of_a_series(x):
    total = 0.0 + x**0 / 1
    for i in range(1, 6):
        total = total + x**i / (i + 1)
    return total
""",
    "loop_over_what_has_no_rule": """
def loop_over_what_has_no_rule(a, b, c, x):
    for value, c_2 in [(a, 0.5), (b, 0.25), (c, 2.0)]:
        x = jnp.sin(value * x) * c_2
    return x
""",
    "loop_in_a_list": """
def loop_in_a_list(x):
    outs = [jnp.sin(x[i]) * 2 for i in range(4)]
    return jnp.stack(outs)
""",
    "loop_in_a_loop": """
def loop_in_a_loop(x):
    for j in range(3):
        for i in range(1, 5):
            x = jnp.sin(x) * i
        x = x + j
    return x
""",
    "loop_of_other_constants": """
C0 = np.array([0.0, 1.0, 2.0, 3.0], np.float32)
C1 = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
C2 = np.array([2.0, 3.0, 4.0, 5.0], np.float32)


def loop_of_other_constants(x):
    for c in [C0, C1, C2]:
        x = x * c
    return x
""",
    "loop_of_equal_constants": """
C0 = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
C1 = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
C2 = np.array([1.0, 2.0, 3.0, 4.0], np.float32)


def loop_of_equal_constants(x):
    for c in [C0, C1, C2]:
        x = jnp.sin(x) * c
    return x
""",
    "loop_of_one_constant": """
C0 = np.array([1.0, 2.0, 3.0, 4.0], np.float32)


def loop_of_one_constant(x):
    for _ in range(3):
        x = jnp.sin(x) * C0
    return x
""",
    "loop_of_other_functions": """
def loop_of_other_functions(x):
    for c in [2.0, 3.0, 5.0]:
        x = jax.vmap(lambda v: jnp.sin(v) * c)(x)
    return x
""",
}

#: What looks like a loop and cannot be one: rules that run later, values from afar.
NO_LOOPS = (*("loop_with_a_rule", "loop_that_reads_far_back", "loop_that_makes_nothing"),)


#: From jax 0.11 on an array of keys is taken apart in one step, and such a loop is written out.
TAKEN_APART = "loop_that_splits_keys"


@pytest.mark.parametrize("name", LOOPS)
def test_a_python_loop_is_a_loop(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if name == TAKEN_APART and XLA >= 1100:
        request.applymarker(pytest.mark.xfail(strict=True, reason="one step with two results (jax 0.11)"))
    program = PROGRAMS[name]
    text = check(program.jitted(), *program.args, directory=tmp_path)
    assert without_comments(text).strip() == LOOPS[name].strip()


@pytest.mark.parametrize("name", NO_LOOPS)
def test_what_differs_from_round_to_round_is_written_out(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    assert "for " not in check(program.jitted(), *program.args, directory=tmp_path)


COEFFICIENTS = [[round(math.sin(7 * i + j) * (1 + i % 3), 3) for j in range(4)] for i in range(8)]


def no_loop_of_loops(x):
    for a, b, c, d in COEFFICIENTS:
        for i in range(4):
            x = jnp.sin(x) + jnp.cos(x) * i
        x = jnp.polyval(jnp.array([a, b]), x) + c * jnp.tanh(d * x)
    return x


def test_rounds_that_are_not_alike_are_not_written_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a training step of nine blocks took a quarter of an hour: all rounds, and all that are within them, each time
    written: Counter[tuple[int, Repeat, int]] = Counter()
    write = loop._round

    def counted(writer, rounds, variables, k, inner, write_steps):
        if rounds.repeat.period > 4:
            written[id(rounds.own(0)[0]), rounds.repeat, k] += 1
        return write(writer, rounds, variables, k, inner, write_steps)

    monkeypatch.setattr(loop, "_round", counted)
    text = check(jax.jit(no_loop_of_loops), jnp.ones(3), directory=tmp_path)
    assert text.count("for ") == len(COEFFICIENTS)
    assert written
    assert set(written.values()) == {1}
    assert max(k for _, _, k in written) < 4
