"""Passes on expressions: one in the place of what is computed from it, and less of what a bracket holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jace_repro.emitter.core import syntax
from jace_repro.reducer.source.code import Code, Edit
from jace_repro.reducer.source.passes.registry import Proposal, one_by_one, shortened, source_pass
from jace_repro.reducer.source.program import Edits, Program

#: A call of a function of jax.lax's that runs another one, and what runs that once: its arguments by number.
_ONCE = {
    "scan": ("{0}({1}, jax.tree.map(lambda v: v[0], {2}))", "{0}({1}, {2})"),
    "fori_loop": ("{2}({0}, {3})",),
    "while_loop": ("{1}({2})",),
    "cond": ("{1}({rest})", "{2}({rest})"),
    "map": ("{0}({1}[0])", "{0}(*[jax.tree.leaves(tree)[0] for tree in [{after}]])"),
    "associative_scan": ("{0}({1}, {1})",),
}


@source_pass("peel", order=60)
def peel(program: Program) -> Edits:
    """An expression becomes one that it is computed from, the outermost first: a call its argument, vmap(f) f."""
    yield from one_by_one(program, _peeled)


def _peeled(program: Program) -> Iterator[Proposal]:
    """Each program with one expression less, those that lose most first."""
    code = program.code
    found: list[tuple[int, Edit, str]] = []
    for node in ast.walk(code.tree):
        if isinstance(node, ast.FunctionDef):
            for one in node.decorator_list:
                start, _ = code.span(one)
                row = code.text.rindex("\n", 0, start) if "\n" in code.text[:start] else 0
                end = code.text.index("\n", start)
                found.append((end - start, Edit(row, end, ""), f"without @{code.of(one)}"))
        if isinstance(node, ast.expr):
            before = code.of(node)
            found += [
                (
                    len(before) - len(text),
                    code.replacing(node, text),
                    f"{shortened(before)} -> {shortened(text)}",
                )
                for text in _less(node, code)
            ]
    for _, edit, note in sorted(found, key=lambda one: -one[0]):
        yield Proposal([edit], note)


@source_pass("unpack less", order=62)
def unpack_less(program: Program) -> Edits:
    """Of several results one: what it is assigned from, or what that is computed from."""
    yield from one_by_one(program, _unpacking)


def _unpacking(program: Program) -> Iterator[Proposal]:
    code = program.code
    for node in ast.walk(code.tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                shown = (
                    value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(targets) else None
                )
                for number, target in enumerate(targets):
                    texts = _less(value, code) if shown is None else [code.of(shown[number])]
                    for text in texts:
                        line = f"{code.of(target)} = {text}{code.said(node)}"
                        yield Proposal([code.replacing_rows(node, [line])], f"only {code.of(target)}")


@source_pass("drop keys", order=58)
def drop_keys(program: Program) -> Edits:
    """A key, of all dicts that are written out: those that are compared or mapped together lose it together."""
    yield from one_by_one(program, _without_keys)


def _without_keys(program: Program) -> Iterator[Proposal]:
    code = program.code
    dicts = [node for node in ast.walk(code.tree) if isinstance(node, ast.Dict)]
    keys = {key.value for node in dicts for key in node.keys if isinstance(key, ast.Constant)}
    for dropped in sorted(keys, key=str):
        edits = []
        for node in dicts:
            kept = [
                text
                for key, text in zip(node.keys, _items(node, code), strict=True)
                if not (isinstance(key, ast.Constant) and key.value == dropped)
            ]
            if len(kept) < len(node.keys):
                edits.append(code.replacing(node, f"{{{', '.join(kept)}}}"))
        yield Proposal(edits, f"without the key {dropped!r}")


def _less(node: ast.expr, code: Code) -> Iterator[str]:
    """What an expression may become."""
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            yield from _called(node, code)
            parts: list[ast.expr] = [*args, *(k.value for k in keywords)]
            if isinstance(func, ast.Attribute):
                parts.append(func.value)
            yield from map(code.operand, parts)
            if isinstance(func, ast.Call) and func.args:  # vmap(f)(x)
                yield code.of(func.args[0]) + code.text[code.span(func)[1] : code.span(node)[1]]
            for rest in _without_one([*map(code.of, args), *map(code.of, keywords)]):
                yield f"{code.of(func)}({', '.join(rest)})"
        case ast.BinOp(left=left, right=right):
            yield from map(code.operand, [left, right])
        case ast.Compare(left=left, comparators=others):
            yield from map(code.operand, [left, *others])
        case ast.BoolOp(values=values):
            yield from map(code.operand, values)
        case ast.UnaryOp(operand=operand):
            yield from map(code.operand, [operand])
        case ast.IfExp(body=body, orelse=other):
            yield from map(code.operand, [body, other])
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
            yield from map(code.operand, [value])
        case ast.Tuple(elts=items, ctx=ast.Load()):
            yield from map(code.operand, items)
            yield from map(syntax.tuple_of, _without_one(list(map(code.of, items))))
        case ast.List(elts=items, ctx=ast.Load()):
            yield from map(code.operand, items)
            yield from map(syntax.list_of, _without_one(list(map(code.of, items))))
        case ast.Dict(values=values):
            yield from map(code.operand, values)
            for rest in _without_one(_items(node, code)):
                yield f"{{{', '.join(rest)}}}"


def _without_one(items: list[str]) -> Iterator[list[str]]:
    return ([*items[:number], *items[number + 1 :]] for number in range(len(items)))


def _items(node: ast.Dict, code: Code) -> list[str]:
    """What stands between the commas of a dict."""
    pairs = zip(node.keys, node.values, strict=True)
    return [f"{'**' if k is None else f'{code.of(k)}: '}{code.of(v)}" for k, v in pairs]


def _called(node: ast.Call, code: Code) -> Iterator[str]:
    """One call of the function that a loop or a condition runs."""
    if not isinstance(node.func, ast.Attribute) or any(isinstance(a, ast.Starred) for a in node.args):
        return
    given = list(map(code.operand, node.args))
    for form in _ONCE.get(node.func.attr, ()):
        try:
            yield form.format(*given, rest=", ".join(given[3:]), after=", ".join(given[1:]))
        except IndexError:
            continue
