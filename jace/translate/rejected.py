"""Which equation it is whose C++ the compiler rejects: a note on every line, which no other build has, says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jax.extend.core import ClosedJaxpr

from jace.build import codegen
from jace.debug import notes
from jace.errors import CompileError, CompilerKilledError, JaceError
from jace.translate import passes


def with_equation(error: CompileError, closed: ClosedJaxpr, pipeline: str) -> CompileError:
    """The error with the equation, and the user's line, that the rejected code is of; itself where nobody knows.

    The program is translated once more, with notes.

    Args:
        error: of a file that is still there.
        closed: the program.
        pipeline: as it was translated by.
    """
    file = Path(error.source_file or "")
    if isinstance(error, CompilerKilledError) or not file.is_file():
        return error
    rejected = list(_lines_named(error.stderr, file.name))
    if not rejected:
        return error
    try:
        with notes.annotated(True):
            body = codegen.generate(passes.translate(closed, pipeline), annotate=True).body
    except JaceError:  # what the compiler said stands by itself
        return error
    # the body ends the file, after headers that no equation is of
    before = file.read_text(encoding="utf-8").count("\n") - body.count("\n")
    for line in rejected:
        place = notes.locate(body, line - before)
        if place is not None and place.equation:
            return error.of_equation(place.primitive, place.equation, place.source)
    return error


def _lines_named(said: str, name: str) -> Iterator[int]:
    """The lines of a file that a compiler names, those of its errors first: others lead to them, as instances do."""
    naming = re.compile(rf"{re.escape(name)}:(\d+)(?::\d+)?:?(.*)")
    found = [(int(m[1]), "error:" in m[2]) for line in said.splitlines() if (m := naming.search(line))]
    yield from (line for line, is_error in sorted(found, key=lambda pair: not pair[1]))
