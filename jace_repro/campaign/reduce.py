"""What `jace-repro reduce` and `jace_repro.reduce` do: from a failing repro to the smallest that fails the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign.described import primitives
from jace_repro.campaign.files import Loaded
from jace_repro.campaign.localize import localized_json
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.reduction import Judge, reduce_findings, reduce_one, reduced_report
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.campaign.testing import check_entries, open_pool
from jace_repro.campaign.text import describe_error
from jace_repro.reducer import predicate_check
from jace_repro.repro import Repro
from jace_repro.repro.entry import Entry
from jace_repro.repro.sourcemap import in_user_terms
from jace_repro.tester import Pool, Verdict
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS


class NothingToReduceError(ValueError):
    """A repro does not fail, or not in the way that was asked for.

    Attributes:
        verdicts: what it gives instead.
    """

    def __init__(self, name: str, signature: str | None, verdicts: Sequence[Verdict]) -> None:
        wanted = f"the failure {signature}" if signature is not None else "a failure"
        seen = ", ".join(f"{v.outcome} on {v.pipeline}" for v in verdicts)
        super().__init__(f"{name} does not show {wanted} (it gives: {seen}), so there is nothing to reduce")
        self.verdicts = tuple(verdicts)


def reduce_file(
    path: Path,
    repro: Repro,
    out: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    signature: str | None = None,
    max_calls: int = REDUCE_CALLS,
    predicate: str | None = None,
) -> Report:
    """Reduce the repro that was loaded from `path`; the minimal one goes to `out`.

    A failure of the reducer is an error of the report; ctrl-C ends it with what there is.

    Args:
        path: for the report.
        repro: what fails.
        out: where the minimal repro goes; the best so far is there all the time.
        settings: how candidates are tested.
        observer: is told of the progress.
        signature: the beginning of that of the failure to keep, when the repro shows several.
        max_calls: candidates to test at most.
        predicate: a command that judges the repro and candidates in place of the tester; see `predicate_check`.
    Raises:
        NothingToReduceError: there is no such failure.
    """
    entry = EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
    errors: list[str] = []
    interrupted = False
    try:
        with open_pool(settings) as pool:
            judge = None if predicate is None else predicate_check(predicate, settings.stage_timeout)
            verdicts = judged(repro, pool, settings.pipelines, judge)
            entry = replace(entry, verdicts=verdicts)
            verdict = failure_to_keep(str(path), verdicts, signature, repro.header.signature)
            reduced = reduce_one(repro, verdict, pool, out, max_calls, judge=judge, observer=observer)
            entry = replace(
                entry, localized=localized_json(repro, None, verdict), reduced=reduced_report(reduced, out)
            )
            interrupted = reduced.stopped == "interrupt"
    except NothingToReduceError:
        raise
    except KeyboardInterrupt:
        interrupted = True
    except Exception as error:  # the reducer's own failure: reported
        errors.append(f"reduce: {describe_error(error, settings.verbose)}")
    return Report("reduce", (entry,), errors=tuple(errors), interrupted=interrupted)


def reduce_files(loaded: Loaded, folder: Path, settings: Settings, observer: Observer = NOBODY) -> Report:
    """Test repros, and reduce of those that show the same finding the smallest.

    Ctrl-C ends it with what there is.

    Args:
        loaded: the repros.
        folder: where minimal ones go.
        settings: how they are tested.
        observer: is told of the tests and of the progress.
    """
    entries = [
        EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
        for path, repro in loaded.repros.items()
    ]
    sources = list(loaded.repros.values())
    interrupted = False

    def keep(index: int, tested: EntryReport) -> None:
        if tested.findings:  # the smallest is reduced
            found = primitives(sources[index])
            sized = replace(tested.entry, equations=sum(found.values()), primitives=found)
            tested = replace(tested, entry=sized)
        entries[index] = tested
        observer.tested(tested, "")

    try:
        with open_pool(settings) as pool:
            check_entries(tuple(entries), pool, settings, keep, observer)
            for index, entry in reduce_findings(tuple(entries), folder, pool, settings, observer):
                entries[index] = entry
    except KeyboardInterrupt:
        interrupted = True
    return Report("reduce", tuple(entries), errors=loaded.errors, interrupted=interrupted)


def judged(
    repro: Repro, pool: Pool, pipelines: tuple[str, ...], judge: Judge | None = None
) -> tuple[Verdict, ...]:
    """The verdicts of `judge`, else of the tester on each pipeline; places are lines of the user's program."""
    if judge is not None:
        verdicts = [judge(repro)]
    else:
        verdicts = pool.check(repro, choose_pipelines(pipelines, repro.header.pipeline))
    return tuple(replace(v, detail=in_user_terms(repro.source, v.detail)) for v in verdicts)


def failure_to_keep(
    name: str, verdicts: Sequence[Verdict], signature: str | None, recorded: str | None
) -> Verdict:
    """The verdict to keep: the one whose signature begins so; else the recorded one's; else the first finding.

    Raises NothingToReduceError.
    """
    signed = [(v.signature, v) for v in verdicts if v.signature is not None]
    if signature is not None:
        chosen = [v for own, v in signed if own.startswith(signature)]
    else:
        chosen = [v for own, v in signed if own == recorded] or [v for _, v in signed]
    if not chosen:
        raise NothingToReduceError(name, signature, verdicts)
    return chosen[0]
