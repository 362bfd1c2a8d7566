"""Scripts that have been found exact before, beside the compiled programs: an equal one is not run again.

A script is equal when its text, its data, the versions and all that decides what JAX computes are. `JACE_CACHE=0`
switches it off. Only "exact" is remembered.
"""

from __future__ import annotations

import functools
from pathlib import Path

from jace.build import default_cache, digest
from jace.errors import CompileError
from jace_repro.repro import kept


def file_of(path: Path) -> Path | None:
    """Where it is remembered that the script at `path`, as it is now, is exact.

    None when nothing is to be: the script or its data cannot be read, or it has large arrays, which take as long to
    read as to run.
    """
    cache = default_cache()
    if cache is None:
        return None
    try:
        script = kept.script_digest(path)
        if script is None:
            return None
        key = digest(script, kept.surroundings(), _checker())
    except (OSError, CompileError):
        return None
    return cache.root / "self-checks" / key[:2] / key


def remember(file: Path) -> None:
    """Remember it. Where nothing can be written, the script is checked again next time."""
    kept.keep(file, b"")


@functools.cache
def _checker() -> str:
    """A digest of the self-check: a better one checks again."""
    return digest(
        *(Path(__file__).with_name(n).read_text(encoding="utf-8") for n in ("driver.py", "check.py"))
    )
