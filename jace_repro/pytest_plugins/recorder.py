"""``pytest --jace-repro``: a repro of every function that a failing test gave JAX.

Each test is recorded while it runs, its fixtures included, and what a test recorded that does not fail is thrown
away. JAX is imported when the first test starts, after all conftest files. Without the option nothing is recorded.

The fixture ``jace_check`` is `jace_repro.check` with the repro and the bug report of a failure beside the test's
``tmp_path``.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jace_repro.tracker import recording
from jace_repro.tracker.journal import ENTRIES
from jace_repro.tracker.session import Session, join, open_recordings
from jace_repro.tracker.settings import RecordSettings

if TYPE_CHECKING:
    from jace_repro.tester import Verdict

#: Where reports carry the directory of a recording, also from the workers of pytest-xdist.
PROPERTY = "jace-repro"
#: Where a worker of pytest-xdist finds the recordings of its controller.
RECORDINGS = "jace-repro-recordings"
_JOINED = pytest.StashKey[list[Session]]()
NOTHING = "the test let JAX trace nothing"


@pytest.fixture(scope="session")
def _jace_workers() -> Iterator[None]:
    """One set of workers for all tests of a process; a worker of pytest-xdist runs no exit functions."""
    yield
    from jace_repro import api

    api.close()


@pytest.fixture
def jace_check(
    request: pytest.FixtureRequest, tmp_path: Path, _jace_workers: None
) -> Callable[..., list[Verdict]]:
    """``jace_check(fun, *args, inputs="all")``: raises where XLA and DaCe differ; see `jace_repro.check`.

    The repro and a bug report of what fails lie in ``TMP_PATH-jace-repro``, named by the test's report.
    """
    from jace_repro import api
    from jace_repro.campaign import bugreport, command_lines

    def check(fun: Any, *args: Any, **options: Any) -> list[Verdict]:
        __tracebackhide__ = True  # pytest shows the line of the test
        out = tmp_path.with_name(f"{tmp_path.name}-{PROPERTY}")
        try:
            return api.check(fun, *args, **{"out": out, **options})
        except api.DisagreementError as error:
            lines = [f"repro: {error.repro}"]
            lines += [
                f"bug report: {path}"
                for path in bugreport.write(error.findings, error.repro.with_suffix(".md"))
            ]
            lines.append(f"next: {command_lines.jace_repro('localize', error.repro)}")
            request.node.add_report_section("call", PROPERTY, "\n".join(lines))
            raise

    return check


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two options."""
    group = parser.getgroup("jace-repro", "repros of failing tests")
    group.addoption(
        "--jace-repro",
        action="store_true",
        help="Write a repro of every function that a failing test gave JAX.",
    )
    group.addoption(
        "--jace-repro-dir",
        type=Path,
        metavar="DIR",
        help=f"Where to; implies --jace-repro [default: a new directory {recording.OUT_ROOT / 'pytest'}].",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the recorder of tests when it is asked for; a worker of pytest-xdist joins its controller."""
    config.stash[_JOINED] = join(
        [RecordSettings(*asked) for asked in getattr(config, "workerinput", {}).get(RECORDINGS, ())],
        how="pytest-xdist",
    )
    chosen: Path | None = config.getoption("--jace-repro-dir")
    if not (config.getoption("--jace-repro") or chosen):
        return
    # in a worker of pytest-xdist the controller chose
    given = getattr(config, "workerinput", {}).get(PROPERTY)
    directory = Path(given) if given else _new_directory(chosen)
    config.pluginmanager.register(FailingTests(directory.resolve()), "jace-repro-failing-tests")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """pytest-xdist: a worker takes part in the recordings of the controller (``jace-repro run --pytest -n 2``)."""
    node.workerinput[RECORDINGS] = [list(astuple(settings)) for settings in open_recordings()]


def pytest_unconfigure(config: pytest.Config) -> None:
    """A worker of pytest-xdist is ended without Python's exit functions."""
    for session in config.stash.get(_JOINED, []):
        session.note_end()


def _new_directory(chosen: Path | None) -> Path:
    """Raises pytest.UsageError for a chosen directory that holds something."""
    if chosen is not None:
        if chosen.exists() and any(chosen.iterdir()):
            raise pytest.UsageError(
                f"--jace-repro-dir: {chosen} is not empty: name another directory or remove it"
            )
        return chosen
    return recording.unused_directory("pytest")


class FailingTests:
    """Records tests into one directory each and keeps those of the failing ones."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.failed: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """pytest-xdist: a worker records into the controller's directory."""
        node.workerinput[PROPERTY] = str(self.directory)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Records a test from its setup to its teardown."""
        from jace_repro.tracker.api import record

        directory = self._directory(item.nodeid)
        shutil.rmtree(directory, ignore_errors=True)  # the test is run again
        with record(directory):
            result = yield
        if item.nodeid not in self.failed or not recording.load(directory).entries:
            shutil.rmtree(directory)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Marks the report of a phase that failed."""
        made = yield
        if made.failed:
            self.failed.add(item.nodeid)
            made.user_properties.append((PROPERTY, str(self._directory(item.nodeid))))
        return made

    def pytest_unconfigure(self) -> None:
        """No directory is left when no test failed."""
        if self.directory.exists() and not any(self.directory.iterdir()):
            with contextlib.suppress(OSError):  # another worker was quicker
                self.directory.rmdir()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Which failing test was recorded where, and what to do with it."""
        reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
        found = {
            report.nodeid: Path(value)
            for report in reports
            for name, value in getattr(report, "user_properties", ())
            if name == PROPERTY
        }
        if not found:
            return
        from jace_repro.campaign import command_lines

        terminalreporter.section("jace-repro")
        for nodeid, directory in found.items():
            if not directory.exists():
                terminalreporter.line(f"{nodeid}: {NOTHING}")
                continue
            recorded = recording.load(directory)
            eager = sum(entry.entry.eager for entry in recorded.entries)
            shown = _shown(directory)
            functions = _count(len(recorded.entries) - eager, "function")
            operations = _count(eager, "eager operation")
            terminalreporter.line(f"{nodeid}: {functions}, {operations} in {shown}")
            terminalreporter.line(f"    {command_lines.jace_repro('check', directory / ENTRIES)}")
            for problem in recorded.tracker_errors:
                terminalreporter.line(f"    not recorded: {problem}")

    def _directory(self, nodeid: str) -> Path:
        """One a test: its name in letters a shell leaves alone, made unique by a hash."""
        name = re.sub(r"[^A-Za-z0-9_.-]+", "_", nodeid.rpartition("/")[2]).strip("_")[:80]
        return self.directory / f"{name}-{hashlib.sha256(nodeid.encode()).hexdigest()[:8]}"


def _shown(directory: Path) -> Path:
    """Relative to the working directory where it lies below it."""
    here = Path.cwd()
    return directory.relative_to(here) if directory.is_relative_to(here) else directory


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
