"""Passes on how a program is spelled: variables that are read once, numbers at the end of names, parentheses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.source.code import Code, Edit, functions, names_in
from jace_repro.reducer.source.passes.registry import Proposal, changed, one_by_one, source_pass
from jace_repro.reducer.source.program import Edits, Program


@source_pass("inline variables", order=80)
def inline_variables(program: Program) -> Edits:
    """What is assigned and read once stands where it is read; a name or a number wherever it is read."""
    yield from one_by_one(program, _inlined)


def _inlined(program: Program) -> Iterator[Proposal]:
    code = program.code
    for function in functions(code.tree):
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        for statement in function.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    read = [node for node in names if node.id == name and isinstance(node.ctx, ast.Load)]
                    stored = sum(node.id == name for node in names) - len(read)
                    if stored == 1 and (len(read) == 1 or isinstance(value, ast.Name | ast.Constant)):
                        edits = [code.replacing(node, code.operand(value)) for node in read]
                        yield Proposal([code.removing(statement), *edits], f"{name} where it is read")


@source_pass("plain names", order=140, trigger=sizes_left)
def plain_names(program: Program) -> Edits:
    """Names without the numbers that made them differ from others, where nothing else has them."""
    for name in sorted(names_in(program.code.tree)):
        plain = re.sub(r"(_\d+)+$", "", name)
        if plain != name and plain not in names_in(program.code.tree):
            edits = program.code.renaming(program.code.tree, {name: plain})
            candidate = changed(program, edits, f"{name} is {plain}")
            if candidate is not None and (yield candidate):
                program = candidate


@source_pass("plain brackets", order=150, trigger=sizes_left)
def plain_brackets(program: Program) -> Edits:
    """Expressions without parentheses that mean nothing."""
    yield from one_by_one(program, _unbracketed)


def _unbracketed(program: Program) -> Iterator[Proposal]:
    code = program.code
    for node in ast.walk(code.tree):
        if not isinstance(node, ast.expr):
            continue
        start, end = code.span(node)
        edits = [Edit(start - 1, start, ""), Edit(end, end + 1, "")]
        if code.text[start - 1] == "(" and code.text[end : end + 1] == ")" and _is_same(code, edits):
            yield Proposal(edits, "without parentheses")


def _is_same(code: Code, edits: list[Edit]) -> bool:
    """Whether a text means the same after edits."""
    try:
        return ast.dump(ast.parse(code.edited(edits))) == ast.dump(code.tree)
    except SyntaxError:
        return False
