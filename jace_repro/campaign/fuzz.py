"""What `jace-repro fuzz` does: programs by seed, tested, what is found reduced; bounded on disk and in memory.

``DIR/campaign.json`` says which programs, ``DIR/tested.jsonl`` has a line for each that was tested, ``DIR/programs/``
the repros of those that show something, ``DIR/minimal/`` a minimal repro of each distinct finding.
"""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.reduction import reduce_findings
from jace_repro.campaign.report import EntryReport, Report, groups, strict
from jace_repro.campaign.settings import Settings, SettingsError, choose_pipelines
from jace_repro.campaign.stored import StoredError, entry_of
from jace_repro.campaign.testing import check_entries, open_pool
from jace_repro.corpus import store
from jace_repro.fuzz import writing
from jace_repro.repro import ReproError, write_file
from jace_repro.repro.entry import Entry
from jace_repro.tester import Pool

CAMPAIGN, TESTED, PROGRAMS, MINIMAL = "campaign.json", "tested.jsonl", "programs", "minimal"
#: Programs that are written at a time, while others are tested.
BATCH = 16


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


@dataclass
class _State:
    """What is known of a campaign so far.

    Attributes:
        seed, pipelines: which programs are tested, and on what.
        corpus: where the first entry of each signature lies that a corpus has.
        done: the numbers of the programs that were tested, or could not be made.
        invalid: how many could not be made, with a reason each at most once.
        outcomes: how many verdicts there were of each.
        found: the programs that show something.
        known: how many programs show what the corpus has, by signature.
    """

    seed: int
    pipelines: tuple[str, ...]
    corpus: Mapping[str, Path]
    done: set[int] = field(default_factory=set)
    invalid: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    found: list[EntryReport] = field(default_factory=list)
    known: Counter[str] = field(default_factory=Counter)

    @property
    def tested(self) -> int:
        """How many programs are done with."""
        return len(self.done)


def fuzz(
    out: Path,
    budget: Budget,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    corpus: Path | None = None,
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
    Raises:
        SettingsError: the directory holds a campaign of other programs, an entry of the corpus cannot be read, or
            nothing can be compiled here.
        OSError: the directory cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    state = _begun(out, budget, settings, _entries_of(corpus))
    settings = replace(settings, pipelines=state.pipelines)
    started, before = time.monotonic(), state.tested
    interrupted = False
    try:
        with open_pool(settings) as pool:
            for batch in _written(out, budget, state, started):
                _test(batch, out, pool, settings, observer, state)
                rate = 60 * (state.tested - before) / (time.monotonic() - started)
                observer.begins(
                    f"{state.tested} programs tested, {rate:.0f} a minute, {_told(state.outcomes)}; "
                    f"{len(groups(state.found))} findings"
                )
                if settings.max_findings is not None and len(groups(state.found)) >= settings.max_findings:
                    break
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
            signature: {"entry": _shown(state.corpus.get(signature)), "programs": count}
            for signature, count in state.known.items()
        },
        "seconds": round(spent, 1),
    }
    unlisted = state.tested - state.invalid - len(state.found)
    return Report(
        "fuzz", tuple(state.found), interrupted=interrupted, unlisted=unlisted, extra={"fuzz": about}
    )


def _told(outcomes: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in outcomes.most_common()) or "none yet"


def _shown(path: Path | None) -> str | None:
    return None if path is None else shown(path)


def _entries_of(corpus: Path | None) -> Mapping[str, Path]:
    """Where the first entry of each signature of a corpus lies."""
    try:
        return {} if corpus is None else store.known(corpus)
    except ReproError as error:
        raise SettingsError(f"the corpus cannot be read: {error}") from error


def _begun(out: Path, budget: Budget, settings: Settings, corpus: Mapping[str, Path]) -> _State:
    """The state of the campaign in a directory, which is begun where there is none."""
    path = out / CAMPAIGN
    if not path.exists():
        state = _State(budget.seed or 0, choose_pipelines(settings.pipelines), corpus)
        about = {"schema": 1, "seed": state.seed, "pipelines": list(state.pipelines)}
        write_file(path, (json.dumps(about) + "\n").encode())
        return state
    there = json.loads(path.read_text(encoding="utf-8"))
    state = _State(there["seed"], tuple(there["pipelines"]), corpus)
    if budget.seed not in (None, state.seed) or settings.pipelines not in ((), state.pipelines):
        raise SettingsError(
            f"{out} holds the campaign of seed {state.seed} on {', '.join(state.pipelines)}: "
            "go on with these, or name another directory"
        )
    for line in _lines(out / TESTED):
        state.done.add(line["number"])
        state.invalid += line["outcomes"] is None
        state.outcomes.update(line["outcomes"] or ())
        state.known.update(line.get("known", ()))
        if line["report"] is not None:
            try:
                _sort(entry_of(line["report"], out), state)
            except (KeyError, TypeError, AttributeError, StoredError) as error:
                raise SettingsError(f"{out} was written by another release: {error}") from error
    return state


def _sort(entry: EntryReport, state: _State) -> list[str]:
    """Count what the corpus has of what an entry shows, and keep the rest; the signatures that it has."""
    known = sorted(state.corpus.keys() & {v.signature for v in entry.findings if v.signature})
    state.known.update(known)
    rest = replace(entry, verdicts=tuple(v for v in entry.verdicts if v.signature not in known))
    if rest.findings:
        state.found.append(rest)
    else:
        _forget(entry)
    return known


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The complete lines of the journal; the last one may have been cut off by what ended the campaign."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        yield found


def _written(out: Path, budget: Budget, state: _State, started: float) -> Iterator[list[writing.Written]]:
    """Further programs, batch by batch, in the order of their numbers."""
    every = itertools.count() if budget.programs is None else range(budget.programs)
    numbers = (number for number in every if number not in state.done)
    with writing.writer(1) as processes:
        waiting: list[Future[list[writing.Written]]] = []
        while budget.seconds is None or time.monotonic() - started < budget.seconds:
            # One batch is written while the one before it is tested.
            while len(waiting) < 2 and (wanted := list(itertools.islice(numbers, BATCH))):
                waiting.append(processes.submit(writing.write, state.seed, wanted, out / PROGRAMS))
            if not waiting:
                return
            yield waiting.pop(0).result()


def _test(
    batch: Sequence[writing.Written],
    out: Path,
    pool: Pool,
    settings: Settings,
    observer: Observer,
    state: _State,
) -> None:
    """Test a batch; what shows nothing leaves nothing but its line in the journal."""
    entries, numbers = [], {one.name: one.number for one in batch}

    def note(name: str, outcomes: Counter[str] | None, known: Sequence[str] = (), report: Any = None) -> None:
        state.done.add(numbers[name])
        line = {
            "number": numbers[name],
            "program": name,
            "outcomes": outcomes,
            "known": known,
            "report": report,
        }
        with (out / TESTED).open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(line))  # a new line even after one that was cut off

    for one in batch:
        if one.path is None:
            state.invalid += 1
            state.reasons.setdefault(one.why[:40], f"{one.name}: {one.why}")
            note(one.name, None)
        else:
            entry = Entry(one.name, source=one.path.as_posix(), equations=one.equations)
            entries.append(EntryReport(entry, repro=one.path))

    def keep(_: int, entry: EntryReport) -> None:
        outcomes = Counter(v.outcome for v in entry.verdicts)
        state.outcomes.update(outcomes)
        before = len(state.found)
        known = _sort(entry, state)
        if set(outcomes) != {"ok"}:
            observer.tested(entry, ", ".join(f"known: {shown(state.corpus[one])}" for one in known))
        kept = state.found[before:]
        note(entry.name, outcomes, known, strict(kept[0].to_json(out)) if kept else None)

    check_entries(entries, pool, settings, keep, observer, blame=False, enough=lambda: False)


def _forget(entry: EntryReport) -> None:
    """Remove the repro of a program that shows nothing, with the arrays beside it."""
    assert entry.repro is not None
    for path in entry.repro.parent.glob(f"{entry.repro.stem}.*"):
        path.unlink(missing_ok=True)


def _reduce(out: Path, pool: Pool, settings: Settings, observer: Observer, state: _State) -> None:
    """Reduce one program for each distinct finding."""
    if not settings.reduce:
        return
    found: Sequence[EntryReport] = tuple(state.found)
    for index, entry in reduce_findings(found, out / MINIMAL, pool, settings, observer):
        state.found[index] = entry
