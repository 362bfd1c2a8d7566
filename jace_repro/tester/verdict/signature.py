"""Signatures: equal for two failures that are the same bug, whatever their names, sizes and values."""

from __future__ import annotations

import hashlib
import re

#: What an error message says besides the error: each becomes a placeholder.
_NORMALISE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\x1b\[[0-9;]*m", ""),
        (r"[;,]? did you mean .*", ""),  # a compiler's guess at another name of the program
        (r"(?:[A-Za-z]:)?(?:[\\/][\w.+\-@~]+)+[\\/]?", "PATH"),
        (r"\b[\w\-]+\.(?:py|cpp|cc|h|so|sdfg|json)\b", "PATH"),
        (r"\b0x[0-9a-fA-F]+\b", "N"),
        (r"\b[0-9a-f]{8,}\b", "N"),
        (r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|‘[^’\n]*’", "NAME"),
        (r"\b[A-Za-z_]\w*\d\w*\b", "NAME"),  # generated names: a0003, __tmp_12_3
        (r"(?<!\w)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", "N"),
        (r"[\[(](?:\s*(?:N|NAME)\s*[,:=]?)+[\])]", "SHAPE"),  # of an array, or the ranges of a map
        (r"\s+", " "),
    )
)


def normalise(message: str) -> str:
    """The first line of an error without paths, names, numbers and sizes."""
    line = next((line for line in message.splitlines() if line.strip()), "")
    for pattern, replacement in _NORMALISE:
        line = pattern.sub(replacement, line)
    return line.strip()[:160]


def signature(
    outcome: str,
    *,
    primitive: str | None = None,
    guilty_pass: str | None = None,
    error: str | None = None,
    difference: str | None = None,
    stage: str | None = None,
) -> str:
    """12 hex digits over what makes two failures the same bug.

    Args:
        outcome: a name of the table of outcomes.
        primitive: the guilty one, or the sorted names of several joined by commas.
        guilty_pass: the guilty pass of the pipeline.
        error: a message, normalised here. Leave it out where the primitive says it all.
        difference: class of the difference of a mismatch.
        stage: for a crash, timeout or memory blow-up, the stage that ended so.
    """
    parts = (
        outcome,
        primitive or "",
        guilty_pass or "",
        normalise(error or ""),
        difference or "",
        stage or "",
    )
    return hashlib.sha1("\x1f".join(parts).encode()).hexdigest()[:12]
