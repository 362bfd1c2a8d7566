"""What a program asks jace for is tested, or that it was not is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from jace_repro.campaign.asked import pipelines_of, untested_rules
from jace_repro.campaign.settings import DEFAULT_PIPELINES, Settings
from jace_repro.tracker.recording import Recording


def recorded(*asked: tuple[str, str, str]) -> Recording:
    return Recording(Path("out"), (), asked=asked)


def test_its_pipelines_are_tested_beside_the_usual_ones() -> None:
    program = recorded(
        ("pipeline", "fused", "p.py:3 (<module>)"),
        ("pipeline", "canonical/none", "p.py:4 (<module>)"),  # by its other name it is tested anyway
        ("pipeline", "canonical/simplify", "p.py:5 (<module>)"),
        ("pipeline", "canonical/simplify@simplify:2", "p.py:6 (<module>)"),
        ("pipeline", "canonical/mine", "p.py:7 (<module>)"),
    )
    chosen, notes = pipelines_of(program, Settings())
    assert chosen == (*DEFAULT_PIPELINES, "canonical/simplify", "canonical/simplify@simplify:2")
    assert [note.partition(" ")[0] for note in notes] == ["p.py:5", "p.py:6", "p.py:7"]
    assert "known to the program alone" in notes[-1]


def test_the_users_word_wins() -> None:
    program = recorded(("pipeline", "canonical/simplify", "p.py:5 (f)"))
    assert pipelines_of(program, Settings(("fused",))) == (("fused",), ())


@pytest.mark.parametrize("rules", [None, Path("rules.py")])
def test_rules_that_nobody_gave_to_the_workers_are_told(rules: Path | None) -> None:
    program = recorded(
        ("rule", "sin", "p.py:5 (f)"), ("rule", "cos", "p.py:9 (f)"), ("rule", "sin", "p.py:7 (f)")
    )
    told = untested_rules(program, Settings(rules=rules))
    assert len(told) == (rules is None)
    assert all("p.py registers (sin, cos)" in line for line in told)
