"""Options from pyproject.toml and jace-repro.toml."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from jace_repro import cli
from jace_repro.cli import config
from jace_repro.cli.commands.check import command as check_command
from jace_repro.cli.commands.run import command as run_command

COMMANDS = {"run": run_command, "check": check_command}


def read(folder: Path, text: str, name: str = "jace-repro.toml"):
    """The defaults that a file says."""
    (folder / name).write_text(text)
    found = config.find(folder)
    assert found is not None
    return config.default_map(found, COMMANDS)


def test_keys_are_for_all_commands_that_have_the_option_and_tables_for_one(tmp_path):
    (tmp_path / "rules.py").touch()
    found = read(
        tmp_path,
        """
        jobs = 2
        timeout = 1.5
        rules = "rules.py"
        pipeline = ["fused", "canonical"]
        ignore = "file:plots.py"
        inputs = "all"
        no-reduce = true
        max-disk = "2G"

        [check]
        jobs = 3
        inputs = 4
        eager = false
        """,
    )
    both = {
        "timeout": 1.5,
        "rules": str(tmp_path / "rules.py"),
        "pipelines": ["fused", "canonical"],
        "ignore": ["file:plots.py"],
    }
    assert found["check"] == {**both, "jobs": 3, "inputs": "4", "eager": False}
    assert found["run"] == {**both, "jobs": 2, "inputs": "all", "reduce": False, "max_disk": "2G"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pipelines = []", "there is no option 'pipelines'; did you mean 'pipeline'?"),
        ("[rnu]\njobs = 2", "there is no option 'rnu'; did you mean 'run'?"),
        ("[run]\ntime-out = 2", "run: there is no option 'time-out'; did you mean 'timeout'?"),
        ("[check]\nmax-disk = 2", "check: there is no option 'max-disk'"),
        ("resume = 'x'", "there is no option 'resume'"),
        ("jobs = '2'", "jobs: '2' is no integer"),
        ("jobs = true", "jobs: True is no integer"),
        ("jobs = 0", "jobs: 0 is not in the range x>=1."),
        ("timeout = 'long'", "timeout: 'long' is no number"),
        ("sanitize = 1", "sanitize: 1 is no boolean"),
        (
            "pipeline = 'fusde'",
            "pipeline: unknown pipeline 'fusde' (did you mean fused?); choose one of fused, ",
        ),
        ("select = [1]", "select: [1] is no text or list of texts"),
        ("select = 'fil:a'", "select: 'fil:a' begins with none of"),
        ("run.rules = 'none.py'", "run.rules: File '"),
        ("run = 2", "run: 2 is no table"),
        ("jobs = 1 2", "(at line 1"),
    ],
)
def test_what_is_not_understood_is_named(tmp_path, text, told):
    with pytest.raises(click.ClickException) as error:
        read(tmp_path, text)
    assert error.value.message.startswith(f"{tmp_path / 'jace-repro.toml'}: ")
    assert told in error.value.message


def test_the_nearest_file_counts(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.jace-repro]\njobs = 2\n")
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\n[broken")  # nothing for us in it
    found = config.find(inner)
    assert found == config.Config(tmp_path / "pyproject.toml", "tool.jace-repro", {"jobs": 2})
    with pytest.raises(
        click.ClickException, match=r"pyproject.toml: tool.jace-repro.run: there is no option 'x'"
    ):
        read(tmp_path, "[tool.jace-repro.run]\nx = 1\n", "pyproject.toml")
    (tmp_path / "a/jace-repro.toml").write_text("jobs = 3")
    assert config.find(inner) == config.Config(tmp_path / "a/jace-repro.toml", "", {"jobs": 3})
    assert config.find(tmp_path.parent) is None


def test_the_command_line_wins_and_says_what_was_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("jace-repro.toml").write_text("jobs = 7\nselect = ['a', 'b']\nverbose = true\n")
    Path("plain.py").touch()
    seen = {}

    def check_files(paths, settings, observer):
        seen.update(vars(settings))
        raise SystemExit

    monkeypatch.setattr("jace_repro.campaign.check.check_files", check_files)

    def settings(*words):
        seen.clear()
        result = CliRunner().invoke(cli.cli, [*words, "plain.py"])
        return seen["jobs"], seen["select"], result.stderr

    assert settings("check") == (7, ("a", "b"), f"jace-repro: options from {tmp_path / 'jace-repro.toml'}\n")
    assert settings("check", "--jobs", "2", "--select", "c")[:2] == (2, ("c",))
    assert settings("--no-config", "check")[0] < 7
    assert settings("--no-config", "check")[1:] == ((), "")
