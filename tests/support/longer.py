"""Which tests are left to `pytest -m ci`: one table (tests/longer.txt) beside the marks in the files.

Of a test with many cases there, each day has a third: all of them in three days.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from pathlib import Path

import pytest

#: Marks of tests that the quick ones leave out.
OPT_IN = {"ci", "slow", "mutants", "harness"}
TABLE = Path(__file__).parents[1] / "longer.txt"
#: Cases of one test that `-m ci` takes in turn: so many parts, a part a day, from so many cases on.
PARTS, MANY = 3, 6


def table() -> dict[str, int]:
    """Test, or folder of tests -> one case in how many stays with the quick tests; 0: none."""
    lines = (line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())
    return {words[0]: int(words[1]) if len(words) > 1 else 0 for words in lines if words and words[0] != "#"}


def _test_of(item: pytest.Item, kept: Container[str]) -> str:
    """The test that an item is a case of: a folder of the table, or the function that has the parameters."""
    function = item.nodeid.partition("[")[0]
    folder = str(Path(function.partition("::")[0]).parent)
    return folder if folder in kept and function not in kept else function


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark what the table leaves to CI, but for what has its mark already."""
    kept, seen = table(), Counter[str]()
    for item in items:
        test = _test_of(item, kept)
        if test not in kept or {mark.name for mark in item.iter_markers()} & OPT_IN:
            continue
        case, every = seen[test], kept[test]
        seen[test] += 1
        if every == 0 or case % every:
            item.add_marker("ci")


def part_of(day: datetime.date) -> str:
    """The part of the cases that is run on a day: "1" to "3"."""
    return str(day.toordinal() % PARTS + 1)


def of_other_days(items: Sequence[pytest.Item], part: str) -> list[pytest.Item]:
    """The cases of tests with many that `-m ci` leaves to other days; none where the part is "all"."""
    if part == "all":
        return []
    kept, cases = table(), defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("ci"):
            cases[_test_of(item, kept)].append(item)
    many = [some for some in cases.values() if len(some) >= MANY]
    return [item for some in many for k, item in enumerate(some) if k % PARTS + 1 != int(part)]
