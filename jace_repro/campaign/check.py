"""What `jace-repro check` does: test repro files, here or with other releases of the packages below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jace_repro.campaign import releases
from jace_repro.campaign.conditions import as_found
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries, open_pool
from jace_repro.corpus.replay import compared
from jace_repro.repro import Repro, ReproError, load
from jace_repro.repro.entry import Entry
from jace_repro.tester import Verdict


def check_files(paths: Sequence[Path], settings: Settings, observer: Observer = NOBODY) -> Report:
    """Test repro files; the observer is told of each whether it still shows what its header expects.

    Files that cannot be read are errors of the report; ctrl-C ends it with the results that there are.

    Raises SettingsError when nothing can be sanitized here.
    """
    loaded, errors = _load(paths)
    results: list[EntryReport] = []
    interrupted = False

    def keep(_: int, entry: EntryReport) -> None:
        results.append(entry)
        assert entry.repro is not None
        replayed = compared(loaded[entry.repro].header, entry.verdicts)
        observer.tested(entry, "" if replayed is None else replayed.text)

    try:
        if loaded:
            tested: dict[Path, EntryReport] = {}
            for needed, group in _alike(loaded, settings).items():
                with open_pool(needed) as pool:
                    done = check_entries(group, pool, needed, keep, observer)
                tested.update((entry.repro, entry) for entry in done if entry.repro is not None)
            results = [tested[path] for path in loaded]
    except KeyboardInterrupt:
        interrupted = True
    return Report("check", tuple(results), errors=errors, interrupted=interrupted)


def _alike(loaded: Mapping[Path, Repro], settings: Settings) -> dict[Settings, list[EntryReport]]:
    """The entries by what they need to show their findings again: those of one group share workers."""
    groups: dict[Settings, list[EntryReport]] = {}
    for path, repro in loaded.items():
        entry = EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
        groups.setdefault(as_found(settings, repro), []).append(entry)
    return groups


def _load(paths: Sequence[Path]) -> tuple[dict[Path, Repro], tuple[str, ...]]:
    """The repros that can be read, and a line for each that cannot."""
    loaded: dict[Path, Repro] = {}
    errors = []
    for path in paths:
        try:
            loaded[path] = load(path)
        except (OSError, ReproError) as error:
            errors.append(f"{path}: {error}")
    return loaded, tuple(errors)


def check_releases(
    paths: Sequence[Path],
    wanted: Sequence[releases.Release],
    settings: Settings,
    observer: Observer = NOBODY,
) -> Report:
    """Test repro files in one environment per release.

    The report has an entry for each repro and release, and names the first bad one (`extra["first_bad_version"]`, None
    for none); environments that cannot be had are errors of it.
    """
    arguments = [str(path.resolve()) for path in paths]
    arguments += [word for name in settings.pipelines for word in ("--pipeline", name)]
    arguments += ["--rules", str(settings.rules)] if settings.rules is not None else []
    arguments += ["--jobs", str(settings.jobs), "--timeout", str(settings.stage_timeout)]
    results: list[EntryReport] = []
    errors: list[str] = []
    bad: list[str] = []
    for release in wanted:
        try:
            found = releases.report_of(release, arguments)
        except releases.ReleaseError as error:
            errors.append(str(error))
            continue
        errors.extend(f"{release}: {text}" for text in found["summary"]["errors"])
        entries = [_entry_with(release, data) for data in found["entries"]]
        for entry in entries:
            observer.tested(entry, "")
        bad += [str(release)] if any(entry.findings for entry in entries) else []
        results.extend(entries)
    extra = {"first_bad_version": bad[0] if bad else None}
    return Report("check", tuple(results), errors=tuple(errors), extra=extra)


def _entry_with(release: releases.Release, data: Mapping[str, Any]) -> EntryReport:
    """An entry of another environment's report."""
    path = Path(data["source"])
    verdicts = tuple(Verdict.from_json(verdict) for verdict in data["verdicts"])
    source = relative(path, Path.cwd()) or str(path)
    return EntryReport(Entry(f"{data['name']} with {release}", source=source), repro=path, verdicts=verdicts)
