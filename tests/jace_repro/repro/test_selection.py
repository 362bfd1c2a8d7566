"""Patterns of --select and --ignore."""

from __future__ import annotations

import os

import pytest

from jace_repro.repro.entry import Entry
from jace_repro.repro.selection import Pattern, PatternError, Selection

STEP = Entry("step", source="src/models/train.py:12", primitives={"scan": 1, "dot_general": 2})
SINE = Entry("sin", source="src/main.py:3", primitives={"sin": 1}, eager=True)
LIBRARY = Entry(
    "apply", source="/env/lib/python3/site-packages/flax/core.py:9", call_site="src/main.py:30 (main)"
)
ALL = (STEP, SINE, LIBRARY)


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("step", [STEP]),
        ("function:step", [STEP]),
        ("s*", [STEP, SINE]),
        ("Step", []),
        ("file:train.py", [STEP]),
        ("file:models/*.py", [STEP]),
        ("file:./src/main.py", [SINE, LIBRARY]),
        ("file:rain.py", []),
        ("file:models/", [STEP]),
        ("file:src/", [STEP, SINE, LIBRARY]),
        ("file:site-packages/", []),
        (f"file:{os.getcwd()}/src/models/train.py", [STEP]),
        ("primitive:scan", [STEP]),
        ("primitive:*", [STEP, SINE]),
    ],
)
def test_what_a_pattern_means(pattern, meant):
    assert [entry for entry in ALL if Selection(select=(pattern,)).takes(entry)] == meant
    assert [entry for entry in ALL if not Selection(ignore=(pattern,)).takes(entry)] == meant


def test_any_pattern_counts_and_ignore_wins():
    selection = Selection(select=("step", "primitive:sin"), ignore=("file:models/",))
    assert [entry for entry in ALL if selection.takes(entry)] == [SINE]
    assert [entry for entry in ALL if Selection(eager=False).takes(entry)] == [STEP, LIBRARY]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fil:train.py", r"did you mean 'file:train.py'\?"),
        ("train.py:step", r"did you mean 'file:train.py'\?"),
        ("primitives:scan", r"did you mean 'primitive:scan'\?"),
        ("x:y", r"begins with none of function:, file:, primitive:$"),
        ("file:", "says nothing after 'file:'"),
    ],
)
def test_what_is_no_pattern(text, told):
    with pytest.raises(PatternError, match=told):
        Pattern.parse(text)


def test_a_pattern_that_means_nothing_is_told_what_comes_near():
    selection = Selection(select=("stp", "primitive:scn", "sin"))
    assert list(selection.idle(ALL)) == [
        "--select stp means none of the 3 entries; did you mean 'step'?",
        "--select primitive:scn means none of the 3 entries; did you mean 'primitive:scan' or 'primitive:sin'?",
    ]
