"""Changes of jace that nobody chose, and those that somebody wrote: what may change, what is drawn, what is planted."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from mutants.mechanical import cpp, draw, python, scope, templates, written
from mutants.mechanical.edits import Edit, Mutation
from mutants.mechanical.overlay import overlaid
from places import ROOT


def changed(text: str, edits: list[Edit]) -> set[str]:
    return {Mutation("", text, edit).mutated for edit in edits}


# --- operators -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("a = b < c", {"a = b <= c", "a = b >= c"}),
        ("a = b is not c", {"a = b is c"}),
        ("a = b - c", {"a = b + c", "a = ((c) - (b))"}),
        ("a = (b) - (c)", {"a = (b) + (c)"}),
        ("a = x + [b]", {"a = (x)", "a = ([b])"}),
        ("a = b and c", {"a = b or c", "a = ((b))", "a = ((c))"}),
        ("a = -b", {"a = (b)"}),
        ("a = 7", {"a = 8", "a = 6"}),
        ("a = True", {"a = False"}),
        ("a += 1", {"a -= 1", "pass"}),
        ("if a: f()", {"if True: f()", "if False: f()", "if a: pass"}),
        ("a = b if c else d", {"a = b if True else d", "a = b if False else d"}),
        ("a = [b for b in c if b]", {"a = [b for b in c if True]"}),
        ("a = f(b, c)", {"a = f(c, b)"}),
        ("a = f(b=x, c=y)", {"a = f(b=y, c=x)"}),
        ("a = min(b, c)", {"a = max(b, c)"}),
        ("a = int(b)", {"a = (b)"}),
        ("a = b.astype(c)", {"a = (b)"}),
        ("a = digest(b, c, d)", {"a = digest(c, d)", "a = digest(b, d)", "a = digest(b, c)"}),
        ("a = b, c", {"a = (b,)", "a = (c,)", "a = c, b"}),
        ("a = {'b': x, 'c': y}", {"a = {'b': y, 'c': x}"}),
        ("a = b[c:]", {"a = b[:]"}),
        ("for a in b: continue", {"for a in b: break"}),
        ("á = 'é' + f(b, c)", {"á = 'é' + f(c, b)"}),
        ("a = f'{b + c} {f(d, e)}'", {"a = f'{b - c} {f(d, e)}'", "a = f'{b + c} {f(e, d)}'"}),
    ],
)
def test_python_is_changed(text: str, some: set[str]) -> None:
    found = changed(text, python.edits(text))
    assert some <= found
    assert text not in found
    assert all(ast.parse(one) for one in found)


@pytest.mark.parametrize(
    "text",
    [
        '"""1 + 2."""',
        "# 1 + 2",
        "def f(a: list[int] | None = x) -> x | y: ...",
        "raise E(1 + 2)",
        "assert a < b, 1",
        "from a import b, c",
        "if TYPE_CHECKING: from a import b",
        "a = 'x < y'",
    ],
)
def test_python_that_computes_nothing_is_left(text: str) -> None:
    assert python.edits(text) == []


@pytest.mark.parametrize(
    ("text", "some"),
    [
        (
            "int f(int a) { return a < 1; }",
            {"int f(int a) { return a <= 1; }", "int f(int a) { return a < 2; }"},
        ),
        ("int f(int a) { return a - b; }", {"int f(int a) { return b - a; }"}),
        ("void f() { if (a) g(b, c); }", {"void f() { if (true) g(b, c); }", "void f() { if (a) g(c, b); }"}),
        ("void f() { x = a ? b : c; }", {"void f() { x = false ? b : c; }", "void f() { ; }"}),
        ("auto x = static_cast<T>(a);", {"auto x = (a);"}),
        ("auto x = (f64)a;", {"auto x = a;"}),
        ("auto x = u32(a);", {"auto x = (a);"}),
        ("auto x = !a;", {"auto x = (a);"}),
        ("#define M(a) ((a) + 1)", {"#define M(a) ((a) - 1)"}),
        ("void f() { a += b; }", {"void f() { a -= b; }"}),
        ("auto x = g(/* é */ a, b);", {"auto x = g(/* é */ b, a);"}),
    ],
)
def test_cpp_is_changed(text: str, some: set[str]) -> None:
    assert some <= changed(text, cpp.edits(text))


def test_cpp_that_computes_nothing_is_left() -> None:
    assert cpp.edits('// a < 1\n#include "a-1.h"\nstatic_assert(sizeof(int) == 4, "1 + 1");') == []


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("7", ["8", "6"]),
        ("0x1fu", ["0x20u", "0x1eu"]),
        ("0", ["1"]),
        ("0.5f", ["1.5f"]),
        ("1.23456e-7", ["1.23556e-7"]),
    ],
)
def test_numbers_of_cpp_become_others(text: str, more: list[str]) -> None:
    assert cpp.number(text) == more


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ('a = "({0} < {1})"', {'a = "({0} <= {1})"'}),
        ('a = "jace::f({0}, {1})"', {'a = "jace::f({1}, {0})"'}),
        ('a = f"{x[0]} - {y(1, 2)}"', {'a = f"{y(1, 2)} - {x[0]}"'}),
        (
            'a = f"for (int i = 0; i < {n}; ++i) {{ g(i); }}"',
            {'a = f"for (int i = 0; i <= {n}; ++i) {{ g(i); }}"'},
        ),
    ],
)
def test_cpp_in_strings_is_changed(text: str, some: set[str]) -> None:
    assert some <= changed(text, python.edits(text, strings=True))
    assert not some & changed(text, python.edits(text))


def test_templates_without_operators_are_left() -> None:
    assert list(templates.changes('"a name"', 0)) == []
    assert list(templates.changes(r'r"\d+"', 0)) == []


def test_what_another_release_of_xla_compiles_is_left() -> None:
    text = "int f(int x) {\n#if JACE_XLA >= 9999\n  return x + 1;\n#else\n  return x - 2;\n#endif\n}\n"
    text += "#pragma GCC unroll 4\n"
    assert {e.after for e in cpp.edits(text)} == {"+", "2 - x", "3", "1"}


# --- what may be changed -------------------------------------------------------------------------------------


def test_files_and_names_are_excluded_with_a_reason() -> None:
    files = scope.files()
    assert {
        "rules/loops/transforms.py",
        "rules/nodes/scatters.py",
        "plan/planner.py",
        "build/cache.py",
        "build/runtime/arith.h",
    } <= set(files)
    assert not {"errors.py", "stages/costs.py", "debug/steps.py", "ir/failures.py"} & set(files)
    inside = {m.edit.inside for m in scope.mutations("build/cache.py")}
    assert {"Cache.library", "digest"} <= inside
    assert not {"Cache.prune", "limit_bytes", "_warn_once"} & inside
    assert all(row.reason for row in scope.EXCLUDED)


def test_every_exclusion_names_something() -> None:
    """One that fits nothing was written for code that is gone."""
    for row in scope.EXCLUDED:
        kinds = ("**/*.py", "**/*.h")
        paths = [p for kind in kinds for p in scope.PACKAGE.glob(kind)]
        texts = [p.read_text() for p in paths if scope.matches(_name(p), (row.file,))]
        assert texts, row.file
        for name in row.names:
            last = name.rpartition(".")[2].strip("*")
            assert any(last in text for text in texts), (row.file, name)


def _name(path: Path) -> str:
    return path.relative_to(scope.PACKAGE).as_posix()


def test_what_was_argued_to_be_equivalent_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    every = scope.mutations("rules/special.py")
    known = every[0]
    monkeypatch.setattr(scope, "equivalents", lambda: {known.key: "argued"})
    left = scope.mutations("rules/special.py")
    assert known.key not in {m.key for m in left}
    assert 0 < len(left) < len(every)


def test_equivalents_are_of_lines_that_are_there() -> None:
    for (file, before, _), reason in scope.equivalents().items():
        text = (scope.PACKAGE / file).read_text()
        assert before in text, f"{file}: {before}"
        assert reason


# --- drawing -------------------------------------------------------------------------------------------------

FILES = ("rules/loops/transforms.py", "rules/special.py", "build/runtime/fft.h")


def test_a_seed_draws_the_same_again() -> None:
    first, again, other = (draw.drawn(12, seed, files=FILES) for seed in (1, 1, 2))
    assert [m.key for m in first] == [m.key for m in again]
    assert {m.key for m in first} != {m.key for m in other}
    assert len(first) == 12
    assert {m.file for m in first} >= {"rules/loops/transforms.py", "build/runtime/fft.h"}
    assert len({(m.file, m.line) for m in first}) == 12  # each of another line
    assert all(draw.is_another_program(m) for m in first)
    assert {m.file for m in draw.drawn(3, 1, "rules/*", files=FILES)} <= set(FILES[:2])


def test_lines_that_move_are_drawn_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    right = [m.key for m in draw.drawn(6, 3, files=FILES[:1])]
    (tmp_path / FILES[0]).parent.mkdir(parents=True)
    text = (scope.PACKAGE / FILES[0]).read_text()
    (tmp_path / FILES[0]).write_text(f"# One more line.\n\n{text}")
    monkeypatch.setattr(scope, "PACKAGE", tmp_path)
    assert [m.key for m in draw.drawn(6, 3, files=FILES[:1])] == right


def test_shares_add_up() -> None:
    assert draw.shares({"a": 10, "b": 10, "c": 1}, 7) == {"a": 4, "b": 3, "c": 0}
    assert draw.shares({"a": 2, "b": 1}, 9) == {"a": 2, "b": 1}
    assert draw.shares({}, 3) == {}


def test_what_is_drawn_is_listed() -> None:
    command = [
        sys.executable,
        "scripts/mutants.py",
        "--random",
        "2",
        "--seed",
        "5",
        "--module",
        "rules/special.py",
    ]
    done = subprocess.run([*command, "--list"], cwd=ROOT, capture_output=True, text=True, check=True)
    seed, place, before, after, *_ = done.stdout.splitlines()
    assert seed == "seed 5"
    assert place.startswith("jace/rules/special.py:")
    assert before.startswith("  - ")
    assert after.startswith("  + ")


# --- planting ------------------------------------------------------------------------------------------------


def test_one_file_is_changed_beside_the_right_ones(tmp_path: Path) -> None:
    objects = tmp_path / "v1" / "objects"
    objects.mkdir(parents=True)
    (objects / "a.so").write_text("compiled")
    one = written.mutation("rules/special.py", '"digamma"', '"gamma"')
    with overlaid(one, tmp_path) as overlay:
        copied = {
            p.relative_to(overlay.folder / "jace"): p.read_bytes()
            for p in overlay.folder.rglob("jace/**/*.py")
        }
        right = {p.relative_to(scope.PACKAGE): p.read_bytes() for p in scope.PACKAGE.rglob("*.py")}
        assert copied.keys() == right.keys()
        assert [str(p) for p in copied if copied[p] != right[p]] == ["rules/special.py"]
        assert not list((overlay.folder / "jace" / "rules" / "__pycache__").glob("special.*"))
        assert (overlay.cache / "v1" / "objects" / "a.so").read_text() == "compiled"
    assert not overlay.folder.exists()


# --- bugs that somebody wrote -------------------------------------------------------------------------------------


def test_what_somebody_wrote_is_where_it_changes_something() -> None:
    one = written.mutation("rules/elementwise.py", '"gt": ">"', '"gt": ">="')
    assert one.mutated == one.text.replace('"gt": ">"', '"gt": ">="')
    assert (one.edit.start, one.edit.after, one.operator) == (one.edit.end, "=", "written")
    assert one.before.count('"gt": ">"') == 1


@pytest.mark.parametrize("file", ["rules/loops/transforms.py", "build/runtime/sort.h"])
def test_what_somebody_wrote_is_placed_as_what_is_drawn(file: str) -> None:
    """The tracer sees its statement, and a line without code is reached by its function."""
    language = python if file.endswith(".py") else cpp
    every = [m for m in scope.mutations(file) if m.edit.start < m.edit.end]
    assert every
    for m in every:
        again = language.edit(m.text, m.edit.start, m.edit.end, m.edit.after)
        assert (again.inside, again.around) == (m.edit.inside, m.edit.around)
        assert again.statement >= 0


def test_bugs_of_a_file_are_listed_and_what_fits_nothing_is_refused(tmp_path: Path) -> None:
    def told(*rows: dict[str, str]) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "bugs.json"
        path.write_text(json.dumps(rows))
        command = [sys.executable, "scripts/mutants.py", "--bugs", path, "--list"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    fits = {"file": "jace/rules/elementwise.py", "old": '"gt": ">"', "new": '"gt": ">="'}
    done = told(fits)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("jace/rules/elementwise.py:")
    twice = told(fits, {**fits, "old": "import", "new": "export"})
    assert twice.returncode == 2
    assert "bugs.json: jace/rules/elementwise.py has this" in twice.stderr
    assert "instead of once: import" in twice.stderr
    assert "this changes nothing" in told({**fits, "new": fits["old"]}).stderr
