"""Command lines are printed as they can be typed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jace_repro.campaign.command_lines import jace_repro, python


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in the working directory, which no shell has found yet."""
    programs = tmp_path / "my project" / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "python3", "jace-repro"):
        (programs / name).write_text("")
        (programs / name).chmod(0o755)
    monkeypatch.chdir(programs.parents[1])
    monkeypatch.setattr(sys, "executable", str(programs / "python3"))
    monkeypatch.setenv("PATH", "/usr/bin")
    return programs


def test_an_environment_that_is_not_activated_is_named(environment: Path) -> None:
    assert python(Path("a b.py")) == ".venv/bin/python 'a b.py'"
    assert jace_repro("check", Path("out") / "x.py") == ".venv/bin/jace-repro check out/x.py"


def test_what_the_shell_finds_is_called_by_its_name(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{environment}:/usr/bin")
    assert python(Path("x.py")) == "python x.py"
    assert jace_repro("check", Path.cwd() / "x.py") == "jace-repro check x.py"


def test_without_the_script_there_is_the_module(environment: Path) -> None:
    (environment / "jace-repro").unlink()
    assert jace_repro("doctor") == ".venv/bin/python -m jace_repro doctor"
