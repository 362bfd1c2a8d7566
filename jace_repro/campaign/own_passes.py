"""Pipelines with passes of the user's own: `FILE.py:NAME` on a command line, in reports `canonical/FILE.py:NAME`.

The file travels as a rules file does: every worker runs it first, a finding's repro has a copy beside it.
"""

from __future__ import annotations

import os
import traceback
from dataclasses import replace
from pathlib import Path

from jace import pipelines, user_passes
from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.settings import Settings, SettingsError


def settled(settings: Settings) -> Settings:
    """Settings whose pipelines have the names of reports, and whose workers run the file of the user's passes.

    Raises:
        SettingsError: a pipeline that there is not, a file that fails or lacks the pass, or several files.
    """
    file = settings.rules
    names = []
    for name in settings.pipelines:
        _, at, place = name.partition("@")
        try:
            found = pipelines.parse(name)[0]
        except ValueError as error:
            raise SettingsError(str(error)) from error
        full = found.name
        for step in found.dace:
            if (where := user_passes.in_file(step)) is not None:
                file = _one(file, Path(where[0]))
                _try(f"{file}:{where[1]}", file)
                full = full.replace(step, f"{file.name}:{where[1]}")
        names.append(f"{full}{at}{place}" if any(map(user_passes.in_file, found.dace)) else name)
    return replace(settings, pipelines=tuple(names), rules=file)


def moved(pipeline: str, there: Path) -> str:
    """A pipeline that was named in the directory `there`, as it is named here.

    Raises:
        ValueError: there is no such pipeline.
    """
    for step in pipelines.parse(pipeline)[0].dace:
        if (where := user_passes.in_file(step)) is not None:
            pipeline = pipeline.replace(step, f"{os.path.relpath(there / where[0])}:{where[1]}")
    return pipeline


def _one(known: Path | None, file: Path) -> Path:
    """The file that the workers run: all passes and rules are in it."""
    if known is not None and known.name == file.as_posix():
        return known
    path = file.resolve()
    if not path.is_file():
        raise SettingsError(f"there is no file {file}, where a pass of yours should be")
    if known is not None and known.resolve() != path:
        raise SettingsError(
            f"passes and rules of your own go into one file, not into {shown(known)} and {shown(path)}: import one of "
            "them in the other"
        )
    return path


def _try(step: str, file: Path) -> None:
    try:
        user_passes.resolve(step)
    except ValueError as error:
        raise SettingsError(str(error).replace(str(file), shown(file))) from error
    except (Exception, SystemExit) as error:
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename != str(file):
            own = own.tb_next
        text = "".join(traceback.format_exception(error.with_traceback(own)))
        raise SettingsError(f"the file {shown(file)} fails:\n{text}") from error
