"""Reducing findings: which of them, each to a minimal repro, one for each signature of a set of entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign.localize import localized_json
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, ReducedReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import open_pool
from jace_repro.campaign.text import describe_error
from jace_repro.reducer import Reduced, reduce_repro
from jace_repro.repro import Repro, load
from jace_repro.tester import OUTCOMES, Localized, Pool, Verdict
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS

#: Judges a candidate.
Judge = Callable[[Repro], Verdict]


def why_not_reduced(verdict: Verdict) -> str | None:
    """The reason when a failure is left as it is, else None."""
    if verdict.signature is None:
        return "it has no signature to keep"
    how = OUTCOMES[verdict.outcome].reduction
    if how.max_calls == 0 or how.stage not in (None, verdict.stage):
        return how.why_not.format(stage=verdict.stage)
    return None


def reduce_findings(
    entries: Sequence[EntryReport], folder: Path, pool: Pool, settings: Settings, observer: Observer = NOBODY
) -> Iterator[tuple[int, EntryReport]]:
    """The smallest entry of each signature with a minimal repro, one after the other, with its number.

    The others that show a signature name that entry. Ctrl-C while one is reduced raises KeyboardInterrupt after it was
    given out: the reducer keeps what it has.

    Args:
        entries: tested ones.
        folder: where the minimal repros go.
        pool: tests the candidates.
        settings: as for testing.
        observer: is told of each reduction.
    """
    reduced_in: dict[str, str] = {}
    for index in sorted(range(len(entries)), key=lambda i: entries[i].entry.equations):
        entry = entries[index]
        verdict = next((v for v in entry.findings if v.signature not in reduced_in), None)
        if verdict is None:
            if entry.findings:
                yield index, replace(entry, same_as=reduced_in[entry.findings[0].signature or ""])
            continue
        observer.begins(f"reducing {entry.name} ({verdict.outcome} on {verdict.pipeline})")
        name = "-".join(filter(None, (_slug(entry.name), verdict.outcome, (verdict.signature or "")[:8])))
        result = reduce_finding(entry, verdict, folder / f"{name}.py", pool, settings, observer)
        reduced_in[verdict.signature or ""] = entry.name
        yield index, result
        if result.reduced is not None and result.reduced.stopped == "interrupt":
            raise KeyboardInterrupt


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "entry"


def reduce_finding(
    entry: EntryReport,
    verdict: Verdict,
    destination: Path,
    pool: Pool,
    settings: Settings,
    observer: Observer = NOBODY,
) -> EntryReport:
    """The entry with the guilty equation of `verdict` and a minimal repro of it, at `destination`.

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
            return replace(entry, error=f"not reduced: {reason}")
        if how.seconds is None:
            reduced = reduce_one(repro, verdict, pool, destination, how.max_calls, observer=observer)
        else:
            with open_pool(_hasty(settings, how.seconds)) as hasty:
                reduced = reduce_one(repro, verdict, hasty, destination, how.max_calls, observer=observer)
    except Exception as error:  # the finding stands without a reduction; say why there is none
        return replace(entry, error=f"not reduced: {describe_error(error, settings.verbose)}")
    return replace(entry, reduced=reduced_report(reduced, destination))


def _hasty(settings: Settings, seconds: float) -> Settings:
    """Settings for candidates that count as endless after so many seconds."""
    return replace(settings, timeout=min(settings.stage_timeout, seconds), sanitize=False, inputs=0)


def reduce_one(
    repro: Repro,
    verdict: Verdict,
    pool: Pool,
    destination: Path | None = None,
    max_calls: int = REDUCE_CALLS,
    *,
    judge: Judge | None = None,
    observer: Observer = NOBODY,
) -> Reduced:
    """Reduce `repro` while it keeps the signature of `verdict`.

    The best repro so far is at `destination` all the time: nothing is lost when the process ends. The header of the
    minimal one says what it shows.

    Args:
        repro: what failed.
        verdict: how; with a signature.
        pool: tests the candidates, and names the guilty equation where one may be guilty by itself.
        destination: where the minimal repro goes; None for nowhere.
        max_calls: candidates to test at most.
        judge: judges candidates in place of the tester.
        observer: is told of the progress.
    Raises:
        TrivialProgramError: no output depends on an equation.
        OSError: `destination` cannot be written.
    """

    def tested(candidate: Repro) -> Verdict:
        # who is to blame does not matter here: the signature does
        return pool.check(candidate, [verdict.pipeline], replace(pool.options, blame=False, inputs=0))[0]

    def localize(candidate: Repro) -> Localized | None:
        return pool.localize(candidate, verdict.pipeline)

    assert verdict.signature is not None
    can_localize = judge is None and OUTCOMES[verdict.outcome].localizable
    with observer.progress("reducing", max_calls) as advance:
        reduced = reduce_repro(
            repro,
            judge or tested,
            signature=verdict.signature,
            localize=localize if can_localize else None,
            max_calls=max_calls,
            best_path=destination,
            on_progress=lambda step: advance(f"({step.pass_name}: {step.key.equations} equations)"),
        )
    header = replace(
        reduced.repro.header,
        pipeline=verdict.pipeline,
        outcome=verdict.outcome,
        signature=verdict.signature,
    )
    minimal = replace(reduced.repro, header=header)
    return replace(reduced, repro=minimal if destination is None else minimal.save(destination))


def reduced_report(reduced: Reduced, path: Path) -> ReducedReport:
    """The numbers of a reduction, for the report."""
    return ReducedReport(
        path,
        reduced.equations,
        reduced.elements,
        reduced.oracle_calls,
        reduced.seconds,
        reduced.stopped,
        reduced.steps,
    )
