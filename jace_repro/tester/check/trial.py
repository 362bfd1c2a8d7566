"""One test of one case: build, run, compare, blame; what the pipeline raises becomes an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jax.extend.core import ClosedJaxpr

import jace
from jace import pipelines
from jace.errors import CompileError, JaceError
from jace.ir import count_equations, fingerprint
from jace_repro.tester.check.case import Case, Stages
from jace_repro.tester.check.failures import failed
from jace_repro.tester.check.options import Report
from jace_repro.tester.check.ruling import rule, rule_on_calls, rule_on_raised
from jace_repro.tester.execute import proof, runs, xla
from jace_repro.tester.execute.backends import Backend, Executable
from jace_repro.tester.execute.calls import Call, calls
from jace_repro.tester.execute.runs import Execution
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.numerics.compare import compare
from jace_repro.tester.verdict.blame import (
    EVERYWHERE,
    PLAIN,
    Facts,
    Inquiry,
    decide,
    first_bad_step,
    without_passes,
)
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.users_rule import place_of_users_rule
from jace_repro.tester.verdict.verdict import Verdict

#: Longer programs are not compiled once more for a loop and a batch around them: that takes as long again.
INSIDE_EQUATIONS = 64


def try_case(case: Case) -> Verdict:
    """The verdict of a case. Raises what its report raises."""
    trial = _Trial(case)
    verdict = trial.blamed(trial.verdict())
    case.stages.end()
    seconds = {"xla": case.reference.seconds, **case.stages.seconds}
    return replace(verdict, seconds=seconds, ran=trial.ran)


def ends(
    prog: TracedProgram, pipelines: Sequence[str], backend: Backend, report: Report
) -> Iterator[Verdict]:
    """How a program ends on each pipeline, whatever it computes: "ok" where nothing stops it."""
    for pipeline in pipelines:
        stages = Stages(report)
        try:
            stages.enter("translate")
            executable = backend(prog.closed, pipeline, stages.enter)
            stages.enter("run")
            runs.execute(executable, prog)
            verdict = Verdict(pipeline, "ok", None, "it runs to its end", stage="run")
        except Exception as error:  # each becomes a verdict that carries its text
            verdict = failed(error, pipeline, stages.current)
        stages.end()
        yield replace(verdict, seconds=stages.seconds)


@dataclass
class _Trial:
    """What is found out about a case on the way to its verdict.

    Attributes:
        case: its reference is asked anew where a remembered one is not agreed with.
        execution: the runs, once there are any.
        ran: the libraries that were called, once they were.
    """

    case: Case
    execution: Execution | None = None
    ran: proof.Libraries | None = None

    def verdict(self) -> Verdict:
        """The verdict; exceptions of the pipeline become outcomes."""
        case, stages = self.case, self.case.stages
        try:
            stages.enter("translate")
            executable = case.build()
            stages.enter("run")
            stages.seconds.update(executable.seconds)
            before = proof.loaded(executable)
            execution = self.execution = runs.execute(executable, case.reference.prog)
            called = self._in_other_ways(executable, execution)
            self.ran = proof.calls_between(before, proof.loaded(executable))
        except Exception as error:  # each becomes a verdict that carries its text
            of_plan = not _names_rejected_code(error) or self._is_rejected_without_passes()
            verdict = failed(error, case.pipeline, stages.current, of_plan=of_plan)
            return rule_on_raised(case, verdict)
        if self.ran is not None and not proof.called(self.ran):
            detail = f"not all of the compiled code was called: {self.ran}"
            return Verdict(case.pipeline, "harness-error", None, detail, stage="run")
        stages.enter("compare")
        stages.seconds["run"] = execution.seconds
        self._ask_anew(execution)
        found = rule(self.case, execution, executable)
        idle = executable.idle() if hasattr(executable, "idle") else ()
        found = replace(found, exact=self.case.reference.oracle.rounds_nothing, idle=idle)
        return rule_on_calls(self.case, found, execution, called)

    def _is_rejected_without_passes(self) -> bool:
        """Whether the compiler rejects the program before the first of DaCe's passes, too."""
        plain = without_passes(self.case.pipeline)
        if plain == self.case.pipeline:
            return True
        stage = self.case.stages.current
        try:
            replace(self.case, pipeline=plain).build()
        except JaceError as error:
            return isinstance(error, CompileError)
        finally:
            self.case.stages.enter(stage)
        return False

    def _ask_anew(self, execution: Execution) -> None:
        """Replace a remembered reference that DaCe does not agree with by what XLA says now."""
        known = self.case.reference
        if not known.remembered:
            return
        if not compare(known.outputs, execution.outputs, known.oracle.granted).within_budget:
            now = replace(known, outputs=xla.run_reference(known.prog), remembered=False)
            self.case = replace(self.case, reference=now)

    def _in_other_ways(self, executable: Executable, execution: Execution) -> list[Call]:
        """The outputs of the same code called in other ways, of the programs that are."""
        reference, options = self.case.reference, self.case.options
        several = options.ffi_share > 0 and len(execution.outputs) > 1 and not reference.generated
        if not hasattr(executable, "call_ffi") or not (several or self._is_among(options.ffi_share)):
            return []
        self.case.stages.enter("ffi")
        small = count_equations(reference.prog.closed.jaxpr) <= INSIDE_EQUATIONS
        inside = small and self._is_among(options.inside_share) and not reference.generated
        return list(calls(executable, reference.prog, execution, inside=inside))

    def _is_among(self, share: float) -> bool:
        """Whether the program is of a share of all, chosen by their fingerprints."""
        return int(fingerprint(self.case.reference.prog.closed)[:8], 16) < share * 16**8

    def blamed(self, verdict: Verdict) -> Verdict:
        """The verdict with who is wrong and the evidence, for a finding.

        An ill-conditioned program is to blame itself.
        """
        case, reference = self.case, self.case.reference
        if verdict.outcome in ("ok", "harness-error"):
            return verdict
        verdict = _with_users_rule(verdict, reference.prog.closed)
        if not case.options.blame:
            return replace(verdict, who=decide(Facts(verdict))) if verdict.outcome in PLAIN else verdict
        told = case.told.get(verdict.signature or "")
        if told is not None and told.outcome == verdict.outcome and told.who in EVERYWHERE:
            return replace(verdict, who=told.who, evidence=told.evidence)
        case.stages.enter("blame", verdict)
        inquiry = Inquiry(
            reference.prog,
            reference.oracle,
            case.backend,
            reference.outputs,
            self.execution.outputs if self.execution is not None else None,
            reference_is_wrong=verdict.outcome == "reference-mismatch",
        )
        try:
            facts = inquiry.facts(verdict)
        except Exception as error:  # the finding stands, whoever is to blame
            note = f"{verdict.detail}; not looked into: {type(error).__name__}: {error}"
            return replace(verdict, detail=note)
        rows = [*(verdict.evidence or ()), *inquiry.rows]
        step = first_bad_step(facts)
        if step is not None:
            verdict = replace(
                verdict, guilty=replace(verdict.guilty or Culprit(), pass_=pipelines.label(step))
            )
        return replace(verdict, who=decide(facts), evidence=rows or None)


def _names_rejected_code(error: Exception) -> bool:
    """Whether the compiler rejects code of which it is known what equation it is of."""
    return isinstance(error, CompileError) and error.primitive is not None


def _with_users_rule(verdict: Verdict, closed: ClosedJaxpr) -> Verdict:
    """The verdict that says where the rule of its guilty primitive is, when it is the user's.

    C++ that does not compile names no equation: the one primitive of a program of one is what it is of.
    """
    guilty = verdict.guilty or Culprit()
    if guilty.primitive is None and verdict.outcome in ("compile-error", "codegen-error"):
        translated = jace.translated_primitives(closed)
        guilty = replace(guilty, primitive=translated[0] if len(translated) == 1 else None)
    place = place_of_users_rule(guilty.primitive)
    return verdict if place is None else replace(verdict, guilty=replace(guilty, rule=place))
