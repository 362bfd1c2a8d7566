"""``jace-repro reduce``: from a failing repro to a minimal one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.cli import summary, testing
from jace_repro.cli.common import (
    Settings,
    Terminal,
    choose_pipelines,
    common_options,
    describe_error,
    finish,
    pipeline_option,
    report_option,
    rules_option,
    warn_about_jaxlib,
)
from jace_repro.reducer import predicate_check
from jace_repro.repro import ReproError, load
from jace_repro.repro.sourcemap import in_user_terms
from jace_repro.tester.verdict.outcomes import Verdict


@click.command("reduce")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the minimal repro [default: REPRO.min.py].",
)
@click.option("--signature", metavar="S", help="Keep this failure, when the repro shows several.")
@click.option(
    "--predicate",
    metavar="CMD",
    help="Judge candidates by a command, not by the tester: "
    "CMD FILE exits 0 while FILE still fails ({} in CMD stands for FILE).",
)
@click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=testing.REDUCE_CALLS,
    show_default=True,
    metavar="N",
    help="Candidates to test at most.",
)
@pipeline_option
@report_option
@rules_option
@common_options
def command(
    path: Path,
    out: Path | None,
    signature: str | None,
    predicate: str | None,
    max_calls: int,
    pipelines: tuple[str, ...],
    bug_report: Path | None,
    rules: Path | None,
    settings: Settings,
) -> None:
    """Reduce REPRO.py to the smallest program that fails the same way.

    The same way means the same signature: outcome, guilty primitive and pass, kind of difference. Fewer
    equations count first, then fewer elements, then plainer values.

    \b
    jace-repro reduce entries/step.py -o minimal.py
    jace-repro reduce big.py --predicate 'python still_wrong.py'
    """
    terminal = Terminal(verbose=settings.verbose)
    warn_about_jaxlib(terminal)
    try:
        repro = load(path)
    except (OSError, ReproError) as error:
        raise click.UsageError(f"{path}: {error}") from error
    out = out if out is not None else path.with_suffix(".min.py")
    names = choose_pipelines(pipelines, repro.header.pipeline)
    entry = EntryReport(repro.header.name, path.as_posix(), repro=path)
    errors: list[str] = []
    interrupted = False
    try:
        with testing.open_pool(settings, rules) as pool:
            if predicate is not None:
                check = predicate_check(predicate, settings.stage_timeout)
                verdicts = [check(repro)]
            else:
                check = None
                verdicts = pool.check(repro, names)
            verdicts = [replace(v, detail=in_user_terms(repro.source, v.detail)) for v in verdicts]
            entry = replace(entry, verdicts=tuple(verdicts))
            verdict = _wanted(verdicts, signature, repro.header.signature)
            if verdict is None:
                terminal.line(*summary.result_line(entry))
                _nothing_to_reduce(path, verdicts, signature, terminal)
            reduced = testing.reduce_one(
                repro, verdict, pool, terminal, out, max_calls=max_calls, check=check
            )
            testing.save_reduced(reduced, verdict, out)
            localized = testing.localized_json(repro, None, verdict)
            entry = replace(entry, localized=localized, reduced=testing.reduced_report(reduced, out))
            interrupted = reduced.stopped == "interrupt"
    except KeyboardInterrupt:
        interrupted = True
    except Exception as error:  # the reducer's own failure: reported, exit code 2
        errors.append(f"reduce: {describe_error(error, settings.verbose)}")
    result = Report("reduce", (entry,), errors=tuple(errors), interrupted=interrupted)
    summary.print_summary(result, terminal, base=None)
    finish(result, settings, terminal, bug_report)


def _wanted(verdicts: list[Verdict], signature: str | None, recorded: str | None) -> Verdict | None:
    """The verdict to keep: the one with that signature; else the recorded one's; else the first finding."""
    findings = [v for v in verdicts if v.signature is not None]
    if signature is not None:
        return next(
            (v for v in findings if v.signature is not None and v.signature.startswith(signature)), None
        )
    return next((v for v in findings if v.signature == recorded), next(iter(findings), None))


def _nothing_to_reduce(
    path: Path, verdicts: list[Verdict], signature: str | None, terminal: Terminal
) -> NoReturn:
    wanted = f"the failure {signature}" if signature is not None else "a failure"
    seen = ", ".join(f"{v.outcome} on {v.pipeline}" for v in verdicts)
    terminal.warn(
        f"jace-repro: {path} does not show {wanted} (it gives: {seen}), so there is nothing to reduce"
    )
    sys.exit(exit_codes.ERROR)
