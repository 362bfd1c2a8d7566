"""``jace-repro check``: test repro files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from jace_repro.campaign import releases
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.cli import summary, testing
from jace_repro.cli.common import (
    Settings,
    Terminal,
    common_options,
    finish,
    inputs_option,
    pipeline_option,
    report_option,
    rules_option,
    sanitize_option,
    warn_about_jaxlib,
)
from jace_repro.repro import Repro, ReproError, load
from jace_repro.tester.verdict.outcomes import Verdict


@click.command("check")
@click.argument(
    "repros", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py..."
)
@click.option(
    "--versions",
    "pinned",
    metavar="jax==A,jax==B",
    help="Test in one environment per release instead of in this one, and name the first bad one. The environments "
    "are made from the package registry and kept in the cache.",
)
@pipeline_option
@inputs_option
@report_option
@rules_option
@sanitize_option
@common_options
def command(
    repros: tuple[Path, ...],
    pinned: str | None,
    pipelines: tuple[str, ...],
    inputs: int | None,
    bug_report: Path | None,
    rules: Path | None,
    sanitize: bool,
    settings: Settings,
) -> None:
    """Test repro files: run each under plain JAX and through DaCe, and compare.

    Without --pipeline, a repro that was made for one is tested on that one. When its header expects an
    outcome, the result says whether it still shows. What crashes is run once more in a sanitized build, which
    tells where.

    \b
    jace-repro check minimal/step-mismatch-3fa9c1d2.py
    jace-repro check --jobs 2 --pipeline canonical/simplify entries/*.py
    jace-repro check --versions jax==0.10.1,jax==0.10.2 repro.py
    jace-repro check --sanitize entries/*.py
    jace-repro check --inputs all --report bug.md repro.py
    """
    terminal = Terminal(verbose=settings.verbose)
    if pinned is not None and (inputs != 0 or bug_report is not None):
        raise click.UsageError("--versions goes neither with --inputs nor with --report")
    if pinned is not None:
        _check_releases(repros, pinned, pipelines, rules, settings, terminal)
        return
    warn_about_jaxlib(terminal)
    loaded, errors = _load(repros)
    results: list[EntryReport] = []
    interrupted = False

    def keep(_: int, entry: EntryReport) -> None:
        results.append(entry)
        terminal.line(*summary.result_line(entry))
        assert entry.repro is not None
        if expectation := _expectation(loaded[entry.repro], entry):
            terminal.line(f"{'':4} {expectation}")

    try:
        if loaded:
            entries = [
                EntryReport(repro.header.name, path.as_posix(), repro=path) for path, repro in loaded.items()
            ]
            with testing.open_pool(settings, rules, sanitize=sanitize, inputs=inputs) as pool:
                results = testing.check_entries(entries, pool, pipelines, settings, terminal, keep)
    except KeyboardInterrupt:
        interrupted = True
    result = Report("check", tuple(results), errors=tuple(errors), interrupted=interrupted)
    summary.print_summary(result, terminal, base=None)
    finish(result, settings, terminal, bug_report)


def _check_releases(
    repros: tuple[Path, ...],
    text: str,
    pipelines: tuple[str, ...],
    rules: Path | None,
    settings: Settings,
    terminal: Terminal,
) -> None:
    """Test in one environment per release; the report has an entry for each repro and release."""
    try:
        wanted = releases.parse(text)
    except releases.ReleaseError as error:
        raise click.UsageError(str(error)) from error
    arguments = [str(path.resolve()) for path in repros]
    arguments += [word for name in pipelines for word in ("--pipeline", name)]
    arguments += ["--rules", str(rules)] if rules is not None else []
    arguments += ["--jobs", str(settings.jobs), "--timeout", str(settings.stage_timeout)]
    results: list[EntryReport] = []
    errors: list[str] = []
    bad: list[str] = []
    for release in wanted:
        try:
            found = releases.report_of(release, arguments)
        except releases.ReleaseError as error:
            errors.append(str(error))
            continue
        errors.extend(f"{release}: {text}" for text in found["summary"]["errors"])
        entries = [_entry_with(release, data) for data in found["entries"]]
        for entry in entries:
            terminal.line(*summary.result_line(entry))
        bad += [str(release)] if any(entry.findings for entry in entries) else []
        results.extend(entries)
    extra = {"first_bad_version": bad[0] if bad else None}
    result = Report("check", tuple(results), errors=tuple(errors), extra=extra)
    summary.print_summary(result, terminal, base=None)
    terminal.line(f"The first bad version is {bad[0]}." if bad else "No version is bad.")
    finish(result, settings, terminal)


def _entry_with(release: releases.Release, data: Mapping[str, Any]) -> EntryReport:
    """An entry of another environment's report."""
    path = Path(data["source"])
    verdicts = tuple(Verdict.from_json(verdict) for verdict in data["verdicts"])
    source = relative(path, Path.cwd()) or str(path)
    return EntryReport(f"{data['name']} with {release}", source, repro=path, verdicts=verdicts)


def _load(paths: tuple[Path, ...]) -> tuple[dict[Path, Repro], list[str]]:
    """The repros that can be read, and a line for each that cannot."""
    loaded: dict[Path, Repro] = {}
    errors = []
    for path in paths:
        try:
            loaded[path] = load(path)
        except (OSError, ReproError) as error:
            errors.append(f"{path}: {error}")
    return loaded, errors


def _expectation(repro: Repro, entry: EntryReport) -> str | None:
    """Whether the repro still shows what its header says."""
    header = repro.header
    if header.outcome is None or header.outcome == "ok":
        return None
    verdict = next((v for v in entry.verdicts if v.pipeline == header.pipeline), None)
    if verdict is None:
        return None
    if verdict.outcome != header.outcome:
        where = f"{header.pipeline}, on a CPU with {header.cpu}" if header.cpu else header.pipeline
        return f"fixed or changed: its header expects {header.outcome} on {where}"
    if header.signature is not None and verdict.signature != header.signature:
        return (
            f"another failure: its header expects signature {header.signature}, this is {verdict.signature}"
        )
    return f"as its header expects: {header.outcome}, signature {header.signature}"
