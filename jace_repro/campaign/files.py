"""The repro files that a user names, by themselves or by a directory that they lie in, and the names of new ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jace_repro.campaign.conditions import as_found
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.repro import Repro, ReproError, load
from jace_repro.repro.entry import Entry
from jace_repro.repro.file import marked
from jace_repro.tracker.journal import CALLTREES, JOURNAL


@dataclass(frozen=True)
class Loaded:
    """Repros in memory by their files, in order; a line for each file or directory that there is nothing in."""

    repros: dict[Path, Repro]
    errors: tuple[str, ...]

    def entries(self) -> dict[Path, EntryReport]:
        """An entry for each, before it is tested."""
        return {
            path: EntryReport(Entry(repro.header.name, source=path.as_posix()), repro=path)
            for path, repro in self.repros.items()
        }


def alike(repros: Mapping[Path, Repro], settings: Settings) -> dict[Settings, list[Path]]:
    """Repros by what they need to show their findings again: those of one group share workers."""
    groups: dict[Settings, list[Path]] = {}
    for path, repro in repros.items():
        groups.setdefault(as_found(settings, repro), []).append(path)
    return groups


def load_repros(paths: Sequence[Path]) -> Loaded:
    """Read the repros that are named; one that cannot be read is an error, and the others are still there."""
    repros: dict[Path, Repro] = {}
    errors = []
    for path in paths:
        if path.is_dir():
            found = list(repro_files(path))
            errors += [] if found else [f"{path}: no repro file in it, nor below it"]
        else:
            found = [path]
        for file in found:
            try:
                repros[file] = load(file)
            except OSError as error:
                errors.append(f"{file}: {error.strerror or error}")
            except ReproError as error:
                errors.append(f"{file}: {str(error).removeprefix(f'{file.name}: ')}")
    return Loaded(repros, tuple(errors))


def repro_files(directory: Path) -> Iterator[Path]:
    """All repro files below a directory, in order; hidden directories, and files without a header, count for nothing.

    Of a recording the entries count and not their call trees, which are the same programs.
    """
    for path in sorted(directory.rglob("*.py")):
        inside = path.relative_to(directory).parent
        hidden = any(part.startswith(".") for part in inside.parts)
        call_tree = inside.name == CALLTREES and (path.parent.parent / JOURNAL).exists()
        if not hidden and not call_tree and marked(path):
            yield path


def without(repros: Iterable[Path], directory: Path) -> list[Path]:
    """Those that do not lie below a directory."""
    return [path for path in repros if not path.resolve().is_relative_to(directory.resolve())]


def slug(name: str) -> str:
    """The name of a function or entry as part of the name of a file."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "entry"
