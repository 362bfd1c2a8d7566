"""What becomes of one mutant: the programs that reach it are asked until the tester finds it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from mutants.mechanical import scope
from mutants.mechanical.by_tests import TestAsker
from mutants.mechanical.clean import HANGS, Clean
from mutants.mechanical.edits import Mutation
from mutants.mechanical.overlay import Overlay, overlaid
from mutants.mechanical.reach import Record, Trace, further
from mutants.mechanical.results import QUICK, SHRUGS, SILENT, Effort, Result
from mutants.mechanical.server import Server

#: What is said of a program without the mutant that does not accuse jace: XLA may be wrong, elsewhere in its values.
INNOCENT = frozenset({"ok", "reference-mismatch"})
#: So many differences that the tester did not accuse are looked into.
MOST_SHRUGS = 2


class Asker:
    """Servers for mutants and for the right jace. Use as a context manager; for one thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._servers: dict[tuple[str, bool], Server] = {}

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()

    def mutant(self, x64: bool) -> Server:
        return self._server("mutant", x64)

    def right(self, x64: bool) -> Server:
        return self._server("right", x64)

    def _server(self, use: str, x64: bool) -> Server:
        if (use, x64) not in self._servers or self._servers[use, x64].ended:
            server = self._stack.enter_context(Server(x64, self._folder))
            self._servers[use, x64] = server
        return self._servers[use, x64]

    def ask(self, mutation: Mutation, record: Record, clean: Clean, effort: Effort = QUICK) -> Result:
        """Look for a mutant."""
        return _Search(self, mutation, record, clean, effort).result()


class _Search:
    def __init__(
        self, asker: Asker, mutation: Mutation, record: Record, clean: Clean, effort: Effort
    ) -> None:
        self.asker, self.clean, self.effort = asker, clean, effort
        self.traces = record.asked(mutation)
        self.found = Result(mutation, reached=len(self.traces))
        self.after = scope.matches(mutation.file, scope.AFTER_GENERATION)
        self.keys = scope.matches(mutation.file, scope.KEYS)
        self.compares = mutation.file.endswith(".py") and not self.after and not self.keys
        self.ffi = 1.0 if self.after else 0.0
        self.inside = mutation.file.startswith("primitive/")
        self.asked: set[str] = set()
        self.same: set[str] = set()
        self.ran: dict[str, tuple[Trace, list[str]]] = {}
        self.lines: set[int] | None = None  # that ran; None while no worker has come to its end
        self.shrugs: list[tuple[Trace, str, str]] = []

    def result(self) -> Result:
        found, started = self.found, time.monotonic()
        self.spent = 0.0
        rounds = 2 if self.keys else 1  # what one process has kept is found by the next
        with overlaid(found.mutation, None if self.after else self.clean.cache) as overlay:
            for k in range(rounds):
                self.asked.clear()
                # half of the time is for 64 bits: what is rounded to 32 in the end shows less
                for x64, share in ((False, 0.5), (True, 1.0), (False, 1.0)):
                    self.end = self.effort.seconds * (k + share) / rounds
                    self._search(overlay, x64)
            if self.effort.further and not (self.after or self.keys):
                for x64 in (False, True):
                    self._until_found(overlay, further(self.traces, x64), x64)
        if not found.found:
            self._compare_code()
            some = self.shrugs[:MOST_SHRUGS]
            found.shrugs = [f"{name}: {word}" for trace, name, word in some if self._is_right(trace, name)]
            traced = self.after and found.mutation.file.endswith(".py")
            if traced and self.lines is not None and self.lines.isdisjoint(found.mutation.lines):
                found.reached = 0
        found.same, found.ran = len(self.same), len(self.ran)
        found.seconds, found.wall = self.spent, time.monotonic() - started
        return found

    def _search(self, overlay: Overlay, x64: bool) -> None:
        """Ask about the programs of a mode that have not been asked about in this round."""
        left = [t for t in self.traces if t.subject.x64 == x64 and t.subject.key not in self.asked]
        self._until_found(overlay, left, x64)

    def _until_found(self, overlay: Overlay, traces: Sequence[Trace], x64: bool) -> None:
        """Ask about programs until one shows it; a program in which it crashes by right is left out."""
        while traces and not self.found.found and self.spent < self.end:
            at = self._until_it_ends(overlay, traces, x64)
            if at is None:
                return
            traces = traces[[t.subject.key for t in traces].index(at) + 1 :]

    def _until_it_ends(self, overlay: Overlay, traces: Sequence[Trace], x64: bool) -> str | None:
        """The key of the program in which the worker died although nothing was found; None when it is through."""
        by_key = {t.subject.key: t for t in traces}
        request = {
            "do": "check", "overlay": str(overlay.folder), "package": str(scope.PACKAGE), "cache": str(overlay.cache),
            "tmp": str(overlay.tmp), "runs": self.effort.calls if self.after and not self.keys else self.effort.runs,
            "alike": self.effort.alike, "ffi": self.ffi, "inside": self.inside, "inputs": self.effort.inputs,
            "watched": self.found.mutation.file if self.after else "",
            "subjects": [{**t.subject.to_json(), "source": t.source if self.compares else ""} for t in traces],
        }  # fmt: skip
        trace, name, hung = traces[0], traces[0].subject.name, False
        server = self.asker.mutant(x64)
        before, spent = self.spent, 0.0
        for event in server.ask(request, HANGS):
            spent = event.get("cpu", spent)
            self.spent = before + spent
            if event["event"] in ("same", "begin", "verdict"):
                trace = by_key[event["key"]]
                self.asked.add(event["key"])
            match event["event"]:
                case "same":
                    self.same.add(event["key"])
                case "begin":
                    name = event["name"]
                case "verdict":
                    if self._heard(trace, name, event):
                        return None
                    if event["outcome"] != "ok":
                        server.go_on()
                    name = ""
                case "failed":
                    self._loud("", event["detail"].strip().rpartition("\n")[2])
                    return None
                case "lines":
                    self.lines = (self.lines or set()) | set(event["lines"])
                case "hung":
                    hung = True
                case "ended" if hung or event["status"] < 0:
                    how = "timeout" if hung else "crash"
                    said = f"after {HANGS:.0f} s" if hung else signal.Signals(-event["status"]).name
                    self._heard(
                        trace, name or trace.subject.name, {"outcome": how, "detail": said, "code": []}
                    )
                    return trace.subject.key
            if self.spent > self.end:
                return None
        return None

    def _heard(self, trace: Trace, name: str, event: Mapping[str, Any]) -> bool:
        """Whether a verdict finds the mutant."""
        outcome = event["outcome"]
        if outcome == "ok":
            if trace.source:  # else nobody knows whether the C++ is another one than the right jace's
                self.ran.setdefault(trace.subject.key, (trace, event["code"]))
            return False
        if outcome in SHRUGS:
            self.shrugs.append((trace, name, outcome))
            return False
        right = self._without(trace, name)
        if right["outcome"] not in INNOCENT or (outcome == "timeout" and right["seconds"] > HANGS / 4):
            self.found.alarms.append(f"{name} {trace.subject.pipeline}")
            return False
        if outcome in SILENT:
            self.found.outcome, self.found.program, self.found.note = outcome, name, event["detail"]
        else:
            self._loud(name, f"{outcome}: {event['detail']}")
        return True

    def _is_right(self, trace: Trace, name: str) -> bool:
        """Whether a program is right without the mutant."""
        return bool(self._without(trace, name)["outcome"] == "ok")

    def _without(self, trace: Trace, name: str) -> Any:
        """What the tester says of a program without the mutant."""
        (right,) = self.clean.ask([(trace, name)], self.ffi, self.effort, self.asker.right)
        return right

    def _loud(self, name: str, note: str) -> None:
        self.found.outcome, self.found.program, self.found.note = "loud", name, note

    def _compare_code(self) -> None:
        """Of a missed mutant of the runtime: for how many programs the compiler makes the same code."""
        if self.found.mutation.file.endswith(".py") or self.after:
            return
        asked = [(trace, trace.subject.name) for trace, _ in self.ran.values()]
        rights = self.clean.ask(asked, self.ffi, self.effort, self.asker.right)
        for (trace, code), right in zip(self.ran.values(), rights, strict=True):
            if code and code == right["code"]:
                self.same.add(trace.subject.key)


def ask_all(
    mutations: Sequence[Mutation],
    record: Record,
    clean: Clean,
    askers: Sequence[Asker],
    effort: Effort,
    tell: Callable[[Result], None],
    tests: TestAsker | None = None,
) -> list[Result]:
    """The results of several, in order; `tell` hears each as soon as it is known, one at a time.

    Where there are `tests`, they are asked about what no program shows.
    """
    free, telling = list(askers), threading.Lock()

    def one(mutation: Mutation) -> Result:
        asker = free.pop()
        try:
            found = asker.ask(mutation, record, clean, effort)
            if tests is not None and not found.found:
                found.test = tests.failing(mutation)
        finally:
            free.append(asker)
        with telling:
            tell(found)
        return found

    with ThreadPoolExecutor(len(askers)) as threads:
        return list(threads.map(one, mutations))
