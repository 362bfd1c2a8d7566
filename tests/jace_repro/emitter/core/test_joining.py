"""`joined` undoes what `fitted` does to a script."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jace_repro.emitter.core.joining import joined
from jace_repro.emitter.core.layout import fitted

REPROS = sorted(Path("corpus/repros").rglob("*.py"))


def test_a_call_on_several_lines_is_one_line() -> None:
    lines = ["x = f(  # place", "    a,", "    (b,),", "    c=[", "        1,", "    ],", ")", ""]
    assert joined("\n".join(lines)) == "x = f(a, (b,), c=[1])  # place\n"


def test_a_comment_above_a_statement_goes_to_its_end() -> None:
    assert joined("def f(x):\n    # place\n    return g(\n        x\n    )\n") == (
        "def f(x):\n    return g(x)  # place\n"
    )


def test_a_tuple_of_one_keeps_its_comma() -> None:
    assert joined("x = (\n    a,\n)\ny = (\n    a,\n    b,\n)\n") == "x = (a,)\ny = (a, b)\n"


@pytest.mark.parametrize("path", REPROS[::12], ids=lambda path: path.stem)
def test_means_the_same_on_one_line_for_each_statement(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    one = joined(source)
    assert ast.dump(ast.parse(one)) == ast.dump(ast.parse(source))
    assert ast.dump(ast.parse(fitted(one))) == ast.dump(ast.parse(source))
    for node in ast.walk(ast.parse(one)):
        if isinstance(node, ast.Assign | ast.Return) and '"""' not in (
            ast.get_source_segment(one, node) or ""
        ):
            assert node.lineno == node.end_lineno
