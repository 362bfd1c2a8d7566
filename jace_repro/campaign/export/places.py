"""Where in the user's source a finding is, and what is said of it there."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jace_repro.campaign.command_lines import jace_repro, shown
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.corpus.states import KNOWN
from jace_repro.repro import ReproError, parse_header
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

_PLACE = re.compile(r"(.+?):(\d+)(?: \(.*\))?")


class Place(NamedTuple):
    """A line of a file; the file as it is seen from the working directory."""

    file: str
    line: int


def place_of(entry: EntryReport, verdict: Verdict) -> Place | None:
    """The line of the guilty equation where it is known, else that of the function, else the repro."""
    home = _place(entry.source) or _place(_origin(entry.repro))
    guilty = _guilty(entry, verdict)
    if guilty is not None and home is not None and Path(guilty.file).name == Path(home.file).name:
        return Place(home.file, guilty.line)  # a repro knows the name of a file alone
    if guilty is not None and Path(guilty.file).exists():
        return guilty
    return home or (None if entry.repro is None else Place(_seen(str(entry.repro)), 1))


def failures(report: Report) -> Iterator[tuple[EntryReport, Verdict]]:
    """What is no finding and not fine either: failures of the harness, or of the program, on an entry."""
    for entry in report.entries:
        for verdict in entry.verdicts:
            if OUTCOMES[verdict.outcome].kind in ("harness", "program") and entry.replayed not in KNOWN:
                yield entry, verdict


def troubles(report: Report) -> Iterator[str]:
    """What went wrong beside the entries, and which of a corpus show nothing any more."""
    yield from report.errors
    for entry in report.entries:
        if entry.replayed == "fixed":
            yield f"{entry.name} is fixed: `jace-repro corpus accept {entry.name}` has it stay so"
    program = report.program or {}
    if program.get("error") or program.get("exit_code"):
        yield f"{program['command']}: {program.get('error') or 'it ended'} (exit code {program['exit_code']})"


def sentences(entry: EntryReport, verdict: Verdict) -> Iterator[str]:
    """What is wrong, whose fault it is, and how to see it again."""
    yield f"{entry.name}: {verdict.outcome} on {verdict.pipeline}: {verdict.detail.strip() or verdict.advice}"
    if verdict.who is not None:
        yield f"To blame: {verdict.who}: {PARTIES[verdict.who]}."
    path = entry.reduced.repro if entry.reduced is not None else entry.repro_of(verdict)
    if path is not None:
        yield f"Repro: {shown(path)}; test it again with: {jace_repro('check', path)}"


def _guilty(entry: EntryReport, verdict: Verdict) -> Place | None:
    named = (entry.localized or {}).get("source") or (verdict.guilty.source if verdict.guilty else None)
    return _place(named or "")


def _place(text: str) -> Place | None:
    match = _PLACE.fullmatch(text)
    return Place(_seen(match[1]), int(match[2])) if match else None


def _seen(file: str) -> str:
    """A file as it is called from here, where it lies below."""
    seen = relative(Path(file), Path.cwd())
    return file if seen is None or seen.startswith("..") else seen


@functools.lru_cache(maxsize=256)
def _origin(repro: Path | None) -> str:
    """Where the program of a repro comes from, "file:line (function)"; "" when it does not say."""
    try:
        return "" if repro is None else parse_header(repro.read_text(encoding="utf-8"))[0].origin
    except (OSError, ReproError, UnicodeDecodeError):
        return ""
