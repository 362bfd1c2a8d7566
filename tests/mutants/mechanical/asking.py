"""What becomes of one mutant: the programs that reach it are asked until the tester finds it."""

from __future__ import annotations

import json
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutants.mechanical import reach, scope
from mutants.mechanical.edits import Mutation
from mutants.mechanical.overlay import Overlay, overlaid
from mutants.mechanical.reach import Record, Trace
from mutants.mechanical.server import Server

#: Outcomes that find a bug.
SILENT = frozenset({"mismatch", "nondeterministic", "crash", "memory", "timeout"})
#: Outcomes that say nothing of the code that was compiled: the tester saw a difference and did not accuse.
SHRUGS = frozenset({"ill-conditioned", "reference-mismatch"})
#: So many of these are looked into.
MOST_SHRUGS = 4
#: A program that the right jace is through with at once and a mutant is not after so long hangs.
HANGS_SECONDS = 30.0


@dataclass(frozen=True)
class Effort:
    """How far a mutant is looked for.

    Attributes:
        runs: programs that are compiled and run, at most, in each mode of JAX.
        seconds: of CPU, after which no further program is asked.
        alike: of CPU, after which a mutant is given up whose C++ has been that of the right jace so far.
        inputs: sets of generated inputs a program; None for all that can tell something.
    """

    runs: int = 32
    seconds: float = 60.0
    alike: float = 30.0
    inputs: int | None = 2

    @property
    def calls(self) -> int:
        """Programs that are run for a mutant of the call: one program is called much as another."""
        return max(6, self.runs // 4)


QUICK, FULL = Effort(), Effort(runs=10_000, seconds=900.0, alike=900.0, inputs=None)
BRIEF = Effort(runs=12, seconds=15.0, alike=10.0, inputs=0)


@dataclass
class Result:
    """What became of a mutant.

    Attributes:
        outcome: of the verdict that found it, "loud" where jace raises, "" for one that was missed.
        program: that showed it.
        reached: how many programs run through it, or may.
        same: for how many of them jace generates the same C++, or the compiler the same code, as without the mutant.
        ran: how many were compiled and run.
        seconds, wall: that the search took, of CPU in the mutant's workers and on the clock.
        note: what the verdict says; of a missed one the reason, as far as it is known.
    """

    mutation: Mutation
    outcome: str = ""
    program: str = ""
    reached: int = 0
    same: int = 0
    ran: int = 0
    seconds: float = 0.0
    wall: float = 0.0
    note: str = ""
    shrugs: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    @property
    def found(self) -> bool:
        return bool(self.outcome)

    @property
    def reason(self) -> str:
        """Why it was missed; "" for one that was found."""
        if self.found:
            return ""
        if self.reached == 0:
            return "no program reaches it"
        if self.ran == 0 or self.same == self.ran:
            return "same source" if self.same else "not asked in time"
        return "not accused" if self.shrugs else "answers agree"

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            **self.mutation.to_json(), "outcome": self.outcome, "reason": self.reason, "program": self.program,
            "reached": self.reached, "same": self.same, "ran": self.ran,
            "seconds": round(self.seconds, 1), "wall": round(self.wall, 1),
            "note": self.note, "shrugs": self.shrugs, "alarms": self.alarms,
        }  # fmt: skip


class Clean:
    """What the tester says of programs without a mutant; kept in a folder for this state of jace."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "compiled"
        self._path = folder / f"clean-{reach.state()}-{reach.digest(scope.ROOT / 'jace_repro')}.json"
        self._known: dict[str, Any] = json.loads(self._path.read_text()) if self._path.exists() else {}
        self._lock = threading.Lock()

    def ask(
        self,
        asked: Sequence[tuple[Trace, str]],
        ffi: float,
        effort: Effort,
        servers: Callable[[bool], Server],
    ) -> list[Any]:
        """The verdicts ({"outcome", "code"}) of programs, each with its own inputs or others, by name."""
        keys = [f"{name} {trace.subject.key} {ffi} {effort.inputs}" for trace, name in asked]
        with self._lock:
            unknown = [k for k, key in enumerate(keys) if key not in self._known]
        for x64 in (False, True):
            some = [k for k in unknown if asked[k][0].subject.x64 == x64]
            while some:  # one that ends the worker is the first that has no verdict
                found = self._verdicts([asked[k] for k in some], ffi, effort, servers(x64))
                with self._lock:
                    self._known.update(zip((keys[k] for k in some), found, strict=False))
                some = some[len(found) :]
        with self._lock:
            if unknown:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_text(json.dumps(self._known))
            return [self._known[key] for key in keys]

    def _verdicts(
        self, asked: Sequence[tuple[Trace, str]], ffi: float, effort: Effort, server: Server
    ) -> list[dict[str, Any]]:
        """The verdicts of the first programs, up to one that ends the worker."""
        subjects = [{**t.subject.to_json(), "name": name, "variants": [], "source": ""} for t, name in asked]
        found: list[dict[str, Any]] = []
        with tempfile.TemporaryDirectory() as tmp:
            request = {
                "do": "check", "overlay": "", "package": str(scope.PACKAGE), "cache": str(self.cache), "tmp": tmp,
                "subjects": subjects, "runs": len(subjects), "alike": 0.0, "ffi": ffi, "inputs": effort.inputs,
                "watched": "",
            }  # fmt: skip
            for event in server.ask(request, 5 * HANGS_SECONDS):
                if event["event"] == "verdict":
                    found.append({name: event[name] for name in ("outcome", "code")})
                    if event["outcome"] != "ok":
                        server.go_on()
        return found if len(found) == len(subjects) else [*found, {"outcome": "crash", "code": []}]


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
        if (use, x64) not in self._servers:
            server = self._stack.enter_context(Server(x64, self._folder / "xla"))
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
        self.same: set[str] = set()
        self.ran: dict[str, tuple[Trace, list[str]]] = {}
        self.lines: set[int] = set()
        self.shrugs: list[tuple[Trace, str, str]] = []

    def result(self) -> Result:
        found, started = self.found, time.monotonic()
        self.spent = 0.0
        rounds = 2 if self.keys else 1  # what one process has kept is found by the next
        with overlaid(found.mutation, None if self.after else self.clean.cache) as overlay:
            for k in range(rounds):
                self.end = self.effort.seconds * (k + 1) / rounds
                for x64 in (False, True):
                    self._search(overlay, [t for t in self.traces if t.subject.x64 == x64], x64)
        if not found.found:
            self._compare_code()
            some = self.shrugs[:MOST_SHRUGS]
            found.shrugs = [f"{name}: {word}" for trace, name, word in some if self._is_right(trace, name)]
            traced = self.after and found.mutation.file.endswith(".py")
            if traced and self.lines.isdisjoint(found.mutation.lines):
                found.reached = 0
        found.same, found.ran = len(self.same), len(self.ran)
        found.seconds, found.wall = self.spent, time.monotonic() - started
        return found

    def _search(self, overlay: Overlay, traces: Sequence[Trace], x64: bool) -> None:
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
            "tmp": str(overlay.tmp), "runs": self.effort.calls if self.after else self.effort.runs,
            "alike": self.effort.alike, "ffi": self.ffi, "inputs": self.effort.inputs,
            "watched": self.found.mutation.file if self.after else "",
            "subjects": [{**t.subject.to_json(), "source": t.source if self.compares else ""} for t in traces],
        }  # fmt: skip
        trace, name, hung = traces[0], traces[0].subject.name, False
        server = self.asker.mutant(x64)
        before, spent = self.spent, 0.0
        for event in server.ask(request, HANGS_SECONDS):
            spent = event.get("cpu", spent)
            self.spent = before + spent
            if event["event"] in ("same", "begin", "verdict"):
                trace = by_key[event["key"]]
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
                    self.lines |= set(event["lines"])
                case "hung":
                    hung = True
                case "ended" if hung or event["status"] < 0:
                    how = "timeout" if hung else "crash"
                    said = f"after {HANGS_SECONDS:.0f} s" if hung else signal.Signals(-event["status"]).name
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
            self.ran.setdefault(trace.subject.key, (trace, event["code"]))
            return False
        if outcome in SHRUGS:
            self.shrugs.append((trace, name, outcome))
            return False
        if not self._is_right(trace, name):
            self.found.alarms.append(f"{name} {trace.subject.pipeline}")
            return False
        if outcome in SILENT:
            self.found.outcome, self.found.program, self.found.note = outcome, name, event["detail"]
        else:
            self._loud(name, f"{outcome}: {event['detail']}")
        return True

    def _is_right(self, trace: Trace, name: str) -> bool:
        """Whether a program is right without the mutant."""
        (right,) = self.clean.ask([(trace, name)], self.ffi, self.effort, self.asker.right)
        return bool(right["outcome"] == "ok")

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
    folder: Path,
    jobs: int,
    effort: Effort,
    tell: Callable[[Result], None],
) -> list[Result]:
    """The results of several, in order; `tell` hears each as soon as it is known."""
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        free = [stack.enter_context(Asker(folder)) for _ in range(jobs)]

        def one(mutation: Mutation) -> Result:
            asker = free.pop()
            try:
                found = asker.ask(mutation, record, clean, effort)
            finally:
                free.append(asker)
            tell(found)
            return found

        with ThreadPoolExecutor(jobs) as threads:
            return list(threads.map(one, mutations))
