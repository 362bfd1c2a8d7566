"""One repro under test, in the calling process.

In: a repro, the pipelines, how to test (`Options`). Out: a verdict a pipeline, or the first diverging equation.

    repros -> reference: what plain JAX makes of it; trial: one case through DaCe -> ruling: who is right, DaCe or XLA
        -> excuses: differences that are no finding; guilt: the culprit of a finding; failures: what a pipeline raises
"""

from __future__ import annotations

from jace_repro.tester.check.options import Options
from jace_repro.tester.check.repros import check_repro, iter_check, localize_repro

__all__ = ["Options", "check_repro", "iter_check", "localize_repro"]
