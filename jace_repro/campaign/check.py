"""What `jace-repro check` does: test repro files, here or with other releases of the packages below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jace_repro.campaign import releases
from jace_repro.campaign.described import describer
from jace_repro.campaign.entries import Selected, selected
from jace_repro.campaign.files import load_repros
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries, open_pool, stopped
from jace_repro.corpus.replay import compared
from jace_repro.repro import Repro
from jace_repro.repro.entry import Entry
from jace_repro.repro.selection import ALL
from jace_repro.tester import Verdict


def check_files(paths: Sequence[Path], settings: Settings, observer: Observer = NOBODY) -> Report:
    """Test repro files, and those below directories.

    The observer is told of each whether it still shows what its header expects. Files that cannot be read are errors of
    the report; ctrl-C ends it with the results that there are.

    Raises SettingsError when nothing can be sanitized here.
    """
    loaded = load_repros(paths)
    chosen = _selected(loaded.repros, settings)
    results: list[EntryReport] = []
    interrupted = False

    def keep(_: int, entry: EntryReport) -> None:
        results.append(entry)
        assert entry.repro is not None
        replayed = compared(loaded.repros[entry.repro].header, entry.verdicts)
        observer.tested(entry, "" if replayed is None else replayed.text)

    try:
        if chosen.entries:
            with open_pool(settings) as pool:
                results = check_entries(chosen.entries, pool, settings, keep, observer)
    except KeyboardInterrupt:
        interrupted = True
    return Report(
        "check",
        tuple(results),
        errors=(*loaded.errors, *chosen.errors),
        interrupted=interrupted,
        stopped=not interrupted and stopped(results, settings),
        left_out=chosen.left_out,
        notes=chosen.notes,
    )


def _selected(loaded: Mapping[Path, Repro], settings: Settings) -> Selected:
    """The repros that are meant, as entries."""
    entries = [
        EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
        for path, repro in loaded.items()
    ]
    if settings.selection == ALL:
        return Selected(entries, 0)
    describe = describer(settings.selection)

    def described(entry: EntryReport) -> Entry:
        assert entry.repro is not None
        return describe(entry.repro, loaded[entry.repro])

    return selected(entries, settings.selection, described)


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
    loaded = load_repros(paths)
    chosen = _selected(loaded.repros, settings)
    arguments = [str(entry.repro.resolve()) for entry in chosen.entries if entry.repro is not None]
    options = [word for name in settings.pipelines for word in ("--pipeline", name)]
    options += ["--rules", str(settings.rules)] if settings.rules is not None else []
    options += ["--jobs", str(settings.jobs), "--timeout", str(settings.stage_timeout)]
    results: list[EntryReport] = []
    errors = [*loaded.errors, *chosen.errors]
    bad: list[str] = []
    for release in wanted if arguments else ():
        try:
            found = releases.report_of(release, [*options, *arguments])
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
    return Report(
        "check",
        tuple(results),
        errors=tuple(errors),
        extra=extra,
        left_out=chosen.left_out,
        notes=chosen.notes,
    )


def _entry_with(release: releases.Release, data: Mapping[str, Any]) -> EntryReport:
    """An entry of another environment's report."""
    path = Path(data["source"])
    verdicts = tuple(Verdict.from_json(verdict) for verdict in data["verdicts"])
    source = relative(path, Path.cwd()) or str(path)
    return EntryReport(Entry(f"{data['name']} with {release}", source=source), repro=path, verdicts=verdicts)
