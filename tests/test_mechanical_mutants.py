"""Mutants that nobody chose (tests/mutants/mechanical/): what may change, how they are drawn, planted and found."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutants.mechanical import (
    asking,
    by_tests,
    child,
    clean,
    cpp,
    draw,
    python,
    reach,
    results,
    scope,
    server,
    sources,
    telling,
    templates,
    users,
)
from mutants.mechanical.edits import Edit, Mutation
from mutants.mechanical.overlay import overlaid
from places import ROOT


def changed(text: str, edits: list[Edit]) -> set[str]:
    return {Mutation("", text, edit).mutated for edit in edits}


# --- operators --------------------------------------------------------------------------------------------------


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


# --- what may be changed ----------------------------------------------------------------------------------------


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


# --- drawing ----------------------------------------------------------------------------------------------------

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


# --- planting ---------------------------------------------------------------------------------------------------


def mutation(file: str, before: str, after: str, operator: str = "test") -> Mutation:
    """The mutation of a file that replaces a piece of text, which occurs once."""
    text = (scope.PACKAGE / file).read_text()
    assert text.count(before) == 1, text.count(before)
    at = text.index(before)
    found = [m for m in scope.mutations(file) if m.mutated == text.replace(before, after)]
    return found[0] if found else Mutation(file, text, Edit(at, at + len(before), after, operator))


def test_one_file_is_changed_beside_the_right_ones(tmp_path: Path) -> None:
    objects = tmp_path / "v1" / "objects"
    objects.mkdir(parents=True)
    (objects / "a.so").write_text("compiled")
    one = mutation("rules/special.py", '"digamma"', '"gamma"')
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


# --- asking -----------------------------------------------------------------------------------------------------


class RightIsRight(clean.Clean):
    """All programs are right without a mutant."""

    def ask(self, asked: Any, *rest: Any) -> list[Any]:
        return [{"outcome": "ok", "code": ["right"], "seconds": 0.1} for _ in asked]


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[asking.Asker]:
    with asking.Asker(tmp_path_factory.mktemp("mutants")) as found:
        yield found


@pytest.fixture(scope="module")
def record(asker: asking.Asker, tmp_path_factory: pytest.TempPathFactory) -> reach.Record:
    small = [sources.Subject(sources.SAMPLE, f"small:{name}") for name in ("comparisons", "constants")]
    folder = tmp_path_factory.mktemp("record")
    found = reach.record(small, folder, [asker.mutant, asker.right])
    assert reach.record(small, folder, []).traces == found.traces
    return found


@pytest.fixture
def ask(asker: asking.Asker, record: reach.Record, tmp_path: Path) -> Any:
    effort = replace(results.QUICK, inputs=0)
    return lambda one: asker.ask(one, record, RightIsRight(tmp_path), effort)


@pytest.mark.ci
def test_a_bug_is_found_and_what_changes_nothing_is_not(ask: Any) -> None:
    bad = ask(mutation("rules/elementwise.py", '"gt": ">"', '"gt": ">="'))
    assert (bad.outcome, bad.program, bad.reason) == ("mismatch", "small:comparisons", "")
    same = ask(mutation("rules/elementwise.py", '"sign": "jace::sign({0})"', '"sign": "jace::neg({0})"'))
    assert (same.outcome, same.reason, same.same, same.ran) == ("", "same source", 2, 0)


@pytest.mark.ci
def test_lines_that_no_program_reaches_are_told(record: reach.Record) -> None:
    fft = [m for m in scope.mutations("rules/loops/transforms.py") if m.edit.inside.startswith("transformed")]
    assert fft
    assert all(record.asked(m) == [] for m in fft)
    (compared,) = (t for t in record.traces.values() if "comparisons" in t.subject.name)
    assert compared.lines["build/runtime/arith.h"]  # what it has compiled code of
    assert not compared.lines.get("build/runtime/fft.h")


def test_lines_without_code_of_their_own_are_reached_by_their_function() -> None:
    """Python has code of the statement's line, or of none when it computes the constant beforehand."""
    text = "def f(x):\n    if x:\n        return (\n            1,\n            2,\n        )\n    return 0\n"
    assert 4 not in reach.code_lines(text)
    (one,) = (Mutation("a.py", text, e) for e in python.edits(text) if e.after == "3")
    trace = reach.Trace(sources.Subject("m:f", "p"), "", *[frozenset()] * 5, 0.1, {"a.py": frozenset({2, 7})})
    assert one.lines == (5, 3)
    assert reach.Record({"p": trace}, {}).asked(one) == [trace]
    other = replace(one, edit=next(e for e in python.edits(text) if e.after == "True"))
    passed = replace(trace, lines={"a.py": frozenset({9})})
    assert reach.Record({"p": passed}, {}).asked(other) == []


def test_programs_that_a_key_must_tell_apart_follow_one_another() -> None:
    def trace(name: str, *primitives: str) -> reach.Trace:
        used = frozenset(primitives)
        return reach.Trace(
            sources.Subject("m:f", name), "", frozenset(), used, *[frozenset()] * 2, used, 0.1, {}
        )

    some = [trace("a", "add"), trace("b", "mul", "neg"), trace("c", "sub"), trace("d", "neg", "mul")]
    key = next(m for m in scope.mutations("build/compiler.py") if m.edit.operator == "part of a key dropped")
    asked = reach.Record({t.subject.key: t for t in some}, {}).asked(key)
    assert [t.subject.name for t in asked] == ["b", "d", "a", "c"]


@pytest.mark.parametrize("asker_is_there", [False, True])
def test_a_worker_ends_with_who_has_asked(asker_is_there: bool) -> None:
    seconds = 0.5 if asker_is_there else 100
    script = f"import os, time; os.setsid(); time.sleep({seconds}); os._exit(3)"
    worker = subprocess.Popen([sys.executable, "-c", script])
    status = server._ended(worker.pid, os.getppid() if asker_is_there else -1)
    assert os.waitstatus_to_exitcode(status) == (3 if asker_is_there else -signal.SIGKILL)


def test_a_server_that_is_gone_is_replaced(tmp_path: Path) -> None:
    with asking.Asker(tmp_path) as asker:
        one = asker.mutant(x64=False)
        assert asker.mutant(x64=False) is one
        one.__exit__()
        other = asker.mutant(x64=False)
        assert other is not one
        assert not other.ended


def test_a_key_is_asked_first_about_the_programs_that_run_through_its_line() -> None:
    def trace(name: str, *lines: int) -> reach.Trace:
        there = {key.file: frozenset(lines)}
        return reach.Trace(sources.Subject("m:f", name), "", *[frozenset({name})] * 5, 0.1, there)

    key = next(m for m in scope.mutations("ir/canonical.py") if m.edit.inside)
    some = [trace("a"), trace("b", *key.lines), trace("c")]
    asked = reach.Record({t.subject.key: t for t in some}, {}).asked(key)
    assert [t.subject.name for t in asked] == ["b", "a", "c"]


def test_further_programs_are_of_the_operations_that_reach_something() -> None:
    def trace(operation: str) -> reach.Trace:
        return reach.Trace(
            sources.Subject(sources.PROGRAMS, f"{operation}/3"), "text", *[frozenset()] * 5, 0.1, {}
        )

    found = reach.further([trace("clz"), trace("fft")], x64=True)
    assert {t.subject.name for t in found[:2]} == {"clz/1000/x64", "fft/1000/x64"}
    assert all(t.subject.x64 and not t.source for t in found)
    assert {t.subject.name for t in found[2:4]} == {"clz/1001/x64", "fft/1001/x64"}


def test_what_another_release_of_xla_compiles_is_left() -> None:
    text = "int f(int x) {\n#if JACE_XLA >= 9999\n  return x + 1;\n#else\n  return x - 2;\n#endif\n}\n"
    text += "#pragma GCC unroll 4\n"
    assert {e.after for e in cpp.edits(text)} == {"+", "2 - x", "3", "1"}


def test_a_decorator_is_reached_by_what_it_decorates() -> None:
    text = "@table(cost_of(1), lazy=(0, 2))\ndef rule(x):\n    return x\n"
    (one,) = (Mutation("a.py", text, e) for e in python.edits(text) if e.after == "3")
    user = reach.Trace(sources.Subject("m:f", "p"), "", *[frozenset()] * 5, 0.1, {"a.py": frozenset({3})})
    other = replace(user, lines={"a.py": frozenset({7})})
    record = reach.Record({"user": user, "other": other}, {"a.py": frozenset({1, 2})})
    assert record.asked(one) == [user]


@pytest.mark.ci
def test_what_the_right_jace_takes_its_time_for_is_no_hang(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "HANGS", 2.0)
    endless = mutation(
        "build/codegen.py", "configure()\n    sdfg = _to_expand(program.sdfg)", "while True: pass"
    )
    assert ask(endless).outcome == "timeout"
    slow = [{"outcome": "ok", "code": [], "seconds": 1.0}]
    monkeypatch.setattr(RightIsRight, "ask", lambda self, *rest: slow)
    missed = ask(endless)
    assert (missed.outcome, len(missed.alarms)) == ("", 2)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("file", "before", "after", "outcome"),
    [
        ("rules/elementwise.py", "@register_elementwise(", "@register_elementwise(1 / 0, ", "loud"),
        (
            "build/codegen.py",
            "configure()\n    sdfg = _to_expand(program.sdfg)",
            "import os; os.abort()",
            "crash",
        ),
        ("build/runtime/arith.h", "auto r = x > y ? x : y;", "auto r = x;", "mismatch"),
        ("build/runtime/fft.h", "1", "2", ""),
    ],
)
def test_what_goes_wrong_otherwise_is_found_too(
    ask: Any, file: str, before: str, after: str, outcome: str
) -> None:
    text = (scope.PACKAGE / file).read_text()
    if before not in text:
        pytest.fail(f"{file} has no {before!r}")
    at = text.index(before)
    found = ask(Mutation(file, text, Edit(at, at + len(before), after, "test")))
    assert found.outcome == outcome, found.to_json()


# --- asking tests of jace's own ---------------------------------------------------------------------------------

ORDERED = "ir/canonical.py"
NORMAL = (
    "tests/jace/ir/test_normal.py::test_the_order_of_what_a_function_with_a_rule_closes_over_means_nothing"
)


def test_the_quickest_tests_that_run_through_a_mutant_are_asked() -> None:
    one = mutation(ORDERED, "list(inner[count:])", "list(inner[:])")
    there = {one.file: frozenset(one.lines)}
    beside = {one.file: frozenset({1})}
    seconds = {"slow": 40.0, "quick": 1.0, "slower": 45.0, "beside": 0.1}
    tested = by_tests.Tested({"slow": there, "quick": there, "slower": there, "beside": beside}, seconds)
    assert tested.asked(one) == ["quick", "slow"]
    assert by_tests.Tested({"slower": there}, {"slower": 99.0}).asked(one) == ["slower"]
    assert by_tests.Tested({"beside": beside}, seconds).asked(one) == []
    at_import = by_tests.Tested({"": there, "beside": beside}, seconds)
    assert at_import.asked(one) == ["beside"]
    header = mutation("build/runtime/sort.h", "i64* heap = v + first;", "i64* heap = v - first;")
    named = "tests/jace/rules/test_ordering.py::test_a"
    assert by_tests.Tested({}, {named: 1.0, "tests/jace/rules/test_fft.py::test_b": 0.1}).asked(header) == [
        named
    ]


def test_every_header_has_tests_that_are_there() -> None:
    assert by_tests.HEADERS.keys() == {path.name for path in scope.PACKAGE.glob("build/runtime/*.h")}
    assert all((by_tests.TESTS / file).is_file() for files in by_tests.HEADERS.values() for file in files)
    text = (scope.PACKAGE / "build/runtime/special.h").read_text()
    leading = users.leading_to("build/runtime/special.h", text.index("7.180124451383666e-13"))
    assert leading == {"bessel_i0e_"}


@pytest.mark.ci
def test_a_test_shows_a_mutant_and_passes_without_it() -> None:
    one = mutation(ORDERED, "list(inner[count:])", "list(inner[:])")
    same = mutation(ORDERED, "list(inner[count:])", "[*inner[count:]]")
    loud = mutation(ORDERED, "list(inner[count:])", "list(inner[count:)")
    tests = by_tests.TestAsker(by_tests.Tested({NORMAL: {one.file: frozenset(one.lines)}}, {NORMAL: 1.0}))
    assert tests.failing(one) == NORMAL
    assert tests.failing(same) == ""
    assert tests.failing(loud)


# --- telling ----------------------------------------------------------------------------------------------------


def result(outcome: str, **more: Any) -> results.Result:
    return results.Result(draw.drawn(1, 1, files=FILES[:1])[0], outcome, **more)


def test_loud_mutants_and_those_that_change_nothing_are_counted_apart() -> None:
    every = [
        result("mismatch"),
        result("loud"),
        result("", reached=3, same=3),
        result("", reached=3, ran=3),
        result(""),
    ]
    assert [r.reason for r in every] == ["", "", "same source", "answers agree", "no program reaches it"]
    assert telling.score(every) == 0.5
    assert telling.score(every, loud=False) == pytest.approx(1 / 3)
    lines = list(telling.table(every))
    assert lines[1].split()[:6] == ["rules", "5", "1", "1", "1", "2"]
    assert any(line.startswith("missed, same source") for line in lines)


def test_those_that_tests_show_are_counted_beside() -> None:
    every = [
        result("mismatch"),
        result("", reached=1, ran=1, test="t"),
        result(""),
        result("", reached=1, same=1),
    ]
    assert telling.score(every) == pytest.approx(1 / 3)
    assert telling.guarded(every) == pytest.approx(2 / 3)
    every[-1].test = "u"
    assert telling.guarded(every) == pytest.approx(3 / 4)
    lines = list(telling.table(every))
    assert lines[1].split()[8:10] == ["2", "75%"]
    assert any("shown by u" in line for line in lines)


def test_a_bad_day_is_no_failure() -> None:
    found, missed = result("mismatch"), result("", reached=1, ran=1)
    assert not telling.too_few([found] * 8 + [missed] * 10, 0.6)
    assert telling.too_few([found] * 3 + [missed] * 15, 0.6)
    assert not telling.too_few([], 0.6)


def test_what_runs_have_kept_is_told_without_what_was_argued_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = scope.mutations("rules/special.py")
    rows = [
        results.Result(every[0], outcome="mismatch", program="erf/3", reached=4, ran=2, seconds=3.0),
        results.Result(every[1], reached=4, ran=2, seconds=60.0),
        results.Result(every[2], reached=4, same=4, seconds=2.0),
    ]
    again = [results.Result.of_json(row.to_json()) for row in rows]
    assert [r.to_json() for r in again] == [r.to_json() for r in rows]
    assert [r.mutation.key for r in again] == [m.key for m in every[:3]]
    for name in ("one", "two"):
        (tmp_path / name).write_text(json.dumps({"mutants": [r.to_json() for r in rows]}))
    done = subprocess.run(
        [sys.executable, "scripts/mutants.py", "--told", tmp_path / "one", tmp_path / "two"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "all                 3      1     0     1       1    50%" in done.stdout
    assert "missed, answers agree:" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 runs, 3 mutants, 0 of them argued to be equivalent"


def test_programs_that_reach_a_line_are_asked_by_the_forms_of_what_it_is_about() -> None:
    def trace(name: str, seconds: float, primitives: set[str], *forms: str) -> reach.Trace:
        empty: frozenset[str] = frozenset()
        subject = sources.Subject("m:f", name)
        return reach.Trace(
            subject, "", empty, frozenset(primitives), frozenset(forms), empty, empty, seconds, {}
        )

    backward = trace("a", 0.1, {"rev", "add"}, "rev with dimensions=(1)", "add with x=1")
    both = trace("b", 0.3, {"rev"}, "rev with dimensions=(2 of 0 1)")
    again = trace("c", 0.2, {"rev", "add"}, "rev with dimensions=(1)", "add with x=2", "add with x=3")
    others = [trace(f"other {k}", 0.1, {"add"}) for k in range(6)]
    reached = [backward, both, again]
    record = reach.Record({t.subject.key: t for t in [*reached, *others]}, {})
    about = record._about(reached)
    assert about == {"rev"}
    assert [t.subject.name for t in reach.diverse(reached, "rules/x.py", about)] == ["a", "b", "c"]
    assert [t.subject.name for t in reach.diverse(reached, "rules/x.py")] == ["a", "c", "b"]


def test_programs_for_what_a_call_does_are_asked_by_what_a_call_has_to_do_with() -> None:
    def trace(name: str, seconds: float, typed: int, *calls: str) -> reach.Trace:
        sets = [frozenset[str]()] * 3, frozenset(calls), frozenset(f"add f{k}" for k in range(typed))
        return reach.Trace(sources.Subject("m:f", name), "text", *sets[0], *sets[1:], seconds, {})

    traces = [
        trace("a", 0.2, 9, "1 inputs"),
        trace("b", 0.1, 1, "1 inputs"),
        trace("c", 0.3, 1, "taken apart"),
    ]
    assert [t.subject.name for t in reach.diverse(traces, "stages/compiled.py")] == ["b", "c", "a"]
    assert next(t.subject.name for t in reach.diverse(traces, "rules/shape.py")) == "a"


def test_what_a_call_has_to_do_with_is_told() -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    def f(x: object, y: object) -> object:
        jax.debug.callback(lambda v: None, x)
        return x, jnp.zeros(()), x, 3.0

    closed = jax.make_jaxpr(f)(np.ones((2, 0), np.float32), np.int8(1))
    said = set(child._call(closed, taken_apart=True))
    assert said >= {
        *(
            "2 inputs",
            "4 outputs",
            "input of int8",
            "input of rank 2",
            "input of no elements",
            "an output twice",
        ),
        *("an output is a number", "an output is an input", "an input nobody reads", "weak output"),
        *("effect DebugEffect", "taken apart"),
    }
