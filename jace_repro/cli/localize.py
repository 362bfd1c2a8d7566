"""``jace-repro localize``: what makes a repro fail: the equation, DaCe's pass, the flag of the C++ compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jace_repro.campaign.report import EntryReport, Report, relative
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
    sanitize_option,
    warn_about_jaxlib,
)
from jace_repro.repro import Repro, ReproError, load
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.outcomes import Verdict

if TYPE_CHECKING:
    from jace_repro.tester import Localized
    from jace_repro.tester.locate.bisected import Bisected

DEFAULT_OUT = Path("jace-repro-out/localized")
#: Lines of the change of an SDFG that are printed; diff.txt has all of them.
DIFF_LINES = 40
#: What in the report's `localized` are files.
_PATHS = ("before", "after", "diff")
#: Outcomes that a pass or a flag may be guilty of.
_BISECTED = frozenset(
    {"mismatch", "nondeterministic", "invalid-sdfg", "pass-error", "codegen-error", "compile-error"}
    | {"crash", "timeout", "memory"}
)


@click.command("localize")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py")
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
@report_option
@rules_option
@sanitize_option
@common_options
def command(
    path: Path,
    out: Path,
    pipelines: tuple[str, ...],
    bug_report: Path | None,
    rules: Path | None,
    sanitize: bool,
    settings: Settings,
) -> None:
    """Name what makes REPRO.py fail: the first equation, pass and transformation, or compiler flag.

    The equation: all are evaluated one by one with XLA and put side by side through DaCe on the same operand
    values; loops and branches are entered. When none diverges alone, the smallest window that fails is named.

    The pass: a binary search compiles the program as it is after some of the passes that changed it, then
    after some of the transformations that the guilty pass applied. The SDFG before and after it is saved and
    the change is printed. Pipeline "fused" is searched for the guilty decision of fusion.

    The flag: when the same SDFG is right without optimisation, the C++ compiler's flags are searched.
    """
    terminal = Terminal(verbose=settings.verbose)
    warn_about_jaxlib(terminal)
    try:
        repro = load(path)
    except (OSError, ReproError) as error:
        raise click.UsageError(f"{path}: {error}") from error
    entry = EntryReport(repro.header.name, path.as_posix(), repro=path)
    errors: list[str] = []
    interrupted = False
    try:
        with testing.open_pool(settings, rules, sanitize=sanitize) as pool:
            (entry,) = testing.check_entries(
                [entry],
                pool,
                choose_pipelines(pipelines, repro.header.pipeline),
                settings,
                terminal,
                lambda _, tested: terminal.line(*summary.result_line(tested)),
            )
            verdict = testing.first_finding(entry)
            if verdict is not None:

                def attempt(what: str, search: Callable[..., Any], *more: str) -> Any:
                    try:
                        return search(repro, verdict.pipeline, *more)
                    except Exception as error:  # the tester's failure is reported, the verdict stands
                        errors.append(f"{what}: {describe_error(error, settings.verbose)}")
                        return None

                found = attempt("localize", pool.localize) if verdict.outcome in testing.LOCALIZABLE else None
                guilty = verdict.outcome in _BISECTED
                culprit = attempt("bisect", pool.bisect, verdict.outcome) if guilty else None
                localized = _localized(repro, found, culprit, verdict, out / path.stem)
                base = Path() if settings.json_path is None else settings.json_path.parent
                places = {k: localized[k] and relative(Path(localized[k]), base) for k in _PATHS}
                entry = replace(entry, localized={**localized, **places})
                for line in _told(found, culprit, localized):
                    terminal.line(line)
    except KeyboardInterrupt:
        interrupted = True
    result = Report("localize", (entry,), errors=tuple(errors), interrupted=interrupted)
    summary.print_summary(result, terminal, base=None)
    finish(result, settings, terminal, bug_report)


def _localized(
    repro: Repro, found: Localized | None, culprit: Bisected | None, verdict: Verdict, folder: Path
) -> dict[str, Any]:
    """The report's `localized`; saves the SDFGs."""
    base = testing.localized_json(repro, found, verdict) or {"pipeline": verdict.pipeline}
    equation = (verdict.guilty or Culprit()) if found is None else found.culprit
    step = culprit.culprit if culprit is not None else Culprit()
    saved = culprit.save(folder) if culprit is not None and step.pass_ else {}
    kernel = None
    if step.transformation == "fusion" and step.match.startswith("computed in "):
        kernel, _, joined = step.match.splitlines()[0].removeprefix("computed in ").partition(": ")
        base["equation"] = base.get("equation") or joined
    return {
        **{name: base.get(name) for name in ("equation", "primitive", "source", "pass")},
        **base,
        "pass": step.pass_ if culprit is not None else base.get("pass"),
        "application": step.application,
        "transformation": step.transformation or None,
        "match": step.match or None,
        "before": saved["before"].as_posix() if "before" in saved else None,
        "after": saved["after"].as_posix() if "after" in saved else None,
        "diff": saved["diff"].as_posix() if "diff" in saved else None,
        "flags": step.flag,
        "iteration": equation.iteration,
        "kernel": kernel,
        "path": list(equation.path),
        "values": equation.to_json().get("values"),
        "stop": culprit.stop or None if culprit is not None else None,
        "notes": list(culprit.notes) if culprit is not None else [],
        "compilations": {
            "equation": equation.compilations,
            **(culprit.compilations if culprit is not None else {}),
        },
    }


def _told(found: Localized | None, culprit: Bisected | None, localized: dict[str, Any]) -> Iterable[str]:
    """What a person reads: numbered lines."""
    yield f"Localised on {localized['pipeline']}:"
    lines = [*_equation_lines(found, localized), *_pass_lines(culprit, localized)]
    yield from (f"  {number}. {line}" for number, line in enumerate(lines, 1))
    if culprit is not None and culprit.diff:
        yield f"  What changed (of {len(culprit.diff)} lines):"
        yield from (f"    {line}" for line in culprit.diff[:DIFF_LINES])


def _equation_lines(found: Localized | None, localized: dict[str, Any]) -> Iterable[str]:
    if found is None:
        yield "equation: none diverges by itself: the failure lies in how equations are combined"
        return
    culprit = found.culprit
    inside = f" in {' > '.join(culprit.path)}" if culprit.path else ""
    source = f" at {localized['source']}" if localized["source"] else ""
    yield f"equation: {culprit.equation}{inside}{source}"
    if culprit.note:
        yield f"note: {culprit.note}"
    for name, texts in culprit.values.items():
        yield f"{name}: {'; '.join(texts)}"


def _pass_lines(found: Bisected | None, localized: dict[str, Any]) -> Iterable[str]:
    if found is None:
        return
    culprit = found.culprit
    if culprit.pass_ is not None:
        number = f", application {culprit.application}" if culprit.application else ""
        what = f": {culprit.transformation}" if culprit.transformation else ""
        yield f"pass: {culprit.pass_}{number}{what}"
    elif found.innocent:
        yield "pass: none: it fails without any; a translation rule or the plain plan is wrong"
    if culprit.match:
        yield "match: " + culprit.match.replace("\n", "\n       ")
    if culprit.flag is not None:
        yield f"flag: {culprit.flag}; the same SDFG is right without optimisation"
    if found.stop:
        yield f'again: jace.jit(pipeline="{found.stop}"), or JACE_STOP_AFTER={found.stop.partition("@")[2]}'
    if localized["before"]:
        yield f"saved: {localized['before']}, {localized['after']}, {localized['diff']}"
    yield from (f"note: {note}" for note in found.notes)
    counted = ", ".join(f"{count} for {what}" for what, count in localized["compilations"].items() if count)
    yield f"compilations: {counted or 'none'}"
