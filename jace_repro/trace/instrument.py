"""Where the call tree takes hold of JAX: installing all of it, and how to undo that.

A public function written in Python gets other code while recording (:mod:`~jace_repro.trace.redirect`,
:mod:`~jace_repro.trace.public_calls`).  Jitted functions all pass two functions of JAX's
(:mod:`~jace_repro.trace.jitted`); custom derivatives, ufuncs and primitives have one method each
(:mod:`~jace_repro.trace.methods`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jace_repro.trace import builder, custom_primitives, eager, jitted, methods, public_calls, watching
from jace_repro.trace.changes import Change, Changes
from jace_repro.trace.public_api import public_functions

#: (module, name) of all that is needed of JAX beside its public names.
NEEDED = (*public_calls.NEEDED, *jitted.NEEDED, *methods.NEEDED)


def install() -> list[Callable[[], None]]:
    """Report to :mod:`jace_repro.trace.builder` what user functions under a trace ask of JAX, in all threads.

    Functions that take functions are watched all the time, the rest only while something is traced.
    Answers how to undo it: to be called last first.
    """
    public_functions()  # reads the functions' code: before it changes
    redirects = public_calls.redirects()
    always = Changes([*(r.code for r in redirects if r.always), public_calls.pullbacks()])
    watching.start(redirects, _patches)
    always.make()
    return [
        builder.forget,
        eager.forget,
        custom_primitives.forget,
        jitted.forget,
        watching.stop,
        always.take_back,
    ]


def _patches() -> Iterator[Change]:
    yield from methods.patches()
    yield from jitted.patches()
