"""What the guilty step of a pipeline changed, for a bug report: the SDFG before and after it lies in files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jace_repro.campaign import dace_only

#: More lines of a change are not for an issue.
MOST_LINES = 60


def saved_step(file: Path, localized: Mapping[str, Any]) -> Path | None:
    """The folder that holds the SDFGs before and after the step, if they were kept.

    Args:
        file: the repro in which the step was searched; a run keeps them in a folder that is called as it is.
        localized: names the file, as the report of `localize` has it.
    """
    said = localized.get("before")
    folders = [file.with_suffix(""), *([Path(said).parent] if said else [])]
    return next((folder for folder in folders if (folder / "before.sdfg").is_file()), None)


def changed(folder: Path) -> Iterator[str]:
    """Paragraphs about the step: which files to attach, and what changed."""
    names = [f"`{folder.name}/{name}`" for name in ("before.sdfg", "after.sdfg") if (folder / name).is_file()]
    told = f"The SDFG before and after this step, as DaCe's JSON, to be attached: {' and '.join(names)}."
    if (folder / dace_only.NAME).is_file():
        told += (
            f" `{folder.name}/{dace_only.NAME}` shows it without JAX: it needs dace, numpy and these, and exits with 1 "
            "while the bug is there."
        )
    yield told
    diff = folder / "diff.txt"
    if not diff.is_file():
        return
    lines = diff.read_text(encoding="utf-8").rstrip().splitlines()
    if len(lines) > MOST_LINES:
        lines = [
            *lines[:MOST_LINES],
            f"... and {len(lines) - MOST_LINES} more lines in {folder.name}/diff.txt",
        ]
    yield "What it changed:"
    yield "\n".join(lines)
