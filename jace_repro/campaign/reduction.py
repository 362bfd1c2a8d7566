"""Reducing findings: which of them, each to a minimal repro, one for each signature of a set of entries."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jace_repro.campaign import reduced_before
from jace_repro.campaign.conditions import showing
from jace_repro.campaign.files import slug
from jace_repro.campaign.localize import bisected_json, localized_json, seen_from
from jace_repro.campaign.observer import NOBODY, Job, Observer
from jace_repro.campaign.report import EntryReport, ReducedReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.smallest import LEAST_SECONDS, Judge, Smallest, smallest
from jace_repro.campaign.testing import open_pool
from jace_repro.campaign.text import describe_error
from jace_repro.reducer import Progress, Reduced, reduce_repro
from jace_repro.reducer.source import is_untraceable, reduce_source
from jace_repro.repro import Repro, load
from jace_repro.repro.finding import excerpt
from jace_repro.tester import OUTCOMES, Pool, Verdict
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS

#: Whose faults are a step of the pipeline: the minimal program is small enough to search for it.
STEPS = frozenset({"DaCe pass", "user pass", "jace fusion"})


@dataclass(frozen=True)
class Minimal:
    """What a reduction ends with.

    Attributes:
        reduced: the minimal repro, which says what it shows, and what finding it took.
        verdict: of the minimal repro, with whose fault it is; the original's where it could not be tested.
        shown: so many tests of the minimal repro showed the failure, of so many.
        met: candidates that failed in other ways, with how.
        asked: a candidate was refused when so many tests of it did not show the failure.
    """

    reduced: Reduced
    verdict: Verdict
    shown: tuple[int, int] = (0, 0)
    met: tuple[tuple[Repro, Verdict], ...] = ()
    asked: int = 1

    @property
    def doubt(self) -> str | None:
        """What is to be said of one that does not show it every time, or was not sure to on the way there."""
        shown, tests = self.shown
        often = f"the minimal repro showed it in {shown} of {tests} tests"
        if self.asked > 1:
            return f"{often}; a smaller one was refused after {self.asked} tests that did not"
        return None if shown == tests else often

    def report(self, path: Path) -> ReducedReport:
        """The numbers of the reduction, for the report."""
        done = self.reduced
        return ReducedReport(
            path,
            done.equations,
            done.elements,
            done.oracle_calls,
            done.seconds,
            done.stopped,
            done.steps,
            None if self.doubt else self.verdict,
            done.earlier,
            None if self.doubt else done.refused,
        )


def why_not_reduced(verdict: Verdict) -> str | None:
    """The reason when a failure is left as it is, else None."""
    if verdict.signature is None:
        return "it has no signature to keep"
    how = OUTCOMES[verdict.outcome].reduction
    if how.max_calls == 0 or how.stage not in (None, verdict.stage):
        return how.why_not.format(stage=verdict.stage)
    return None


def reduce_findings(
    entries: Sequence[EntryReport],
    folder: Path,
    pool: Pool,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    wanted: Callable[[EntryReport], tuple[Verdict, ...]] = lambda entry: entry.findings,
) -> Iterator[tuple[int, EntryReport]]:
    """The smallest entry of each signature with a minimal repro, one after the other, with its number.

    The others that show a signature name that entry. What is reduced already is left alone. Whose fault a finding is,
    is asked of the minimal repro and holds for all that show it. Ctrl-C while one is reduced raises KeyboardInterrupt
    after it was given out: the reducer keeps what it has.

    Args:
        entries: tested ones.
        folder: where the minimal repros go.
        pool: tests the candidates.
        settings: as for testing.
        observer: is told of each reduction.
        wanted: what is to be reduced of an entry.
    """
    done = [entry for entry in entries if entry.reduced is not None]
    known = {v.signature or "": (entry.name, v) for entry in done for v in wanted(entry)}
    asked = {v.signature or "" for entry in entries for v in wanted(entry)}
    for index in sorted(range(len(entries)), key=lambda i: entries[i].entry.equations):
        entry = entries[index]
        if not (failures := wanted(entry)) or entry.reduced is not None:
            continue
        new = {v.signature or "": v for v in reversed(failures) if v.signature not in known}
        if not new:
            entry = replace(entry, same_as=known[failures[0].signature or ""][0])
        for verdict in reversed(new.values()):
            if entry.reduced is None:
                what = f"reducing {entry.name} ({verdict.outcome} on {verdict.pipeline})"
                later = len(asked - known.keys()) - 1
                observer.begins(f"{what}; {later} more after it" if later else what)
                parts = (slug(entry.name), verdict.outcome, (verdict.signature or "")[:8])
                to = folder / f"{'-'.join(filter(None, parts))}.py"
                entry, judged = reduce_finding(entry, verdict, to, pool, settings, observer)
            else:
                judged = _blamed(entry, verdict, pool)
            known[verdict.signature or ""] = entry.name, judged
        told = [(v, known.get(v.signature or "")) for v in entry.verdicts]
        verdicts = tuple(v if found is None else as_known(v, found[1]) for v, found in told)
        yield index, replace(entry, verdicts=verdicts)
        if entry.reduced is not None and entry.reduced.stopped == "interrupt":
            raise KeyboardInterrupt


def as_known(verdict: Verdict, judged: Verdict) -> Verdict:
    """A finding with what is known of whose fault it is, of the verdict that was looked into."""
    if not verdict.is_finding or judged.who is None:
        return verdict
    guilty = verdict.guilty
    if judged.guilty is not None and (judged.guilty.pass_ or judged.guilty.rule):
        guilty = replace(guilty or Culprit(), pass_=judged.guilty.pass_, rule=judged.guilty.rule)
    return replace(verdict, who=judged.who, evidence=judged.evidence, guilty=guilty)


def _blamed(entry: EntryReport, verdict: Verdict, pool: Pool) -> Verdict:
    """A finding that is not reduced, with whose fault it is."""
    path = entry.repro_of(verdict)
    if verdict.who is not None or path is None:
        return verdict
    return looked_into(load(path), verdict, pool) or verdict


def looked_into(repro: Repro, verdict: Verdict, pool: Pool) -> Verdict | None:
    """What a test of a repro says that also asks whose fault it is; None when it does not show the same failure.

    It says where a crash is that was too large to be explained, too.
    """
    (found,) = pool.check(repro, [verdict.pipeline], replace(pool.options, blame=True, inputs=0))
    same = (found.outcome, found.signature) == (verdict.outcome, verdict.signature)
    if found.explained and not verdict.explained:
        same = (found.outcome, found.stage) == (verdict.outcome, verdict.stage)
    return found.in_user_terms(repro.source) if same else None


def reduce_finding(
    entry: EntryReport,
    verdict: Verdict,
    destination: Path,
    pool: Pool,
    settings: Settings,
    observer: Observer = NOBODY,
) -> tuple[EntryReport, Verdict]:
    """The entry with the guilty equation of `verdict` and a minimal repro of it, at `destination`, and its verdict.

    A failure of the reducer is noted in the entry's `error`; the full repro remains.
    """
    path = entry.repro_of(verdict)
    assert path is not None
    assert entry.repro is not None
    how = OUTCOMES[verdict.outcome].reduction
    try:
        repro = load(path)
        # the places that a verdict names are lines of what was tested, whatever inputs it was tested on
        entry = replace(entry, localized=localized_json(load(entry.repro), None, verdict))
        if reason := why_not_reduced(verdict):
            return replace(entry, error=f"not reduced: {reason}"), _blamed(entry, verdict, pool)
        with suited(pool, settings, verdict) as (suitable, hasty):
            found = reduce_one(repro, verdict, suitable, hasty, destination, how.max_calls, observer=observer)
    except Exception as error:  # the finding stands without a reduction; say why there is none
        entry = replace(entry, error=f"not reduced: {describe_error(error, settings.verbose)}")
        return entry, _blamed(entry, verdict, pool)
    met = tuple(keep_met(found, destination, settings))
    entry = replace(entry, reduced=found.report(destination), error=found.doubt or entry.error, met=met)
    try:
        if how.seconds is None:
            entry = _bisected(entry, found, destination, pool, observer)
    except Exception as error:  # the minimal repro stands without the guilty step
        entry = replace(entry, error=f"not bisected: {describe_error(error, settings.verbose)}")
    return entry, found.verdict


def keep_met(found: Minimal, destination: Path, settings: Settings) -> Iterator[Path]:
    """Save what failed in other ways on the way to the minimal repro at `destination`, beside it."""
    for script, verdict in found.met:
        path = destination.with_name(f"{destination.stem}.met-{verdict.outcome}.py")
        showing(script, verdict.in_user_terms(script.source), settings).save(path)
        yield path


def _ends_by_pass(verdict: Verdict) -> bool:
    """Whether the process that translates does not survive the guilty pass."""
    known = verdict.guilty is not None and verdict.guilty.pass_ is not None
    return known and OUTCOMES[verdict.outcome].ends_worker


def _bisected(
    entry: EntryReport, found: Minimal, destination: Path, pool: Pool, observer: Observer
) -> EntryReport:
    """The entry with the very step of the pipeline that is guilty, searched in the minimal program, if one is.

    The SDFG before and after it goes to a folder that is named after the minimal repro and lies beside it.
    """
    verdict = found.verdict
    if verdict.who not in STEPS or not OUTCOMES[verdict.outcome].bisectable or _ends_by_pass(verdict):
        return entry
    observer.begins(f"bisecting {verdict.pipeline} on the minimal repro")
    bisected = pool.bisect(found.reduced.repro, verdict.pipeline, verdict.outcome)
    if bisected is None:
        return entry
    known = {**(entry.localized or {}), **bisected_json(bisected, destination.with_suffix(""))}
    if bisected.culprit.pass_ is not None:
        known["pass"] = bisected.culprit.pass_
    return replace(entry, localized=seen_from(destination.parent.parent, known))


@contextlib.contextmanager
def suited(pool: Pool, settings: Settings, verdict: Verdict) -> Iterator[tuple[Pool, Settings]]:
    """The workers that candidates are tested by, and their settings: those given, or some that do not wait for long.

    What hangs as the finding does counts as endless after fewer seconds.
    """
    if OUTCOMES[verdict.outcome].reduction.seconds is None:
        yield pool, settings
        return
    hasty = replace(settings, timeout=min(settings.stage_timeout, LEAST_SECONDS), sanitize=False, inputs=0)
    with open_pool(hasty) as quick:
        yield quick, hasty


def reduce_one(
    repro: Repro,
    verdict: Verdict,
    pool: Pool,
    settings: Settings,
    destination: Path | None = None,
    max_calls: int = REDUCE_CALLS,
    *,
    until: float = math.inf,
    judge: Judge | None = None,
    as_written: bool = False,
    history: Path | None = None,
    observer: Observer = NOBODY,
) -> Minimal:
    """Reduce `repro` while it keeps the signature of `verdict`, and look into what is left.

    The best repro so far is at `destination` all the time, and says what it shows: nothing is lost when the process
    ends, and reducing it goes on from there.

    Args:
        repro: what failed.
        verdict: how; with a signature.
        pool: tests the candidates, and names the guilty equation where one may be guilty by itself.
        settings: those of the pool, which the minimal repro is going to need.
        destination: where the minimal repro goes; None for nowhere.
        max_calls: candidates to test at most.
        until: the search ends once time.monotonic() is there.
        judge: judges candidates in place of the tester.
        as_written: the script is edited, not its jaxpr.
        history: a folder for the best repros on the way there, by number; None for none.
        observer: is told of the progress.
    Raises:
        TrivialProgramError: no output depends on an equation.
        OSError: `destination` or `history` cannot be written.
    """
    assert verdict.signature is not None
    # what was true of both halves of the outputs is not to be true of what is left of them
    repro = replace(repro, header=replace(repro.header, relation=None))
    size: list[str] = []
    number = itertools.count(1)

    def keep(better: Repro, equations: int) -> None:
        # the elements of the original are none of this program's
        said = showing(better, replace(verdict, differing=()), settings)
        if destination is not None:
            said.save(destination)
        if history is not None:
            said.save(history / f"{next(number):03}-{equations}_equations.py")

    def told(job: Job, step: Progress) -> None:
        size.append(f"{step.equations}")
        job.done()
        job.working(repro.header.name)
        job.says(f"{size[0]} -> {size[-1]} equations, {step.elements} elements, {step.pass_name}")
        if step.taken and destination is not None and destination.exists():
            job.shows(excerpt(destination.read_text(encoding="utf-8")))

    def once_more(found: Verdict) -> None:
        nonlocal verdict, pool, settings
        if found is verdict:
            observer.begins("reducing once more: the minimal repro did not show it every time")
            return
        verdict = found  # so it is tested from here on
        if not found.explained:
            observer.begins(f"reducing the guilty equation alone: {found.detail}")
            return
        pool, settings = pool.sanitizing(), replace(settings, sanitize=True)
        observer.begins(f"reducing what a sanitized build shows: {found.detail}")

    def searched() -> Smallest:
        with observer.progress("reducing: test", None) as job, pool.heard_by(job.stage):
            job.working(repro.header.name)
            on_progress = functools.partial(told, job)
            if judge is None:
                return smallest(
                    repro,
                    verdict,
                    pool,
                    max_calls,
                    until=until,
                    as_written=as_written,
                    keep=keep,
                    on_progress=on_progress,
                    again=once_more,
                )
            search = reduce_source if as_written or is_untraceable(repro) else reduce_repro
            found = search(
                repro,
                judge,
                signature=verdict.signature or "",
                max_calls=max_calls,
                until=until,
                keep=keep,
                on_progress=on_progress,
            )
            return Smallest(found, (0, 0), verdict)

    before = (
        None
        if judge is not None
        else reduced_before.folder_of(repro, verdict, max_calls, as_written, settings)
    )
    reduced = None if before is None else reduced_before.recall(before, repro)
    found, shown = None, (0, 0)
    met: tuple[tuple[Repro, Verdict], ...] = ()
    asked = 1
    if reduced is not None:
        observer.begins("looking into the minimal repro of an earlier run")
        found = looked_into(reduced.repro, verdict, pool)
    if reduced is None or found is None:
        search = searched()
        reduced, shown, met, asked = search.reduced, search.shown, search.met, search.asked
        if judge is None and reduced.stopped != "interrupt":
            observer.begins("looking into the minimal repro")
            found = looked_into(reduced.repro, verdict, pool)
            shown = shown[0] + (found is not None), shown[1] + 1
            if before is not None and shown[0] == shown[1] and asked == 1 and reduced.stopped != "seconds":
                reduced_before.remember(before, reduced)
    # the elements of the original are none of the minimal program's
    judged = found or replace(verdict, differing=())
    minimal = showing(reduced.repro, replace(judged, inputs=verdict.inputs), settings)
    reduced = replace(reduced, repro=minimal if destination is None else minimal.save(destination))
    return Minimal(reduced, judged, shown, met, asked)
