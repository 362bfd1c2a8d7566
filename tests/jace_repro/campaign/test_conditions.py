"""What a finding needs to show again is in its repro, and is met when the repro is tested."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from jace_repro.campaign.conditions import as_found, showing
from jace_repro.campaign.settings import Settings
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, load
from jace_repro.tester import Verdict
from jace_repro.tester.numerics.differing import Differing, Element

X = np.ones(3, np.float32)
WRONG = Verdict(
    "canonical/simplify",
    "mismatch",
    "0123456789ab",
    "output 0[2]: got 2, expected 1",
    differing=(Differing(0, (3,), "float32", 9, (Element((2,), "1.0", "2.0"),)),),
)


@pytest.fixture
def repro() -> Repro:
    return emit_flat(jax.make_jaxpr(lambda x: x + 1)(X), (X,), header=Header(name="step"))


def test_a_finding_takes_all_along_that_it_was_found_under(
    repro: Repro, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("import jace\n")
    monkeypatch.setenv("XLA_FLAGS", "--xla_a=b")
    settings = Settings(rules=tmp_path / "mine.py", sanitize=True)
    showing(repro, replace(WRONG, inputs="ties"), settings).save(tmp_path / "out" / "step.py")
    saved = load(tmp_path / "out" / "step.py")
    header = saved.header
    assert (header.pipeline, header.outcome, header.signature) == (
        *("canonical/simplify", "mismatch", "0123456789ab"),
    )
    assert (header.sanitize, header.inputs, header.environment) == (True, "ties", {"XLA_FLAGS": "--xla_a=b"})
    assert header.releases["jax"] == jax.__version__
    assert "  output 0[2]: expected 1.0, got 2.0\n" in saved.source
    assert "  ... 9 elements of output 0 are wrong\n" in saved.source
    assert "with XLA_FLAGS=--xla_a=b" in saved.source
    monkeypatch.delenv("XLA_FLAGS")
    met = as_found(Settings(), saved)
    assert (met.sanitize, met.environment) == (True, (("XLA_FLAGS", "--xla_a=b"),))
    assert met.rules is not None
    assert met.rules.read_text() == "import jace\n"


def test_what_the_user_says_counts_more(repro: Repro, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import jace\n")
    (tmp_path / "other.py").write_text("import jace.rules\n")
    showing(repro, WRONG, Settings(rules=tmp_path / "mine.py")).save(tmp_path / "out" / "step.py")
    saved = load(tmp_path / "out" / "step.py")
    assert as_found(Settings(rules=tmp_path / "other.py"), saved).rules == tmp_path / "other.py"


def test_a_finding_without_values_says_what_happened(repro: Repro) -> None:
    crash = Verdict("fused", "crash", "ab", f"SIGSEGV in {Path.home()}/x.cpp\nmore", stage="run")
    source = showing(repro, crash, Settings()).source
    assert "Above is what XLA computes.\njace-repro found a crash on pipeline fused." in source
    assert "  SIGSEGV in ~/x.cpp\n" in source
    wrong = replace(WRONG, outcome="reference-mismatch")
    assert "Above is what XLA computes, and it is wrong." in showing(repro, wrong, Settings()).source


@pytest.mark.parametrize(
    ("outcome", "noun"),
    [
        ("mismatch", "a mismatch"),
        ("invalid-sdfg", "an invalid SDFG"),
        ("nondeterministic", "a result that differs from run to run"),
    ],
)
def test_what_was_found_is_said_in_a_sentence(repro: Repro, outcome: str, noun: str) -> None:
    source = showing(repro, Verdict("fused", outcome, "ab"), Settings()).source
    assert f"jace-repro found {noun} on pipeline fused." in source
