"""Record programs that something else starts: JACE_REPRO=record, by a hook that this puts into the environment."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options
from jace_repro.tracker import hook_line
from jace_repro.tracker.switch import SWITCH

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 70


@click.command("hook")
@click.argument("action", type=click.Choice(["install", "remove", "status"]), metavar="install|remove|status")
@common_options
def command(action: str, settings: Settings, output: Output) -> None:
    """Have every Python of this environment record what it gives JAX when JACE_REPRO=record is set.

    For programs that a launcher, a scheduler or a build starts. `install` puts a file with one line into
    site-packages, which costs nothing measurable while the variable is not set; `remove` takes it away; `status`
    says what there is.

    \b
    JACE_REPRO=record       into a new directory in jace-repro-out, which is told at the end
    JACE_REPRO=record:DIR   into DIR; processes that are started later join the recording

    \b
    jace-repro hook install
    JACE_REPRO=record:recording make test
    jace-repro check recording
    """
    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import finish

    terminal = output.terminal
    folder = hook_line.default_folder()
    try:
        if action == "install":
            terminal.line(f"Installed: {hook_line.install(folder)}")
        elif action == "remove":
            terminal.line(
                f"Removed from {folder}." if hook_line.remove(folder) else f"There is none in {folder}."
            )
        found = hook_line.installed(folder)
    except OSError as error:
        terminal.warn(
            f"cannot {action} the hook in {folder}: {error.strerror}. Use an environment of your own "
            "(python -m venv), or ask who owns this one."
        )
        sys.exit(exit_codes.ERROR)
    is_set = bool((click.get_current_context().find_root().obj or {}).get(SWITCH))
    if action == "status":
        terminal.line(_status(found, folder, is_set))
    extra = {"hook": {"folder": str(folder), "installed": found == hook_line.line(), "set": is_set}}
    finish(Report("hook", extra=extra), output)


def _status(found: str | None, folder: Path, is_set: bool) -> str:
    from jace_repro.campaign.command_lines import jace_repro

    if found is None:
        return f"Not installed in {folder}: {SWITCH} has no effect. Install it with: {jace_repro('hook', 'install')}"
    if found != hook_line.line():
        return f"Installed in {folder}, but for another jace-repro: {found.strip()}"
    return f"Installed in {folder}. {SWITCH} is {'set' if is_set else 'not set, so nothing is recorded'}."
