"""Which steps of a body were taken in one call of a Python function of the user's: read from the steps' paths.

JAX does not see these calls, and nobody tells when one ends. But the path of a step says which functions ran and where
each was; a call goes on while its caller stays at the same instruction.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jace_repro.trace import callsite
from jace_repro.trace.model import Path, Step


@dataclass(eq=False)
class PythonCall:
    """A call of a Python function.

    Attributes:
        code: that of the function.
        caller: the path to where it is called.
        given: what its parameters stood for.
        start: the number of its first step in the body.
        steps: all that were taken in it.
        items: the same, with calls for those that were taken in one.
    """

    code: types.CodeType
    caller: Path
    given: Mapping[str, Any]
    start: int
    steps: list[Step]
    items: list[Step | PythonCall]


def calls(steps: Sequence[Step], depth: int = 1, start: int = 0) -> list[Step | PythonCall]:
    """Steps, those of a function `depth` calls below that of the body as one call."""
    found: list[Step | PythonCall] = []
    position = 0
    while position < len(steps):
        step = steps[position]
        end = position + 1
        if len(step.path) <= depth:
            found.append(step)
        else:
            while end < len(steps) and _goes_on(steps[end - 1], steps[end], depth):
                end += 1
            own = list(steps[position:end])
            items = calls(own, depth + 1, start + position)
            code, caller = step.path[depth][0], step.path[:depth]
            if code.co_name.startswith("<"):  # a comprehension, a lambda
                found += items
            elif len(items) == 1 and isinstance(items[0], PythonCall):  # does nothing but to call another
                items[0].caller = caller
                found += items
            else:
                found.append(
                    PythonCall(
                        code, caller, (step.entered or {}).get(depth, {}), start + position, own, items
                    )
                )
        position = end
    return found


def _goes_on(before: Step, after: Step, depth: int) -> bool:
    """Whether two steps, one after the other, were taken in the same call, if they were so one call up."""
    if len(before.path) <= depth or len(after.path) <= depth:
        return False
    caller, offset = before.path[depth - 1]
    if after.path[depth - 1] != (caller, offset) or before.path[depth][0] is not after.path[depth][0]:
        return False
    return not callsite.in_loop(caller, offset) or _advances(before, after, depth)


def _advances(before: Step, after: Step, depth: int) -> bool:
    """Whether a call that took one step may have taken the other after it: no loop, no way back."""
    (code, old), (other, new) = before.path[depth], after.path[depth]
    if code is not other:
        return False
    if new == old and len(before.path) > depth + 1 and len(after.path) > depth + 1:
        return _advances(before, after, depth + 1) or callsite.in_loop(code, new)
    return new > old or callsite.in_loop(code, new, old) or (new == old and callsite.is_unpacking(code, new))
