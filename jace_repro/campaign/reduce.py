"""What `jace-repro reduce` and `jace_repro.reduce` do: from a failing repro to the smallest that fails the same way."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign.conditions import as_found
from jace_repro.campaign.described import primitives
from jace_repro.campaign.files import Loaded, alike
from jace_repro.campaign.localize import localized_json, seen_from
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.reduction import as_known, keep_met, reduce_findings, reduce_one, suited
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.campaign.smallest import Judge
from jace_repro.campaign.testing import check_entries, open_pool
from jace_repro.campaign.text import describe_error
from jace_repro.reducer import PREDICATE, predicate_check
from jace_repro.reducer.source import SOURCE_CALLS
from jace_repro.repro import Repro
from jace_repro.repro.entry import Entry
from jace_repro.tester import Pool, Verdict
from jace_repro.tester.inputs.generated import with_generated
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS


class NothingToReduceError(ValueError):
    """A repro does not fail, or not in the way that was asked for.

    Attributes:
        verdicts: what it gives instead.
    """

    def __init__(self, name: str, signature: str | None, verdicts: Sequence[Verdict]) -> None:
        super().__init__(_why_not(name, signature, verdicts))
        self.verdicts = tuple(verdicts)


def _why_not(name: str, signature: str | None, verdicts: Sequence[Verdict]) -> str:
    if [v.pipeline for v in verdicts] == [PREDICATE]:
        return f"{name} is not interesting ({verdicts[0].detail}), so there is nothing to reduce"
    wanted = f"the failure {signature}" if signature is not None else "a failure"
    seen = ", ".join(f"{v.outcome} on {v.pipeline}" for v in verdicts)
    return (
        f"{name} does not show {wanted} (it gives: {seen}), so there is nothing to reduce; "
        "--inputs all looks for inputs that show one"
    )


def reduce_file(
    path: Path,
    repro: Repro,
    out: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    signature: str | None = None,
    max_calls: int | None = None,
    seconds: float = math.inf,
    predicate: str | None = None,
    as_written: bool = False,
    history: Path | None = None,
) -> Report:
    """Reduce the repro that was loaded from `path`; the minimal one goes to `out`.

    A failure of the reducer is an error of the report; ctrl-C ends it with what there is.

    Args:
        path: for the report.
        repro: what fails, on its inputs or on generated ones (`settings.inputs`).
        out: where the minimal repro goes; the best so far is there all the time.
        settings: how candidates are tested.
        observer: is told of the progress.
        signature: the beginning of that of the failure to keep, when the repro shows several.
        max_calls: candidates to test at most; by default what `default_calls` says.
        seconds: from now on, after which no candidate is tested any more.
        predicate: a command that judges the repro and candidates in place of the tester; see `predicate_check`.
        as_written: the script is edited, not its jaxpr.
        history: a folder for the ever smaller repros on the way there.
    Raises:
        NothingToReduceError: there is no such failure.
    """
    until = time.monotonic() + seconds
    settings = as_found(settings, repro)
    entry = EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
    errors: list[str] = []
    notes: list[str] = []
    interrupted = False
    try:
        with open_pool(settings) as pool:
            judge = None if predicate is None else predicate_check(predicate, settings.stage_timeout)
            if judge is None:
                pool.add_spare()  # the candidates are tested by all
            verdicts = judged(repro, pool, settings.pipelines, judge)
            entry = replace(entry, verdicts=verdicts)
            verdict = failure_to_keep(str(path), verdicts, signature, repro.header.signature)
            shown = repro if verdict.inputs is None else with_generated(repro, verdict.inputs)
            with suited(pool, settings, verdict) as (suitable, hasty):
                found = reduce_one(
                    shown,
                    verdict,
                    suitable,
                    hasty,
                    out,
                    max_calls or default_calls(as_written),
                    until=until,
                    judge=judge,
                    as_written=as_written,
                    history=history,
                    observer=observer,
                )
            entry = replace(
                entry,
                verdicts=tuple(as_known(v, found.verdict) if v is verdict else v for v in verdicts),
                localized=localized_json(repro, None, verdict),
                reduced=found.report(out),
                error=found.doubt,
            )
            interrupted = found.reduced.stopped == "interrupt"
            met = tuple(keep_met(found, out, settings))
            entry = replace(entry, met=met)
            notes += [
                f"a part of it fails in another way ({v.outcome}): {p}"
                for (_, v), p in zip(found.met, met, strict=True)
            ]
    except NothingToReduceError:
        raise
    except KeyboardInterrupt:
        interrupted = True
    except Exception as error:  # the reducer's own failure: reported
        errors.append(f"reduce: {describe_error(error, settings.verbose)}")
    return Report("reduce", (entry,), errors=tuple(errors), interrupted=interrupted, notes=tuple(notes))


def default_calls(as_written: bool) -> int:
    """Candidates that a reduction tests at most, unless it is told: an edit of text takes less away."""
    return SOURCE_CALLS if as_written else REDUCE_CALLS


def reduce_files(
    loaded: Loaded,
    folder: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    base: Path = Path(),
) -> Report:
    """Test repros, and reduce of those that fail the same way, by themselves under plain JAX too, the smallest.

    Ctrl-C ends it with what there is.

    Args:
        loaded: the repros.
        folder: where minimal ones go.
        settings: how they are tested.
        observer: is told of the tests and of the progress.
        base: where the report will lie.
    """
    entries = loaded.entries()
    interrupted = False

    def keep(_: int, tested: EntryReport) -> None:
        path = tested.repro
        assert path is not None
        if tested.failures:  # the smallest is reduced
            found = primitives(loaded.repros[path])
            sized = replace(tested.entry, equations=sum(found.values()), primitives=found)
            tested = replace(tested, entry=sized)
        entries[path] = tested
        observer.tested(tested, "")

    try:
        for needed, paths in alike(loaded.repros, settings).items():
            with open_pool(needed) as pool:
                check_entries([entries[path] for path in paths], pool, needed, keep, observer, blame=False)
                group = [entries[path] for path in paths]
                failures = operator.attrgetter("failures")
                for index, entry in reduce_findings(group, folder, pool, needed, observer, wanted=failures):
                    entries[paths[index]] = _seen_from(base, entry, folder.parent)
    except KeyboardInterrupt:
        interrupted = True
    return Report("reduce", tuple(entries.values()), errors=loaded.errors, interrupted=interrupted)


def _seen_from(base: Path, entry: EntryReport, there: Path) -> EntryReport:
    """An entry whose localisation names files as a report in the directory `there` has them."""
    if entry.localized is None:
        return entry
    return replace(entry, localized=seen_from(base, entry.localized, there))


def judged(
    repro: Repro, pool: Pool, pipelines: tuple[str, ...], judge: Judge | None = None
) -> tuple[Verdict, ...]:
    """The verdicts of `judge`, else of the tester on each pipeline; places are lines of the user's program."""
    if judge is not None:
        verdicts = [judge(repro)]
    else:
        chosen = choose_pipelines(pipelines, repro.header.pipeline)
        verdicts = pool.check(repro, chosen, replace(pool.options, blame=False))
    return tuple(v.in_user_terms(repro.source) for v in verdicts)


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
