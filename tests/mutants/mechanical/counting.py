"""What of jace's C++ runs: a program compiled so that each line and each way out of it is counted (gcov)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: How often the ways out of the lines of headers were taken: {file: {(line, way of so many): times}}. A line that no
#: way but one leads out of is (line, 0 of 1).
Counts = dict[str, Counter[tuple[int, int, int]]]

_FLAGS = (
    "-std=c++20",
    "-O0",
    "--coverage",
    "-fPIC",
    "-w",
    "-march=native",
    "-fno-gnu-unique",
    "-fopenmp",
    "-fopenmp-simd",
)
_DUMP = """
extern "C" void __gcov_dump(void);
extern "C" __attribute__((visibility("default"))) void jace_count() { __gcov_dump(); }
"""


def headers(text: str, package: Path) -> dict[str, tuple[int, int]]:
    """The first and the last line of each of the runtime's headers in a translation unit, from 0, by file."""
    found = {}
    for path in [*package.glob("build/runtime/*.h"), *package.glob("build/*.h")]:
        header = path.read_text(encoding="utf-8")
        at = text.find(header)
        if at >= 0:
            first = text.count("\n", 0, at)
            found[path.relative_to(package).as_posix()] = (first, first + header.count("\n"))
    return found


def run(program: Any, text: str, inputs: Sequence[Sequence[Any]], package: Path, folder: Path) -> Counts:
    """Compile a program in a folder of its own, run it on inputs, and count.

    Args:
        program: what `jace.translate_jaxpr` gives; `text` its translation unit.
        inputs: lists of arrays.
        package: jace.
        folder: is made, and removed again.
    """
    from jace.build.externals import externals_in
    from jace.build.flags import CompilerOptions, link_flags, toolchain
    from jace.build.load import Library, Signature

    tools = toolchain()
    folder.mkdir(parents=True)
    source, out = folder / "program.cc", folder / "program.so"
    source.write_text(text + _DUMP, encoding="utf-8")
    libraries = [*link_flags(tools, CompilerOptions()), "-lgcov"]
    subprocess.run(
        [tools.path, *_FLAGS, "-shared", "-o", out.name, source.name, *libraries],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    library = Library.load(out, str(folder), Signature.of(program), text, externals_in(text))
    for arrays in inputs:
        library.call_direct(arrays)
    library._dll.jace_count()
    told = subprocess.run(
        ["gcov", "--json-format", "--stdout", "--branch-probabilities", "program.so-program.gcda"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    shutil.rmtree(folder)
    return _in_headers(json.loads(told.stdout), headers(text, package))


def _in_headers(told: Mapping[str, Any], places: Mapping[str, tuple[int, int]]) -> Counts:
    """What gcov says of the lines of headers; each instance of a template has a row of its own."""
    found: Counts = {file: Counter() for file in places}
    for unit in told["files"]:
        if not unit["file"].endswith("program.cc"):
            continue
        for row in unit["lines"]:
            for file, (first, last) in places.items():
                if first < row["line_number"] <= last:
                    ways = [b for b in row["branches"] if not b["throw"]]
                    line = row["line_number"] - first
                    for k, way in enumerate(ways):
                        found[file][line, k, len(ways)] += way["count"]
                    found[file][line, 0, 1] += row["count"]
    return found


def to_json(counts: Counts) -> dict[str, list[list[int]]]:
    """As JSON values."""
    return {file: [[*way, times] for way, times in ways.items()] for file, ways in counts.items()}


def of_json(value: Mapping[str, Sequence[Sequence[int]]]) -> Counts:
    """The inverse of `to_json`."""
    return {
        file: Counter({(line, k, ways): times for line, k, ways, times in rows})
        for file, rows in value.items()
    }


def add(total: Counts, more: Counts) -> None:
    """Add counts of another program; of what is never taken, too."""
    for file, ways in more.items():
        mine = total.setdefault(file, Counter())
        for way, times in ways.items():
            mine[way] += times
