"""The verdict on an execution: equal, explained by rounding, or wrong; and then who is wrong, DaCe or XLA."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jace.pipelines import on_gpu
from jace_repro.tester.check import excuses, guilt
from jace_repro.tester.check.case import Case, measured
from jace_repro.tester.check.reference import judged
from jace_repro.tester.execute import stability
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.calls import Call
from jace_repro.tester.execute.runs import Execution
from jace_repro.tester.execute.stability import Repeated
from jace_repro.tester.execute.traced import calls_out
from jace_repro.tester.numerics import closely
from jace_repro.tester.numerics.compare import Comparison, bits_equal, compare
from jace_repro.tester.numerics.errormodel import Budget, is_inexact
from jace_repro.tester.numerics.noise import limits_of
from jace_repro.tester.verdict.culprit import Culprit, Evidence
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict

_Array = np.ndarray[Any, Any]


def rule(case: Case, execution: Execution, executable: Executable) -> Verdict:
    """The verdict on the runs of a program, compared with XLA's outputs and with each other."""
    granted = case.reference.oracle.granted
    for outputs in (execution.outputs, *execution.others):
        found = compare(case.reference.outputs, outputs, granted)
        if found.structural:
            break
    else:
        unstable = stability.unstable(
            executable,
            case.reference.prog,
            execution,
            lambda one, other: agree(case, one, other),
            on_gpu=on_gpu(case.pipeline),
        )
        if unstable is not None:
            return _nondeterministic(case, execution, unstable)
        found = compare(case.reference.outputs, execution.outputs, granted)
    if (written := execution.overwritten) is not None:
        return guilt.mismatch(case, found, written.kind, written.what, execution.outputs)
    if found.within_budget:
        detail = "" if found.bits_equal else "within rounding"
        return measured(found, Verdict(case.pipeline, "ok", None, detail))
    if found.structural:
        return guilt.mismatch(case, found, found.kind or "", str(found), execution.outputs)
    return _judged(case, found, execution)


def rule_on_calls(case: Case, verdict: Verdict, execution: Execution, called: Iterable[Call]) -> Verdict:
    """The verdict once it is known what the code gives when it is called in other ways than directly.

    The bits are to be the same, so that nothing is taken back for a program that is ill-conditioned.
    """
    if verdict.outcome not in ("ok", "ill-conditioned"):
        return verdict
    for call in called:
        if len(call.got) == len(call.expected) and all(map(bits_equal, call.expected, call.got)):
            continue  # nearly all, of hundreds: nothing is measured
        found = compare(call.expected, call.got, _exact(call.expected))
        if found.within_budget or _explained_by_rounding(case, execution, call):
            continue
        sign = signature("mismatch", primitive="ffi-call", difference=found.kind)
        than = "XLA says" if call.derived is not None else "called directly"
        detail = f"called {call.way} the program gives something else than {than}: {found}"
        wrong = replace(verdict, outcome="mismatch", signature=sign, detail=detail, stage="ffi")
        wrong = replace(wrong, difference=found.kind, guilty=Culprit(note=f"the call {call.way}"))
        return measured(found, wrong)
    return verdict


def rule_on_raised(case: Case, raised: Verdict) -> Verdict:
    """The verdict on what a pipeline raised: that of the values, where a callback raised for those it was given.

    A recorded callback has an answer for values like those that it was recorded for.
    """
    if raised.outcome != "crash" or not calls_out(case.reference.prog.closed):
        return raised
    wrong = guilt.mismatch_before_a_call(case, raised) if case.options.localize else None
    if wrong is not None:
        return wrong
    case.stages.enter("judge", raised)  # what XLA takes is not the time of DaCe's run
    if not excuses.raises_without_optimisation(case.reference):
        return raised
    detail = f"{guilt.last_line(raised)}; so it does in JAX where XLA does not optimise"
    return Verdict(case.pipeline, "ill-conditioned", None, detail, stage="run")


def _explained_by_rounding(case: Case, execution: Execution, call: Call) -> bool:
    """Whether rounding may move what a call gives, as in a sum among threads or in a batch, and explains it."""
    if call.derived is not None:
        return not _is_wrong(replace(case, reference=judged(call.derived, call.expected)), call.got)
    if call.rounds:
        return not _is_wrong(case, call.got)
    return bool(execution.differing) and agree(case, call.expected, call.got)


def _is_wrong(case: Case, outputs: Sequence[_Array]) -> bool:
    """Whether outputs are wrong, and not as XLA's are."""
    reference, oracle = case.reference, case.reference.oracle
    if compare(reference.outputs, outputs, oracle.granted).within_budget:
        return False
    case.stages.enter("judge")
    try:
        return oracle.assess(outputs, reference.outputs).wrong and not oracle.alike(
            outputs, reference.outputs
        )
    except Exception:  # an oracle that cannot speak convicts nobody
        return False


def _nondeterministic(case: Case, execution: Execution, repeated: Repeated) -> Verdict:
    """The verdict of runs that differ."""
    between = compare(execution.outputs, execution.differing[-1], _exact(execution.outputs))
    cause = stability.CAUSES[repeated.cause]
    verdict = Verdict(
        case.pipeline,
        "nondeterministic",
        signature("nondeterministic"),
        f"two runs of the same binary on the same inputs differ: {cause}: {between}",
        difference=between.kind,
        evidence=[Evidence(name, agrees_with_dace=same) for name, same in repeated.same.items()],
    )
    # What reads garbage is wrong in one run or another, and its equation is often wrong alone. (The signature does
    # without: the next run may not show it.)
    located = guilt.with_culprit(
        case, measured(between, verdict), between.kind or "", lambda: guilt.in_dace(case, None)
    )
    return replace(located, signature=verdict.signature, difference=verdict.difference)


def _judged(case: Case, found: Comparison, execution: Execution) -> Verdict:
    """The verdict on a difference that is beyond the budgets: the oracle says who is wrong."""
    reference, oracle = case.reference, case.reference.oracle
    suspicion = Verdict(
        case.pipeline,
        "mismatch",
        signature("mismatch", difference=found.kind),
        f"{found}; the higher-precision evaluation did not finish",
        difference=found.kind,
        stage="judge",
    )
    case.stages.enter("judge", measured(found, suspicion))
    try:
        of_dace = oracle.assess(execution.outputs, reference.outputs)
        of_xla = oracle.assess(reference.outputs, execution.outputs)
    except Exception as error:  # an oracle that cannot speak leaves the word to who can, and says so
        return _without_oracle(case, found, execution, error)
    # of outputs that each has within its bound of the centre the two may be further apart than that
    off = [difference.output for difference in of_dace.differences]
    if of_dace.wrong and of_xla.wrong and oracle.agree(execution.outputs, reference.outputs, off):
        detail = f"DaCe and XLA agree with each other, not with the higher-precision result: {of_dace}"
        return _fine(case, found, detail)
    if reference.generated and excuses.is_small(reference, of_dace if of_dace.wrong else of_xla, found):
        return _explained(case, found, execution)
    if of_dace.wrong and of_xla.wrong and oracle.alike(execution.outputs, reference.outputs):
        detail = f"{found}; both are as far from the higher-precision result: {of_dace}; XLA: {of_xla}"
        return _unstable(case, found, detail, execution)
    if of_dace.wrong and excuses.another_is_as_far(reference, execution.outputs):
        detail = f"{found}; XLA without optimisation is as far from the higher-precision result: {of_dace}"
        return _unstable(case, found, detail, execution)
    if of_dace.wrong and (acquitted := _acquitted(case, found, execution)) is not None:
        return acquitted
    if of_dace.wrong:
        also = "; XLA is off as well" if of_xla.wrong else ""
        return guilt.mismatch(case, found, of_dace.kind or "value", f"{found}{also}", execution.outputs)
    if of_xla.wrong and reference.generated and excuses.is_rearranged(reference, of_xla):
        detail = (
            f"XLA rearranges what is infinite or NaN; equation by equation JAX agrees with DaCe: {of_xla}"
        )
        return _fine(case, found, detail)
    if of_xla.wrong and excuses.keeps_subnormals(reference, of_xla):
        return _fine(case, found, f"DaCe takes subnormal numbers for zeros here, XLA does not: {of_xla}")
    if of_xla.wrong and excuses.is_read_otherwise(reference):
        return guilt.misread(case, found, of_xla.kind or "value")
    if of_xla.wrong:
        exactly = "exact" if oracle.rounds_nothing else "higher-precision"
        detail = f"XLA: {of_xla}; DaCe agrees with the {exactly} evaluation"
        return guilt.reference_mismatch(case, found, of_xla.kind or "value", detail, execution.outputs)
    return _explained(case, found, execution)


def _acquitted(case: Case, found: Comparison, execution: Execution) -> Verdict | None:
    """The verdict on XLA where DaCe has a function as it is; None where that is not known."""
    prog = case.reference.prog
    if not closely.acquits(prog.plain, prog.flat, execution.outputs, case.reference.outputs):
        return None
    detail = (
        f"XLA: {found}; where they differ, DaCe has the function as it is computed to any number of digits"
    )
    return guilt.reference_mismatch(case, found, found.kind or "value", detail, execution.outputs)


def _without_oracle(case: Case, found: Comparison, execution: Execution, error: Exception) -> Verdict:
    """The verdict where the oracle cannot speak: XLA's word, unless JAX and unoptimized XLA are both against it.

    XLA's word is that of one execution, which rounds as well: what leaves half of the digits as they are says that the
    judge failed, and nothing of DaCe.
    """
    kind = found.kind or "value"
    why = f"no higher-precision evaluation ({type(error).__name__}: {error})"
    if excuses.xla_stands_alone(case.reference, execution.outputs):
        detail = f"{found}; {why}, but JAX equation by equation and unoptimized XLA agree with DaCe"
        return guilt.reference_mismatch(case, found, kind, detail, execution.outputs)
    if kind == "value" and found.max_rel <= _half_of_the_digits(execution.outputs):
        detail = f"the judge failed, and rounding may explain the difference: {found}; {why}"
        return measured(found, Verdict(case.pipeline, "harness-error", None, detail, stage="judge"))
    return guilt.mismatch(case, found, kind, f"{found}; {why}", execution.outputs)


def _half_of_the_digits(outputs: Sequence[_Array]) -> float:
    """The square root of the spacing of the numbers of the outputs, of the most precise of them; 0 for none."""
    found = [float(limits_of(out.dtype).eps) for out in outputs if is_inexact(out.dtype)]
    return min(found, default=0.0) ** 0.5


def _fine(case: Case, found: Comparison, detail: str) -> Verdict:
    """The verdict of a difference that says nothing of DaCe."""
    return measured(found, Verdict(case.pipeline, "ok", None, detail, difference=found.kind))


def _explained(case: Case, found: Comparison, execution: Execution) -> Verdict:
    """Both are right within rounding: equal, or too ill-conditioned to say more; unless an equation is off."""
    off = _closely(case, found, execution)
    if off is not None:
        return off
    if excuses.well_conditioned(case.reference, execution.outputs, found):
        return measured(found, Verdict(case.pipeline, "ok", None, "rounding explains the difference"))
    ties = case.reference.oracle.near_ties
    near = f"; a near tie in {', '.join(ties)} explains it" if ties else ""
    detail = f"{found}; rounding errors move the exact result as far{near}"
    return _unstable(case, found, detail, execution)


def _closely(case: Case, found: Comparison, execution: Execution) -> Verdict | None:
    """The verdict on an equation that is off by more than a good implementation is; None when none is known to be."""
    prog = case.reference.prog
    if not closely.can_tell(prog.plain):
        return None
    if closely.is_off(prog.plain, prog.flat, execution.outputs, case.reference.outputs):
        detail = f"{found}; a good implementation is less far off, and so is XLA"
        return guilt.mismatch(case, found, "value", detail, execution.outputs)
    if len(prog.plain.jaxpr.eqns) == 1 or not case.options.localize:
        return None
    try:
        located = guilt.by_itself(case, found)
    except Exception:  # an equation that plain JAX cannot run by itself, say: nothing is known
        return None
    return guilt.mismatch_of(case, found, located, execution.outputs) if located is not None else None


def _unstable(case: Case, found: Comparison, detail: str, execution: Execution) -> Verdict:
    """The verdict where the outputs say nothing: each equation is asked, on the operands that it has in the program."""
    acquitted = _acquitted(case, found, execution)
    if acquitted is not None:
        return acquitted
    verdict = Verdict(case.pipeline, "ill-conditioned", None, detail, difference=found.kind)
    if not case.options.localize:
        return measured(found, verdict)
    case.stages.enter("localize", measured(found, verdict))
    try:
        located = guilt.by_itself(case, found)
    except Exception as error:  # an equation that plain JAX cannot run by itself, say
        note = f"{detail}; its equations were not asked: {type(error).__name__}: {error}"
        return measured(found, replace(verdict, detail=note))
    if located is not None:
        return guilt.mismatch_of(case, found, located, execution.outputs)
    if excuses.is_noise(case.reference, found):
        note = f"{found}; noise: it is small beside the numbers that the output was computed from"
        return _fine(case, found, note)
    if excuses.is_coarse(case.reference, found):
        return _fine(
            case, found, f"{found}; it is small for the coarsest numbers that the output was computed from"
        )
    return measured(found, verdict)


def agree(case: Case, one: Sequence[_Array], other: Sequence[_Array]) -> bool:
    """Whether rounding explains the difference of two runs."""
    oracle = case.reference.oracle
    if compare(one, other, oracle.granted).within_budget:
        return True
    case.stages.enter("judge", None)
    try:
        return oracle.agree(one, other)
    except Exception:  # an oracle that cannot speak explains nothing
        return False


def _exact(outputs: Sequence[_Array]) -> list[Budget]:
    """Budgets that grant these nothing."""
    return [Budget(0.0, True)] * len(outputs)
