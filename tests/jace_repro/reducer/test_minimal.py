"""What a search ends with is 1-minimal: no step that a pass can take from it shows the failure."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.problem import Problem, is_trivial, normalise, well_typed
from jace_repro.reducer.termination import ends, iteration_limit

ORACLES: dict[str, Callable[[Problem], bool]] = {
    "a sort": lambda p: "sort" in _names(p),
    "a sine before a sort": lambda p: {"sin", "sort"} <= _names(p),
    "five elements": lambda p: any(np.size(a) >= 5 for a in p.args),
    # values are changed when shapes are as small as they get: with zeros they may be smaller
    "long, or zeros": lambda p: "sort" in _names(p) and (max(map(np.size, p.args)) > 20 or _all_zero(p)),
    "a loop": lambda p: "scan" in _names(p) and p.key.trips > 3,
    # what is refused now may be taken after any other change
    "by chance, half": lambda p: _lot("5", p) % 2 == 0,
    "by chance, few": lambda p: _lot("2", p) % 8 == 0,
    "by chance, hardly any": lambda p: _lot("3", p) % 32 == 0,
}


def _lot(salt: str, problem: Problem) -> int:
    return int(hashlib.sha256(f"{salt}{problem.fingerprint}".encode()).hexdigest()[:8], 16)


def _names(problem: Problem) -> set[str]:
    return set(ir.primitives(problem.closed))


def _all_zero(problem: Problem) -> bool:
    return not any(np.any(a) for a in problem.args)


def _program(x: jax.Array, y: jax.Array) -> object:
    z = jnp.sort(jnp.sin(x) * y + jnp.cos(x))
    last, _ = jax.lax.scan(lambda c, row: (jnp.tanh(c) + row, None), y, jnp.stack([x] * 7))
    return z[::-1] @ y, last.sum(), jnp.exp(z)


def _steps(problem: Problem) -> dict[str, Problem]:
    """The smaller problems that every pass yields if all are refused, by fingerprint."""
    found: dict[str, Problem] = {}
    limit = iteration_limit(_start())
    for one in standard_passes():
        candidates = one.run(problem)
        candidate = next(candidates, None)
        while candidate is not None:
            smaller = candidate.key < problem.key and not is_trivial(candidate)
            if smaller and well_typed(candidate) and ends(candidate, limit):
                found[candidate.fingerprint] = candidate
            try:
                candidate = candidates.send(False)
            except StopIteration:
                candidate = None
    return found


def _start() -> Problem:
    args = [np.random.default_rng(seed).normal(size=24).astype(np.float32) for seed in (0, 1)]
    return normalise(jax.make_jaxpr(_program)(*args), args)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("name", ORACLES)
def test_no_step_of_any_pass_makes_it_smaller(name: str, width: int) -> None:
    fails = ORACLES[name]
    found = minimize(_start(), at_once(fails), standard_passes(), max_calls=2000, width=width)
    steps = _steps(found.problem)
    assert found.stopped == "fixpoint"
    assert fails(found.problem) or not found.steps[1:]
    assert not [step.note for step in steps.values() if fails(step)]
    assert found.refused is not None
    assert found.refused >= len(steps)


def test_a_search_that_ended_early_certifies_nothing() -> None:
    found = minimize(_start(), at_once(ORACLES["a sort"]), standard_passes(), max_calls=2)
    assert (found.stopped, found.refused) == ("budget", None)


def test_a_search_ends_when_its_time_is_over_with_the_best_so_far() -> None:
    start = _start()
    none = minimize(
        start, at_once(ORACLES["a sort"]), standard_passes(), max_calls=99, until=time.monotonic()
    )
    assert (none.stopped, none.calls, none.problem) == ("seconds", 0, start)
    asked: list[Problem] = []

    def slow(problem: Problem) -> bool:
        asked.append(problem)
        time.sleep(0.2)
        return ORACLES["a sort"](problem)

    soon = time.monotonic() + 0.5
    found = minimize(start, at_once(slow), standard_passes(), max_calls=99, until=soon)
    assert (found.stopped, found.refused) == ("seconds", None)
    assert found.calls == len(asked) <= 3
    assert found.problem.key < start.key


def _captures() -> Problem:
    one, two = (np.random.default_rng(seed).normal(size=(5, 5)).astype(np.float32) for seed in (2, 3))

    def program(x: jax.Array) -> object:
        called = jax.jit(lambda y: y - two * 2)
        return x * one, two + x, called(x), x * 3, jnp.sin(x)

    x = np.ones((5, 5), np.float32)
    return Problem(jax.make_jaxpr(program)(x), (x,))


def test_constants_that_a_program_captured_stay_where_the_failure_needs_them() -> None:
    """Where it does not, they are arguments like others."""
    assert _captures().consts
    needed = minimize(
        _captures(),
        at_once(lambda p: bool(p.consts) and "add" in _names(p)),
        standard_passes(),
        max_calls=500,
    )
    assert (needed.stopped, _names(needed.problem), len(needed.problem.consts)) == ("fixpoint", {"add"}, 1)
    free = minimize(_captures(), at_once(lambda p: "add" in _names(p)), standard_passes(), max_calls=500)
    assert (_names(free.problem), free.problem.consts) == ({"add"}, {})
    assert free.problem.key < needed.problem.key
