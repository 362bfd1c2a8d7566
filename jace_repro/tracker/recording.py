"""The recording of a program: plain data, no JAX needed to read it.

:func:`load` rebuilds a :class:`Recording` from its ``journal.jsonl`` even when the program died half way through a
line.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from jace_repro.repro.entry import Entry
from jace_repro.tracker.journal import CHILDREN, JOURNAL, LOST
from jace_repro.tracker.lastcall import read as read_last_call

#: Where recordings go when nobody says where.
OUT_ROOT = Path("jace-repro-out")

TargetKind = Literal["path", "module", "pytest", "cell"]
Status = Literal["tracing", "traced", "dispatched", "completed", "raised", "trace-error"]


@dataclass(frozen=True)
class Target:
    """A program to record: ``python VALUE ARGV...``, ``python -m VALUE ARGV...`` or ``pytest ARGV...``.

    ``value`` is unused (and may be empty) for ``pytest``. A cell of a notebook is called ``value``.
    """

    kind: TargetKind
    value: str = ""
    argv: tuple[str, ...] = ()

    def describe(self) -> str:
        """The command line a person would type."""
        if self.kind == "cell":
            return self.value
        head = {"path": [self.value], "module": ["-m", self.value], "pytest": ["-m", "pytest"]}[self.kind]
        return " ".join(["python", *head, *self.argv])


@dataclass(frozen=True)
class RecordedEntry:
    """One distinct top-level traced entry of the program, and what became of it.

    ``status`` says how far it got when the journal ends: ``tracing`` (the process died in the Python code that
    JAX was tracing: there is no repro), ``traced`` (its repro is on disk, XLA was compiling it), ``dispatched``
    (compiled, running), ``completed``, ``raised`` (compiling or running it raised: ``error``), ``trace-error``
    (tracing it raised: ``error``).
    ``repro`` is relative to the recording's directory; ``None`` when it could not be written (``note``).
    ``further_repros`` are the same entry with the inputs of later calls; ``status`` is then that of the latest
    call that was recorded.
    ``process`` names the directory in ``children/`` of the process that the entry comes from: its number; "" for
    the recorded program itself.  ``tests`` are the pytest tests that called it, in order.
    ``calltree`` is the same program as its user wrote it, relative to the recording's directory; None for JAX's own
    operations, and where it could not be written (``calltree_note``).
    """

    entry: Entry
    id: str
    status: Status
    calls: int = 1
    repro: Path | None = None
    outputs_sha256: str | None = None
    error: str | None = None
    note: str | None = None
    further_repros: tuple[Path, ...] = ()
    process: str = ""
    tests: tuple[str, ...] = ()
    calltree: Path | None = None
    calltree_note: str | None = None

    @property
    def repros(self) -> tuple[Path, ...]:
        """All repros of the entry, that of its first call first."""
        return () if self.repro is None else (self.repro, *self.further_repros)


@dataclass(frozen=True)
class Recording:
    """A recorded program with the processes it started.  ``exit_code`` is ``None`` while it runs or when it is unknown.

    ``exit_code`` follows :mod:`subprocess`: negative for a signal.  ``error`` is one line about why the
    program did not end well (uncaught exception, signal, timeout), ``None`` when it did.
    ``tracker_errors`` are the things the tracker could not record, with the reason.
    ``entries`` includes those of ``children``, with the process in front of their ids ("4711.e0001") and the
    paths of their repros relative to ``directory``.
    ``asked`` is what the program asked jace for, (what, name, the user's line) each: pipelines and rules of its own.
    ``lost`` are the processes whose journal lacks something, because it could not be written.
    ``last_call`` is the id of the entry that was called last and the number of that call, where the process did not
    come to a clean end.
    """

    directory: Path
    entries: tuple[RecordedEntry, ...]
    exit_code: int | None = None
    error: str | None = None
    tracker_errors: tuple[str, ...] = ()
    header: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[Recording, ...] = ()
    asked: tuple[tuple[str, str, str], ...] = ()
    lost: tuple[str, ...] = ()
    last_call: tuple[str, int] | None = None

    def entry(self, key: str) -> RecordedEntry:
        """The entry with that id, else the first that is not eager with that name, else with that name.

        Raises KeyError.
        """
        named = [e for e in self.entries if e.entry.name == key]
        found = [e for e in self.entries if e.id == key] + sorted(named, key=lambda e: e.entry.eager)
        if not found:
            raise KeyError(f"no entry {key!r}; recorded: {', '.join(e.entry.name for e in self.entries)}")
        return found[0]

    def path(self, entry: RecordedEntry) -> Path:
        """Where the repro file of an entry lies.  Raises ValueError when it has none."""
        if entry.repro is None:
            raise ValueError(f"entry {entry.id} ({entry.entry.name}) has no repro: {entry.note}")
        return self.directory / entry.repro


def unused_directory(stem: str) -> Path:
    """The first of OUT_ROOT/STEM, OUT_ROOT/STEM-2, ... that does not exist."""
    names = itertools.chain([stem], (f"{stem}-{n}" for n in itertools.count(2)))
    return next(path for path in (OUT_ROOT / name for name in names) if not path.exists())


def load(directory: Path, *, exit_code: int | None = None, error: str | None = None) -> Recording:
    """Rebuild a recording from ``directory/journal.jsonl`` and the journals in ``directory/children``.

    A truncated line is ignored. ``exit_code`` and ``error``, when given, win over what the journal says: the
    parent knows better. Raises FileNotFoundError when there is no journal.
    """
    own = _load_one(directory, exit_code, error)
    found = [_load_one(path.parent, None, None) for path in directory.glob(f"{CHILDREN}/*/{JOURNAL}")]
    children = tuple(sorted(found, key=lambda child: child.header.get("time", 0.0)))
    return replace(
        own,
        entries=(*own.entries, *(_of_child(entry, c) for c in children for entry in c.entries)),
        tracker_errors=(
            *own.tracker_errors,
            *(f"process {c.directory.name}: {reason}" for c in children for reason in c.tracker_errors),
        ),
        children=children,
        asked=tuple(dict.fromkeys(one for process in (own, *children) for one in process.asked)),
        lost=tuple(name for one in (own, *children) for name in one.lost),
    )


def _of_child(entry: RecordedEntry, child: Recording) -> RecordedEntry:
    """An entry as the recording of the whole program has it."""
    name = child.directory.name
    base = Path(CHILDREN, name)
    return replace(
        entry,
        id=f"{name}.{entry.id}",
        repro=None if entry.repro is None else base / entry.repro,
        further_repros=tuple(base / path for path in entry.further_repros),
        calltree=None if entry.calltree is None else base / entry.calltree,
        process=name,
    )


def _load_one(directory: Path, exit_code: int | None, error: str | None) -> Recording:
    """What one journal says."""
    entries: dict[str, RecordedEntry] = {}
    header: dict[str, Any] = {}
    tracing: dict[str, Mapping[str, Any]] = {}
    problems: list[str] = []
    asked: list[tuple[str, str, str]] = []
    last_error: str | None = None
    for event in _events(directory / JOURNAL):
        kind = event.get("event")
        if kind == "start":
            header |= {k: v for k, v in event.items() if k not in ("event", "t")}
        elif kind == "tracing":
            tracing[event.get("thread", "")] = event
        elif kind == "tracing-done":
            tracing.pop(event["thread"], None)
        elif kind == "traced":
            entries[event["id"]] = _entry(event)
        elif kind in _UPDATES and event["id"] in entries:
            entries[event["id"]] = replace(
                entries[event["id"]], **_UPDATES[kind](event, entries[event["id"]])
            )
        elif kind == "calls":
            for key, count in event["counts"].items():
                if key in entries:
                    entries[key] = replace(entries[key], calls=count)
        elif kind == "asked":
            asked.append((event["what"], event["name"], event["place"]))
        elif kind == "tracker-error":
            problems.append(event["reason"])
        elif kind == "exception":
            last_error = f"{event['type']}: {event['message']}".strip().partition("\n")[0]
        elif kind == "exit":
            tracing.clear()
            exit_code = event["code"] if exit_code is None else exit_code
    last = read_last_call(directory)
    last_call = None if last is None else (f"e{last[0]:04d}", last[1])
    if last_call is not None and last_call[0] in entries:
        entry = entries[last_call[0]]
        entries[entry.id] = replace(entry, calls=max(entry.calls, last_call[1]))
    return Recording(
        directory=directory,
        last_call=last_call,
        entries=(*entries.values(), *(_died_in(event, n) for n, event in enumerate(tracing.values(), 1))),
        exit_code=exit_code,
        error=error or last_error,
        tracker_errors=tuple(problems),
        asked=tuple(asked),
        lost=(_who(header),) if (directory / LOST).exists() else (),
        header=header,
    )


_UPDATES: dict[str, Any] = {
    "repro": lambda e, old: (
        {"further_repros": (*old.further_repros, Path(e["repro"])), **_reached("traced", old)}
        if "input" in e
        else {"repro": Path(e["repro"])}
    ),
    "dispatched": lambda e, old: _reached("dispatched", old),
    "completed": lambda e, old: {
        **_reached("completed", old),
        **({} if "input" in e else {"outputs_sha256": e.get("outputs_sha256")}),
    },
    "raised": lambda e, old: {"status": "raised", "error": e["error"]},
    "note": lambda e, old: {"note": e["note"]},
    "calltree": lambda e, old: {
        "calltree": Path(e["repro"]) if "repro" in e else None,
        "calltree_note": e.get("reason"),
    },
    "test": lambda e, old: {"tests": tuple(dict.fromkeys((*old.tests, e["test"])))},
}


def _reached(status: Status, old: RecordedEntry) -> dict[str, Any]:
    """How far a recorded call got; what raised once stays raised."""
    return {} if old.status == "raised" else {"status": status}


def _entry(event: Mapping[str, Any]) -> RecordedEntry:
    repro = event.get("repro")
    return RecordedEntry(
        entry=Entry.of_event(event),
        id=event["id"],
        status=event.get("status", "traced"),
        calls=event.get("calls", 1),
        repro=None if repro is None else Path(repro),
        error=event.get("error"),
        note=event.get("note"),
        tests=(event["test"],) if "test" in event else (),
    )


def _died_in(event: Mapping[str, Any], number: int) -> RecordedEntry:
    """The entry of a trace that never ended."""
    return RecordedEntry(
        entry=Entry.of_event(event),
        id=f"t{number:04d}",
        status="tracing",
        note="the process ended in the Python code that JAX was tracing: there is no repro",
    )


def _who(header: Mapping[str, Any]) -> str:
    """The process of a journal, for a person."""
    return f"process {header['pid']}" if "parent" in header else "the program"


def _events(journal: Path) -> list[dict[str, Any]]:
    """The complete lines of a journal; whatever follows the last good line was being written at death."""
    events = []
    for line in journal.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event:
            events.append(event)
    return events
