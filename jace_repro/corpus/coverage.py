"""What an entry of a corpus covers, read from its text: which right ones a corpus can do without."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from jace_repro.corpus.store import CorpusEntry

#: The type that a line of a repro has in its comment: ``# f32[2,3]``.
_TYPE = re.compile(r"#\s+([a-z0-9_]+)\[([^\]]*)\]")


def features(entry: CorpusEntry) -> frozenset[str]:
    """What an entry covers on its pipeline.

    That is which operations with which keywords give which dtype and rank, and pairs of an operation and one that reads
    what it gives.
    """
    source = entry.repro.source
    lines = source.splitlines()
    return frozenset(
        f"{entry.header.pipeline}: {feature}"
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef)
        for feature in _of_function(function, lines)
    )


def redundant(entries: Sequence[CorpusEntry]) -> list[CorpusEntry]:
    """The right entries that cover nothing which the others that are kept do not. Small ones are kept first.

    What shows a failure is never one of them, nor what showed one.
    """
    covered: set[str] = set()
    spare = []
    for entry in entries:
        if not entry.was_right:
            covered |= features(entry)
    for entry in sorted((e for e in entries if e.was_right), key=lambda e: (len(e.repro.source), e.name)):
        new = features(entry) - covered
        if not new:
            spare.append(entry)
        covered |= new
    return spare


def _of_function(function: ast.FunctionDef, lines: Sequence[str]) -> Iterator[str]:
    made_by: dict[str, str] = {}
    for statement in function.body:
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)):
            continue
        call = statement.value
        operation = ast.unparse(call.func)
        keywords = sorted(k.arg or "**" for k in call.keywords)
        yield f"{operation}({', '.join(keywords)}){_type(lines[(statement.end_lineno or statement.lineno) - 1])}"
        for argument in call.args:
            if isinstance(argument, ast.Name) and argument.id in made_by:
                yield f"{operation} of {made_by[argument.id]}"
        made_by |= {
            n.id: operation for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)
        }


def _type(line: str) -> str:
    """The dtype and rank in the comment of a line."""
    found = _TYPE.search(line)
    if found is None:
        return ""
    rank = len(found[2].split(",")) if found[2] else 0
    return f" -> {found[1]}, rank {rank}"
