"""One row for all iterations, where a loop reads others in vain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.rows import one_row_for_all
from jace_repro.reducer.problem import Problem, well_typed

X, Y = np.arange(6, dtype=np.float32).reshape(3, 2), np.arange(3, dtype=np.float32)


def _loop(x: Any, y: Any, *, reverse: bool = False) -> Any:
    return lax.scan(lambda c, row: (c * row[1] + row[0].sum(), c), 1.0, (x, y), reverse=reverse)


def reduced(fun: Callable[..., Any], fails: Callable[[Problem], bool]) -> Problem:
    found = minimize(problem_of(fun, X, Y), at_once(fails), [Pass("rows", one_row_for_all)], max_calls=20)
    assert well_typed(found.problem)
    return found.problem


def _stacked(problem: Problem) -> list[tuple[int, ...]]:
    (eqn,) = [eqn for eqn in problem.eqns if eqn.primitive.name == "scan"]
    return [v.aval.shape for v in ir.Scan.of(eqn.params).split(eqn.invars)[2]]


def test_every_iteration_reads_the_row_of_the_first() -> None:
    found = reduced(_loop, lambda _: True)
    assert _stacked(found) == []
    assert sorted(arg.tolist() for arg in found.args if arg.shape == ()) == [0.0]
    assert [arg.tolist() for arg in found.args if arg.shape == (2,)] == [[0.0, 1.0]]
    values = ir.evaluate(found.closed, found.args, ir.eval_equation)
    np.testing.assert_array_equal(values[1], [1, 1, 1])


def test_a_loop_from_the_end_begins_with_the_last_row() -> None:
    found = reduced(lambda x, y: _loop(x, y, reverse=True), lambda _: True)
    assert [arg.tolist() for arg in found.args if arg.shape == (2,)] == [[4.0, 5.0]]


def test_rows_that_must_differ_stay() -> None:
    found = reduced(_loop, lambda p: (3,) in _stacked(p))
    assert _stacked(found) == [(3,)]
    found = reduced(_loop, lambda p: len(_stacked(p)) == 2)
    assert _stacked(found) == [(3, 2), (3,)]


def test_a_loop_that_does_not_run_has_no_row() -> None:
    problem = problem_of(lambda x, y: _loop(x[:0], y[:0]), X, Y)
    found = minimize(problem, at_once(lambda _: True), [Pass("rows", one_row_for_all)], max_calls=20)
    assert found.calls == 0
