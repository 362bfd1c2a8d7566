"""Options from a file: ``jace-repro.toml``, or ``[tool.jace-repro]`` in ``pyproject.toml``.

The nearest one counts, from the working directory upward. Its keys are the long names of options, for all commands that
have them; in a table named after a command (``[run]``, ``[corpus.add]``) they are for that one. Paths are relative to
the file. What the command line says wins.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from jace_repro.repro.selection import did_you_mean

#: Where a context keeps the path of the file that was read.
META = "jace_repro.config"
OWN_FILE = "jace-repro.toml"
PROJECT_FILE = "pyproject.toml"
_TABLE = "jace-repro"
#: Options that say what one call is about.
_NOT_HERE = frozenset({"help", "pytest", "resume", "last-failed"})


@dataclass(frozen=True)
class Config:
    """A file with options, and where in it they are (``[tool.jace-repro]``, or "" for the top)."""

    path: Path
    table: str
    values: Mapping[str, Any]


def find(start: Path) -> Config | None:
    """The nearest file with options, in a directory or above it. Raises click.ClickException for one that is broken."""
    for directory in (start, *start.parents):
        if (own := directory / OWN_FILE).is_file():
            return Config(own, "", _parsed(own))
        project = directory / PROJECT_FILE
        if project.is_file() and _TABLE.encode() in _bytes(project):
            values = _parsed(project).get("tool", {}).get(_TABLE)
            if values is not None:
                return Config(project, f"tool.{_TABLE}", values)
    return None


def default_map(config: Config, commands: Mapping[str, click.Command]) -> dict[str, dict[str, Any]]:
    """The defaults of each command, as click takes them. Raises click.ClickException for what is not understood.

    A group of commands has those of each of its commands below their names.
    """
    leaves = {path: (command, _options(command)) for path, command in _leaves(commands)}
    tables = {path[:depth] for path in leaves for depth in range(len(path) + 1)}
    for place in sorted(tables):
        below = [path for path in leaves if path[: len(place)] == place]
        _require_known(
            config,
            place,
            options={key for path in below for key in leaves[path][1]},
            names={path[len(place)] for path in below if len(path) > len(place)},
        )
    defaults: dict[str, Any] = {name: {} for name in commands}
    for path, (command, options) in leaves.items():
        inner = defaults
        for name in path:
            inner = inner.setdefault(name, {})
        for place in (path[:depth] for depth in range(len(path) + 1)):
            for key, value in _table(config, place).items():
                if key in options and not ((*place, key) in tables and isinstance(value, dict)):
                    inner |= _default(config, (*place, key), options[key], value, command)
    return defaults


def _leaves(
    commands: Mapping[str, click.Command], place: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The commands that are no groups, by their words."""
    for name, command in commands.items():
        if isinstance(command, click.Group):
            yield from _leaves(command.commands, (*place, name))
        else:
            yield (*place, name), command


def _require_known(
    config: Config, place: tuple[str, ...], *, options: Collection[str], names: Collection[str]
) -> None:
    """Raises click.ClickException for a key of a table that is neither an option nor a command's table."""
    for key, value in _table(config, place).items():
        if isinstance(value, dict) and key in names:
            continue
        if key not in options and key in names:
            raise _error(config, (*place, key), f"{value!r} is no table")
        if key not in options:
            raise _unknown(config, place, key, [*options, *names])


@dataclass(frozen=True)
class _Key:
    """What a key sets; `inverted` for the name that refuses an option ("no-eager")."""

    option: click.Option
    inverted: bool = False


def _options(command: click.Command) -> dict[str, _Key]:
    """The keys of a command."""
    found = {}
    for option in command.params:
        if isinstance(option, click.Option):
            for inverted, names in ((False, option.opts), (True, option.secondary_opts)):
                for name in names:
                    if name.startswith("--") and name[2:] not in _NOT_HERE:
                        found[name[2:]] = _Key(option, inverted)
    return found


def _table(config: Config, place: tuple[str, ...]) -> Mapping[str, Any]:
    """The table at a place, empty where there is none."""
    table: Any = config.values
    for name in place:
        table = table.get(name, {}) if isinstance(table, Mapping) else {}
    return table if isinstance(table, Mapping) else {}


def _default(
    config: Config, place: tuple[str, ...], key: _Key, value: Any, command: click.Command
) -> dict[str, Any]:
    """What click is told of a key. Raises click.ClickException for a value that the option does not take."""
    option = key.option
    kind, fits = _expected(option)
    if not fits(value):
        raise _error(config, place, f"{value!r} is no {kind}")
    if isinstance(option.type, click.Path):
        value = str(config.path.parent / value)
    elif option.is_flag:
        value = value is not key.inverted
    elif option.multiple:
        value = [value] if isinstance(value, str) else value
    elif kind == _TEXT:
        value = str(value)
    try:
        option.process_value(click.Context(command, resilient_parsing=False), value)
    except click.BadParameter as error:
        raise _error(config, place, error.message) from error
    assert option.name is not None
    return {option.name: value}


_TEXT = "text"


def _expected(option: click.Option) -> tuple[str, Any]:
    """What TOML has for an option: its name, and whether a value is that."""
    if option.is_flag:
        return "boolean", lambda value: isinstance(value, bool)
    if option.multiple:
        return (
            "text or list of texts",
            lambda value: (
                isinstance(value, str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))
            ),
        )
    if isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType)):
        number = int if isinstance(option.type, click.types.IntParamType) else (int, float)
        name = "integer" if number is int else "number"
        return name, lambda value: isinstance(value, number) and not isinstance(value, bool)
    if isinstance(option.type, (click.Path, click.Choice)):
        return "text", lambda value: isinstance(value, str)
    # "all" or a number, 2 or "2G"
    return _TEXT, lambda value: isinstance(value, (str, int)) and not isinstance(value, bool)


def _unknown(config: Config, place: tuple[str, ...], key: str, known: Any) -> click.ClickException:
    near = difflib.get_close_matches(key, known)
    return _error(config, place, f"there is no option '{key}'{did_you_mean(near)}")


def _error(config: Config, place: tuple[str, ...], reason: str) -> click.ClickException:
    where = ".".join(filter(None, (config.table, *place)))
    return click.ClickException(f"{config.path}: {where + ': ' if where else ''}{reason}")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from error


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_bytes(path).decode())
    except ValueError as error:  # no TOML, or no UTF-8
        raise click.ClickException(f"{path}: {error}") from error
