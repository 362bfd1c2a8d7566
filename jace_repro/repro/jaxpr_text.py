"""The canonical text of a repro's program, kept beside it: what a self-check compares with when the two differ."""

from __future__ import annotations

import gzip
from pathlib import Path

from jax.extend.core import ClosedJaxpr

from jace import ir
from jace_repro.repro.file import write_file


def save_jaxpr(path: Path, closed: ClosedJaxpr) -> None:
    """Write the canonical text of a script's program beside it, so that a self-check can say what differs.

    Raises OSError.
    """
    text = ir.canonical_text(closed).encode()
    write_file(_jaxpr_file(path), gzip.compress(text, compresslevel=3, mtime=0))


def saved_jaxpr(path: Path) -> str | None:
    """What :func:`save_jaxpr` wrote beside a script, if it did."""
    file = _jaxpr_file(path)
    return gzip.decompress(file.read_bytes()).decode() if file.exists() else None


def _jaxpr_file(path: Path) -> Path:
    return path.with_suffix(".jaxpr.gz")
