"""Which branches of jace no program of the sample executes: of its Python (coverage.py) and of its C++ (gcov).

What is listed in unexecuted.toml, with a reason, is left out.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants.mechanical import counting, python, scope, users
from mutants.mechanical.server import Server
from mutants.mechanical.sources import Subject

#: Folders of jace that decide what is computed, and how.
PYTHON = ("rules", "plan", "sdfg")
#: How the head of a definition ends that is one of a function.
_FUNCTION = re.compile(r"\)\s*(?:const|noexcept)?\s*$")
UNEXECUTED = Path(__file__).with_name("unexecuted.toml")
#: Programs that one process translates and runs.
CHUNK = 60
_SILENT_SECONDS = 240.0


@dataclass(frozen=True)
class Branch:
    """One that no program takes.

    Attributes:
        file: relative to jace.
        number: of its line.
        line: the text of the line that it leaves.
        way: the text of the line that it would lead to, or which of so many ways it is in C++.
    """

    file: str
    number: int
    line: str
    way: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is, wherever the lines have moved."""
        return self.file, self.line, self.way

    def __str__(self) -> str:
        return f"jace/{self.file}:{self.number}: {self.line}\n    never: {self.way}"


@dataclass(frozen=True)
class Executed:
    """What all programs of a sample execute: arcs of Python by file, counts of C++, and who was refused."""

    arcs: Mapping[str, frozenset[tuple[int, int]]]
    counts: counting.Counts
    refused: Mapping[str, str]


def execute(
    subjects: Sequence[Subject],
    runs: Callable[[Subject], bool],
    servers: Sequence[Callable[[bool], Server]],
    tell: Callable[[str], None],
) -> Executed:
    """Translate all programs, and run those that are to be run.

    Args:
        subjects: the programs.
        runs: whether one is run.
        servers: of each mode of JAX; they share the work.
        tell: hears how far it is.
    """
    chunks = [
        (x64, mine[k : k + CHUNK])
        for x64 in (False, True)
        for mine in [[s for s in subjects if s.x64 == x64]]
        for k in range(0, len(mine), CHUNK)
    ]
    free = list(servers)

    def one(chunk: tuple[bool, Sequence[Subject]]) -> list[dict[str, Any]]:
        server = free.pop()
        try:
            asked = [{**s.to_json(), "runs": runs(s)} for s in chunk[1]]
            found = server(chunk[0]).of_right("execute", asked, _SILENT_SECONDS)
        finally:
            free.append(server)
        tell(f"{len(chunk[1])} programs")
        return found

    arcs: dict[str, set[tuple[int, int]]] = {}
    counts: counting.Counts = {}
    refused = {}
    with ThreadPoolExecutor(len(servers)) as threads:
        for events in threads.map(one, chunks):
            for event in events:
                if event["event"] == "refused":
                    refused[event["key"]] = event["detail"]
                elif event["event"] == "executed":
                    counting.add(counts, counting.of_json(event["counts"]))
                    for file, pairs in event["arcs"].items():
                        arcs.setdefault(file, set()).update((a, b) for a, b in pairs)
    return Executed({f: frozenset(pairs) for f, pairs in arcs.items()}, counts, refused)


def missing(executed: Executed) -> list[Branch]:
    """All branches that are not executed, listed or not."""
    return [*_missing_python(executed), *_missing_cpp(executed.counts)]


def _missing_python(executed: Executed) -> Iterator[Branch]:
    import coverage

    with tempfile.TemporaryDirectory() as folder:
        data = coverage.CoverageData(basename=str(Path(folder, "data")))
        data.add_arcs({str(scope.PACKAGE / f): pairs for f, pairs in executed.arcs.items()})
        data.write()
        every = [str(scope.PACKAGE / part) for part in PYTHON]
        cov = coverage.Coverage(
            data_file=str(Path(folder, "data")), branch=True, source=every, config_file=False
        )
        cov.load()
        cov.json_report(outfile=str(Path(folder, "report.json")))
        told = json.loads(Path(folder, "report.json").read_text())
    for name, one in sorted(told["files"].items()):
        path = Path(name).resolve()
        if path.relative_to(scope.PACKAGE).parts[0] not in PYTHON:
            continue
        file, text = path.relative_to(scope.PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for a, b in one["missing_branches"]:
            if not scope.is_for_gpus(file, python.function_at(text, a)):
                yield Branch(file, a, lines[a - 1].strip(), lines[b - 1].strip() if b > 0 else "the end")


def _missing_cpp(counts: counting.Counts) -> Iterator[Branch]:
    """Functions that no program instantiates; lines that never run; of those that do the ways that are not taken.

    An instance of a template may have ways of its own: those of instances that never run say nothing.
    """
    yield from _uninstantiated(counts)
    for file, ways in sorted(counts.items()):
        lines = (scope.PACKAGE / file).read_text(encoding="utf-8").splitlines()
        runs = {(line, of) for (line, _, of), times in ways.items() if times}
        for (line, way, of), times in sorted(ways.items()):
            if times == 0 and (of == 1 or (line, of) in runs):
                said = "it runs" if of == 1 else f"way {way + 1} of {of}"
                yield Branch(file, line, lines[line - 1].strip(), said)


def _uninstantiated(counts: counting.Counts) -> Iterator[Branch]:
    for d in users.definitions():
        text = (scope.PACKAGE / d.file).read_text(encoding="utf-8")
        head, body, _ = text[d.start : d.end].partition("{")
        first, last = (text.count("\n", 0, at) + 1 for at in (d.start, d.end))
        seen = any(first <= line <= last for line, _, _ in counts.get(d.file, ()))
        if body and _FUNCTION.search(head) and "constexpr" not in head and not seen:
            yield Branch(d.file, first, d.name, "there is code of it")


def totals(executed: Executed) -> str:
    """How much there is, as a line."""
    ways = Counter(times > 0 for counts in executed.counts.values() for times in counts.values())
    return f"{ways[True]} of {ways.total()} ways through the C++ that is instantiated"


@functools.cache
def listed() -> dict[tuple[str, str, str], str]:
    """Why a branch is not executed, by `Branch.key`."""
    rows = tomllib.loads(UNEXECUTED.read_text(encoding="utf-8")).get("unexecuted", [])
    return {(row["file"], row["line"], row["way"]): row["reason"] for row in rows}
