"""What is known of an entry when all there is of it is its repro: patterns of ``--select`` are held against that."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from jace import ir
from jace_repro.repro import Repro, trace_repro
from jace_repro.repro.entry import Entry
from jace_repro.repro.selection import Pattern, Selection
from jace_repro.tracker import recording
from jace_repro.tracker.journal import JOURNAL


def describer(selection: Selection) -> Callable[[Path, Repro], Entry]:
    """Makes the entry of a repro, as far as `selection` asks for it.

    Function and file are in the header; the rest is known of a repro that lies where it was recorded. Primitives of any
    other are found by tracing it.
    """
    patterns = [Pattern.parse(text) for text in (*selection.select, *selection.ignore)]
    by_primitive = any(pattern.kind == "primitive" for pattern in patterns)

    def described(path: Path, repro: Repro) -> Entry:
        known = _recorded(path.resolve().parent.parent).get(path.resolve())
        if known is not None:
            return known
        source = repro.header.origin.rpartition(" (")[0]
        return Entry(repro.header.name, source=source, primitives=primitives(repro) if by_primitive else {})

    return described


@functools.lru_cache(maxsize=64)
def _recorded(directory: Path) -> Mapping[Path, Entry]:
    """The entries of the recording in a directory, if there is one, by their repros."""
    if not (directory / JOURNAL).exists():
        return {}
    recorded = recording.load(directory)
    return {directory / path: entry.entry for entry in recorded.entries for path in entry.repros}


def primitives(repro: Repro) -> Mapping[str, int]:
    """How many equations of each kind a repro has; none when it cannot be traced."""
    try:
        closed, _ = trace_repro(repro)
    except Exception:  # a script that reproduces a failing trace, say: whatever the program raises
        return {}
    return ir.primitives(closed)
