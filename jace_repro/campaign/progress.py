"""What a run has done so far, on disk as it happens: one that was ended, however, goes on from there.

``DIR/progress.jsonl`` has a line for the end of the recorded program, and one whenever more is known of an entry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jace_repro.campaign.report import EntryReport, relative, strict, versions
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.stored import StoredError, entry_of
from jace_repro.tracker.recording import Recording

PROGRESS = "progress.jsonl"


class Progress:
    """The results of a run in a directory, of this process and of earlier ones.

    Those of earlier ones count where the entries were tested as they would be now.

    Attributes:
        lost: why results could not be written, if they could not.
    """

    def __init__(self, directory: Path, settings: Settings) -> None:
        self.lost: str | None = None
        self._directory = directory
        self._how = _digest(settings)
        found = (event for event in _events(directory) if event.get("how") == self._how)
        self._earlier = {event["entry"]: event["report"] for event in found}

    def resumed(self, entries: Sequence[EntryReport]) -> list[EntryReport]:
        """The entries with what is known of them already, and those that were found beside them."""
        known = [self._known(entry) for entry in entries]
        return [*known, *self._beside({entry.name for entry in known})]

    def note(self, entry: EntryReport) -> None:
        """More is known of an entry."""
        report = strict(entry.to_json(self._directory))
        self._append({"how": self._how, "entry": self._key(entry), "report": report})

    def note_end(self, recorded: Recording) -> None:
        """The program has ended."""
        self._append({"recorded": {"exit_code": recorded.exit_code, "error": recorded.error}})

    def _known(self, entry: EntryReport) -> EntryReport:
        data = self._earlier.get(self._key(entry))
        known = None if data is None else self._read(data)
        return entry if known is None else replace(known, entry=entry.entry)

    def _beside(self, names: set[str]) -> Iterator[EntryReport]:
        """What an earlier run found beside the entries of these names, and beside that."""
        for data in self._earlier.values():
            found = self._read(data) if data.get("beside") in names else None
            if found is not None:
                names.add(found.name)
                yield found

    def _read(self, data: Mapping[str, Any]) -> EntryReport | None:
        """An entry as it was noted; a reduction that was interrupted is to be done again."""
        try:
            known = entry_of(data, self._directory)
        except (KeyError, TypeError, AttributeError, StoredError):
            return None  # another release wrote it
        ended = known.reduced is not None and known.reduced.stopped == "interrupt"
        return replace(known, reduced=None) if ended else known

    def _key(self, entry: EntryReport) -> str:
        """The same whenever the recording is read."""
        if entry.repros:
            return relative(entry.repros[0], self._directory) or ""
        return f"{entry.name} at {entry.source}: {entry.error}"

    def _append(self, event: Mapping[str, Any]) -> None:
        try:
            with (self._directory / PROGRESS).open("a", encoding="utf-8") as file:
                file.write("\n" + json.dumps(event))  # a new line even after one that was cut off
        except OSError as error:  # the results are there, they are only not kept for a run that goes on
            self.lost = f"{PROGRESS} could not be written, so this run cannot be resumed: {error}"


def recorded_end(directory: Path) -> dict[str, Any] | None:
    """How the program of a run ended: exit code and error; None when that is not known."""
    return next((event["recorded"] for event in _events(directory) if "recorded" in event), None)


def _events(directory: Path) -> list[dict[str, Any]]:
    """The complete lines; the last one may have been cut off by what ended the run."""
    try:
        lines = (directory / PROGRESS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []  # there is none yet
    events = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            events.append(event)
    return events


def _digest(settings: Settings) -> str:
    """What a verdict depends on beside the repro."""
    rules = None if settings.rules is None else settings.rules.read_text(encoding="utf-8", errors="replace")
    how = [settings.pipelines, settings.inputs, settings.sanitize, settings.environment, settings.timeout]
    return hashlib.sha256(json.dumps([*how, rules, versions()]).encode()).hexdigest()[:16]
