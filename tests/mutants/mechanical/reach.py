"""Which programs run through a line of jace, and in which order they are asked about it."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
import types
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from jace_repro.fuzz.forms import primitive_of
from mutants.mechanical import scope, sources, users
from mutants.mechanical.edits import Mutation
from mutants.mechanical.server import Server
from mutants.mechanical.sources import OPERATIONS, RELATIVES, Subject

#: Programs that are asked first are those that add most to what the ones before them run through, for their price.
DIVERSE = 48
#: A primitive that programs have so many times as often as all others is what they have in common.
MORE_OFTEN = 2.0
#: So many small programs written by hand, which are full of ends and ties, are asked before all others.
BY_HAND = 4
_SILENT_SECONDS = 120.0
_WORD = re.compile(r"\"([\w-]+)\"")
_NAME = re.compile(r"[A-Za-z_]\w+")


@dataclass(frozen=True)
class Trace:
    """What one program does on its way to C++.

    Attributes:
        source: digest of the C++; "" where it is not known, or not one text.
        names: that the C++ mentions, the runtime's own text aside.
        primitives: that the program uses.
        forms: of its equations (`jace_repro.fuzz.forms`).
        calls: what a call has to do with: what goes in, what comes out, what else happens.
        typed: the primitives with the dtypes of their operands and results.
        seconds: from the jaxpr to the C++.
        lines: of jace, by file: of Python that run, of the runtime that there is code of.
    """

    subject: Subject
    source: str
    names: frozenset[str]
    primitives: frozenset[str]
    forms: frozenset[str]
    calls: frozenset[str]
    typed: frozenset[str]
    seconds: float
    lines: Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class Record:
    """What the programs do.

    Attributes:
        traces: by `Subject.key`.
        imported: lines that run when jace is imported, by file.
        order: in which the programs are asked, by `Subject.key`; None for the one that finds most mutants soonest.
    """

    traces: Mapping[str, Trace]
    imported: Mapping[str, frozenset[int]]
    order: Sequence[str] | None = None

    def asked(self, mutation: Mutation) -> list[Trace]:
        """The programs that reach a mutation, those that are asked first in front."""
        if self.order is not None:
            return self._in_order(mutation, self.order)
        if scope.matches(mutation.file, scope.KEYS):
            every = list(self.traces.values())
            alike = [t for t in every if t.subject.maker == RELATIVES]  # in the order in which they are made
            through = self._with(mutation.file, mutation.lines)
            return in_turns(alike, through, families(every), diverse(every, mutation.file))
        reached, first = self._reached(mutation)
        about = self._about(reached)
        front, back = [t for t in reached if first(t)], [t for t in reached if not first(t)]
        return by_hand_first([*diverse(front, mutation.file, about), *diverse(back, mutation.file, about)])

    def _about(self, reached: Sequence[Trace]) -> frozenset[str]:
        """The primitives that these programs have far more often than others: what they run through is about them."""
        every = Counter(p for t in self.traces.values() for p in t.primitives)
        here = Counter(p for t in reached for p in t.primitives)
        often = MORE_OFTEN * len(reached) / max(1, len(self.traces))
        return frozenset(p for p, count in here.items() if count > often * every[p])

    def _in_order(self, mutation: Mutation, order: Sequence[str]) -> list[Trace]:
        if scope.matches(mutation.file, scope.KEYS):
            reached = set(self.traces)
        else:
            reached = {t.subject.key for t in self._reached(mutation)[0]}
        return [self.traces[key] for key in order if key in reached]

    def _reached(self, mutation: Mutation) -> tuple[list[Trace], Callable[[Trace], bool]]:
        """The programs that run through it, or may; and whether one is likely to show it."""
        every = list(self.traces.values())
        if scope.matches(mutation.file, scope.AFTER_GENERATION):
            through = frozenset(mutation.lines)
            return every, lambda trace: not through.isdisjoint(trace.lines.get(mutation.file, ()))
        if not mutation.file.endswith(".py"):
            return self._compiled(mutation)
        for line in mutation.lines:
            if found := self._with(mutation.file, [line]):
                return found, lambda trace: True
        function = self._with(mutation.file, mutation.around)
        if any(line in self.imported.get(mutation.file, ()) for line in mutation.lines):
            if function and mutation.edit.inside:  # its decorator, or what a parameter is by default
                return function, lambda trace: True
        elif mutation.edit.inside:
            has_code = mutation.line in code_lines(mutation.text)
            return [] if has_code else function, lambda trace: True
        words = set(_WORD.findall(f"{mutation.before} {mutation.after}"))
        return every, lambda trace: not words.isdisjoint(trace.primitives)

    def _compiled(self, mutation: Mutation) -> tuple[list[Trace], Callable[[Trace], bool]]:
        """As `_reached`, for a line of the runtime."""
        near = {*_NAME.findall(mutation.before), *users.leading_to(mutation.file, mutation.edit.start)}
        lines: Sequence[int] = mutation.lines
        if "constexpr" in mutation.before:  # decided by the compiler: what the line decides is elsewhere
            lines = mutation.around
        found = self._with(mutation.file, lines)
        # no code is of it: the compiler may compute it, as a table's size
        if not found or not mutation.edit.inside:
            found = [t for t in self.traces.values() if mutation.file in t.lines]
        return found, lambda trace: not trace.names.isdisjoint(near)

    def _with(self, file: str, lines: Iterable[int]) -> list[Trace]:
        """The programs that run through one of these lines."""
        wanted = frozenset(lines)
        return [t for t in self.traces.values() if not wanted.isdisjoint(t.lines.get(file, ()))]


def by_hand_first(traces: Sequence[Trace]) -> list[Trace]:
    """The same traces, the first few of small programs in front."""
    first = [t for t in traces if t.subject.name.startswith("small:") and t.subject.pipeline == "fused"][
        :BY_HAND
    ]
    keys = {t.subject.key for t in first}
    return [*first, *(t for t in traces if t.subject.key not in keys)]


def code_lines(text: str) -> set[int]:
    """The lines of a module that Python has code of: `while True:` is none."""
    found, left = set(), [compile(text, "", "exec")]
    while left:
        code = left.pop()
        found |= {line for _, _, line in code.co_lines() if line is not None}
        left += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return found


def families(traces: Sequence[Trace]) -> list[Trace]:
    """Programs of the same primitives in a row, the largest families first: what a key must tell apart."""
    sizes = Counter(t.primitives for t in traces)
    return sorted(traces, key=lambda t: (-sizes[t.primitives], sorted(t.primitives), t.subject.key))


def in_turns(*orders: Sequence[Trace]) -> list[Trace]:
    """The traces of several orders in turn, each once."""
    found = {}
    for turn in itertools.zip_longest(*orders):
        found.update((t.subject.key, t) for t in turn if t is not None and t.subject.key not in found)
    return list(found.values())


def further(traces: Sequence[Trace], x64: bool) -> list[Trace]:
    """Programs in no sample, of the operations that reach something, one of each in turn; of unknown source."""
    of = {t.subject.operation: t for t in traces if t.subject.operation}
    return [replace(of[s.operation], subject=s, source="") for s in sources.further(of, x64)]


def diverse(traces: Sequence[Trace], file: str, about: Container[str] = ()) -> list[Trace]:
    """The same traces: some cheap ones that have little in common, then the others, the cheapest first.

    Args:
        about: primitives the forms of which make programs differ.
    """
    if not traces:
        return []
    numbers: dict[Any, int] = {}
    rows = [
        [numbers.setdefault(feature, len(numbers)) for feature in _features(trace, file, about)]
        for trace in traces
    ]
    table = np.zeros((len(traces), len(numbers)), np.float32)
    for k, row in enumerate(rows):
        table[k, row] = 1
    price = np.array([0.5 + t.seconds * 10 for t in traces])
    new, order = np.ones(len(numbers), np.float32), []
    left = np.ones(len(traces), bool)
    for _ in range(min(DIVERSE, len(traces))):
        best = int(np.argmax(np.where(left, (table @ new + 1e-3) / price, -1)))
        order.append(best)
        left[best] = False
        new *= 1 - table[best]
    return [traces[k] for k in (*order, *sorted(np.flatnonzero(left), key=lambda k: price[k]))]


def _features(trace: Trace, file: str, about: Container[str]) -> Iterator[Any]:
    """What makes a trace differ from others for a mutant of this file."""
    yield from trace.lines.get(file, ())
    if scope.matches(file, scope.AFTER_GENERATION) and not scope.matches(file, scope.KEYS):
        yield from trace.calls
        return
    yield from trace.typed
    yield from (form for form in trace.forms if primitive_of(form) in about)
    yield from trace.names if not file.endswith(".py") else trace.primitives


# --- making and keeping the record --------------------------------------------------------------------------------


def record(
    subjects: Sequence[Subject],
    folder: Path,
    servers: Sequence[Callable[[bool], Server]],
    tell: Callable[[str], None] = lambda text: None,
) -> Record:
    """What the right jace does with the programs; kept in `folder` for this state of jace and of the programs.

    Args:
        servers: of each mode of JAX; they share the work.
        tell: hears that there is work to do.
    """
    key = hashlib.sha256(repr((state(), [s.to_json() for s in subjects])).encode()).hexdigest()[:24]
    path = folder / f"reach-{key}.json"
    if not path.exists():
        tell(f"recording what {len(subjects)} programs run through, once for this state of jace")
        parts = [(subjects[k :: len(servers)], server) for k, server in enumerate(servers)]
        with ThreadPoolExecutor(len(servers)) as threads:
            asked = threads.map(
                lambda part: [e for x64 in (False, True) for e in _asked(part[0], x64, part[1])], parts
            )
            events = list(itertools.chain.from_iterable(asked))
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(events))
    by_key = {s.key: s for s in subjects}
    traces, imported = {}, {}
    for event in json.loads(path.read_text()):
        lines = {file: frozenset(numbers) for file, numbers in event.get("lines", {}).items()}
        if event["event"] == "imported":
            imported = lines
        elif event["event"] == "reached":
            key, source, seconds = (event[name] for name in ("key", "source", "seconds"))
            sets = (frozenset(event[name]) for name in ("names", "primitives", "forms", "calls", "typed"))
            traces[key] = Trace(by_key[key], source, *sets, seconds=seconds, lines=lines)
    return Record(traces, imported)


def _asked(subjects: Sequence[Subject], x64: bool, servers: Callable[[bool], Server]) -> list[dict[str, Any]]:
    wanted = [s.to_json() for s in subjects if s.x64 == x64]
    events = servers(x64).of_right("reach", wanted, _SILENT_SECONDS) if wanted else []
    return [e for e in events if e["event"] in ("imported", "reached", "refused")]


def digest(*paths: Path) -> str:
    """Digest of the text of files, and of all Python and C++ in folders."""
    h = hashlib.sha256()
    for path in paths:
        inside = [p for p in path.rglob("*") if p.suffix in (".py", ".h", ".cc")] if path.is_dir() else [path]
        for file in sorted(inside):
            h.update(file.name.encode() + b"\0" + file.read_bytes())
    return h.hexdigest()[:24]


@functools.cache
def state() -> str:
    """Digest of jace, of what it is asked with, and of where the programs come from."""
    tests = scope.ROOT / "tests"
    programs = (
        tests / "mutants" / "samples.py",
        tests / "support" / "small_programs.py",
        tests / "support" / "relatives.py",
        tests / "harness" / "sample.txt",
        OPERATIONS,
        scope.ROOT / "jace_repro" / "fuzz",
    )
    return digest(scope.PACKAGE, Path(__file__).with_name("child.py"), *programs)
