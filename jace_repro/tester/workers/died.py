"""How a request ended a worker, and the verdict that it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jace import pipelines, user_passes
from jace_repro.tester.verdict.culprit import Crash, Culprit
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict


@dataclass(frozen=True)
class WorkerDied(Exception):
    """How a request ended a worker.

    Attributes:
        outcome: crash, timeout, memory or harness-error.
        cause: the signal's name, the exit code, the limit: what the signature is made of.
        stage: the stage it was in.
        detail: for people.
        provisional: the verdict known so far, if there is one.
        crash: what is known of a crash.
        inputs: the generated inputs that were tested, for `Verdict.inputs`.
        seconds: of the stages that it had been in, by name, the last one included.
        within: the place in a pass of the user's own that was under way; None where none was.
    """

    outcome: str
    cause: str
    stage: str
    detail: str
    provisional: Verdict | None
    crash: Crash | None = None
    inputs: str | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    within: str | None = None

    def __str__(self) -> str:
        return self.detail

    @property
    def ends_all(self) -> bool:
        """Whether no other pipeline would fare better; a verdict that is known so far is of its pipeline alone."""
        shared = self.stage in ("reference", "startup") or self.outcome == "harness-error"
        return shared and self.provisional is None

    def verdict(self, pipeline: str) -> Verdict:
        """The verdict of the pipeline that was being tested."""
        found = self._verdict(pipeline)
        return replace(found, inputs=self.inputs, seconds={**found.seconds, **self.seconds})

    def _verdict(self, pipeline: str) -> Verdict:
        if self.provisional is not None:
            note = f"{self.provisional.detail}; the tester did not finish: {self.detail}"
            return replace(self.provisional, pipeline=pipeline, detail=note)
        if self.stage == "reference" and self.outcome == "crash":
            sign = signature("reference-crash", error=self.cause)
            detail = f"the program crashes under plain JAX: {self.detail}"
            return Verdict(pipeline, "reference-crash", sign, detail, stage=self.stage, who="XLA")
        where = " under plain JAX" if self.stage == "reference" else ""
        verdict = Verdict(pipeline, self.outcome, None, self.detail + where, stage=self.stage)
        if self.outcome == "harness-error":
            return verdict
        if self.within is not None:
            return self._of_pass(verdict)
        sign = signature(self.outcome, stage=self.stage, error=self.cause)
        return with_crash(replace(verdict, signature=sign), self.crash)

    def _of_pass(self, verdict: Verdict) -> Verdict:
        """The verdict where a pass of the user's own was under way, by its name where it is the only one."""
        own = [pipelines.label(s) for s in pipelines.find(verdict.pipeline).dace if user_passes.is_one(s)]
        culprit = Culprit(pass_=own[0] if len(own) == 1 else None)
        sign = signature(self.outcome, guilty_pass=culprit.pass_, stage=self.stage, error=self.cause)
        detail = f"{verdict.detail}; a pass of your own was under way ({self.within})"
        return replace(
            verdict, signature=sign, detail=detail, guilty=culprit, crash=self.crash, who="user pass"
        )


#: A test takes about so many times the memory of a program's arrays: runs to compare, and wider types.
_TIMES = 16


def out_of_memory(
    cause: str, given_mb: int, limit_mb: int, stage: str, detail: str, provisional: Verdict | None
) -> WorkerDied:
    """The end of a worker that took more than it may, or was killed for that.

    Of a program whose own arrays, `given_mb`, are as large as that this says nothing.
    """
    if given_mb * _TIMES < limit_mb:
        return WorkerDied("memory", cause, stage, detail, provisional)
    needed = (
        f"its arrays take {given_mb} MB, and a test about {_TIMES} times that. "
        "With fewer --jobs each worker may take more"
    )
    return WorkerDied("harness-error", cause, stage, f"{detail}: {needed}", provisional)


def with_crash(verdict: Verdict, crash: Crash | None) -> Verdict:
    """The verdict with what is known of its crash; the equation that this names is the guilty one.

    What a sanitizer has seen tells two crashes apart: a bad access of another primitive is another bug.
    """
    if crash is None:
        return verdict
    sign = verdict.signature
    if crash.explained:
        sign = signature(verdict.outcome, primitive=crash.primitive, error=crash.fault)
    return replace(verdict, signature=sign, crash=crash, guilty=crash.culprit or verdict.guilty)
