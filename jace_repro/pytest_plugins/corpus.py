"""The entries of a corpus as tests: of those in the directories that the ini option ``jace_corpus`` names.

One that is to show a bug is an expected failure; it fails when the bug is fixed, or shows otherwise. Those that are
pending or were rejected are none. Collecting runs nothing of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jace_repro.campaign.settings import Settings
    from jace_repro.corpus.store import CorpusEntry
    from jace_repro.tester import Pool

_INI = "jace_corpus"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option."""
    parser.addini(
        _INI, type="paths", default=[], help="Corpora of jace-repro: their entries are tests below them."
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The entries of a corpus are tests."""
    corpora: list[Path] = parent.config.getini(_INI)
    if file_path.suffix != ".py" or not any(file_path.is_relative_to(root) for root in corpora):
        return None
    from jace_repro.corpus.store import REPROS
    from jace_repro.repro.file import marked

    if file_path.parents[1].name != REPROS or not marked(file_path):
        return None
    return CorpusFile.from_parent(parent, path=file_path)


class Pools:
    """The workers that test entries, by the settings that they need: they stay for the next entry."""

    def __init__(self) -> None:
        self._open: dict[Settings, Pool] = {}
        self._stack = contextlib.ExitStack()

    @contextlib.contextmanager
    def opened(self, settings: Settings) -> Iterator[Pool]:
        """The workers of these settings. Raises SettingsError."""
        from jace_repro.campaign.testing import open_pool

        wanted = replace(settings, pipelines=())  # they are said with each test
        if wanted not in self._open:
            self._open[wanted] = self._stack.enter_context(open_pool(wanted))
        yield self._open[wanted]

    def close(self) -> None:
        """End them."""
        self._open.clear()
        self._stack.close()


_POOLS = pytest.StashKey[Pools]()


def pytest_configure(config: pytest.Config) -> None:
    """There are no workers yet."""
    config.stash[_POOLS] = Pools()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The workers end with the tests."""
    config.stash[_POOLS].close()


class CorpusFile(pytest.File):
    """The file of an entry, which is not imported."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test, unless the entry waits to be accepted or was rejected. Raises ReproError."""
        from jace_repro.corpus import store
        from jace_repro.corpus.states import REPLAYED

        entry = store.read(self.path)
        if entry.state in REPLAYED:
            yield CorpusItem.from_parent(self, name=entry.name, entry=entry)


class StillThereError(Exception):
    """An entry that is expected to show a failure shows it, or cannot here (another release, another processor)."""


class CorpusItem(pytest.Item):
    """An entry as a test: an expected failure, strictly, where its header expects one."""

    def __init__(self, *, entry: CorpusEntry, **given: Any) -> None:
        super().__init__(**given)
        self.entry = entry
        if entry.header.outcome != "ok":
            reason = f"{entry.header.outcome} on {entry.header.pipeline}"
            self.add_marker(pytest.mark.xfail(strict=True, raises=StillThereError, reason=reason))

    def runtest(self) -> None:
        """Tests it by a worker that may have tested others.

        Raises StillThereError where it fails as expected, else AssertionError.
        """
        from jace_repro.campaign.observer import Observer
        from jace_repro.campaign.replays import replay_entries
        from jace_repro.campaign.settings import Settings
        from jace_repro.corpus import store

        faults = store.faults(self.entry)
        if faults:
            raise AssertionError("; ".join(faults))
        told: list[str] = []
        observer = Observer(tested=lambda _, remark: told.append(remark))
        pools = self.config.stash[_POOLS]
        settings = Settings(jobs=1)  # tests run side by side already, where pytest does
        (found,) = replay_entries([self.entry], settings, observer, opened_pool=pools.opened).entries
        if found.replayed == "another failure":
            raise AssertionError("\n".join([*told, *(verdict.detail for verdict in found.verdicts)]))
        if found.replayed != "fixed" and self.entry.header.outcome != "ok":
            raise StillThereError(told[-1])

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it lies, for reports."""
        return self.path, 0, f"corpus {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong with it, without the lines of the harness."""
        return str(excinfo.value) if excinfo.errisinstance(AssertionError) else super().repr_failure(excinfo)
