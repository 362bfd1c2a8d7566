"""What an implementation may choose accuses nobody: how wide 16-bit intermediates are, how sums are ordered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import small_types
import tester_backends
from oracles import oracle

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro
from jace_repro.tester.numerics.precision import evaluate
from jace_repro.tester.verdict.oracle import SAMPLES

RIGHT = ("ok", "ill-conditioned")


@pytest.mark.parametrize(
    "name", ["cancelling sum in float16", "products that overflow in float16", "top_k of equal in bfloat16"]
)
def test_nobody_is_accused_for_the_width_of_an_intermediate_result(name: str) -> None:
    found = small_types.verdict(name)
    assert found.outcome in RIGHT, found.detail


@pytest.mark.slow
@pytest.mark.parametrize("isa", ["AVX2", "AVX512"])
def test_nobody_is_accused_whatever_the_processor_computes_16_bits_in(isa: str) -> None:
    env = {**os.environ, "XLA_FLAGS": f"--xla_cpu_max_isa={isa}"}
    command = [sys.executable, small_types.__file__]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout)
    assert len(told) == len(small_types.PROGRAMS) * len(small_types.TYPES)
    assert {name: said for name, said in told.items() if said[0] not in RIGHT} == {}


def test_a_sum_may_overflow_on_its_way_and_one_that_cannot_is_decided() -> None:
    terms = np.array([[3e38, 3e38, -3e38, -2.5e38], [3e37, 3e37, -3e37, -2.5e37]], np.float32)
    found = oracle(lambda x: jnp.sum(x, axis=1), terms * np.float32(1.01))
    assert np.isinf(found.bound(0)).tolist() == [True, False]
    inf = np.array([np.inf, found.centre[0][1]], np.float32)
    assert not found.assess([inf]).wrong
    assert found.assess([inf[::-1]]).kind == "inf"


def test_what_is_below_the_smallest_normal_number_stays_or_is_zero() -> None:
    """Adam's steps at a saddle point: whether one that small is made decides where it ends."""
    x = np.float32(2e-38)
    closed = jax.make_jaxpr(lambda x: x * np.float32(1e-3))(x)
    assert float(evaluate(closed, [x])[0]) == 0
    assert {float(evaluate(closed, [x], salt)[0]) > 0 for salt in range(1, SAMPLES + 1)} == {True, False}


def test_what_is_stored_has_the_range_of_its_type() -> None:
    """x * 300 is no number of f16, however wide it was computed: an output is infinite, as is what a loop carries."""
    x = np.array([1.5, 301.0], np.float16)

    def loop(x: Any) -> Any:
        return jax.lax.fori_loop(0, 1, lambda i, c: c * jnp.float16(300), x) / jnp.float16(300)

    def stored(x: Any) -> Any:
        return x * jnp.float16(300)

    for fun in (loop, stored):
        found = oracle(fun, x)
        assert np.isinf(found.bound(0)).tolist() == [False, False]
        assert np.isinf(found.centre[0]).tolist() == [False, True]
    between = oracle(lambda x: stored(x) / jnp.float16(300), x)
    assert np.isinf(between.bound(0)).tolist() == [False, True]


def test_samples_take_every_choice_and_every_pair_of_choices() -> None:
    from jace_repro.tester.numerics import freedoms

    taken = [tuple(bool(freedoms.takes(c, s)) for c in freedoms.CHOICES) for s in range(1, SAMPLES + 1)]
    assert [sum(column) for column in zip(*taken, strict=True)] == [3, 3, 3]
    assert len(set(taken)) == SAMPLES


def accumulated(dtype: Any) -> Callable[..., Any]:
    """A backend that adds up rows one after the other in a type."""

    def backend(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        right = tester_backends.honest(closed, pipeline, enter)

        def call(x: np.ndarray) -> list[np.ndarray]:
            (out,) = right.call_direct(x)
            if out.shape != x.shape[:1]:
                return [out]
            total = np.zeros(out.shape, dtype)
            for column in x.T:
                total = (total + column.astype(dtype)).astype(dtype)
            return [total.astype(out.dtype)]

        return SimpleNamespace(seconds={}, call_direct=call)

    return backend


def checked(backend: Any, fun: Callable[..., Any], x: np.ndarray) -> Verdict:
    repro = emit_flat(jax.make_jaxpr(fun)(x), [x], header=Header(name="prog"))
    return check_repro(repro, ["fused"], backend=backend, options=Options(blame=False))[0]


def test_a_sum_that_the_program_makes_in_f32_is_convicted_in_f16() -> None:
    x = np.random.default_rng(2).random((4, 5000)).astype(np.float16)
    assert checked(accumulated(np.float16), lambda x: jnp.sum(x, axis=1), x).outcome == "mismatch"
    assert checked(accumulated(np.float32), lambda x: jnp.sum(x, axis=1), x).outcome == "ok"


def test_noise_stays_noise() -> None:
    """A choice moves nothing where nothing overflows."""
    x = np.linspace(0.1, 3, 40, dtype=np.float16)
    closed = jax.make_jaxpr(lambda x: x * x * 3 + x)(x)
    (centre,), (moved,) = evaluate(closed, [x]), evaluate(closed, [x], salt=2)
    assert np.max(np.abs(moved - centre) / centre) < 0.02
