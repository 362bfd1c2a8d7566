"""The tester: runs a repro on XLA and on DaCe, and says who is wrong, where, and which failures are the same bug.

In: a repro and the pipelines (`Pool.check`, in worker processes that may die of it; `check_repro`, in this one).
Out: a `Verdict` a pipeline. `Pool.localize` names the first equation that diverges, `Pool.bisect` the pass, its
application or the compiler's flag.

    workers -> check -> locate, inputs -> verdict -> execute -> numerics

`execute` runs programs, `numerics` says without XLA's compiler what is right and how far rounding may move it,
`verdict` says who is wrong, `inputs` makes further inputs, `locate` finds the culprit, `check` tests one repro, `views`
shows one at every level (`Pool.view`), `workers` isolates all of it in processes.
"""

from __future__ import annotations

from jace_repro.tester.check import Options, check_repro, localize_repro
from jace_repro.tester.locate.bisected import Bisected
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.culprit import Crash, Culprit, Evidence
from jace_repro.tester.verdict.outcomes import OUTCOMES, Outcome
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tester.workers.died import WorkerDied
from jace_repro.tester.workers.pool import Pool

__all__ = [
    "OUTCOMES",
    "PARTIES",
    "Bisected",
    "Crash",
    "Culprit",
    "Evidence",
    "Localized",
    "Options",
    "Outcome",
    "Pool",
    "Verdict",
    "WorkerDied",
    "check_repro",
    "localize_repro",
    "signature",
]
