"""Entries that were right in an earlier run, beside the compiled programs: they are not tested anew.

An entry is the same when its scripts, their data and all that decides a verdict are: jace, the tester, every release,
compiler, processor, settings. Only "ok" is remembered, so that nothing is accused by a memory; with rules or passes of
the user's own, which may come from anywhere, nothing is. `JACE_CACHE=0` switches it off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from jace.build import default_cache, digest
from jace.errors import CompileError
from jace_repro.campaign.report import EntryReport, versions
from jace_repro.campaign.settings import PIPELINES, Settings
from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import kept
from jace_repro.tester import Verdict

#: What variables that decide something begin with.
_PREFIXES = ("JACE_", "DACE_", "JAX_", "XLA_", "OMP_")
_VARIABLES = ("CXX", "CXXFLAGS")


def with_known(
    entries: Sequence[EntryReport], settings: Settings
) -> tuple[list[EntryReport], Callable[[EntryReport], None]]:
    """The entries with the verdicts of those that were right in an earlier run, and what remembers a tested one."""
    files = {entry.repros: _file_of(entry, settings) for entry in entries if not entry.verdicts}

    def remember(tested: EntryReport) -> None:
        file = files.get(tested.repros)
        if file is not None and all(verdict.outcome == "ok" for verdict in tested.verdicts):
            kept.keep(file, json.dumps([verdict.to_json() for verdict in tested.verdicts]).encode())

    return [_recalled(entry, files.get(entry.repros)) for entry in entries], remember


def _recalled(entry: EntryReport, file: Path | None) -> EntryReport:
    """The entry with what is remembered of it."""
    if file is None:
        return entry
    try:
        verdicts = tuple(Verdict.from_json(verdict) for verdict in json.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError):
        return entry  # nothing is, or it is damaged: as good as nothing
    return replace(entry, repro=entry.repros[0], verdicts=verdicts, earlier=True)


def _file_of(entry: EntryReport, settings: Settings) -> Path | None:
    """Where the verdicts of an entry are remembered; None when they are not to be.

    So it is with scripts that cannot be read, or have large arrays, which take as long to read as to run.
    """
    cache = default_cache()
    own = settings.rules is not None or not set(settings.pipelines) <= set(PIPELINES)
    if cache is None or own or not entry.repros:
        return None
    try:
        scripts = [kept.script_digest(path) for path in entry.repros]
        if None in scripts:
            return None
        key = digest(*map(str, scripts), kept.surroundings(), _surroundings(settings), _tester())
    except (OSError, UnicodeError, CompileError):
        return None
    return cache.root / "verdicts" / key[:2] / key


def _surroundings(settings: Settings) -> str:
    """What decides a verdict besides the scripts, and besides what decides JAX's answer."""
    named = {name: value for name, value in os.environ.items() if name.startswith(_PREFIXES)}
    named |= {name: os.environ.get(name, "") for name in _VARIABLES}
    config = Path(os.environ.get("DACE_CONFIG", Path.home() / ".dace.conf"))
    dace = config.read_text(encoding="utf-8") if config.is_file() else ""
    how = [
        settings.pipelines,
        settings.inputs,
        settings.sanitize,
        sorted(settings.environment),
        settings.jobs,
    ]
    return json.dumps([how, versions(), sorted(named.items()), dace])


def _tester() -> str:
    """A digest of what translates and tests: a better one tests again."""
    return kept.sources(SOURCE_ROOT / "jace", SOURCE_ROOT / "jace_repro")
