"""A campaign from its first program to its report."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import jax

from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.fuzz import cluster, guidance, here
from jace_repro.campaign.fuzz.state import MINIMAL, SOURCES, State, Tested, begun, keep
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.reduction import reduce_findings
from jace_repro.campaign.report import EntryReport, Report, groups
from jace_repro.campaign.settings import Settings, SettingsError
from jace_repro.campaign.testing import open_pool
from jace_repro.corpus import store
from jace_repro.fuzz.writing import Wanted, wanted_at
from jace_repro.repro import ReproError
from jace_repro.tester import Pool

#: After so many programs, how far it is is told.
TOLD = 16


@dataclass(frozen=True)
class Budget:
    """What a campaign may test.

    Attributes:
        seed: of its programs: the same seed is the same programs in the same order. None for that of the campaign
            that goes on, else 0.
        programs: how many, those of an earlier run in the directory included; None for no end.
        seconds: how long this run begins further programs; None for no end.
    """

    seed: int | None = None
    programs: int | None = None
    seconds: float | None = None


def fuzz(
    out: Path,
    budget: Budget,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    corpus: Path | None = None,
    mutate: Sequence[Path] = (),
    scheduler: str | None = None,
    guided: bool = False,
) -> Report:
    """Test programs that are made by seed until the budget is spent, and reduce what they show.

    Ctrl-C, or `settings.max_findings`, ends it early. It goes on in a directory that it was ended in, with the same
    seed and pipelines. What the corpus has is counted, and no finding.

    Args:
        out: where everything goes.
        budget: which programs, and how many.
        settings: how they are tested; `pipelines`, `inputs`, `jobs`, `reduce`, `max_findings` count.
        observer: is told of the progress and of each program that is not `ok`.
        corpus: the root of a corpus; None for none.
        mutate: repros, and directories of some, of which every other program is made; none for none.
        scheduler: the address of a Dask cluster whose workers test and reduce; None for this machine.
        guided: whether a new campaign makes its programs by what those before them reached; on this machine only.
    Raises:
        SettingsError: the directory holds a campaign of other programs, an entry of the corpus cannot be read,
            nothing can be mutated, measured or compiled here, or the cluster cannot be reached, has other releases, or
            is to do a guided one.
        OSError: the directory cannot be written.
    """
    if guided:
        guidance.require_measurable()
    out.mkdir(parents=True, exist_ok=True)
    state = begun(out, budget.seed, settings, _entries_of(corpus), mutate, guided=guided)
    if state.guided and scheduler is not None:
        raise SettingsError(
            "a guided campaign runs on one machine: --guided and --scheduler do not go together"
        )
    guided_by = guidance.begun(out, state.seed, state.sources, out / SOURCES) if state.guided else None
    settings = replace(settings, pipelines=state.pipelines)
    started, before = time.monotonic(), state.tested
    interrupted = False

    def tested(one: Tested) -> None:
        keep(one, out, state, observer)
        if (state.tested - before) % TOLD == 0:
            rate = 60 * (state.tested - before) / (time.monotonic() - started)
            observer.begins(
                f"{state.tested} programs tested, {rate:.0f} a minute, {_told(state.outcomes)}; "
                f"{len(groups(state.found))} findings"
            )

    numbers = _numbers(budget, state, started)
    try:
        with open_pool(settings) as pool:
            if scheduler is None:
                enough = _enough(settings, state)
                here.run(
                    _programs(numbers, state) if guided_by is None else guided_by.programs(numbers),
                    out, pool, settings, tested, enough, observer,
                    learn=None if guided_by is None else guided_by.learn,
                )  # fmt: skip
            else:
                with cluster.connected(scheduler, settings, observer) as workers:
                    cluster.run(numbers, state, out, workers, tested, _enough(settings, state))
                    if settings.reduce:
                        cluster.reduce(state, out, workers)
            if settings.reduce:
                _reduce(out, pool, settings, observer, state)
    except KeyboardInterrupt:
        interrupted = True
    spent = time.monotonic() - started
    about = {
        "seed": state.seed,
        "programs": state.tested,
        "invalid": state.invalid,
        "reasons": sorted(state.reasons.values()),
        "outcomes": dict(state.outcomes),
        "known": {
            signature: {"entry": _shown(state.corpus.first(signature)), "programs": count}
            for signature, count in state.known.items()
        },
        "again": dict(state.again),
        "seconds": round(spent, 1),
        **({} if guided_by is None else {"reached": guided_by.counts()}),
    }
    unlisted = state.tested - state.invalid - state.untested - len(state.found)
    return Report(
        "fuzz",
        tuple(state.found),
        errors=(*state.errors, *_not_tested(state.failed)),
        interrupted=interrupted,
        unlisted=unlisted,
        extra={"fuzz": about},
    )


def _not_tested(failed: Counter[str]) -> Iterator[str]:
    for said, count in failed.most_common():
        yield f"{count} {'program' if count == 1 else 'programs'} could not be tested: {said}"


def _told(outcomes: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in outcomes.most_common()) or "none yet"


def _shown(path: Path | None) -> str | None:
    return None if path is None else shown(path)


def _entries_of(corpus: Path | None) -> store.Known:
    """The failures that a corpus has."""
    try:
        return store.Known() if corpus is None else store.known(corpus)
    except ReproError as error:
        raise SettingsError(f"the corpus cannot be read: {error}") from error


def _numbers(budget: Budget, state: State, started: float) -> Iterator[int]:
    """The programs to test further, as long as there is time."""
    every = itertools.count() if budget.programs is None else range(budget.programs)
    for number in every:
        if budget.seconds is not None and time.monotonic() - started >= budget.seconds:
            return
        if number not in state.done:
            yield number


def _programs(numbers: Iterator[int], state: State) -> Iterator[Wanted]:
    """The programs of these numbers."""
    return (wanted_at(state.seed, number, state.sources) for number in numbers)


def _enough(settings: Settings, state: State) -> Callable[[], bool]:
    return lambda: settings.max_findings is not None and len(groups(state.found)) >= settings.max_findings


def _reduce(out: Path, pool: Pool, settings: Settings, observer: Observer, state: State) -> None:
    """Reduce one program for each distinct finding."""
    found: Sequence[EntryReport] = tuple(state.found)
    for index, entry in reduce_findings(found, out / MINIMAL, pool, settings, observer):
        state.found[index] = entry
        jax.clear_caches()  # what one reduction has compiled is of no use to the next one
