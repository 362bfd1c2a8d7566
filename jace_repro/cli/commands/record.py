"""Record a program and write a repro of every traced function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options, out_option, selection_options, self_check_option
from jace_repro.cli.program import (
    PROGRAM_SETTINGS,
    ProgramCommand,
    make_target,
    output_directory,
    program_options,
    record_target,
)

if TYPE_CHECKING:
    from jace_repro.campaign.report import EntryReport
    from jace_repro.cli.output import Output

ORDER = 20


@click.command("record", cls=ProgramCommand, context_settings=PROGRAM_SETTINGS)
@out_option("the recording")
@self_check_option
@selection_options
@common_options
@program_options
def command(
    words: tuple[str, ...],
    module: str | None,
    use_pytest: bool,
    max_disk: int | None,
    out: Path | None,
    settings: Settings,
    output: Output,
) -> None:
    """Run PROG.py as python does and write a repro of every function it lets JAX trace.

    Each repro (DIR/entries/*.py) is one script that runs on stock JAX and NumPy and holds the real inputs. It
    is written before the function is compiled or run: a crash loses nothing. Processes that the program
    starts write theirs to DIR/children/PID/entries. Afterwards every repro is replayed in a fresh process:
    "exact" means the same jaxpr and bit-identical outputs.

    \b
    jace-repro record train.py --epochs 1
    jace-repro record -o recording -m package.module
    jace-repro record --max-inputs 5 --max-disk 2G simulation.py
    jace-repro record --pytest tests -k solver
    """
    from jace_repro.campaign.entries import unfaithful
    from jace_repro.campaign.run import replay
    from jace_repro.campaign.text import program_end, selection_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    terminal = output.terminal
    target = make_target(words, module, use_pytest)
    directory = output_directory(out, target)
    warn_about_machine(terminal)
    recorded = record_target(target, directory, max_disk, settings, terminal)
    result = replay(target, recorded, directory, settings, observing(terminal))
    entries = result.entries
    for entry in entries:
        if not entry.entry.eager or settings.verbose:
            terminal.line(_entry_line(entry))
    eager = sum(e.entry.eager for e in entries)
    terminal.line(
        f"{len(entries) - eager} functions and {eager} eager operations recorded in {directory}"
        if entries or result.left_out
        else "nothing was recorded: the program let JAX trace nothing"
    )
    terminal.show(*selection_lines(result))
    if line := _trees_line(entries):
        terminal.line(line)
    if end := program_end(recorded):
        terminal.warn(end)
    if broken := unfaithful(entries):
        terminal.warn(f"{len(broken)} repros do not replay exactly; see the lines above")
    elif result.errors:
        terminal.warn("; ".join(result.errors))
    finish(result, output)


def _trees_line(entries: Sequence[EntryReport]) -> str:
    """How many functions were written as their user wrote them, and how these replay; "" when none was checked."""
    functions = [e for e in entries if not e.entry.eager and e.repros]
    states = Counter(e.call_tree_check or "without one" for e in functions)
    if set(states) <= {"without one"}:
        return ""
    return f"call trees: {', '.join(f'{count} {state}' for state, count in sorted(states.items()))}"


def _entry_line(entry: EntryReport) -> str:
    """A recorded entry: where it is, what it is, whether its repro replays."""
    where = f"{entry.source} " if entry.source else ""
    state = entry.self_check or entry.status or ""
    text = f"{state:14} {where}{entry.name} ({entry.entry.equations} equations, {entry.calls} calls)"
    if entry.tests:
        text += f" in {entry.tests[0]}" + (f" and {len(entry.tests) - 1} more" if entry.tests[1:] else "")
    if entry.processes:
        text += f" in process {', '.join(entry.processes)}"
    return text + (f": {entry.error}" if entry.error else "")
