"""Passes on the functions of a program: their bodies where they are called, and their parameters."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping

from jace_repro.reducer.source.code import Code, Edit, assigned, free_name, functions, names_in
from jace_repro.reducer.source.passes.registry import Proposal, one_by_one, source_pass
from jace_repro.reducer.source.program import Edits, Program


@source_pass("inline functions", order=50)
def inline_functions(program: Program) -> Edits:
    """The body of a function in the place of a call of it."""
    yield from one_by_one(program, _inlined)


def _inlined(program: Program) -> Iterator[Proposal]:
    code = program.code
    defined = {one.name: one for one in functions(code.tree) if _is_plain(one)}
    for inside in functions(code.tree):
        for statement in inside.body:
            for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
                called = defined.get(call.func.id) if isinstance(call.func, ast.Name) else None
                given = None if called in (None, inside) else _arguments(code, called, call)
                if called is None or given is None:
                    continue
                if len(called.body) == 1:
                    edit = code.replacing(call, _value(code, called, given))
                elif isinstance(statement, ast.Assign | ast.Return) and statement.value is call:
                    edit = code.replacing_rows(statement, _body(code, called, given, statement, inside))
                else:
                    continue
                yield Proposal([edit, *_removing(code, called)], f"{called.name} in its place")


def _is_plain(function: ast.FunctionDef) -> bool:
    """Whether a function is what its body says: undecorated, of positional arguments, with one return, at its end."""
    given = function.args
    others = (given.vararg, given.kwarg, *given.kwonlyargs, *given.defaults, *given.posonlyargs)
    return not function.decorator_list and not any(others) and _returns(function) == function.body[-1:]


def _returns(function: ast.FunctionDef) -> list[ast.stmt]:
    """The returns of a function, without those of functions within it."""
    inner = {node for one in functions(function) if one is not function for node in ast.walk(one)}
    return [node for node in ast.walk(function) if isinstance(node, ast.Return) and node not in inner]


def _arguments(code: Code, called: ast.FunctionDef, call: ast.Call) -> dict[str, str] | None:
    """The text of each argument by the name of its parameter; None where that does not show."""
    names = [one.arg for one in called.args.args]
    if any(isinstance(one, ast.Starred) for one in call.args) or len(call.args) > len(names):
        return None
    given = dict(zip(names, map(code.operand, call.args), strict=False))
    given |= {one.arg or "**": code.operand(one.value) for one in call.keywords}
    return given if given.keys() == set(names) else None


def _returned(called: ast.FunctionDef) -> ast.expr:
    last = called.body[-1]
    assert isinstance(last, ast.Return)
    return last.value or ast.parse("None", mode="eval").body


def _value(code: Code, called: ast.FunctionDef, given: Mapping[str, str]) -> str:
    """What a function of a single statement returns, on these arguments."""
    value = _returned(called)
    text = code.edited(code.renaming(value, given), *code.span(value))
    return text if text == code.of(value) and not isinstance(value, ast.Tuple) else f"({text})"


def _body(
    code: Code,
    called: ast.FunctionDef,
    given: Mapping[str, str],
    statement: ast.Assign | ast.Return,
    inside: ast.FunctionDef,
) -> list[str]:
    """The lines of a function's body for the place of a statement that calls it."""
    own = assigned(called.body)
    same = {name for name, text in given.items() if text == name and name not in own}
    taken = names_in(inside) | own | given.keys()
    new = {
        name: free_name(name, taken)
        for name in sorted((own | given.keys()) - same)
        if name in names_in(inside)
    }
    bound = {new.get(name, name): text for name, text in given.items() if name not in same}
    head = [f"{', '.join(bound)} = {', '.join(bound.values())}"] if bound else []
    value = _returned(called)
    text = code.edited(code.renaming(value, new), *code.span(value))
    target = "return" if isinstance(statement, ast.Return) else f"{code.of(statement.targets[0])} ="
    body = called.body[:-1]
    renamed = [edit for node in body for edit in code.renaming(node, new)]
    return [*head, *code.lines_of(body, renamed), f"{target} {text}{code.said(called.body[-1])}"]


def _removing(code: Code, called: ast.FunctionDef) -> list[Edit]:
    """The edit that takes a function within another one out, where nothing else calls it."""
    uses = [node for node in ast.walk(code.tree) if isinstance(node, ast.Name) and node.id == called.name]
    return [code.removing(called)] if len(uses) == 1 and called.col_offset else []


@source_pass("drop parameters", order=70)
def drop_parameters(program: Program) -> Edits:
    """Parameters that a function does not read, and its arguments for them; those of `repro` are its inputs."""
    yield from one_by_one(program, _narrower)


def _narrower(program: Program) -> Iterator[Proposal]:
    code = program.code
    calls = [node for node in ast.walk(code.tree) if isinstance(node, ast.Call)]
    for function in functions(code.tree):
        names = [one.arg for one in function.args.args]
        called = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == function.name]
        unread = set(names) - set().union(*map(names_in, function.body))
        if function is program.entry or not unread or any(len(call.args) != len(names) for call in called):
            continue
        kept = [name not in unread for name in names]
        first, last = code.span(function.args.args[0])[0], code.span(function.args.args[-1])[1]
        edits = [Edit(first, last, ", ".join(itertools.compress(names, kept)))]
        for call in called:
            first, last = code.span(call.args[0])[0], code.span(call.args[-1])[1]
            edits.append(Edit(first, last, ", ".join(itertools.compress(map(code.of, call.args), kept))))
        yield Proposal(edits, f"{function.name} without {', '.join(sorted(unread))}")
