"""``jace-repro run``: the main job, from a program to minimal repros."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign import report
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.cli import summary, testing
from jace_repro.cli.common import (
    Settings,
    Terminal,
    choose_pipelines,
    common_options,
    finish,
    inputs_option,
    pipeline_option,
    report_option,
    rules_option,
    sanitize_option,
    warn_about_jaxlib,
)
from jace_repro.cli.record import (
    INTERRUPTED,
    PROGRAM_SETTINGS,
    ProgramCommand,
    describe_program_end,
    entry_reports,
    make_target,
    output_directory,
    program_options,
    program_report,
    record_target,
    self_checked,
)
from jace_repro.tracker import recording
from jace_repro.tracker.journal import CHILDREN, ENTRIES

if TYPE_CHECKING:
    from jace_repro.tester import Pool


@click.command("run", cls=ProgramCommand, context_settings=PROGRAM_SETTINGS)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help=f"Directory for everything that is found [default: a new one in {recording.OUT_ROOT}].",
)
@pipeline_option
@click.option("--no-reduce", is_flag=True, help="Test only: leave failing repros as they were recorded.")
@click.option(
    "--no-self-check", is_flag=True, help="Do not replay the recorded repros under plain JAX first."
)
@inputs_option
@report_option
@rules_option
@sanitize_option
@common_options
@program_options
def command(
    words: tuple[str, ...],
    module: str | None,
    use_pytest: bool,
    max_disk: int | None,
    max_inputs: int,
    out: Path | None,
    pipelines: tuple[str, ...],
    no_reduce: bool,
    no_self_check: bool,
    inputs: int | None,
    bug_report: Path | None,
    rules: Path | None,
    sanitize: bool,
    settings: Settings,
) -> None:
    """Record PROG.py, test every function it lets JAX trace through DaCe, and reduce what fails.

    The program runs unmodified, as `python PROG.py ARGS...` would run it. Every distinct function that JAX
    traces is written as a repro with its real inputs, replayed under plain JAX, and compared with its DaCe
    translation in a worker process, so that a crash or an endless loop is a result like any other. For every
    distinct failure the smallest entry that shows it is reduced to a minimal repro.

    \b
    DIR/report.json    the machine report
    DIR/entries/       a repro of every recorded entry
    DIR/children/PID/  the same for each process that the program started
    DIR/minimal/       a minimal repro of every distinct failure

    \b
    jace-repro run train.py --epochs 1
    jace-repro run --pipeline canonical/simplify -o found simulation.py
    jace-repro run -m package.module --size 100
    jace-repro run --pytest tests -k solver
    """
    terminal = Terminal(verbose=settings.verbose)
    target = make_target(words, module, use_pytest)
    directory = output_directory(out, target)
    warn_about_jaxlib(terminal)
    recorded = record_target(target, directory, max_disk, max_inputs, settings, terminal)
    entries = entry_reports(recorded, max_inputs)
    interrupted = recorded.error == INTERRUPTED
    errors: list[str] = []
    if not interrupted:
        try:
            if not no_self_check:
                entries = self_checked(entries, settings, terminal)
                errors += [
                    f"{e.name}: self-check {e.self_check}: {e.error}" for e in entries if _unfaithful(e)
                ]
            entries = _test(
                entries,
                directory,
                choose_pipelines(pipelines),
                rules,
                no_reduce,
                settings,
                terminal,
                sanitize=sanitize,
                inputs=inputs,
            )
        except _Interrupted as stop:
            entries, interrupted = stop.entries, True
        except KeyboardInterrupt:
            interrupted = True
    result = Report("run", tuple(entries), program_report(target, recorded), tuple(errors), interrupted)
    report.write(result, directory / "report.json")
    end = describe_program_end(recorded)
    summary.print_summary(result, terminal, base=directory if entries else None, program_end=end)
    if interrupted and entries:
        where = [directory / ENTRIES]
        if any(e.processes for e in entries):
            where.append(directory / CHILDREN / "*" / ENTRIES)
        terminal.line(f"Go on with: jace-repro check {' '.join(f'{path}/*.py' for path in where)}")
    finish(result, settings, terminal, bug_report)


class _Interrupted(Exception):
    """Ctrl-C, with what was known until then."""

    def __init__(self, entries: list[EntryReport]) -> None:
        super().__init__()
        self.entries = entries


def _unfaithful(entry: EntryReport) -> bool:
    return entry.self_check not in (None, "exact")


def _test(
    entries: list[EntryReport],
    directory: Path,
    pipelines: tuple[str, ...],
    rules: Path | None,
    no_reduce: bool,
    settings: Settings,
    terminal: Terminal,
    *,
    sanitize: bool,
    inputs: int | None,
) -> list[EntryReport]:
    """Test all entries, then reduce one for each signature. Raises _Interrupted."""
    if not entries:
        return entries
    known = list(entries)

    def keep(index: int, entry: EntryReport) -> None:
        known[index] = entry
        if not entry.eager or settings.verbose or entry.findings:
            terminal.line(*summary.result_line(entry))

    try:
        with testing.open_pool(settings, rules, sanitize=sanitize, inputs=inputs) as pool:
            testing.check_entries(entries, pool, pipelines, settings, terminal, keep)
            if (line := summary.eager_line(known)) is not None and not settings.verbose:
                terminal.line(*line)
            if not no_reduce:
                _reduce(known, directory, rules, pool, settings, terminal)
    except KeyboardInterrupt:
        raise _Interrupted(known) from None
    return known


def _reduce(
    entries: list[EntryReport],
    directory: Path,
    rules: Path | None,
    pool: Pool,
    settings: Settings,
    terminal: Terminal,
) -> None:
    """Give the smallest entry of each signature a minimal repro; changes `entries` one by one."""
    reduced_in: dict[str, str] = {}
    for index in sorted(range(len(entries)), key=lambda i: entries[i].equations):
        entry = entries[index]
        verdict = next((v for v in entry.findings if v.signature not in reduced_in), None)
        if verdict is None:
            if entry.findings:
                entries[index] = replace(entry, same_as=reduced_in[entry.findings[0].signature or ""])
            continue
        terminal.note(f"jace-repro: reducing {entry.name} ({verdict.outcome} on {verdict.pipeline})")
        name = "-".join(filter(None, (_slug(entry.name), verdict.outcome, (verdict.signature or "")[:8])))
        entries[index] = testing.reduce_finding(
            entry, verdict, rules, pool, directory / "minimal" / f"{name}.py", settings, terminal
        )
        reduced_in[verdict.signature or ""] = entry.name
        if (reduced := entries[index].reduced) is not None and reduced.stopped == "interrupt":
            raise KeyboardInterrupt  # the reducer kept what it had; the rest of the run ends here


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "entry"
