"""The passes of a pipeline as a row of stops: right until the guilty one, wrong from there on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jace_repro.tester.views import PassRun

State = Literal["right", "guilty", "wrong", "unknown"]


@dataclass(frozen=True)
class Stop:
    """One run of a pass.

    Attributes:
        stage: the pass of jace's that it is a part of ("simplify", "auto-optimize").
        name: of the pass.
        applied: how often it applied which transformation.
        state: whether the result is right after it, made wrong by it, or wrong since before; unknown for the parts
            of a guilty stage of which nobody asked which one it is.
        told: what is known of the culprit.
    """

    stage: str
    name: str
    applied: str
    state: State
    told: str = ""


def stops(passes: Sequence[PassRun], localized: Mapping[str, Any]) -> tuple[Stop, ...]:
    """The passes that changed the SDFG, in order; empty where none is known to be guilty.

    Args:
        passes: that ran.
        localized: what bisection says (`pass`, `application`, `transformation`, `match`, `notes`).
    """
    guilty = localized.get("pass")
    if not guilty:
        return ()
    found: list[Stop] = []
    state: State = "right"
    for run in passes:
        stage, _, name = run.label.partition("/")
        own: State = "guilty" if run.label == guilty else "unknown" if stage == guilty else state
        if own in ("guilty", "unknown"):
            state = "wrong"
        counted = Counter(run.applied)
        applied = ", ".join(f"{what} × {count}" if count > 1 else what for what, count in counted.items())
        found.append(Stop(stage, name or stage, applied, own, _told(localized) if own == "guilty" else ""))
    return tuple(found)


def _told(localized: Mapping[str, Any]) -> str:
    number, transformation = localized.get("application"), localized.get("transformation")
    if not number:
        return ""
    return f"application {number}" + (f": {transformation}" if transformation else "")
