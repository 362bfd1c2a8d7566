"""``jace-repro check``: test repro files."""

from __future__ import annotations

from pathlib import Path

import click

from jace_repro.commands import summary, testing
from jace_repro.commands.common import (
    Settings,
    Terminal,
    common_options,
    finish,
    pipeline_option,
    rules_option,
    sanitize_option,
    warn_about_jaxlib,
)
from jace_repro.report import EntryReport, Report
from jace_repro.repro import Repro, ReproError, load


@click.command("check")
@click.argument(
    "repros", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py..."
)
@pipeline_option
@rules_option
@sanitize_option
@common_options
def command(
    repros: tuple[Path, ...],
    pipelines: tuple[str, ...],
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
    jace-repro check --sanitize entries/*.py
    """
    terminal = Terminal(verbose=settings.verbose)
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
            with testing.open_pool(settings, rules, sanitize=sanitize) as pool:
                results = testing.check_entries(entries, pool, pipelines, settings, terminal, keep)
    except KeyboardInterrupt:
        interrupted = True
    result = Report("check", tuple(results), errors=tuple(errors), interrupted=interrupted)
    summary.print_summary(result, terminal, base=None)
    finish(result, settings, terminal)


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
        return f"fixed or changed: its header expects {header.outcome} on {header.pipeline}"
    if header.signature is not None and verdict.signature != header.signature:
        return (
            f"another failure: its header expects signature {header.signature}, this is {verdict.signature}"
        )
    return f"as its header expects: {header.outcome}, signature {header.signature}"
