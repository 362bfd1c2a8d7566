"""Which values the functions of a call tree use, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from jace_repro.emitter.tree.rule_bodies import rule_bodies, static_body
from jace_repro.trace.frames import shown
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Called,
    Closure,
    Custom,
    Function,
    Helper,
    Jitted,
    Mapped,
    Step,
    Traced,
    leaves,
    values,
)

_BEFORE = " (what transforms made before the recording began is not known)"


class Uses:
    """The values that functions and steps use, each function looked at once, or as often as they call each other."""

    def __init__(self) -> None:
        self._free: dict[int, tuple[int, ...]] = {}
        self._open: list[Body] = []

    def free(self, body: Body) -> frozenset[int]:
        """The values that a body uses and does not define, in itself or in a function that it calls."""
        return frozenset(self._captured(body))

    def _captured(self, body: Body) -> tuple[int, ...]:
        """The same, in the order in which the body uses them first.

        A derivative rule may call its function, which has the rule: what is known of all of them grows until it is
        complete.
        """
        if id(body) not in self._free:
            self._free[id(body)] = ()
            self._open.append(body)
            if len(self._open) == 1:
                while self._has_grown():
                    pass
                self._open = []
        return self._free[id(body)]

    def _has_grown(self) -> bool:
        """Whether another look at the open functions, the innermost first, has told more of one."""
        count, grown = len(self._open), False
        for body in reversed(self._open):
            used, defined = self.of_function(body)
            free = tuple(value for value in used if value not in defined)
            grown = grown or set(free) != set(self._free[id(body)])
            self._free[id(body)] = free
        return grown or len(self._open) > count

    def of_function(self, body: Body) -> tuple[dict[int, list[int]], set[int]]:
        """(steps that use a value, by its id; the values the body defines).  The result counts as a step."""
        used: dict[int, list[int]] = {}
        defined = {t.id for t in values((body.args, dict(body.kwargs)))}
        for index, step in enumerate(all_steps(body)):
            for value in self.of_step(step):
                used.setdefault(value, []).append(index)
            if isinstance(step.operation, Mapped):
                continue  # what it returns is made by the steps of its function, or was there before
            results = {t.id for t in values(step.result)}
            defined |= results - used.keys()  # what was there before is returned again: x.astype(x.dtype)
        for leaf in leaves(body.result):
            if isinstance(leaf, Traced | Closure):
                used.setdefault(leaf.id, []).append(len(all_steps(body)))
        return used, defined

    def of_step(self, step: Step) -> list[int]:
        """The values that a step uses, each as often as it does."""
        found: list[int] = []
        operation = step.operation
        self._values(step.args, dict(step.kwargs), step.bodies, found)
        if isinstance(operation, Applied):
            made: Any = operation.made
            while made is not None:
                self._values(made.args, dict(made.kwargs), step.bodies, found)
                made = made.operation.made if isinstance(made.operation, Applied) else None
        elif isinstance(operation, Called):
            found.append(operation.closure.id)
        elif isinstance(operation, Jitted | Helper) and operation.body is not None:
            found += self._captured(operation.body)
        elif isinstance(operation, Custom):
            body = step.bodies.get(id(operation.function)) or static_body(operation)
            for used in (body, *rule_bodies(operation, step)):
                found += self._captured(used) if used is not None else ()
        return found

    def _values(self, args: Any, kwargs: Any, bodies: Mapping[int, Body], found: list[int]) -> None:
        for leaf in leaves((args, kwargs)):
            if isinstance(leaf, Traced | Closure):
                found.append(leaf.id)
            elif isinstance(leaf, Function):
                body = bodies.get(id(leaf)) or leaf.only_body()
                if body is not None:
                    found += self._captured(body)

    def unknown(self, body: Body, wanted: frozenset[int]) -> str:
        """What to say of values that come from nowhere: the innermost step that uses one."""
        for step in all_steps(body):
            for inner in step.bodies.values():
                if self.free(inner) & wanted:
                    return self.unknown(inner, wanted)
            if wanted & set(self.of_step(step)):
                what = f"{operation_name(step.operation)} at {shown(step.line)}"
                return f"{what} uses a value that no recorded call has made{_BEFORE}"
        return f"{body.function.name} answers a value that no recorded call has made{_BEFORE}"


def operation_name(operation: Any) -> str:
    """An operation, for a message."""
    if isinstance(operation, Applied):
        return f"what {operation_name(operation.made.operation)} returned"
    if isinstance(operation, Jitted | Custom):
        return f"{type(operation).__name__.lower()} {operation.function.name}"
    if isinstance(operation, Helper):
        return operation.function.name
    if isinstance(operation, Bound):
        return str(operation.primitive)
    if isinstance(operation, Mapped):
        return "jax.tree.map"
    return str(getattr(operation, "name", "a closure"))


def all_steps(body: Body) -> list[Step]:
    """The steps of a function; see `flattened`."""
    return flattened(body.steps)


def flattened(steps: Sequence[Step]) -> list[Step]:
    """Steps with those of mapped functions before each map, as they may be written out."""
    found: list[Step] = []
    todo = list(reversed(steps))
    while todo:
        step = todo.pop()
        if isinstance(step.operation, Mapped) and step.operation.runs:
            todo.append(replace(step, operation=replace(step.operation, runs=())))
            todo += [s for run in reversed(step.operation.runs) for s in reversed(run.steps)]
        else:
            found.append(step)
    return found


def count_steps(steps: Sequence[Step]) -> int:
    """How many steps `all_steps` finds in these."""
    inner = (run.steps for s in steps if isinstance(s.operation, Mapped) for run in s.operation.runs)
    return len(steps) + sum(map(count_steps, inner))
