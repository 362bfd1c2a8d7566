"""What `jace-repro check` does: test repro files, here or with other releases of the packages below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jace_repro.campaign import releases
from jace_repro.campaign.described import describer
from jace_repro.campaign.entries import Selected, selected
from jace_repro.campaign.files import Loaded, alike, load_repros
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries, limit, open_pool, stopped
from jace_repro.corpus.replay import compared
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
    chosen = _selected(loaded, settings)
    results = {entry.repro: entry for entry in chosen.entries if entry.repro is not None}
    enough = limit(settings, results.values)
    interrupted = False

    def keep(_: int, entry: EntryReport) -> None:
        assert entry.repro is not None
        results[entry.repro] = entry
        replayed = compared(loaded.repros[entry.repro].header, entry.verdicts)
        observer.tested(entry, "" if replayed is None else replayed.text)

    try:
        for needed, paths in alike({path: loaded.repros[path] for path in results}, settings).items():
            with open_pool(needed) as pool:
                group = [results[path] for path in paths]
                check_entries(group, pool, needed, keep, observer, enough=enough)
    except KeyboardInterrupt:
        interrupted = True
    return Report(
        "check",
        tuple(results.values()),
        errors=(*loaded.errors, *chosen.errors),
        interrupted=interrupted,
        stopped=not interrupted and stopped(results.values(), settings),
        left_out=chosen.left_out,
        notes=chosen.notes,
    )


def _selected(loaded: Loaded, settings: Settings) -> Selected:
    """The repros that are meant, as entries."""
    entries = list(loaded.entries().values())
    if settings.selection == ALL:
        return Selected(entries, 0)
    describe = describer(settings.selection)

    def described(entry: EntryReport) -> Entry:
        assert entry.repro is not None
        return describe(entry.repro, loaded.repros[entry.repro])

    return selected(entries, settings.selection, described)


def check_releases(
    paths: Sequence[Path],
    wanted: Sequence[releases.Environment],
    settings: Settings,
    observer: Observer = NOBODY,
) -> Report:
    """Test repro files in environments of other releases.

    The report has an entry for each repro and environment, and names the first bad environment
    (`extra["first_bad_version"]`, None for none); those that cannot be had are errors of it.
    """
    loaded = load_repros(paths)
    chosen = _selected(loaded, settings)
    arguments = [str(entry.repro.resolve()) for entry in chosen.entries if entry.repro is not None]
    options = [word for name in settings.pipelines for word in ("--pipeline", name)]
    options += ["--rules", str(settings.rules)] if settings.rules is not None else []
    options += ["--jobs", str(settings.jobs), "--timeout", str(settings.stage_timeout)]
    results: list[EntryReport] = []
    errors = [*loaded.errors, *chosen.errors]
    bad: list[str] = []
    for environment in wanted if arguments else ():
        try:
            found = releases.report_of(environment, [*options, *arguments])
        except releases.ReleaseError as error:
            errors.append(str(error))
            continue
        errors.extend(f"{environment}: {text}" for text in found["summary"]["errors"])
        entries = [_entry_with(environment, data) for data in found["entries"]]
        for entry in entries:
            observer.tested(entry, "")
        bad += [str(environment)] if any(entry.findings for entry in entries) else []
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


def _entry_with(environment: releases.Environment, data: Mapping[str, Any]) -> EntryReport:
    """An entry of another environment's report."""
    path = Path(data["source"])
    verdicts = tuple(Verdict.from_json(verdict) for verdict in data["verdicts"])
    source = relative(path, Path.cwd()) or str(path)
    return EntryReport(
        Entry(f"{data['name']} with {environment}", source=source), repro=path, verdicts=verdicts
    )
