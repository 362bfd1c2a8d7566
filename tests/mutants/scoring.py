"""Asks the tester about each mutant, one program after the other, until it finds it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jace_repro.tester import Options, Pool, Verdict
from mutants import FAMILIES, Mutant
from mutants.backend import NONE
from mutants.samples import Program

#: A mutant that none of so many programs shows is missed.
PROGRAMS = 48
#: So many of JAX's harnesses that use a primitive are asked before, and with special inputs after, small programs.
HARNESSES = 3
#: Outcomes that find a bug. (What raises before there is a program to run is loud: it needs no tester, and as likely
#: as not the mutant is ill made.
#: A timeout says as much about how busy the machine is.)
FOUND = frozenset({"mismatch", "nondeterministic", "crash", "memory"})
_QUICK = Options(localize=False, ffi_share=0.0, blame=False, remember=True)
_TIMEOUT = 20.0


@dataclass(frozen=True)
class Result:
    """What became of a mutant.

    Attributes:
        outcome: of the verdict that found it; "" for one that was missed, "broken" for one that is none.
        program: that showed it.
        tried: how many programs were tested.
        note: why it was missed or is broken, as far as the verdicts tell.
        alarms: programs that are not right without the mutant either, and so say nothing about it.
    """

    mutant: Mutant
    outcome: str
    program: str
    tried: int
    seconds: float
    note: str = ""
    alarms: tuple[str, ...] = ()

    @property
    def detected(self) -> bool:
        return self.outcome not in ("", "broken")

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        mutant = self.mutant
        return {
            "name": mutant.name, "family": mutant.family, "target": mutant.target, "pipeline": mutant.pipeline,
            "detected": self.detected, "outcome": self.outcome, "program": self.program, "tried": self.tried,
            "seconds": round(self.seconds, 2), "note": self.note, "alarms": list(self.alarms),
        }  # fmt: skip


def candidates(mutant: Mutant, programs: Sequence[Program]) -> list[tuple[str, bool]]:
    """(name, x64) of the programs that may show a mutant, the likeliest first."""
    wanted = [s.removeprefix("small:") for s in mutant.sample if s.startswith("small:") and s != "small:*"]
    small = {p.name.removeprefix("small:"): p for p in programs if p.name.startswith("small:")}
    chosen = [small[name] for name in wanted]
    if "small:*" in mutant.sample:
        chosen += sorted((p for p in small.values() if p not in chosen), key=lambda p: len(p.primitives))
        return [(p.name, p.x64) for p in chosen]
    using = [p for p in programs if set(p.primitives) & set(mutant.sample)]

    def rank(p: Program) -> tuple[bool, int, str]:
        about = any(p.name.startswith(f"harness:{s.replace('-', '_')}") for s in mutant.sample)
        return not about, p.elements, p.name

    harnesses = sorted((p for p in using if p.name.startswith("harness:")), key=rank)[:HARNESSES]
    others = sorted(
        (p for p in using if p.name.startswith("small:") and p not in chosen), key=lambda p: len(p.primitives)
    )
    special = [(f"special{k}:{p.name}", p.x64) for k in (0, 1) for p in harnesses]
    plain = [(p.name, p.x64) for p in (*chosen, *harnesses)]
    rest = [(p.name, p.x64) for p in others]
    return [*plain, *special, *rest, *((f"special1:{name}", x64) for name, x64 in rest)]


class Scorer:
    """Workers with the mutants' backend. Use as a context manager; safe to use from several threads."""

    def __init__(self, programs: Sequence[Program], jobs: int = 1) -> None:
        self.programs = programs
        self.jobs = jobs
        self._clean: dict[tuple[str, str], Verdict] = {}
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def __enter__(self) -> Scorer:
        tests = Path(__file__).parents[1]
        known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(tests), str(tests / "support"), *filter(None, known)])
        # One pool for each mode of JAX. And what -ffast-math links sets a mode of the processor, for good.
        self._pools = {
            kind: self._stack.enter_context(
                Pool(self.jobs, _TIMEOUT, backend="mutants.backend:planted", options=_QUICK)
            )
            for kind in ("x32", "x64", "flags")
        }
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()

    def score(self, mutant: Mutant) -> Result:
        """Test a mutant until it is found."""
        started = time.perf_counter()
        alarms: list[str] = []
        said: dict[str, int] = {}
        tried, loud = 0, ""

        def result(outcome: str, program: str = "", note: str = "") -> Result:
            return Result(mutant, outcome, program, tried, time.perf_counter() - started, note, tuple(alarms))

        for name, x64 in candidates(mutant, self.programs)[:PROGRAMS]:
            tried += 1
            kind = "flags" if mutant.family == "flags" else "x64" if x64 else "x32"
            verdict = self._check(kind, mutant.name, name, x64, mutant.pipeline)
            said[verdict.outcome] = said.get(verdict.outcome, 0) + 1
            if verdict.outcome == "ok":
                continue
            if self.clean(name, x64, mutant.pipeline).outcome != "ok":
                alarms.append(f"{name} {mutant.pipeline}")
                continue
            if verdict.outcome in FOUND:
                return result(verdict.outcome, name, verdict.detail[:200])
            loud = loud or f"{name}: {verdict.outcome}: {verdict.detail[:300]}"
        if tried == 0:
            return result("", note="no program of the sample uses it")
        counted = ", ".join(f"{n} {outcome}" for outcome, n in said.items())
        return result("broken" if loud and "ok" not in said else "", note=f"{counted} {loud}".strip())

    def clean(self, name: str, x64: bool, pipeline: str) -> Verdict:
        """The verdict of a program without a mutant, asked for once."""
        with self._lock:
            known = self._clean.get((name, pipeline))
        if known is None:
            known = self._check("x64" if x64 else "x32", NONE, name, x64, pipeline)
            with self._lock:
                self._clean[name, pipeline] = known
        return known

    def _check(self, kind: str, mutant: str, name: str, x64: bool, pipeline: str) -> Verdict:
        subject = Program(name, 0, (), x64).named
        (verdict,) = self._pools[kind].check(subject, [f"{mutant}|{pipeline}"], explain=False)
        return verdict

    def score_all(self, chosen: Sequence[Mutant], tell: Callable[[Result], None]) -> list[Result]:
        """The results of several, in order; `tell` hears each as soon as it is known."""

        def one(mutant: Mutant) -> Result:
            found = self.score(mutant)
            tell(found)
            return found

        with ThreadPoolExecutor(self.jobs) as threads:
            return list(threads.map(one, chosen))


def table(results: Sequence[Result]) -> Iterator[str]:
    """Lines: a row for each family, then what was missed and why, then what says nothing, then the score."""
    yield f"{'family':12} {'mutants':>8} {'detected':>9} {'missed':>7} {'seconds':>8}"
    for family in (*FAMILIES, "all"):
        rows = [r for r in results if family in (r.mutant.family, "all")]
        if rows:
            hits, spent = sum(r.detected for r in rows), sum(r.seconds for r in rows)
            yield f"{family:12} {len(rows):8} {hits:9} {len(rows) - hits:7} {spent:8.1f}"
    for r in results:
        if not r.detected:
            word = "broken" if r.outcome else "missed"
            yield f"{word}: {r.mutant.name} ({r.mutant.target}), {r.tried} programs: {r.note} {r.program}"
    for alarm in sorted({alarm for r in results for alarm in r.alarms}):
        yield f"not right without a mutant: {alarm}"
    yield f"score: {100 * score(results):.1f}%"


def score(results: Sequence[Result]) -> float:
    """The share of mutants that were found."""
    return sum(r.detected for r in results) / len(results) if results else 0.0
