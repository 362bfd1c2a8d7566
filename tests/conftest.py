"""Fixtures for all tests: the command line as a user types it, and caches that tests share."""

from __future__ import annotations

import datetime
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import longer
import pytest
import warm_popen


@dataclass(frozen=True)
class Ran:
    """What a command did. `report` is its machine report, when it was asked for one and wrote it."""

    code: int
    out: str
    err: str
    report: dict[str, Any] | None


#: Which part of the cases of long tables is run: workers run what the controller runs.
PART = "JACE_TESTS_PART"
#: Where the processes of one session keep what XLA has compiled: what takes less time is compiled sooner than kept.
COMPILED_BY_XLA = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.1",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    "TF_CPP_MIN_LOG_LEVEL": "3",  # XLA's loader says of each that it knows not all names of CPU features
}


def pytest_configure(config: pytest.Config) -> None:
    """The controller of the workers, or the only process, makes the folder, before anything imports JAX."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.mkdtemp(prefix="xla-of-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ.update(COMPILED_BY_XLA, JAX_COMPILATION_CACHE_DIR=folder)
        os.environ[PART] = config.getoption("part")  # that of its start, should a worker begin after midnight
    # Processes that start cold read what another has compiled of Python.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which cases `-m ci` runs."""
    parser.addoption(
        "--part",
        choices=[*(str(k + 1) for k in range(longer.PARTS)), "all"],
        default=os.environ.get(PART, longer.part_of(datetime.date.today())),
        help="the third of the cases of long tables that `-m ci` runs [default: today's, one after the other]",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each worker takes files in a row, and what another has left at the end: what a file shares is made once."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Before tests are chosen by their marks."""
    longer.mark(items)
    others = longer.of_other_days(items, config.getoption("part"))
    if others:
        config.hook.pytest_deselected(items=others)
        left = {id(item) for item in others}
        items[:] = [item for item in items if id(item) not in left]


#: Objects made between two looks for garbage: ten times Python's default costs some memory and little time.
GARBAGE = 7_000


def pytest_collection_finish() -> None:
    """What is imported stays: the garbage collector need not go through it again and again."""
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def tidy() -> Iterator[None]:
    """A file leaves nothing to the next that has to be kept in memory and gone through: SDFGs, above all."""
    yield
    if "jace.translate.unit" in sys.modules:
        sys.modules["jace.translate.unit"].clear_caches()
    if "together" in sys.modules:
        sys.modules["together"].forget()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def private_caches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled programs are kept for the session only: no test passes for what an earlier run left behind.

    The processes of one session share them.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    os.environ["JACE_CACHE_DIR"] = str(shared / "jace-cache")


@pytest.fixture(scope="session", autouse=True)
def warm_processes() -> Iterator[None]:
    """Processes that tests start are forks of one that has done its imports."""
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:  # short: it holds sockets
        warm_popen.install(Path(folder))
        yield
        warm_popen.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What a test marked `cold` starts, starts as it does for a user."""
    os.environ.pop(warm_popen.COLD, None)
    if item.get_closest_marker("cold") is not None:
        os.environ[warm_popen.COLD] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """What the next tests build is built with what this one does (`together`)."""
    if "together" in sys.modules:
        sys.modules["together"].begin(item)


@pytest.fixture
def jace_repro(tmp_path: Path) -> Callable[..., Ran]:
    """``jace_repro("run", "prog.py", ...)``: the command in a directory of its own, with ``--json``."""

    def call(command: str, *words: str, env: dict[str, str] | None = None, timeout: float = 500) -> Ran:
        path = tmp_path / "report-of-test.json"
        line = [sys.executable, "-m", "jace_repro", *command.split(), "--json", str(path), *words]
        done = subprocess.run(
            line,
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        report = json.loads(path.read_text()) if path.exists() else None
        return Ran(done.returncode, done.stdout, done.stderr, report)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes the text of a program to a file of the test's directory and answers its name."""

    def write(text: str, name: str = "prog.py") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write
