"""The rules of primitives that are not JAX's own: how they ran while a program was traced.

A library (equinox, lineax) may bind primitives of its own, with Python functions that say what becomes of them under
`jax.grad` and `jax.vmap`.  JAX calls these whenever it transforms the primitive, be it in the user's
function or in the body of a loop long after.  Each run is kept as a :class:`~jace_repro.trace.model.Body`, with the
parameters of the primitive that it ran for.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Literal

import jax
from jax.interpreters import ad, batching

from jace_repro.trace import builder, stack
from jace_repro.trace.model import Body, Function

Kind = Literal["jvp", "transpose", "batch"]

#: The rules of all primitives, by kind.
_RULES: Mapping[Kind, MutableMapping[Any, Callable[..., Any]]] = {
    "jvp": ad.primitive_jvps,
    "transpose": ad.primitive_transposes,
    "batch": batching.fancy_primitive_batchers,
}
#: Runs that are kept of each rule: those of one trace, and of the traces that JAX keeps for it.
_KEPT = 2048


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a rule of a primitive with these parameters."""

    kind: Kind
    params: Mapping[str, Any]
    body: Body


_runs: dict[Any, deque[Run]] = {}
_originals: dict[tuple[Kind, Any], Callable[..., Any]] = {}
_seen: dict[Kind, int] = {}


def watch() -> None:
    """Record the runs of the rules of all primitives that are not JAX's own and are known by now."""
    for kind, rules in _RULES.items():
        if _seen.get(kind) != len(rules):
            for primitive, rule in list(rules.items()):
                if (kind, primitive) not in _originals and not builder.is_made_by_jax(primitive.impl):
                    _originals[kind, primitive] = rule
                    rules[primitive] = _watched(kind, primitive, rule)
            _seen[kind] = len(rules)


def forget() -> None:
    """Give the primitives their rules back, and let the runs go."""
    for (kind, primitive), rule in _originals.items():
        _RULES[kind][primitive] = rule
    _originals.clear()
    _seen.clear()
    _runs.clear()


def has_run(primitive: Any) -> bool:
    """Whether any rule of a primitive has run."""
    return bool(_runs.get(primitive))


def runs_of(primitive: Any, params: Mapping[str, Any]) -> list[Run]:
    """How the rules of a primitive ran for these parameters, the last run first."""
    return [run for run in reversed(_runs.get(primitive, ())) if _same(dict(run.params), dict(params))]


def _watched(kind: Kind, primitive: Any, rule: Callable[..., Any]) -> Callable[..., Any]:
    parameters = {
        "jvp": ("primals", "tangents"),
        "transpose": ("cotangents",),
        "batch": ("axis", "args", "dims"),
    }[kind]
    function = Function(f"{primitive.name}_{kind}", "", parameters, rule)
    runs = _runs.setdefault(primitive, deque(maxlen=_KEPT))

    @functools.wraps(rule)
    def call(*args: Any, **params: Any) -> Any:
        if not stack.jax_traces():
            return rule(*args, **params)
        result, body = builder.run(function, functools.partial(rule, **params), args)
        runs.append(Run(kind, params, body))
        return result

    return call


def _same(one: Any, other: Any) -> bool:
    """Whether two parameters are the same object, or plain data that is alike: the rest may have any `==`."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    return isinstance(one, str | bool | int | float | jax.tree_util.PyTreeDef) and bool(one == other)
