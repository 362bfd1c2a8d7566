"""What `jace-repro record` and `jace-repro run` make of a recording: from its entries to minimal repros.

In: a recording (`jace_repro.tracker.api.record_program` makes one). Out: a `Report`, which lies in the recording's
directory as report.json, and the minimal repros beside it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign import tested_before, views
from jace_repro.campaign.asked import pipelines_of, untested_rules
from jace_repro.campaign.beside import beside, met
from jace_repro.campaign.conditions import note_finding
from jace_repro.campaign.entries import (
    INTERRUPTED,
    entry_reports,
    losses,
    program_report,
    selected,
    self_checked,
    unfaithful,
)
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.progress import Progress, recorded_end
from jace_repro.campaign.reduction import reduce_findings
from jace_repro.campaign.report import EntryReport, Report, signatures, write
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries, stopped
from jace_repro.campaign.text import describe_error
from jace_repro.repro import ReproError
from jace_repro.tester import Pool
from jace_repro.tracker.recording import Recording, Target

#: The machine report, in the directory of a recording.
REPORT = "report.json"
#: The minimal repros, there.
MINIMAL = "minimal"


def replay(
    target: Target, recorded: Recording, out: Path, settings: Settings, observer: Observer = NOBODY
) -> Report:
    """Self-check the repros of a recording, as `record` does; nothing is tested.

    Args:
        target: the program that was recorded.
        recorded: its recording.
        out: the directory of the recording, as its user calls it.
        settings: of which `self_check`, `max_inputs`, `jobs` and the timeout count.
        observer: is told of the progress.
    """
    chosen = selected(entry_reports(recorded, settings.max_inputs), settings.selection)
    entries = chosen.entries
    interrupted = recorded.error == INTERRUPTED
    if settings.self_check and not interrupted:
        entries = self_checked(entries, settings, observer)
    result = Report(
        "record",
        tuple(entries),
        program_report(target, recorded),
        (*losses(recorded), *chosen.errors, *unfaithful(entries)),
        interrupted,
        left_out=chosen.left_out,
        notes=chosen.notes,
    )
    return kept(result, out)


def kept(result: Report, out: Path) -> Report:
    """The report of a recording after it was written into its directory; it says so when it could not be."""
    try:
        write(result, out / REPORT)
    except OSError as error:
        return replace(result, errors=(*result.errors, f"{REPORT} could not be written: {error.strerror}"))
    return result


def run(
    target: Target,
    recorded: Recording,
    out: Path,
    settings: Settings,
    pool: Pool,
    observer: Observer = NOBODY,
) -> Report:
    """Self-check, test and reduce the entries of a recording; ctrl-C ends it with what is known until then.

    What is known of an entry is kept in `out` as it comes, and not found out again when this is called again.

    Args:
        target: the program that was recorded.
        recorded: its recording.
        out: the directory of the recording, as its user calls it.
        settings: what is tested, and how.
        pool: of workers that these settings ask for.
        observer: is told of the progress and of each result.
    """
    rules = untested_rules(recorded, settings)
    chosen_pipelines, asked = pipelines_of(recorded, settings)
    settings = replace(settings, pipelines=chosen_pipelines)
    chosen = selected(entry_reports(recorded, settings.max_inputs), settings.selection)
    progress = Progress(out, settings)
    if recorded_end(out) is None:
        progress.note_end(recorded)
    entries, errors = progress.resumed(chosen.entries), (*losses(recorded), *chosen.errors)
    seconds: dict[str, float] = {}
    interrupted = recorded.error == INTERRUPTED
    if not interrupted and entries:
        try:
            if any(not entry.verdicts for entry in entries):
                pool.begin()
            if settings.self_check:
                with _timed(seconds, "self-check"):
                    entries = self_checked(entries, settings, observer, progress.note)
            _test(entries, out / MINIMAL, pool, settings, observer, progress, seconds)
        except KeyboardInterrupt:
            interrupted = True
        errors += unfaithful(entries)
    result = Report(
        "run",
        tuple(entries),
        program_report(target, recorded),
        errors,
        interrupted,
        stopped=not interrupted and stopped(entries, settings),
        left_out=chosen.left_out,
        notes=(*chosen.notes, *asked, *rules, *([progress.lost] if progress.lost else [])),
        seconds=seconds,
    )
    return kept(result, out)


@contextlib.contextmanager
def _timed(seconds: dict[str, float], phase: str) -> Iterator[None]:
    """Note how long a phase takes, also one that is ended early."""
    start = time.monotonic()
    try:
        yield
    finally:
        seconds[phase] = time.monotonic() - start


def _test(
    entries: list[EntryReport],
    minimal: Path,
    pool: Pool,
    settings: Settings,
    observer: Observer,
    progress: Progress,
    seconds: dict[str, float],
) -> None:
    """Test all entries, then reduce one for each signature; changes `entries` one by one."""

    def keep(index: int, entry: EntryReport) -> None:
        entries[index] = _noted(entry, settings)
        progress.note(entries[index])
        remember(entries[index])
        observer.tested(entries[index], "")

    with _timed(seconds, "testing"):
        entries[:], remember = tested_before.with_known(entries, settings)
        for entry in entries:
            if entry.earlier:
                observer.tested(entry, "")
        check_entries(tuple(entries), pool, settings, keep, observer, blame=not settings.reduce)
    observer.all_tested(entries)
    if not settings.reduce:
        return
    with _timed(seconds, "reducing"):
        more = True
        while more:
            for index, entry in reduce_findings(tuple(entries), minimal, pool, settings, observer):
                entries[index] = entry
                progress.note(entry)
            more = _look_beside(entries, pool, settings, observer, progress)
    groups = [g for g in Report("run", tuple(entries)).groups if g.entry.reduced is not None]
    unseen = [g for g in groups if views.stored(g, minimal.parent / views.VIEWS) is None]
    # of a full disk the page says what is missing
    with _timed(seconds, "views"), contextlib.suppress(OSError):
        views.keep(unseen, minimal.parent, pool, observer)


def _look_beside(
    entries: list[EntryReport], pool: Pool, settings: Settings, observer: Observer, progress: Progress
) -> bool:
    """Add what the programs of reduced findings show beside them; whether there is any."""
    if settings.max_findings is not None:
        return False
    count = len(entries)
    for index, entry in enumerate(entries[:count]):
        if entry.reduced is None or entry.looked_beside:
            continue
        observer.begins(f"looking beside the finding of {entry.name}")
        found: list[EntryReport] = []
        error = entry.error
        try:
            rest = beside(entry, pool, settings, signatures(entries))
            found += [] if rest is None else [rest]
            found += met(entry, pool, signatures([*entries, *found]))
        except Exception as problem:  # the finding stands; nobody knows what it hides
            error = error or f"not looked beside it: {describe_error(problem, settings.verbose)}"
        entries[index] = replace(entry, looked_beside=True, error=error)
        progress.note(entries[index])
        for one in found:
            entries.append(one)
            progress.note(one)
            observer.tested(one, "")
    return len(entries) > count


def _noted(entry: EntryReport, settings: Settings) -> EntryReport:
    """The entry, whose repro says from now on what it shows; one on generated inputs says so already."""
    shown = next((v for v in entry.findings if v.inputs is None), None)
    if shown is None or entry.repro is None:
        return entry
    try:
        note_finding(entry.repro, shown, settings)
    except (OSError, ReproError) as error:  # the finding stands; the script says less
        return replace(entry, error=f"the repro does not say what it shows: {error}")
    return entry
