"""The views of a repro: each level linked to the lines of the script, and what cannot be had is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tester_backends import swapped_sub

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro
from jace_repro.tester.execute.backends import Backend, jace_backend
from jace_repro.tester.views import Views, Wanted
from jace_repro.tester.views.gather import gather

X = np.arange(4, dtype=np.float32)


def flat(fun: Callable[..., Any], *args: Any) -> Repro:
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program"))


def viewed(repro: Repro, pipeline: str, wanted: Wanted, backend: Backend = jace_backend) -> Views:
    found = Views()
    for part in gather(repro, pipeline, wanted, backend=backend):
        found = found.with_part(Views.from_json(json.loads(json.dumps(part.to_json()))))
    return found


def scanned(x: jax.Array) -> Any:
    return lax.scan(lambda c, a: (c - a, c * a), jnp.float32(1), jnp.sin(x))


@pytest.fixture(scope="module")
def scan() -> Repro:
    return flat(scanned, X)


@pytest.fixture(scope="module")
def views(scan: Repro) -> Views:
    cut = "canonical/simplify@simplify/FuseStates"
    wanted = Wanted("simplify/FuseStates", before=f"{cut}:0", after=f"{cut}:1")
    return viewed(scan, "canonical/simplify", wanted, swapped_sub)


def line_of(repro: Repro, text: str) -> int:
    (number,) = [n for n, line in enumerate(repro.source.splitlines(), 1) if text in line]
    return number


def nodes(block: Any) -> list[dict[str, Any]]:
    found = []
    for node in block.get("nodes", ()):
        found += [node, *nodes(node)]
    return found


def test_every_level_comes_from_lines_of_the_script(scan: Repro, views: Views) -> None:
    calls = {"sin": "lax.sin(", "sub": "lax.sub(", "mul": "lax.mul(", "scan": "lax.scan("}
    places = {name: line_of(scan, call) for name, call in calls.items()}
    for name, place in places.items():
        (line,) = [line for line in views.jaxpr if f" = {name}" in line.text]
        assert line.script == (place,)
    inside = [line for line in views.jaxpr if "length=4" in line.text]
    assert [line.script for line in inside] == [(places["scan"],)]
    assert not any("# " in line.text for line in views.jaxpr)
    computed = {place for line in views.code for place in line.script}
    assert computed == set(places.values())
    assert any(
        "sin" in line.text and "= " in line.text and line.script == (places["sin"],) for line in views.code
    )
    assert views.sdfg is not None
    tasklets = [node for node in nodes(views.sdfg) if node["type"] == "Tasklet"]
    assert {place for node in tasklets for place in node["script"]} == set(places.values())
    told = json.dumps([views.sdfg, views.code])
    assert "// =" not in told
    assert "// @ state" not in told


def test_a_loop_of_a_map_comes_from_all_that_the_map_computes(scan: Repro, views: Views) -> None:
    place = line_of(scan, "lax.sin(")
    assert [line.script for line in views.code if "for (int i0" in line.text][:1] == [(place,)]


def test_passes_are_those_that_applied_something(views: Views) -> None:
    (fused,) = views.passes
    assert fused.label == "simplify/FuseStates"
    assert set(fused.applied) == {"StateFusion"}


def test_the_sdfg_before_and_after_the_culprit(views: Views) -> None:
    def states(sdfg: Any) -> int:
        return sum(node["type"] == "SDFGState" for node in nodes(sdfg))

    assert states(views.before) == states(views.after) + 1
    assert states(views.sdfg) <= states(views.after)


def test_outputs_are_those_of_both_sides(views: Views) -> None:
    assert views.outputs is not None
    assert [output.count > 0 for output in views.outputs] == [True, True]
    assert views.problems == ()


def test_what_the_pipeline_refuses_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from jace import registry

    monkeypatch.delitem(registry._rules, "sin", raising=False)
    found = viewed(flat(jnp.sin, X), "fused", Wanted())
    assert found.jaxpr
    assert (found.sdfg, found.code, found.outputs) == (None, (), None)
    (problem,) = found.problems
    assert problem.startswith("the SDFG: UnsupportedPrimitiveError: ")


def test_what_has_no_jaxpr_has_nothing_else(scan: Repro) -> None:
    broken = Repro(scan.source.replace("lax.sin(", "lax.nonsense("), scan.arrays, scan.header)
    found = viewed(broken, "fused", Wanted())
    assert found == Views(problems=found.problems)
    assert found.problems[0].startswith("the jaxpr: AttributeError: ")


def test_outputs_alone(scan: Repro) -> None:
    found = viewed(scan, "fused", Wanted(levels=False), swapped_sub)
    assert found.outputs is not None
    assert (found.jaxpr, found.sdfg) == ((), None)
