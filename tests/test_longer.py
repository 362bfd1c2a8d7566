"""The table of what the quick tests leave to CI."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import longer
import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("test", longer.table())
def test_every_line_is_a_test(test: str) -> None:
    file, _, name = test.partition("::")
    if not name:
        assert any((ROOT / file).glob("*.py"))
        return
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


class _Item(SimpleNamespace):
    """As much of a test as is asked about."""

    def iter_markers(self) -> Any:
        return iter(self.marks)

    def get_closest_marker(self, name: str) -> Any:
        return next((mark for mark in self.marks if mark.name == name), None)

    def add_marker(self, name: str) -> None:
        self.marks.append(SimpleNamespace(name=name))


def test_one_in_so_many_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longer, "table", lambda: {"f::long": 0, "f::wide": 3, "a/b": 2})
    names = ["f::long", "f::short", *(f"f::wide[{k}]" for k in range(6))]
    names += [*(f"a/b/{k}.py::b/{k}" for k in range(3)), "a/c.py::c"]
    items = [_Item(nodeid=name, marks=[]) for name in names]
    items[3].add_marker("slow")
    longer.mark(items)
    quick = [item.nodeid for item in items if not item.marks]
    assert quick == ["f::short", "f::wide[0]", "f::wide[4]", "a/b/0.py::b/0", "a/b/2.py::b/2", "a/c.py::c"]
    assert [m.name for m in items[3].marks] == ["slow"]


def test_of_many_cases_each_day_has_a_third(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longer, "table", lambda: {"a": 3, "f::many": 0})
    items = [_Item(nodeid=f"f::many[{k}]", marks=[]) for k in range(7)]
    items += [_Item(nodeid=f"f::few[{k}]", marks=[]) for k in range(longer.MANY - 1)]
    items += [_Item(nodeid="f::alone", marks=[]), *(_Item(nodeid=f"a/{k}.py::x", marks=[]) for k in range(6))]
    items += [
        _Item(nodeid=f"b/c.py::test_{k}", marks=[]) for k in range(6)
    ]  # tests of one folder are no cases of one
    for item in items:
        item.add_marker("ci")
    items += [_Item(nodeid=f"f::quick[{k}]", marks=[]) for k in range(9)]
    parts = [longer.part_of(datetime.date(2026, 12, 30) + datetime.timedelta(days)) for days in range(3)]
    assert sorted(parts) == ["1", "2", "3"]
    left = {part: {item.nodeid for item in longer.of_other_days(items, part)} for part in parts}
    seen = [item.nodeid for part in parts for item in items if item.nodeid not in left[part]]
    turns = {item.nodeid: seen.count(item.nodeid) for item in items}
    assert {name for name, times in turns.items() if times == 1} == {
        *(f"f::many[{k}]" for k in range(7)),
        *(f"a/{k}.py::x" for k in range(6)),
    }
    assert set(turns.values()) == {1, 3}
    assert longer.of_other_days(items, "all") == []
