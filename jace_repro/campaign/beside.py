"""What else a finding's program shows: its rest, without the equation that is known to be wrong, and parts of it.

A program with two bugs has one verdict, which is that of the first. So once a finding is reduced, its guilty equation
is taken out of the program it was found in (`reducer.rest`). What the rest shows under another signature is an entry
of its own, reduced and reported as any other. So is a part of the program that failed in another way while the finding
was reduced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign.conditions import showing
from jace_repro.campaign.described import primitives
from jace_repro.campaign.files import slug
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.reducer.rest import rest_of
from jace_repro.repro import Repro, load
from jace_repro.tester import OUTCOMES, Pool, Verdict
from jace_repro.tester.verdict.culprit import Culprit

#: An equation that fails where it stands may do so in several places, all one finding: so many are looked beside.
LOOKS = 4


def beside(entry: EntryReport, pool: Pool, settings: Settings, known: Set[str]) -> EntryReport | None:
    """An entry for what the program of a finding shows without what is guilty of it; None when it shows nothing new.

    Its repro lies beside that of `entry`.

    Args:
        entry: with its findings.
        pool: tests the rest.
        settings: those of the pool, which the repro is going to need.
        known: signatures that are no news.
    Raises:
        OSError: the repro cannot be written.
    """
    verdict = entry.findings[0] if entry.findings else None
    path = None if verdict is None else entry.repro_of(verdict)
    if verdict is None or path is None or OUTCOMES[verdict.outcome].ends_plain_jax:
        return None
    guilty, repro = _guilty(verdict) or _of_minimal(entry), load(path)
    how, without = replace(pool.options, blame=False, inputs=0), list[str]()
    for _ in range(LOOKS):
        if guilty is None:
            return None
        without.append(str(guilty.primitive))
        name = f"{entry.name} without {', '.join(dict.fromkeys(without))}"
        rest = rest_of(repro, guilty, name)
        if rest is None:
            return None
        verdicts = pool.check(rest, [v.pipeline for v in entry.verdicts], how)
        failed = [v for v in verdicts if v.is_finding]
        if news := [v for v in failed if v.signature not in known]:
            to = path.with_name(f"{path.stem}.{slug(name.removeprefix(entry.name))}.py")
            showing(rest, news[0].in_user_terms(rest.source), settings).save(to)
            return _entry(entry, rest, to, verdicts)
        guilty, repro = next(filter(None, map(_guilty, failed)), None), rest
    return None


def met(entry: EntryReport, pool: Pool, known: Set[str]) -> Iterator[EntryReport]:
    """An entry for each part of a finding's program that failed in another way, and shows something new."""
    how = replace(pool.options, blame=False, inputs=0)
    for path in entry.met:
        part = load(path)
        verdicts = pool.check(part, [v.pipeline for v in entry.verdicts], how)
        if any(v.is_finding and v.signature not in known for v in verdicts):
            name = f"{entry.name}, part of it"
            part = replace(part, header=replace(part.header, name=name))
            yield replace(_entry(entry, part, path, verdicts), cut=True)


def _guilty(verdict: Verdict) -> Culprit | None:
    """The equation that a verdict names."""
    return verdict.guilty if verdict.guilty is not None and verdict.guilty.primitive else None


def _of_minimal(entry: EntryReport) -> Culprit | None:
    """What can be guilty alone, where the verdict names nothing: the one primitive of the minimal repro."""
    found = list(primitives(load(entry.reduced.repro))) if entry.reduced is not None else []
    return Culprit(primitive=found[0], confirmed=True) if len(found) == 1 else None


def _entry(entry: EntryReport, rest: Repro, path: Path, verdicts: Iterable[Verdict]) -> EntryReport:
    """The entry of what is left of another one's program, whose repro is at `path`."""
    found = primitives(rest)
    made = replace(
        entry.entry,
        name=rest.header.name,
        fingerprint=rest.header.fingerprint,
        eager=False,
        equations=sum(found.values()),
        primitives=found,
    )
    return EntryReport(
        made,
        repro=path,
        repros=(path,),
        verdicts=tuple(v.in_user_terms(rest.source) for v in verdicts),
        processes=entry.processes,
        tests=entry.tests,
        beside=entry.name,
    )
