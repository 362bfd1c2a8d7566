"""Long lines are broken where a formatter would break them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import jax
import numpy as np
import pytest
from formatting import formatting_of
from small_programs import PROGRAMS

from jace_repro import record
from jace_repro.emitter import emit_flat
from jace_repro.emitter.core.layout import broken, call, fitted, statement
from jace_repro.repro import Header


def test_short_calls_stay_on_a_line() -> None:
    assert call("a", "lax.sin", ["b"], "  # f32[]") == ["a = lax.sin(b)  # f32[]"]


def test_long_calls_have_an_argument_a_line() -> None:
    items = ["a" * 60, "b" * 60]
    assert call("c", "f", items, "  # x") == ["c = f(  # x", f"    {items[0]},", f"    {items[1]},", ")"]


def test_long_arguments_are_broken_inside() -> None:
    long = f"dims=Numbers(first={'1' * 50}, second=({'2' * 40}, 3))"
    assert broken(long, 8) == [
        "dims=Numbers(",
        f"    first={'1' * 50},",
        f"    second=({'2' * 40}, 3),",
        "),",
    ]


@pytest.mark.parametrize("item", ["x" * 120, f"'{'(' * 120})'"])
def test_what_cannot_be_broken_is_left(item: str) -> None:
    assert broken(item, 4) == [f"{item},"]


def test_scripts_are_formatted(tmp_path: Path) -> None:
    x = np.arange(40, dtype=np.float32)

    def program(x: jax.Array, n: jax.Array) -> object:
        y = jax.lax.scan(lambda c, t: (c + t, jax.nn.relu(c * t)), 0.0, x)
        return y, x[n], x.at[n].add(2.0), jax.jit(lambda v: v * 2)(x)

    args = [x, np.array([1, 2])]
    closed = jax.make_jaxpr(program)(*args)
    emit_flat(closed, args, header=Header(jax_config={"jax_debug_infs": True})).save(tmp_path / "x.py")
    assert formatting_of(tmp_path) == ""


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_flat_scripts_of_small_programs_are_formatted(name: str, tmp_path: Path) -> None:
    fun, args = PROGRAMS[name]
    emit_flat(jax.make_jaxpr(fun)(*args), jax.tree.leaves(args), header=Header()).save(tmp_path / "x.py")
    assert formatting_of(tmp_path) == ""


def test_scripts_of_failures_are_formatted(tmp_path: Path) -> None:
    @jax.jit
    def failing(x, y):
        return jax.lax.dot_general(
            jax.numpy.sin(x), jax.numpy.cos(y), dimension_numbers=(((1,), (0,)), ((), ()))
        )

    with record(tmp_path), contextlib.suppress(TypeError):
        failing(np.ones((2, 3), np.float32), np.ones((4, 5), np.float32))
    assert formatting_of(tmp_path) == ""


@pytest.mark.parametrize(
    "line",
    [
        "return a**2 + b ** c.d(e) - f**g**h",
        f"{'a' * 40} = {'b' * 40} + {'c' * 40} * {'d' * 40}",
        f"a = {'b' * 40}({'c' * 30}, {'d' * 30}) + {'e' * 40} - {'f' * 30}",
        f"a = {'b' * 40} + {'c' * 30}({'d' * 30}, {'e' * 30})",
        f"return {'a' * 50}, {'b' * 40}, {'c' * 30}",
        f"a = {'b' * 40}(lambda c, d: {'e' * 40}, {'f' * 40})({'g' * 4})",
        f"a = {'b' * 30}[{'c' * 30}]({'d' * 40}, [{'e' * 40}, {'f' * 40}])",
        f"for {'a' * 40} in {'b' * 20}({'c' * 30}, {'d' * 30}):\n    pass",
        f"def {'a' * 40}({'b' * 40}, *, {'c' * 40}):\n    pass",
        "a = f(b, c)  # " + "d" * 100,
        f"a = [{'b' * 40}(c, {'d' * 30}) for c, d in [({'e' * 20}, {'f' * 30}), (g, h)]]",
        f"a = f([{'b' * 60}({'c' * 60})])",
        f"a = {'b' * 60}(c) + {'d' * 40}[{'e' * 20}]",
        f"a = f({'b' * 40}({'c' * 40}, {'d' * 30}).jaxpr)",
        f"a = jax.tree.map(lambda_, {{{'b' * 40}: {'c' * 30}, {'d' * 30}: {'e' * 10}}}, {'f' * 10})",
    ],
)
def test_long_lines_are_as_a_formatter_leaves_them(line: str, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(fitted(f"{line}\n"))
    assert formatting_of(tmp_path) == ""


def test_a_tuple_of_one_stays_one() -> None:
    text = f"return 'b', (({', '.join(repr(f'value_{i}') for i in range(12))}),)"
    written = "\n".join(statement(text))
    assert "\n" in written
    assert eval(written.removeprefix("return ")) == eval(text.removeprefix("return "))
