"""The corpus on disk: ``ROOT/repros/<area>/<signature>[-suffix].py``, each a repro with its sidecar, if it has one.

The area is whose bug it is ("dace", "xla", ...). The header of an entry promises what a test of it gives: the outcome,
and for a failure its signature, on one pipeline. The file is named after the signature of the failure that it was made
for, also when that is fixed and the header expects "ok"; a suffix tells two bugs of one signature apart.
``ROOT/<area>/*.py`` are scripts that show a bug without jace: they exit with 1 while it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jace_repro.repro import Header, Repro, load
from jace_repro.tester.verdict.outcomes import OUTCOMES

#: The folder of the entries in the corpus.
REPROS = "repros"
#: The folders of the corpus that hold whole programs, which are recorded.
PROGRAMS = "programs"


@dataclass(frozen=True)
class CorpusEntry:
    """One repro of the corpus.

    Attributes:
        path: where it lies.
        repro: what was read there.
    """

    path: Path
    repro: Repro

    @property
    def area(self) -> str:
        """Whose bug it is."""
        return self.path.parent.name

    @property
    def signature(self) -> str:
        """The signature of the failure that it was made for."""
        return self.path.stem.partition("-")[0]

    @property
    def header(self) -> Header:
        """What it promises."""
        return self.repro.header

    @property
    def release(self) -> str | None:
        """The release of jax that its script asks for."""
        return self.repro.release


def paths(root: Path) -> list[Path]:
    """The entries of a corpus, sorted by area and name."""
    return sorted(root.glob(f"{REPROS}/*/*.py"))


def read(path: Path) -> CorpusEntry:
    """One entry. Raises ReproError and OSError."""
    return CorpusEntry(path, load(path))


def entries(root: Path) -> list[CorpusEntry]:
    """All entries of a corpus, in the order of `paths`. Raises ReproError."""
    return [read(path) for path in paths(root)]


def known(root: Path) -> dict[str, Path]:
    """The failures that a corpus has: where the first entry of each signature lies. Raises ReproError."""
    found: dict[str, Path] = {}
    for entry in entries(root):
        if entry.header.signature is not None:  # what is right has none
            found.setdefault(entry.header.signature, entry.path)
    return found


def scripts(root: Path) -> list[Path]:
    """The scripts of a corpus that show a bug without jace, sorted."""
    return sorted(path for path in root.glob("*/*.py") if path.parent.name not in (REPROS, PROGRAMS))


def faults(entry: CorpusEntry) -> list[str]:
    """A line for each promise of the format that an entry breaks."""
    header = entry.header
    found = []
    if header.pipeline is None:
        found.append("its header names no pipeline")
    if header.outcome not in OUTCOMES:
        found.append(f"its header expects the outcome {header.outcome}, which is none")
    if header.outcome != "ok" and header.signature != entry.signature:
        found.append(f"its header has the signature {header.signature}, its name {entry.signature}")
    if Path(header.origin).is_absolute():
        found.append(f"its origin is a path of one machine: {header.origin}")
    return found
