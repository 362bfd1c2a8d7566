"""What a person looks at of each finding: the views of its minimal repro, made in a worker and kept beside the report.

`run` makes them while its workers are warm; `report` makes those that are missing, or whose repro has changed since.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jace_repro.campaign.files import alike, load_repros
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import Group, Report
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import open_pool
from jace_repro.repro import ReproError, load, write_file
from jace_repro.tester import Pool, Verdict
from jace_repro.tester.views import OutputErrors, Views, Wanted

#: The views, in the directory of a recording.
VIEWS = "views"
SCHEMA = 1


@dataclass(frozen=True)
class FindingViews:
    """What there is to see of a finding.

    Attributes:
        repro: the views of its minimal repro; of the recorded one where there is none.
        recorded: how the outputs of the recorded repro differ; None where that is the same one or nothing was compared.
    """

    repro: Views
    recorded: tuple[OutputErrors, ...] | None = None


def shown_repro(group: Group) -> Path | None:
    """The repro that a finding is shown with: the minimal one, else the recorded one."""
    reduced = group.entry.reduced
    return reduced.repro if reduced is not None else group.entry.repro_of(group.verdict)


def make(group: Group, pool: Pool) -> FindingViews:
    """The views of a finding; what cannot be had is among their problems."""
    path, verdict = shown_repro(group), group.verdict
    try:
        if path is None:
            return FindingViews(Views(problems=("there is no repro",)))
        repro = load(path)
        views = pool.view(repro, verdict.pipeline, _wanted(verdict, group.entry.localized))
        recorded = group.entry.repro_of(verdict)
        if recorded is None or recorded == path or views.outputs is None:
            return FindingViews(views)
        outputs = pool.view(load(recorded), verdict.pipeline, Wanted(levels=False)).outputs
        return FindingViews(views, outputs)
    except (OSError, ReproError) as error:
        return FindingViews(Views(problems=(str(error),)))


def _wanted(verdict: Verdict, localized: Mapping[str, Any] | None) -> Wanted:
    """Cuts around the guilty pass, where one is known; both sides are run when they were compared."""
    found = localized or {}
    guilty = found.get("pass")
    compared = verdict.max_abs is not None
    if not guilty:
        return Wanted(outputs=compared)
    place = f"{verdict.pipeline}@{guilty}"
    number = found.get("application")
    before, after = (f"{place}:{number - 1}", f"{place}:{number}") if number else (f"{place}:0", place)
    return Wanted(guilty, before, after, outputs=compared)


def save(found: FindingViews, group: Group, folder: Path) -> None:
    """Keep the views. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "schema": SCHEMA,
        "of": _digest(group),
        "repro": found.repro.to_json(),
        "recorded": None if found.recorded is None else [asdict(output) for output in found.recorded],
    }
    write_file(_file(group, folder), (json.dumps(data) + "\n").encode())


def stored(group: Group, folder: Path) -> FindingViews | None:
    """The views that were kept; None when there are none, or they are of another repro or culprit."""
    try:
        data = json.loads(_file(group, folder).read_text(encoding="utf-8"))
        if (data["schema"], data["of"]) != (SCHEMA, _digest(group)):
            return None
        recorded = data["recorded"]
        return FindingViews(
            Views.from_json(data["repro"]),
            None if recorded is None else tuple(map(OutputErrors.from_json, recorded)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # missing, cut short or of another version: to be made anew


def _file(group: Group, folder: Path) -> Path:
    signature = group.verdict.signature
    name = signature or re.sub(r"\W+", "_", f"{group.entry.name} {group.verdict.outcome}")
    return folder / f"{name}.json"


def _digest(group: Group) -> str:
    """Of all that decides the views."""
    path = shown_repro(group)
    try:
        source = "" if path is None else path.read_text(encoding="utf-8")
    except OSError:
        source = ""
    wanted = asdict(_wanted(group.verdict, group.entry.localized))
    text = json.dumps([source, group.verdict.pipeline, wanted])
    return hashlib.sha256(text.encode()).hexdigest()


def make_missing(report: Report, base: Path, settings: Settings, observer: Observer = NOBODY) -> None:
    """Make the views that are not there yet, in workers of their own, and keep them; none without a repro.

    Args:
        report: whose findings are looked at.
        base: its directory.
        settings: how long a stage may take, and which rules, where a repro does not bring its own.
        observer: is told of the progress.
    Raises:
        OSError: they cannot be kept.
        SettingsError: nothing can be sanitized here.
    """
    missing = [group for group in report.groups if stored(group, base / VIEWS) is None]
    repros = load_repros([path for group in missing if (path := shown_repro(group)) is not None]).repros
    for needed, paths in alike(repros, settings).items():
        with open_pool(needed) as pool:
            keep([group for group in missing if shown_repro(group) in paths], base, pool, observer)


def keep(groups: Sequence[Group], base: Path, pool: Pool, observer: Observer = NOBODY) -> None:
    """Make the views of findings, and keep them in the directory `base`. Raises OSError."""
    with observer.progress("looking at findings", len(groups)) as job:
        for group in groups:
            job.working(group.entry.title)
            save(make(group, pool), group, base / VIEWS)
            job.done()
