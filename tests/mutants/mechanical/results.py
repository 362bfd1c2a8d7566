"""How far a mutant is looked for, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mutants.mechanical.edits import Kept, Mutation

#: Outcomes that find a bug.
SILENT = frozenset({"mismatch", "nondeterministic", "crash", "memory", "timeout"})
#: Outcomes that say nothing of the code that was compiled: the tester saw a difference and did not accuse.
SHRUGS = frozenset({"ill-conditioned", "reference-mismatch"})


@dataclass(frozen=True)
class Effort:
    """How far a mutant is looked for.

    Attributes:
        runs: programs that are compiled and run, at most, in each mode of JAX.
        seconds: of CPU, after which no further program is asked.
        alike: of CPU, after which a mutant is given up whose C++ has been that of the right jace so far.
        inputs: sets of generated inputs a program; None for all that can tell something.
        further: whether other programs of the operations that reach it are asked.
    """

    runs: int = 96
    seconds: float = 60.0
    alike: float = 30.0
    inputs: int | None = 2
    further: bool = True

    @property
    def calls(self) -> int:
        """Programs that are run for a mutant of the call: one program is called much as another."""
        return max(6, self.runs // 4)


QUICK, FULL = Effort(), Effort(runs=10_000, seconds=900.0, alike=900.0, inputs=None)
BRIEF = Effort(runs=12, seconds=15.0, alike=10.0, inputs=0, further=False)


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
        test: of one that no program shows, the test of jace's own that does.
    """

    mutation: Mutation | Kept
    outcome: str = ""
    program: str = ""
    reached: int = 0
    same: int = 0
    ran: int = 0
    seconds: float = 0.0
    wall: float = 0.0
    note: str = ""
    test: str = ""
    shrugs: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    @property
    def found(self) -> bool:
        return bool(self.outcome)

    @property
    def is_guarded(self) -> bool:
        """Whether a program finds it, or a test."""
        return self.found or bool(self.test)

    @property
    def is_counted(self) -> bool:
        """Whether it changes anything, as far as programs and tests can tell."""
        return self.is_guarded or self.reason != "same source"

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

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Result:
        """Of what `to_json` gives: a missed one has as many programs of each kind as make its reason."""
        counts = {name: value[name] for name in ("reached", "same", "ran", "seconds", "wall")}
        said = {name: value[name] for name in ("outcome", "program", "note", "test", "shrugs", "alarms")}
        return cls(Kept.of_json(value), **counts, **said)

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            **self.mutation.to_json(), "outcome": self.outcome, "reason": self.reason, "program": self.program,
            "reached": self.reached, "same": self.same, "ran": self.ran,
            "seconds": round(self.seconds, 1), "wall": round(self.wall, 1),
            "note": self.note, "test": self.test, "shrugs": self.shrugs, "alarms": self.alarms,
        }  # fmt: skip
