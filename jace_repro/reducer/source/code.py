"""The text of a program beside its syntax tree: where each node stands, and the text with some nodes replaced."""

from __future__ import annotations

import ast
import itertools
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

#: What needs parentheses as a part of another expression.
_WEAK = ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.IfExp | ast.Lambda

#: What has lines of its own in its body.
Block = ast.FunctionDef | ast.For | ast.With | ast.If | ast.While | ast.ClassDef


class Edit(NamedTuple):
    """The text from one place to another, replaced."""

    start: int
    end: int
    text: str


class Code:
    """A text of Python, its tree, and the places of its nodes in it.

    Raises:
        SyntaxError: it is none.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def _place(self, line: int, column: int) -> int:
        """Where a line and a column are; Python's columns count bytes."""
        text = self.lines[line - 1]
        inside = column if text.isascii() else len(text.encode()[:column].decode())
        return self._starts[line - 1] + inside

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> tuple[int, int]:
        """Where a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def rows(self, node: ast.stmt) -> tuple[int, int]:
        """The first line of a statement, its decorators included, and the one after the last, from 0."""
        assert node.end_lineno is not None
        above = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        return min([node.lineno, *(one.lineno for one in above)]) - 1, node.end_lineno

    def statement(self, node: ast.stmt) -> str:
        """The lines of a statement, with what is said of it behind it."""
        first, end = self.rows(node)
        return "\n".join(self.lines[first:end])

    def replacing(self, node: ast.expr | ast.arg | ast.keyword, text: str) -> Edit:
        """The edit that puts a text in the place of a node."""
        return Edit(*self.span(node), text)

    def replacing_rows(self, node: ast.stmt, lines: Iterable[str]) -> Edit:
        """The edit that puts lines in the place of a statement's; they are indented as it is."""
        first, end = self.rows(node)
        indent = " " * node.col_offset
        text = "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
        return Edit(self._starts[first], self._starts[end], text)

    def removing(self, node: ast.stmt) -> Edit:
        """The edit that takes a statement out."""
        return self.replacing_rows(node, ())

    def operand(self, node: ast.expr) -> str:
        """The text of an expression, for the place of a part of another one."""
        text = self.of(node)
        bare = isinstance(node, ast.Tuple) and not text.startswith("(")
        return f"({text})" if bare or isinstance(node, _WEAK) else text

    def renaming(self, node: ast.AST, new: Mapping[str, str]) -> list[Edit]:
        """The edits that give variables, parameters and functions within a node other names, or texts."""
        edits = []
        for one in ast.walk(node):
            match one:
                case ast.Name(id=name) | ast.arg(arg=name) if name in new:
                    start, _ = self.span(one)
                case ast.FunctionDef(name=name) if name in new:
                    start = self.span(one)[0] + len("def ")
                case _:
                    continue
            edits.append(Edit(start, start + len(name), new[name]))
        return edits

    def edited(self, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> str:
        """The text, or a part of it, after edits within it; those inside of another one are left out."""
        end = len(self.text) if end is None else end
        text, last = [], start
        for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
            if last <= edit.start and edit.end <= end:
                text += [self.text[last : edit.start], edit.text]
                last = edit.end
        return "".join([*text, self.text[last:end]])

    def lines_of(self, nodes: Sequence[ast.stmt], edits: Iterable[Edit]) -> list[str]:
        """The lines of statements that follow one another, after edits, without their indentation."""
        if not nodes:
            return []
        first, end = self._starts[self.rows(nodes[0])[0]], self._starts[self.rows(nodes[-1])[1]] - 1
        return textwrap.dedent(self.edited(edits, first, end)).split("\n")

    def said(self, node: ast.stmt) -> str:
        """The comment at the end of a statement of one line, with the blanks before it."""
        assert node.end_lineno is not None
        return self.text[self.span(node)[1] : self._starts[node.end_lineno] - 1]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """All functions that are defined, in their order, those within others included."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """All lists of statements within something."""
    return (node.body for node in ast.walk(tree) if isinstance(node, Block))


def function_named(tree: ast.AST, name: str) -> ast.FunctionDef | None:
    """The first function of this name."""
    return next((one for one in functions(tree) if one.name == name), None)


def names_in(node: ast.AST) -> set[str]:
    """The names that a piece of a program reads or assigns; those of parameters and of what it defines included."""
    found: set[str] = set()
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return found


def assigned(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements assign or define, not those within functions of theirs."""
    found: set[str] = set()
    for node in statements:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if isinstance(node, Block):
            found |= assigned(node.body)
    return found


def outer_expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement that are evaluated with it: none within functions, nor what is assigned."""
    for child in ast.iter_child_nodes(node):
        if isinstance(
            child, ast.FunctionDef | ast.Lambda | ast.comprehension | ast.ListComp | ast.GeneratorExp
        ):
            continue
        if isinstance(child, ast.expr) and not isinstance(getattr(child, "ctx", None), ast.Store):
            yield child
        yield from outer_expressions(child)


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken: this one, or with a number."""
    return next(new for i in itertools.count(1) if (new := name if i == 1 else f"{name}_{i}") not in taken)
