"""The programs of a campaign on this machine: some are written while others are tested."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from jace_repro.campaign.fuzz.state import PROGRAMS, Tested, forget
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries
from jace_repro.fuzz import writing
from jace_repro.fuzz.writing import Wanted, Written
from jace_repro.repro.entry import Entry
from jace_repro.tester import Pool

#: Programs that are written at a time, while others are tested.
BATCH = 16


def run(
    programs: Iterator[Wanted],
    out: Path,
    pool: Pool,
    settings: Settings,
    keep: Callable[[Tested], None],
    enough: Callable[[], bool] = lambda: False,
    observer: Observer = NOBODY,
    *,
    learn: Callable[[Sequence[Written]], None] | None = None,
) -> None:
    """Test programs, batch by batch, in their order.

    Args:
        programs: which ones; ends when no more are to be begun.
        out: the directory of the campaign: what a program that is not "ok" needs is left there.
        pool: tests them.
        settings: how, and on which pipelines.
        keep: is given each program when it is done with.
        enough: no further batch is begun when that is so.
        observer: is told of the progress.
        learn: is given each batch before it is tested, with what its programs reach, which is found out for it.
    """
    measured = settings.pipelines if learn is not None else ()
    for batch in _written(programs, out / PROGRAMS, measured):
        if learn is not None:
            learn(batch)
        _test_batch(batch, pool, settings, keep, observer)
        if enough():
            return


def _written(programs: Iterator[Wanted], folder: Path, measured: Sequence[str]) -> Iterator[list[Written]]:
    with writing.writer(1) as processes:
        waiting: list[Callable[[], list[Written]]] = []
        while True:
            # One batch is written while the one before it is tested.
            while len(waiting) < 2 and (wanted := list(itertools.islice(programs, BATCH))):
                waiting.append(writing.write_all(processes, wanted, folder, measured))
            if not waiting:
                return
            yield waiting.pop(0)()


def _test_batch(
    batch: Sequence[Written],
    pool: Pool,
    settings: Settings,
    keep: Callable[[Tested], None],
    observer: Observer,
) -> None:
    """Test a batch; what shows nothing leaves no file."""
    entries, numbers = [], {one.name: one.number for one in batch}
    for one in batch:
        if one.path is None:
            keep(Tested(one.number, one.name, why=one.why))
        else:
            entry = Entry(one.name, source=one.path.as_posix(), equations=one.equations)
            entries.append(EntryReport(entry, repro=one.path))

    def tested(_: int, entry: EntryReport) -> None:
        outcomes = Counter(v.outcome for v in entry.verdicts)
        fine = set(outcomes) == {"ok"}
        if fine:
            forget(entry)
        keep(Tested(numbers[entry.name], entry.name, outcomes, entry=None if fine else entry))

    check_entries(entries, pool, settings, tested, observer, blame=False, enough=lambda: False)
