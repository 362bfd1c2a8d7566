"""What an edited text no longer needs: definitions that nothing refers to."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter

from jace_repro.reducer.source.code import Code, assigned, names_in


@functools.lru_cache(4096)  # a pass that begins anew makes the same edits again
def tidied(text: str) -> str:
    """A program's text without the top-level definitions and assignments that nothing else refers to.

    What is done to a function that is gone (f.defjvp(rule)) is gone with it.
    """
    code = Code(text)
    defined = assigned(code.tree.body)
    kept = [(node, _owner(node), names_in(node)) for node in code.tree.body]
    while True:
        there = {name for node, _, _ in kept if (name := _defines(node)) is not None}
        uses = Counter(name for _, owner, names in kept for name in names if name != owner)
        left = [
            (node, owner, names)
            for node, owner, names in kept
            if node is code.tree.body[-1]
            or (
                uses[_defines(node) or ""] > 1 if _defines(node) is not None else owner not in defined - there
            )
        ]
        if len(left) == len(kept):
            break
        kept = left
    staying = {id(node) for node, _, _ in kept}
    gone = [node for node in code.tree.body if id(node) not in staying]
    shorter = code.edited(map(code.removing, gone)).lstrip("\n")
    # no more blank lines around what is gone than there were around it
    return re.sub(r"\n{3,}(?= )", "\n\n", re.sub(r"\n{4,}", "\n\n\n", shorter))


def _defines(node: ast.stmt) -> str | None:
    """The name that a statement gives to something."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return None


def _owner(node: ast.stmt) -> str | None:
    """Whose attribute a statement sets or whose method it calls, for what that does to it: f.defjvp(rule)."""
    match node:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute() as place))
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript() as place])
        ):
            inner: ast.expr = place
            while isinstance(inner, ast.Attribute | ast.Subscript):
                inner = inner.value
            return inner.id if isinstance(inner, ast.Name) else None
        case _:
            return None
