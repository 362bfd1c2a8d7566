"""Where a call stands: told of the code that runs now, whatever ran before it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from jace_repro import callsite
from jace_repro.frames import shown_path


def stored(name: str, file: str) -> tuple[tuple[str, ...], str]:
    """(names, line) that are told of a call in a function of its own, which is gone afterwards."""

    def look(frame: Any) -> Any:
        return callsite.names_for(frame, (None, 0))[0], callsite.line_of(frame)

    space: dict[str, Any] = {"look": look, "sys": sys}
    exec(compile(f"def f():\n    {name} = look(sys._getframe())\n    return {name}", file, "exec"), space)
    found: tuple[tuple[str, ...], str] = space.pop("f")()
    return found


def test_code_in_the_place_of_other_code_has_names_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are known by the identity of the code, which the next code may get."""
    monkeypatch.setattr(callsite, "_instructions", callsite._instructions.__wrapped__)  # keeps none alive
    for i in range(200):
        assert stored(f"v{i}", f"/of/file{i}.py") == ((f"v{i}",), f"/of/file{i}.py:2")


def test_the_table_of_places_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callsite, "_MOST", 8)
    monkeypatch.setattr(callsite, "_places", {})
    for i in range(50):
        assert stored(f"v{i}", "/of/file.py")[0] == (f"v{i}",)
        assert 0 < len(callsite._places) <= 8


def test_files_are_shown_from_where_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert shown_path(str(tmp_path / name / "a.py")) == "a.py"
        assert shown_path(str(tmp_path / "a.py")) == str(tmp_path / "a.py")
