"""Where a call stands: told of the code that runs now, whatever ran before it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from jace_repro.trace import callsite
from jace_repro.trace.frames import shown_path


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


def test_what_a_code_says_of_its_parameters_and_its_result() -> None:
    def plain(a: Any, b: Any = 1) -> Any:
        c, d = b, a
        return d, c

    def further(a: Any, *rest: Any, named: Any = 2, **others: Any) -> Any:
        return a, rest[0], named, others

    assert callsite.parameter_names(plain.__code__) == ("a", "b")
    assert callsite.starred_name(plain.__code__) is None
    assert callsite.parameter_names(further.__code__) == ("a", "rest", "named")
    assert callsite.starred_name(further.__code__) == "rest"
    assert callsite.returned_names(further.__code__) == ()
    if sys.version_info < (3, 13):  # later ones load two variables by one instruction
        assert callsite.returned_names(plain.__code__) == ("d", "c")


def test_the_loops_of_a_code_hold_what_stands_in_them() -> None:
    def looped(rows: Any) -> Any:
        before = len(rows)
        for row in rows:
            while row:
                row = abs(row) - 1
        return before, sum(rows)

    code = looped.__code__
    loops = callsite.loops_of(code)
    lines = {line - code.co_firstlineno: start for start, _, line in code.co_lines() if line is not None}
    around = {number: sum(a <= offset <= b for a, b in loops) for number, offset in lines.items()}
    assert (around[1], around[4], around[5]) == (0, max(around.values()), 0)
    assert around[4] >= 2
    assert callsite.line_at(code, lines[4]).endswith(f":{code.co_firstlineno + 4}")


def test_the_functions_that_run_are_told_from_the_outermost_one() -> None:
    def outer(value: Any) -> Any:
        return inner(value, named=3)

    def inner(*values: Any, named: Any) -> Any:
        frames = callsite.calls_from(sys._getframe(), test.__code__)
        return [frame.f_code.co_name for frame in frames], callsite.parameters_of(frames[-1])

    def test() -> Any:
        return outer(2)

    assert test() == (["outer", "inner"], {"values": (2,), "named": 3, "test": test})
