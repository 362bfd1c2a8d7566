"""Watching and cutting a pipeline: its passes and DaCe's as numbered steps, where to stop, notes in the generated C++.

The harness bisects and explains crashes with it. `jace.translate_jaxpr` tells a `Watch` what ran, and stops where a
pipeline is cut ("canonical/simplify@simplify:2"); `locate` reads the notes of annotated C++ back; `watch_jit` hears
what a program asks of jace, and may have `jace.jit` be `jax.jit`. DaCe is imported when a name that needs it is first
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jace.debug.disabled import is_disabled, watch_jit
    from jace.debug.notes import Location, locate, sources_in, without_notes
    from jace.debug.steps import Application, Run, Watch
    from jace.debug.stop import START, Stop
else:
    from jace import lazy

    __getattr__ = lazy.attributes(
        __name__,
        {
            "jace.debug.disabled": ("is_disabled", "watch_jit"),
            "jace.debug.notes": ("Location", "locate", "sources_in", "without_notes"),
            "jace.debug.steps": ("Application", "Run", "Watch"),
            "jace.debug.stop": ("START", "Stop"),
        },
    )

__all__ = [
    "START",
    "Application",
    "Location",
    "Run",
    "Stop",
    "Watch",
    "is_disabled",
    "locate",
    "sources_in",
    "watch_jit",
    "without_notes",
]
