"""The outcomes of a test, in one table; docs and `--help` are generated from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jace_repro.tester.verdict.culprit import Crash, Culprit, Evidence, number


@dataclass(frozen=True)
class Outcome:
    """One possible result of testing a repro on a pipeline.

    Attributes:
        name: what reports and signatures say.
        meaning: one sentence.
        advice: what the user should do about it.
        is_finding: whether it says that something in jace, DaCe or XLA is wrong.
    """

    name: str
    meaning: str
    advice: str
    is_finding: bool


_TABLE = (
    Outcome(
        "ok",
        "DaCe's outputs equal XLA's, or differ by no more than rounding explains.",
        "Nothing to do.",
        False,
    ),
    Outcome(
        "mismatch",
        "DaCe's outputs are wrong: they differ from XLA's and from a higher-precision evaluation by more "
        "than rounding explains.",
        "Reduce it (jace-repro reduce) and report the repro; the localised equation names the guilty rule.",
        True,
    ),
    Outcome(
        "reference-mismatch",
        "XLA's outputs are wrong: DaCe agrees with a higher-precision evaluation, XLA does not.",
        "Check the jaxlib version (0.10.2 miscompiles on CPU); report the repro to JAX.",
        True,
    ),
    Outcome(
        "ill-conditioned",
        "DaCe and XLA differ visibly, but rounding errors alone can move the program's result as far.",
        "Make the program better conditioned (a near tie, a cancellation) or use a wider dtype.",
        False,
    ),
    Outcome(
        "unsupported",
        "The program contains primitives or parameters that jace has no rule for.",
        "Register a rule (jace.register_rule), or run this function with jax.jit.",
        True,
    ),
    Outcome(
        "translate-error",
        "A translation rule or the planner failed on an equation it claims to support.",
        "A bug of jace or of your own rule: reduce and report it.",
        True,
    ),
    Outcome(
        "invalid-sdfg",
        "The SDFG that was built, or that a pass left behind, does not pass DaCe's validation.",
        "Reduce it and report it; the pipeline says whether jace or a DaCe pass built it.",
        True,
    ),
    Outcome(
        "pass-error",
        "A pass of the pipeline (a DaCe transformation, say) raised an exception.",
        "Report the reduced repro to the owner of the pass; pipeline 'fused' does not use DaCe's passes.",
        True,
    ),
    Outcome(
        "codegen-error",
        "DaCe could not generate C++ from a valid SDFG.",
        "Reduce it and report it to DaCe.",
        True,
    ),
    Outcome(
        "compile-error",
        "The C++ compiler is missing or rejected the generated code.",
        "Run jace-repro doctor; if the compiler works, reduce and report the repro.",
        True,
    ),
    Outcome(
        "crash",
        "The worker process died (a signal) while DaCe's code was built, loaded or run.",
        "Reduce it and report it: generated code writes or reads out of bounds, or a tool is broken.",
        True,
    ),
    Outcome(
        "timeout",
        "A stage of the test did not finish in time.",
        "Raise --timeout if the program is known to be slow; else reduce it: generated code loops for ever.",
        True,
    ),
    Outcome(
        "memory",
        "The worker process exceeded its memory limit and was ended.",
        "Raise the limit if the program needs it; else reduce it: generated code allocates without bound.",
        True,
    ),
    Outcome(
        "nondeterministic",
        "The same binary gave different bits for the same inputs.",
        "Reduce and report it: a race between threads or a read of uninitialised memory.",
        True,
    ),
    Outcome(
        "reference-error",
        "The program fails under plain JAX, so there is nothing to compare with.",
        "Fix the program; run the repro with python to see the error.",
        False,
    ),
    Outcome(
        "harness-error",
        "The tester itself failed, or what it needs: the C++ compiler was killed for lack of memory, say.",
        "Do as the detail of the verdict says; else report it to jace-repro with the repro and the detail.",
        False,
    ),
)

OUTCOMES: Mapping[str, Outcome] = {outcome.name: outcome for outcome in _TABLE}


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
        ran: the proof that DaCe's code ran: of each shared library {"file", "sha256", "calls"}; the number of
            calls is counted by the library's caller in C, for this test only. None when it did not get so far.
        crash: what is known of a crash.
        stage: where the test ended ("reference", "compile", "run", "judge", ...); "done" after a comparison.
        exact: whether the comparison granted nothing: no operation of the program rounds on these inputs, so
            one wrong bit is a mismatch; with generated inputs, whether one of the comparisons did so. None when
            nothing was compared.
        who: whose fault a finding is, a key of `blame.PARTIES`; None for no finding, or when it was not asked.
        evidence: the witnesses that were heard.
        inputs: the generated inputs that it was found on, by name ("exact", "special-2"); None for the recorded ones.
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

    @property
    def is_finding(self) -> bool:
        """Whether this verdict says that something in jace, DaCe or XLA is wrong."""
        return OUTCOMES[self.outcome].is_finding

    @property
    def advice(self) -> str:
        """What the user should do."""
        return OUTCOMES[self.outcome].advice

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
}
