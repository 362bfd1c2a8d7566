"""Where a recorded call comes from: who made the program, and who calls it."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field
from typing import Any

from jace_repro.trace.failure import TraceFailure
from jace_repro.trace.frames import (
    file_of,
    function_source,
    is_jax_file,
    line_of,
    shown,
    user_line,
)
from jace_repro.trace.inspect import all_functions


@dataclass(frozen=True)
class Origin:
    """Function, its source, the line that called it, the thread. `eager` marks the operations that JAX itself jits."""

    name: str
    source: str
    eager: bool
    call_site: str = ""
    thread: str = field(default_factory=lambda: threading.current_thread().name)

    def text(self) -> str:
        """Function and its source, for the header of the repro."""
        return f"{shown(self.source)} ({self.name})" if self.source else self.name

    def event(self) -> dict[str, Any]:
        """What the journal says of it."""
        return {**asdict(self), "source": shown(self.source), "call_site": shown(self.call_site)}


def origin_of(closed: Any, name: str, *, own: bool) -> Origin:
    """The origin of a jaxpr that is called here and now.

    Eager: nothing in it comes from outside JAX, nor has the program (`own`) jitted it.
    """
    function, file, line = function_source(closed)
    site = user_line()
    eager = not own and all(not f or is_jax_file(f) for _, f, _ in all_functions(closed))
    if name in _LOOPS and [eqn.primitive.name for eqn in closed.jaxpr.eqns] == [name]:
        eager = False  # lax.scan and its kin called directly: the loop is the user's
    if file and not is_jax_file(file):
        known = name if function == "<unknown>" else function
        return Origin(known, f"{file}:{line}", eager, site)
    return Origin(name, line_of(site), eager, site)


_LOOPS = frozenset({"scan", "while", "cond", "custom_linear_solve"})


def origin_of_failure(failure: TraceFailure) -> Origin:
    """The origin of a function that died while being traced. Eager: it is one of JAX's own."""
    body = failure.body
    eager = body is not None and is_jax_file(file_of(body.function.source))
    return Origin(failure.name, failure.source, eager, failure.open[0].line)
