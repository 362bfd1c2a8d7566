"""Where compiled code crashed, from a sanitizer's report: in terms of the SDFG and of the user."""

from __future__ import annotations

from pathlib import Path

from jace.debug import locate
from jace_repro.tester.execute.sanitizer import fault
from jace_repro.tester.verdict.culprit import Crash


def crash_of(report: str, source: Path) -> Crash | None:
    """What is known of the crash of a process that ended with `report`; None when no sanitizer spoke.

    Args:
        source: the annotated C++ of what it ran (`jace.debug.locate`).
    """
    found = fault(report)
    if found is None:
        return None
    text = source.read_text(encoding="utf-8") if source.exists() else ""
    for (
        line
    ) in found.lines:  # the innermost frames may be functions of the runtime header: they belong to no node
        place = locate(text, line)
        if place is not None:
            return Crash(
                kind=found.kind,
                access=found.what,
                state=place.state or None,
                map=place.map or None,
                node=place.node or None,
                equation=place.equation or None,
                source=place.source or None,
                primitive=place.primitive or None,
                file=str(source.resolve()) if source.is_symlink() else None,
                line=line,
                code=text.splitlines()[line - 1].partition("// ")[0].strip(),
            )
    return Crash(kind=found.kind, access=found.what)
