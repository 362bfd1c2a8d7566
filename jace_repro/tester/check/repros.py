"""Testing one repro in this process, on each pipeline and on generated inputs; localising in it.

Nothing here protects from a crash: `workers` runs it in a process of its own, told by `report` how far it is.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from jace.ir import fingerprint
from jace_repro.repro import Repro
from jace_repro.tester.check import guilt
from jace_repro.tester.check.case import Case, Stages
from jace_repro.tester.check.options import Options, Report, silent
from jace_repro.tester.check.reference import Reference, on_generated_inputs, reference_of
from jace_repro.tester.check.relation import broken
from jace_repro.tester.check.trial import ends, try_case
from jace_repro.tester.execute.backends import Backend, jace_backend
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.execute.traced import TracedProgram, trace
from jace_repro.tester.inputs.generated import built_once
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict


def check_repro(
    repro: Repro | NamedProgram,
    pipelines: Sequence[str],
    *,
    backend: Backend = jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> list[Verdict]:
    """Test a repro on each pipeline, in this process; one verdict a pipeline, in order."""
    return list(iter_check(repro, pipelines, backend=backend, report=report, options=options))


def iter_check(
    repro: Repro | NamedProgram,
    pipelines: Sequence[str],
    *,
    backend: Backend = jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> Iterator[Verdict]:
    """As `check_repro`, each verdict as soon as it is known."""
    options = options or Options()
    with repro.configured():
        report("reference", None)
        if not options.compare:
            yield from ends(trace(repro), pipelines, backend, report)
            return
        reference = reference_of(repro, remember=options.remember)
        differ: Verdict | None = None
        if not isinstance(reference, Verdict) and isinstance(repro, Repro) and repro.header.relation:
            differ = broken(reference, repro.header.relation)
            if differ is not None and differ.who != "XLA":
                reference = differ
        if isinstance(reference, Verdict):
            yield from (replace(reference, pipeline=pipeline) for pipeline in pipelines)
            return
        further: Iterator[tuple[str, Reference]] = iter(())
        if options.inputs != 0:
            backend = built_once(backend, reference.prog)
            further = on_generated_inputs(reference, options)
        located: list[Localized] = []
        told: dict[str, Verdict] = {}
        for pipeline in pipelines:
            further, here = itertools.tee(further)
            case = Case(reference, pipeline, backend, options, Stages(report), located, told)
            verdict = _on_inputs(case, here)
            if verdict.inputs is None and located and verdict.guilty is not None:
                _remember(reference.prog, pipeline, located[-1])
            if verdict.signature is not None:
                told.setdefault(verdict.signature, verdict)
            # where XLA has one of two forms wrong, a pipeline that has it right says more: which equation
            if differ is not None and not OUTCOMES[verdict.outcome].of_reference:
                verdict = replace(differ, pipeline=pipeline)
            yield verdict


def _on_inputs(case: Case, further: Iterator[tuple[str, Reference]]) -> Verdict:
    """The verdict on the recorded inputs, or the first on generated ones that says that something is wrong.

    It is exact when any of the comparisons was.
    """
    report = case.stages.report
    verdict = try_case(case)
    while not _wrong(verdict):
        # what the reference dies of on inputs that nobody gave it is no news of DaCe
        report("reference", verdict)
        name, reference = next(further, ("", None))
        if reference is None:
            return verdict
        stages = Stages(functools.partial(report, inputs=name))
        found = try_case(replace(case, reference=reference, stages=stages))
        if _wrong(found):
            return replace(found, inputs=name)
        if found.exact and verdict.exact is not None:
            verdict = replace(verdict, exact=True)
    return verdict


def _wrong(found: Verdict) -> bool:
    return found.is_finding or found.outcome == "harness-error"


#: What was localised last in this process, by program and pipeline: a reduction begins with what a test has found.
_known: OrderedDict[tuple[str, str], Localized] = OrderedDict()
_MOST_KNOWN = 8


def _key(prog: TracedProgram, pipeline: str) -> tuple[str, str]:
    inputs = hashlib.sha256(fingerprint(prog.closed).encode())
    for array in prog.flat:
        inputs.update(np.ascontiguousarray(array).tobytes())
    return inputs.hexdigest(), pipeline


def _remember(prog: TracedProgram, pipeline: str, found: Localized) -> None:
    _known[_key(prog, pipeline)] = found
    while len(_known) > _MOST_KNOWN:
        _known.popitem(last=False)


def localize_repro(
    repro: Repro,
    pipeline: str,
    *,
    backend: Backend = jace_backend,
    report: Report = silent,
    options: Options | None = None,
) -> Localized | None:
    """The first diverging equation of a repro; None when no equation diverges or plain JAX fails."""
    with repro.configured():
        report("reference", None)
        reference = reference_of(repro)
        if isinstance(reference, Verdict):
            return None
        if (known := _known.get(_key(reference.prog, pipeline))) is not None:
            return known
        report("localize", None)
        case = Case(reference, pipeline, backend, options or Options(), Stages(report))
        return guilt.in_xla(case) if guilt.acquitted(case) else guilt.in_dace(case, None)
