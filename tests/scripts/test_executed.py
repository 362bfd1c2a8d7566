"""Which branches of jace programs execute (scripts/executed.py): counted in Python and C++, and listed with reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mutants.mechanical import counting, executed, python, scope
from mutants.mechanical.asking import Asker
from mutants.mechanical.sources import SAMPLE, Subject


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> executed.Executed:
    subjects = [Subject(SAMPLE, "small:integer_ends", pipeline=p) for p in ("fused", "canonical/none")]
    with Asker(tmp_path_factory.mktemp("executed")) as asker:
        return executed.execute(subjects, lambda s: s.pipeline == "fused", [asker.right], lambda text: None)


def line_of(file: str, text: str) -> int:
    lines = (scope.PACKAGE / file).read_text().splitlines()
    return 1 + next(k for k, line in enumerate(lines) if text in line)


@pytest.mark.ci
def test_lines_of_the_runtime_that_run_are_counted(found: executed.Executed) -> None:
    counts = found.counts["build/runtime/arith.h"]
    divides = line_of("build/runtime/arith.h", "return by_zero ? T(-1) : quotient;")
    assert counts[divides, 0, 1] == 2 * 64  # once an element, of int32 and of int8
    assert not found.refused


@pytest.mark.ci
def test_what_is_not_executed_is_told(found: executed.Executed) -> None:
    missing = executed.missing(found)
    keys = {b.key for b in missing}
    assert ("build/runtime/special.h", "zeta_of", "there is code of it") in keys
    assert {b.file.partition("/")[0] for b in missing} == {"build", "rules", "plan", "sdfg"}
    dividing = "bool by_zero = b == 0, overflow = a == min_value<T>() && b == T(-1);"
    assert not any(b.line == dividing for b in missing)  # the ends of integers are there, and zero
    assert all(b.line in (scope.PACKAGE / b.file).read_text() for b in missing if b.file.endswith(".py"))


def test_of_instances_of_a_template_those_that_run_say_what_is_not_taken() -> None:
    file = "build/runtime/arith.h"
    ways = {(5, 0, 1): 3, (5, 0, 2): 3, (5, 1, 2): 0, (5, 0, 4): 0, (5, 1, 4): 0, (9, 0, 1): 0}
    told = [b for b in executed._missing_cpp({file: Counter(ways)}) if b.number in (5, 9) and "way" in b.way]
    assert [(b.number, b.way) for b in told] == [(5, "way 2 of 2")]
    (never,) = [b for b in executed._missing_cpp({file: Counter(ways)}) if b.way == "it runs"]
    assert never.number == 9


def test_counts_of_programs_add_up() -> None:
    one = {"a.h": Counter({(1, 0, 1): 2})}
    counting.add(
        one,
        counting.of_json(counting.to_json({"a.h": Counter({(1, 0, 1): 1, (2, 0, 1): 0}), "b.h": Counter()})),
    )
    assert one == {"a.h": Counter({(1, 0, 1): 3, (2, 0, 1): 0}), "b.h": Counter()}


def test_what_serves_gpus_alone_is_not_asked_for() -> None:
    """No machine of these tests has one."""
    file = "sdfg/library.py"
    copied, called = line_of(file, "if is_read:"), line_of(file, "if node.schedule in dace.dtypes.GPU")
    arcs = {file: frozenset({(copied - 1, copied), (copied, copied + 1), (called - 1, called)})}
    lines = {b.number for b in executed._missing_python(executed.Executed(arcs, {}, {})) if b.file == file}
    text = (scope.PACKAGE / file).read_text()
    assert python.function_at(text, copied) == "_around_host"
    assert lines
    assert not any(python.function_at(text, line) == "_around_host" for line in lines)


def test_reasons_are_of_branches_that_are_there() -> None:
    for (file, line, way), reason in executed.listed().items():
        text = (scope.PACKAGE / file).read_text()
        assert line in text, f"{file}: {line}"
        assert way.startswith(("way ", "it runs", "the end", "there is code")) or way in text, (
            f"{file}: {way}"
        )
        assert reason


def test_headers_are_found_in_a_unit() -> None:
    header = (scope.PACKAGE / "build/runtime/fft.h").read_text()
    places = counting.headers(f"// one line\n{header}\nint main() {{}}\n", Path(scope.PACKAGE))
    assert places == {"build/runtime/fft.h": (1, 1 + header.count("\n"))}
