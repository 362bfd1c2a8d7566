"""The tester finds planted bugs (tests/mutants/): a few of each family here, all of them with `-m mutants`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from mutants import FAMILIES, Mutant, loud, mutants
from mutants.backend import NONE
from mutants.history import CULPRITS
from mutants.locating import APPLICATION_LIMIT, PASS_LIMIT, Located, bisected, shares, told
from mutants.samples import SAMPLE, Program, make, programs
from mutants.scoring import Result, Scorer, candidates, score, table

import jace
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, check_repro
from jace_repro.tester.execute import runs, traced
from jace_repro.tester.locate.bisect import bisect, jace_build

#: Programs that show the few, with the primitives that matter.
PROGRAMS = [
    Program("small:elementwise", 40, ("sub", "slice", "add")),
    Program("small:comparisons", 68, ("max",)),
    Program("small:negative", 25, ("reduce_max",)),
    Program("small:halves", 3000, ("cumsum",)),
    Program("small:scatters", 35, ("scatter-add",)),
    Program("small:updates_in_place", 30, ()),
    Program("small:carries", 25, ()),
    Program("small:scans", 30, ("scan",)),
    Program("small:constants", 25, ("mul",)),
    Program("small:special_numbers", 68, ("div",)),
]
FEW = (
    "sub_swaps", "max_loses_nan",
    "slice_ignores_its_start",
    "max_starts_at_zero", "sums_of_halves_in_halves",
    "scatter_add_overwrites", "scan_runs_backwards",
    "stores_swapped", "constants_of_six_digits",
    "InlineSDFGs_swap_states", "ConsolidateEdges_reverse_write",
    "dace_1952_write_after_read",
    "ffinite-math-only",
)  # fmt: skip
#: What DaCe once had wrong and is bisected by default, and with `-m ci`; the others with `-m slow`.
QUICK, IN_CI = ("dace_1963_paths_not_followed",), ("dace_1096_body_of_two_components",)


@pytest.fixture(scope="module")
def scorer(private_caches: None) -> Iterator[Scorer]:
    with Scorer(PROGRAMS) as found:
        yield found


def few(name: str) -> Mutant:
    """A mutant that is looked for in PROGRAMS only."""
    mutant = mutants()[name]
    known = {p.name for p in PROGRAMS} | {"small:*"}
    sample = tuple(s for s in mutant.sample if not s.startswith("small:") or s in known)
    return Mutant(mutant.name, mutant.family, mutant.target, mutant.plant, sample, mutant.pipeline)


@pytest.mark.parametrize("name", FEW)
def test_a_few_are_found(name: str, scorer: Scorer) -> None:
    result = scorer.score(few(name))
    assert result.detected, result.note
    assert result.mutant.name == name
    assert scorer.clean(result.program, False, result.mutant.pipeline).outcome == "ok"


def test_the_few_are_of_all_families() -> None:
    assert {*QUICK, *IN_CI} < set(CULPRITS)
    assert {mutants()[name].family for name in FEW} == set(FAMILIES)


LOUD = {
    "raises/anywhere/sub": "translate-error",
    "rejected/anywhere/slice": "compile-error",
    "crashes/anywhere/sub": "crash",
    "hangs/anywhere/sub": "timeout",
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.ci] if n[0] in "ch" else []) for n in LOUD]
)
def test_a_bug_that_is_seen_without_comparing_is_made_of_its_name(name: str, scorer: Scorer) -> None:
    mutant = loud.named(f"loud/{name}")
    assert mutant.name == f"loud/{name}"
    assert name.split("/")[1] in loud.places_of(*name.split("/")[::2])
    with scorer._pools["x32"].within(5.0):
        found = scorer._check("x32", mutant.name, "small:elementwise", False, mutant.pipeline)
    assert found.outcome == LOUD[name]
    assert found.outcome in loud.FOUND


@pytest.mark.parametrize("pipeline", ["fused", "canonical/simplify"])
def test_what_is_no_bug_is_not_found(pipeline: str, scorer: Scorer) -> None:
    """A mutant that changes nothing is missed, and a score with it is below one."""
    nothing = Mutant(NONE, "elementwise", "nothing", lambda: None, ("small:*",), pipeline)
    missed = scorer.score(nothing)
    assert (missed.outcome, missed.detected, missed.tried) == ("", False, len(PROGRAMS))
    assert missed.note == f"{len(PROGRAMS)} ok"
    found = Result(mutants()["sub_swaps"], "mismatch", "small:elementwise", 1, 0.5)
    assert score([missed, found]) == 0.5
    assert any(line.startswith("missed: none (nothing)") for line in table([missed, found]))


def test_a_bug_is_gone_when_its_context_is_left(scorer: Scorer) -> None:
    """In the worker that had it planted; and nothing wrong is in the cache on disk."""
    assert scorer.score(few("sub_swaps")).program == "small:elementwise"
    with Scorer(PROGRAMS) as fresh:
        for asked in (scorer, fresh):
            assert asked._check("x32", NONE, "small:elementwise", False, "fused").outcome == "ok"


def test_there_are_enough_of_each_family() -> None:
    counts = Counter(m.family for m in mutants().values())
    assert sum(counts.values()) >= 100
    assert set(counts) == set(FAMILIES)
    assert all(m.sample for m in mutants().values())


def test_programs_are_asked_the_likeliest_first() -> None:
    known = [
        Program("harness:add_1", 9, ("add",)),
        Program("harness:sub_big", 90, ("sub",)),
        Program("harness:sub_small", 2, ("sub",), x64=True),
        Program("small:all", 5, ("add", "mul", "sub")),
        Program("small:other", 5, ("mul",)),
    ]
    asked = candidates(mutants()["sub_swaps"], known)
    assert asked[:2] == [("harness:sub_small", True), ("harness:sub_big", False)]
    assert ("special0:harness:sub_big", False) in asked
    assert asked[-1] == ("special1:small:all", False)
    assert not any("other" in name or "add_1" in name for name, _ in asked)


def _opt_in(name: str) -> Any:
    if name in QUICK:
        return ()
    return pytest.mark.ci if name in IN_CI else pytest.mark.slow


@pytest.mark.parametrize("name", [pytest.param(name, marks=_opt_in(name)) for name in CULPRITS])
def test_what_dace_once_had_wrong_has_a_verdict_and_a_culprit(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    jace.clear_caches()
    mutant = mutants()[name]
    closed, args = make(mutant.sample[0])
    prog = traced.from_jaxpr(closed, args)
    with mutant.plant():
        found = bisect(prog, mutant.pipeline, jace_build(prog))
        repro = emit_flat(closed, args, header=Header(name="history"))
        (verdict,) = check_repro(repro, [mutant.pipeline], options=Options(localize=False))
    jace.clear_caches()
    assert found is not None
    assert (found.culprit.pass_.partition(".")[0], found.culprit.transformation) == CULPRITS[name]
    assert verdict.outcome in ("mismatch", "nondeterministic")
    assert check_repro(repro, [mutant.pipeline])[0].outcome == "ok"


@pytest.mark.parametrize(
    ("program", "seconds"),
    [
        pytest.param("small:scans", 0.0, marks=pytest.mark.ci),  # shows in turn
        pytest.param("small:mirrored_steps", 10.0, marks=pytest.mark.slow),  # by luck on a busy machine
    ],
)
def test_a_race_is_a_finding_and_the_pass_that_made_it_is_named(
    program: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    monkeypatch.setattr(runs, "AT_ONCE_SECONDS", seconds)
    monkeypatch.setattr("jace_repro.tester.locate.bisect.RACE_SECONDS", seconds)
    jace.clear_caches()
    found = bisected("LoopToMap_takes_any_loop", program)
    assert found.right
    assert found.note == "auto-optimize/LoopToMap"
    assert found.compilations["pass"] <= PASS_LIMIT
    assert found.compilations["application"] <= APPLICATION_LIMIT
    # Later passes make wrong code of it that is wrong every time; here it is but a race.
    repro = emit_flat(*make(program), header=Header(name="race"))
    with mutants()["LoopToMap_takes_any_loop"].plant():
        (verdict,) = check_repro(
            repro,
            ["canonical/auto-optimize@auto-optimize/LoopToMap"],
            options=Options(localize=False, blame=False),
        )
    jace.clear_caches()
    assert verdict.outcome == "nondeterministic"


def test_what_is_named_is_counted_by_what_it_is() -> None:
    located = [
        Located("one", "regions", "scan", "small:a", ("scan",), right=True),
        Located("two", "movement", "slice", "small:b", ("pad",), note="mismatch"),
        Located("three", "history", "LoopToMap", "small:c", ("LoopToMap",), right=True),
    ]
    assert shares(located) == {"equation": 0.5, "pass": 1.0}
    assert shares([]) == {"equation": 1.0, "pass": 1.0}
    assert list(told(located)) == [
        "the equation is named in 1 of 2 (50.0%)",
        "  not named: two (slice) on small:b: pad mismatch",
        "the pass is named in 1 of 1 (100.0%)",
    ]


@pytest.mark.mutants
def test_the_score() -> None:
    assert SAMPLE.exists()
    with Scorer(programs(), os.cpu_count() or 1) as scorer:
        results = scorer.score_all(list(mutants().values()), lambda result: None)
    lines = "\n".join(table(results))
    print(lines)
    assert score(results) >= 0.95, lines
