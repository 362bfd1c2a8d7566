"""One repro on one pipeline: what its test needs, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jace_repro.tester.check.options import Options, Report
from jace_repro.tester.check.reference import Reference
from jace_repro.tester.execute.backends import Backend, Executable
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.numerics.compare import Comparison
from jace_repro.tester.verdict.verdict import Verdict


@dataclass
class Stages:
    """The stages of a test: reported as they begin, timed as they end.

    Attributes:
        report: is told of each.
        current: the stage that it is in; "" before the first.
        seconds: of the stages that have ended, by name.
    """

    report: Report
    current: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    _entered: float = 0.0

    def enter(self, stage: str, provisional: Verdict | None = None) -> None:
        """A stage begins; the one before it ends. `provisional` is the verdict to give if it never ends."""
        self.end()
        self.current = stage
        self.report(stage, provisional)

    def end(self) -> None:
        """The stage that it is in ends."""
        now = time.perf_counter()
        if self.current:
            self.seconds[self.current] = self.seconds.get(self.current, 0.0) + now - self._entered
        self._entered = now


@dataclass(frozen=True)
class Case:
    """One repro on one pipeline.

    Attributes:
        reference: the program, and what XLA makes of it.
        pipeline: the way through DaCe.
        backend: what compiles for DaCe.
        options: how to test.
        stages: how far it is.
        located: the equations that were found to diverge in this program so far, on any pipeline.
        told: the findings on other pipelines, by signature.
    """

    reference: Reference
    pipeline: str
    backend: Backend
    options: Options
    stages: Stages
    located: list[Localized] = field(default_factory=list)
    told: Mapping[str, Verdict] = field(default_factory=dict)

    def build(self) -> Executable:
        """The program for the pipeline. Raises whatever the backend raises."""
        return self.backend(self.reference.prog.closed, self.pipeline, self.stages.enter)


def measured(found: Comparison, verdict: Verdict) -> Verdict:
    """The verdict with the sizes of the differences."""
    return replace(verdict, max_abs=found.max_abs, max_rel=found.max_rel, max_ulp=found.max_ulp)
