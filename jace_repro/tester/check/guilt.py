"""The verdict on what is wrong, with its culprit: the first equation that diverges, under DaCe or under XLA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr

from jace_repro.tester.check.case import Case, measured
from jace_repro.tester.execute.backends import Executable, no_stages
from jace_repro.tester.execute.runs import execute
from jace_repro.tester.execute.traced import without_calls
from jace_repro.tester.locate.by_itself import guilty_by_itself
from jace_repro.tester.locate.conviction import Build, Conviction
from jace_repro.tester.locate.localize import confirmed, localize
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.locate.reference_fault import localize_reference
from jace_repro.tester.numerics.compare import Comparison, compare
from jace_repro.tester.numerics.differing import differing
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.users_rule import place_of_users_rules
from jace_repro.tester.verdict.verdict import Verdict

_Array = np.ndarray[Any, Any]

#: Classes of differences that no equation makes: what is wrong is the program's, whatever its values are.
_OF_THE_PROGRAM = frozenset({"input", "outside", "shape", "dtype", "tree"})
#: What a signature says where no equation is wrong by itself.
_IN_CONTEXT = "in-context"
#: And where the program is taken for another one.
_READING = "inlined-calls"


def mismatch(case: Case, found: Comparison, kind: str, detail: str, outputs: Sequence[_Array]) -> Verdict:
    """The verdict of a program that DaCe computes wrongly, localised.

    Args:
        case: what is tested.
        found: how far DaCe's outputs are from XLA's.
        kind: class of the difference.
        detail: for people.
        outputs: DaCe's.
    """
    verdict = _wrong(case, "mismatch", found, kind, detail)
    verdict = replace(verdict, differing=differing(case.reference.outputs, outputs, found.masks))
    return with_culprit(case, verdict, kind, lambda: in_dace(case, Conviction(kind, tuple(outputs))))


def reference_mismatch(
    case: Case, found: Comparison, kind: str, detail: str, outputs: Sequence[_Array]
) -> Verdict:
    """The verdict of a program that XLA computes wrongly and DaCe rightly, localised as a mismatch is."""
    verdict = _wrong(case, "reference-mismatch", found, kind, detail)
    verdict = replace(verdict, differing=differing(outputs, case.reference.outputs, found.masks))
    return with_culprit(case, verdict, kind, lambda: in_xla(case))


def misread(case: Case, found: Comparison, kind: str) -> Verdict:
    """The verdict where jace takes the program for another one: its equations are right, and so is XLA."""
    detail = (
        f"{found}; as XLA has it, too, once jace has replaced the calls, collectives and keys of the program"
    )
    return replace(
        _wrong(case, "mismatch", found, kind, detail),
        signature=signature("mismatch", primitive=_READING, difference=kind),
        stage="read",
        guilty=Culprit(note="what calls, collectives and keys are replaced by"),
    )


def mismatch_of(case: Case, found: Comparison, located: Localized, outputs: Sequence[_Array]) -> Verdict:
    """The verdict of a program whose outputs say little, and one of whose equations DaCe computes wrongly."""
    kind = located.culprit.difference or found.kind or "value"
    detail = f"{found}; rounding may explain that, but this equation is wrong on its own operands"
    verdict = _wrong(case, "mismatch", found, kind, detail)
    verdict = replace(verdict, differing=differing(case.reference.outputs, outputs, found.masks))
    return replace(_attributed(verdict, located, kind), stage="done")


def mismatch_before_a_call(case: Case, raised: Verdict) -> Verdict | None:
    """The verdict of a program that raised in a callback, which plain JAX does not come to, or with other operands.

    Args:
        case: what is tested.
        raised: the verdict of its exception.
    Returns:
        None where no equation is wrong on the operands that plain JAX gives it.
    """
    case.stages.enter("localize", raised)
    try:
        located = _known_or(case, lambda: _by_itself(case, ()))
    except Exception:  # an equation that plain JAX cannot run by itself, say: the exception stands
        return None
    if located is None:
        return None
    kind = located.culprit.difference or "value"
    detail = f"what it calls is given something else than under plain JAX, and raises: {last_line(raised)}"
    wrong = Verdict(case.pipeline, "mismatch", None, detail, difference=kind)
    return _attributed(wrong, located, kind)


def last_line(raised: Verdict) -> str:
    """What the exception of a callback says, after the stack of its callers."""
    return raised.detail.strip().splitlines()[-1]


def _wrong(case: Case, outcome: str, found: Comparison, kind: str, detail: str) -> Verdict:
    sign = signature(outcome, difference=kind)
    return measured(found, Verdict(case.pipeline, outcome, sign, detail, difference=kind, stage="localize"))


def with_culprit(case: Case, verdict: Verdict, kind: str, search: Callable[[], Localized | None]) -> Verdict:
    """The verdict with what localisation says, if it is to be asked.

    Args:
        case: what is tested.
        verdict: the verdict so far.
        kind: class of the difference.
        search: localises.
    """
    if not case.options.localize:
        return replace(verdict, stage="done")
    case.stages.enter("localize", verdict)
    try:
        localized = search()
    except Exception as error:  # the finding stands; its culprit is unknown
        note = f"{verdict.detail}; not localised: {type(error).__name__}: {error}"
        return replace(verdict, stage="done", detail=note)
    return replace(_attributed(verdict, localized, kind), stage="done")


def _attributed(verdict: Verdict, localized: Localized | None, kind: str) -> Verdict:
    if localized is None:
        verdict = replace(verdict, detail=f"{verdict.detail}; no equation diverges by itself")
        if OUTCOMES[verdict.outcome].of_reference:
            return verdict
        # a smaller program of the same bug may have an equation that diverges in its context, and the other way round
        return replace(verdict, signature=signature(verdict.outcome, primitive=_IN_CONTEXT, difference=kind))
    culprit = localized.culprit
    if culprit.confirmed and localized.jaxpr is not None:
        culprit = replace(culprit, rule=place_of_users_rules(localized.jaxpr))
    # The class of the difference is the guilty equation's: what follows it may turn a value into a NaN.
    decisive = kind if kind in _OF_THE_PROGRAM else culprit.difference or kind
    primitive = culprit.primitive if culprit.confirmed else _IN_CONTEXT
    return replace(
        verdict,
        signature=signature(verdict.outcome, primitive=primitive, difference=decisive),
        difference=decisive,
        guilty=culprit,
        detail=f"{verdict.detail}; {culprit.summary}",
    )


def in_dace(case: Case, wrong: Conviction | None) -> Localized | None:
    """The first diverging equation, that of another pipeline if it is wrong here, too.

    `wrong` is what the program gives here, when it is known.
    """

    def search() -> Localized | None:
        prog, limit = case.reference.prog, case.options.localize_compilations
        closed, build = without_calls(prog.closed), _builder(case)
        found = localize(closed, prog.args, build, wrong=wrong, max_compilations=limit)
        if found is None or not found.culprit.confirmed:
            found = guilty_by_itself(closed, prog.args, build, max_compilations=limit) or found
        return found

    return _known_or(case, search)


def by_itself(case: Case, found: Comparison) -> Localized | None:
    """An equation that is wrong on the operands that plain JAX gives it, whatever the program makes of that.

    Not asked are the equations that outputs without a difference depend on: these outputs say that they are right.
    """
    off = {d.output for d in found.differences}
    right = [k for k in range(len(case.reference.outputs)) if k not in off]
    return _known_or(case, lambda: _by_itself(case, right))


def _by_itself(case: Case, right: Sequence[int]) -> Localized | None:
    prog, limit = case.reference.prog, case.options.localize_compilations
    closed = without_calls(prog.closed)
    return guilty_by_itself(closed, prog.args, _builder(case), right=right, max_compilations=limit)


def _builder(case: Case) -> Build:
    def build(closed: ClosedJaxpr) -> Executable:
        return case.backend(closed, case.pipeline, no_stages)

    return build


def _known_or(case: Case, search: Callable[[], Localized | None]) -> Localized | None:
    """What was localised on another pipeline, if it is wrong here, too; else what a search finds."""
    for known in reversed(case.located):
        if (again := confirmed(known, _builder(case))) is not None:
            return again
    found = search()
    case.located.extend([found] if found is not None else [])
    return found


def in_xla(case: Case) -> Localized | None:
    """The first equation that XLA has wrong, alone or in its context."""
    reference = case.reference
    return localize_reference(reference.prog, reference.outputs, case.options.localize_compilations)


def acquitted(case: Case) -> bool:
    """Whether DaCe is right and XLA wrong."""
    reference, oracle = case.reference, case.reference.oracle
    try:
        executable = case.backend(reference.prog.closed, case.pipeline, no_stages)
        outputs = execute(executable, reference.prog).outputs
        if compare(reference.outputs, outputs, oracle.granted).structural:
            return False
        xla, dace = reference.outputs, outputs
        return oracle.assess(xla, dace).wrong and not oracle.assess(dace, xla).wrong
    except Exception:  # what fails to build, run or be judged is not acquitted
        return False
