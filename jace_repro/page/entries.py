"""The table of all entries as data: the page makes rows of what is looked at, so that thousands stay usable."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jace_repro.campaign.report import EntryReport, Group, Report
from jace_repro.tester.verdict.outcomes import OUTCOMES

#: More of a verdict's detail is not in the page.
MAX_DETAIL = 600
#: Columns, as the page names them; the order of a row's cells.
COLUMNS = ("name", "source", "equations", "outcome", "seconds")
_UNTESTED = "not tested"
#: The worst outcome of an entry speaks for it.
_RANK = {name: place for place, name in enumerate(sorted(OUTCOMES, key=lambda n: -OUTCOMES[n].is_finding))}


def table(report: Report, base: Path) -> dict[str, Any]:
    """All entries, and how many there are of each outcome; `base` is where the page will lie."""
    numbers: dict[int, int] = {}  # an entry with several findings leads to its first
    for number, group in enumerate(report.groups, 1):
        for entry in group.entries:
            numbers.setdefault(id(entry), number)
    rows = [_row(entry, numbers.get(id(entry)), base) for entry in report.entries]
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
    order = [*_RANK, _UNTESTED]
    return {"rows": rows, "outcomes": dict(sorted(counts.items(), key=lambda item: order.index(item[0])))}


def _row(entry: EntryReport, finding: int | None, base: Path) -> dict[str, Any]:
    outcomes = [verdict.outcome for verdict in entry.verdicts]
    worst = min(outcomes, key=_RANK.__getitem__, default=_UNTESTED)
    repro = "" if entry.repro is None else Path(os.path.relpath(entry.repro, base)).as_posix()
    about = {
        "status": entry.status,
        "calls": entry.calls if entry.calls != 1 else None,
        "self-check": entry.self_check,
        "error": entry.error,
        "call tree": entry.call_tree_error or entry.call_tree_check,
        "processes": ", ".join(entry.processes),
        "tests": ", ".join(entry.tests),
    }
    return {
        "name": entry.name,
        "source": entry.source,
        "equations": entry.entry.equations,
        "outcome": worst,
        "finding": finding,
        "bad": bool(entry.findings),
        "eager": entry.entry.eager,
        "seconds": round(sum(sum(v.seconds.values()) for v in entry.verdicts), 2),
        "repro": repro,
        "primitives": " ".join(f"{name}:{count}" for name, count in entry.entry.primitives.items()),
        "about": {name: value for name, value in about.items() if value},
        "verdicts": [
            {
                "pipeline": v.pipeline,
                "outcome": v.outcome,
                "exact": bool(v.exact),
                "ulp": _short(v.max_ulp),
                "seconds": round(sum(v.seconds.values()), 2),
                "detail": v.detail[:MAX_DETAIL],
            }
            for v in entry.verdicts
        ],
    }


def _short(ulp: float | None) -> str:
    return "" if ulp is None else f"{ulp:,.0f}" if ulp < 1e15 else f"{ulp:.3g}"


def others(group: Group) -> Sequence[str]:
    """Names of the entries that show a finding beside the one that stands for it."""
    return sorted({entry.name for entry in group.entries if entry is not group.entry})
