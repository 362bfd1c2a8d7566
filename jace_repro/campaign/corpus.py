"""What `jace-repro corpus add`, `accept`, `reject` and `prune` do: change what a corpus holds, and its table."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from jace_repro.campaign import bugreport
from jace_repro.campaign.conditions import as_found, showing
from jace_repro.campaign.files import load_repros
from jace_repro.campaign.guilty_step import saved_step
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.replays import again
from jace_repro.campaign.report import Group, Report
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.corpus import coverage, index, store
from jace_repro.corpus.states import REJECTED
from jace_repro.corpus.store import CorpusEntry
from jace_repro.repro import Repro, load, write_file
from jace_repro.tester import Verdict
from jace_repro.tester.verdict.outcomes import OUTCOMES

#: How often an entry is tested before it is accepted.
TIMES = 3
#: Whose bug a finding is, by who is to blame for it; jace's or what decides it is not known, else.
_AREAS = {
    "DaCe pass": "dace",
    "DaCe code generation": "dace",
    "C++ compiler": "compiler",
    "XLA": "xla",
    "user rule": "own",
    "user pass": "own",
}


@dataclass(frozen=True)
class Change:
    """What became of one entry, or of what was to be one.

    Attributes:
        done: what.
        name: which.
        text: what else there is to say.
    """

    done: Literal["added", "known", "accepted", "fixed", "rejected", "removed", "refused"]
    name: str
    text: str = ""


def add_report(result: Report, root: Path, area: str | None = None) -> list[Change]:
    """Add the minimal repros of what a run found, each with its bug report, as pending. Raises OSError, ReproError."""
    changes = []
    others = store.entries(root)
    for group in result.groups:
        path = group.entry.reduced.repro if group.entry.reduced else group.entry.repro_of(group.verdict)
        if path is None:
            changes.append(
                Change("refused", group.entry.name, group.entry.error or "there is no repro of it")
            )
            continue
        changes.append(_add(load(path), root, area or _area(group.verdict), others, group))
    return _indexed(root, changes)


def add_files(paths: Sequence[Path], root: Path, area: str | None = None) -> list[Change]:
    """Add repros, and those below directories, as pending; none is run. Raises OSError, ReproError."""
    loaded = load_repros(paths)
    changes = [Change("refused", text.partition(": ")[0], text.partition(": ")[2]) for text in loaded.errors]
    others = store.entries(root)
    for repro in loaded.repros.values():
        whose = "xla" if (repro.header.outcome or "").startswith("reference-") else "jace"
        changes.append(_add(repro, root, area or whose, others))
    return _indexed(root, changes)


def _add(
    repro: Repro, root: Path, area: str, others: list[CorpusEntry], group: Group | None = None
) -> Change:
    """Add a repro to a corpus and to `others`, its entries, unless there is one like it."""
    same = store.twin(repro, others)
    if same is not None:
        return Change("known", repro.header.name, f"{same.name} has the same program and promises the same")
    signature = repro.header.signature
    alike = [other.name for other in others if signature is not None and other.header.signature == signature]
    reason = f"same signature as {', '.join(alike)}: another bug, or a duplicate?" if alike else None
    pending = replace(repro, header=replace(repro.header, state="pending", reason=reason))
    entry = store.put(root, area, pending)
    others.append(entry)
    if group is not None:
        _write_evidence(group, entry.path)
    return Change("added", entry.name, reason or "")


def _write_evidence(group: Group, path: Path) -> None:
    """Write the bug report of a finding beside the entry at `path`, with what that refers to. Raises OSError."""
    found = group.entry
    file = found.reduced.repro if found.reduced is not None else found.repro_of(group.verdict)
    folder = None if file is None else saved_step(file, found.localized or {})
    if folder is not None:
        shutil.copytree(folder, path.with_suffix(""), dirs_exist_ok=True)
    if found.reduced is not None:
        found = replace(found, reduced=replace(found.reduced, repro=path))
    else:
        found = replace(found, repro=path, with_inputs={})
    write_file(path.with_suffix(".md"), bugreport.bug_report(replace(group, entry=found)).encode())


def _area(verdict: Verdict) -> str:
    return _AREAS.get(verdict.who or "", "jace")


def accept(
    entries: Iterable[CorpusEntry],
    root: Path,
    settings: Settings,
    reason: str | None = None,
    observer: Observer = NOBODY,
) -> list[Change]:
    """Test entries three times, and have each promise what it does then. What does not do the same again is refused.

    An entry that promised a failure and is right now is fixed. Raises OSError, ReproError.
    """
    entries = tuple(entries)

    def tested(entry: CorpusEntry) -> tuple[list[Verdict], Settings]:
        job.working(entry.name)
        pipelines = choose_pipelines(settings.pipelines, entry.header.pipeline)
        needed = replace(as_found(settings, entry.repro), pipelines=pipelines)
        try:
            return [_worst(verdicts) for verdicts in again(entry, needed, TIMES)], needed
        finally:
            job.rests()

    changes: list[Change] = []
    with observer.progress("tested", len(entries)) as job, ThreadPoolExecutor(settings.jobs) as threads:
        try:
            for entry, (found, needed) in zip(entries, threads.map(tested, entries), strict=True):
                changes.append(_accepted(entry, found, needed, reason))
                job.done()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            _indexed(root, changes)  # what was accepted until ctrl-C stays so
    return changes


def _worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The first finding; without one what is least good."""
    return max(verdicts, key=lambda v: (v.is_finding, v.outcome != "ok"))


def _accepted(entry: CorpusEntry, found: Sequence[Verdict], settings: Settings, reason: str | None) -> Change:
    seen = {(verdict.outcome, verdict.signature): verdict for verdict in found}
    if len(seen) > 1:
        told = ", ".join(f"{outcome} {signature or ''}".strip() for outcome, signature in seen)
        return Change("refused", entry.name, f"it does not do the same every time: {told}")
    verdict = found[0]
    if OUTCOMES[verdict.outcome].kind not in ("fine", "finding"):
        return Change(
            "refused", entry.name, f"{verdict.outcome}: {verdict.detail.strip().partition(chr(10))[0]}"
        )
    failed = entry.header.outcome not in (None, "ok")
    state = "fixed" if verdict.outcome == "ok" and failed else None
    repro = entry.repro
    if verdict.is_finding:
        repro = showing(repro, verdict, replace(settings, rules=None))
    header = replace(
        repro.header,
        pipeline=verdict.pipeline,
        outcome=verdict.outcome,
        signature=verdict.signature,
        state=state,
        reason=reason,
    )
    kept = store.rewrite(replace(entry, repro=repro), header)
    said = f"{verdict.outcome} on {verdict.pipeline}"
    was = f"; it was {entry.name}" if kept.name != entry.name else ""
    return Change("fixed" if state else "accepted", kept.name, said + was)


def reject(entries: Iterable[CorpusEntry], root: Path, state: str, reason: str) -> list[Change]:
    """Say of entries that they are invalid or duplicates, and why. Raises OSError, ReproError."""
    changes = []
    for entry in entries:
        store.rewrite(entry, replace(entry.header, state=state, reason=reason))
        changes.append(Change("rejected", entry.name, f"{state}: {reason}"))
    return _indexed(root, changes)


def prune(root: Path, *, remove: bool) -> list[Change]:
    """What a corpus can do without: what was rejected, and what is right and covers nothing that others do not.

    It is removed when `remove` says so. Raises OSError, ReproError.
    """
    entries = store.entries(root)
    kept = [entry for entry in entries if entry.state not in REJECTED]
    why = {
        entry.name: f"{entry.state}: {entry.header.reason}" for entry in entries if entry.state in REJECTED
    }
    why |= {entry.name: "right, and others cover what it does" for entry in coverage.redundant(kept)}
    changes = []
    for entry in entries:
        if entry.name in why:
            if remove:
                store.remove(entry)
            changes.append(Change("removed", entry.name, why[entry.name]))
    return _indexed(root, changes) if remove else changes


def _indexed(root: Path, changes: list[Change]) -> list[Change]:
    """The same changes; the table of the corpus has them, too."""
    if any(change.done not in ("known", "refused") for change in changes):
        index.update(root)
    return changes
