"""Whose a source file is, and how a place in it is written down."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from jace_repro.trace import frames


@pytest.mark.parametrize(
    ("place", "file", "line"),
    [
        ("/code/a.py:3", "/code/a.py", "/code/a.py:3"),
        ("/code/a.py:3 (f.<locals>.<lambda>)", "/code/a.py", "/code/a.py:3"),
        ("/code (old)/a.py:3 (f)", "/code (old)/a.py", "/code (old)/a.py:3"),
        ("/code:2 (old)/a.py:3", "/code:2 (old)/a.py", "/code:2 (old)/a.py:3"),
        ("<string>:1 (<module>)", "<string>", "<string>:1"),
        ("", "", ""),
    ],
)
def test_a_place_has_a_file_and_a_line(place: str, file: str, line: str) -> None:
    assert (frames.file_of(place), frames.line_of(place)) == (file, line)


def test_a_place_is_shown_from_where_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = f"{tmp_path}/code (old)/a.py:3 (f)"
    monkeypatch.chdir(tmp_path)
    assert frames.shown(place) == "code (old)/a.py:3 (f)"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert frames.shown(place) == place
    assert frames.shown("") == ""


def test_jaxs_files_are_known_under_the_name_they_were_imported_by(tmp_path: Path) -> None:
    """An environment that a link leads to: Python names its files by the link."""
    link = tmp_path / "packages"
    link.symlink_to(Path(jax.__file__).parents[1])
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import jax, numpy; from jace_repro.trace import frames; code = jax.jit.__code__; print(code.co_filename); "
            "print(frames.is_jax_file(code.co_filename), frames.is_user_file(numpy.__file__))",
        ],
        env={**os.environ, "PYTHONPATH": f"{link}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert Path(told[0]).is_relative_to(link)
    assert told[1] == "True False"
