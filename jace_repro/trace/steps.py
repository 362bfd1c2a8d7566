"""One step of the running user function: what it is given, where it stands, under which options, what it gave.

A failure to say so never reaches the program: the body it happened in says so (``problem``), and has no script.
"""

from __future__ import annotations

import contextlib
import enum
import operator
import types
from collections.abc import Iterator, Mapping
from typing import Any

import jax

from jace_repro.trace import callsite, inspect, stack
from jace_repro.trace.model import (
    FOLDING,
    Applied,
    Body,
    Bound,
    Custom,
    Function,
    Mapped,
    Method,
    Operation,
    Public,
    Step,
    kind_of,
    leaves,
)
from jace_repro.trace.values import VALUES, glance

#: Options that a program changes by a context manager of the same name without "jax_".
CONTEXTS = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_prng_impl",
    "jax_threefry_partitionable",
)
_values = operator.attrgetter(*CONTEXTS)


def options() -> tuple[Any, ...]:
    """The values of CONTEXTS now, and whether FOLDING is entered."""
    return (*_values(jax.config), inspect.folds_constants())


def remark(body: Body, error: Exception) -> None:
    """Note in a body why what it did is not known in full: the first such reason."""
    body.problem = body.problem or f"{type(error).__name__}: {error}"


def begin(body: Body, operation: Operation, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Step | None:
    """The step that the running user function takes, described before JAX sees the arguments.

    None, and a remark in the body, when it cannot be described.
    """
    try:
        known = stack.known_values()
        assert known is not None
        names = known.names  # most arguments are known
        shown = tuple([names.get(id(a)) or stack.data_of(a) for a in args])
        step = Step(operation, shown, stack.data_of(dict(kwargs)) if kwargs else {})
        if type(operation) not in _CALL_NOTHING and not _only_values(operation, step):
            step.before = {id(f): f.body for f in functions(step)}
        frame = callsite.user_frame()
        if frame is not None:
            step.line = callsite.line_of(frame)
            step.targets, body.unpacking = callsite.names_for(frame, body.unpacking)
            if not known.eager:
                _locate(step, frame, body)
        now = options()
        if now != body.config:
            pairs = zip((*CONTEXTS, FOLDING), now, body.config, strict=True)
            changed = ((n, v) for n, v, old in pairs if v != old)
            step.config = {n: v.value if isinstance(v, enum.Enum) else v for n, v in changed}
        return step
    except Exception as error:
        remark(body, error)
        return None


def end(body: Body, step: Step, result: Any) -> None:
    """The user function has the result of a step, which is one of the body's now."""
    try:
        step.result = stack.data_of(result, closures=type(step.operation) is not Mapped)
        if step.before:
            _find_bodies(step)
        body.steps.append(step)
    except Exception as error:
        remark(body, error)


def functions(step: Step) -> Iterator[Function]:
    """The user functions that a step hands to JAX, its operation's included."""
    operation = step.operation
    if isinstance(operation, Applied):
        yield from functions(operation.made)
    elif isinstance(operation, Custom):
        yield from (operation.function, *operation.rules)
    for leaf in (*leaves(step.args), *leaves(dict(step.kwargs))):
        if isinstance(leaf, Function):
            yield leaf


#: Steps of theirs have no functions of the user's among the arguments, or have run them themselves.
_CALL_NOTHING = frozenset({Method, Bound, Mapped})


def _only_values(operation: Operation, step: Step) -> bool:
    """Whether a step obviously has no functions of the user's; most have none."""
    values = (*step.args, *step.kwargs.values())
    return type(operation) is Public and VALUES.issuperset(map(type, values))


def _locate(step: Step, frame: types.FrameType, body: Body) -> None:
    """Note which functions of the user's run, and what those that have just been called were given."""
    before = body.steps[-1].path if body.steps else ()
    here = (frame.f_code, frame.f_lasti)
    if before and callsite.called_from(frame, before, stack.USER_RUNS):
        step.path = (*before[:-1], here)
        if here[1] > before[-1][1]:
            return  # the same call goes on
        looped = [depth for depth, site in enumerate(before[:-1]) if callsite.in_loop(*site)]
        if not looped:
            return
        frames = callsite.calls_from(frame, stack.USER_RUNS)
        new = {depth: frames[depth] for depth in range(looped[0] + 1, len(frames))}
    else:
        frames = callsite.calls_from(frame, stack.USER_RUNS)
        step.path = tuple([(f.f_code, f.f_lasti) for f in frames])
        same, both = 0, min(len(before), len(frames))
        while same < both and step.path[same] == before[same]:
            same += 1
        if same == len(frames):
            same -= 1  # the same instruction again: in a loop, of this function or of its caller
        elif same < both and step.path[same][0] is before[same][0]:
            same += step.path[same][1] > before[same][1]  # the same call goes on
        new = {depth: frames[depth] for depth in range(max(same, 1), len(frames))}
    known = stack.known_values()
    if not new or known is None:
        return
    with contextlib.suppress(Exception):  # of an object of the program's; these are only names
        step.entered = {
            depth: {name: glance(known, v) for name, v in callsite.parameters_of(f).items()}
            for depth, f in new.items()
        }


def _find_bodies(step: Step) -> None:
    """How the functions of a step ran: in it, or in one that was alike, whose trace JAX has kept."""
    key = None
    for function in functions(step):
        if function.body is not step.before.get(id(function)):
            if function.body is not None:
                step.bodies[id(function)] = function.body
                key = key or _signature(step)
                function.by_call[key] = function.body
        elif not (isinstance(step.operation, Custom) and function in step.operation.rules):
            key = key or _signature(step)
            if key in function.by_call:
                step.bodies[id(function)] = function.by_call[key]


def _signature(step: Step) -> Any:
    """What two steps have in common when JAX may take the trace of one for the other."""
    operation = step.operation
    what: Any = getattr(operation, "name", type(operation).__name__)
    if isinstance(operation, Applied):
        what = _signature(operation.made)
    kwargs = dict(step.kwargs)
    shown = [kind_of(leaf) for leaf in (*leaves(step.args), *leaves(kwargs))]
    return (what, len(step.args), tuple(kwargs), tuple(shown), tuple(step.config.items()))
