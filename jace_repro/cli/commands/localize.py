"""Name what makes a repro fail: equation, pass and transformation, compiler flag."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import (
    common_options,
    named_repros,
    pipeline_option,
    report_options,
    rules_option,
    sanitize_option,
)

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 40
DEFAULT_OUT = Path("jace-repro-out/localized")


@click.command("localize")
@click.argument("repros", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="REPRO.py|DIR...")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    metavar="DIR",
    help="Where the SDFG before and after the guilty transformation goes, in a folder named after the repro.",
)
@pipeline_option
@report_options
@rules_option
@sanitize_option
@common_options
def command(repros: tuple[Path, ...], out: Path, settings: Settings, output: Output) -> None:
    """Name what makes REPRO.py fail: the first equation, pass and transformation, or compiler flag.

    The equation: all are evaluated one by one with XLA and put side by side through DaCe on the same operand
    values; loops and branches are entered. When none diverges alone, the smallest window that fails is named.

    The pass: a binary search compiles the program as it is after some of the passes that changed it, then
    after some of the transformations that the guilty pass applied. The SDFG before and after it is saved and
    the change is printed. Pipeline "fused" is searched for the guilty decision of fusion.

    The flag: when the same SDFG is right without optimisation, the C++ compiler's flags are searched.

    Of a directory all repro files below it are tested; of those that show the same finding the first is
    searched.
    """
    from jace_repro.campaign.localize import Located, localize_files, located_lines
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    terminal = output.terminal
    loaded = named_repros(repros)
    warn_about_machine(terminal)

    def show(located: Located) -> None:
        if len(loaded.repros) > 1:
            terminal.line()
            terminal.line(f"{located.path}:")
        for line in located_lines(located):
            terminal.line(line)

    result = localize_files(loaded, out, settings, observing(terminal), base=output.base, on_located=show)
    terminal.show(*summary_lines(result))
    finish(result, output)
