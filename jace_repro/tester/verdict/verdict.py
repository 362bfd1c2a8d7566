"""The verdict: what testing one repro on one pipeline gave, in Python and in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jace_repro.repro.sourcemap import in_user_terms
from jace_repro.tester.numerics.differing import Differing
from jace_repro.tester.verdict.culprit import Crash, Culprit, Evidence, number
from jace_repro.tester.verdict.outcomes import OUTCOMES


@dataclass(frozen=True)
class Verdict:
    """What testing one repro on one pipeline gave.

    Attributes:
        pipeline: "fused", "canonical/simplify", ...
        outcome: a name in `OUTCOMES`.
        signature: equal for two failures that are the same bug; None for an outcome that is no finding.
        detail: for people; may name values, lines and paths.
        max_abs, max_rel, max_ulp: largest differences over all outputs; `max_rel` is relative to each
            output's largest magnitude. None when nothing was compared.
        difference: class of the difference (value, nan, inf, sign-of-zero, shape, dtype, tree), if any.
        seconds: "xla", "translate", "compile", "run", and whatever else was timed.
        guilty: what localisation found, or what an error names.
        ran: the proof that DaCe's code ran: of each shared library {"file", "sha256", "calls", "conditional"}; the
            number of calls is counted by the library's caller in C, for this test only. None when it did not get so
            far.
        crash: what is known of a crash.
        stage: where the test ended ("reference", "compile", "run", "judge", ...); "done" after a comparison.
        exact: whether the comparison granted nothing: no operation of the program rounds on these inputs, so
            one wrong bit is a mismatch; with generated inputs, whether one of the comparisons did so. None when
            nothing was compared.
        who: whose fault a finding is, a key of `blame.PARTIES`; None for no finding, or when it was not asked.
        evidence: the witnesses that were heard.
        inputs: the generated inputs that it was found on, by name ("exact", "special-2"); None for the recorded ones.
        differing: the wrong elements of each output, with what they should be.
        idle: passes of the user's own that found nothing to change in the program.
    """

    pipeline: str
    outcome: str
    signature: str | None = None
    detail: str = ""
    max_abs: float | None = None
    max_rel: float | None = None
    max_ulp: float | None = None
    difference: str | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    guilty: Culprit | None = None
    stage: str = "done"
    exact: bool | None = None
    who: str | None = None
    evidence: Sequence[Evidence] | None = None
    ran: Sequence[Mapping[str, Any]] | None = None
    crash: Crash | None = None
    inputs: str | None = None
    differing: Sequence[Differing] = ()
    idle: Sequence[str] = ()

    @property
    def is_finding(self) -> bool:
        """Whether this verdict says that something in jace, DaCe or XLA is wrong."""
        return OUTCOMES[self.outcome].is_finding

    @property
    def explained(self) -> bool:
        """Whether it is a crash that a sanitizer has seen: then its signature is of that place."""
        return self.crash is not None and self.crash.explained

    @property
    def damages_heap(self) -> bool:
        """Whether a sanitizer has seen it read or write memory that is another's: what comes of that is chance."""
        return self.crash is not None and (self.crash.kind or "").startswith("heap-")

    @property
    def advice(self) -> str:
        """What the user should do."""
        return OUTCOMES[self.outcome].advice

    def noting(self, text: str) -> Verdict:
        """With more to its detail."""
        return replace(self, detail=self.detail + text)

    def in_user_terms(self, script: str) -> Verdict:
        """With lines of the user's program where it names lines of the script that was tested."""
        guilty = None if self.guilty is None else self.guilty.in_user_terms(script)
        crash = None if self.crash is None else self.crash.in_user_terms(script)
        return replace(self, detail=in_user_terms(script, self.detail), guilty=guilty, crash=crash)

    def to_json(self) -> dict[str, Any]:
        """The verdict as the machine report has it; infinities and NaN become strings, so it is strict JSON."""
        return {
            "pipeline": self.pipeline,
            "outcome": self.outcome,
            "signature": self.signature,
            "detail": self.detail,
            "max_abs": number(self.max_abs),
            "max_rel": number(self.max_rel),
            "max_ulp": number(self.max_ulp),
            "difference": self.difference,
            "seconds": {name: round(value, 6) for name, value in self.seconds.items()},
            "guilty": self.guilty.to_json() if self.guilty is not None else None,
            "stage": self.stage,
            "exact": self.exact,
            "who": self.who,
            "evidence": [row.to_json() for row in self.evidence] if self.evidence is not None else None,
            "ran": [dict(library) for library in self.ran] if self.ran is not None else None,
            "crash": self.crash.to_json() if self.crash is not None else None,
            "inputs": self.inputs,
            "differing": [one.to_json() for one in self.differing],
            "idle": list(self.idle),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """The inverse of `to_json`."""
        read = {name: parse(data[name]) for name, parse in _READ.items() if data.get(name) is not None}
        return cls(**{**data, **read})


#: What reads the fields of a verdict that JSON has in another form.
_READ: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("max_abs", "max_rel", "max_ulp"), float),
    "guilty": Culprit.from_json,
    "crash": Crash.from_json,
    "evidence": lambda rows: [Evidence.from_json(row) for row in rows],
    "differing": lambda rows: tuple(Differing.from_json(row) for row in rows),
    "idle": tuple,
}
