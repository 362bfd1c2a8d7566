"""Strategies of JAX programs: what they draw runs, and gets smaller."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from jax.extend.core import jaxpr_as_fun

from jace_repro.fuzz import strategies
from jace_repro.fuzz.programs import Program

QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
)


@QUICK
@given(strategies.programs())
def test_a_program_runs_and_is_its_jaxpr(drawn: Program) -> None:
    outputs = jax.tree.leaves(jax.jit(drawn.function)(*drawn.arrays))
    again = jax.tree.leaves(jax.jit(jaxpr_as_fun(drawn.closed))(*drawn.arrays))
    for one, other in zip(outputs, again, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    assert drawn.name in repr(drawn)


@settings(QUICK, max_examples=5)
@given(strategies.compositions())
def test_a_composition_has_several_steps_and_a_name_to_make_it_from(drawn: Program) -> None:
    assert drawn.choices
    assert {choice for choice, _ in drawn.choices} == {"step"}
    assert drawn.name.startswith("composed/")


def test_a_failing_program_gets_smaller() -> None:
    def fails(drawn: Program) -> bool:
        return any(eqn.params.get("reverse") is True for eqn in drawn.closed.eqns)

    found = find(
        strategies.programs(["cumsum", "cumprod"]), fails, settings=settings(QUICK, max_examples=2000)
    )
    assert found.name == "cumsum"
    (eqn,) = found.closed.eqns  # in no loop, branch or transform
    assert eqn.params["axis"] == 0
    assert sum(array.size for array in found.arrays) <= 8


def test_only_the_operations_that_were_asked_for() -> None:
    @QUICK
    @given(strategies.programs(["tanh", "dot_general"]))
    def names(drawn: Program) -> None:
        assert drawn.name in ("tanh", "dot_general")

    names()
    with pytest.raises(ValueError, match="no operations sine"):
        strategies.programs(["sine"])


def test_arrays_have_the_critical_points_of_a_function() -> None:
    @settings(QUICK, max_examples=3)
    @given(strategies.arrays(np.float32, (400,), about="log"))
    def seen(drawn: np.ndarray) -> None:
        assert (drawn.dtype, drawn.shape) == (np.float32, (400,))
        assert {0.0, 1.0, np.inf} <= set(drawn.tolist())

    seen()
    with pytest.raises(ValueError, match="no domain 'huge'"):
        strategies.arrays(np.float32, (2,), "huge")
