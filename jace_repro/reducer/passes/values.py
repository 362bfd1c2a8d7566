"""The passes that make values simpler, of arguments and of literals: zeros, ones, digits, integers, few decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jace import ir
from jace.ir import is_key_dtype
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import each_equation
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem, complexity_of, literals_of, number, text_length

Array = np.ndarray[Any, Any]


def _digits(array: Array) -> Array:
    """1, 2, 3, ... 9, 1, 2, ... in the array's shape."""
    return (np.arange(array.size) % 9 + 1).reshape(array.shape)


def _tenths(array: Array) -> Array:
    return np.rint(array.astype(np.float64) * 10) / 10


def _small(array: Array) -> Array:
    return np.clip(np.rint(array), -9, 9)


def _largest(array: Array) -> Array:
    """The number of the largest size, everywhere."""
    if not array.size:
        return array
    flat = array.reshape(-1)
    return np.full_like(array, flat[np.argmax(np.nan_to_num(np.abs(flat.astype(np.complex128))))])


def _rounded(figures: int, way: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """To so many figures."""

    def rounded(array: Array) -> Array:
        wide = array.astype(np.float64)
        size = np.abs(wide)
        usable = (size > 0) & np.isfinite(size)
        unit = 10.0 ** (np.floor(np.log10(np.where(usable, size, 1))) - (figures - 1))
        return np.where(usable, way(wide / unit) * unit, wide)

    return rounded


#: Simplest first; `complexity_of` of the result is that of its position or better.
SIMPLER: tuple[tuple[str, Callable[[Array], Array]], ...] = (
    ("zeros", np.zeros_like),
    ("ones", np.ones_like),
    ("digits", _digits),
    ("one number", _largest),
    ("small integers", _small),
    ("integers", np.rint),
    ("integers below", np.floor),
    ("integers above", np.ceil),
    ("tenths", _tenths),
    ("one figure", _rounded(1, np.rint)),
    ("one figure, away from zero", _rounded(1, lambda x: np.copysign(np.ceil(np.abs(x)), x))),
    ("three figures", _rounded(3, np.rint)),
)
#: Rules that complex numbers have, too.
_OF_COMPLEX = frozenset({np.zeros_like, np.ones_like, _digits, _largest, np.rint})


@reduction_pass("simplify values", order=110, trigger=sizes_left)
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
    for name, new in _simpler(problem.args[position]):
        args = (*problem.args[:position], new, *problem.args[position + 1 :])
        yield Problem(problem.closed, args, f"argument {position} to {name}")


def _simpler(value: Any) -> Iterator[tuple[str, Any]]:
    """Simpler values of the same type, the simplest first, and what they are called."""
    level = complexity_of(value), text_length(value)
    for name, rule in SIMPLER:
        new = _apply(rule, value)
        if new is not None and (complexity_of(new), text_length(new)) < level:
            yield name, new


@reduction_pass("simplify literals", order=120, trigger=sizes_left)
def simplify_literals(problem: Problem) -> Candidates:
    """The numbers in the equations, one by one."""
    current = problem
    for literal in literals_of(problem.jaxpr):
        for name, new in _simpler(_typed(literal)):
            closed = _with_literal(current.closed, literal, new)
            if (yield Problem(closed, current.args, f"the literal {literal.val} to {name}")):
                current = Problem(closed, current.args)
                break


def _typed(literal: ir.Literal) -> Any:
    """Its value with its type: a Python scalar where that is weak."""
    aval: Any = literal.aval
    array = np.asarray(literal.val).astype(aval.dtype)
    return array.item() if aval.weak_type else array


def _with_literal(closed: ir.ClosedJaxpr, literal: ir.Literal, value: Any) -> ir.ClosedJaxpr:
    """The program with another number in the place of a literal, wherever it stands."""
    other = number(value, literal.aval)
    return each_equation(
        closed, lambda eqn: eqn.replace(invars=[other if v is literal else v for v in eqn.invars])
    )


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
    if jnp.issubdtype(aval.dtype, jnp.complexfloating) and rule not in _OF_COMPLEX:
        return None
    with np.errstate(all="ignore"):
        wide = np.asarray(value)
        if wide.dtype != bool and wide.dtype.kind not in "iufc":
            wide = wide.astype(np.float64)
        new = rule(wide).astype(aval.dtype)
    if aval.weak_type and aval.shape == ():
        return new.item()
    return new
