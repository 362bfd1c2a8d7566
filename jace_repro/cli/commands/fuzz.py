"""Test programs that are made at random, by seed, and reduce what they show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import (
    corpus_option,
    out_option,
    reduce_option,
    testing_options,
)
from jace_repro.tracker import recording

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 52


@click.command("fuzz")
@click.option(
    "-n", "--programs", type=click.IntRange(min=1), metavar="N", help="Test so many programs [default: 200]."
)
@click.option(
    "--seconds", type=click.FloatRange(min=0), metavar="S", help="Begin no further programs after that."
)
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="K",
    help="Of the programs: the same seed is the same programs [default: 0].",
)  # fmt: skip
@out_option("everything that is found")
@click.option(
    "--resume", is_flag=True,
    help="Go on with the campaign in --out DIR where it was ended, with its seed and pipelines; begin it "
    "where there is none.",
)  # fmt: skip
@click.option(
    "--mutate", multiple=True, type=click.Path(exists=True, path_type=Path), metavar="PATH",
    help="Make every other program of these repros (files, recordings, a corpus): changed, put into loops and "
    "derivatives, joined; repeatable.",
)  # fmt: skip
@click.option(
    "--guided", is_flag=True,
    help="Make programs by what those before them reached in jace and DaCe; needs jace-repro[guided].",
)  # fmt: skip
@click.option(
    "--scheduler", metavar="ADDRESS",
    help="Have the workers of a Dask cluster test and reduce: tcp://HOST:8786, say. Journal and findings stay here.",
)  # fmt: skip
@reduce_option
@corpus_option
@testing_options
def command(
    programs: int | None,
    seconds: float | None,
    seed: int | None,
    out: Path | None,
    resume: bool,
    mutate: tuple[Path, ...],
    guided: bool,
    scheduler: str | None,
    corpus_dir: Path,
    settings: Settings,
    output: Output,
) -> None:
    """Test programs that are made at random, by seed, and reduce what they show.

    Every other program is one operation (jace_repro/fuzz/operations), its parameters, shapes, dtypes and values drawn
    about its critical points; the others are several operations, in loops, branches and transforms, or repros that
    were changed (--mutate). Each eighth has two forms that mean the same, as a batch and a loop. The same seed is
    the same programs in the same order. For every distinct failure one program is reduced to a minimal repro. What the
    corpus in --corpus-dir shows already is counted, and neither kept nor reduced. A campaign that was ended goes on
    with --resume.

    With --guided one program in four is a mutant of those that reached something first (a branch of jace's rules and
    planner, a pass of DaCe's that changed it, a primitive in a loop under such a pass), and operations that still
    find something new are drawn more often.

    \b
    DIR/report.html    the page: what was found, with all that is known of it
    DIR/report.json    the machine report
    DIR/tested.jsonl   a line for every program that was tested
    DIR/programs/      the repros of those that show something
    DIR/minimal/       a minimal repro of every distinct failure
    DIR/reached.html   with --guided: what was reached, and what was not

    \b
    jace-repro fuzz
    jace-repro fuzz --seconds 3600 --seed 7 --pipeline canonical/simplify -o found
    jace-repro fuzz --seconds 3600 -o found --resume
    jace-repro fuzz --seconds 3600 --mutate corpus --mutate recording
    jace-repro fuzz --seconds 3600 --guided --pipeline canonical/auto-optimize
    jace-repro fuzz --seconds 3600 --scheduler tcp://head-node:8786
    jace-repro corpus add found
    """
    from jace_repro.campaign.fuzz.campaign import Budget, fuzz
    from jace_repro.campaign.fuzz.state import CAMPAIGN
    from jace_repro.campaign.run import kept
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import (
        finish,
        observing,
        warn_about_machine,
        write_page,
        write_reached_page,
    )

    terminal = output.terminal
    if resume and out is None:
        raise click.UsageError("--resume goes with --out DIR, the directory of a campaign")
    if out is not None and not resume and (out / CAMPAIGN).exists():
        raise click.UsageError(
            f"{out} holds a campaign already: go on with it (--resume) or name another directory"
        )
    directory = recording.unused_directory("fuzz") if out is None else out
    if programs is None and seconds is None:
        programs = 200
    warn_about_machine(terminal)
    budget = Budget(seed, programs, seconds)
    found = fuzz(
        directory,
        budget,
        settings,
        observing(terminal),
        corpus=corpus_dir,
        mutate=mutate,
        scheduler=scheduler,
        guided=guided,
    )
    result = kept(found, directory)
    about = result.extra["fuzz"]
    terminal.show(*summary_lines(result, base=directory))
    for signature, known in about["known"].items():
        count = known["programs"]
        where = known["entry"] or f"an entry of signature {signature} that is gone"
        terminal.line(f"{count} program{'s show' if count > 1 else ' shows'} what is known: {where}")
    if again := sum(about["again"].values()):
        terminal.line(
            f"{again} further program{'s show' if again > 1 else ' shows'} what is found: not kept."
        )
    made = f"; {about['invalid']} could not be made" if about["invalid"] else ""
    terminal.line(
        f"{about['programs']} programs of seed {about['seed']} so far{made}; {about['seconds']:.0f} s now."
    )
    if (reached := about.get("reached")) is not None:
        terminal.line(
            f"They reach {reached['branch']:,} of {reached['branches']:,} branches of jace's translation, change the "
            f"SDFG by {reached['pass']:,} passes, have {reached['pair']:,} primitives in a context under one and "
            f"{reached['form']:,} forms of equations."
        )
        write_reached_page(directory, terminal)
    if result.entries:
        write_page(directory, terminal)
    finish(result, output)
