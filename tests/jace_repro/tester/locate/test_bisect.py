"""Bisection: planted bugs in passes of DaCe's and jace's, in fusion and in compiler flags are named exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from dace.sdfg import nodes
from dace.transformation.dataflow import MapFusionVertical
from dace.transformation.interstate import StateFusion
from dace.transformation.passes.consolidate_edges import ConsolidateEdges
from dace.transformation.passes.dead_state_elimination import DeadStateElimination
from dace.transformation.passes.simplification.control_flow_raising import ControlFlowRaising
from dace.transformation.passes.simplify import SIMPLIFY_PASSES
from places import REPROS

import jace
from jace.build import flags
from jace.debug import steps
from jace.debug.steps import Watch
from jace.errors import CompilerKilledError
from jace.plan.planner import Planner
from jace.translate import passes
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, load
from jace_repro.tester.execute import traced
from jace_repro.tester.locate.bisect import (
    Bisected,
    NeedsOutcomeError,
    bisect,
    bisect_by_outcomes,
    bisect_repro,
    jace_build,
)
from jace_repro.tester.locate.search import first_bad

X = np.arange(1.0, 9.0, dtype=np.float32)


@pytest.fixture(autouse=True)
def _uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing planted may be remembered on disk, or in this process."""
    monkeypatch.setenv("JACE_CACHE", "0")
    jace.clear_caches()
    yield
    jace.clear_caches()


def chain(x: Any) -> Any:
    """Four maps over one range, which DaCe fuses one by one, between two that stay."""
    y = jnp.cumsum(x)
    for k in range(1, 4):
        y = jnp.sin(y) * k + x
    return jnp.sum(y) + x, y


def computes(pipeline: str) -> bool:
    """Whether a pipeline, cut where its name says, computes `chain`."""
    jace.clear_caches()
    outputs = jace.jit(chain, pipeline=pipeline)(X)
    return all(np.allclose(one, other, rtol=1e-5) for one, other in zip(outputs, chain(X), strict=True))


def found(fun: Callable[..., Any], pipeline: str, *args: Any) -> Bisected | None:
    jace.clear_caches()
    args = args or (X,)
    prog = traced.from_jaxpr(jax.make_jaxpr(fun)(*args), args)
    return bisect(prog, pipeline, jace_build(prog))


# --- the search ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [0, 1, 2, 7, 8, 63])
def test_the_search_takes_no_more_probes_than_it_must(last: int) -> None:
    for turn in range(last + 1):
        asked: list[int] = []
        result = first_bad(last, lambda k, turn=turn, asked=asked: (asked.append(k), k >= turn)[1])
        assert (result.good, result.bad) == (turn - 1, turn)
        assert len(asked) == len(set(asked)) == result.probes <= (last + 1 - 1).bit_length()


def test_the_search_passes_over_what_cannot_be_told() -> None:
    told = {3: None, 4: None, 5: None}
    result = first_bad(8, lambda k: told.get(k, k >= 6))
    assert (result.good, result.bad, result.exact) == (2, 6, False)
    assert first_bad(8, lambda k: told.get(k, k >= 7)).exact


def test_what_is_right_again_is_said() -> None:
    result = first_bad(15, lambda k: 3 <= k < 9 or k >= 13, rechecks=3)
    assert result.bad in (3, 13)
    assert result.bad == 3 or result.rechecks == 3
    straight = first_bad(15, lambda k: k >= 3, rechecks=3)
    assert straight.right_again == ()
    bumpy = first_bad(16, lambda k: k in (2, 3, 4, 5, 8, 16), rechecks=3)
    assert bumpy.right_again


# --- planted passes -----------------------------------------------------------------------------------------


def planted(
    cls: type, name: str, monkeypatch: pytest.MonkeyPatch, spoil: Callable[..., None], nth: int = 1
) -> None:
    """Let the `nth` call of a method of DaCe's (in each run of the pipeline) spoil the SDFG afterwards."""
    original = getattr(cls, name)
    calls: dict[int, int] = {}

    def method(self: Any, graph: Any, *args: Any, **kwargs: Any) -> Any:
        root = (graph if isinstance(graph, dace.SDFG) else args[0]).root_sdfg
        calls[id(root)] = calls.get(id(root), 0) + 1
        alive.append(root)  # so that no id is used twice
        result = original(self, graph, *args, **kwargs)
        if calls[id(root)] == nth:
            spoil(root)
            return result if name == "apply" else 1
        return result

    alive: list[Any] = []
    monkeypatch.setattr(cls, name, method)


def wrong_index(sdfg: dace.SDFG) -> None:
    """Reverses the order in which a map writes its first output."""
    for state in sdfg.states():
        for node in state.nodes():
            if isinstance(node, nodes.MapEntry) and len(node.map.params) == 1:
                last = node.map.range.max_element()[0]
                for edge in state.edges():
                    inside = isinstance(edge.dst, nodes.MapExit) and edge.dst.map is node.map
                    if inside and isinstance(edge.src, nodes.Tasklet) and edge.data.subset.free_symbols:
                        edge.data.subset = dace.subsets.Range.from_string(
                            f"{last} - ({edge.data.subset[0][0]})"
                        )
                        return
    raise AssertionError("nothing to spoil")


def adds_three(sdfg: dace.SDFG) -> None:
    """Changes what a tasklet computes."""
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, nodes.Tasklet) and "sin" in node.code.as_string:
            wrong = re.sub(r"(jace::store\(\w+), ", r"\1, 3 + ", node.code.as_string, count=1)
            node.code = dace.properties.CodeBlock(wrong, node.code.language)
            return
    raise AssertionError("nothing to spoil")


PLANTED = [
    ("canonical/simplify", StateFusion, "apply", adds_three, 2, "simplify/FuseStates", 2),
    ("canonical/simplify", ConsolidateEdges, "apply_pass", adds_three, 1, "simplify/ConsolidateEdges", None),
    ("canonical/simplify", DeadStateElimination, "apply_pass", adds_three, 1, "simplify/DeadStateElimination", None),
    ("canonical/auto-optimize", StateFusion, "apply", adds_three, 3, "simplify/FuseStates", 3),
    ("canonical/auto-optimize", MapFusionVertical, "apply", wrong_index, 2, "auto-optimize/FullMapFusion", 2),
    ("canonical/auto-optimize", MapFusionVertical, "apply", adds_three, 1, "auto-optimize/FullMapFusion", 1),
    (
        "canonical/auto-optimize", ConsolidateEdges, "apply_pass", wrong_index, 4,
        "auto-optimize/ConsolidateEdges.2", None,
    ),
]  # fmt: skip


#: By default one of each pipeline, of a pass and of an application; one more with `-m ci`, the others with `-m slow`.
MARKS = dict(zip(range(len(PLANTED)), ("slow", None, "slow", "slow", None, "slow", "ci"), strict=True))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(c, marks=getattr(pytest.mark, MARKS[k]) if MARKS[k] else ())
        for k, c in enumerate(PLANTED)
    ],
    ids=lambda c: f"{c[1].__name__}-{c[3].__name__}-{c[4]}",
)
def test_the_planted_pass_and_its_application_are_named(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, cls, method, spoil, nth, pass_name, application = case
    assert found(chain, pipeline) is None, "right without the planted bug"
    planted(cls, method, monkeypatch, spoil, nth)
    bisected = found(chain, pipeline)
    assert bisected is not None
    assert (bisected.culprit.pass_, bisected.culprit.application) == (pass_name, application)
    assert bisected.culprit.transformation == (cls.__name__ if application else "")
    assert bisected.compilations["pass"] <= 6
    assert bisected.compilations.get("application", 0) <= 12
    assert bisected.diff, "the change is shown"
    before, after = (dace.SDFG.from_json(json.loads(t)) for t in (bisected.before, bisected.after))
    assert before.hash_sdfg() != after.hash_sdfg()
    assert computes(bisected.good), "the last good step is good"
    assert not computes(bisected.stop), "the first bad one is bad"


#: DaCe's code generator runs it as well: planted there, no place of a pipeline is without the bug.
IN_THE_CODE_GENERATOR = (ControlFlowRaising,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "cls", [c for c in SIMPLIFY_PASSES if c not in IN_THE_CODE_GENERATOR], ids=lambda cls: cls.__name__
)
def test_each_pass_of_simplify_is_named(cls: type, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(cls, "apply_pass", monkeypatch, adds_three)
    bisected = found(chain, "canonical/simplify")
    assert bisected is not None
    assert bisected.culprit.pass_ == f"simplify/{cls.__name__}"
    assert bisected.compilations["pass"] <= 6
    assert bisected.compilations["application"] <= 12


def test_a_pass_that_leaves_an_invalid_sdfg_is_named_without_compiling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def spoil(sdfg: dace.SDFG) -> None:
        next(iter(sdfg.states())).add_nodes_from([nodes.AccessNode("nowhere")])

    planted(StateFusion, "apply", monkeypatch, spoil, nth=2)
    bisected = found(chain, "canonical/simplify")
    assert bisected is not None
    assert (bisected.culprit.pass_, bisected.culprit.application) == ("simplify/FuseStates", 2)
    assert sum(bisected.compilations.values()) == 0
    assert any("raises" in note for note in bisected.notes)


def test_an_sdfg_that_is_built_invalid_is_no_passes_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(name: str, plan: Any, **how: Any) -> dace.SDFG:
        sdfg = right(name, plan, **how)
        next(iter(sdfg.states())).add_nodes_from([nodes.AccessNode("nowhere")])
        return sdfg

    right = passes.build_sdfg
    monkeypatch.setattr(passes, "build_sdfg", build)
    bisected = found(chain, "canonical/simplify")
    assert bisected is not None
    assert bisected.innocent
    assert "validate raises" in bisected.notes[0]


def test_a_pass_that_raises_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(sdfg: dace.SDFG) -> None:
        raise RuntimeError("planted")

    planted(MapFusionVertical, "apply", monkeypatch, spoil, nth=2)
    bisected = found(chain, "canonical/auto-optimize")
    assert bisected is not None
    assert (bisected.culprit.pass_, bisected.culprit.application) == ("auto-optimize/FullMapFusion", 2)
    assert "planted" in bisected.notes[0]


def test_what_raises_before_the_first_pass_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(sdfg: dace.SDFG, met: frozenset[str]) -> None:
        raise RuntimeError("planted")

    monkeypatch.setitem(passes._DACE, "simplify", raises)
    bisected = found(chain, "canonical/simplify")
    assert bisected is not None
    assert bisected.culprit.pass_ == "simplify/start"
    assert "planted" in bisected.notes[0]


def test_a_wrong_pass_on_the_jaxpr_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(closed: Any) -> Any:
        eqns = [
            e.replace(primitive=jax.lax.cos_p) if e.primitive is jax.lax.sin_p else e
            for e in closed.jaxpr.eqns
        ]
        return closed.replace(jaxpr=closed.jaxpr.replace(eqns=eqns))

    wrong = passes.Pass("fold-constants", passes._on_jaxpr(spoiled))
    flatten = tuple(wrong if p.name == wrong.name else p for p in passes._FLATTEN)
    monkeypatch.setattr(passes, "_FLATTEN", flatten)
    for pipeline in ("fused", "canonical"):
        bisected = found(chain, pipeline)
        assert bisected is not None
        assert (bisected.culprit.pass_, bisected.culprit.application) == ("fold-constants", None)


def test_an_illegal_fusion_is_named_with_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planner that ignores what is written between a kernel and the result that joins it."""
    monkeypatch.setattr(Planner, "_item_sets", lambda self, item: (frozenset(), frozenset()))

    def program(x: Any) -> Any:
        a = jnp.sin(x) * 2
        b = jnp.cumsum(x)
        return a, jnp.exp(a) - 1, jnp.cos(b) + 1

    bisected = found(program, "fused")
    assert bisected is not None
    assert bisected.culprit.pass_ == "fuse"
    assert "kernel" in bisected.culprit.match
    assert "add" in bisected.culprit.match.splitlines()[0], "the equation that joined"
    assert any("mul" in line for line in bisected.culprit.match.splitlines()[1:]), (
        "what is in the kernel already"
    )
    assert bisected.compilations["pass"] <= 6
    assert bisected.compilations["application"] <= 12


class Told(dict[str, str]):
    """Outcomes by pipeline: wrong from the third change on, but right again for whoever asks once more."""

    def __init__(self, labels: list[str]) -> None:
        self.labels = labels
        self.asked: list[int] = []

    def __contains__(self, pipeline: object) -> bool:
        return True

    def __getitem__(self, pipeline: str) -> str:
        _, _, label = pipeline.partition("@")
        if ":" in label or not label:
            return "crash"
        position = self.labels.index(label)
        self.asked.append(position)
        settled = {2, 3} <= set(self.asked)
        return "ok" if position < 3 or (settled and position > 3) else "crash"


def test_what_changes_without_saying_so_is_among_the_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    right, looks = ConsolidateEdges.apply_pass, []

    def apply_pass(self: Any, sdfg: dace.SDFG, results: Any) -> None:
        right(self, sdfg, results)
        adds_three(sdfg)

    monkeypatch.setattr(ConsolidateEdges, "apply_pass", apply_pass)
    digest = steps.digest
    monkeypatch.setattr(steps, "digest", lambda sdfg: looks.append(sdfg) or digest(sdfg))
    watch = Watch(compare=True)
    passes.translate(jax.make_jaxpr(chain)(X), "canonical/simplify", watch=watch)
    assert len(looks) < 8 < len(watch.runs), "and the SDFG is not looked at after each run"
    changed = [run.label for run in watch.runs if run.changed]
    assert changed[:2] == ["simplify/FuseStates", "simplify/OptionalArrayInference"]
    assert "simplify/ConsolidateEdges" in changed[2:]


def test_a_result_that_is_right_again_is_told_and_the_turn_stands() -> None:
    repro = emit_flat(jax.make_jaxpr(chain)(X), (X,), header=Header(name="chain"))
    watch = Watch(compare=True)
    passes.translate(jax.make_jaxpr(chain)(X), "canonical/auto-optimize", watch=watch)
    labels = ["start", *(run.label for run in watch.runs if run.changed)]
    bisected = bisect_by_outcomes(repro, "canonical/auto-optimize", Told(labels))
    assert bisected is not None
    assert bisected.culprit.pass_ == labels[3]
    assert any("right again after" in note for note in bisected.notes)
    assert bisected.compilations["flags"] == 0


def test_an_outcome_that_is_not_known_is_asked_for() -> None:
    repro = emit_flat(jax.make_jaxpr(chain)(X), (X,), header=Header(name="chain"))
    with pytest.raises(NeedsOutcomeError) as needed:
        bisect_by_outcomes(repro, "canonical/simplify", {"canonical/simplify": "crash"})
    assert needed.value.pipeline.startswith("canonical/simplify@")


# --- planted flags ------------------------------------------------------------------------------------------


def keeps_nan(x: Any) -> Any:
    return jnp.where(x != x, 7.0, x * 2)


@pytest.mark.parametrize("pipeline", ["fused", "canonical/simplify"])
@pytest.mark.parametrize("position", [0, 2])
def test_the_guilty_flag_is_named(pipeline: str, position: int, monkeypatch: pytest.MonkeyPatch) -> None:
    args = (np.array([1.0, np.nan, 3.0], np.float32),)
    assert found(keeps_nan, pipeline, *args) is None
    right = list(flags._FAITHFUL)
    wrong = (*right[:position], "-ffinite-math-only", *right[position:])
    monkeypatch.setattr(flags, "_FAITHFUL", wrong)
    bisected = found(keeps_nan, pipeline, *args)
    assert bisected is not None
    assert bisected.culprit.flag == "-ffinite-math-only"
    assert bisected.culprit.pass_ is None
    assert not bisected.innocent
    assert bisected.compilations["flags"] <= 5


def test_a_wrong_rule_is_neither_a_pass_nor_a_flag() -> None:
    wrong = jace.Elementwise(lambda params, ins, out, x: f"({x} + 1)")
    with jace.use_rules({"sin": wrong}):
        bisected = found(chain, "canonical/auto-optimize")
    assert bisected is not None
    assert bisected.innocent
    assert bisected.compilations["pass"] <= 6


# --- a bug of DaCe's ----------------------------------------------------------------------------------------


def test_the_bug_of_auto_optimize_in_the_corpus_has_a_name() -> None:
    bisected = bisect_repro(load(REPROS / "dace" / "41002611a471.py"), "canonical/auto-optimize")
    assert bisected is not None
    assert bisected.culprit.pass_.startswith("auto-optimize/FullMapFusion")
    assert bisected.culprit.transformation == "MapFusionVertical"
    assert bisected.culprit.application == 1
    assert bisected.compilations["pass"] <= 6
    removed = [line for line in bisected.diff if " - " in line]
    assert any("transient t0002" in line for line in removed)


@pytest.mark.skipif(not jax.__version__.startswith("0.10."), reason="the script is of jax 0.10, and says so")
def test_the_loop_that_auto_optimize_moves_into_a_map_has_a_name() -> None:
    bisected = bisect_repro(
        load(REPROS / "dace" / "41002611a471-loop_into_map.py"), "canonical/auto-optimize"
    )
    assert bisected is not None
    assert (bisected.culprit.pass_, bisected.culprit.transformation) == (
        "auto-optimize/MoveLoopIntoMap",
        "MoveLoopIntoMap",
    )
    assert bisected.culprit.application == 1


def test_a_compiler_that_is_killed_says_nothing_about_a_pass() -> None:
    def build(pipeline: str, first_flags: int | None) -> Any:
        raise CompilerKilledError("killed")

    prog = traced.from_jaxpr(jax.make_jaxpr(chain)(X), [X])
    with pytest.raises(CompilerKilledError):
        bisect(prog, "canonical/simplify", build)
