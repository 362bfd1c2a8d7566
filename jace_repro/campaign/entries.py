"""The entries of a recording, as a campaign takes them up: one for each distinct program, with its repros replayed."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.repro import ReproError, saved_jaxpr
from jace_repro.repro.entry import Entry
from jace_repro.repro.selection import Selection
from jace_repro.selfcheck import SelfCheck, note_self_check, remembered, self_check_many
from jace_repro.tester import OUTCOMES
from jace_repro.tracker.journal import LEFT_OUT
from jace_repro.tracker.recording import RecordedEntry, Recording, Target

#: `Recording.error` of a program that ctrl-C ended.
INTERRUPTED = "interrupted (ctrl-C)"


def program_report(target: Target, recorded: Recording) -> dict[str, Any]:
    """The program's own end, for the machine report."""
    return {"command": target.describe(), "exit_code": recorded.exit_code, "error": recorded.error}


def losses(recorded: Recording) -> tuple[str, ...]:
    """A line for each process that gave JAX what could not be written down."""
    return tuple(
        f"not all that {who} gave JAX is in the recording: {shown(recorded.directory)} took no more"
        for who in recorded.lost
    )


def entry_reports(recorded: Recording, max_inputs: int) -> list[EntryReport]:
    """The recorded entries, before they are tested.

    What several processes completed is one entry, with the repros of `max_inputs` of them.
    """
    entries: dict[tuple[str, ...], EntryReport] = {}
    for entry in recorded.entries:
        report = _entry_report(recorded, entry)
        key: tuple[str, ...] = (entry.id,)
        if entry.status == "completed" and entry.entry.fingerprint:
            key = (entry.entry.fingerprint, entry.entry.callbacks)
        entries[key] = _merged(entries[key], report, max_inputs) if key in entries else report
    return list(entries.values())


@dataclass(frozen=True)
class Selected:
    """The entries that are meant, and what there is to say of the others.

    `errors` are the reasons why there is none, although there would be entries; `notes` name patterns that mean none.
    """

    entries: list[EntryReport]
    left_out: int
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def selected(
    entries: Sequence[EntryReport],
    selection: Selection,
    described: Callable[[EntryReport], Entry] = operator.attrgetter("entry"),
) -> Selected:
    """Those that a user means; `described` says what the patterns are held against."""
    known = [described(entry) for entry in entries]
    pairs = zip(entries, known, strict=True)
    chosen = [entry for entry, of in pairs if selection.takes(of) and entry.error != LEFT_OUT]
    left_out = len(entries) - len(chosen)
    idle = tuple(selection.idle(known)) if entries else ()
    if left_out and not chosen:
        return Selected(chosen, left_out, errors=idle or ("every entry is left out",))
    return Selected(chosen, left_out, notes=idle)


def _merged(one: EntryReport, other: EntryReport, max_inputs: int) -> EntryReport:
    """One entry of what two processes recorded of it."""
    repros = (*one.repros, *other.repros)[: max(max_inputs, len(one.repros))]
    return replace(
        one,
        calls=one.calls + other.calls,
        repro=repros[0] if repros else None,
        repros=repros,
        processes=(*one.processes, *other.processes),
        tests=tuple(dict.fromkeys((*one.tests, *other.tests))),
    )


def _entry_report(recorded: Recording, entry: RecordedEntry) -> EntryReport:
    return EntryReport(
        entry.entry,
        repro=None if entry.repro is None else recorded.path(entry),
        status=entry.status,
        calls=entry.calls,
        error=entry.error or entry.note,
        call_tree=None if entry.calltree is None else recorded.directory / entry.calltree,
        call_tree_error=entry.calltree_note,
        repros=tuple(recorded.directory / path for path in entry.repros),
        processes=(entry.process,) if entry.process else (),
        tests=entry.tests,
    )


def self_checked(
    entries: Sequence[EntryReport],
    settings: Settings,
    observer: Observer = NOBODY,
    on_result: Callable[[EntryReport], None] = lambda entry: None,
) -> list[EntryReport]:
    """The entries with what the self-check of each script says: does it replay exactly, in a fresh process?

    The scripts' headers note it as well. What has been checked is left alone; `on_result` is told of the others.
    """
    unchecked = [e for e in entries if e.self_check is None and e.repros]
    if not unchecked:
        return list(entries)
    paths = [path for e in unchecked for path in (*e.repros, *([e.call_tree] if e.call_tree else []))]
    files = {path: remembered.file_of(path) for path in paths}
    asked = [path for path, file in files.items() if file is None or not file.exists()]
    with observer.progress("self-checked", len(asked)) as job:
        checks = self_check_many(
            asked,
            jobs=settings.jobs,
            timeout=settings.stage_timeout,
            expected=_expected(unchecked),
            alike={e.call_tree: e.repro for e in unchecked if e.call_tree and e.repro},
            on_result=job.done,
        )
    found = dict(zip(asked, checks, strict=True))
    for path, check in found.items():
        if check.status == "exact" and (file := files[path]) is not None:
            remembered.remember(file)
    results = {path: found.get(path, SelfCheck("exact")) for path in paths}
    for path, check in results.items():
        # the report says it as well; a lost script is told there
        with contextlib.suppress(OSError, ReproError):
            note_self_check(path, check)
    checked = {id(entry): _with_check(entry, results) for entry in unchecked}
    for entry in checked.values():
        on_result(entry)
    return [checked.get(id(entry), entry) for entry in entries]


def _with_check(entry: EntryReport, results: Mapping[Path, SelfCheck]) -> EntryReport:
    """The entry with what the self-check of its scripts says."""
    if entry.call_tree is not None:
        tree = results[entry.call_tree]
        error = entry.call_tree_error if tree.status == "exact" else tree.detail
        entry = replace(entry, call_tree_check=tree.status, call_tree_error=error)
    path = next((p for p in entry.repros if results[p].status != "exact"), entry.repros[0])
    result = results[path]
    differs = None if result.status == "exact" else result.detail
    return replace(
        entry,
        repro=path,
        self_check=result.status,
        self_check_error=differs,
        error=entry.error or differs,
    )


def _expected(entries: Sequence[EntryReport]) -> dict[Path, str]:
    """The recorded jaxpr, as text, for every call tree: that of the flat form beside it."""
    pairs = [(e.call_tree, saved_jaxpr(e.repro)) for e in entries if e.call_tree and e.repro]
    return {tree: text for tree, text in pairs if text is not None}


def unfaithful(entries: Sequence[EntryReport]) -> tuple[str, ...]:
    """A line for each entry whose repro was replayed and is not exact; it cannot be where XLA ends the process."""
    return tuple(
        f"{e.name}: self-check {e.self_check}: {e.self_check_error}"
        for e in entries
        if e.self_check not in (None, "exact")
        and not any(OUTCOMES[v.outcome].ends_plain_jax for v in e.verdicts)
    )
