"""jace with one change: a copy of the package beside the right one, with a cache of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutants.mechanical.edits import Mutation
from mutants.mechanical.scope import PACKAGE


@dataclass(frozen=True)
class Overlay:
    """`folder` comes first on `sys.path`; jace keeps what it compiles in `cache`, and temporary files in `tmp`."""

    folder: Path

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def tmp(self) -> Path:
        return self.folder / "tmp"


@contextlib.contextmanager
def overlaid(mutation: Mutation, compiled: Path | None = None) -> Iterator[Overlay]:
    """The mutated package, for as long as the context lasts.

    Args:
        compiled: the cache of the right jace, whose compiled code the mutant may find: its key is the whole source
            with flags and compiler. None for a mutant of what makes or reads that key.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as name:
        overlay = Overlay(Path(name))
        overlay.tmp.mkdir()
        copied = overlay.folder / "jace"
        shutil.copytree(PACKAGE, copied)  # with the bytecode: times of files are copied, too
        target = copied / mutation.file
        for stale in (target.parent / "__pycache__").glob(f"{target.stem}.*"):
            stale.unlink()
        target.write_text(mutation.mutated, encoding="utf-8")
        if compiled is not None:
            _link(compiled, overlay.cache)
        yield overlay


def _link(source: Path, target: Path) -> None:
    """The objects of one cache in another one: files there are replaced and never written to."""
    for folder in source.glob("v*/objects"):
        into = target / folder.relative_to(source)
        into.mkdir(parents=True)
        for file in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # pruned, or not yet there
                os.link(file, into / file.name)
