"""Edits of control flow: what enters a body, what may be taken out of a loop, what an edit must not change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from problems import problem_of
from reducing import minimize

from jace import ir
from jace.releases import scans
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.passes.bodies import (
    body_problem,
    bypass,
    cut_in_bodies,
    drop_branches,
    freeze_carries,
    other_results,
    shorten_bodies,
    unwrap_bodies,
)
from jace_repro.reducer.passes.equations import open_shards
from jace_repro.reducer.problem import Problem, well_typed
from jace_repro.reducer.termination import ends, iteration_limit

X = np.linspace(0.5, 2.0, 4, dtype=np.float32)


def run(problem: Problem) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(v) for v in jax.jit(jax.extend.core.jaxpr_as_fun(problem.closed))(*problem.args)]


def only(problem: Problem, name: str) -> tuple[ir.JaxprEqn, list[Any]]:
    """The one equation of that primitive at the top, and its operands."""
    for _, eqn, invals, _ in ir.eval_each(problem.closed, problem.args):
        if eqn.primitive.name == name:
            return eqn, invals
    raise AssertionError(name)


def candidates(
    run_pass: Callable[[Problem], Any], problem: Problem, answers: Sequence[bool] = ()
) -> list[Problem]:
    """All candidates of a pass, with the given answers and then no for each."""
    found: list[Problem] = []
    generator, answer = run_pass(problem), iter(answers)
    try:
        candidate = next(generator)
        while True:
            found.append(candidate)
            candidate = generator.send(next(answer, False))
    except StopIteration:
        return found


def scanned(reverse: bool) -> Callable[..., Any]:
    def fun(x: jax.Array, rows: jax.Array) -> Any:
        def step(c: Any, row: jax.Array) -> Any:
            total, kept, unused = c
            return (total * 0.5 + row, kept, unused + total.sum()), total * kept

        return jax.lax.scan(step, (x, x * 2, jnp.float32(0)), rows, reverse=reverse)

    return fun


ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize("reverse", [False, True])
def test_operands_of_a_scan_body_at_each_iteration(reverse: bool) -> None:
    eqn, operands = only(problem_of(scanned(reverse), X, ROWS), "scan")
    assert ir.trip_count(eqn, operands) == 3
    total = X
    for iteration, row in enumerate(ROWS[::-1] if reverse else ROWS):
        entered = ir.entry_values(eqn, ir.SCAN_BODY, operands, iteration)
        assert entered is not None
        assert np.allclose(entered[-3], total)  # jax made the carry that is kept a constant
        assert np.allclose(entered[-1], row)
        total = total * 0.5 + row
    assert ir.entry_values(eqn, ir.SCAN_BODY, operands, 3) is None


def counted(x: jax.Array) -> Any:
    def body(state: Any) -> Any:
        i, y, z = state
        return i + 1, jnp.sin(y) * z, z * 1.5

    return jax.lax.while_loop(lambda s: s[0] < 5, body, (0, x, x + 1))


def test_operands_of_a_while_body() -> None:
    eqn, operands = only(problem_of(counted, X), "while")
    assert ir.trip_count(eqn, operands) == 5
    entered = ir.entry_values(eqn, ir.WHILE_BODY, operands, 2)
    assert entered is not None
    assert int(entered[0]) == 2
    assert np.allclose(entered[2], (X + 1) * 1.5**2)
    assert ir.entry_values(eqn, ir.WHILE_BODY, operands, 6) is None
    assert ir.steering(eqn) == {0}


def test_a_body_as_a_program_of_its_own() -> None:
    eqn, operands = only(problem_of(counted, X), "while")
    body = body_problem(eqn, ir.WHILE_BODY, operands, 1, "")
    assert body is not None
    assert well_typed(body)
    assert int(run(body)[0]) == 2


def branched(x: jax.Array, index: jax.Array) -> Any:
    return jax.lax.switch(index, [lambda y: y * 2, lambda y: jnp.exp(y) + 1, lambda y: y], x)


def test_the_taken_branch_comes_first_and_empty_ones_not_at_all() -> None:
    problem = problem_of(branched, X, np.int32(1))
    names = [sorted(ir.primitives(c.closed)) for c in candidates(unwrap_bodies, problem)]
    assert names == [["add", "exp"], ["mul"]]


@pytest.mark.parametrize("index", [-7, 0, 1, 2, 9])
def test_branches_are_dropped_and_the_taken_one_stays_taken(index: int) -> None:
    problem = problem_of(branched, X, np.int32(index))
    (expected,) = run(problem)
    found = candidates(drop_branches, problem)
    found = list({c.fingerprint: c for c in found}.values())
    assert len(found) == 3, "each of the three but one"
    assert {len(only(c, "cond")[0].params["branches"]) for c in found} == {2}
    assert sum(np.array_equal(run(c)[0], expected) for c in found) == 2, "the third is without it"
    assert all(well_typed(c) for c in found)
    (smaller, *more) = candidates(drop_branches, problem, [True])
    assert not more, "two are left"
    assert len(only(smaller, "cond")[0].params["branches"]) == 2


PROGRAMS = [
    pytest.param(scanned(False), (X, ROWS), id="scan"),
    pytest.param(scanned(True), (X, ROWS), id="reverse scan"),
    pytest.param(counted, (X,), id="while"),
    pytest.param(branched, (X, np.int32(1)), id="cond"),
]


@pytest.mark.parametrize(("fun", "args"), PROGRAMS)
def test_cleaning_keeps_the_outputs(fun: Callable[..., Any], args: Sequence[Any]) -> None:
    problem = problem_of(fun, *args)
    for keep in range(len(problem.jaxpr.outvars)):
        jaxpr = problem.jaxpr
        one = Problem(ir.make_closed(jaxpr.invars, [jaxpr.outvars[keep]], jaxpr.eqns), problem.args)
        cleaned = clean(one)
        assert well_typed(cleaned)
        if cleaned.jaxpr.outvars:
            assert np.array_equal(run(cleaned)[0], run(one)[0])
            assert cleaned.key <= one.key


def test_cleaning_drops_what_a_loop_carries_in_vain() -> None:
    problem = problem_of(lambda x, rows: scanned(False)(x, rows)[0][0], X, ROWS)
    [scan] = [e for e in clean(problem).eqns if e.primitive.name == "scan"]
    assert scans.counts(scan.params) == (0, 1)
    assert len(scan.outvars) == 1


NUMBERS: dict[str, Callable[..., Any]] = {
    "scan": lambda x, n: jax.lax.scan(lambda c, r: (c * n + r, n), x[0], x),
    "while": lambda x, n: jax.lax.while_loop(lambda c: c.sum() < n * 9, lambda c: c + n, x),
    "cond": lambda x, n: jax.lax.cond(x[0, 0] > 0, lambda y, m: y * m, lambda y, m: y - m, x, n),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_that_a_body_is_given_is_a_number_in_it(name: str) -> None:
    problem = problem_of(NUMBERS[name], np.ones((3, 2), np.float32), np.float32(2.5))
    number = ir.Literal(np.float32(2.5), problem.jaxpr.invars[1].aval)
    eqns = [
        e.replace(invars=[number if v is problem.jaxpr.invars[1] else v for v in e.invars])
        for e in problem.eqns
    ]
    known = problem.edited(eqns, problem.jaxpr.outvars, "")
    cleaned = clean(known)
    [loop] = [e for e in cleaned.eqns if e.primitive.name == name]
    assert number in [v for e in known.eqns if e.primitive.name == name for v in e.invars]
    assert not any(isinstance(v, ir.Literal) and v.val == 2.5 for v in loop.invars)
    assert well_typed(cleaned)
    assert all(map(np.array_equal, run(cleaned), run(known)))


def test_a_carry_that_never_changes_becomes_a_constant() -> None:
    problem = problem_of(lambda x, rows: scanned(False)(x, rows)[1], X, ROWS)
    [scan] = [e for e in clean(problem).eqns if e.primitive.name == "scan"]
    assert scans.counts(scan.params) == (1, 1)
    assert np.array_equal(run(clean(problem))[0], run(problem)[0])


@pytest.mark.parametrize(
    "edit",
    [freeze_carries, shorten_bodies, cut_in_bodies, bypass, other_results, unwrap_bodies, drop_branches],
)
@pytest.mark.parametrize(("fun", "args"), PROGRAMS)
def test_every_candidate_is_well_typed(
    edit: Callable[[Problem], Any], fun: Callable[..., Any], args: Sequence[Any]
) -> None:
    problem = problem_of(fun, *args)
    for answers in ((), (True,) * 3, (False, True)):
        for candidate in candidates(edit, problem, answers):
            assert well_typed(candidate), candidate.note


def test_cut_equations_become_constants_with_the_values_of_the_first_iteration() -> None:
    problem = problem_of(counted, X)
    cut = [c for c in candidates(cut_in_bodies, problem) if "sin" not in ir.primitives(c.closed)]
    assert any(np.allclose(arg, np.sin(X)) for c in cut for arg in c.args if np.shape(arg) == (4,))


def test_what_is_taken_out_of_a_body_leaves_what_depends_on_the_carry() -> None:
    """`sin(rows) + c` cut away is a constant; with `c` in its place the loop goes on to hand on what it was handed."""

    def fun(x: jax.Array, rows: jax.Array) -> Any:
        def step(c: Any, row: jax.Array) -> Any:
            past, present = c
            changed = (jnp.cumsum(present)[::-1] * 0.5 + jnp.sin(row)) * 2.0 - past
            return (present, changed), None

        return jax.lax.scan(step, (x, x), rows)[0][1]

    def hands_over(problem: Problem) -> bool:
        scan = next((e for e in problem.eqns if e.primitive.name == "scan"), None)
        if scan is None:
            return False
        body = scan.params["jaxpr"].jaxpr
        carries = body.invars[scans.counts(scan.params)[0] :]
        made = {v for eqn in body.eqns for v in eqn.outvars}
        return len(body.outvars) == 2 and body.outvars[0] is carries[1] and body.outvars[1] in made

    asked = 0

    def ask(candidate: Problem) -> bool:
        nonlocal asked
        asked += 1
        return hands_over(candidate)

    problem = problem_of(fun, X, ROWS)
    assert problem.key.equations > 6
    found = minimize(problem, at_once(ask), standard_passes(), max_calls=100)
    assert found.problem.key.equations == 2
    assert found.problem.key.variables == 2
    assert asked < 25


def test_values_are_computed_only_where_one_takes_the_place_of_an_equation() -> None:
    """A loop of a candidate may have no end; an operand that stands in for a result needs no evaluation."""
    endless = problem_of(
        lambda x: jax.lax.while_loop(lambda c: c[0] > -1.0, lambda c: jnp.sin(c) + 2.0, x)[0] * 2.0, X
    )
    for candidate in candidates(bypass, endless):
        assert "values" not in vars(candidate)
    assert "values" not in vars(endless)


def test_a_loop_without_end_is_recognised() -> None:
    def until(limit: int) -> Problem:
        return problem_of(
            lambda x: jax.lax.while_loop(lambda c: c[0] < limit, lambda c: (c[0] + 1, c[1]), (0, x)), X
        )

    short = until(10)
    assert iteration_limit(short) < 1000
    assert ends(short, iteration_limit(short))
    assert not ends(until(100_000), iteration_limit(short))


def test_nested_loops_are_counted_together() -> None:
    def fun(x: jax.Array) -> Any:
        def outer(c: jax.Array, row: jax.Array) -> Any:
            return jax.lax.cond(
                c[0] > -1e9,
                lambda c: jax.lax.while_loop(lambda s: s[0] < 20, lambda s: s + 1.0, c * 0 + row),
                lambda c: c,
                c,
            ), None

        return jax.lax.scan(outer, x, jnp.zeros((3, 4)))[0]

    problem = problem_of(fun, X)
    assert ends(problem, 60)
    assert not ends(problem, 59)


def test_an_iteration_between_those_that_are_tried_is_found() -> None:
    """A bug in the 37th of 50: the loop is cut there, and what was between is the last one."""
    rows = np.ones((50, 4), np.float32)
    rows[36, 2] = np.nan

    def body(carry: jax.Array, row: jax.Array) -> Any:
        return carry, jnp.sort(jnp.sin(row)) * 2

    def fails(candidate: Problem) -> bool:
        held = any(np.isnan(np.asarray(arg)).any() for arg in candidate.args)
        return held and "sort" in ir.primitives(candidate.closed)

    problem = problem_of(lambda c, rows: jax.lax.scan(body, c, rows), X, rows)
    result = minimize(problem, at_once(fails), standard_passes(), max_calls=100)
    assert list(ir.primitives(result.problem.closed)) == ["sort"]
    assert result.calls < 40


def sharded(x: jax.Array) -> Any:
    mesh = jax.make_mesh((1,), ("devices",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("devices")

    @jax.shard_map(mesh=mesh, in_specs=spec, out_specs=spec)
    def on_each(part: jax.Array) -> jax.Array:
        return jnp.floor(part) + jax.lax.psum(part, "devices") - jax.lax.axis_index("devices")

    return jnp.sin(on_each(x))


def test_a_shard_map_over_one_device_is_what_is_inside() -> None:
    problem = problem_of(sharded, X)
    (opened,) = candidates(open_shards, problem)
    assert not {"shard_map", "psum", "axis_index"} & ir.primitives(opened.closed).keys()
    assert well_typed(opened)
    for one, other in zip(run(opened), run(problem), strict=True):
        np.testing.assert_array_equal(one, other)
    # and the rest of the passes find what is wrong in there
    smallest = minimize(
        problem, at_once(lambda c: "floor" in ir.primitives(c.closed)), standard_passes(), max_calls=100
    ).problem
    assert ir.primitives(smallest.closed) == {"floor": 1}


def test_without_a_shard_map_there_is_nothing_to_open() -> None:
    assert candidates(open_shards, problem_of(scanned(False), X, ROWS)) == []
