"""What is guilty, what crashed and what witnesses say: the JSON of each has the keys that reports always had."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from jace_repro.tester import Crash, Culprit, Evidence, Verdict

LOCALIZED = Culprit(
    primitive="sub",
    equation="f32[3] = sub[](f32[3], f32[3])",
    source="<repro p>:7 (repro)",
    confirmed=True,
    path=("scan.jaxpr[2]", "cond.branches[1]"),
    index=4,
    difference="value",
    values={"operands": ["float32[] 1."], "expected": [], "got": []},
    compilations=3,
)
KEYS = {
    *("iteration", "values", "compilations", "primitive", "equation", "index", "path", "source", "pass"),
    *("confirmed", "difference", "note", "rule"),
}
CRASH = Crash(kind="SEGV", access="read", state="s_0", line=7, code="x = a[9];", primitive="rev")


@pytest.mark.parametrize(
    ("culprit", "keys"),
    [
        (LOCALIZED, KEYS),
        (replace(LOCALIZED, pass_="simplify"), KEYS),
        (Culprit(primitive="eig", primitives=("eig", "zeta")), {"primitive", "primitives"}),
        (Culprit(pass_="simplify"), {"pass"}),
        (
            Culprit(primitive="rev", equation="a = rev b", source="a.py:3"),
            {"primitive", "equation", "source"},
        ),
        (Culprit(note="the call from XLA"), {"primitive", "note"}),
        (Culprit(source="a.py:3"), {"source"}),
        (Culprit(), set()),
    ],
)
def test_a_culprit_says_what_is_known_of_it(culprit: Culprit, keys: set[str]) -> None:
    told = json.loads(json.dumps(culprit.to_json(), allow_nan=False))
    assert set(told) == keys
    assert Culprit.from_json(told) == culprit


def test_the_iteration_is_that_of_the_innermost_loop() -> None:
    assert LOCALIZED.to_json()["iteration"] == 2
    assert replace(LOCALIZED, path=("scan.jaxpr[2]", "while.body_jaxpr[5]")).iteration == 5
    assert Culprit().iteration is None


@pytest.mark.parametrize(
    ("crash", "keys"),
    [
        (Crash(signal="SIGSEGV"), {"signal"}),
        (Crash(kind="SEGV", access=""), {"kind", "access"}),
        (replace(CRASH, signal="SIGSEGV"), {*Crash.__dataclass_fields__}),
        (CRASH, {*Crash.__dataclass_fields__} - {"signal"}),
    ],
)
def test_a_crash_says_where_it_is_once_a_line_is_known(crash: Crash, keys: set[str]) -> None:
    told = json.loads(json.dumps(crash.to_json()))
    assert set(told) == keys
    assert Crash.from_json(told) == crash


def test_a_crash_in_an_equation_names_the_culprit() -> None:
    assert CRASH.culprit is None
    assert replace(CRASH, equation="a = rev b").culprit == Culprit(primitive="rev", equation="a = rev b")
    assert CRASH.summary == "SEGV, read; in state s_0: `x = a[9];`"


def test_evidence_survives_strict_json_infinities_included() -> None:
    row = Evidence("JAX, equation by equation", agrees_with_dace=False, max_ulp=float("inf"))
    told = json.loads(json.dumps(row.to_json(), allow_nan=False))
    assert list(told) == ["oracle", "agrees_with_dace", "agrees_with_xla", "max_ulp", "note"]
    assert Evidence.from_json(told) == row
    assert row.summary == "JAX, equation by equation agrees with nobody"
    assert Evidence("XLA", note="too long").summary == "XLA says nothing: too long"


def test_a_verdict_carries_them_through_json() -> None:
    verdict = Verdict("fused", "mismatch", guilty=LOCALIZED, crash=CRASH, evidence=[Evidence("XLA", True)])
    assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))) == verdict
