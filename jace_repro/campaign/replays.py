"""What `jace-repro corpus run` does: test the entries of a corpus, and compare each with what it promises."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from jace_repro.campaign.files import alike
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.campaign.testing import check_entries, limit, open_pool, stopped
from jace_repro.corpus import store
from jace_repro.corpus.replay import Replay, replayed
from jace_repro.corpus.states import KNOWN
from jace_repro.corpus.store import CorpusEntry
from jace_repro.repro import ReproError
from jace_repro.repro.entry import Entry
from jace_repro.tester import Pool, Verdict

#: How often what is not as expected is tested again, each time by a worker that has tested nothing before.
AGAIN = 2


@dataclass(frozen=True)
class Corpus:
    """The entries of a corpus, and a line for each file that is none."""

    root: Path
    entries: tuple[CorpusEntry, ...]
    errors: tuple[str, ...]


def opened(root: Path) -> Corpus:
    """A corpus, without running anything of it."""
    entries, errors = [], []
    for path in store.paths(root):
        try:
            entries.append(store.read(path))
        except (OSError, ReproError) as error:
            errors.append(f"{path}: {str(error).removeprefix(f'{path.name}: ')}")
    return Corpus(root, tuple(entries), tuple(errors))


def replay_entries(
    entries: Sequence[CorpusEntry],
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    errors: tuple[str, ...] = (),
    opened_pool: Callable[[Settings], AbstractContextManager[Pool]] | None = None,
) -> Report:
    """Test entries on the pipelines that they were made for, and on those of the settings.

    What is not as expected is tested again: what is so some other time is flaky. Ctrl-C, or `settings.max_findings`
    failures that nobody expected, ends it with what there is.
    A report is made of it in which an entry that is as expected is no finding. `opened_pool` answers the workers that
    settings ask for, for those who have some.
    """
    known = {entry.path: entry for entry in entries}
    results = {path: EntryReport(Entry(entry.name), repro=path) for path, entry in known.items()}
    interrupted = False

    enough = limit(settings, results.values)

    def keep(group: Sequence[CorpusEntry], needed: Settings, index: int, tested: EntryReport) -> None:
        entry = group[index]
        found, verdicts = _settled(entry, tested.verdicts, needed)
        results[entry.path] = replace(tested, verdicts=verdicts, replayed=found.state)
        observer.tested(results[entry.path], found.text)

    try:
        for needed, paths in alike({path: entry.repro for path, entry in known.items()}, settings).items():
            with (opened_pool or open_pool)(needed) as pool:
                for pipelines, group in _by_pipelines([known[path] for path in paths], settings).items():
                    asked = replace(needed, pipelines=pipelines)
                    untested = [results[entry.path] for entry in group]
                    told = functools.partial(keep, group, asked)
                    check_entries(untested, pool, asked, told, observer, blame=False, enough=enough)
    except KeyboardInterrupt:
        interrupted = True
    return Report(
        "corpus",
        tuple(results.values()),
        errors=errors,
        interrupted=interrupted,
        stopped=not interrupted and stopped(results.values(), settings),
    )


def _by_pipelines(
    entries: Sequence[CorpusEntry], settings: Settings
) -> Mapping[tuple[str, ...], list[CorpusEntry]]:
    """Entries by the pipelines that they are tested on: their own and those of the settings."""
    groups: dict[tuple[str, ...], list[CorpusEntry]] = {}
    for entry in entries:
        own = choose_pipelines((), entry.header.pipeline)
        groups.setdefault(choose_pipelines((*own, *settings.pipelines)), []).append(entry)
    return groups


def _settled(
    entry: CorpusEntry, verdicts: tuple[Verdict, ...], settings: Settings
) -> tuple[Replay, tuple[Verdict, ...]]:
    """What is to be said of an entry that was tested once, and the verdicts that say it.

    A worker that tested others may have been spoiled by them (XLA's bugs write behind buffers): what is not as expected
    is tested again. Who is to blame is asked of what stays so; of what is expected its entry says it.
    """
    first = replayed(entry, verdicts)
    if first.state in KNOWN:
        return first, verdicts
    tested = list(again(entry, settings, AGAIN, blame=True))
    found = [replayed(entry, one) for one in tested]
    good = [one for one in found if one.state == "as expected"]
    if len(good) == len(found):
        return replace(good[0], text=f"{good[0].text} (by a worker of its own)"), verdicts
    if good:
        text = f"flaky: {first.text}; another time {good[0].text}"
        return Replay("flaky", text, first.verdict), verdicts
    return first, tuple(tested[-1]) if found[-1].state == first.state else verdicts


def again(
    entry: CorpusEntry, settings: Settings, times: int, *, blame: bool = False
) -> Iterator[list[Verdict]]:
    """The verdicts on an entry, each time by a worker that tests nothing else; with `blame` the last say whose."""
    with open_pool(replace(settings, jobs=1), fresh=True) as pool:
        for k in range(times):
            asked = blame and k == times - 1 and pool.options.blame
            yield pool.check(entry.repro, settings.pipelines, replace(pool.options, blame=asked))
