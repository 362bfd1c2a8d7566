"""Passes that cut statements: those after the failure, those before it, and those that it does not need."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from jace_repro.reducer.passes.common import delta_debug
from jace_repro.reducer.source.code import (
    assigned,
    blocks,
    free_name,
    function_named,
    functions,
    names_in,
    outer_expressions,
)
from jace_repro.reducer.source.evaluation import values_after
from jace_repro.reducer.source.passes.registry import (
    Proposal,
    changed,
    one_by_one,
    shortened,
    source_pass,
)
from jace_repro.reducer.source.program import Edits, Program


@source_pass("return earlier", order=10)
def return_earlier(program: Program) -> Edits:
    """What a function returns is what an earlier statement of it computes, the earliest that will do."""
    for name in [one.name for one in functions(program.code.tree)]:
        found = function_named(program.code.tree, name)
        low, high = 0, 0 if found is None else len(found.body) - 1
        while low < high:
            middle = (low + high) // 2
            for candidate in _returning(program, name, middle):
                if (yield candidate):
                    program, high = candidate, middle
                    break
            else:
                low = middle + 1


def _returning(program: Program, name: str, number: int) -> Iterator[Program]:
    """The program whose function returns what its statement of this number computes: all, one, or a sum of it."""
    code = program.code
    function = function_named(code.tree, name)
    assert function is not None
    *body, last = function.body
    if not isinstance(last, ast.Return) or not isinstance(body[number], ast.Assign):
        return
    results = sorted(assigned([body[number]]))
    together = [", ".join(results)] if len(results) > 1 else []
    for text in (*together, *results, f"{results[0]}.sum()"):  # what is differentiated is a number
        edits = [code.removing(node) for node in body[number + 1 :]]
        edits.append(code.replacing_rows(last, [f"return {text}"]))
        candidate = changed(program, edits, f"{name} returns {text}")
        if candidate is not None:
            yield candidate


@source_pass("start later", order=20)
def start_later(program: Program) -> Edits:
    """What the first statements of `repro` compute are inputs: of as many of them as will do."""
    high = len(program.entry.body) - 1
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        candidate = _starting(program, middle)
        if candidate is not None and (yield candidate):
            program, low, high = candidate, 0, high - middle
        else:
            high = middle - 1


def _starting(program: Program, number: int) -> Program | None:
    """The program without the first statements of `repro`, with what the others need of them as inputs."""
    body = program.entry.body
    first, rest = body[:number], body[number:]
    if not all(isinstance(node, ast.Assign) for node in first):
        return None
    needed = set().union(*map(names_in, rest))
    made = sorted(assigned(first) & needed)
    values = values_after(program, number, made)
    if values is None:
        return None
    candidate = changed(program, map(program.code.removing, first), "")
    given = {name: value for name, value in program.inputs.items() if name in needed}
    if candidate is None:
        return None
    return candidate.taking({**given, **dict(zip(made, values, strict=True))}, f"without {number} statements")


@source_pass("open blocks", order=55)
def open_blocks(program: Program) -> Edits:
    """A loop becomes its first iteration, and what is under a condition or in a context stands by itself."""
    yield from one_by_one(program, _opened)


def _opened(program: Program) -> Iterator[Proposal]:
    code = program.code
    for node in ast.walk(code.tree):
        if isinstance(node, ast.For):
            first = f"{code.of(node.target)} = next(iter({code.of(node.iter)}))"
            lines = [first, *code.lines_of(node.body, ())]
            yield Proposal([code.replacing_rows(node, lines)], f"{first} and no loop")
        elif isinstance(node, ast.With | ast.If):
            yield Proposal(
                [code.replacing_rows(node, code.lines_of(node.body, ()))], "what is in a block by itself"
            )


@source_pass("take as input", order=65)
def take_as_input(program: Program) -> Edits:
    """What an expression of `repro` computes is an input, the longest first."""
    yield from one_by_one(program, _taking)


def _taking(program: Program) -> Iterator[Proposal]:
    code = program.code
    name = free_name("x", names_in(code.tree))
    places = [
        (number, node)
        for number, statement in enumerate(program.entry.body)
        for node in outer_expressions(statement)
        if not isinstance(node, ast.Name | ast.Constant)
    ]
    for number, node in sorted(places, key=lambda place: -len(code.of(place[1]))):

        def with_value(candidate: Program, number: int = number, text: str = code.of(node)) -> Program | None:
            values = (
                values_after(program, number, [text]) if candidate.key.nodes < program.key.nodes else None
            )
            if values is None:
                return None
            return candidate.taking({**candidate.inputs, name: values[0]}, f"{shortened(text)} is an input")

        yield Proposal([code.replacing(node, name)], "", with_value)


@source_pass("drop statements", order=30)
def drop_statements(program: Program) -> Edits:
    """Delta debugging of the statements, wherever they stand."""
    code = program.code
    within = (node for body in blocks(code.tree) for node in body if len(body) > 1)
    droppable = [node for node in within if not isinstance(node, ast.Return)]

    def keeping(kept: Sequence[ast.stmt]) -> Program | None:
        dropped = [node for node in droppable if node not in kept]
        return changed(program, map(code.removing, dropped), f"without {len(dropped)} statements")

    if droppable and not ((candidate := keeping([])) is not None and (yield candidate)):
        yield from delta_debug(droppable, keeping)
