"""A pass of the user's own on the command line: `--pipeline FILE.py:NAME`."""

from __future__ import annotations

import runpy
import shlex
from pathlib import Path

import jax
import numpy as np
import pytest
from places import PLANTED_PASSES, ROOT

import jace_repro
from jace_repro.campaign import own_passes
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import named
from jace_repro.repro import Header, load
from jace_repro.tester import Options, Pool

SAMPLE = ROOT / "tests" / "jace_repro" / "fuzz" / "sample.txt"

X = np.linspace(0.5, 2, 6, dtype=np.float32)

OWN = """
import dace
from dace.transformation.dataflow import MapTiling

def minus(sdfg):
    '''Takes every sum for a difference.'''
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.Tasklet):
            node.code.as_string = node.code.as_string.replace(" + ", " - ")

def tiles_first(sdfg):
    sdfg.apply_transformations(MapTiling)
    minus(sdfg)

def raises(sdfg):
    raise KeyError("planted")

def stops_early(sdfg):
    maps = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.MapEntry)]
    for entry in maps:
        begin, end, step = entry.map.range.ranges[0]
        if end - begin > 3:
            entry.map.range.ranges[0] = (begin, end - 1, step)
"""


@pytest.fixture
def step(tmp_path: Path) -> str:
    closed = jax.make_jaxpr(lambda x: x * 2 + 1)(X)
    emit_flat(closed, (X,), header=Header(name="step")).save(tmp_path / "step.py")
    (tmp_path / "own.py").write_text(OWN)
    return "step.py"


def test_a_wrong_one_is_to_blame_and_its_repro_shows_it_by_itself(jace_repro, step, tmp_path) -> None:
    ran = jace_repro("reduce", step, "--pipeline", "own.py:tiles_first", "-o", "minimal/m.py")
    assert ran.code == 1
    (tmp_path / "own.py").unlink()
    minimal = load(tmp_path / "minimal" / "m.py")
    assert minimal.header.pipeline == "canonical/own.py:tiles_first"
    assert minimal.header.rules is not None
    assert minimal.header.rules.text == OWN
    ran = jace_repro("check", "minimal/m.py")
    assert ran.code == 1
    assert "as its header expects: mismatch" in ran.out
    (found,) = ran.report["entries"][0]["verdicts"]
    assert (found["who"], found["guilty"]["primitive"]) == ("user pass", "add")
    assert found["guilty"]["pass"] == "tiles_first"
    ran = jace_repro("localize", "minimal/m.py")
    (told,) = ran.report["entries"]
    assert told["localized"]["pass"] == "tiles_first/own-code.2"
    assert told["localized"]["good"].endswith("@tiles_first/own-code.2:0")


def test_the_commands_that_are_printed_show_it_again_and_make_it_small(jace_repro, step, tmp_path) -> None:
    """The repro says nothing of the pass: the commands must."""
    ran = jace_repro("check", step, "--pipeline", "own.py:tiles_first")
    assert ran.code == 1
    assert "copy of its file" not in ran.out
    (signature,) = (finding["signature"] for finding in ran.report["findings"])
    typed = [line.split("jace-repro ", 1)[1] for line in ran.out.splitlines() if "jace-repro " in line]
    for line, effect in zip(typed, ("tests it again", "makes it small"), strict=True):
        again = jace_repro(*shlex.split(line.removesuffix(effect)))
        assert [finding["signature"] for finding in again.report["findings"]] == [signature], line
    assert load(tmp_path / "step.min.py").header.rules is not None


def test_what_is_left_unwritten_is_made_small(jace_repro, tmp_path) -> None:
    """It is what lay there, which differs from run to run."""
    (tmp_path / "own.py").write_text(OWN)
    program = "import jax, jax.numpy as jnp\njax.jit(lambda x: jnp.tanh(x).reshape(-1)[::2] + 1)(jnp.ones((4, 6)))\n"
    (tmp_path / "program.py").write_text(program)
    ran = jace_repro("run", "--pipeline", "own.py:stops_early", "-o", "out", "program.py")
    assert ran.code == 1
    (found,) = ran.report["findings"]
    assert (found["outcome"], found["who"]) == ("nondeterministic", "user pass")
    (minimal,) = (tmp_path / "out" / "minimal").glob("*nondeterministic*.py")
    assert minimal.read_text(encoding="utf-8").count("lax.") == 1
    assert "not reduced" not in ran.out
    ran = jace_repro("check", str(minimal))
    assert (ran.code, "as its header expects: nondeterministic" in ran.out) == (1, True)


def test_one_that_raises_is_named(jace_repro, step) -> None:
    ran = jace_repro("check", step, "--pipeline", "canonical/simplify+own.py:raises")
    assert ran.code == 1
    (found,) = ran.report["entries"][0]["verdicts"]
    assert (found["outcome"], found["who"], found["guilty"]["pass"]) == ("pass-error", "user pass", "raises")
    assert "KeyError: 'planted' (line 16, in raises)" in ran.out
    ran = jace_repro("localize", step, "--pipeline", "canonical/own.py:raises")
    (told,) = ran.report["entries"]
    assert told["localized"]["pass"] == "raises/own-code"
    assert (told["localized"]["good"], told["error"]) == ("canonical/own.py:raises@raises/own-code:0", None)


def test_that_one_changed_nothing_is_said(jace_repro, step, tmp_path) -> None:
    """Nothing is found then, which says nothing of the pass."""
    (tmp_path / "own.py").write_text(OWN.replace('" + ", " - "', '" @ ", " - "'))
    ran = jace_repro("check", step, "--pipeline", "own.py:minus", "--pipeline", "own.py:tiles_first")
    assert ran.code == 0
    (note,) = (line for line in ran.out.splitlines() if line.startswith("Note: "))
    assert note.startswith("Note: minus changed nothing: in none of 1 programs on canonical/own.py:minus did")
    assert [verdict["idle"] for verdict in ran.report["entries"][0]["verdicts"]] == [["minus"], []]


ENDS = """
import os

def for_ever(sdfg):
    while True:
        sdfg.states()

def aborts(sdfg):
    os.abort()
"""


@pytest.mark.parametrize(("name", "outcome", "line"), [("for_ever", "timeout", 6), ("aborts", "crash", 9)])
def test_one_that_ends_the_process_is_named(jace_repro, step, tmp_path, name, outcome, line) -> None:
    (tmp_path / "own.py").write_text(ENDS)
    ran = jace_repro("check", step, "--pipeline", f"own.py:{name}", "--timeout", "4")
    (found,) = ran.report["entries"][0]["verdicts"]
    assert (found["outcome"], found["who"], found["guilty"]["pass"]) == (outcome, "user pass", name)
    assert f"a pass of your own was under way (line {line}, in {name})" in found["detail"]
    assert "Mend the pass." in ran.out


def test_transformations_of_daces_are_ways_like_others(jace_repro, step) -> None:
    ran = jace_repro(
        "check", step, "--pipeline", "xform:MapTiling", "--pipeline", "canonical/xform:StripMining~3"
    )
    assert (ran.code, ran.report["summary"]["outcomes"]) == (0, {"ok": 2})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("own.py:minu",), "own.py defines no 'minu'; did you mean minus?"),
        (("none.py:minus",), "there is no file none.py"),
        (("canonical/xform:MapTilin",), "did you mean MapTiling?"),
        (("broken.py:f",), "the file broken.py fails:\nTraceback"),
        (("own.py:minus", "other.py:f"), "own go into one file, not into own.py and other.py"),
        (("own.py:minus", "--rules", "other.py"), "own go into one file, not into other.py and own.py"),
        (("canonical/typo",), "unknown pipeline 'canonical/typo'"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_tested(
    jace_repro, step, tmp_path, words, said
) -> None:
    (tmp_path / "broken.py").write_text("f = 1 / 0\n")
    (tmp_path / "other.py").write_text("def f(sdfg): pass\n")
    options = [
        word for name in words for word in (("--pipeline", name) if ":" in name or "/" in name else (name,))
    ]
    ran = jace_repro("check", step, *options)
    assert ran.code == 2
    assert said in ran.err
    assert ran.report is None


def test_a_run_that_goes_on_elsewhere_finds_the_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert own_passes.moved("canonical/simplify+passes/own.py:minus", tmp_path / "there") == (
        "canonical/simplify+there/passes/own.py:minus"
    )
    assert own_passes.moved("own.py:minus@minus:2", tmp_path) == "own.py:minus@minus:2"
    assert own_passes.moved("canonical/xform:MapTiling", tmp_path / "there") == "canonical/xform:MapTiling"


def test_rules_and_passes_may_lie_in_one_file(jace_repro, step) -> None:
    ran = jace_repro("check", step, "--rules", "own.py", "--pipeline", "own.py:minus")
    assert [found["who"] for found in ran.report["findings"]] == ["user pass"]


def test_the_function_takes_them_too(step, tmp_path) -> None:
    with pytest.raises(jace_repro.DisagreementError, match="user pass"):
        jace_repro.check(lambda x: x + 1, X, pipelines=f"{tmp_path}/own.py:minus", out=tmp_path / "out")
    with pytest.raises(ValueError, match="defines no 'nothing'"):
        jace_repro.check(lambda x: x + 1, X, pipelines=f"{tmp_path}/own.py:nothing")


@pytest.mark.slow
def test_mistakes_that_users_make_are_found_in_programs_that_nobody_chose() -> None:
    own = PLANTED_PASSES / "written_by_users.py"
    programs = SAMPLE.read_text(encoding="utf-8").split()[:40]
    found: dict[str, str] = {}
    with Pool(2, 60.0, rules=own, options=Options(blame=False, localize=False)) as pool:
        for name in runpy.run_path(str(own))["PASSES"]:
            for program in programs:
                (verdict,) = pool.check(named(program), [f"canonical/{own.name}:{name}"])
                if verdict.is_finding:
                    found[name] = verdict.outcome
                    break
    assert set(found) == set(runpy.run_path(str(own))["PASSES"])
    assert "mismatch" in found.values()
