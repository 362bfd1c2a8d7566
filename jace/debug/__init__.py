"""Watching and cutting a pipeline: its passes and DaCe's as numbered steps, where to stop, notes in the generated C++.

The harness bisects and explains crashes with it. `translate` makes the SDFG of a jaxpr on a pipeline
("canonical/simplify@simplify:2") and tells a `Watch` what ran; `locate` reads the notes of annotated C++ back. DaCe is
imported when a name that needs it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jace.debug.notes import Location, locate
    from jace.debug.steps import Application, Run, Watch
    from jace.debug.stop import START, Stop
    from jace.primitive.bind import hoist
    from jace.translate.passes import Program, State, passes_of, plannable, translate
else:
    from jace import lazy

    __getattr__ = lazy.attributes(
        __name__,
        {
            "jace.debug.notes": ("Location", "locate"),
            "jace.debug.steps": ("Application", "Run", "Watch"),
            "jace.debug.stop": ("START", "Stop"),
            "jace.primitive.bind": ("hoist",),
            "jace.translate.passes": ("Program", "State", "passes_of", "plannable", "translate"),
        },
    )

__all__ = [
    "START",
    "Application",
    "Location",
    "Program",
    "Run",
    "State",
    "Stop",
    "Watch",
    "hoist",
    "locate",
    "passes_of",
    "plannable",
    "translate",
]
