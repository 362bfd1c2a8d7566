"""Replaying: whether a repro still does what its header promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jax

from jace_repro.corpus.processor import may_show
from jace_repro.corpus.states import ReplayState
from jace_repro.corpus.store import CorpusEntry
from jace_repro.repro import Header
from jace_repro.tester import Verdict
from jace_repro.tester.verdict.outcomes import OUTCOMES


@dataclass(frozen=True)
class Replay:
    """What a test of a repro gave beside what its header expects.

    Attributes:
        state: how the two compare.
        text: one line for people.
        verdict: what the test gave.
    """

    state: ReplayState
    text: str
    verdict: Verdict


def replayed(entry: CorpusEntry, verdicts: Sequence[Verdict]) -> Replay:
    """How the verdicts on an entry of a corpus compare with what it promises: the worst of them.

    On another pipeline than its own it is expected to be right, unless it is XLA that is wrong.
    """
    found = [
        _own(entry, verdict) if verdict.pipeline == entry.header.pipeline else _elsewhere(entry, verdict)
        for verdict in verdicts
    ]
    order: tuple[ReplayState, ...] = ("another failure", "fixed", "flaky", "as expected")
    return min(found, key=lambda one: order.index(one.state))


def _own(entry: CorpusEntry, verdict: Verdict) -> Replay:
    """On its own pipeline.

    An entry that shows a bug of XLA's and asks for another release of jax than this one may also be right; so is one
    that shows only with instructions for which XLA does not compile here, or only without some that it does.
    """
    header = entry.header
    found = compared(header, [verdict])
    if found is None:  # nothing is expected to fail
        if verdict.outcome == "ok":
            return Replay("as expected", "as its header expects: ok", verdict)
        return Replay("another failure", f"its header expects ok, this is {verdict.outcome}", verdict)
    if verdict.outcome == "ok" and not may_show(header.cpu):
        return Replay("as expected", f"ok on this CPU: it shows on one {_processor(header.cpu)}", verdict)
    if (
        header.outcome is not None
        and OUTCOMES[header.outcome].of_reference
        and verdict.outcome in ("ok", header.outcome)
        and entry.release != jax.__version__
    ):
        return Replay("as expected", f"{verdict.outcome} with another release of jax", verdict)
    return found


def _elsewhere(entry: CorpusEntry, verdict: Verdict) -> Replay:
    """On another pipeline than its own."""
    outcome = entry.header.outcome
    of_xla = outcome is not None and (OUTCOMES[outcome].of_reference or outcome == "reference-error")
    if OUTCOMES[verdict.outcome].kind == "fine" or (of_xla and verdict.outcome == outcome):
        return Replay("as expected", f"{verdict.outcome} on {verdict.pipeline}", verdict)
    text = f"it shows {verdict.outcome}, signature {verdict.signature}, on {verdict.pipeline}"
    return Replay("another failure", text, verdict)


def compared(header: Header, verdicts: Sequence[Verdict]) -> Replay | None:
    """Whether a repro still shows the failure that its header expects.

    None when it expects none, or was not tested on its pipeline.
    """
    if header.outcome is None or header.outcome == "ok" or OUTCOMES[header.outcome].asked:
        return None
    verdict = next((v for v in verdicts if v.pipeline == header.pipeline), None)
    if verdict is None:
        return None
    if verdict.outcome != header.outcome:
        state: ReplayState = "fixed" if verdict.outcome == "ok" else "another failure"
        where = f"{header.pipeline}, on a CPU {_processor(header.cpu)}" if header.cpu else header.pipeline
        text = f"fixed or changed: its header expects {header.outcome} on {where}"
        return Replay(state, text, verdict)
    if header.signature is not None and verdict.signature != header.signature:
        text = (
            f"another failure: its header expects signature {header.signature}, this is {verdict.signature}"
        )
        return Replay("another failure", text, verdict)
    text = f"as its header expects: {header.outcome}, signature {header.signature}"
    return Replay("as expected", text, verdict)


def _processor(cpu: str | None) -> str:
    """What a processor must have, or lack, in words."""
    name = cpu or ""
    return f"without {name[1:]}" if name.startswith("-") else f"with {name}"
