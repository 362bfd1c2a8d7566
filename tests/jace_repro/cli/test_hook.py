"""`jace-repro hook`: the start-up hook of an environment is put there and taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jace_repro import cli
from jace_repro.tracker import hook_line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In place of the environment's packages."""
    monkeypatch.setattr(hook_line, "default_folder", lambda: tmp_path / "packages")
    (tmp_path / "packages").mkdir()
    return tmp_path / "packages"


def hook(action: str, switch: str | None = None) -> Result:
    return CliRunner().invoke(cli.cli, ["hook", action], prog_name="jace-repro", obj={"JACE_REPRO": switch})


def test_it_is_installed_told_and_removed(folder: Path) -> None:
    assert f"Not installed in {folder}: JACE_REPRO has no effect" in hook("status").output
    assert hook("install").output == f"Installed: {folder / hook_line.NAME}\n"
    assert hook("install").exit_code == 0
    assert hook("status").output == f"Installed in {folder}. JACE_REPRO is not set, so nothing is recorded.\n"
    assert hook("status", "record").output == f"Installed in {folder}. JACE_REPRO is set.\n"
    (folder / hook_line.NAME).write_text(hook_line.line().replace("jace_repro/tracker", "elsewhere/tracker"))
    assert "but for another jace-repro: import os;" in hook("status").output
    assert hook("remove").output == f"Removed from {folder}.\n"
    assert hook("remove").output == f"There is none in {folder}.\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("action", ["install", "remove"])
def test_an_environment_that_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    answer = hook(action)
    assert answer.exit_code == 2
    assert (
        f"cannot {action} the hook in {folder}: Permission denied. Use an environment of your own"
        in answer.stderr
    )
