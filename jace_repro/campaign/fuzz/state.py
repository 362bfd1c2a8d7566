"""What is known of a campaign so far, in memory and in its directory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.files import load_repros
from jace_repro.campaign.observer import Observer
from jace_repro.campaign.report import EntryReport, strict
from jace_repro.campaign.settings import Settings, SettingsError, choose_pipelines
from jace_repro.campaign.stored import StoredError, entry_of
from jace_repro.corpus.store import Known
from jace_repro.fuzz.mutants import MOST_EQUATIONS, usable
from jace_repro.repro import Header, Repro, write_file
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

CAMPAIGN, TESTED, PROGRAMS, MINIMAL = "campaign.json", "tested.jsonl", "programs", "minimal"
#: Programs that are kept of those that show a finding; further ones are counted.
MOST_KEPT = 8
#: The repros that a campaign mutates.
SOURCES = "sources"


@dataclass(frozen=True)
class Tested:
    """A program of a campaign that was tested, or could not be made.

    Attributes:
        number, name: of the program.
        outcomes: how many of its verdicts are of each; None where it could not be made.
        why: it could not be made.
        entry: the program with its verdicts, where they are not all "ok".
    """

    number: int
    name: str
    outcomes: Mapping[str, int] | None = None
    why: str = ""
    entry: EntryReport | None = None


@dataclass
class State:
    """What is known of a campaign so far.

    Attributes:
        seed, pipelines: which programs are tested, and on what.
        corpus: the failures that a corpus has.
        sources: the repros that it mutates; none for none.
        guided: whether what its programs reach says what the next ones are made of.
        done: the numbers of the programs that were tested, or could not be made.
        invalid: how many could not be made, with a reason each at most once.
        outcomes: how many verdicts there were of each.
        found: the programs that show something, at most `MOST_KEPT` of a signature.
        kept: how many programs are kept, by signature.
        again: how many further ones there were, by signature.
        known: how many programs show what the corpus has, by signature.
        failed: how many programs could not be tested on a pipeline, by what was said.
        untested: how many of these could not be tested on any; going on with the campaign asks them again.
        errors: what went wrong with the campaign itself.
    """

    seed: int
    pipelines: tuple[str, ...]
    corpus: Known
    sources: tuple[Path, ...] = ()
    guided: bool = False
    done: set[int] = field(default_factory=set)
    invalid: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    found: list[EntryReport] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    again: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    untested: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def tested(self) -> int:
        """How many programs are done with."""
        return len(self.done)

    @property
    def needless(self) -> set[str]:
        """The signatures of which no further program is kept."""
        return {signature for signature, count in self.kept.items() if count >= MOST_KEPT}


def begun(
    out: Path,
    seed: int | None,
    settings: Settings,
    corpus: Known,
    mutate: Sequence[Path] = (),
    *,
    guided: bool = False,
) -> State:
    """The state of the campaign in a directory, which is begun where there is none.

    Args:
        out: the directory.
        seed: of the programs; None for that of the campaign that there is, else 0.
        settings: on what they are tested.
        corpus: where the first entry of each signature of a corpus lies.
        mutate: repros, and directories of some, that a new campaign mutates: it keeps copies.
        guided: whether a new campaign is.
    Raises:
        SettingsError: the directory holds a campaign of other programs, or one of another release; or nothing can be
            mutated.
        OSError: it cannot be written.
    """
    path = out / CAMPAIGN
    if not path.exists():
        kept = _kept(mutate, out / SOURCES)
        state = State(seed or 0, choose_pipelines(settings.pipelines), corpus, kept, guided)
        about = {
            "schema": 1,
            "seed": state.seed,
            "pipelines": list(state.pipelines),
            "guided": guided,
        }
        write_file(path, (json.dumps(about) + "\n").encode())
        return state
    there = json.loads(path.read_text(encoding="utf-8"))
    sources = tuple(sorted((out / SOURCES).glob("*.py")))
    state = State(there["seed"], tuple(there["pipelines"]), corpus, sources, there.get("guided", False))
    if guided and not state.guided:
        raise SettingsError(
            f"{out} holds a campaign without guidance: what guides one is known from its start"
        )
    if mutate:
        raise SettingsError(f"{out} holds a campaign: what it mutates is what it began with")
    if seed not in (None, state.seed) or settings.pipelines not in ((), state.pipelines):
        raise SettingsError(
            f"{out} holds the campaign of seed {state.seed} on {', '.join(state.pipelines)}: "
            "go on with these, or name another directory"
        )
    for line in lines(out / TESTED):
        if _is_untested(line["outcomes"]):
            continue
        state.done.add(line["number"])
        state.invalid += line["outcomes"] is None
        state.outcomes.update(line["outcomes"] or ())
        state.known.update(line.get("known", ()))
        state.again.update(line.get("again", ()))
        state.failed.update(line.get("failed", ()))
        if line["report"] is not None:
            try:
                sort(entry_of(line["report"], out), state)
            except (KeyError, TypeError, AttributeError, StoredError) as error:
                raise SettingsError(f"{out} was written by another release: {error}") from error
    return state


def _kept(mutate: Sequence[Path], folder: Path) -> tuple[Path, ...]:
    """Copies of the repros that can be mutated, in order."""
    if not mutate:
        return ()
    loaded = load_repros(mutate)
    found = []
    for number, repro in enumerate(usable(loaded.repros)):
        assert repro.path is not None
        found.append(save_source(repro, folder / f"{number:05d}-{repro.path.name}"))
    if not found:
        raise SettingsError(
            f"nothing to mutate in {', '.join(map(str, mutate))}: repros of at most {MOST_EQUATIONS} equations with "
            f"inputs are wanted, {len(loaded.repros)} are there"
        )
    return tuple(found)


def save_source(repro: Repro, path: Path) -> Path:
    """Write a copy of a repro that mutants are to be made of, without what it shows: that is about another program."""
    header = Header(repro.header.origin, repro.header.name, repro.header.jax_config)
    replace(repro, header=header).save(path)
    return path


def files_of(repro: Path) -> list[Path]:
    """The file of a repro, and those that belong to it and lie beside it."""
    return list(repro.parent.glob(f"{repro.stem}.*"))


def keep(tested: Tested, out: Path, state: State, observer: Observer) -> None:
    """Note a program that was tested, and write its line of the journal."""
    known: dict[str, Path] = {}
    again = Counter(state.again)
    failed = _failed(tested)
    state.failed.update(failed)
    state.untested += _is_untested(tested.outcomes)
    kept: list[EntryReport] = []
    if tested.outcomes is None:
        state.invalid += 1
        state.reasons.setdefault(tested.why[:40], f"{tested.name}: {tested.why}")
    else:
        state.outcomes.update(tested.outcomes)
    if tested.entry is not None:
        before = len(state.found)
        known = sort(tested.entry, state)
        kept = state.found[before:]
        # a program whose file is gone is told by its name alone
        told = tested.entry if kept else replace(tested.entry, entry=replace(tested.entry.entry, source=""))
        observer.tested(told, ", ".join(f"known: {shown(path)}" for path in known.values()))
    state.done.add(tested.number)
    line = {
        "number": tested.number,
        "program": tested.name,
        "outcomes": tested.outcomes,
        "known": sorted(known),
        "again": sorted(state.again - again),
        "failed": failed,
        "report": strict(kept[0].to_json(out)) if kept else None,
    }
    with (out / TESTED).open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(line))  # a new line even after one that was cut off


def _is_untested(outcomes: Mapping[str, int] | None) -> bool:
    """Whether the harness failed on each pipeline."""
    return {OUTCOMES[name].kind for name in outcomes or ()} == {"harness"}


def _failed(tested: Tested) -> list[str]:
    """What is said of a program that could not be tested, each once."""
    verdicts = () if tested.entry is None else tested.entry.verdicts
    said = (v.detail.strip().partition("\n")[0] for v in verdicts if OUTCOMES[v.outcome].kind == "harness")
    return sorted(set(said))


def sort(entry: EntryReport, state: State) -> dict[str, Path]:
    """Count what the corpus has of what an entry shows, and keep the rest; the entries of the corpus by signature."""

    def known(verdict: Verdict) -> Path | None:
        return state.corpus.entry(verdict.signature, verdict.outcome, verdict.pipeline)

    there = {v.signature: path for v in entry.findings if v.signature and (path := known(v)) is not None}
    state.known.update(list(there))
    rest = replace(entry, verdicts=tuple(v for v in entry.verdicts if known(v) is None))
    shown = signatures(rest)
    if rest.findings and not (shown and shown <= state.needless):
        state.found.append(rest)
        state.kept.update(shown)
    else:
        state.again.update(shown)
        forget(entry)
    return dict(sorted(there.items()))


def signatures(entry: EntryReport) -> set[str]:
    """Those of what an entry shows."""
    return {v.signature for v in entry.findings if v.signature}


def forget(entry: EntryReport) -> None:
    """Remove the repro of a program that shows nothing, with the arrays beside it."""
    assert entry.repro is not None
    for path in files_of(entry.repro):
        path.unlink(missing_ok=True)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The complete lines of the journal; the last one may have been cut off by what ended the campaign."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        yield found
