"""The diffs of CONTRIBUTING.md are entries of the code as it is, and what it names is there."""

from __future__ import annotations

import re

import pytest
from places import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DIFFS = re.findall(r"^```diff\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "diff", DIFFS, ids=lambda diff: re.findall(r"^\+\+\+ b/(.*)$", diff, re.MULTILINE)[0]
)
def test_the_lines_of_a_diff_stand_in_its_file_in_order(diff: str) -> None:
    head, *added = [line for line in diff.splitlines() if line.startswith("+")]
    lines = (ROOT / head.removeprefix("+++ b/")).read_text(encoding="utf-8").splitlines()
    at = -1
    for wanted in (line[1:] for line in added):
        assert wanted in lines[at + 1 :], wanted
        at = lines.index(wanted, at + 1)


def test_one_diff_touches_one_file() -> None:
    assert len(DIFFS) >= 7
    assert all(diff.count("\n+++ ") == 1 for diff in DIFFS)


@pytest.mark.parametrize("name", re.findall(r"`(test_\w+)`", TEXT))
def test_the_tests_that_are_named_are_there(name: str) -> None:
    assert any(f"def {name}(" in path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
