"""The outcomes of a test, in one table: what each means and what the harness does about it.

The README's table is generated from it; reports, exit codes, localisation and reduction ask it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: What an outcome speaks of: nothing that is wrong; something in jace, DaCe or XLA that is (a finding); a failure of
#: the program itself, or of the harness.
Kind = Literal["fine", "finding", "program", "harness"]

#: Candidates that a reduction tests unless the outcome or the user says otherwise.
REDUCE_CALLS = 200


@dataclass(frozen=True)
class Reduction:
    """How failures with an outcome are reduced.

    Attributes:
        max_calls: candidates to test at most; 0: such a failure is left as it is.
        stage: only failures of this stage are reduced; None for those of any.
        seconds: that this stage may take in the test of a candidate, which counts as endless after them; None for the
            timeout of the test.
        why_not: why a failure is left as it is; "{stage}" stands for where it ended.
    """

    max_calls: int = REDUCE_CALLS
    stage: str | None = None
    seconds: float | None = None
    why_not: str = ""


@dataclass(frozen=True)
class Outcome:
    """One possible result of testing a repro on a pipeline.

    Attributes:
        name: what reports and signatures say.
        meaning: one sentence.
        advice: what the user should do about it.
        kind: what it speaks of; decides the exit code.
        noun: what is found, in a sentence; the name where that is a noun.
        title: of a bug report; "{what}" stands for the guilty primitive or the program.
        to_report: whether the advice, once there is a minimal repro, is to report that.
        localizable: whether one equation may be wrong by itself.
        bisectable: whether a pass or a flag of the compiler may be guilty.
        ends_worker: whether the process that tests does not survive it.
        of_reference: whether it is plain JAX that is wrong.
        asked: whether a command or a function of the user's says so, and the tester was not asked.
        reduction: how such a failure is reduced.
    """

    name: str
    meaning: str
    advice: str
    kind: Kind = "finding"
    noun: str = ""
    title: str = ""
    to_report: bool = False
    localizable: bool = False
    bisectable: bool = False
    ends_worker: bool = False
    of_reference: bool = False
    asked: bool = False
    reduction: Reduction = Reduction()

    @property
    def is_finding(self) -> bool:
        """Whether it says that something in jace, DaCe or XLA is wrong."""
        return self.kind == "finding"

    @property
    def with_article(self) -> str:
        """What is found, in a sentence: "a mismatch"."""
        noun = self.noun or self.name
        return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"

    @property
    def ends_plain_jax(self) -> bool:
        """Whether a process that runs the program by plain JAX does not survive it."""
        return self.of_reference and self.ends_worker


_TABLE = (
    Outcome(
        "ok",
        "DaCe's outputs equal XLA's, or differ by no more than rounding explains.",
        "Nothing to do.",
        kind="fine",
    ),
    Outcome(
        "mismatch",
        "DaCe's outputs are wrong: they differ from XLA's and from a higher-precision evaluation by more "
        "than rounding explains.",
        "Reduce it (jace-repro reduce) and report the repro; the localised equation names the guilty rule.",
        title="Wrong result of {what}",
        to_report=True,
        localizable=True,
        bisectable=True,
    ),
    Outcome(
        "reference-mismatch",
        "XLA's outputs are wrong: DaCe agrees with a higher-precision evaluation, XLA does not.",
        "Check the jaxlib version (0.10.2 miscompiles on CPU); report the repro to JAX.",
        title="XLA computes {what} wrongly on CPU",
        of_reference=True,
        localizable=True,
    ),
    Outcome(
        "reference-crash",
        "The worker process died (a signal) while XLA compiled or ran the program, before DaCe had anything to do "
        "with it.",
        "Check the jaxlib version; report the repro to JAX.",
        title="XLA crashes on {what} on CPU",
        of_reference=True,
        ends_worker=True,
    ),
    Outcome(
        "relation-mismatch",
        "Two forms of one program that mean the same (a batch and a loop, forward and backward) do not give the same "
        "under plain JAX.",
        "Check the jaxlib version; report the repro to JAX: a transformation of JAX's is wrong, or XLA.",
        title="Two forms of {what} differ under JAX",
        of_reference=True,
        reduction=Reduction(max_calls=0, why_not="what is cut out of one form would be missing in the other"),
    ),
    Outcome(
        "ill-conditioned",
        "DaCe and XLA differ visibly, but rounding errors alone move the program's result as far, and each of its "
        "equations is right on its own operands.",
        "The outputs say nothing of DaCe: make the program stable (chaos, a near tie) or use a wider dtype.",
        kind="fine",
    ),
    Outcome(
        "unsupported",
        "The program contains primitives or parameters that jace has no rule for.",
        "Register a rule (jace.register_rule), or run this function with jax.jit.",
        noun="unsupported primitive",
        title="{what} is not supported",
    ),
    Outcome(
        "translate-error",
        "A translation rule or the planner failed on an equation it claims to support.",
        "A bug of jace or of your own rule: reduce and report it.",
        title="{what} cannot be translated",
        to_report=True,
    ),
    Outcome(
        "invalid-sdfg",
        "The SDFG that was built, or that a pass left behind, does not pass DaCe's validation.",
        "Reduce it and report it; the pipeline says whether jace or a DaCe pass built it.",
        noun="invalid SDFG",
        title="Invalid SDFG for {what}",
        to_report=True,
        bisectable=True,
    ),
    Outcome(
        "pass-error",
        "A pass of the pipeline (a DaCe transformation, say) raised an exception.",
        "Report the reduced repro to the owner of the pass; pipeline 'fused' does not use DaCe's passes.",
        title="A pass fails on {what}",
        to_report=True,
        bisectable=True,
    ),
    Outcome(
        "codegen-error",
        "DaCe could not generate C++ from a valid SDFG.",
        "Reduce it and report it to DaCe.",
        title="Code generation fails for {what}",
        to_report=True,
        bisectable=True,
    ),
    Outcome(
        "compile-error",
        "The C++ compiler is missing or rejected the generated code.",
        "Run jace-repro doctor; if the compiler works, reduce and report the repro.",
        title="Generated code for {what} does not compile",
        bisectable=True,
    ),
    Outcome(
        "crash",
        "The worker process died (a signal) while DaCe's code was built, loaded or run.",
        "Reduce it and report it: generated code writes or reads out of bounds, or a tool is broken.",
        title="Crash in {what}",
        to_report=True,
        bisectable=True,
        ends_worker=True,
    ),
    Outcome(
        "timeout",
        "A stage of the test did not finish in time.",
        "Raise --timeout if the program is known to be slow; else reduce it: generated code loops for ever.",
        title="{what} does not finish",
        bisectable=True,
        reduction=Reduction(
            stage="run",
            seconds=3.0,  # each of those that show the failure takes all of them
            why_not="stage '{stage}' is slow, which a smaller program always mends",
        ),
        ends_worker=True,
    ),
    Outcome(
        "memory",
        "The worker process exceeded its memory limit and was ended.",
        "Raise the limit if the program needs it; else reduce it: generated code allocates without bound.",
        noun="program that takes all memory",
        title="{what} takes all memory",
        bisectable=True,
        ends_worker=True,
    ),
    Outcome(
        "nondeterministic",
        "The same binary gave different bits for the same inputs.",
        "Reduce and report it: a race between threads or a read of uninitialised memory.",
        noun="result that differs from run to run",
        title="Results of {what} differ from run to run",
        to_report=True,
        localizable=True,
        bisectable=True,
    ),
    Outcome(
        "interesting",
        "The command of `reduce --predicate`, or the function of `jace_repro.reduce`, says that it is.",
        "What it shows is for that command or function to say.",
        title="{what} is interesting",
        asked=True,
    ),
    Outcome(
        "reference-error",
        "The program fails under plain JAX, so there is nothing to compare with.",
        "Fix the program; run the repro with python to see the error.",
        kind="program",
    ),
    Outcome(
        "harness-error",
        "The tester itself failed, or what it needs: the C++ compiler was killed for lack of memory, say.",
        "Do as the detail of the verdict says; else report it to jace-repro with the repro and the detail.",
        kind="harness",
    ),
)

OUTCOMES: Mapping[str, Outcome] = {outcome.name: outcome for outcome in _TABLE}
