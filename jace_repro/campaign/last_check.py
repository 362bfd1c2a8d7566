"""Which repros of a directory failed when they were tested last: kept in the cache, and in the report of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from jace.build import cache_dir
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.run import REPORT
from jace_repro.campaign.stored import StoredError, read
from jace_repro.repro import write_file
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tracker.journal import JOURNAL


def last_failed(directory: Path) -> list[Path] | None:
    """The repros below a directory that failed when they were tested last, in order; None when none has been tested."""
    runs = [folder / REPORT for folder in (directory, directory.parent) if (folder / JOURNAL).exists()]
    newest = max(filter(Path.exists, [*runs, _memory(directory)]), key=_age, default=None)
    if newest is None:
        return None
    failed = _remembered(newest) if newest == _memory(directory) else _reported(newest)
    here = directory.resolve()
    return sorted(directory / path.relative_to(here) for path in failed if _lies(path, here))


def remember(directory: Path, entries: Iterable[EntryReport]) -> None:
    """Repros below a directory have been tested; what is known of others is kept. Raises OSError."""
    tested = [entry for entry in entries if entry.verdicts and entry.repro is not None]
    known = {path.resolve() for path in last_failed(directory) or ()}
    known -= {entry.repro.resolve() for entry in tested if entry.repro is not None}
    failed = sorted(map(str, known | set(_failing(tested))))
    memory = _memory(directory)
    memory.parent.mkdir(parents=True, exist_ok=True)
    data = {"directory": str(directory.resolve()), "failed": failed}
    write_file(memory, json.dumps(data).encode())


def _memory(directory: Path) -> Path:
    key = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:16]
    return cache_dir() / "last-check" / f"{key}.json"


def _age(path: Path) -> float:
    return path.stat().st_mtime


def _remembered(memory: Path) -> list[Path]:
    try:
        return [Path(text) for text in json.loads(memory.read_text(encoding="utf-8"))["failed"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _reported(path: Path) -> list[Path]:
    try:
        return list(_failing(read(path).report.entries))
    except (OSError, StoredError):
        return []


def _failing(entries: Iterable[EntryReport]) -> Iterator[Path]:
    """The repros that show what is not fine."""
    for entry in entries:
        for verdict in entry.verdicts:
            path = entry.repro_of(verdict)
            if OUTCOMES[verdict.outcome].kind != "fine" and path is not None:
                yield path.resolve()


def _lies(path: Path, directory: Path) -> bool:
    return path.is_relative_to(directory) and path.exists()
