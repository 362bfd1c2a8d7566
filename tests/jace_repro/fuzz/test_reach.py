"""What a program reaches: the same each time, and what it says is so."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.fuzz import reach
from jace_repro.fuzz.forms import primitive_of
from jace_repro.fuzz.reach import Branch

X = np.ones(6, np.float32)


def reached(function, *args, pipelines=("fused",)):
    return reach.reached(jax.make_jaxpr(function)(*(args or (X,))), pipelines)


def of_kind(features, kind):
    return {feature.removeprefix(f"{kind} ") for feature in features if feature.startswith(f"{kind} ")}


def test_the_control_flow_around_a_primitive_is_told():
    def f(x):
        return lax.scan(lambda c, _: (jnp.sin(c), c), jnp.cos(x), length=3)

    pairs = of_kind(reached(f), reach.PAIR)
    assert "sin in scan under fusion" in pairs
    assert "cos in program under fusion" in pairs
    assert not any(pair.startswith("sin in program") for pair in pairs)


def test_passes_that_change_the_sdfg_are_told_and_no_others():
    pipeline = "canonical/simplify+xform:MapFusionVertical"
    one, two = (reached(f, pipelines=(pipeline,)) for f in (jnp.sin, lambda x: jnp.exp(jnp.sin(x))))
    assert f"{pipeline}: MapFusionVertical" in of_kind(two, reach.PASS)
    assert "sin in program under MapFusionVertical" in of_kind(two, reach.PAIR)
    assert not any("MapFusionVertical" in name.rpartition(": ")[2] for name in of_kind(one, reach.PASS))
    # a pass that is asked and finds nothing to do
    assert not any("DeadDataflowElimination" in name for name in of_kind(two, reach.PASS))
    plain = reached(jnp.sin, pipelines=("canonical",))
    assert (of_kind(plain, reach.PASS), of_kind(plain, reach.PAIR)) == (
        set(),
        {"sin in program under canonical"},
    )


def test_a_branch_is_where_the_rule_decides():
    there, back = (reached(lambda x, r=r: lax.cumsum(x, reverse=r)) for r in (False, True))
    assert {f for f in back if f.startswith(reach.BRANCH)} - there, (
        "an index that runs backward has a constant"
    )
    every = reach.all_branches()
    for branch in map(Branch.of, of_kind(back, reach.BRANCH)):
        assert every[branch.file][branch.line] > 1
        assert Branch.of(branch.feature) == branch


@pytest.mark.parametrize("pipeline", ["fused", "canonical/simplify"])
def test_the_same_program_reaches_the_same(pipeline):
    first, second = (reached(lambda x: jnp.sort(x)[::-1].sum(), pipelines=(pipeline,)) for _ in range(2))
    assert first == second
    assert of_kind(first, reach.BRANCH)


def test_what_is_refused_reaches_what_comes_before():
    def f(x):
        return jax.pure_callback(lambda y: y, jax.ShapeDtypeStruct((6,), np.float32), jnp.sin(x))

    assert of_kind(reached(f), reach.PAIR) == set()
    # and the counting has come to an end: the next program's is its own
    assert reached(jnp.sin) == reached(jnp.sin)


def test_forms_of_equations_are_reached_on_any_pipeline():
    features = of_kind(reached(lambda x: lax.cumsum(x, reverse=True)), reach.FORM)
    assert "cumsum with reverse=True" in features
    assert "cumsum with axis=0 and reverse=True" in features
    assert {primitive_of(form) for form in features} == {"cumsum"}
