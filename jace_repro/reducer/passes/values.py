"""The pass that makes argument values simpler: zeros, ones, digits, integers, tenths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jace.ir import is_key_dtype
from jace_repro.reducer.ahead import Candidates
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Problem, complexity_of

Array = np.ndarray[Any, Any]


def _digits(array: Array) -> Array:
    """1, 2, 3, ... 9, 1, 2, ... in the array's shape."""
    return (np.arange(array.size) % 9 + 1).reshape(array.shape)


def _tenths(array: Array) -> Array:
    return np.rint(array.astype(np.float64) * 10) / 10


def _small(array: Array) -> Array:
    return np.clip(np.rint(array), -9, 9)


#: Simplest first; `complexity_of` of the result is that of its position or better.
SIMPLER: tuple[tuple[str, Callable[[Array], Array]], ...] = (
    ("zeros", np.zeros_like),
    ("ones", np.ones_like),
    ("digits", _digits),
    ("small integers", _small),
    ("integers", np.rint),
    ("tenths", _tenths),
)


def _shapes(problem: Problem) -> tuple[int, int]:
    return problem.key.equations, problem.key.elements


@reduction_pass("simplify values", order=110, trigger=_shapes)
def simplify_values(problem: Problem) -> Candidates:
    """All arguments at once, then one by one, from the simplest form that still fails."""
    current = problem
    for name in ("digits", "small integers"):
        candidate = _all(current, name)
        if candidate is not None and (yield candidate):
            current = candidate
            break
    for i in range(len(current.args)):
        for candidate in _forms(current, i):
            if (yield candidate):
                current = candidate
                break


def _all(problem: Problem, name: str) -> Problem | None:
    rule = dict(SIMPLER)[name]
    new = [_apply(rule, arg) if complexity_of(arg) > 3 and _is_inexact(arg) else arg for arg in problem.args]
    return Problem(
        problem.closed,
        tuple(a if b is None else b for a, b in zip(problem.args, new, strict=True)),
        f"arguments to {name}",
    )


def _forms(problem: Problem, position: int) -> Iterator[Problem]:
    arg = problem.args[position]
    level = complexity_of(arg)
    for name, rule in SIMPLER:
        new = _apply(rule, arg)
        if new is None or complexity_of(new) >= level:
            continue
        args = (*problem.args[:position], new, *problem.args[position + 1 :])
        yield Problem(problem.closed, args, f"argument {position} to {name}")


def _is_inexact(value: Any) -> bool:
    return bool(jnp.issubdtype(jax.typeof(value).dtype, jnp.inexact))


def _apply(rule: Callable[[Array], Array], value: Any) -> Any:
    """The simplified value, of the same type as `value`; None where there is none."""
    aval = jax.typeof(value)
    if is_key_dtype(aval.dtype):
        zeros = jnp.zeros(jax.random.key_data(value).shape, jnp.uint32)
        return (
            jax.random.wrap_key_data(zeros, impl=jax.random.key_impl(value))
            if rule is np.zeros_like
            else None
        )
    if jnp.issubdtype(aval.dtype, jnp.complexfloating) and rule in (_tenths, _small):
        return None
    with np.errstate(all="ignore"):
        wide = np.asarray(value)
        if wide.dtype != bool and wide.dtype.kind not in "iufc":
            wide = wide.astype(np.float64)
        new = rule(wide).astype(aval.dtype)
    if aval.weak_type and aval.shape == ():
        return new.item()
    return new
