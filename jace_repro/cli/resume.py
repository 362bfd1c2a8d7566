"""``jace-repro run --resume DIR``: the options of a run are kept beside what it records, and found there again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import psutil

from jace_repro.cli.standard_output import STANDARD_OUTPUT
from jace_repro.tracker import recording
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.switch import SWITCH

OPTIONS = "options.json"
#: What a resumed run may not be given: it is in the directory.
_KEPT = {"words": "a program", "module": "-m", "use_pytest": "--pytest", "out": "--out"}


def resume_option(function: Any) -> Any:
    """Adds ``--resume``: all other options are then by default as they were when the run began."""
    return click.option(
        "--resume",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        is_eager=True,
        callback=_resume,
        metavar="DIR",
        help="Go on with the run in DIR, with its options, where it was ended. The program is not run again.",
    )(function)


def keep_options(context: click.Context, directory: Path) -> None:
    """Keep the options of this call in a directory, for a run that goes on there. Raises OSError."""
    from jace_repro.repro import write_file

    directory.mkdir(parents=True, exist_ok=True)
    params = {name: _AS_TYPED.get(name, _plain)(value) for name, value in context.params.items()}
    options = {name: value for name, value in params.items() if value is not None}
    data = {"schema": 1, "command": context.info_name, "directory": os.getcwd(), "options": options}
    write_file(directory / OPTIONS, (json.dumps(data, indent=1) + "\n").encode())


def _plain(value: Any) -> Any:
    """A value as its option takes it."""
    if isinstance(value, tuple):
        return [str(one) for one in value]
    return value if isinstance(value, (bool, int, float, type(None))) else str(value)


#: The same for options whose values are not what is typed.
_AS_TYPED: Mapping[str, Callable[[Any], Any]] = {
    "inputs": lambda number: "all" if number is None else str(number),
}


def _resume(context: click.Context, option: click.Parameter, directory: Path | None) -> Path | None:
    """Have the options of an earlier run be the defaults of this one."""
    if directory is None or context.resilient_parsing:
        return directory
    if not (directory / JOURNAL).exists():
        raise click.BadParameter(f"{directory} holds no recording", context, option)
    if (directory / OPTIONS).exists():
        context.default_map = _stored(directory / OPTIONS, context.command)
    return directory


def _stored(path: Path, command: click.Command) -> dict[str, Any]:
    """The options in a file; paths are as they are seen from here. Raises click.ClickException."""
    from jace_repro.campaign.own_passes import moved

    try:
        data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        options, there = dict(data["options"]), data["directory"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"{path}: {error}") from error
    known = {option.name: option for option in command.params}
    for name, value in options.items():
        if isinstance(getattr(known.get(name), "type", None), click.Path) and value != str(STANDARD_OUTPUT):
            options[name] = os.path.relpath(os.path.join(there, value))
        elif name == "pipelines":
            options[name] = [moved(pipeline, Path(there)) for pipeline in value]
    return {name: value for name, value in options.items() if name in known and name not in _KEPT}


def recorded_in(context: click.Context, directory: Path) -> tuple[recording.Target, recording.Recording]:
    """The program of a run that goes on, and what it gave JAX.

    Raises click.UsageError while the program runs, and for options that the directory says already.
    """
    from jace_repro.campaign.entries import INTERRUPTED
    from jace_repro.campaign.progress import recorded_end
    from jace_repro.campaign.run import REPORT

    for name, what in _KEPT.items():
        if _says(context, name):
            raise click.UsageError(f"--resume goes not with {what}: {directory} says that already")
    if (
        (directory / REPORT).exists()
        and not (directory / OPTIONS).exists()
        and not _says(context, "pipelines")
    ):
        raise click.UsageError(
            f"{directory} was written by an earlier release, which did not keep the options of a run: "
            "say which pipelines it goes on with (--pipeline NAME)"
        )
    found = recording.load(directory)
    header = found.header.get("target", {})
    target = recording.Target(
        header.get("kind", "path"), header.get("value", ""), tuple(header.get("argv", ()))
    )
    end = recorded_end(directory)
    if end is not None:
        found = recording.load(directory, **end)
    elif found.exit_code is None:
        pid = found.header.get("pid")
        if _runs(pid, found.header.get("time", 0.0)):
            raise click.UsageError(
                f"process {pid} still records into {directory}: wait until it ends, or end it"
            )
        if found.header.get("started_by") != SWITCH:
            found = recording.load(directory, error=_KILLED)
    if found.error == INTERRUPTED:
        found = recording.load(directory, exit_code=found.exit_code, error=_INTERRUPTED)
    return target, found


def _says(context: click.Context, name: str) -> bool:
    """Whether the command line says a parameter."""
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


#: Ends of a recording before that of its program.
_INTERRUPTED = "interrupted while it was recorded"
_KILLED = "jace-repro was ended while it was recorded"


def command_for(target: recording.Target, recorded: recording.Recording) -> str | None:
    """What records a program anew, if it was not recorded to its end."""
    from jace_repro.campaign.command_lines import jace_repro

    if recorded.error not in (_INTERRUPTED, _KILLED):
        return None
    head = {"path": [target.value], "module": ["-m", target.value], "pytest": ["--pytest"]}[target.kind]
    return jace_repro("run", *head, *target.argv)


def _runs(pid: int | None, since: float) -> bool:
    """Whether the process that wrote a journal, begun at a time, is still there."""
    try:
        return pid is not None and psutil.Process(pid).create_time() <= since + 1
    except psutil.Error:
        return False
