"""A mutant that no program shows may be shown by a test of jace's own: of caches, drivers, the call, what raises.

The tests of tests/jace that run through a line are known from one run of all of them under coverage.py, kept for this
state of jace and of its tests. The quickest of them are asked.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mutants.mechanical import reach
from mutants.mechanical.edits import Mutation
from mutants.mechanical.overlay import overlaid
from mutants.mechanical.scope import PACKAGE, ROOT

TESTS = ROOT / "tests" / "jace"
#: Tests that are asked about a mutant: so many, which took no more seconds together when they were recorded...
MOST, SECONDS = 150, 60.0
#: ...and may take so many on the clock.
LIMIT = 240.0
#: What a process of tests is told by its environment: the folder of the jace that it tests, and where it writes what
#: its tests run through.
_JACE, _RECORD = "MUTANTS_JACE", "MUTANTS_RECORD"
#: The tests for a header of the runtime, whose lines no tracer sees.
HEADERS: dict[str, tuple[str, ...]] = {
    "arith.h": ("rules/test_elementwise.py", "rules/test_edge_semantics.py"),
    "blas.h": ("rules/test_contraction.py", "build/test_externals.py"),
    "complex.h": ("rules/test_accuracy.py", "rules/test_elementwise.py"),
    "convert.h": ("rules/test_edge_semantics.py", "rules/test_small_dtypes.py"),
    "external.h": ("build/test_externals.py",),
    "fft.h": ("rules/test_fft.py",),
    "incomplete.h": ("rules/test_accuracy.py",),
    "lapack.h": ("rules/test_linalg.py",),
    "libm.h": ("rules/test_accuracy.py",),
    "libm_cuda.h": ("build/test_gpu.py",),
    "math.h": ("rules/test_accuracy.py", "rules/test_edge_semantics.py"),
    "order.h": ("rules/test_ordering.py", "rules/test_edge_semantics.py"),
    "random.h": ("rules/test_random.py",),
    "small.h": ("rules/test_small_dtypes.py",),
    "sort.h": ("rules/test_ordering.py",),
    "special.h": ("rules/test_accuracy.py", "rules/test_edge_semantics.py"),
    "types.h": ("build/test_runtime.py", "rules/test_edge_semantics.py"),
}
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Tested:
    """Which tests run through what of jace.

    Attributes:
        lines: by test and file, with "" for what runs when modules are imported.
        seconds: by test.
    """

    lines: Mapping[str, Mapping[str, frozenset[int]]]
    seconds: Mapping[str, float]

    def asked(self, mutation: Mutation) -> list[str]:
        """The quickest tests that run through a mutant, or through its file where it is run at import."""
        wanted = frozenset(mutation.lines)
        folder, _, header = mutation.file.rpartition("/")
        if folder == "build/runtime" and header in HEADERS:
            files = tuple(f"tests/jace/{name}::" for name in HEADERS[header])
            through = [t for t in self.seconds if t.startswith(files)]
        elif not wanted.isdisjoint(self.lines.get("", {}).get(mutation.file, ())):
            through = [t for t in self.seconds if mutation.file in self.lines.get(t, {})]
        else:
            through = [
                t for t in self.seconds if not wanted.isdisjoint(self.lines.get(t, {}).get(mutation.file, ()))
            ]
        through.sort(key=self.seconds.__getitem__)
        sums = itertools.accumulate(map(self.seconds.__getitem__, through[:MOST]))
        return [test for test, sum_ in zip(through, sums, strict=False) if sum_ <= SECONDS] or through[:1]


def recorded(folder: Path, jobs: int) -> Tested:
    """What the tests run through; kept in a folder."""
    path = folder / f"tests-{reach.digest(PACKAGE, TESTS, Path(__file__))}.json"
    if not path.exists():
        with tempfile.TemporaryDirectory() as into:
            _run([str(TESTS.relative_to(ROOT))], ROOT, ["-n", str(jobs)], {_RECORD: into}, limit=None)
            parts = [json.loads(part.read_text()) for part in Path(into).iterdir()]
        if not any(part["seconds"] for part in parts):
            raise RuntimeError("no test of jace's could be run")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(parts))
    lines: dict[str, dict[str, frozenset[int]]] = {}
    seconds: dict[str, float] = {}
    for part in json.loads(path.read_text()):
        seconds |= part["seconds"]
        for test, files in part["lines"].items():
            of = lines.setdefault(test, {})
            of |= {file: of.get(file, frozenset()) | frozenset(numbers) for file, numbers in files.items()}
    return Tested(lines, seconds)


class TestAsker:
    """Asks tests about mutants.

    Args:
        tested: which run through what.
    """

    __test__ = False

    def __init__(self, tested: Tested) -> None:
        self._tested = tested
        self._right: dict[str, bool] = {}
        self._lock = threading.Lock()

    def failing(self, mutation: Mutation) -> str:
        """The first test that fails with a mutant and passes without it; "" when there is none in time."""
        if not (tests := self._tested.asked(mutation)):
            return ""
        with overlaid(mutation) as overlay:
            failed = _first_failure(tests, overlay.folder)
        return failed if failed and self._is_right(failed if failed in tests else tests[0]) else ""

    def _is_right(self, test: str) -> bool:
        with self._lock:
            if test not in self._right:
                self._right[test] = not _first_failure([test], ROOT)
            return self._right[test]


def _first_failure(tests: Sequence[str], folder: Path) -> str:
    """The first of some tests that fails with the jace in a folder, or what it ended with; "" when all pass in time."""
    code, out = _run(tests, folder, ["-x", "-rfE", "-n", "0"], {}, limit=LIMIT)
    if (found := _FAILED.search(out)) is not None:
        return found[1]
    return "" if code in (0, -signal.SIGKILL) else f"exit status {code}"


def _run(
    tests: Sequence[str],
    folder: Path,
    options: Sequence[str],
    environment: Mapping[str, str],
    *,
    limit: float | None,
) -> tuple[int, str]:
    """Run tests with the jace in a folder: the exit status, and what was printed."""
    path = os.pathsep.join(map(str, (folder, ROOT, ROOT / "tests")))
    env = {**os.environ, "PYTHONPATH": path, _JACE: str(folder), **environment}
    start = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", __name__]
    command = [*start, *options, *tests]
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:  # fmt: skip
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
    return process.returncode, out


# --- in the process of the tests: a plugin of pytest's -----------------------------------------------------------


@dataclass
class _Recorder:
    tracer: Any
    seconds: dict[str, float]


_recorder: _Recorder | None = None


def pytest_sessionstart() -> None:
    global _recorder
    if _RECORD in os.environ:
        import coverage

        tracer = coverage.Coverage(data_file=None, include=[f"{PACKAGE}/*"], config_file=False)
        tracer.start()
        _recorder = _Recorder(tracer, {})
    import jace

    wanted = Path(os.environ[_JACE])
    assert jace.__file__ is not None
    assert Path(jace.__file__).is_relative_to(wanted), f"{jace.__file__} is not in {wanted}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if _recorder is None:
        return (yield)
    _recorder.tracer.switch_context(item.nodeid)
    started = time.perf_counter()
    try:
        return (yield)
    finally:
        _recorder.seconds[item.nodeid] = time.perf_counter() - started
        _recorder.tracer.switch_context("")


def pytest_sessionfinish() -> None:
    if _recorder is None:
        return
    _recorder.tracer.stop()
    lines: dict[str, dict[str, list[int]]] = {}
    data = _recorder.tracer.get_data()
    for file in data.measured_files():
        name = Path(file).relative_to(PACKAGE).as_posix()
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in contexts:
                lines.setdefault(context, {}).setdefault(name, []).append(line)
    path = Path(os.environ[_RECORD]) / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.json"
    with contextlib.suppress(FileNotFoundError):  # nobody waits for it
        path.write_text(json.dumps({"seconds": _recorder.seconds, "lines": lines}))
