"""Bug reports: what an upstream issue needs, one a distinct finding."""

from __future__ import annotations

import re
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.campaign import bugreport
from jace_repro.campaign.report import EntryReport, ReducedReport, Report
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.repro.entry import Entry
from jace_repro.tester import OUTCOMES, Verdict
from jace_repro.tester.numerics.differing import Differing, Element
from jace_repro.tester.verdict.culprit import Crash, Culprit, Evidence

EVIDENCE = [
    Evidence("exact | evaluation", agrees_with_dace=False, agrees_with_xla=True, max_ulp=2.0),
    Evidence("DaCe, -O0", note="no compiler"),
]
WRONG = Verdict(
    "canonical/simplify",
    "mismatch",
    "0123456789ab",
    "output 0: got 1, expected 2",
    max_abs=1.0,
    max_ulp=3.0,
    difference="value",
    guilty=Culprit(primitive="sub", equation="c = sub a b", source="<repro step>:30 (repro)"),
    who="DaCe pass",
    evidence=EVIDENCE,
    exact=True,
    inputs="ties",
)


@pytest.fixture
def step(tmp_path):
    def fun(x, y):
        return jnp.sum(x - y)

    args = np.ones(3, np.float32), np.ones(3, np.float32)
    repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="step"))
    return repro.save(tmp_path / "step.py").path


def reported(entry, number=0):
    return bugreport.bug_report(Report("check", (entry,)).groups[number])


def sections(text):
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {"title": parts[0].strip(), **dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))}


def test_a_report_has_all_that_an_issue_needs(step):
    found = sections(reported(EntryReport(Entry("step"), repro=step, verdicts=(WRONG,))))
    assert list(found) == [
        *("title", "What happens", "Repro", "How to run it", "Evidence", "Localisation", "Versions")
    ]
    assert found["title"] == "# Wrong result of `sub` (mismatch, pipeline canonical/simplify)"
    happens = found["What happens"]
    for told in (
        "got 1, expected 2",
        "DaCe pass: a pass of DaCe",
        "0123456789ab",
        "3.0 ULP",
        "one wrong bit",
        "ties",
    ):
        assert told in happens
    assert found["Repro"] == f"`step.py`:\n\n```python\n{step.read_text().rstrip()}\n```"
    assert "jace-repro check --pipeline canonical/simplify step.py" in found["How to run it"]
    assert found["Evidence"].splitlines() == [
        "| oracle | agrees with DaCe | agrees with XLA | max ulp | note |",
        "|---|---|---|---|---|",
        "| exact \\| evaluation | no | yes | 2.0 |  |",
        "| DaCe, -O0 |  |  |  | no compiler |",
    ]
    assert "- equation: `c = sub a b`" in found["Localisation"]
    for name in ("jax", "jaxlib", "dace", "numpy", "python", "C++ compiler", "system", "processor"):
        assert re.search(rf"^\| {re.escape(name)} \| \S.*\|$", found["Versions"], re.MULTILINE)


def test_what_localisation_found_goes_over_what_the_verdict_names(step):
    localized = {
        "primitive": "sub",
        "pass": "StateFusion",
        "application": 3,
        "flags": "-ffast-math",
        "source": "a.py:7",
    }
    text = reported(EntryReport(Entry("step"), repro=step, verdicts=(WRONG,), localized=localized))
    for told in (
        "pass: `StateFusion`",
        "application of the pass: `3`",
        "flag: `-ffast-math`",
        "at: `a.py:7`",
    ):
        assert told in sections(text)["Localisation"]


def test_the_minimal_repro_is_the_one_that_is_reported(step, tmp_path):
    minimal = tmp_path / "minimal.py"
    minimal.write_text(step.read_text().replace("written by", "reduced by"))
    original = replace(WRONG, guilty=Culprit(primitive="sub", equation="large", source="prog.py:30"))
    small = replace(
        original,
        detail="output 0: got 3, expected 4",
        guilty=Culprit(
            primitive="sub", equation="small", confirmed=True, values={"got": ["float32[2,1] [[1.], [2.]]"]}
        ),
        differing=(Differing(0, (20,), "float32", 20, (Element((7,), "4.0", "3.0"),)),),
    )
    reduced = ReducedReport(minimal, 1, 3, 9, 1.0, verdict=small)
    localized = {"pass": "simplify/A.2", "good": "simplify@A.2:0", "stop": "simplify@A.2:1"}
    entry = EntryReport(Entry("step"), repro=step, verdicts=(original,), reduced=reduced, localized=localized)
    text = reported(entry)
    for told in (
        *("reduced by jace-repro", "got 3, expected 4", "| `0[7]` | `4.0` | `3.0` |"),
        "wrong are 20 elements of output 0",
        *("- equation: `small`", "- at: `prog.py:30`", "- pass: `simplify/A.2`"),
        *("- last good step: `simplify@A.2:0`", "- first bad step: `simplify@A.2:1`"),
        "got: float32[2,1] [[1.],\n  [2.]]",
    ):
        assert told in text
    assert "got 1, expected 2" not in text, "that is the program's that it was reduced from"
    generated = tmp_path / "step.ties.py"
    generated.write_text(step.read_text().replace("written by", "varied by"))
    entry = EntryReport(Entry("step"), repro=step, verdicts=(WRONG,), with_inputs={"ties": generated})
    assert "varied by jace-repro" in reported(entry)


def test_the_sdfg_before_and_after_the_guilty_step(step, tmp_path):
    minimal = tmp_path / "minimal.py"
    minimal.write_text(step.read_text())
    reduced = ReducedReport(minimal, 1, 3, 9, 1.0)
    entry = EntryReport(Entry("step"), repro=step, verdicts=(WRONG,), reduced=reduced)
    assert "Before and after" not in sections(reported(entry))
    folder = tmp_path / "minimal"
    folder.mkdir()
    for name in ("before.sdfg", "after.sdfg"):
        (folder / name).write_text("{}")
    (folder / "diff.txt").write_text("".join(f"-line {n}\n" for n in range(100)))
    told = sections(reported(entry))["Before and after"]
    assert "`minimal/before.sdfg` and `minimal/after.sdfg`" in told
    assert "```diff\n-line 0\n" in told
    assert "... and 40 more lines in minimal/diff.txt" in told
    assert "without JAX" not in told
    (folder / "dace_only.py").write_text("")
    assert "`minimal/dace_only.py` shows it without JAX" in sections(reported(entry))["Before and after"]
    there = {"before": str(folder / "before.sdfg")}
    entry = EntryReport(Entry("step"), repro=step, verdicts=(WRONG,), localized=there)
    assert "`minimal/before.sdfg`" in sections(reported(entry))["Before and after"]


def test_a_sidecar_and_a_long_script_are_said_to_be_attached(tmp_path, monkeypatch):
    x = np.random.default_rng(0).standard_normal(100).astype(np.float32)
    repro = emit_flat(jax.make_jaxpr(jnp.sin)(x), (x,), header=Header(name="big"))
    entry = EntryReport(Entry("big"), repro=repro.save(tmp_path / "big.py").path, verdicts=(WRONG,))
    assert "`big.npz`, which must lie beside it (400 bytes of arrays)" in reported(entry)
    monkeypatch.setattr(bugreport, "LONG_SCRIPT", 5)
    assert "<details><summary>big.py</summary>" in reported(entry)
    monkeypatch.setattr(bugreport, "MAX_SCRIPT", 100)
    assert "lax.sin" not in reported(entry)
    assert "too long for an issue" in reported(entry)


def test_a_fence_is_longer_than_those_in_the_text(step):
    verdict = Verdict("fused", "crash", "ab", "before\n````\nafter")
    assert "`````text\nbefore\n````\nafter\n`````" in reported(
        EntryReport(Entry("f"), repro=step, verdicts=(verdict,))
    )


def test_without_a_script_the_report_says_why(tmp_path):
    verdict = Verdict("fused", "crash", "ab", "SIGSEGV", crash=Crash(signal="SIGSEGV"))
    text = reported(EntryReport(Entry("f"), repro=tmp_path / "gone.py", verdicts=(verdict,)))
    assert "No script:" in text
    assert "gone.py" in text
    assert "- signal: SIGSEGV" in text
    assert "Evidence" not in text


def test_every_finding_has_a_title():
    assert all(outcome.title for outcome in OUTCOMES.values() if outcome.is_finding)


def test_a_file_for_each_distinct_finding(step, tmp_path):
    other = Verdict("fused", "crash", "ffffffffffff", "SIGSEGV")
    entries = (
        EntryReport(Entry("one"), repro=step, verdicts=(WRONG, other)),
        EntryReport(Entry("two"), repro=step, verdicts=(WRONG,)),
    )
    written = bugreport.write(Report("check", entries), tmp_path / "out" / "bug.md")
    assert [path.name for path in written] == ["bug.md", "bug-2.md"]
    assert "shown by 2 programs: one, two" in written[0].read_text()
    assert "SIGSEGV" in written[1].read_text()
    assert bugreport.write(Report("check", ()), tmp_path / "none.md") == []
