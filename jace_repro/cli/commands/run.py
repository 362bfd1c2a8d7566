"""Record a program, test every traced function through DaCe, reduce what fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import (
    out_option,
    reduce_option,
    selection_options,
    self_check_option,
    testing_options,
)
from jace_repro.cli.program import (
    PROGRAM_SETTINGS,
    ProgramCommand,
    make_target,
    output_directory,
    program_options,
    record_target,
    run_recorded,
)
from jace_repro.cli.resume import OPTIONS, keep_options, recorded_in, resume_option

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 10


@click.command("run", cls=ProgramCommand, context_settings=PROGRAM_SETTINGS)
@out_option("everything that is found")
@resume_option
@reduce_option
@self_check_option
@selection_options
@testing_options
@program_options
@click.pass_context
def command(
    context: click.Context,
    words: tuple[str, ...],
    module: str | None,
    use_pytest: bool,
    max_disk: int | None,
    out: Path | None,
    resume: Path | None,
    settings: Settings,
    output: Output,
) -> None:
    """Record PROG.py, test every function it lets JAX trace through DaCe, and reduce what fails.

    The program runs unmodified, as `python PROG.py ARGS...` would run it. Every distinct function that JAX
    traces is written as a repro with its real inputs, replayed under plain JAX, and compared with its DaCe
    translation in a worker process, so that a crash or an endless loop is a result like any other. For every
    distinct failure the smallest entry that shows it is reduced to a minimal repro. A run that was ended
    early goes on with --resume DIR.

    \b
    DIR/report.html    the page: what was found, with all that is known of it
    DIR/report.json    the machine report
    DIR/entries/       a repro of every recorded entry
    DIR/children/PID/  the same for each process that the program started
    DIR/minimal/       a minimal repro of every distinct failure

    \b
    jace-repro run train.py --epochs 1
    jace-repro run --pipeline canonical/simplify -o found simulation.py
    jace-repro run -m package.module --size 100
    jace-repro run --pytest tests -k solver
    jace-repro run --resume jace-repro-out/train
    """
    from jace_repro.campaign.testing import open_pool
    from jace_repro.cli.output import warn_about_machine

    # The workers come first: what keeps them from testing is said before a program runs that may take long.
    with open_pool(settings) as pool:
        if resume is not None:
            directory, (target, recorded) = resume, recorded_in(context, resume)
            if not (resume / OPTIONS).exists():
                keep_options(context, resume)
            warn_about_machine(output.terminal)
        else:
            target = make_target(words, module, use_pytest)
            directory = output_directory(out, target)
            warn_about_machine(output.terminal)
            pool.begin(compiling=True)  # it imports while the program runs
            recorded = record_target(target, directory, max_disk, settings, output.terminal)
        run_recorded(target, recorded, directory, settings, pool, output)
