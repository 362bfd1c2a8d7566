"""Python functions that a traced program calls itself are functions of its script, where that makes it shorter."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calltree_checks import assert_retraces, check, script_of, without_comments
from formatting import formatting_of
from jax import lax

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)
Y = np.array([1.5, 0.25, -2.0, 0.75], np.float32)


def times(f: Any, g: Any) -> Any:
    return f[0] * g[0], f[1] * g[0] + f[0] * g[1]


def test_a_function_is_called_as_the_program_calls_it(tmp_path: Path) -> None:
    @jax.jit
    def power(x: Any, y: Any) -> Any:
        first = times((x, y), (y, x))
        second = times(first, (x, x))
        third = times(times(second, first), second)
        return times(times(third, first), second)

    assert without_comments(check(power, X, Y, directory=tmp_path)) == (
        "def times(f, g):\n"
        "    return f[0] * g[0], f[1] * g[0] + f[0] * g[1]\n"
        "\n\n"
        "def power(x, y):\n"
        "    first = times((x, y), (y, x))\n"
        "    second = times(first, (x, x))\n"
        "    third = times(times(second, first), second)\n"
        "    return times(times(third, first), second)\n"
    )


def polynomial(x: Any, coefficients: Any, scale: float = 2.0) -> Any:
    value, slope = coefficients[-1], 0.0
    for coefficient in coefficients[-2::-1]:
        slope = slope * x + value
        value = value * x + coefficient
    return scale * value, scale * slope


def test_numbers_that_differ_are_parameters(tmp_path: Path) -> None:
    @jax.jit
    def sums(x: Any) -> Any:
        first, slope = polynomial(x, (1.0, 2.5, 3.0))
        second, slope_2 = polynomial(x, (4.0, 2.5, -1.0))
        third, slope_3 = polynomial(x, (0.5, 0.25, -2.0))
        return first + second + third, slope + slope_2 + slope_3

    text = without_comments(check(sums, X, directory=tmp_path))
    assert text.startswith("def polynomial(x, coefficients):\n")
    assert "    second, slope_2 = polynomial(x, (4.0, 2.5, -1.0))\n" in text
    assert "    return 2.0 * value, 2.0 * slope\n" in text  # the same in every call


def test_a_number_of_an_inner_call_may_be_one_of_the_outer(tmp_path: Path) -> None:
    def inner(x: Any, factor: float) -> Any:
        a = jnp.sin(x) * factor
        b = jnp.cos(a) + factor
        return a * b

    def outer(x: Any, factor: float) -> Any:
        first = inner(x, factor)
        second = inner(first, 3.0)
        return first + inner(second, factor) * 7.0

    @jax.jit
    def run(x: Any) -> Any:
        y = outer(x, 2.0)
        z = outer(y, 4.0)
        return outer(z, 8.0) + inner(y, 5.0)

    text = without_comments(check(run, X, directory=tmp_path))
    assert text.count("def ") == 3
    assert "    second = inner(first, 3.0)\n" in text
    assert "inner(second, factor) * 7.0" in text
    assert "outer(z, 8.0) + inner(y, 5.0)" in text


def test_a_number_that_the_program_has_no_name_for_is_a_parameter(tmp_path: Path) -> None:
    factors = iter((2.0, 3.0, 5.0, 7.0))

    def step(x: Any) -> Any:
        a = jnp.sin(x) * next(factors)
        b = jnp.cos(a) + x
        return a * b, a + b

    @jax.jit
    def run(x: Any) -> Any:
        for _ in range(2):
            y, z = step(x)
            y, z = step(y + z)
            x = y - z
        return x

    assert "def step(x, number):\n" in check(run, X, directory=tmp_path)


def test_what_a_function_captures_is_given_to_it(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, y: Any) -> Any:
        def step(z: Any) -> Any:
            a = jnp.sin(z) * y
            b = jnp.cos(a) + y
            c = a * b - z
            return a * c + b

        return step(x) - step(x + y) * step(-x) / step(2 * x)

    text = without_comments(check(run, X, Y, directory=tmp_path))
    assert text.startswith("def step(z, y):\n")
    assert "    return step(x, y) - step(x + y, y) * step(-x, y) / step(2 * x, y)\n" in text


def test_calls_in_a_loop_of_the_callers_caller_have_their_names(tmp_path: Path) -> None:
    def inner(value: Any, factor: float) -> Any:
        a = jnp.sin(value) * factor
        b = jnp.cos(a) + value
        c = a * b - value
        return a * c + b

    def outer(value: Any, factor: float) -> Any:
        return inner(value, factor)

    @jax.jit
    def run(x: Any, y: Any) -> Any:
        found = []
        for factor, term in ((2.0, x), (7.0, y), (0.5, y), (0.25, x), (4.0, y), (9.0, x)):
            found.append(outer(term, factor))
        return found

    assert "def inner(value, factor):\n" in check(run, X, Y, directory=tmp_path)


def test_further_arguments_are_parameters_each(tmp_path: Path) -> None:
    def mixed(first: Any, *rest: Any, weight: Any) -> Any:
        a = first * weight
        b = sum(a * r for r in rest)
        return a - b, a + b

    @jax.jit
    def run(x: Any, y: Any) -> Any:
        a, b = mixed(x, y, x, weight=y)
        a, b = mixed(a, b, y, weight=x)
        a, b = mixed(b, a, a, weight=y)
        a, b = mixed(a, b, b, weight=a)
        return mixed(a, b, x, weight=y)

    text = without_comments(check(run, X, Y, directory=tmp_path))
    assert text.startswith("def mixed(first, rest_0, rest_1, weight):\n")
    assert "    a, b = mixed(a, b, y, x)\n" in text


class Dense:
    def __init__(self, kernel: Any, bias: Any) -> None:
        self.kernel, self.bias = kernel, bias

    def __call__(self, x: Any) -> Any:
        y = x @ self.kernel
        z = y + self.bias
        w = jnp.tanh(z) * y
        return w * z + w


def test_objects_that_are_called_have_the_name_of_their_class(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, kernels: Any, biases: Any) -> Any:
        first, second, third, fourth = map(Dense, kernels, biases)
        return first(x) - second(x + 1) * third(-x) / fourth(2 * x)

    kernels = [np.eye(4, dtype=np.float32) * i for i in range(1, 5)]
    text = check(run, X, kernels, [X] * 4, directory=tmp_path)
    assert "def Dense(kernel, bias, x):\n" in text
    assert text.count("Dense(") == 5


class Shy:
    """Its attributes are nobody's business."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise RuntimeError("do not look")

    def __call__(self, x: Any) -> Any:
        y = x @ self.kernel
        z = jnp.tanh(y) * y
        w = z - y
        return w * z + w


def test_an_object_that_cannot_be_looked_at_costs_only_names(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, kernels: Any) -> Any:
        first, second, third, fourth = map(Shy, kernels)
        return first(x) - second(x + 1) * third(-x) / fourth(2 * x)

    kernels = [np.eye(4, dtype=np.float32) * i for i in range(1, 5)]
    assert "def Shy(x, x_2):\n" in check(run, X, kernels, directory=tmp_path)


def test_what_is_called_too_seldom_stands_in_its_place(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, y: Any) -> Any:
        return times(times((x, y), (y, x)), (x, x))

    assert "times(" not in check(run, X, Y, directory=tmp_path)


def test_calls_that_differ_in_what_they_do_are_other_functions(tmp_path: Path) -> None:
    def step(x: Any, sine: bool) -> Any:
        a = jnp.sin(x) if sine else jnp.tanh(x)
        b = a * 2 + x
        return a * b, a - b

    @jax.jit
    def run(x: Any) -> Any:
        for sine in (True, False, True, False, False, True, False, True):
            y, z = step(x, sine)
            x = y + z
        return x

    text = check(run, X, directory=tmp_path)
    assert "def step(x):\n" in text
    assert "def step_2(x):\n" in text


def test_functions_of_the_bodies_of_control_flow(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, y: Any) -> Any:
        def body(carry: Any, row: Any) -> Any:
            a = times(carry, (row, row))
            b = times(a, carry)
            c = times(times(b, a), (b[0], row))
            return times(times(c, b), a), times(a, b)

        return lax.scan(body, (x[0], y[0]), x)

    assert (
        "def body(carry, row):\n"
        "    a = times(carry, (row, row))\n"
        "    b = times(a, carry)\n"
        "    c = times(times(b, a), (b[0], row))\n"
        "    return times(times(c, b), a), times(a, b)\n"
    ) in without_comments(check(run, X, Y, directory=tmp_path))


def test_functions_under_transforms(tmp_path: Path) -> None:
    @jax.jit
    def run(x: Any, y: Any) -> Any:
        def loss(a: Any, b: Any) -> Any:
            c = times(times((a, b), (b, a)), (a, a))
            return jnp.sum(times(times(times(c, c), (a, b)), times(c, (b, b)))[1])

        return jax.vmap(jax.grad(loss))(x, y), jax.grad(loss)(y, x)

    assert "def times(f, g):\n" in check(run, X, Y, directory=tmp_path)


def test_what_jax_calls_as_well_is_called(tmp_path: Path) -> None:
    def potential(x: Any, m: Any) -> Any:
        d = x[:, None] - x[None]
        return -jnp.sum(m / jnp.sqrt(d**2 + 1.0))

    @jax.jit
    def run(x: Any, m: Any) -> Any:
        return jax.grad(potential)(x, m) * m + potential(x, m)

    assert without_comments(check(run, X, Y, directory=tmp_path)) == (
        "def potential(x, m):\n"
        "    d = x[:, None] - x[None]\n"
        "    return -jnp.sum(m / jnp.sqrt(d**2 + 1.0))\n"
        "\n\n"
        "def run(x, m):\n"
        "    return jax.grad(potential)(x, m) * m + potential(x, m)\n"
    )


def test_a_function_that_looks_at_its_variables_sees_its_own(tmp_path: Path) -> None:
    """Its frame is not looked into: in Python 3.11 that would write over what `locals()` gave it."""
    seen = []

    def step(x: Any) -> Any:
        own = locals()
        own["x"] = "mine"
        a = jnp.sin(x)
        seen.append(own["x"])
        b = jnp.cos(a) + x
        return a * b, a + b

    @jax.jit
    def run(x: Any) -> Any:
        y, z = step(x)
        y, z = step(y - z)
        y, z = step(y * z)
        return step(y * z)

    check(run, X, directory=tmp_path)
    assert set(seen) == {"mine"}


# ------------------------------------------------------------------------------------------- the property

OPERATIONS = (
    "{0} * {1}",
    "{0} + {1}",
    "{0} - {1} * {2}",
    "jnp.sin({0})",
    "jnp.maximum({0}, {1})",
    "-{0}",
    "{0} / 4.0",
)


def random_source(seed: int) -> str:
    """A program of functions that call one another, on arrays x and y and on numbers."""
    rng = random.Random(seed)
    lines = ["import jax", "import jax.numpy as jnp"]
    signatures: list[tuple[int, int, int]] = []  # arrays, numbers, results

    def statements(names: list[str], numbers: list[str], known: int, indent: str, count: int) -> list[str]:
        found = []
        for i in range(count):
            operands = [*rng.choices(names, k=2), rng.choice([*names, *numbers, "0.5", "2.0"])]
            if known and rng.random() < 0.8:
                which = rng.randrange(known)
                arrays, scalars, results = signatures[which]
                given = [f"({', '.join(rng.choices(names, k=arrays))},)"]
                given += [rng.choice([*numbers, "0.5", "2.0", "3.25"]) for _ in range(scalars)]
                targets = [f"v{i}_{k}" for k in range(results)]
                form = f"f{which}({', '.join(given)})"
                if rng.random() < 0.3:
                    found.append(f"{indent}for _ in range(3):")
                    found.append(f"{indent}    {', '.join(targets)} = {form}")
                else:
                    found.append(f"{indent}{', '.join(targets)} = {form}")
                names += targets
            else:
                found.append(f"{indent}v{i} = {rng.choice(OPERATIONS).format(*operands)}")
                names.append(f"v{i}")
        return found

    for k in range(rng.randint(1, 3)):
        arrays, scalars, results = rng.randint(1, 3), rng.randint(0, 2), rng.randint(1, 2)
        numbers = [f"n{i}" for i in range(scalars)]
        names = [f"a[{i}]" for i in range(arrays)]
        lines += [f"def f{k}({', '.join(['a', *numbers])}):"]
        lines += statements(names, numbers, k, "    ", rng.randint(2, 5))
        lines += [f"    return {', '.join(names[-1 - i] for i in range(results))}"]
        signatures.append((arrays, scalars, results))
    names = ["x", "y"]
    lines += ["@jax.jit", "def run(x, y):"]
    lines += statements(names, [], len(signatures), "    ", rng.randint(8, 20))
    lines += [f"    return {names[-1]}, {rng.choice(names)}"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(s, marks=pytest.mark.slow) for s in range(8, 25))]
)
def test_any_functions_that_call_one_another(seed: int, tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    (tmp_path / "program.py").write_text(random_source(seed))
    exec(compile((tmp_path / "program.py").read_text(), str(tmp_path / "program.py"), "exec"), space)
    out, script = script_of(space["run"], X, Y, directory=tmp_path / "out")
    assert_retraces(script, out)
    assert re.search(r"^ *def f\d", script.source, re.MULTILINE)
    assert formatting_of(tmp_path / "out") == ""
