"""Which tests are left to `pytest -m ci`: one table (tests/longer.txt) beside the marks in the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

#: Marks of tests that the quick ones leave out.
OPT_IN = {"ci", "slow", "mutants", "harness"}
TABLE = Path(__file__).parents[1] / "longer.txt"


def table() -> dict[str, int]:
    """Test, or folder of tests -> one case in how many stays with the quick tests; 0: none."""
    lines = (line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())
    return {words[0]: int(words[1]) if len(words) > 1 else 0 for words in lines if words and words[0] != "#"}


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark what the table leaves to CI, but for what has its mark already."""
    kept, seen = table(), Counter[str]()
    for item in items:
        file, _, name = item.nodeid.partition("[")[0].partition("::")
        test = next((one for one in (f"{file}::{name}", str(Path(file).parent)) if one in kept), None)
        if test is None or {mark.name for mark in item.iter_markers()} & OPT_IN:
            continue
        case, every = seen[test], kept[test]
        seen[test] += 1
        if every == 0 or case % every:
            item.add_marker("ci")
