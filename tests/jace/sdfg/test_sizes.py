"""Extents as symbols: that an SDFG has no others, that they have values, and that DaCe's passes leave it right."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from dace.sdfg.state import LoopRegion
from jax import lax

import jace
from jace import pipelines
from jace.build import generate, toolchain

SYMBOLIC = (
    "canonical/sizes:symbols",
    "canonical/simplify+sizes:symbols",
    "canonical/auto-optimize+sizes:symbols",
)
X = np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)
Y = np.random.default_rng(4).normal(size=(4, 7)).astype(np.float32)


def products(x: Any, y: Any) -> Any:
    return x @ y, jnp.einsum("ij,jk->ki", x, y), (x @ y).sum(1), x.max(), jnp.argmax(y, 0)


def moves(x: Any, y: Any) -> Any:
    parts = jnp.concatenate([x, x[:, ::-1], x[1:2] * jnp.ones_like(x)], 1)
    return parts.T.reshape(10, -1), y[1:3, ::2], jnp.pad(x, ((1, 0), (0, 2))), x.at[1:3].add(1.0)


def loops(x: Any, y: Any) -> Any:
    def step(c: Any, row: Any) -> Any:
        return c * 0.5 + row.sum(), c

    return (
        lax.scan(step, jnp.float32(0), x),
        jnp.cumsum(y, 1),
        lax.fori_loop(0, 6, lambda i, c: c + y[i % 4, i], 0.0),
    )


def choices(x: Any, y: Any) -> Any:
    at = jnp.array([3, 0, 3])
    return (
        lax.cond(x[0, 0] > 0, lambda: x + 1, lambda: x.sum(0) * x),
        jnp.take(x, at, axis=0),
        x.at[at].add(x[:3]),
        lax.dynamic_update_slice(y, x[:2, :3], (at[0], at[1])),
    )


def routines(x: Any, y: Any) -> Any:
    square = x.T @ x + jnp.eye(4)
    return jnp.sort(y, 1), jnp.fft.fft(y[0]), jnp.linalg.cholesky(square), jnp.linalg.solve(square, y)


@jax.jit
def called(x: Any, y: Any) -> Any:
    return (x @ y).sum(0)


PROGRAMS = (products, moves, loops, choices, routines)


def sdfg_of(fun: Callable[..., Any], *args: Any, pipeline: str = SYMBOLIC[0]) -> dace.SDFG:
    return jace.jit(fun, pipeline=pipeline).lower(*args).as_sdfg()


def extents(sdfg: dace.SDFG) -> Iterator[Any]:
    """Of arrays, maps and loops."""
    for _, _, array in sdfg.arrays_recursive():
        yield from array.shape
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.MapEntry):
            yield from node.map.range.size()
    for region in sdfg.all_control_flow_regions(recursive=True):
        if isinstance(region, LoopRegion) and "size_" not in region.loop_condition.as_string:
            assert "<" not in region.loop_condition.as_string


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_an_extent_is_a_symbol_unless_it_is_one(fun: Callable[..., Any]) -> None:
    sdfg = sdfg_of(fun, X, Y)
    found = list(extents(sdfg))
    assert {str(n) for n in found if not str(n).startswith("size_")} <= {"1"}
    assert {"size_5", "size_4"} <= {str(n) for n in found}
    assert {"size_5", "size_4"} <= set(sdfg.arglist())


def test_extents_are_numbers_where_nobody_asks() -> None:
    sdfg = sdfg_of(moves, X, Y, pipeline="canonical")
    assert not sdfg.symbols
    assert all(str(n).isdigit() for n in extents(sdfg))


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_the_program_means_what_it_means(fun: Callable[..., Any]) -> None:
    check(fun, X, Y, pipelines=SYMBOLIC)


def test_calls_have_the_symbols_of_the_program() -> None:
    both = "canonical/calls:nested+sizes:symbols"
    sdfg = sdfg_of(called, X, Y, pipeline=both)
    (node,) = (n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.NestedSDFG))
    assert node.symbol_mapping.keys() >= {"size_5", "size_4", "size_7"}
    check(called, X, Y, pipelines=(both,))


def test_arrays_of_nothing_and_numbers() -> None:
    def program(x: Any) -> Any:
        return x[:0], x[:0].sum(0), x.sum(), jnp.float32(2)

    check(program, X, pipelines=SYMBOLIC[:2])


@pytest.mark.parametrize("options", [{"compiler": "stock"}, {"opt": 0}], ids=str)
def test_other_ways_to_compile(options: dict[str, Any]) -> None:
    closed = jax.make_jaxpr(called)(X, Y)
    compiled = jace.compile_jaxpr(closed, SYMBOLIC[1], options)
    (got,) = compiled.call_direct(X, Y)
    np.testing.assert_allclose(got, (X @ Y).sum(0), rtol=1e-5, atol=1e-5)


def test_arrays_of_equal_extents_are_built_without_headers() -> None:
    """The strides of such an array are powers of a symbol, which DaCe's own header is slow to compile for."""

    def program(x: Any) -> Any:
        return jnp.transpose(x, (2, 0, 1)) * 2 + x

    cube = np.arange(27, dtype=np.float32).reshape(3, 3, 3)
    check(program, cube, pipelines=SYMBOLIC[:2])
    made = jace.translate_jaxpr(jax.make_jaxpr(program)(cube), SYMBOLIC[0])
    text = generate(made).text()
    assert "ipow(size_3, 2)" in text
    command = [
        toolchain().path,
        "-std=c++20",
        "-fsyntax-only",
        "-w",
        "-march=native",
        "-fopenmp",
        "-x",
        "c++",
        "-",
    ]
    subprocess.run(command, input=text, text=True, check=True)


def test_names() -> None:
    found = pipelines.find("canonical/sizes:symbols+xform:MapTiling+calls:nested+bug:dead_pointer")
    assert found.name == "canonical/xform:MapTiling+calls:nested+sizes:symbols+bug:dead_pointer"
    assert pipelines.find(found.name) == found
    assert found.shorter == ("canonical/calls:nested+sizes:symbols+bug:dead_pointer",)
    assert found.careful == "canonical/xform:MapTiling+calls:nested+sizes:symbols"
    assert found.plainer == "canonical/xform:MapTiling+bug:dead_pointer"
    assert pipelines.find("canonical/simplify+sizes:symbols").plainer == "canonical/simplify"
    assert pipelines.find("fused").plainer == "fused"
