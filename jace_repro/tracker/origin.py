"""The entry that a traced jaxpr, or a trace that failed, is: who wrote it, who calls it, how large it is.

Both are told here and now, by the thread that calls the program. Places are shown as a person reads them.
"""

from __future__ import annotations

import threading
from typing import Any

from jace_repro.repro.entry import Entry
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


def entry_of(closed: Any, name: str, *, fingerprint: str, callbacks: str, own: bool) -> Entry:
    """The entry of a jaxpr that is called here and now as `name`; `fingerprint` and `callbacks` are known already.

    Eager: nothing in it comes from outside JAX, nor has the program (`own`) jitted it.
    """
    from jace.ir import count_equations, primitives

    function, file, line = function_source(closed)
    site = user_line()
    eager = not own and all(not f or is_jax_file(f) for _, f, _ in all_functions(closed))
    if name in _LOOPS and [eqn.primitive.name for eqn in closed.jaxpr.eqns] == [name]:
        eager = False  # lax.scan and its kin called directly: the loop is the user's
    source = line_of(site)
    if file and not is_jax_file(file):
        name = name if function == "<unknown>" else function
        source = f"{file}:{line}"
    return Entry(
        name=name,
        fingerprint=fingerprint,
        callbacks=callbacks,
        source=shown(source),
        call_site=shown(site),
        thread=threading.current_thread().name,
        eager=eager,
        equations=count_equations(closed),
        primitives=primitives(closed),
    )


_LOOPS = frozenset({"scan", "while", "cond", "custom_linear_solve"})


def entry_of_failure(failure: TraceFailure) -> Entry:
    """The entry of a function that died while being traced. Eager: it is one of JAX's own."""
    from jace.ir import count_equations, primitives

    body = failure.body
    closed = body.jaxpr if body is not None else None
    return Entry(
        name=failure.name,
        source=shown(failure.source),
        call_site=shown(failure.open[0].line),
        thread=threading.current_thread().name,
        eager=body is not None and is_jax_file(file_of(body.function.source)),
        equations=count_equations(closed) if closed is not None else 0,
        primitives=primitives(closed) if closed is not None else {},
    )
