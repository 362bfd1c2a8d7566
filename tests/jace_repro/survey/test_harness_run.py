"""Runs of JAX's harnesses: what they keep, how they go on, what they say. `tests/harness` runs the harnesses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import jax
import pytest
from places import BACKENDS, SCRIPTS

from jace_repro.survey import harness_run, harnesses, results, tallies
from jace_repro.survey.harnesses import Harness
from jace_repro.survey.results import Result, Results
from jace_repro.tester import Verdict

SCRIPT = SCRIPTS / "harness.py"
STATE = {"sources": "1"}


def harness(
    name: str, group: str = "sub", x64: bool = False, primitives: tuple[str, ...] = ("sub",)
) -> Harness:
    return Harness(group, name, x64, "float32", 4, 4, tuple((p, "float32") for p in primitives))


#: Real ones: two without x64, one that only x64 has.
REAL = (
    harness("neg_shape_float32_20_20_", "neg", primitives=("neg",)),
    harness("sub_dtypes_lhs_float32_20_20_rhs_float32_20_20_"),
    harness("sub_dtypes_lhs_float64_20_20_rhs_float64_20_20_", x64=True),
)


def run(out: Path, chosen, backend: str, **options) -> Results:
    results = Results(out / "results.jsonl", STATE)
    wanted = [(h, results.missing(h, ["fused", "canonical"])) for h in chosen]
    harness_run.run(
        wanted, results, **{"jobs": 1, "timeout": 60.0, "backend": f"{BACKENDS}:{backend}", **options}
    )
    return results


def outcomes(results: Results, chosen) -> list[tuple[str, str, str]]:
    return [(r.harness.name, r.pipeline, r.outcome) for r in results.of(chosen, ["fused", "canonical"])]


def test_a_wrong_rule_and_a_crash_are_outcomes_of_their_harnesses(tmp_path):
    _, sub, wide = REAL
    swapped = outcomes(run(tmp_path / "a", REAL, "swapped_sub"), REAL)
    assert [o for _, _, o in swapped] == ["ok", "ok", *["mismatch"] * 4]
    crashed = outcomes(run(tmp_path / "b", [sub, wide], "segfault"), [sub, wide])
    assert [o for _, _, o in crashed] == ["crash", "ok", "crash", "ok"]


#: What a small error in one element must not pass in, exact and rounded, moved, summed, iterated and factorised.
TELLING = (
    ("sin_shape_float32_20_20_", False),
    ("sin_shape_float16_20_20_", False),
    ("convert_element_type_dtypes_to_dtypes_shape_float32_100_100_olddtype_float32_newdtype_int8", False),
    ("reduce_and_dtypes_shape_bool_2_3_", False),
    ("random_uniform_shape_float32_", False),
    ("cumsum_dtype_by_fun_shape_complex64_8_9_axis_0_reverse_False", False),
    ("erf_inv_shape_float32_20_20_", False),
    ("svd_shape_float32_2_2_fullmatrices_True_computeuv_True", False),
    ("eig_shape_float64_5_5_computelefteigenvectors_True_computerighteigenvectors_True", True),
)


def test_one_element_that_is_a_little_wrong_is_a_mismatch(tmp_path):
    chosen = [replace(harness(name), x64=x64) for name, x64 in TELLING]
    found = outcomes(run(tmp_path, chosen, "one_element_off"), chosen)
    assert [o for _, _, o in found] == ["mismatch"] * 2 * len(TELLING), found


def test_an_endless_loop_is_a_timeout_and_the_run_goes_on(tmp_path):
    found = outcomes(run(tmp_path, REAL[:1], "hang", timeout=3.0), REAL[:1])
    assert [o for _, _, o in found] == ["timeout", "ok"]


def test_a_killed_run_goes_on_where_it_was(tmp_path):
    path = tmp_path / "results.jsonl"
    first, second = harness("a"), harness("b")
    Results(path, STATE).add(first, [Verdict("fused", "ok"), Verdict("canonical", "unsupported")], 1.0)
    with path.open("a") as file:
        file.write('{"harness": {"name": "b", "gro')  # the line the kill cut off
    results = Results(path, STATE)
    assert results.missing(first, ["fused", "canonical"]) == []
    assert results.missing(first, ["fused", "canonical"], failures=True) == ["canonical"]
    assert results.missing(second, ["fused"]) == ["fused"]
    results.add(first, [Verdict("canonical", "ok")], 1.0)
    results.add(second, [Verdict("fused", "ok")], 1.0)
    again = Results(path, STATE)
    assert outcomes(again, [first, second]) == [
        ("a", "fused", "ok"),
        ("a", "canonical", "ok"),
        ("b", "fused", "ok"),
    ]


def test_results_of_other_sources_are_put_aside_unless_asked_for(tmp_path):
    path = tmp_path / "results.jsonl"
    Results(path, STATE).add(harness("a"), [Verdict("fused", "ok")], 1.0)
    assert Results(path, {"sources": "2"}).missing(harness("a"), ["fused"]) == ["fused"]
    assert path.with_suffix(".old.jsonl").exists()
    path.with_suffix(".old.jsonl").replace(path)
    kept = Results(path, {"sources": "2"}, keep_other_states=True)
    assert kept.missing(harness("a"), ["fused"]) == []


def test_the_state_is_that_of_the_sources_and_versions():
    state = results.state()
    assert state == results.state()
    assert {"sources", "jax", "dace", "compiler", "python"} <= set(state)


def rows() -> list[Result]:
    wide = harness("s64", x64=True)
    both = harness("b", "gather", primitives=("add", "gather"))
    return [
        Result(harness("s32"), "fused", "ok", "", 0.1),
        Result(harness("s32"), "canonical", "mismatch", "output 0: off", 0.1),
        Result(wide, "fused", "ok", "", 0.1),
        Result(wide, "canonical", "ok", "", 0.1),
        Result(both, "fused", "unsupported", "no rule", 0.0),
        Result(both, "canonical", "unsupported", "no rule", 0.0),
    ]


def test_the_summary_counts_and_lists_what_is_not_ok(tmp_path):
    value = tallies.summary(rows(), {"commit": "abc"})
    assert value["harnesses"] == {"total": 3, "x32": 2, "x64": 1}
    assert value["pipelines"]["fused"] == {"total": 3, "ok": 2, "unsupported": 1}
    assert value["groups"]["sub"]["canonical"] == {"total": 2, "mismatch": 1, "ok": 1}
    assert value["primitives"]["add"]["fused"] == {"total": 1, "unsupported": 1, "dtypes": []}
    assert value["primitives"]["sub"]["canonical"] == {
        "total": 2,
        "mismatch": 1,
        "ok": 1,
        "dtypes": ["float32"],
    }
    assert [(e["harness"], e["pipeline"], e["outcome"]) for e in value["not_ok"]] == [
        ("b", "canonical", "unsupported"),
        ("b", "fused", "unsupported"),
        ("s32", "canonical", "mismatch"),
    ]
    path = tmp_path / "harness.json"
    tallies.write_summary(value, path)
    assert tallies.load_summary(path) == json.loads(path.read_text()) == value
    text = path.read_text()
    tallies.write_summary(tallies.summary(rows()[::-1], {"commit": "abc"}), path)
    assert path.read_text() == text
    tallies.write_summary({**value, "schema": 0}, path)
    with pytest.raises(ValueError, match="schema 0"):
        tallies.load_summary(path)


def test_the_table_has_a_line_a_group_and_totals():
    lines = tallies.table(rows(), {"s32": 1.0, "s64": 0.5, "b": 0.25})
    assert any(line.startswith("sub") and line.endswith("1.5") for line in lines)
    assert any(line.startswith("all") and line.endswith("1.8") for line in lines)
    assert lines[-2] == "fused: 3 total (100.00%), 2 ok (66.67%), 1 unsupported (33.33%)"


def test_a_reason_is_one_line_without_paths():
    told = results.one_line("failed:\n  at /home/someone/jace/rules.py:3\n" + "x" * 400)
    assert told.startswith("failed: at rules.py:3 x")
    assert len(told) == 300


def test_the_sample_takes_small_arguments_and_different_dtypes_of_every_group():
    same = [replace(harness(f"a{i}"), dtype="float32") for i in range(5)]
    other = replace(harness("a9"), dtype="int8")
    large = replace(harness("b1", "dot"), elements=10**6)
    chosen = harnesses.sample([*same, other, large])
    assert chosen == harnesses.sample([large, other, *same[::-1]])
    assert {h.group for h in chosen} == {"sub", "dot"}
    assert {h.dtype for h in chosen if h.group == "sub"} == {"float32", "int8"}
    empty = replace(harness("b0", "dot"), outputs=0)
    large_and_small = [large, empty, harness("b2", "dot"), harness("b3", "dot")]
    assert not {large, empty} & set(harnesses.sample(large_and_small))


def test_a_fraction_has_every_group():
    found = [harness(f"a{i}") for i in range(50)] + [harness("b", "dot")]
    chosen = harnesses.stratified(found, 0.1)
    assert sum(h.group == "sub" for h in chosen) == 5
    assert harness("b", "dot") in chosen


def test_a_process_knows_the_harnesses_of_one_mode():
    code = (
        "from jace_repro.survey import harnesses\n"
        "closed, args = harnesses.make_x32('sub_dtypes_lhs_float32_20_20_rhs_float32_20_20_')\n"
        "print(closed.jaxpr.eqns[0].primitive.name, len(args))\n"
        "harnesses.make_x64('sub_dtypes_lhs_float64_20_20_rhs_float64_20_20_')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "sub 2\n"
    assert "knows the harnesses with jax_enable_x64=False, not True" in done.stderr


def test_the_script_runs_a_group_resumes_and_writes_the_summary(tmp_path):
    words = [
        "--out",
        "out",
        "--groups",
        "neg",
        "--match",
        "neg_shape_float32*",
        "--jobs",
        "1",
        "--summary",
        "s.json",
    ]

    def script(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(SCRIPT), *words, *more]
        return subprocess.run(
            command, cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False
        )

    # (what lists all of them is tested in tests/harness)
    known = {"jax": jax.__version__, "harnesses": [asdict(h) for h in REAL]}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "catalogue.json").write_text(json.dumps(known))
    first = script()
    assert first.returncode == 0, first.stdout + first.stderr
    assert "1 harnesses on fused and canonical; 1 to run" in first.stdout
    assert "fused: 1 total (100.00%), 1 ok (100.00%)" in first.stdout
    assert "1 harnesses on fused and canonical; 0 to run" in script().stdout
    value = tallies.load_summary(tmp_path / "s.json")
    assert value["groups"] == {"neg": {p: {"total": 1, "ok": 1} for p in ("canonical", "fused")}}
    assert script("--groups", "nothing").returncode == 2
    assert script("--pipelines", "nonsense").returncode == 2


def test_harnesses_with_long_names_have_files_of_their_own() -> None:
    long = "scatter_add_no_xla_unique_indices_" + "x" * 200
    stems = {harnesses.stem_of(name) for name in (long + "_1", long + "_2", "sin_1")}
    assert len(stems) == 3
    assert "sin_1" in stems
    assert max(map(len, stems)) < 180
