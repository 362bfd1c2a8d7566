"""Values that leave a function other than through its result.

`jax.named_call(f)` only names what `f` does: a program may keep a value that `f` made in an attribute, and use it when
`f` is over (Haiku's modules do), or give `f` an object with such attributes. A function of a script cannot: what it
does stands in the place of its call then.
"""

from __future__ import annotations

import jax
import numpy as np

from jace_repro.emitter.tree.uses import Uses
from jace_repro.trace.model import Applied, Body, Closure, Function, Public, Step, Traced, bodies_of, leaves

_NAMED = Public("jax.named_call")


def inline_escapes(root: Body) -> None:
    """Put the steps of named functions in the place of their calls, where these cannot be written.

    That is where something else needs a value that they made, or they take or return an object of the program's.
    """
    changed = True
    while changed:
        changed, wanted = False, Uses().free(root)
        for body in bodies_of(root):
            named = [_named(step, wanted) for step in body.steps]
            if any(inner is not None for inner in named):
                pairs = zip(body.steps, named, strict=True)
                body.steps = [
                    s for step, inner in pairs for s in (inner.steps if inner is not None else [step])
                ]
                changed = True


def _named(step: Step, wanted: frozenset[int]) -> Body | None:
    """The run of a function that a step calls by name only, if it is to stand in the step's place."""
    operation = step.operation
    if not isinstance(operation, Applied) or operation.made.operation != _NAMED or not operation.made.args:
        return None
    function = operation.made.args[0]
    run = step.bodies.get(id(function)) if isinstance(function, Function) else None
    if run is None:
        return None
    if not all(isinstance(leaf, _DATA) for leaf in leaves((step.args, dict(step.kwargs), run.result))):
        return run
    uses = Uses()
    return run if any(wanted & uses.of_function(body)[1] for body in bodies_of(run)) else None


#: What a script can give a function, and get from it.
_DATA = (
    Traced,
    Closure,
    Function,
    np.ndarray,
    np.generic,
    jax.Array,
    bool,
    int,
    float,
    complex,
    str,
    type(None),
)
