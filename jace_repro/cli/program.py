"""Commands that run a user's program: their options, where its recording goes, recording it, running what it holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.settings import Settings
from jace_repro.cli.resume import command_for, keep_options
from jace_repro.tracker import recording
from jace_repro.tracker.journal import JOURNAL

if TYPE_CHECKING:
    from jace_repro.campaign.report import EntryReport
    from jace_repro.cli.output import Output
    from jace_repro.cli.terminal import Terminal
    from jace_repro.tester import Pool

PROGRAM_SETTINGS = {"allow_interspersed_args": False}

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _size(ctx: click.Context, option: click.Parameter, text: str | None) -> int | None:
    """A number of bytes, perhaps in K, M, G or T (powers of 1024).  Raises click.BadParameter."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise click.BadParameter(f"{text!r} is no size: write 500M or 2G", ctx, option)
    return int(float(found[1]) * _UNITS[found[2].upper()])


class ProgramCommand(click.Command):
    """A command that ends in a program and its arguments, which it leaves alone as ``python`` does.

    ``-m MODULE`` and ``--pytest`` end the command's own options, too.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words that belong to the program."""
        return super().parse_args(ctx, _stop_at_program(self, args))


def _stop_at_program(command: click.Command, args: list[str]) -> list[str]:
    """`args` with ``--`` between the command's options and what belongs to the program."""
    takes_value = {
        name: not option.is_flag
        for option in command.params
        if isinstance(option, click.Option)
        for name in option.opts
    }
    position = 0
    while position < len(args):
        word = args[position]
        if word == "--" or not word.startswith("-"):
            break
        position += 2 if takes_value.get(word, False) else 1
        if word in ("-m", "--pytest"):
            return [*args[:position], "--", *args[position:]]
    return args


def max_inputs_option(function: Any) -> Any:
    """Adds ``--max-inputs``."""
    return click.option(
        "--max-inputs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Keep the inputs of so many calls of a function, where their values differ.",
    )(function)


def program_options(function: Any) -> Any:
    """Adds ``--max-disk``, ``--max-inputs``, ``-m`` and ``--pytest`` and the program's own words."""
    for option in reversed(
        (
            click.option(
                "--max-disk",
                callback=_size,
                default="4G",
                show_default=True,
                metavar="SIZE",
                help="Write no more repros than that (500M, 20G); entries whose inputs would exceed it get none.",
            ),
            max_inputs_option,
            click.option(
                "-m", "module", metavar="MODULE", help="Run a module, as python -m does; its ARGS follow."
            ),
            click.option("--pytest", "use_pytest", is_flag=True, help="Run pytest; its ARGS follow."),
            click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[PROG.py] [ARGS]..."),
        )
    ):
        function = option(function)
    return function


def make_target(words: tuple[str, ...], module: str | None, use_pytest: bool) -> recording.Target:
    """What to run. Raises click.UsageError."""
    if module is not None:
        return recording.Target("module", module, words)
    if use_pytest:
        return recording.Target("pytest", "", words)
    if not words:
        raise click.UsageError("name a program: PROG.py, -m MODULE or --pytest")
    if not Path(words[0]).exists():
        raise click.UsageError(f"there is no program {words[0]!r}")
    return recording.Target("path", words[0], words[1:])


def output_directory(out: Path | None, target: recording.Target) -> Path:
    """Where the recording goes: `out`, which must hold none yet, or a new one named after the program.

    Raises click.UsageError.
    """
    if out is not None:
        if (out / JOURNAL).exists():
            raise click.UsageError(f"{out} holds a recording already: name another directory or remove it")
        return out
    stem = Path(target.value).stem if target.kind == "path" else target.value or "pytest"
    return recording.unused_directory(stem)


def record_target(
    target: recording.Target, out: Path, max_disk: int | None, settings: Settings, terminal: Terminal
) -> recording.Recording:
    """Run the program under the tracker; options are kept beside the recording. Exits with 2 when it cannot record."""
    from jace_repro.campaign.text import describe_error
    from jace_repro.tracker import hooks
    from jace_repro.tracker.api import record_program

    terminal.note(f"recording {target.describe()}")
    try:
        keep_options(click.get_current_context(), out)
        recorded = record_program(
            target,
            out,
            timeout=settings.timeout,
            max_disk=max_disk,
            max_inputs=settings.max_inputs,
            selection=settings.selection,
        )
    except hooks.HooksUnavailable as error:
        terminal.warn(f"{error}\njace-repro: run jace-repro doctor")
        sys.exit(exit_codes.ERROR)
    except OSError as error:
        terminal.warn(f"cannot record into {out}: {describe_error(error, settings.verbose)}")
        sys.exit(exit_codes.ERROR)
    for problem in recorded.tracker_errors:
        terminal.warn(f"not recorded: {problem}")
    return recorded


def run_recorded(
    target: recording.Target,
    recorded: recording.Recording,
    directory: Path,
    settings: Settings,
    pool: Pool,
    output: Output,
) -> NoReturn:
    """Test what was recorded, reduce what fails, show what was found, and exit with the report's code."""
    from jace_repro.campaign.command_lines import jace_repro
    from jace_repro.campaign.run import run
    from jace_repro.campaign.text import eager_line, program_end, summary_lines
    from jace_repro.cli.output import finish, import_page, observing, write_page

    terminal = output.terminal
    if recorded.entries:
        import_page()

    def shown(entry: EntryReport) -> bool:
        return not entry.entry.eager or settings.verbose or bool(entry.findings)

    def all_tested(entries: Sequence[EntryReport]) -> None:
        if (line := eager_line(entries)) is not None and not settings.verbose:
            terminal.show(line)

    observer = replace(observing(terminal, shown), all_tested=all_tested)
    result = run(target, recorded, directory, settings, pool, observer)
    base = directory if result.entries else None
    terminal.show(*summary_lines(result, base=base, program_end=program_end(recorded)))
    if result.entries and not write_page(directory, terminal):
        result = replace(result, errors=(*result.errors, "the page could not be written"))
    if result.entries and (result.interrupted or result.stopped):
        terminal.line(f"Go on with: {jace_repro('run', '--resume', directory)}")
    elif again := command_for(target, recorded):
        terminal.line(f"To record all of it: {again}")
    finish(result, output)
