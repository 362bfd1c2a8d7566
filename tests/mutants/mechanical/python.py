"""Changes of Python, found in its syntax tree."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mutants.mechanical import templates
from mutants.mechanical.edits import Edit, without_repetition
from mutants.mechanical.syntax import (
    CASTS,
    COMPARISONS,
    KEYS,
    OPERATORS,
    ORDERED,
    RENAMED,
    SPELLED,
    children,
    is_text,
    silent,
)

_Sequence = ast.Tuple | ast.List | ast.Set

#: skip(node, qualified name of the function): whether nothing in the node is to be changed.
Skip = Callable[[ast.AST, str], bool]


def _nothing(node: ast.AST, inside: str) -> bool:
    return False


def edits(text: str, skip: Skip = _nothing, strings: bool = False) -> list[Edit]:
    """All changes of a module.

    Args:
        skip: what is left as it is; docstrings, annotations, imports, `raise`, `assert` and `if TYPE_CHECKING` are so
            in any case.
        strings: whether its strings are C++.
    """
    return without_repetition(_Finder(text, skip, strings).found(), text)


def edit(text: str, start: int, end: int, after: str) -> Edit:
    """The change of a range that somebody wrote."""
    place = _Finder(text).place(start)
    return Edit(start, end, after, "written", place.statement, place.inside, place.around)


def function_at(text: str, line: int) -> str:
    """Qualified name of the function that a line is in, from 1; "" at module level."""
    finder, found = _Finder(text), text.split("\n")[line - 1]
    column = len(found) - len(found.lstrip())
    return finder.place(finder.at(line, column)).inside


#: (start, end, replacement, operator)
_Change = tuple[int, int, str, str]


@dataclass(frozen=True)
class _Place:
    """Where a node is, as `Edit` has it."""

    statement: int = -1
    inside: str = ""
    around: tuple[int, int] = (-1, -1)


class _Finder:
    def __init__(self, text: str, skip: Skip = _nothing, strings: bool = False) -> None:
        self.text, self.skip, self.strings = text, skip, strings
        lines = text.split("\n")
        self._starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
        self._lines = lines

    def found(self) -> Iterator[Edit]:
        yield from self._of(ast.parse(self.text), _Place(), False)

    # --- places ---------------------------------------------------------------------------------------------

    def at(self, line: int, column: int) -> int:
        """Position in the text of a line, from 1, and a column in bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.expr | ast.stmt) -> str:
        return self.text[self.start(node) : self.end(node)]

    def place(self, at: int) -> _Place:
        """Of a position in the text."""
        place = _Place()
        for node in ast.walk(ast.parse(self.text)):  # what encloses something comes before it
            if isinstance(node, ast.stmt) and self.start(node) <= at < self.end(node):
                place = self._within(place, node)
        return place

    def _within(self, place: _Place, node: ast.stmt) -> _Place:
        """The place of what is in a statement that is in a place."""
        place = replace(place, statement=self.start(node))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place = replace(place, inside=f"{place.inside}.{node.name}".lstrip("."))
        if isinstance(node, ast.FunctionDef):
            place = replace(place, around=(self.start(node.body[0]), self.end(node)))
        return place

    def _is_there(self, node: ast.expr) -> bool:
        """Whether an expression in an f-string is where Python says: before 3.12 it is not always."""
        try:
            there = ast.parse(f"({self.source(node)})", mode="eval").body
        except (SyntaxError, IndexError, UnicodeDecodeError):
            return False
        return ast.dump(there) == ast.dump(node)

    # --- the walk -------------------------------------------------------------------------------------------

    def _of(self, node: ast.AST, place: _Place, formatted: bool) -> Iterator[Edit]:
        if silent(node) or self.skip(node, place.inside):
            return
        if isinstance(node, ast.stmt):
            place = self._within(place, node)
        for start, end, after, operator in self._changes(node, formatted):
            yield Edit(start, end, after, operator, place.statement, place.inside, place.around)
        for child in children(node):
            yield from self._of(child, place, formatted or isinstance(node, ast.JoinedStr))

    def _changes(self, node: ast.AST, formatted: bool) -> Iterator[_Change]:
        if formatted and isinstance(node, ast.expr) and not self._is_there(node):
            return
        if self.strings and not formatted and (isinstance(node, ast.JoinedStr) or is_text(node)):
            yield from templates.changes(self.source(node), self.start(node))
        for kind, change in _CHANGES:
            if isinstance(node, kind):
                yield from change(self, node)

    def _alike(self, a: ast.expr, b: ast.expr) -> bool:
        """Whether one may be taken for the other: not the same, and not a word for a number."""
        if self.source(a) == self.source(b):
            return False
        kinds = [type(n.value) if isinstance(n, ast.Constant) else type(n) for n in (a, b)]
        plain = {ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp}
        return kinds[0] is kinds[1] or set(kinds) <= plain

    # --- operators ------------------------------------------------------------------------------------------

    def whole(self, node: ast.expr | ast.stmt, after: str, operator: str) -> _Change:
        return self.start(node), self.end(node), after, operator

    def between(self, a: ast.expr, b: ast.expr, pattern: str, after: str, operator: str) -> _Change:
        """The operator that stands between two operands, replaced."""
        start = self.end(a)
        sign = re.search(pattern, self.text[start : self.start(b)])
        assert sign is not None, self.text[start : self.start(b)]
        return start + sign.start(), start + sign.end(), after, operator

    def compare(self, node: ast.Compare) -> Iterator[_Change]:
        for a, op, b in zip((node.left, *node.comparators), node.ops, node.comparators, strict=False):
            for other in COMPARISONS[type(op)]:
                yield self.between(a, b, SPELLED[type(op)], other, "comparison")

    def binary(self, node: ast.BinOp) -> Iterator[_Change]:
        sign, other = OPERATORS[type(node.op)]
        left, right = self.source(node.left), self.source(node.right)
        if any(
            isinstance(side, _Sequence | ast.JoinedStr) or is_text(side) for side in (node.left, node.right)
        ):
            yield self.whole(node, f"({left})", "operand dropped")
            yield self.whole(node, f"({right})", "operand dropped")
            return
        yield self.between(node.left, node.right, re.escape(sign), other, "operator")
        if isinstance(node.op, ORDERED):
            yield self.whole(node, f"(({right}) {sign} ({left}))", "operands swapped")

    def augmented(self, node: ast.AugAssign) -> Iterator[_Change]:
        sign, other = OPERATORS[type(node.op)]
        if isinstance(node.target, ast.expr):
            yield self.between(node.target, node.value, re.escape(f"{sign}="), f"{other}=", "operator")
        yield self.whole(node, "pass", "statement dropped")

    def boolean(self, node: ast.BoolOp) -> Iterator[_Change]:
        sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for k, (a, b) in enumerate(itertools.pairwise(node.values)):
            yield self.between(a, b, rf"\b{sign}\b", other, "operator")
            rest = [self.source(v) for j, v in enumerate(node.values) if j != k]
            yield self.whole(node, f"({f' {sign} '.join(f'({v})' for v in rest)})", "condition dropped")
        rest = [f"({self.source(v)})" for v in node.values[:-1]]
        yield self.whole(node, f"({f' {sign} '.join(rest)})", "condition dropped")

    def unary(self, node: ast.UnaryOp) -> Iterator[_Change]:
        yield self.whole(node, f"({self.source(node.operand)})", "sign dropped")

    def constant(self, node: ast.Constant) -> Iterator[_Change]:
        if isinstance(node.value, bool):
            yield self.whole(node, str(not node.value), "flag")
        elif isinstance(node.value, int):
            yield from (self.whole(node, str(node.value + by), "constant") for by in (1, -1))
        elif isinstance(node.value, float):
            yield self.whole(node, repr(node.value + 1), "constant")

    def branch(self, node: ast.If | ast.IfExp | ast.While) -> Iterator[_Change]:
        yield self.whole(node.test, "False", "branch")
        if not isinstance(node, ast.While):
            yield self.whole(node.test, "True", "branch")

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> Iterator[_Change]:
        for generator in node.generators:
            yield from (self.whole(test, "True", "branch") for test in generator.ifs)

    def call(self, node: ast.Call) -> Iterator[_Change]:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        yield from self.neighbours(node.args)
        by_name = [k.value for k in node.keywords if k.arg is not None]
        yield from self.neighbours(by_name)
        alone = (
            len(node.args) == 1
            and not node.keywords
            and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp)
        )
        if isinstance(node.func, ast.Name):
            if name in RENAMED:
                yield self.whole(node.func, RENAMED[name], "operator")
            if name in CASTS and alone:
                yield self.whole(node, f"({self.source(node.args[0])})", "cast dropped")
        elif name == "astype" and isinstance(node.func, ast.Attribute):
            yield self.whole(node, f"({self.source(node.func.value)})", "cast dropped")
        if name in KEYS:
            yield from self.left_out(node.args, "part of a key dropped")

    def neighbours(self, nodes: Sequence[ast.expr]) -> Iterator[_Change]:
        for a, b in itertools.pairwise(nodes):
            if isinstance(a, ast.Starred) or isinstance(b, ast.Starred) or not self._alike(a, b):
                continue
            yield self.swapped(a, b, "arguments swapped")

    def swapped(self, a: ast.expr, b: ast.expr, operator: str) -> _Change:
        """Two expressions in the place of each other; what is between them stays: the name or key of the second."""
        between = self.text[self.end(a) : self.start(b)]
        return self.start(a), self.end(b), f"{self.source(b)}{between}{self.source(a)}", operator

    def left_out(self, nodes: Sequence[ast.expr], operator: str) -> Iterator[_Change]:
        """Each of several that are separated by commas, left out."""
        if len(nodes) < 2:
            return
        for k, node in enumerate(nodes):
            if k + 1 < len(nodes):
                yield self.start(node), self.start(nodes[k + 1]), "", operator
            else:
                yield self.end(nodes[k - 1]), self.end(node), "", operator

    def sequence(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[_Change]:
        if isinstance(getattr(node, "ctx", None), ast.Store):
            return
        if not isinstance(node, ast.Set):
            yield from self.neighbours(node.elts)
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            for kept in node.elts:
                yield self.whole(node, f"({self.source(kept)},)", "element dropped")
        else:
            yield from self.left_out(node.elts, "element dropped")

    def table(self, node: ast.Dict) -> Iterator[_Change]:
        """The values of a table's neighbours change places."""
        for (_, a), (key, b) in itertools.pairwise(zip(node.keys, node.values, strict=True)):
            if key is not None and self._alike(a, b):
                yield self.swapped(a, b, "entries swapped")

    def subscript(self, node: ast.Slice) -> Iterator[_Change]:
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                yield self.whole(bound, "", "bound dropped")

    def expression(self, node: ast.Expr) -> Iterator[_Change]:
        if isinstance(node.value, ast.Call):
            yield self.whole(node, "pass", "statement dropped")

    def leave(self, node: ast.Continue | ast.Break) -> Iterator[_Change]:
        yield self.whole(node, "break" if isinstance(node, ast.Continue) else "continue", "branch")


_CHANGES: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], Callable[..., Iterator[_Change]]], ...] = (
    (ast.Compare, _Finder.compare),
    (ast.BinOp, _Finder.binary),
    (ast.AugAssign, _Finder.augmented),
    (ast.BoolOp, _Finder.boolean),
    (ast.UnaryOp, _Finder.unary),
    (ast.Constant, _Finder.constant),
    ((ast.If, ast.IfExp, ast.While), _Finder.branch),
    ((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _Finder.comprehension),
    (ast.Call, _Finder.call),
    ((ast.Tuple, ast.List, ast.Set), _Finder.sequence),
    (ast.Dict, _Finder.table),
    (ast.Slice, _Finder.subscript),
    (ast.Expr, _Finder.expression),
    ((ast.Continue, ast.Break), _Finder.leave),
)
