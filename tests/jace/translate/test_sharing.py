"""Temporaries share memory where none of them is needed while another one is, and never else."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from small_programs import PROGRAMS

import jace
from jace.plan import with_shared_buffers
from jace.plan.dead_stores import touched
from jace.plan.ops import Access, Buffer, Kernel, Loop, Nested, Plan, Ref, Span
from jace.translate import passes

F32 = np.dtype(np.float32)


def buffer(name, shape=(4,), dtype=F32, kind="temp"):
    return Buffer(name, shape, dtype, kind)


def kernel(reads, writes):
    def accesses(buffers):
        return tuple(Access(f"c_{b.name}", b) for b in buffers)

    return Kernel("kernel", (), "code", accesses(reads), accesses(writes))


def chain(*temps):
    """a0 -> temps[0] -> temps[1] -> ... -> r0"""
    places = [buffer("a0", kind="input"), *temps, buffer("r0", kind="output")]
    ops = tuple(kernel([a], [b]) for a, b in itertools.pairwise(places))
    return Plan((places[0],), (places[-1],), temps, ops)


def shared(plan):
    """Names of the temporaries that are left, and of the buffers that each operation reads and writes."""
    done = with_shared_buffers(plan)
    return [b.name for b in done.temps], [tuple(map(sorted, touched([op]))) for op in done.ops]


def test_what_is_not_needed_any_more_gives_its_place_to_the_next_but_one():
    temps, ops = shared(chain(*(buffer(f"t{k}") for k in range(4))))
    assert temps == ["t0", "t1"], "an operation never reads and writes one memory by this"
    assert ops == [
        (["a0"], ["t0"]),
        (["t0"], ["t1"]),
        (["t1"], ["t0"]),
        (["t0"], ["t1"]),
        (["t1"], ["r0"]),
    ]


def test_connectors_are_what_the_code_of_a_kernel_names():
    plan = chain(*(buffer(f"t{k}") for k in range(3)))
    done = with_shared_buffers(plan)
    assert [[a.connector for a in (*op.reads, *op.writes)] for op in done.ops] == [
        [a.connector for a in (*op.reads, *op.writes)] for op in plan.ops
    ]


@pytest.mark.parametrize("other", [{"shape": (2, 2)}, {"dtype": np.dtype(np.int32)}])
def test_memory_is_shared_by_arrays_of_one_shape_and_dtype_only(other):
    temps, _ = shared(chain(buffer("t0"), buffer("t1"), buffer("t2", **other)))
    assert temps == ["t0", "t1", "t2"]


def test_what_a_loop_touches_is_needed_as_long_as_the_loop_runs():
    first, inner, after = buffer("t0"), buffer("t1"), buffer("t2")
    source, result = buffer("a0", kind="input"), buffer("r0", kind="output")
    body = (kernel([first], [inner]), kernel([inner], [result]))
    ops = (kernel([source], [first]), Loop("loop", body, "i", 3), kernel([result], [after]))
    done = Plan((source,), (result,), (first, inner, after), (*ops, kernel([after], [result])))
    temps, moved = shared(done)
    assert temps == ["t0", "t1"]
    assert moved[1] == (["t0", "t1"], ["r0", "t1"])
    assert moved[2] == (["r0"], ["t0"])


def test_buffers_of_a_nested_plan_are_its_own():
    inner = chain(*(buffer(f"t{k}") for k in range(3)))
    temps, source, result = [buffer(f"t{k}") for k in range(3)], buffer("a0"), buffer("r0", kind="output")
    ends = (Span("a0", Ref(temps[2])),), (Span("r0", Ref(result)),)
    ops = (*(kernel([a], [b]) for a, b in itertools.pairwise([source, *temps])), Nested("call", inner, *ends))
    done = with_shared_buffers(Plan((source,), (result,), tuple(temps), ops))
    assert touched([done.ops[-1]]) == ({"t0"}, {"r0"})
    assert done.ops[-1].plan is inner


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_same_bits(name, monkeypatch):
    fun, args = PROGRAMS[name]
    results = []
    for change in (with_shared_buffers, lambda plan: plan):
        monkeypatch.setattr(passes, "with_shared_buffers", change)
        results.append(jax.tree.leaves(jace.jit(fun, pipeline="fused")(*args)))
    for one, other in zip(*results, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_a_long_program_needs_the_memory_of_a_few_arrays():
    def fun(x, w):
        for _ in range(6):
            x = jnp.tanh(lax.sort(x) @ w)
        return x

    x = np.ones((8, 8), np.float32)
    plans = []
    steps = passes.passes_of("fused")
    passes.run_passes(
        passes.State(jax.make_jaxpr(fun)(x, x), "program", True),
        steps,
        lambda name, state: plans.append((name, state.plan)),
    )
    by_name = dict(plans)
    before, after = len(by_name["plan"].temps), len(by_name["share-memory"].temps)
    assert before >= 11
    assert after <= 4
