"""Notebooks: after ``%load_ext jace_repro``, ``%%jace_repro`` records a cell, tests it and shows what was found.

The options are those of ``jace-repro run``; the cell is run in the notebook, its functions are tested in worker
processes. IPython is needed where it is there already: in a notebook.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jace_repro.campaign.entries import INTERRUPTED
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import open_pool, require_compiler
from jace_repro.cli import defaults
from jace_repro.cli.options import (
    out_option,
    reduce_option,
    selection_options,
    self_check_option,
    testing_options,
)
from jace_repro.cli.output import Output, warn_about_machine
from jace_repro.cli.program import max_inputs_option, output_directory, run_recorded
from jace_repro.cli.resume import keep_options
from jace_repro.tracker.api import record
from jace_repro.tracker.recording import RecordedEntry, Recording, Target

NAME = "jace_repro"


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext jace_repro``: the cell magic ``%%jace_repro``."""
    shell.register_magic_function(lambda line, cell: run_cell(shell, line, cell), "cell", NAME)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext jace_repro``."""
    shell.magics_manager.magics["cell"].pop(NAME, None)


def run_cell(shell: Any, line: str, cell: str) -> None:
    """Run a cell, test what it gives JAX, and show what was found. Errors of the options are told, not raised."""
    try:
        words = shlex.split(line)
        known = defaults("run", {option.name for option in _command.params})
        _command.main(words, f"%%{NAME}", standalone_mode=False, obj=(shell, cell), default_map=known)
    except click.ClickException as error:
        error.show()
    except ValueError as error:  # a quotation that does not end
        click.echo(f"Error: {error}: {line}", err=True)
    except SystemExit:
        pass  # the report's exit code: a notebook goes on


@click.command(f"%%{NAME}", context_settings={"help_option_names": ["-h", "--help"]})
@out_option("everything that is found")
@reduce_option
@self_check_option
@max_inputs_option
@selection_options
@testing_options
@click.pass_context
def _command(context: click.Context, out: Path | None, settings: Settings, output: Output) -> None:
    """Run this cell, test every function that it lets JAX trace through DaCe, and reduce what fails.

    \b
    %%jace_repro
    %%jace_repro --pipeline canonical/simplify --select step
    """
    require_compiler()
    shell, cell = context.obj
    number = len(shell.history_manager.input_hist_raw) - 1  # execution_count is the next cell's by now
    file = shell.compile.get_code_name(cell, shell.transform_cell(cell), shell.execution_count)
    _cells[file] = f"In[{number}]"
    target = Target("cell", _cells[file])
    directory = output_directory(out, Target("cell", "notebook"))
    warn_about_machine(output.terminal)
    keep_options(context, directory)
    with record(directory, max_inputs=settings.max_inputs, selection=settings.selection) as live:
        ended = shell.run_cell(cell)
    recorded = _named(live.recording, shell)
    error = ended.error_before_exec or ended.error_in_exec
    if isinstance(error, KeyboardInterrupt):
        recorded = replace(recorded, exit_code=None, error=INTERRUPTED)
    elif error is not None:
        recorded = replace(recorded, exit_code=1, error=f"{type(error).__name__}: {error}")
    else:
        recorded = replace(recorded, exit_code=0)
    with open_pool(settings) as pool:
        run_recorded(target, recorded, directory, settings, pool, output)


#: What the user calls the cells that the magic has run, by the files that IPython takes them for.
_cells: dict[str, str] = {}


def _named(recorded: Recording, shell: Any) -> Recording:
    """The recording with cells called as their user sees them, ``In[3]:2``: not by the files IPython takes them for."""

    def shown(place: str) -> str:
        file, colon, rest = place.rpartition(":")
        for name in (file, os.path.abspath(file)):
            cell = _cells.get(name) or (shell.compile.format_code_name(name) or ("", ""))[1]
            if cell:
                return f"{cell}{colon}{rest}"
        return place

    def renamed(entry: RecordedEntry) -> RecordedEntry:
        source, call_site = shown(entry.entry.source), shown(entry.entry.call_site)
        return replace(entry, entry=replace(entry.entry, source=source, call_site=call_site))

    return replace(recorded, entries=tuple(map(renamed, recorded.entries)))
