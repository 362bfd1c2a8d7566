"""Costs are told in XLA's terms: equal before fusion, apart after it by what fusion explains."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace.stages.costs import BYTES, FLOPS, KEYS, TRANSCENDENTALS

A = np.ones((64, 32), np.float32)
B = np.ones((32, 16), np.float32)
V = np.linspace(0.1, 1, 1000, dtype=np.float32)
IMAGES = np.ones((1, 3, 16, 16), np.float32)
FILTERS = np.ones((4, 3, 3, 3), np.float32)


@dataclass(frozen=True)
class Case:
    """A program, and how far after fusion it may be from XLA: (least, most) times XLA's number, with the reason."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    moved: tuple[float, float] = (0.99, 1.01)
    flops: tuple[float, float] = (0.97, 1.01)
    why: str = ""


CASES = {
    "matmul": Case(lambda a, b: a @ b, (A, B)),
    "elementwise": Case(lambda x: jnp.sin(x) * 2 + jnp.exp(x), (V,)),
    "select": Case(lambda x: jnp.where(x > 0.5, x, -x), (V,)),
    "integers": Case(lambda x: x * 3 + 1, (np.arange(100, dtype=np.int32),)),
    "power": Case(lambda x: x**3, (V,)),
    "transpose": Case(lambda x: x.T + 1, (A,)),
    "rows": Case(lambda x: x.sum(1), (A,)),
    "sum": Case(lambda x: x.sum(), (V,), moved=(0.9, 1), why="XLA reduces in two steps"),
    "normalise": Case(
        lambda x: (x - x.mean()) / jnp.sqrt(x.var() + 1), (V,), moved=(0.4, 1), why="XLA fuses less here"
    ),
    "softmax": Case(jax.nn.softmax, (A,)),
    "layer": Case(
        lambda a, b: jnp.tanh(a @ b).sum(), (A, B), moved=(0.6, 1), why="XLA writes the tanh to memory"
    ),
    "gradient": Case(jax.grad(lambda a, b: jnp.tanh(a @ b).sum()), (A, B)),
    "convolution": Case(
        lambda x, k: lax.conv(x, k, (1, 1), "SAME"),
        (IMAGES, FILTERS),
        moved=(1, 1.6),
        why="DaCe writes the patches to memory",
    ),
    "pooling": Case(
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), (IMAGES,)
    ),
    "scan": Case(
        lambda x: lax.scan(lambda c, v: (c * v + 1, c), jnp.float32(1), x),
        (V,),
        moved=(1, 2),
        why="the array that a step writes one element of is counted whole",
    ),
    "loop": Case(lambda x: lax.fori_loop(0, 10, lambda i, c: c @ c, x), (np.ones((16, 16), np.float32),)),
    "branches": Case(
        lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x),
        (V,),
        moved=(1, 1.6),
        why="the array that the condition reads one element of is counted whole",
    ),
    "gather": Case(lambda x, i: x[i], (V, np.arange(10))),
    "scatter": Case(
        lambda x, i: x.at[i].add(1.0),
        (V, np.arange(10)),
        moved=(0.98, 1),
        why="XLA writes the updates to memory",
    ),
    "running sum": Case(
        jnp.cumsum,
        (V,),
        moved=(0.3, 1),
        flops=(0.05, 0.06),
        why="XLA sums a tree of blocks, DaCe adds each element once",
    ),
}


@functools.cache
def costs(name: str, jit: Callable[..., Any]) -> tuple[dict[str, float], dict[str, float]]:
    case = CASES[name]
    lowered = jit(case.fun).lower(*case.args)
    before, after = lowered.cost_analysis(), lowered.compile().cost_analysis()
    return tuple({key: found.get(key, 0.0) for key in (*KEYS, *found)} for found in (before, after))  # type: ignore[return-value]


@pytest.mark.parametrize("name", CASES)
def test_before_fusion_they_are_xlas(name: str) -> None:
    got, want = (costs(name, jit)[0] for jit in (jace.jit, jax.jit))
    assert got == {key: want[key] for key in KEYS}


@pytest.mark.parametrize("name", CASES)
def test_after_fusion_they_are_xlas_but_for_what_is_fused(name: str) -> None:
    case = CASES[name]
    got, want = (costs(name, jit)[1] for jit in (jace.jit, jax.jit))
    assert got[TRANSCENDENTALS] == want[TRANSCENDENTALS]
    assert case.flops[0] * want[FLOPS] <= got[FLOPS] <= case.flops[1] * want[FLOPS], case.why
    assert case.moved[0] * want[BYTES] <= got[BYTES] <= case.moved[1] * want[BYTES], case.why
    assert got["kernels"] >= 1
    assert got["equations"] >= 1


def test_each_pipeline_moves_what_its_kernels_move() -> None:
    fun = CASES["elementwise"].fun
    moved = {
        p: jace.jit(fun, pipeline=p).lower(V).compile().cost_analysis()[BYTES] for p in ("fused", "canonical")
    }
    assert moved == {"fused": 2 * V.nbytes, "canonical": 9 * V.nbytes}  # sin, mul, exp: 2 each; add: 3


def test_what_is_repeated_or_dead_costs_nothing_once_compiled() -> None:
    def fun(x: Any) -> Any:
        _ = jnp.exp(x)
        return jnp.sin(x) + jnp.sin(x)

    lowered = jace.jit(fun).lower(V)
    assert lowered.cost_analysis()[TRANSCENDENTALS] >= 2 * V.size
    assert lowered.compile().cost_analysis()[TRANSCENDENTALS] == V.size


def test_what_is_left_to_xla_is_not_counted() -> None:
    def fun(x: Any) -> Any:
        y = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(V.shape, V.dtype), x * 2)
        return y * 3

    compiled = jace.jit(fun).lower(V).compile()
    assert compiled.cost_analysis()[FLOPS] == 2 * V.size
    assert compiled.cost_analysis()[BYTES] == 4 * V.nbytes


@pytest.mark.parametrize("name", ["matmul", "softmax", "gradient", "branches"])
def test_memory_is_told_as_xla_tells_it(name: str) -> None:
    case = CASES[name]
    got, want = (jit(case.fun).lower(*case.args).compile().memory_analysis() for jit in (jace.jit, jax.jit))
    for key in ("argument_size_in_bytes", "output_size_in_bytes", "alias_size_in_bytes"):
        assert getattr(got, key) == getattr(want, key)
    assert got.generated_code_size_in_bytes > 0
    assert set(vars(got)) == {name for name in dir(want) if name.endswith("_in_bytes")}
    least = got.argument_size_in_bytes + got.output_size_in_bytes + got.temp_size_in_bytes
    assert least <= got.peak_memory_in_bytes <= least + 64


def test_temporaries_are_daces() -> None:
    compiled = jace.jit(jax.nn.softmax).lower(A).compile()
    sizes = [d.total_size * d.dtype.bytes for d in compiled.as_sdfg().arrays.values() if d.transient]
    assert compiled.memory_analysis().temp_size_in_bytes == sum(sizes) > 0
