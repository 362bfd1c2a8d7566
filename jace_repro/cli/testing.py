"""Testing entries and reducing what fails: what `run`, `check`, `localize` and `reduce` share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jace_repro.campaign.report import EntryReport, ReducedReport
from jace_repro.cli.common import Settings, Terminal, choose_pipelines, describe_error
from jace_repro.repro.sourcemap import in_user_terms
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.outcomes import Verdict

if TYPE_CHECKING:
    from jace_repro.reducer import Reduced
    from jace_repro.repro import Repro
    from jace_repro.tester import Localized, Pool

#: Candidates that a reduction tests at most; each may cost a timeout when the failure is one.
REDUCE_CALLS = 60
TIMEOUT_REDUCE_CALLS = 20
#: Seconds after which a candidate counts as endless, when an endless loop is reduced.
TIMEOUT_REDUCE_SECONDS = 20.0
#: Outcomes in which one equation may be wrong by itself.
LOCALIZABLE = frozenset({"mismatch", "reference-mismatch", "nondeterministic"})
#: JAX's configuration is the process's: one repro at a time.
_CONFIGURING = threading.Lock()


@contextmanager
def open_pool(
    settings: Settings, rules: Path | None, *, sanitize: bool = False, inputs: int | None = 0
) -> Iterator[Pool]:
    """The workers; ended on exit, also by ctrl-C. Raises UsageError when nothing can be sanitized here."""
    from jace.errors import CompileError
    from jace_repro.tester import Pool
    from jace_repro.tester.check import Options

    how = Options(remember=True, inputs=inputs)
    try:
        pool = Pool(settings.jobs, settings.stage_timeout, rules=rules, options=how, sanitize=sanitize)
    except CompileError as error:
        raise click.UsageError(str(error)) from error
    with pool:
        yield pool


def check_entries(
    entries: Sequence[EntryReport],
    pool: Pool,
    pipelines: Sequence[str],
    settings: Settings,
    terminal: Terminal,
    on_result: Callable[[int, EntryReport], None],
) -> list[EntryReport]:
    """The entries with their verdicts, in the given order; `on_result` sees each as it is ready."""
    results = list(entries)
    with (
        terminal.progress("testing", total=len(entries)) as advance,
        ThreadPoolExecutor(max_workers=settings.jobs) as threads,
    ):
        waiting: dict[Future[EntryReport], int] = {
            threads.submit(_check_inputs, entry, pool, pipelines, settings.verbose): index
            for index, entry in enumerate(entries)
        }
        try:
            for done in as_completed(waiting):
                index = waiting[done]
                results[index] = done.result()
                on_result(index, results[index])
                advance(results[index].name)
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def _check_inputs(entry: EntryReport, pool: Pool, pipelines: Sequence[str], verbose: bool) -> EntryReport:
    """The entry with the verdicts of the first of its repros that shows a finding, else of the least good one."""
    results = []
    for repro in entry.repros or (entry.repro,):
        results.append(_check_one(replace(entry, repro=repro), pool, pipelines, verbose))
        if results[-1].findings:
            return results[-1]
    return max(results, key=lambda result: any(v.outcome != "ok" for v in result.verdicts))


def _check_one(entry: EntryReport, pool: Pool, pipelines: Sequence[str], verbose: bool) -> EntryReport:
    if entry.status in ("trace-error", "tracing"):
        detail = f"the program ends while JAX traces it: {entry.error}"
        if entry.status == "trace-error":
            detail = f"the program raises while JAX traces it: {entry.error}"
        failed = tuple(Verdict(p, "reference-error", detail=detail, stage="trace") for p in pipelines)
        return replace(entry, verdicts=failed)
    if entry.repro is None:
        detail = f"no repro could be written: {entry.error}"
        return replace(entry, verdicts=tuple(Verdict(p, "harness-error", detail=detail) for p in pipelines))
    try:
        from jace_repro.repro import load

        repro = load(entry.repro)
        verdicts = pool.check(repro, choose_pipelines(pipelines, repro.header.pipeline), explain=True)
        written, unwritten = _written(entry.repro, repro, verdicts)
        told = tuple(
            replace(v, detail=in_user_terms(repro.source, v.detail + unwritten.get(v.inputs or "", "")))
            for v in verdicts
        )
        return replace(entry, verdicts=told, with_inputs=written)
    except Exception as error:  # the tester itself failed: that is this entry's outcome
        detail = describe_error(error, verbose)
        names = choose_pipelines(pipelines)
        return replace(entry, verdicts=tuple(Verdict(p, "harness-error", detail=detail) for p in names))


def _written(path: Path, repro: Repro, verdicts: Sequence[Verdict]) -> tuple[dict[str, Path], dict[str, str]]:
    """The repros on the generated inputs of findings, written beside the repro, and why there is none, by inputs."""
    from jace_repro.tester.inputs.generated import with_generated

    written: dict[str, Path] = {}
    unwritten: dict[str, str] = {}
    for name in {v.inputs for v in verdicts if v.is_finding and v.inputs is not None}:
        to = path.with_suffix(f".{name}.py")
        try:
            with _CONFIGURING:
                with_generated(repro, name).save(to)
            written[name] = to
        except Exception as error:  # the finding stands; say why there is no repro of it
            unwritten[name] = f"; no repro with these inputs: {type(error).__name__}: {error}"
    return written, unwritten


def first_finding(entry: EntryReport) -> Verdict | None:
    """The verdict that is looked into: the first failed one."""
    return entry.findings[0] if entry.findings else None


def why_not_reduced(verdict: Verdict) -> str | None:
    """The reason when a failure is left as it is, else None."""
    if verdict.signature is None:
        return "it has no signature to keep"
    if verdict.outcome == "nondeterministic":
        return "a smaller program may hide it by chance"
    if verdict.outcome == "timeout" and verdict.stage != "run":
        return f"stage '{verdict.stage}' is slow, which a smaller program always mends"
    return None


def reduce_finding(
    entry: EntryReport,
    verdict: Verdict,
    rules: Path | None,
    pool: Pool,
    destination: Path,
    settings: Settings,
    terminal: Terminal,
) -> EntryReport:
    """The entry with the guilty equation of `verdict` and a minimal repro of it, at `destination`.

    A failure of the reducer is noted in the entry's `error`; the full repro remains.
    """
    from jace_repro.repro import load

    path = entry.repro_of(verdict)
    assert path is not None
    assert entry.repro is not None
    try:
        repro = load(path)
        # the places that a verdict names are lines of what was tested, whatever inputs it was tested on
        entry = replace(entry, localized=localized_json(load(entry.repro), None, verdict))
        if reason := why_not_reduced(verdict):
            return replace(entry, error=f"not reduced: {reason}")
        if verdict.outcome == "timeout":
            quick = replace(settings, timeout=min(settings.stage_timeout, TIMEOUT_REDUCE_SECONDS))
            with open_pool(quick, rules) as hasty:
                reduced = reduce_one(
                    repro, verdict, hasty, terminal, destination, max_calls=TIMEOUT_REDUCE_CALLS
                )
        else:
            reduced = reduce_one(repro, verdict, pool, terminal, destination)
        saved = save_reduced(reduced, verdict, destination)
    except Exception as error:  # the finding stands without a reduction; say why there is none
        return replace(entry, error=f"not reduced: {describe_error(error, settings.verbose)}")
    return replace(entry, reduced=reduced_report(reduced, saved))


def reduce_one(
    repro: Repro,
    verdict: Verdict,
    pool: Pool,
    terminal: Terminal,
    destination: Path,
    *,
    max_calls: int = REDUCE_CALLS,
    check: Callable[[Repro], Verdict] | None = None,
) -> Reduced:
    """Reduce `repro` while it keeps the signature of `verdict`; `check` replaces the tester as the judge.

    The best repro so far is at `destination` all the time: nothing is lost when the process ends.
    """
    from jace_repro.reducer import reduce_repro

    def judge(candidate: Repro) -> Verdict:
        # who is to blame does not matter here: the signature does
        return pool.check(candidate, [verdict.pipeline], replace(pool.options, blame=False, inputs=0))[0]

    def localize(candidate: Repro) -> Localized | None:
        return pool.localize(candidate, verdict.pipeline)

    assert verdict.signature is not None
    can_localize = check is None and verdict.outcome in LOCALIZABLE
    with terminal.progress("reducing", total=max_calls) as advance:
        return reduce_repro(
            repro,
            check or judge,
            signature=verdict.signature,
            localize=localize if can_localize else None,
            max_calls=max_calls,
            best_path=destination,
            on_progress=lambda step: advance(f"({step.pass_name}: {step.key.equations} equations)"),
        )


def save_reduced(reduced: Reduced, verdict: Verdict, path: Path) -> Path:
    """Write the minimal repro with a header that says what it shows."""
    header = replace(
        reduced.repro.header,
        pipeline=verdict.pipeline,
        outcome=verdict.outcome,
        signature=verdict.signature,
    )
    replace(reduced.repro, header=header).save(path)
    return path


def reduced_report(reduced: Reduced, path: Path) -> ReducedReport:
    """The numbers of a reduction, for the report."""
    return ReducedReport(
        path, reduced.equations, reduced.elements, reduced.oracle_calls, reduced.seconds, reduced.stopped
    )


def localized_json(repro: Repro, found: Localized | None, verdict: Verdict) -> dict[str, Any] | None:
    """The report's `localized`: what localisation found, else what the verdict itself names.

    `source` is the line of the user's program when the repro knows it, else the line of the repro.
    """
    culprit = verdict.guilty
    if found is not None:
        equation = {name: getattr(found.culprit, name) for name in ("equation", "primitive", "source")}
        culprit = replace(culprit or Culprit(), **equation)
    return None if culprit is None else culprit.in_user_terms(repro.source).to_report(verdict.pipeline)
