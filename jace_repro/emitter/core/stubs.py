"""What stands for Python functions of the program's that no script can have."""

from __future__ import annotations

from jace_repro.emitter.core import literals
from jace_repro.emitter.core.script import Script


def unknown(script: Script, what: str) -> str:
    """An expression for a function that raises when it is called, and says what it stands for."""
    return f"{script.use('unknown')}({literals.string(what)})"


def idle_callback(script: Script, primitive: str) -> str:
    """An expression for a callback that only looks at values: it does nothing, and a note says so."""
    script.notes.append(f"the Python callback of a {primitive} does nothing in the script")
    return script.use("nothing")
