"""The corpus on disk: ``ROOT/repros/<area>/<signature>[-suffix].py``, each a repro with its sidecar, if it has one.

The area is whose bug it is ("dace", "xla", ...). The header of an entry promises what a test of it gives: the outcome,
and for a failure its signature, on one pipeline; and its state. The file is named after the signature of the failure
that it was made for, also when that is fixed and the header expects "ok"; after the program, where it never failed. A
suffix tells two bugs of one signature apart. Beside it there may lie a bug report (``.md``), and in a folder of its
name what that refers to.
``ROOT/<area>/*.py`` are scripts that show a bug without jace: they exit with 1 while it is there.

Reading an entry runs nothing of it.
"""

from __future__ import annotations

import hashlib
import itertools
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jace import pipelines
from jace_repro.corpus.states import STATES
from jace_repro.repro import Header, Repro, load
from jace_repro.repro.file import marked
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
    def name(self) -> str:
        """What it is called: its area and its file."""
        return f"{self.area}/{self.path.stem}"

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
    def state(self) -> str:
        """One of `STATES`."""
        return self.header.state or "accepted"

    @property
    def was_right(self) -> bool:
        """Whether it has never shown a failure."""
        return (self.state, self.header.outcome) == ("accepted", "ok")

    @property
    def release(self) -> str | None:
        """The release of jax that its script asks for."""
        return self.repro.release


def paths(root: Path) -> list[Path]:
    """The entries of a corpus, sorted by area and name. Rules files of users, which lie beside theirs, are none."""
    found = filter(marked, root.glob(f"{REPROS}/*/*.py"))
    return sorted(found, key=lambda path: (path.parent.name, path.stem))


def read(path: Path) -> CorpusEntry:
    """One entry. Raises ReproError and OSError."""
    return CorpusEntry(path, load(path))


def entries(root: Path) -> list[CorpusEntry]:
    """All entries of a corpus, in the order of `paths`. Raises ReproError."""
    return [read(path) for path in paths(root)]


@dataclass(frozen=True)
class Known:
    """The failures that a corpus has.

    Attributes:
        entries: where the first entry of each lies, by its signature and its pipeline; by "" where XLA is wrong,
            whatever DaCe is asked to do.
    """

    entries: Mapping[tuple[str, str], Path] = field(default_factory=dict)

    def entry(self, signature: str | None, outcome: str, pipeline: str) -> Path | None:
        """The entry that a finding is known by; a bug of DaCe's passes is none of jace's on another pipeline.

        It is one that DaCe's passes have without nested calls and symbols (`Pipeline.plainer`), too.
        """
        if not signature:
            return None
        where = ("",) if OUTCOMES[outcome].of_reference else (pipeline, pipelines.parse(pipeline)[0].plainer)
        return next(
            (found for one in where if (found := self.entries.get((signature, one))) is not None), None
        )

    def first(self, signature: str) -> Path | None:
        """The first entry of a signature, on whatever pipeline."""
        return next((path for (one, _), path in self.entries.items() if one == signature), None)


def known(root: Path) -> Known:
    """The failures that a corpus has. Raises ReproError."""
    found: dict[tuple[str, str], Path] = {}
    for entry in entries(root):
        header = entry.header
        if header.signature is not None and header.outcome is not None:  # what is right has none
            where = "" if OUTCOMES[header.outcome].of_reference else header.pipeline or ""
            found.setdefault((header.signature, where), entry.path)
    return Known(found)


def twin(repro: Repro, others: Iterable[CorpusEntry]) -> CorpusEntry | None:
    """The entry that has the same program and promises the same, if one does."""

    def identity(repro: Repro) -> tuple[str | None, ...]:
        header = repro.header
        program = header.fingerprint or hashlib.sha256(repro.source.encode()).hexdigest()
        return program, header.signature, header.pipeline

    return next((other for other in others if identity(other.repro) == identity(repro)), None)


def put(root: Path, area: str, repro: Repro) -> CorpusEntry:
    """Write a repro into a corpus, named as entries are. Raises OSError.

    Where it comes from is said without the folders of this machine.
    """
    header = replace(repro.header, origin=_here(repro.header.origin))
    if header.rules is not None:
        header = replace(header, rules=replace(header.rules, origin=_here(header.rules.origin)))
    program = header.fingerprint or hashlib.sha256(repro.source.encode()).hexdigest()
    path = _free(root / REPROS / area / f"{header.signature or program[:12]}.py")
    return CorpusEntry(path, replace(repro, header=header).save(path))


def rewrite(entry: CorpusEntry, header: Header) -> CorpusEntry:
    """The entry with another header. Raises OSError.

    It is named after a signature that it did not have; what lies beside it tells of the other one, and goes.
    """
    path = entry.path
    if header.signature not in (None, entry.signature):
        path = _free(path.with_stem(str(header.signature)))
    saved = replace(entry.repro, header=header).save(path)
    if path != entry.path:
        remove(entry)
    return CorpusEntry(path, saved)


def remove(entry: CorpusEntry) -> None:
    """Remove an entry and what lies beside it. Raises OSError.

    Rules and large arrays stay: others may have them, too.
    """
    for suffix in (".py", ".npz", ".md"):
        entry.path.with_suffix(suffix).unlink(missing_ok=True)
    shutil.rmtree(entry.path.with_suffix(""), ignore_errors=True)


def scripts(root: Path) -> list[Path]:
    """The scripts of a corpus that show a bug without jace, sorted."""
    return sorted(path for path in root.glob("*/*.py") if path.parent.name not in (REPROS, PROGRAMS))


def faults(entry: CorpusEntry) -> list[str]:
    """A line for each promise of the format that an entry breaks."""
    header = entry.header
    found = []
    if entry.state not in STATES:
        found.append(f"its header has the state {header.state}, which is none of {', '.join(STATES)}")
    if entry.state != "pending" and header.pipeline is None:
        found.append("its header names no pipeline")
    if entry.state != "pending" and header.outcome not in OUTCOMES:
        found.append(f"its header expects the outcome {header.outcome}, which is none")
    if header.outcome not in (None, "ok") and header.signature != entry.signature:
        found.append(f"its header has the signature {header.signature}, its name {entry.signature}")
    for origin in (header.origin, "" if header.rules is None else header.rules.origin):
        if Path(origin).is_absolute():
            found.append(f"its origin is a path of one machine: {origin}")
    return found


def _here(origin: str) -> str:
    """Where something comes from, without the folders of one machine."""
    return Path(origin).name if Path(origin).is_absolute() else origin


def _free(path: Path) -> Path:
    """The path, with a number where there is such a file."""
    if not path.exists():
        return path
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    return next(one for one in numbered if not one.exists())
