"""Smaller shapes and plainer values: retracing, groups of axes, the search for a size, forms of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.shapes import groups, shrink_at_once, shrink_axes
from jace_repro.reducer.passes.values import simplify_literals, simplify_values
from jace_repro.reducer.problem import Problem, complexity_of, literals_of, well_typed
from jace_repro.reducer.retrace import anchored, reshaped, retrace
from jace_repro.repro import Header


def array(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def shrunk(fun: Callable[..., Any], *args: Any, fails: Callable[[Problem], bool] = lambda _: True) -> Problem:
    """What the pass over shapes alone makes of a program, keeping all of its equations."""
    problem = clean(problem_of(fun, *args))
    expected = sorted(ir.primitives(problem.closed).items())

    def oracle(candidate: Problem) -> bool:
        return sorted(ir.primitives(candidate.closed).items()) == expected and fails(candidate)

    result = minimize(problem, at_once(oracle), [Pass("shapes", shrink_axes)], max_calls=200)
    assert well_typed(result.problem)
    return result.problem


def conv(x: jax.Array, k: jax.Array) -> jax.Array:
    return lax.conv_general_dilated(x, k, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def loop(x: jax.Array, rows: jax.Array) -> Any:
    return lax.scan(lambda c, row: (jnp.tanh(c + row), c.sum()), x, rows)


def nested(x: jax.Array) -> Any:
    def body(i: Any, y: jax.Array) -> jax.Array:
        return lax.cond(y[0] > i, lambda y: lax.cumsum(y), lambda y: y * 2, y)

    return lax.fori_loop(0, 30, body, x)


def test_axes_of_arrays_that_do_not_meet_shrink_together() -> None:
    """Two results of one kernel: what one of them is made of has the shape of the other, or they are two kernels."""

    def alike(problem: Problem) -> bool:
        one, other = (v.aval.shape for v in problem.jaxpr.outvars)
        return one == other and len(one) == 3

    x = array(2, 2, 2)
    found = shrunk(lambda x, y: (jnp.sin(x), jnp.cos(y)), x, x, fails=alike)
    assert [np.shape(a) for a in found.args] == [(1, 1, 1), (1, 1, 1)]

    def three_apiece(problem: Problem) -> bool:
        return alike(problem) and problem.args[0].size >= 4

    found = shrunk(lambda x, y: (jnp.sin(x), jnp.cos(y)), array(4, 4, 4), array(4, 4, 4), fails=three_apiece)
    assert [np.size(a) for a in found.args] == [8, 8]


def test_what_is_drawn_shrinks() -> None:
    found = shrunk(lambda key: lax.rng_bit_generator(key, (5, 7))[1], np.arange(4, dtype=np.uint32))
    assert found.jaxpr.outvars[0].aval.shape == (1, 1)


def test_an_axis_shrinks_beside_a_loop_as_long_as_it() -> None:
    def two_trips(problem: Problem) -> bool:
        return [e.params["length"] for e in problem.eqns if "length" in e.params] == [2]

    def program(a: jax.Array, b: jax.Array) -> Any:
        return lax.scan(lambda c, _: (a, c * 2), b, None, length=2)[1]

    found = shrunk(program, array(2), array(2), fails=two_trips)
    assert [np.shape(a) for a in found.args] == [(1,), (1,)]


#: A program, its arguments, and the argument shapes that the pass should get down to.
SHRINK: dict[str, tuple[Callable[..., Any], tuple[Any, ...], list[tuple[int, ...]]]] = {
    "elementwise": (lambda x, y: x * jnp.sin(y), (array(50, 7), array(50, 7)), [(1, 1), (1, 1)]),
    "broadcast": (lambda x, y: x[:, None] * y, (array(9), array(9, 40)), [(1,), (1, 1)]),
    "reduce": (lambda x: x.sum(axis=1), (array(5, 60),), [(1, 1)]),
    "dot": (lambda x, y: x @ y, (array(33, 20), array(20, 7)), [(1, 1), (1, 1)]),
    "square dot": (lambda x, y: x @ y, (array(16, 16), array(16, 16)), [(1, 1), (1, 1)]),
    "batched dot": (
        lambda x, y: jnp.einsum("bij,bjk->bik", x, y),
        (array(4, 5, 6), array(4, 6, 3)),
        [(1, 1, 1), (1, 1, 1)],
    ),
    "transpose": (lambda x: x.transpose(2, 0, 1), (array(4, 5, 6),), [(1, 1, 1)]),
    "reshape": (lambda x: x.reshape(12, 35), (array(12, 5, 7),), [(1, 1, 1)]),
    "iota": (lambda x: x + jnp.arange(64.0), (array(64),), [(1,)]),
    "concatenate": (lambda x, y: jnp.concatenate([x, y]), (array(30), array(40)), [(1,), (1,)]),
    "shifted slices": (lambda x: x[1:] - x[:-1], (array(40),), [(1,)]),
    "gather": (lambda x, i: x[i], (array(90, 6), np.arange(20, dtype=np.int32)), [(1, 1), (1,)]),
    "dynamic slice": (
        lambda x, i: lax.dynamic_slice(x, (i, 0), (3, 8)),
        (array(20, 8), np.int32(4)),
        [(1, 1), ()],
    ),
    "scatter": (
        lambda x, i, u: x.at[i].add(u),
        (array(50), np.arange(9, dtype=np.int32), array(9)),
        [(1,), (1,), (1,)],
    ),
    "sort": (lambda x: jnp.sort(x, axis=0), (array(70, 3),), [(1, 1)]),
    "convolution": (conv, (array(2, 12, 12, 3), array(3, 3, 3, 8)), [(1, 1, 1, 1), (1, 1, 1, 1)]),
    "scan": (loop, (array(13), array(25, 13)), [(1,), (1, 1)]),
    "loop without rows": (nested, (array(17),), [(1,)]),
    "vmap of grad": (
        jax.vmap(jax.grad(lambda x: jnp.sum(x**3))),
        (array(11, 5),),
        [(1, 1)],
    ),
}


@pytest.mark.parametrize("name", SHRINK)
def test_shapes_shrink_to_the_smallest(name: str) -> None:
    fun, args, expected = SHRINK[name]
    assert [np.shape(a) for a in shrunk(fun, *args).args] == expected


def test_only_the_axis_that_matters_stays_long() -> None:
    def deep(problem: Problem) -> bool:
        [eqn] = [e for e in problem.eqns if e.primitive.name == "dot_general"]
        aval: Any = eqn.invars[0].aval
        return bool(aval.shape[1] > 40)

    result = shrunk(lambda x, y: x @ y, array(64, 64), array(64, 64), fails=deep)
    assert [np.shape(a) for a in result.args] == [(1, 41), (41, 1)]


def test_large_arrays_and_long_loops_are_short_before_all_else() -> None:
    """All of it where that still fails, else the loops alone; what is small already is left to the other passes."""

    def grown(x: jax.Array) -> jax.Array:
        return lax.fori_loop(0, 500, lambda _, y: jnp.tanh(y) + y, x)

    def after(fails: Callable[[Problem], bool], x: np.ndarray[Any, Any]) -> tuple[tuple[int, ...], int, int]:
        asked = []

        def oracle(candidate: Problem) -> bool:
            asked.append(candidate)
            return candidate.key.equations > 0 and fails(candidate)

        problem = clean(problem_of(grown, x))
        found = minimize(problem, at_once(oracle), [Pass("early", shrink_at_once)], max_calls=9).problem
        return found.args[-1].shape, found.key.trips, len(asked)

    assert after(lambda _: True, array(200)) == ((2,), 2, 1)
    # and once more of what is left
    assert after(lambda p: p.args[-1].shape == (200,), array(200)) == ((200,), 2, 4)
    assert after(lambda p: p.args[-1].shape[0] > 2, array(200)) == ((8,), 8, 2)
    short = clean(problem_of(lambda x: lax.fori_loop(0, 5, lambda _, y: jnp.tanh(y) + y, x), array(5)))
    assert list(shrink_at_once(short)) == []
    endless = lambda x: lax.while_loop(lambda y: y[0] < 5, lambda y: y + 1, x)
    assert list(shrink_at_once(clean(problem_of(endless, array(2000))))) == []


def test_the_length_of_a_scan_shrinks_without_rows() -> None:
    problem = shrunk(nested, array(17))
    assert problem.key.trips <= 1


def test_sizes_that_no_argument_has_shrink() -> None:
    """900 elements that are made of nothing, where a bug needs six of them."""

    def made(s: jax.Array) -> jax.Array:
        table = jnp.broadcast_to(s, (30, 30)) * lax.broadcasted_iota(jnp.float32, (30, 30), 1)
        return lax.cumsum(table, 1)

    def wide(problem: Problem) -> bool:
        aval: Any = problem.jaxpr.outvars[0].aval
        return bool(aval.shape[1] > 5)

    result = shrunk(made, np.float32(0.3), fails=wide)
    assert [v.aval.shape for v in result.jaxpr.outvars] in ([(6, 6)], [(1, 6)])


def test_both_ends_of_an_axis_are_cut() -> None:
    """A single element in the middle matters: neither the head nor the tail alone leads to it."""
    x = np.zeros(50, np.float32)
    x[30] = 1
    result = shrunk(lambda x: x * 2, x, fails=lambda p: bool(np.asarray(p.args[0]).any()))
    assert np.array_equal(result.args[0], [1])


def test_weak_types_and_keys_survive() -> None:
    def fun(key: jax.Array, scale: Any) -> jax.Array:
        return jax.random.bits(key, (8,), np.uint32) * (scale > 0)

    problem = problem_of(jax.vmap(fun, in_axes=(0, None)), jax.random.split(jax.random.key(3), 6), 2.0)
    one = retrace(problem, [problem.args[0][:1], 2.0], {6: 1}, "")
    assert one is not None
    assert well_typed(one)
    assert str(one.closed.in_avals[0]) == "key<fry>[1]"
    assert one.closed.in_avals[1].weak_type


def test_sizes_that_do_not_fit_are_no_candidates() -> None:
    problem = problem_of(lambda x, y: x + y, array(8), array(8))
    assert retrace(problem, [problem.args[0][:3], problem.args[1]], {}, "") is None
    assert {tuple(sorted(g.axes)) for g in groups(problem)} == {((0, 0), (1, 0))}


def test_a_system_and_its_right_sides_shrink_together() -> None:
    """JAX's shape rule lets fewer matrices than right sides through."""
    a, b = np.tile(np.eye(2, dtype=np.float32), (2, 1, 1)), np.ones((2, 2, 1), np.float32)
    fun = lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True)
    found = groups(clean(problem_of(fun, a, b)))
    assert frozenset({(0, 0), (1, 0)}) in {group.axes for group in found}
    assert not any(group.axes in ({(0, 0)}, {(1, 0)}) for group in found)


def test_pairs_among_many_axes_of_one_size_shrink() -> None:
    """The rows of indices and of updates, where nine axes are two long."""
    numbers = lax.ScatterDimensionNumbers((), (0, 1), (0, 1))
    x, i, u = np.zeros((2, 2), np.int32), np.zeros((2, 2, 2, 2), np.int32), np.ones((2, 2, 2), np.int32)
    found = groups(clean(problem_of(lambda x, i, u: lax.scatter_min(x, i, u, numbers), x, i, u)))
    assert {frozenset({(1, k), (2, k)}) for k in range(3)} <= {group.axes for group in found}


def test_a_loop_whose_carry_changes_shape_is_no_candidate() -> None:
    problem = problem_of(loop, array(4), array(6, 4))
    assert retrace(problem, [problem.args[0][:2], problem.args[1]], {}, "") is None


@pytest.mark.parametrize(
    ("position", "old", "new", "expected"),
    [(1, 10, 5, 1), (9, 10, 5, 4), (10, 10, 5, 5), (0, 10, 1, 0), (6, 10, 2, 0)],
)
def test_positions_keep_their_distance_to_the_nearer_end(
    position: int, old: int, new: int, expected: int
) -> None:
    assert anchored(position, old, new) == expected


@pytest.mark.parametrize(
    ("old_in", "old_out", "new_in", "sizes", "expected"),
    [
        ((12, 5), (60,), (3, 5), {}, (15,)),
        ((60,), (12, 5), (10,), {}, (2, 5)),
        ((60,), (12, 5), (36,), {5: 3}, (12, 3)),
        ((4, 6), (4, 2, 3), (1, 6), {}, (1, 2, 3)),
        ((8, 1), (8,), (2, 1), {}, (2,)),
        ((8,), (1, 8, 1), (3,), {}, (1, 3, 1)),
    ],
)
def test_reshapes_follow_their_operand(
    old_in: Any, old_out: Any, new_in: Any, sizes: Any, expected: Any
) -> None:
    assert reshaped(old_in, old_out, new_in, sizes) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.zeros(3, np.float32), 0),
        (np.ones(3, np.int32), 1),
        (np.full(3, 7.0), 2),
        (np.full(3, 0.123), 3),
        (np.full(1, 0.123), 6),
        (np.arange(5), 3),
        (np.array([1, 200]), 4),
        (np.array([0.1, 0.25], np.float32), 6),
        (np.array([0.1, -2.5], np.float32), 5),
        (np.array([np.nan, 1.0]), 6),
        (np.array([True, False]), 3),
        (jax.random.key(0), 2),
        (jax.random.key(5), 6),
        (jnp.bfloat16(1.5), 5),
        (2 + 1j, 2),
        (3, 2),
    ],
)
def test_complexity(value: Any, expected: int) -> None:
    assert complexity_of(value) == expected


def test_values_become_as_plain_as_the_failure_allows() -> None:
    def fails(problem: Problem) -> bool:
        x, n, _, _, w = problem.args
        return bool(np.asarray(x).max() > 1.5 and n >= 0 and w == 3.0)

    args = array(6) + 2, np.int32(12345), np.bool_(True), jax.random.key(99), 3.0
    problem = problem_of(lambda x, n, f, k, w: (x * w, n + 1, ~f, jax.random.key_data(k)), *args)
    result = minimize(problem, at_once(fails), [Pass("values", simplify_values)], max_calls=50).problem
    x, n, flag, key, w = result.args
    assert complexity_of(x) <= 3
    assert (int(n), bool(flag), w) == (0, False, 3.0)
    assert not jax.random.key_data(key).any()
    assert [str(a) for a in result.closed.in_avals] == [str(jax.typeof(a)) for a in result.args]


def plainest(value: Any, fails: Callable[[np.ndarray[Any, Any]], bool]) -> np.ndarray[Any, Any]:
    """What the pass over values makes of the only argument of a program."""
    problem = problem_of(lambda x: x * 2, value)

    def oracle(candidate: Problem) -> bool:
        return fails(np.asarray(candidate.args[0]))

    result = minimize(problem, at_once(oracle), [Pass("values", simplify_values)], max_calls=100).problem
    return np.asarray(result.args[0])


@pytest.mark.parametrize(
    ("value", "fails", "expected"),
    [
        (np.int32(-848381930), lambda x: x < -100_000_000, -800000000),
        (np.int32(1234567), lambda x: x >= 1234567, 2000000),  # away from zero
        (np.float32(0.0371829), lambda x: 0.035 < x < 0.0375, np.float32(0.0372)),
        (np.float32(-2.7), lambda x: x < -2, -3),
        (np.float32(2.3), lambda x: 2 < x < 2.4, np.float32(2.3)),
        (np.float32(1.7e30), lambda x: x > 1e30, np.float32(2e30)),
    ],
)
def test_numbers_are_rounded_either_way(value: Any, fails: Any, expected: Any) -> None:
    assert plainest(value, fails) == expected


def test_one_number_may_do_for_all_elements() -> None:
    x = np.random.default_rng(3).normal(size=7) * 1000
    found = plainest(x, lambda x: bool(np.abs(x).max() > 1200))
    assert len(set(found.tolist())) == 1


def test_literals_become_simpler_also_in_bodies() -> None:
    def body(c: jax.Array, _: Any) -> Any:
        return c * 0.731 + 4.25, None

    def fails(problem: Problem) -> bool:
        held = [float(literal.val) for literal in literals_of(problem.jaxpr)]
        return len(held) == 3 and held[1] > 4 and {0.731, 1.0} & set(held[:1]) != set()

    problem = problem_of(lambda x: lax.scan(body, x, None, length=3)[0] - 0.123456, np.float32(0.5))
    steps: list[str] = []
    result = minimize(
        problem,
        at_once(fails),
        [Pass("literals", simplify_literals)],
        max_calls=60,
        on_progress=lambda step: steps.append(step.note) if step.taken else None,
    ).problem
    assert [float(literal.val) for literal in literals_of(result.jaxpr)] == [1.0, 5.0, 0.0]
    assert well_typed(result)
    assert result.closed.jaxpr.eqns[0].params["jaxpr"].eqns
    assert any("0.731" in note for note in steps)


def test_a_captured_constant_that_becomes_an_argument_moves_the_others() -> None:
    """The unused argument goes and the constant comes: as many arguments as before, and not the same."""
    constant = jnp.arange(4.0)
    x = array(8, 8, 32)
    closed = jax.make_jaxpr(lambda x, unused: jnp.sin(x).sum() + constant)(x, np.float32(1))
    assert len(closed.consts) == 1
    (shorter, *_) = shrink_at_once(Problem(closed, (x, np.float32(1))))
    assert well_typed(shorter)
    assert shorter.key.elements < 1000


def test_a_loop_whose_numbers_were_made_simpler_is_a_call() -> None:
    """A weak number stays a Python scalar: of NumPy's the loop's carry is of another type, and no lax.scan takes it."""
    problem = problem_of(
        lambda x: lax.scan(lambda c, _: ((c[0] + 3, c[1] * c[0]), None), (0, x), None, length=2)[0], array(2)
    )
    result = minimize(problem, at_once(lambda _: True), [Pass("literals", simplify_literals)], max_calls=20)
    source = emit_flat(result.problem.closed, result.problem.args, header=Header()).source
    assert "lax.scan(" in source
    assert ".bind(" not in source
    assert "weak(" not in source
