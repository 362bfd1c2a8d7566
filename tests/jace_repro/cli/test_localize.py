"""`jace-repro localize` as a user types it, and a pipeline that stops where the environment says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from places import PLANTED_PASSES, PLANTED_RULES, REPROS

import jace
from jace.debug.steps import Watch
from jace.debug.stop import Stop, effective, split
from jace.translate import passes
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header

X = np.arange(1.0, 9.0, dtype=np.float32)


def chain(x: Any) -> Any:
    y = jnp.cumsum(x)
    for k in range(1, 4):
        y = jnp.sin(y) * k + x
    return jnp.sum(y) + x, y


def closed(fun: Callable[..., Any], *args: Any) -> Any:
    return jax.make_jaxpr(fun)(*(args or (X,)))


def saved(fun: Callable[..., Any], args: tuple[Any, ...], path: Path, **header: Any) -> str:
    repro = emit_flat(closed(fun, *args), args, header=Header(name=fun.__name__, **header))
    repro.save(path)
    return path.name


# --- the command --------------------------------------------------------------------------------------------


def test_a_planted_pass_is_named_saved_and_told(jace_repro: Callable[..., Any], tmp_path: Path) -> None:
    name = saved(chain, (X,), tmp_path / "chain.py", pipeline="canonical/auto-optimize")
    rules = PLANTED_PASSES / "map_fusion_scales.py"
    ran = jace_repro("localize", "--rules", str(rules), "-o", "places", name)
    assert ran.code == 1, ran.out + ran.err
    [entry] = ran.report["entries"]
    found = entry["localized"]
    assert found["pass"] == "auto-optimize/FullMapFusion"
    assert found["application"] == 2
    assert found["transformation"] == "MapFusionVertical"
    assert "second_map_entry" in found["match"]
    assert found["flags"] is None
    assert found["compilations"]["pass"] <= 6
    assert found["compilations"]["application"] <= 12
    assert found["stop"] == "canonical/auto-optimize@auto-optimize/FullMapFusion:2"
    before, after = (
        dace.SDFG.from_json(json.loads((tmp_path / found[k]).read_text())) for k in ("before", "after")
    )
    maps = [
        sum(isinstance(n, dace.nodes.MapEntry) for n, _ in s.all_nodes_recursive()) for s in (before, after)
    ]
    assert maps[1] == maps[0] - 1
    assert "2 * " in (tmp_path / found["diff"]).read_text()
    assert "after.sdfg" in (tmp_path / found["dace"]).read_text(), (
        "where the rules file is not, it is DaCe's own pass"
    )
    assert re.search(r"^  \d+\. without JAX: \S*python places/chain/dace_only.py$", ran.out, re.M)
    assert re.search(
        r"^  \d+\. pass: auto-optimize/FullMapFusion, application 2: MapFusionVertical$", ran.out, re.M
    )
    assert re.search(r"^ +\d+ \+ .*jace::store\(\w+, 2 \* ", ran.out, re.M), "the change is printed"


def test_an_equation_is_told_with_its_values_and_iteration(
    jace_repro: Callable[..., Any], tmp_path: Path
) -> None:
    def loop(x: Any) -> Any:
        return jax.lax.scan(
            lambda c, r: (c + (r - jnp.minimum(r, c)), c), jnp.full((1, 1, 3), 10.0, np.float32), x
        )

    rows = np.array([1, 2, 40, 3], np.float32).reshape(4, 1, 1, 1) * np.ones((4, 1, 1, 3), np.float32)
    name = saved(loop, (rows,), tmp_path / "loop.py")
    rules = PLANTED_RULES / "sub_swaps_operands.py"
    ran = jace_repro("localize", "--rules", str(rules), "--pipeline", "canonical", name)
    assert ran.code == 1, ran.out + ran.err
    found = ran.report["entries"][0]["localized"]
    assert found["primitive"] == "sub"
    assert found["iteration"] == 2
    assert found["pass"] is None
    assert found["flags"] is None
    assert found["values"]["operands"][0] == "float32[1, 1, 3] [[[40., 40., 40.]]]"
    assert found["values"]["expected"] == ["float32[1, 1, 3] [[[30., 30., 30.]]]"]
    assert found["values"]["got"] == ["float32[1, 1, 3] [[[-30., -30., -30.]]]"]
    assert found["compilations"]["equation"] <= 6
    assert "in scan.jaxpr[2]" in ran.out
    assert "pass: none" in ran.out


def test_a_flag_is_named(jace_repro: Callable[..., Any], tmp_path: Path) -> None:
    def keeps_nan(x: Any) -> Any:
        return jnp.where(x != x, 7.0, x * 2)

    name = saved(keeps_nan, (np.array([1.0, np.nan], np.float32),), tmp_path / "nan.py")
    rules = PLANTED_PASSES / "finite_math_flag.py"
    ran = jace_repro("localize", "--rules", str(rules), "--pipeline", "fused", name, env={"JACE_CACHE": "0"})
    assert ran.code == 1, ran.out + ran.err
    found = ran.report["entries"][0]["localized"]
    assert found["flags"] == "-ffinite-math-only"
    assert found["pass"] is None
    assert "flag: -ffinite-math-only" in ran.out


@pytest.mark.ci
def test_a_pass_whose_code_crashes_is_named_by_tests_of_its_own(
    jace_repro: Callable[..., Any], tmp_path: Path
) -> None:
    name = saved(chain, (X,), tmp_path / "chain.py", pipeline="canonical/simplify")
    rules = PLANTED_PASSES / "state_fusion_traps.py"
    ran = jace_repro("localize", "--rules", str(rules), name)
    assert ran.code == 1, ran.out + ran.err
    assert ran.report["entries"][0]["verdicts"][0]["outcome"] == "crash"
    found = ran.report["entries"][0]["localized"]
    assert (found["pass"], found["application"]) == ("simplify/FuseStates", 2)
    assert found["transformation"] == "StateFusion"


def test_the_help_says_what_the_command_does(jace_repro: Callable[..., Any]) -> None:
    ran = jace_repro("localize", "--help")
    assert ran.code == 0
    for word in ("equation", "pass", "flag", "--out", "--pipeline", "--rules"):
        assert word in ran.out


# --- where to stop ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stop"),
    [
        ("simplify", Stop("simplify")),
        ("auto-optimize/LoopToMap.2:3", Stop("auto-optimize/LoopToMap", 2, 3)),
        ("fuse:0", Stop("fuse", 1, 0)),
    ],
)
def test_a_place_to_stop_is_read_and_written(text: str, stop: Stop) -> None:
    assert Stop.parse(text) == stop
    assert str(stop) == text
    assert split(f"canonical/simplify@{text}") == ("canonical/simplify", stop)


@pytest.mark.parametrize("text", ["", "a b", "x:y", "a/b/c", "x.1.2"])
def test_nonsense_is_no_place_to_stop(text: str) -> None:
    with pytest.raises(ValueError, match="no place to stop"):
        Stop.parse(text)
    with pytest.raises(ValueError, match="no place to stop"):
        jace.jit(chain, pipeline=f"canonical@{text}")


def _maps(sdfg: dace.SDFG) -> int:
    return sum(isinstance(n, dace.nodes.MapEntry) for n, _ in sdfg.all_nodes_recursive())


def test_every_pass_and_application_can_be_stopped_after() -> None:
    program = closed(chain)
    whole = Watch(compare=True)
    passes.translate(program, "canonical/auto-optimize", watch=whole)
    labels = [run.label for run in whole.runs]
    assert len(set(labels)) == len(labels)
    changed = [run for run in whole.runs if run.changed]
    assert {"simplify/FuseStates", "auto-optimize/FullMapFusion"} <= {run.label for run in changed}
    for run in changed:
        watch = Watch()
        passes.translate(program, f"canonical/auto-optimize@{run.label}", watch=watch)
        assert watch.stopped
        assert [r.label for r in watch.runs] == labels[: labels.index(run.label) + 1]
    fusion = next(run for run in changed if run.label == "auto-optimize/FullMapFusion")
    stops = range(len(fusion.applications) + 1)
    counts = [
        _maps(passes.translate(program, f"canonical/auto-optimize@FullMapFusion:{k}").sdfg) for k in stops
    ]
    assert counts == list(range(counts[0], counts[0] - len(counts), -1)), "one map less an application"


def test_what_is_stopped_still_computes_the_same() -> None:
    program, expected = closed(chain), jax.jit(chain)(X)
    names = ("start", "fold-constants", "simplify/FuseStates:3", "auto-optimize", "auto-optimize:4")
    for pipeline, stops in {
        "canonical/auto-optimize": names,
        "fused": ("start", "fuse:0", "fuse:3", "fuse"),
    }.items():
        for stop in stops:
            got = jace.compile_jaxpr(program, pipeline=f"{pipeline}@{stop}").call_direct(X)
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5)


def test_less_fusion_is_more_kernels() -> None:
    program = closed(chain)
    seen: dict[int, int] = {}
    for limit in (0, 2, 100):
        states: dict[str, Any] = {}
        passes.translate(program, f"fused@fuse:{limit}", observe=states.__setitem__)
        seen[limit] = len(states["plan"].plan.ops)
    assert seen[0] > seen[2] > seen[100]


def test_a_pass_that_never_ran_is_said() -> None:
    with pytest.warns(
        UserWarning, match=r"did not stop after 'LoopTomap'; what ran: .*auto-optimize/LoopToMap"
    ):
        passes.translate(closed(chain), "canonical/auto-optimize@LoopTomap")


def test_watching_leaves_dace_as_it_was() -> None:
    from dace.transformation.dataflow import MapFusionVertical

    before = MapFusionVertical.apply
    passes.translate(closed(chain), "canonical/auto-optimize@FullMapFusion:1")
    assert MapFusionVertical.apply is before


def test_the_environment_stops_a_pipeline_unless_it_says_so_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACE_STOP_AFTER", "simplify:2")
    assert effective("canonical/simplify") == "canonical/simplify@simplify:2"
    assert effective("fused@fuse:1") == "fused@fuse:1"
    monkeypatch.setenv("JACE_STOP_AFTER", "no such thing")
    with pytest.raises(ValueError, match="no such thing"):
        effective("fused")


@pytest.mark.ci
def test_a_repro_is_right_before_the_guilty_application_and_wrong_after_it(tmp_path: Path) -> None:
    """What `jace-repro localize` prints can be looked at by hand, in a process of its own."""
    script = tmp_path / "by_hand.py"
    script.write_text(
        "import runpy, sys, jax, jace, numpy as np\n"
        "made = runpy.run_path(sys.argv[1])\n"
        "ours = jace.jit(made['repro'], pipeline='canonical/auto-optimize')(*made['inputs']())\n"
        "theirs = jax.jit(made['repro'])(*made['inputs']())\n"
        "print('right' if np.array_equal(ours, theirs) else 'wrong')\n"
    )
    told = {}
    for stop in ("auto-optimize/FullMapFusion.5:0", "auto-optimize/FullMapFusion.5:1", ""):
        done = subprocess.run(
            [sys.executable, str(script), str(REPROS / "dace" / "41002611a471.py")],
            env={**os.environ, "JACE_STOP_AFTER": stop},
            capture_output=True,
            text=True,
            check=True,
        )
        told[stop] = done.stdout.strip()
    assert list(told.values()) == ["right", "wrong", "wrong"]
