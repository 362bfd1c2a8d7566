"""The machine report: what a command found, as frozen dataclasses and as the JSON of ``--json``.

Paths are held as they are on this machine and written relative to the report's own directory, so that a
directory with its report can be moved. Fields may be added, never renamed.
"""

from __future__ import annotations

import json
import math
import os
import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from jace_repro.campaign import exit_codes
from jace_repro.corpus.states import KNOWN, ReplayState
from jace_repro.reducer import Improvement
from jace_repro.repro import write_file
from jace_repro.repro.entry import Entry
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

SCHEMA = 1


@dataclass(frozen=True)
class ReducedReport:
    """A minimal repro: how large it is, what finding it took, and its own verdict with whose fault it is."""

    repro: Path
    equations: int
    elements: int
    oracle_calls: int
    seconds: float
    #: "fixpoint", or why the search ended early: "budget", "seconds", "interrupt"
    stopped: str = "fixpoint"
    #: the ever smaller programs on the way there
    steps: tuple[Improvement, ...] = ()
    #: that of the minimal repro
    verdict: Verdict | None = None
    #: whether the search for it was that of an earlier run
    earlier: bool = False
    #: so many smaller programs, each a step of a pass from this one, do not show it; None where not all were tried
    refused: int | None = None

    def to_json(self, base: Path) -> dict[str, Any]:
        """As in the report; `base` is the report's directory."""
        return {
            "repro": relative(self.repro, base),
            "equations": self.equations,
            "elements": self.elements,
            "oracle_calls": self.oracle_calls,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "refused": self.refused,
            "earlier": self.earlier,
            "steps": [
                {"test": s.test, "equations": s.equations, "elements": s.elements, "pass": s.pass_name}
                for s in self.steps
            ],
            "verdict": self.verdict.to_json() if self.verdict is not None else None,
        }


@dataclass(frozen=True)
class EntryReport:
    """One entry of a program, or one repro file that was checked.

    `status` says how far the entry got in the program ("completed", "dispatched", "traced", "raised",
    "trace-error"); None for a repro file. `error`, for people, is what went wrong in the program or harness.
    `self_check` says whether the repro replays as it was recorded, `self_check_error` what differs.
    `repros` are all repros of the entry (other inputs, other processes), `repro` the one that the rest is about.
    `processes` are the child processes it comes from, `tests` the pytest tests that called it.
    `call_tree` is the same program as its user wrote it, `call_tree_check` its self-check and `call_tree_error` why
    there is none or what differs. `same_as` names the entry that already has the reduced repro of this entry's
    signature. `with_inputs` are the repros of findings on generated inputs, by the inputs' name. `earlier`: whether the
    verdicts are those of an earlier run. `options` are those that commands need to show the findings of `repro`, by
    pipeline. `beside` names the entry that this one is the rest of, without what is known to be wrong there;
    `looked_beside`: whether there is such a rest was asked. `met` are the repros that failed in other ways while a
    finding was reduced; `cut`: this entry is such a repro, cut out of the one that `beside` names. `replayed`, of an
    entry of a corpus: how they compare with what its header promises (`jace_repro.corpus.states.ReplayState`); one that
    is as expected is no
    finding.
    """

    entry: Entry
    repro: Path | None = None
    self_check: str | None = None
    self_check_error: str | None = None
    verdicts: tuple[Verdict, ...] = ()
    localized: Mapping[str, Any] | None = None
    reduced: ReducedReport | None = None
    status: str | None = None
    calls: int = 1
    error: str | None = None
    same_as: str | None = None
    call_tree: Path | None = None
    call_tree_check: str | None = None
    call_tree_error: str | None = None
    repros: tuple[Path, ...] = ()
    processes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    with_inputs: Mapping[str, Path] = field(default_factory=dict)
    earlier: bool = False
    options: Mapping[str, tuple[str | Path, ...]] = field(default_factory=dict)
    beside: str | None = None
    looked_beside: bool = False
    met: tuple[Path, ...] = ()
    cut: bool = False
    replayed: ReplayState | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.entry.name

    @property
    def title(self) -> str:
        """Its name with its size, when that is known."""
        count = self.entry.equations
        return f"{self.name} ({count} equation{'s' if count > 1 else ''})" if count else self.name

    @property
    def source(self) -> str:
        """Where a person looks for it: see `Entry.place`."""
        return self.entry.place

    @property
    def findings(self) -> tuple[Verdict, ...]:
        """The verdicts that say that something is wrong that is not known to be."""
        return () if self.replayed in KNOWN else tuple(v for v in self.verdicts if v.is_finding)

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """The findings, and how the program fails under plain JAX by itself."""
        return (*self.findings, *(v for v in self.verdicts if OUTCOMES[v.outcome].kind == "program"))

    @property
    def shown_to_raise(self) -> Path | None:
        """The repro, where it is not known to raise something else than the program did."""
        return self.repro if self.self_check in (None, "exact") else None

    def repro_of(self, verdict: Verdict) -> Path | None:
        """The repro that shows a verdict: with the generated inputs that it was found on."""
        return self.with_inputs.get(verdict.inputs or "", self.repro)

    def to_json(self, base: Path) -> dict[str, Any]:
        """The entry as in the report; `base` is the report's directory."""
        return {
            "name": self.name,
            "source": self.source,
            "equations": self.entry.equations,
            "primitives": dict(self.entry.primitives),
            "repro": relative(self.repro, base),
            "self_check": self.self_check,
            "self_check_error": self.self_check_error,
            "verdicts": [v.to_json() for v in self.verdicts],
            "localized": None if self.localized is None else dict(self.localized),
            "reduced": None if self.reduced is None else self.reduced.to_json(base),
            "status": self.status,
            "eager": self.entry.eager,
            "calls": self.calls,
            "error": self.error,
            "same_as": self.same_as,
            "call_tree": relative(self.call_tree, base),
            "call_tree_check": self.call_tree_check,
            "call_tree_error": self.call_tree_error,
            "repros": [relative(path, base) for path in self.repros],
            "processes": list(self.processes),
            "tests": list(self.tests),
            "with_inputs": {name: relative(path, base) for name, path in self.with_inputs.items()},
            "earlier": self.earlier,
            "beside": self.beside,
            "looked_beside": self.looked_beside,
            "met": [relative(path, base) for path in self.met],
            "cut": self.cut,
            "replayed": self.replayed,
        }


@dataclass(frozen=True)
class Group:
    """The entries that show the same finding.

    `verdict` is that of `entry`, which stands for all: the first one that has a minimal repro, else the first one.
    """

    verdict: Verdict
    entry: EntryReport
    entries: tuple[EntryReport, ...]

    def to_json(self, base: Path) -> dict[str, Any]:
        """The group as in the report."""
        reduced = self.entry.reduced
        return {
            "signature": self.verdict.signature,
            "outcome": self.verdict.outcome,
            "who": self.verdict.who,
            "entries": [entry.name for entry in self.entries],
            "repro": relative(reduced.repro if reduced else self.entry.repro_of(self.verdict), base),
        }


def findings(entries: Iterable[EntryReport]) -> tuple[tuple[EntryReport, Verdict], ...]:
    """Every failed verdict with its entry, in order."""
    return tuple((e, v) for e in entries for v in e.findings)


def signatures(entries: Iterable[EntryReport]) -> set[str]:
    """Those of all findings."""
    return {v.signature for _, v in findings(entries) if v.signature}


def finding_key(entry: EntryReport, verdict: Verdict) -> str:
    """The same for the verdicts that are one finding."""
    return verdict.signature or f"{verdict.outcome} {entry.name}"


def groups(entries: Iterable[EntryReport]) -> tuple[Group, ...]:
    """The distinct findings, by signature, in order; one without a signature is of its entry alone.

    Whoever counts findings counts these.
    """
    found: dict[str, list[tuple[EntryReport, Verdict]]] = {}
    for entry, verdict in findings(entries):
        found.setdefault(finding_key(entry, verdict), []).append((entry, verdict))
    distinct = []
    for members in found.values():
        entry, verdict = next((m for m in members if m[0].reduced is not None), members[0])
        showing = [e for i, (e, _) in enumerate(members) if not any(e is m[0] for m in members[:i])]
        distinct.append(Group(verdict, entry, tuple(showing)))
    return tuple(distinct)


@dataclass(frozen=True)
class Report:
    """What one command did.

    `program` is the program's own end ({"command", "exit_code", "error"}) for `run` and `record`; `errors`
    are the harness's own failures. `interrupted` is set when ctrl-C ended the command early, `stopped` when it had
    found as much as was asked for. `left_out` entries were not asked for: `entries` lacks them, and those `unlisted`,
    which were tested and showed nothing, where they are too many to be kept.
    `notes` are what else a person should know. `seconds` says where the time went, by phase.
    """

    command: str
    entries: tuple[EntryReport, ...] = ()
    program: Mapping[str, Any] | None = None
    errors: tuple[str, ...] = ()
    interrupted: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    stopped: bool = False
    left_out: int = 0
    unlisted: int = 0
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def findings(self) -> tuple[tuple[EntryReport, Verdict], ...]:
        """Every failed verdict with its entry, in order."""
        return findings(self.entries)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The distinct findings."""
        return groups(self.entries)

    @property
    def tested(self) -> int:
        """How many entries were tested."""
        return self.unlisted + sum(bool(entry.verdicts) for entry in self.entries)

    @property
    def tested_earlier(self) -> int:
        """How many of them were tested in an earlier run, and not again."""
        return sum(entry.earlier for entry in self.entries)

    @property
    def exit_code(self) -> int:
        """A finding counts most, then a failure of the harness, then one of the program."""
        if self.interrupted:
            return exit_codes.INTERRUPTED
        unknown = [entry for entry in self.entries if entry.replayed not in KNOWN]
        kinds: set[str] = {OUTCOMES[v.outcome].kind for e in unknown for v in e.verdicts}
        if any(entry.replayed == "fixed" for entry in unknown):
            kinds.add("finding")  # a promise that does not hold
        if self.errors:
            kinds.add("harness")
        if self.program is not None and (self.program["exit_code"] != 0 or self.program["error"]):
            kinds.add("program")
        return next((code for kind, code in exit_codes.OF_KIND.items() if kind in kinds), exit_codes.NOTHING)

    def to_json(self, base: Path) -> dict[str, Any]:
        """The whole report; `base` is the directory it will lie in."""
        return {
            "schema": SCHEMA,
            "command": self.command,
            "versions": versions(),
            "entries": [e.to_json(base) for e in self.entries],
            "findings": [group.to_json(base) for group in self.groups],
            "summary": self._summary(),
            **self.extra,
        }

    def _summary(self) -> dict[str, Any]:
        outcomes = Counter(v.outcome for e in self.entries for v in e.verdicts)
        return {
            "exit_code": self.exit_code,
            "entries": len(self.entries),
            "tested": self.tested,
            "tested_earlier": self.tested_earlier,
            "eager": sum(e.entry.eager for e in self.entries),
            "findings": len(self.groups),
            "failed_verdicts": len(self.findings),
            "signatures": sorted(signatures(self.entries)),
            "outcomes": {name: outcomes[name] for name in OUTCOMES if outcomes[name]},
            "compared": sum(v.exact is not None for e in self.entries for v in e.verdicts),
            "compared_exactly": sum(v.exact is True for e in self.entries for v in e.verdicts),
            "program": None if self.program is None else dict(self.program),
            "errors": list(self.errors),
            "interrupted": self.interrupted,
            "stopped": self.stopped,
            "left_out": self.left_out,
            "notes": list(self.notes),
            "seconds": {phase: round(spent, 3) for phase, spent in self.seconds.items()},
        }


def as_text(report: Report, base: Path) -> str:
    """The JSON report; `base` is the directory that it will lie in."""
    return json.dumps(strict(report.to_json(base)), indent=1, allow_nan=False) + "\n"


def write(report: Report, path: Path) -> None:
    """Write the JSON report. Raises OSError, and leaves an earlier one as it was then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, as_text(report, path.parent).encode())


def relative(path: Path | None, base: Path) -> str | None:
    """`path` as seen from the directory `base`, with forward slashes."""
    return None if path is None else Path(os.path.relpath(path, base)).as_posix()


def versions() -> dict[str, str]:
    """The versions that decide what was measured."""
    found = {"python": platform.python_version()}
    for package in ("jace-repro", "jax", "jaxlib", "dace", "numpy", "scipy"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def strict(value: Any) -> Any:
    """`value` with what JSON lacks (infinities, NaN, paths, tuples) written as strings or lists."""
    if isinstance(value, Mapping):
        return {str(k): strict(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [strict(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
