"""Commands are found by their files."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from click.testing import CliRunner

from jace_repro import cli

NEW = '''"""Say hello."""

import click

ORDER = 15


@click.command("greet")
def command():
    """Say hello to whoever is there."""
    click.echo("hello")
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of commands."""
    monkeypatch.setattr(cli, "_FOLDER", tmp_path)
    cli.command_table.cache_clear()
    yield tmp_path
    cli.command_table.cache_clear()


def test_every_command_is_as_its_file_says():
    named = [
        "run",
        "record",
        "check",
        "localize",
        "reduce",
        "fuzz",
        "corpus",
        "report",
        "doctor",
        "hook",
        "completion",
    ]
    assert list(cli.command_table()) == named
    for name, line in cli.command_table().items():
        module = import_module(f"jace_repro.cli.commands.{name}")
        assert inspect.getdoc(module).partition("\n")[0] == line
        assert module.command.name == name
        assert isinstance(module.ORDER, int)


def test_a_file_is_all_that_a_command_needs(folder, monkeypatch):
    (folder / "greet.py").write_text(NEW)
    (folder / "first.py").write_text('"""Be first.\n\nMore."""\nORDER = 1\n')
    monkeypatch.setattr("jace_repro.cli.commands.__path__", [str(folder)])
    assert cli.command_table() == {"first": "Be first.", "greet": "Say hello."}
    assert "greet  Say hello." in CliRunner().invoke(cli.cli, ["--help"]).output
    assert CliRunner().invoke(cli.cli, ["greet"]).output == "hello\n"


def test_a_file_without_a_place_is_refused(folder):
    (folder / "lost.py").write_text('"""Be lost."""\n')
    with pytest.raises(ValueError, match=r"lost\.py: a command begins"):
        cli.command_table()
