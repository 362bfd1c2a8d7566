"""Testing one repro in this process: run, compare, judge, localise, name.

Nothing here protects from a crash: `worker.py` runs it in a process of its own, told by `report` how far it
is.
"""

from __future__ import annotations

import functools
import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jace import errors
from jace.errors import JaceError
from jace.ir import fingerprint, inline_calls
from jace_repro.repro import Repro
from jace_repro.tester.execute import backends, proof, remembered, runs, stability, traced, xla
from jace_repro.tester.execute.backends import Backend
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.execute.runs import Execution
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.inputs.generated import built_once, generated
from jace_repro.tester.locate.localize import Localized, localize
from jace_repro.tester.locate.reference_fault import localize_reference
from jace_repro.tester.numerics.compare import Comparison, as_real, compare
from jace_repro.tester.numerics.errormodel import Budget, budgets, is_inexact
from jace_repro.tester.numerics.noise import eps_of
from jace_repro.tester.verdict.blame import Inquiry, decide, first_bad_pass
from jace_repro.tester.verdict.oracle import Assessment, Oracle
from jace_repro.tester.verdict.outcomes import Verdict
from jace_repro.tester.verdict.signature import signature

#: report(stage, provisional): a stage begins; `provisional` is the verdict to give if it never ends. For generated
#: inputs it is told their name as well, `inputs=name`.
Report = Callable[..., None]

#: Exceptions of jace by outcome, most special first.
_OUTCOME_OF: tuple[tuple[type[JaceError], str], ...] = (
    (errors.UnsupportedPrimitiveError, "unsupported"),
    (errors.InvalidSDFGError, "invalid-sdfg"),
    (errors.PassError, "pass-error"),
    (errors.CodegenError, "codegen-error"),
    (errors.CompileError, "compile-error"),
    (JaceError, "translate-error"),
)

#: How much of the digits DaCe and XLA may disagree in, relative to the largest magnitude of the output, and
#: still be called equal once the oracle found both right: eps ** 0.7 is 1.1e-11 for f64 and 1.4e-5 for f32.
#: Beyond it the program itself is ill-conditioned.
WELL_CONDITIONED = 0.7

_EQUATION_PRIMITIVE = re.compile(r"= ([\w\-]+)\[")


@dataclass(frozen=True)
class Options:
    """How to test.

    Attributes:
        localize: whether a mismatch is localised; its signature names the guilty primitive only then.
        localize_compilations: how many compilations that may take.
        ffi_share: share of programs (chosen by their fingerprint) that are also called through XLA's FFI.
        blame: whether a finding is looked into for whose fault it is (`Verdict.who`, with the evidence).
        remember: whether the answers of plain JAX are remembered on disk (`execute.remembered`).
        inputs: sets of generated inputs that are tested after the recorded ones, at most; None for all that can tell
            something (`inputs.input_sets`). The verdict is the first finding.
    """

    localize: bool = True
    localize_compilations: int = 24
    ffi_share: float = 0.125
    blame: bool = True
    remember: bool = False
    inputs: int | None = 0


def silent(stage: str, provisional: Verdict | None = None, inputs: str | None = None) -> None:
    """A report that goes nowhere."""


def check_repro(
    repro: Repro | NamedProgram,
    pipelines: Sequence[str],
    *,
    backend: Backend = backends.jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> list[Verdict]:
    """Test a repro on each pipeline, in this process; one verdict a pipeline, in order."""
    return list(iter_check(repro, pipelines, backend=backend, report=report, options=options))


def iter_check(
    repro: Repro | NamedProgram,
    pipelines: Sequence[str],
    *,
    backend: Backend = backends.jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> Iterator[Verdict]:
    """As `check_repro`, each verdict as soon as it is known."""
    options = options or Options()
    with repro.configured():
        report("reference", None)
        reference = _reference(repro, remember=options.remember)
        if isinstance(reference, Verdict):
            yield from (replace(reference, pipeline=pipeline) for pipeline in pipelines)
            return
        further: Iterator[tuple[str, _Reference]] = iter(())
        if options.inputs != 0:
            backend = built_once(backend, reference.prog)
            further = _further(reference, options)
        for pipeline in pipelines:
            further, here = itertools.tee(further)
            verdict = _Check(reference, pipeline, backend, report, options).verdict()
            yield _on_inputs(verdict, here, pipeline, backend, report, options)


def _on_inputs(
    verdict: Verdict,
    further: Iterator[tuple[str, _Reference]],
    pipeline: str,
    backend: Backend,
    report: Report,
    options: Options,
) -> Verdict:
    """The verdict on the recorded inputs, or the first on generated ones that says that something is wrong.

    It is exact when any of the comparisons was.
    """

    def wrong(found: Verdict) -> bool:
        return found.is_finding or found.outcome == "harness-error"

    while not wrong(verdict):
        # what the reference dies of on inputs that nobody gave it is no news of DaCe
        report("reference", verdict)
        name, reference = next(further, ("", None))
        if reference is None:
            return verdict
        told = functools.partial(report, inputs=name)
        found = _Check(reference, pipeline, backend, told, options).verdict()
        if wrong(found):
            return replace(found, inputs=name)
        if found.exact and verdict.exact is not None:
            verdict = replace(verdict, exact=True)
    return verdict


def _further(reference: _Reference, options: Options) -> Iterator[tuple[str, _Reference]]:
    """The references on generated inputs, by name."""
    recall = remembered.recall if options.remember else remembered.ask
    for found in generated(reference.prog, reference.outputs, options.inputs, recall):
        oracle = Oracle(found.prog.plain, found.prog.flat, reference.oracle.budgets)
        yield (
            found.name,
            _Reference(
                found.prog, found.outputs, oracle, reference.seconds, found.remembered, generated=True
            ),
        )


@dataclass(frozen=True)
class _Reference:
    """What the pipelines share."""

    prog: TracedProgram
    outputs: list[np.ndarray[Any, Any]]
    oracle: Oracle
    seconds: float
    remembered: bool = False
    generated: bool = False


def _reference(repro: Repro | NamedProgram, *, remember: bool = False) -> _Reference | Verdict:
    try:
        prog = traced.trace(repro)
        started = time.perf_counter()
        recall = remembered.recall if remember else remembered.ask
        outputs, known = recall(prog)
    except Exception as error:  # whatever the user's program raises is its outcome
        text = f"{type(error).__name__}: {error}"
        return Verdict(
            "",
            "reference-error",
            signature("reference-error", error=text),
            f"the program fails under plain JAX: {text}",
            stage="reference",
        )
    seconds = time.perf_counter() - started
    oracle = Oracle(prog.plain, prog.flat, budgets(prog.plain))
    return _Reference(prog, outputs, oracle, seconds, known)


@dataclass
class _Check:
    """One repro on one pipeline."""

    reference: _Reference
    pipeline: str
    backend: Backend
    report: Report
    options: Options
    stage: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    execution: Execution | None = None
    ran: list[dict[str, Any]] | None = None
    _entered: float = 0.0

    def enter(self, stage: str, provisional: Verdict | None = None) -> None:
        """A stage begins; the one before it ends and is timed."""
        self._leave()
        self.stage = stage
        self.report(stage, provisional)

    def _leave(self) -> None:
        now = time.perf_counter()
        if self.stage:
            self.seconds[self.stage] = self.seconds.get(self.stage, 0.0) + now - self._entered
        self._entered = now

    def verdict(self) -> Verdict:
        """The verdict; exceptions of the pipeline become outcomes."""
        found = self._blamed(self._found())
        self._leave()
        return replace(found, seconds={"xla": self.reference.seconds, **self.seconds}, ran=self.ran)

    def _found(self) -> Verdict:
        try:
            self.enter("translate")
            executable = self.backend(self.reference.prog.closed, self.pipeline, self.enter)
            self.enter("run")
            self.seconds.update(executable.seconds)
            before = proof.loaded(executable)
            execution = self.execution = runs.execute(executable, self.reference.prog)
            through_xla = self._through_xla(executable)
            self.ran = proof.calls_between(before, proof.loaded(executable))
        except Exception as error:  # each becomes a verdict that carries its text
            return self._failed(error)
        if self.ran is not None and not all(library["calls"] for library in self.ran):
            detail = f"not all of the compiled code was called: {self.ran}"
            return Verdict(self.pipeline, "harness-error", None, detail, stage="run")
        self.enter("compare")
        self.seconds["run"] = execution.seconds
        self._asked_anew(execution)
        found = self._compared(execution, executable)
        found = replace(found, exact=self.reference.oracle.rounds_nothing)
        return self._ffi_compared(found, execution, through_xla) if found.outcome == "ok" else found

    def _asked_anew(self, execution: Execution) -> None:
        """Replace a remembered reference that DaCe does not agree with by what XLA says now."""
        known = self.reference
        if (
            known.remembered
            and not compare(known.outputs, execution.outputs, known.oracle.granted).within_budget
        ):
            outputs = xla.run_reference(known.prog)
            self.reference = replace(known, outputs=outputs, remembered=False)

    def _through_xla(self, executable: backends.Executable) -> list[np.ndarray[Any, Any]] | None:
        """The outputs of the same code called from XLA, for the chosen share of programs."""
        call = getattr(executable, "call_ffi", None)
        digits = int(fingerprint(self.reference.prog.closed)[:8], 16)
        if call is None or digits >= self.options.ffi_share * 16**8:
            return None
        self.enter("ffi")
        return list(call(*self.reference.prog.args))

    def _ffi_compared(
        self, verdict: Verdict, execution: Execution, through_xla: list[np.ndarray[Any, Any]] | None
    ) -> Verdict:
        """The verdict of a program that is right when called directly, once its call from XLA is known."""
        if through_xla is None:
            return verdict
        exact = [Budget(0.0, True)] * len(execution.outputs)
        found = compare(execution.outputs, through_xla, exact)
        if found.within_budget:
            return verdict
        if execution.differing and self._agree(execution.outputs, through_xla):  # a sum, among threads
            return verdict
        sign = signature("mismatch", primitive="ffi-call", difference=found.kind)
        detail = f"called from XLA the program gives something else than called directly: {found}"
        wrong = replace(verdict, outcome="mismatch", signature=sign, detail=detail, stage="ffi")
        wrong = replace(wrong, difference=found.kind)
        return _measured(found, replace(wrong, guilty={"primitive": None, "note": "the call from XLA"}))

    def _failed(self, error: Exception) -> Verdict:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, ImportError):
            detail = f"the backend cannot be imported: {text}"
            return Verdict(self.pipeline, "harness-error", None, detail, stage=self.stage)
        if isinstance(error, errors.CompilerKilledError):
            said, *more = text.splitlines()
            advice = "(With fewer --jobs each compiler has more memory.)"
            detail = "\n".join([f"{said} {advice}", *more])
            return Verdict(self.pipeline, "harness-error", None, detail, stage=self.stage)
        if self.stage in ("run", "ffi"):
            sign = signature("crash", stage=self.stage, error=text)
            detail = f"the compiled program failed: {text}"
            return Verdict(self.pipeline, "crash", sign, detail, stage=self.stage)
        outcome = next((name for kind, name in _OUTCOME_OF if isinstance(error, kind)), "translate-error")
        guilty = _guilty_of(error)
        primitive = guilty.get("primitive") if guilty else None
        message = None if outcome == "unsupported" else _error_line(error)
        sign = signature(
            outcome, primitive=primitive, guilty_pass=guilty.get("pass") if guilty else None, error=message
        )
        return Verdict(self.pipeline, outcome, sign, text, guilty=guilty, stage=self.stage)

    def _compared(self, execution: Execution, executable: backends.Executable) -> Verdict:
        granted = self.reference.oracle.granted
        for outputs in (execution.outputs, *execution.others):
            found = compare(self.reference.outputs, outputs, granted)
            if found.structural:
                break
        else:
            unstable = stability.unstable(executable, self.reference.prog, execution, self._agree)
            if unstable is not None:
                return self._nondeterministic(execution, unstable)
            found = compare(self.reference.outputs, execution.outputs, granted)
        if execution.modified_inputs:
            return self._convict(
                found, "input", f"input {execution.modified_inputs[0]} was overwritten", execution
            )
        if found.within_budget:
            return _measured(
                found, Verdict(self.pipeline, "ok", None, "" if found.bits_equal else "within rounding")
            )
        if found.structural:
            return self._convict(found, found.kind or "", str(found), execution)
        return self._judged(found, execution)

    def _nondeterministic(self, execution: Execution, repeated: stability.Repeated) -> Verdict:
        """The verdict of runs that differ."""
        exact = [Budget(0.0, True)] * len(execution.outputs)
        between = compare(execution.outputs, execution.differing[-1], exact)
        verdict = Verdict(
            self.pipeline,
            "nondeterministic",
            signature("nondeterministic"),
            f"two runs of the same binary on the same inputs differ: {stability.CAUSES[repeated.cause]}: {between}",
            difference=between.kind,
            evidence=[
                {
                    "oracle": name,
                    "agrees_with_dace": same,
                    "agrees_with_xla": None,
                    "max_ulp": None,
                    "note": "",
                }
                for name, same in repeated.same.items()
            ],
        )
        # What reads garbage is wrong in one run or another, and its equation is often wrong alone. (The signature does
        # without: the next run may not show it.)
        located = self._with_culprit(
            _measured(between, verdict), between.kind or "", lambda: self.localized(None)
        )
        return replace(located, signature=verdict.signature, difference=verdict.difference)

    def _agree(self, one: Sequence[np.ndarray[Any, Any]], other: Sequence[np.ndarray[Any, Any]]) -> bool:
        """Whether rounding explains the difference of two runs."""
        if compare(one, other, self.reference.oracle.granted).within_budget:
            return True
        self.enter("judge", None)
        try:
            return self.reference.oracle.agree(one, other)
        except Exception:  # an oracle that cannot speak explains nothing
            return False

    def _judged(self, found: Comparison, execution: Execution) -> Verdict:
        oracle = self.reference.oracle
        suspicion = Verdict(
            self.pipeline,
            "mismatch",
            signature("mismatch", difference=found.kind),
            f"{found}; the higher-precision evaluation did not finish",
            difference=found.kind,
            stage="judge",
        )
        self.enter("judge", _measured(found, suspicion))
        try:
            mine, xla = oracle.assess(execution.outputs), oracle.assess(self.reference.outputs)
        except Exception as error:  # an oracle that cannot speak leaves the word to who can, and says so
            why = f"no higher-precision evaluation ({type(error).__name__}: {error})"
            if self._xla_stands_alone(execution):
                detail = f"{found}; {why}, but JAX equation by equation and unoptimized XLA agree with DaCe"
                return self._convict_xla(found, found.kind or "value", detail)
            return self._convict(found, found.kind or "value", f"{found}; {why}", execution)
        if mine.wrong and xla.wrong and oracle.agree(execution.outputs, self.reference.outputs):
            detail = f"DaCe and XLA agree with each other, not with the higher-precision result: {mine}"
            return _measured(found, Verdict(self.pipeline, "ok", None, detail, difference=found.kind))
        if self.reference.generated and self._small(mine if mine.wrong else xla, found):
            return _measured(found, self._explained(found))
        if mine.wrong:
            also = "; XLA is off as well" if xla.wrong else ""
            return self._convict(found, mine.kind or "value", f"{found}{also}", execution)
        if xla.wrong and self.reference.generated and self._rearranged(xla):
            detail = (
                f"XLA rearranges what is infinite or NaN; equation by equation JAX agrees with DaCe: {xla}"
            )
            return _measured(found, Verdict(self.pipeline, "ok", None, detail, difference=found.kind))
        if xla.wrong:
            exactly = "exact" if oracle.rounds_nothing else "higher-precision"
            detail = f"XLA: {xla}; DaCe agrees with the {exactly} evaluation"
            return self._convict_xla(found, xla.kind or "value", detail)
        return _measured(found, self._explained(found))

    def _small(self, wrong: Assessment, found: Comparison) -> bool:
        """Whether a difference on generated inputs is as small as rounding errors are.

        The oracle grants no noise to results that look exact, as they do on zeros, ones and halves; XLA, which divides
        by multiplying with a reciprocal, rounds there.
        """
        rounding = all(
            d.kind == "value" and not self.reference.oracle.budgets[d.output].exact for d in wrong.differences
        )
        eps = min((_eps(self.reference.outputs[d.output]) for d in wrong.differences), default=0.0)
        exact = self.reference.oracle.rounds_nothing
        return rounding and not exact and found.max_rel <= eps**WELL_CONDITIONED

    def _rearranged(self, wrong: Assessment) -> bool:
        """Whether XLA's optimisations alone have an infinity or a NaN elsewhere, for inputs nobody gave the program.

        XLA computes a / (b / c) as a * c / b and (x * a) * b as x * (a * b), so what is infinite in between may
        be finite in the end, or the other way round, and what is decided by it another number. It calls that right;
        the program's own inputs decide.
        """
        finite = all(np.all(np.isfinite(as_real(a))) for a in self.reference.prog.flat if is_inexact(a.dtype))
        if finite and not {d.kind for d in wrong.differences} & {"nan", "inf"}:
            return False
        try:
            witness = xla.run_each(self.reference.prog)  # unoptimized XLA rearranges as well
            return not self.reference.oracle.assess(witness).wrong
        except Exception:  # no witness, no excuse
            return False

    def _xla_stands_alone(self, execution: Execution) -> bool:
        """Whether JAX equation by equation and XLA without optimisation both agree with DaCe and not with XLA."""
        prog, granted = self.reference.prog, self.reference.oracle.granted
        try:
            witnesses = xla.run_each(prog), xla.run_unoptimized(prog)
        except Exception:  # no witness, no acquittal
            return False
        return all(
            compare(seen, execution.outputs, granted).within_budget
            and not compare(seen, self.reference.outputs, granted).within_budget
            for seen in witnesses
        )

    def _convict_xla(self, found: Comparison, kind: str, detail: str) -> Verdict:
        """The verdict of a program that XLA computes wrongly, localised as a mismatch is."""
        sign = signature("reference-mismatch", difference=kind)
        verdict = Verdict(
            self.pipeline, "reference-mismatch", sign, detail, difference=kind, stage="localize"
        )
        return self._with_culprit(_measured(found, verdict), kind, self.localized_in_xla)

    def _explained(self, found: Comparison) -> Verdict:
        """Both are right within rounding: equal, or too ill-conditioned to say more."""
        eps = max((_eps(out) for out in self.reference.outputs), default=0.0)
        if found.max_rel <= eps**WELL_CONDITIONED:
            return Verdict(self.pipeline, "ok", None, "rounding explains the difference")
        ties = self.reference.oracle.near_ties
        near = f"; a near tie in {', '.join(ties)} explains it" if ties else ""
        detail = f"{found}; rounding errors move the exact result as far{near}"
        return Verdict(self.pipeline, "ill-conditioned", None, detail, difference=found.kind)

    def _convict(self, found: Comparison, kind: str, detail: str, execution: Execution) -> Verdict:
        verdict = Verdict(
            self.pipeline,
            "mismatch",
            signature("mismatch", difference=kind),
            detail,
            difference=kind,
            stage="localize",
        )
        return self._with_culprit(_measured(found, verdict), kind, lambda: self.localized(execution.outputs))

    def _with_culprit(self, verdict: Verdict, kind: str, search: Callable[[], Localized | None]) -> Verdict:
        """The verdict with what localisation says, if it is to be asked."""
        if not self.options.localize:
            return replace(verdict, stage="done")
        self.enter("localize", verdict)
        try:
            culprit = search()
        except Exception as error:  # the finding stands; its culprit is unknown
            note = f"{verdict.detail}; not localised: {type(error).__name__}: {error}"
            return replace(verdict, stage="done", detail=note)
        return replace(_attributed(verdict, culprit, kind), stage="done")

    def _blamed(self, verdict: Verdict) -> Verdict:
        """The verdict with who is wrong and the evidence, for a finding; an ill-conditioned program is to blame
        itself.
        """
        if not self.options.blame or verdict.outcome in ("ok", "harness-error"):
            return verdict
        self.enter("blame", verdict)
        reference = self.reference
        inquiry = Inquiry(
            reference.prog,
            reference.oracle,
            self.backend,
            reference.outputs,
            self.execution.outputs if self.execution is not None else None,
            reference_is_wrong=verdict.outcome == "reference-mismatch",
        )
        try:
            facts = inquiry.facts(verdict)
        except Exception as error:  # the finding stands, whoever is to blame
            return replace(
                verdict, detail=f"{verdict.detail}; not looked into: {type(error).__name__}: {error}"
            )
        rows = [*(verdict.evidence or ()), *inquiry.rows]
        step = first_bad_pass(facts)
        if step is not None:
            verdict = replace(verdict, guilty={**(verdict.guilty or {}), "pass": step})
        return replace(verdict, who=decide(facts), evidence=rows or None)

    def acquitted(self) -> bool:
        """Whether DaCe is right and XLA wrong."""
        try:
            executable = self.backend(self.reference.prog.closed, self.pipeline, backends.no_stages)
            outputs = runs.execute(executable, self.reference.prog).outputs
            if compare(self.reference.outputs, outputs, self.reference.oracle.granted).structural:
                return False
            oracle = self.reference.oracle
            return oracle.assess(self.reference.outputs).wrong and not oracle.assess(outputs).wrong
        except Exception:  # what fails to build, run or be judged is not acquitted
            return False

    def localized_in_xla(self) -> Localized | None:
        """The first equation that XLA has wrong, alone or in its context."""
        reference = self.reference
        return localize_reference(reference.prog, reference.outputs, self.options.localize_compilations)

    def localized(self, outputs: Sequence[np.ndarray[Any, Any]] | None) -> Localized | None:
        """The first diverging equation; `outputs` are the program's wrong ones when they are known."""
        prog = self.reference.prog
        return localize(
            inline_calls(prog.closed),
            prog.args,
            lambda closed: self.backend(closed, self.pipeline, backends.no_stages),
            outputs=outputs,
            max_compilations=self.options.localize_compilations,
        )


def localize_repro(
    repro: Repro,
    pipeline: str,
    *,
    backend: Backend = backends.jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> Localized | None:
    """The first diverging equation of a repro; None when no equation diverges or plain JAX fails."""
    with repro.configured():
        report("reference", None)
        reference = _reference(repro)
        if isinstance(reference, Verdict):
            return None
        report("localize", None)
        check = _Check(reference, pipeline, backend, report, options or Options())
        return check.localized_in_xla() if check.acquitted() else check.localized(None)


def _attributed(verdict: Verdict, culprit: Localized | None, kind: str) -> Verdict:
    if culprit is None:
        return replace(verdict, detail=f"{verdict.detail}; no equation diverges by itself")
    # The class of the difference is the guilty equation's: what follows it may turn a value into a NaN.
    decisive = kind if kind in ("input", "shape", "dtype", "tree") else culprit.difference or kind
    primitive = culprit.primitive if culprit.confirmed_in_isolation else "in-context"
    return replace(
        verdict,
        signature=signature(verdict.outcome, primitive=primitive, difference=decisive),
        difference=decisive,
        guilty=culprit.to_json(),
        detail=f"{verdict.detail}; {culprit.summary}",
    )


def _measured(found: Comparison, verdict: Verdict) -> Verdict:
    return replace(verdict, max_abs=found.max_abs, max_rel=found.max_rel, max_ulp=found.max_ulp)


def _eps(array: np.ndarray[Any, Any]) -> float:
    return eps_of(array.dtype) if is_inexact(array.dtype) else 0.0


def _guilty_of(error: Exception) -> Mapping[str, Any] | None:
    """What a jace error says about its culprit."""
    guilty: dict[str, Any] = {}
    if isinstance(error, errors.UnsupportedPrimitiveError) and error.primitives:
        # The first stands for all: a reduction that drops the others keeps the signature.
        guilty = {"primitive": error.primitives[0], "primitives": list(error.primitives)}
    elif isinstance(error, errors.PassError):
        guilty = {"pass": error.pass_name}
    elif isinstance(error, JaceError) and error.equation:
        match = _EQUATION_PRIMITIVE.search(error.equation)
        guilty = {"equation": error.equation, "primitive": match[1] if match else None}
    if isinstance(error, JaceError) and error.source:
        guilty["source"] = error.source
    return guilty or None


def _error_line(error: Exception) -> str:
    """The line of an error that says what is wrong: for a compiler the first one with "error:"."""
    if isinstance(error, errors.CompileError):
        for line in error.stderr.splitlines():
            if "error:" in line:
                return line[line.index("error:") :]
    return f"{type(error).__name__}: {error}"
