"""Which run of a derivative rule belongs to which call of its function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jace_repro.trace.model import Body, Custom, Function, Step, Traced, kind_of, leaves


def dropped(operation: Custom) -> list[tuple[int, ...]]:
    """For each rule, the positions of its arguments that are not differentiated."""
    first = tuple(range(len(operation.nondiff)))
    return [operation.nondiff, first] if operation.kind == "custom_vjp" else [first]


def static_body(operation: Custom) -> Body | None:
    """How the function ran last with these arguments that are not differentiated."""
    return matching_body(operation.function, operation.nondiff, operation.static)


def rule_bodies(operation: Custom, step: Step) -> list[Body | None]:
    """How each rule ran: during this step, else last with these arguments that are not differentiated."""
    pairs = zip(operation.rules, dropped(operation), strict=True)
    bodies = [step.bodies.get(id(r)) or matching_body(r, drop, operation.static) for r, drop in pairs]
    if operation.kind == "custom_vjp" and bodies[0] is not None and id(operation.rules[1]) not in step.bodies:
        bodies[1] = backward(operation, bodies[0]) or bodies[1]
    return bodies


def backward(operation: Custom, forward: Body) -> Body | None:
    """How the backward rule ran last on what this run of the forward rule kept for it."""
    if type(forward.result) not in (tuple, list) or len(forward.result) != 2:
        return None
    kept = leaves(forward.result[1])
    for body in reversed(operation.rules[1].bodies):
        taken = leaves(body.args[-2]) if len(body.args) >= 2 else []
        static = leaves(body.args[:-2])
        if not all(map(alike, static, leaves(operation.static))):
            continue
        if len(taken) == len(kept) and all(map(alike, kept, taken)):
            return body
    return None


def alike(one: Any, other: Any) -> bool:
    """Whether two leaves are values of one type, or the same constant."""
    if isinstance(one, Traced) or isinstance(other, Traced):
        return isinstance(one, Traced) and isinstance(other, Traced) and one.aval == other.aval
    if one is other:
        return True
    if isinstance(one, jax.Array | np.ndarray | np.generic) or isinstance(
        other, jax.Array | np.ndarray | np.generic
    ):
        return np.array_equal(np.asarray(one), np.asarray(other))
    return kind_of(one) == kind_of(other) or bool(type(one) is type(other) and one == other)


def matching_body(function: Function, drop: Sequence[int], static: Sequence[Any]) -> Body | None:
    """How a function ran last with these arguments; `drop` are their positions."""
    for body in reversed(function.bodies):
        mine = [body.args[i] for i in drop]
        if all(
            a is b or (comparable(a) and comparable(b) and a == b) for a, b in zip(mine, static, strict=True)
        ):
            return body
    return None


def comparable(value: Any) -> bool:
    """Whether a value contains no array: comparing those gives an array."""
    return not any(isinstance(leaf, np.ndarray | jax.Array) for leaf in leaves(value))
