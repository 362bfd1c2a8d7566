"""Delta debugging: what is left is needed, and how many tests that takes."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jace_repro.reducer.passes.common import delta_debug


def found(items: int, needed: Collection[int]) -> tuple[list[int], int]:
    """What is left of so many items, and how many tests of different ones that took."""
    wanted = set(needed)
    answers: dict[tuple[int, ...], bool] = {}
    search = delta_debug(range(items), tuple)
    try:
        candidate = next(search)  # type: ignore[arg-type]
        while True:
            answers.setdefault(candidate, wanted <= set(candidate))
            candidate = search.send(answers[candidate])
    except StopIteration as end:
        return list(end.value), len(answers)


@given(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), max_size=20)))
)
def test_what_is_left_is_what_is_needed_in_order(case: tuple[int, set[int]]) -> None:
    items, needed = case
    left, _ = found(items, needed)
    # one is left where none is needed: a program without equations is none
    assert left == sorted(needed) if needed else len(left) == 1


def _runs_of_two_and_a_multiple(candidate: tuple[int, ...]) -> bool:
    """An answer that more items may spoil: not monotonic."""
    return len(candidate) % 2 == 0 and 7 in candidate and 90 in candidate


def test_no_single_item_can_go_where_more_items_may_spoil_it() -> None:
    search = delta_debug(range(100), tuple)
    try:
        candidate = next(search)  # type: ignore[arg-type]
        while True:
            candidate = search.send(_runs_of_two_and_a_multiple(candidate))
    except StopIteration as end:
        left = end.value
    assert _runs_of_two_and_a_multiple(tuple(left))
    assert not any(_runs_of_two_and_a_multiple((*left[:k], *left[k + 1 :])) for k in range(len(left)))


@pytest.mark.parametrize(("needed", "most"), [(1, 16), (2, 40), (3, 60), (5, 85)])
def test_a_few_of_many_take_few_tests(needed: int, most: int) -> None:
    draw = random.Random(needed)
    tests = [found(828, draw.sample(range(828), needed))[1] for _ in range(40)]
    assert statistics.mean(tests) <= most


def test_where_most_are_needed_bisection_is_given_up() -> None:
    items = 60
    _, tests = found(items, range(items))
    assert tests <= 2 * items + 5 * math.ceil(math.log2(items))
