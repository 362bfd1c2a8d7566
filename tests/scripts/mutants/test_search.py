"""Looking for a change of jace: with programs, and with tests of jace's own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutants.mechanical import asking, by_tests, clean, reach, results, scope, server, sources, users
from mutants.mechanical.edits import Edit, Mutation
from mutants.mechanical.written import mutation


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


# --- asking tests of jace's own ------------------------------------------------------------------------------

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
