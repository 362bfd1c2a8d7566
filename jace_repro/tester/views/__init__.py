"""What a repro is on its way through DaCe, for a person: jaxpr, SDFG and C++, linked, and where both sides differ.

In: a repro and a pipeline. Out: `Views`, plain data as JSON. Lines and nodes name the lines of the script that they
come from: that is what links them.

    gather -> levels (jaxpr, SDFG, C++), errors (outputs)

`gather` runs in a worker, which imports it by itself: it needs DaCe, and whoever reads views does not.
"""

from __future__ import annotations

from jace_repro.tester.views.errors import OutputErrors
from jace_repro.tester.views.views import Line, PassRun, Views, Wanted

__all__ = ["Line", "OutputErrors", "PassRun", "Views", "Wanted"]
