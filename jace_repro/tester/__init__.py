"""The tester: runs a repro on XLA and on DaCe in a worker process, and says who is wrong and where.

`Pool` is what the harness uses; `check_repro` is the same test in the calling process.
"""

from __future__ import annotations

from jace_repro.tester.check import Options, check_repro, localize_repro
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.verdict.outcomes import OUTCOMES, Outcome, Verdict
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.workers.pool import Pool

__all__ = [
    "OUTCOMES",
    "Localized",
    "Options",
    "Outcome",
    "Pool",
    "Verdict",
    "check_repro",
    "localize_repro",
    "signature",
]
