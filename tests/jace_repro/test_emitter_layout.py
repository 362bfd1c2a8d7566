"""Long lines are broken where a formatter would break them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from jace_repro.emitter import Header, emit_flat
from jace_repro.emitter.layout import broken, call, statement


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


@pytest.mark.parametrize("item", ["x" * 120, f"'{'(' * 120})'", f"({'1' * 120},)"])
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
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--line-length",
        "130",
        "--diff",
        str(tmp_path / "x.py"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


def test_a_tuple_of_one_stays_one() -> None:
    text = f"return 'b', (({', '.join(repr(f'value_{i}') for i in range(12))}),)"
    written = "\n".join(statement(text))
    assert "\n" in written
    assert eval(written.removeprefix("return ")) == eval(text.removeprefix("return "))
