"""The findings of a report that an earlier command wrote: what was found, and the repros that show it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict


class ReportedError(ValueError):
    """A file is no report of jace-repro."""


@dataclass(frozen=True)
class Reported:
    """A finding of a report.

    Attributes:
        verdict: what was found.
        repro: the file that shows it.
        equations: how many the program has; 0 where the report does not say.
        call_tree: the same program as its author wrote it, where there is one.
    """

    verdict: Verdict
    repro: Path
    equations: int
    call_tree: Path | None


def reported(report: Path) -> tuple[Reported, ...]:
    """The findings of a report (``--json``), and how programs failed under plain JAX by themselves, in order.

    Raises:
        OSError: the file cannot be read.
        ReportedError: it is no report.
    """
    try:
        data = json.loads(report.read_text(encoding="utf-8"))
        return tuple(found for entry in data["entries"] for found in _of_entry(entry, report.parent))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ReportedError(f"{report}: no report of jace-repro ({type(error).__name__}: {error})") from error


def _of_entry(entry: Mapping[str, Any], base: Path) -> Iterator[Reported]:
    """What an entry shows; paths are relative to the report."""
    call_tree, equations = entry.get("call_tree"), entry.get("equations") or 0
    for verdict in map(Verdict.from_json, entry["verdicts"]):
        repro = entry.get("with_inputs", {}).get(verdict.inputs or "", entry["repro"])
        fails = OUTCOMES[verdict.outcome].is_finding or OUTCOMES[verdict.outcome].kind == "program"
        if fails and repro is not None:
            yield Reported(verdict, base / repro, equations, None if call_tree is None else base / call_tree)
