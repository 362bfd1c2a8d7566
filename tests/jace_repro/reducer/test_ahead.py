"""Searches that test ahead and quickly take the steps that they take without."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reducing import minimize

from jace import ir
from jace_repro.reducer.ahead import Ahead
from jace_repro.reducer.asking import Answer, at_once
from jace_repro.reducer.loop import Minimized, Pass
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.problem import Candidates, Problem, normalise


def _tree(path: tuple[bool, ...], depth: int) -> Any:
    """A pass of which each candidate is the answers that led to it; those that were taken lead deeper."""
    while len(path) < depth and not (len(path) > 3 and not any(path[-3:])):
        path = (*path, (yield path))


@given(st.lists(st.booleans(), max_size=20), st.integers(1, 4), st.integers(0, 9))
def test_what_is_drawn_ahead_is_what_a_patient_caller_gets(
    answers: list[bool], width: int, depth: int
) -> None:
    plain, expected, told = _tree((), depth), [], iter([*answers, *[False] * 20])
    try:
        expected.append(next(plain))
        while True:
            expected.append(plain.send(next(told)))
    except StopIteration:
        pass
    ahead, drawn, seen, told = Ahead(lambda: _tree((), depth)), deque(), [], iter([*answers, *[False] * 20])
    while True:
        while len(drawn) < width and (candidate := ahead.next()) is not None:
            drawn.append(candidate)
        if not drawn:
            break
        seen.append(drawn.popleft())
        taken = next(told)
        if taken:
            drawn.clear()
        ahead.answer(taken)
    assert seen == expected


def _program(x: jax.Array, y: jax.Array) -> Any:
    for _ in range(4):
        x = jnp.tanh(x) * y + jnp.cos(x)
    return jnp.sort(x)[::-1] @ y, jnp.sin(y).sum(), jnp.exp(x)


def _problem() -> Problem:
    args = [np.random.default_rng(seed).normal(size=24).astype(np.float32) for seed in (0, 1)]
    return normalise(jax.make_jaxpr(_program)(*args), args)


def _has(*names: str) -> Callable[[Problem], bool]:
    return lambda problem: set(names) <= set(ir.primitives(problem.closed))


def _text(found: Minimized) -> tuple[str, int, list[tuple[int, int]]]:
    return found.problem.fingerprint, found.calls, [(s.test, s.elements) for s in found.steps]


@pytest.mark.parametrize("width", [2, 3, 7])
def test_the_width_changes_nothing(width: int) -> None:
    problem, oracle = _problem(), at_once(_has("sort", "mul"))
    one = minimize(problem, oracle, standard_passes(), max_calls=100)
    several = minimize(problem, oracle, standard_passes(), max_calls=100, width=width)
    assert one.problem.key.equations == 2
    assert _text(several) == _text(one)


@pytest.mark.parametrize("width", [1, 2])
def test_what_the_quick_oracle_takes_in_error_is_given_back(width: int) -> None:
    """It takes any program with a sine for one with a sort; the pass that followed the sine is run again."""
    surely, quickly = _has("sort"), lambda p: _has("sort")(p) or _has("sin")(p)
    kept: list[Problem] = []
    found = minimize(
        _problem(),
        at_once(surely),
        standard_passes(),
        max_calls=200,
        quick=at_once(quickly),
        width=width,
        on_better=kept.append,
    )
    assert found.stopped == "fixpoint"
    assert ir.primitives(found.problem.closed) == {"sort": 1}
    assert kept
    assert all(map(surely, kept))
    assert [step.equations for step in found.steps] == sorted(
        (step.equations for step in found.steps), reverse=True
    )


def test_what_was_taken_quickly_is_confirmed_when_the_budget_is_spent() -> None:
    asked: list[int] = []

    def surely(problem: Problem) -> bool:
        asked.append(problem.key.equations)
        return True

    found = minimize(
        _problem(), at_once(surely), standard_passes(), max_calls=3, quick=at_once(lambda _: True)
    )
    assert found.stopped == "budget"
    assert asked
    assert found.problem.key.equations == asked[-1]


def test_a_sure_oracle_is_asked_less_often_than_a_quick_one() -> None:
    calls = {"sure": 0, "quick": 0}

    def counting(name: str) -> Callable[[Problem], bool]:
        def oracle(problem: Problem) -> bool:
            calls[name] += 1
            return _has("sort")(problem)

        return oracle

    passes = [Pass("keep fewer equations", next(p.run for p in standard_passes() if "fewer" in p.name))]
    minimize(_problem(), at_once(counting("sure")), passes, max_calls=99, quick=at_once(counting("quick")))
    assert 0 < calls["sure"] < calls["quick"]


def _smaller(problem: Problem) -> list[Problem]:
    """Candidates, all different."""
    fewer = next(p.run for p in standard_passes() if "fewer" in p.name)
    found = list(itertools.islice(fewer(problem), 9))
    assert len({p.fingerprint for p in found}) == len(found)
    return found


def test_candidates_of_passes_to_come_are_tested_while_one_waits() -> None:
    """Each pass has one candidate: none would have company otherwise."""
    begun: list[Problem] = []

    def never(problem: Problem) -> Answer:
        begun.append(problem)
        return at_once(lambda _: False)(problem)

    def one(number: int) -> Callable[[Problem], Candidates]:
        def run(problem: Problem) -> Candidates:
            yield _smaller(problem)[number]

        return run

    passes = [Pass(f"pass {number}", one(number)) for number in range(3)]
    asked: list[int] = []
    minimize(_problem(), never, passes, max_calls=99, width=3, on_progress=lambda _: asked.append(len(begun)))
    assert asked == [3, 3, 3]


def test_a_test_begins_when_another_than_the_awaited_one_ends() -> None:
    """The first one waits for the third, which is begun when the second has ended."""
    third = threading.Event()
    order: list[int] = []

    def test(number: int) -> bool:
        if number == 0:
            assert third.wait(30.0)
        if number == 2:
            third.set()
        return False

    def several(problem: Problem) -> Candidates:
        one, two, three, *_ = _smaller(problem)
        yield one
        yield two
        yield three

    with ThreadPoolExecutor(2) as threads:

        def ask(problem: Problem) -> Answer:
            order.append(len(order))
            return threads.submit(test, order[-1])

        found = minimize(_problem(), ask, [Pass("several", several)], max_calls=99, width=2)
    assert order == [0, 1, 2]
    assert found.calls == 3


def test_a_pass_that_costs_tests_is_not_begun_on_a_guess() -> None:
    drawn: list[int] = []
    answered: list[int] = []

    def several(problem: Problem) -> Candidates:
        one, other, *_ = _smaller(problem)
        yield one
        yield other

    def costly(_: Problem) -> Candidates:
        drawn.append(len(answered))
        yield from ()

    minimize(
        _problem(),
        at_once(lambda _: False),
        [Pass("several", several), Pass("costly", costly, ahead=lambda _: False)],
        max_calls=99,
        width=9,
        on_progress=lambda _: answered.append(1),
    )
    assert drawn == [2]
