"""A rule that answers an operation: both ways down print the same one."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend.core import Primitive

import jace
from jace.registry import IndexMap, Region
from jace.rules import operations
from jace.rules.operations import Contraction, Operation, Pointed, Reduction, Slice
from jace.rules.structured import PRINTERS, operation_rule


def _kinds() -> set[type[Operation]]:
    found, waiting = set(), [Operation]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        found.add(kind)
    return found


def test_every_kind_of_operation_has_a_row() -> None:
    offered = {getattr(operations, name) for name in operations.__all__}
    assert {kind for kind in offered if issubclass(kind, Operation)} - {Operation, Pointed} == set(PRINTERS)
    assert set(PRINTERS) < _kinds()


def test_what_has_no_node_is_combined_by_a_jaxpr() -> None:
    without = {kind.__name__ for kind, printers in PRINTERS.items() if printers.nodes is None}
    assert without == {"GeneralReduction", "GeneralWindowReduction"}


def test_a_rule_is_of_the_kind_that_its_loops_are_and_keeps_what_planning_asks_for() -> None:
    reduction = operation_rule(Reduction, lambda eqn: Reduction(eqn, eqn.invars[0], (0,), "sum"))
    assert isinstance(reduction, IndexMap)
    assert reduction.materialize
    assert reduction.build is not None
    scatter = jace.rule_of("scatter")
    assert isinstance(scatter, Region)
    assert scatter.updates == 0


def _primitive(name: str, shape: tuple[int, ...]) -> Primitive:
    made = Primitive(name)
    made.def_abstract_eval(lambda *avals, **_: jax.core.ShapedArray(shape, avals[0].dtype))
    return made


#: A primitive of a user's -> (operands, what it is, what NumPy makes of it, a node of `canonical`)
_CASES = {
    "total_of_columns": (
        [(5, 7)],
        (7,),
        lambda eqn: Reduction(eqn, eqn.invars[0], (0,), "sum"),
        lambda x: x.sum(0),
        Reduction,
        "Reduce",
    ),
    "product_with_transpose": (
        [(3, 4), (5, 4)],
        (3, 5),
        lambda eqn: Contraction(eqn, *eqn.invars, ((1,), (1,)), ((), ())),
        lambda x, y: x @ y.T,
        Contraction,
        "Einsum",
    ),
    "middle": (
        [(9,)],
        (3,),
        lambda eqn: Slice(eqn, eqn.invars[0], (3,), (1,)),
        lambda x: x[3:6],
        Slice,
        "",
    ),
}


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
@pytest.mark.parametrize("name", _CASES)
def test_one_description_is_printed_in_both_ways(name: str, pipeline: str) -> None:
    shapes, out, describe, right, kind, node = _CASES[name]
    primitive = _primitive(name, out)
    args = [np.random.default_rng(k).normal(size=shape).astype(np.float32) for k, shape in enumerate(shapes)]
    with jace.use_rules({primitive: operation_rule(kind, describe)}):
        traced = jace.jit(lambda *a: primitive.bind(*a) * 2, pipeline=pipeline).trace(*args)
        lowered = traced.lower()
        np.testing.assert_allclose(lowered.compile()(*args), 2 * right(*args), rtol=1e-5)
    names = {type(n).__name__ for n, _ in lowered.as_sdfg().all_nodes_recursive()}
    if pipeline == "canonical" and node:
        assert node in names


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_a_wrong_description_is_wrong_in_both_ways(pipeline: str) -> None:
    x = jnp.arange(12.0).reshape(3, 4)

    def first_axis(eqn):
        return Reduction(eqn, eqn.invars[0], (0,), "max")

    with jace.use_rules({"reduce_sum": operation_rule(Reduction, first_axis)}):
        got = jace.jit(lambda x: x.sum(0), pipeline=pipeline)(x)
    np.testing.assert_array_equal(got, x.max(0))
