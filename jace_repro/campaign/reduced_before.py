"""Reductions of earlier runs, beside the compiled programs: the same finding in the same program is not reduced anew.

What is remembered is where the search ended. It accuses nobody: the minimal repro is tested, as it is after a search,
and the search is made where it does not show the finding. `JACE_CACHE=0` switches it off.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from jace.build import default_cache, digest
from jace_repro import reducer, tester
from jace_repro.campaign.report import versions
from jace_repro.campaign.settings import Settings
from jace_repro.reducer import Improvement, Reduced
from jace_repro.repro import Header, Repro, ReproError, kept, large, load, write_file
from jace_repro.repro.file import with_header
from jace_repro.tester import Verdict

#: A minimal repro with more data is not kept.
MAX_BYTES = 1 << 20


def folder_of(
    repro: Repro, verdict: Verdict, max_calls: int, as_written: bool, settings: Settings
) -> Path | None:
    """Where the reduction of a finding is remembered; None when nothing is to be."""
    cache = default_cache()
    if cache is None:
        return None
    plain = with_header(repro.source, Header(jax_config=repro.header.jax_config), None)
    arrays = [f"{name} {large.checksum(array)}" for name, array in sorted(repro.arrays.items())]
    rules = "" if settings.rules is None else settings.rules.read_text(encoding="utf-8")
    how = [sorted(settings.environment), settings.sanitize, verdict.pipeline, max_calls, as_written]
    key = digest(
        plain, *arrays, rules, json.dumps(how), str(verdict.signature), json.dumps(versions()), _searching()
    )
    return cache.root / "reductions" / key[:2] / key


def _searching() -> str:
    """A digest of the reducer, and of what judges its candidates: better ones search again."""
    return kept.sources(*(Path(root) for room in (reducer, tester) for root in room.__path__))


def recall(folder: Path, repro: Repro) -> Reduced | None:
    """The reduction of `repro` that is remembered there; None when there is none that can be read."""
    try:
        data: dict[str, Any] = json.loads((folder / "reduced.json").read_text(encoding="utf-8"))
        steps = tuple(Improvement(*step) for step in data.pop("steps"))
        found = load(folder / "minimal.py")
        header = replace(found.header, name=repro.header.name, origin=repro.header.origin)
        return Reduced(repro=replace(found, header=header), steps=steps, earlier=True, **data)
    except (OSError, ValueError, TypeError, KeyError, ReproError):
        return None


def remember(folder: Path, reduced: Reduced) -> None:
    """Remember a reduction there, if it is small and there is room."""
    if sum(array.nbytes for array in reduced.repro.arrays.values()) > MAX_BYTES:
        return
    said = {"equations", "elements", "oracle_calls", "seconds", "stopped", "refused"}
    data = {name: getattr(reduced, name) for name in said}
    data["steps"] = [astuple(step) for step in reduced.steps]
    with contextlib.suppress(OSError):
        reduced.repro.save(folder / "minimal.py")
        write_file(folder / "reduced.json", json.dumps(data, indent=1).encode())
