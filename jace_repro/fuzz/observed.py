"""Programs in which a wrong result is seen: what could be wrong and change no output is given out, too.

JAX's functions guard against what hardly ever happens: a branch that no element takes, a sign that is multiplied by
zero, a condition far from its threshold. A bug in there shows in no output of theirs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace_repro.fuzz.values import is_whole, wide
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import bits_equal
from jace_repro.tester.numerics.errormodel import is_inexact
from jace_repro.tester.numerics.noise import eps_of

_Array = np.ndarray[Any, Any]

#: Equations that are evaluated at most to find out whether others show; those that are left count as seen.
EFFORT = 4000
#: What is no more than so many units in the last place of its type, or such a part, may be rounding.
_ULPS, _PART = 2048, 0.05


def observed(closed: ClosedJaxpr, arrays: Sequence[Any]) -> Callable[..., list[Any]]:
    """A program's function that gives out its outputs, and after them what could be wrong and nobody would see.

    What is looked at is each equation outside of loops and branches, from the last to the first: whether another result
    of it changes an output, by more than rounding may. Calls stay calls; a custom derivative in which something is
    given out becomes its function.

    Args:
        closed: the program.
        arrays: its inputs, on which it is looked at.
    """
    return _giving(closed, frozenset(unseen(closed, arrays)))


class _Place(int):
    """Where a value is kept, unlike a value that is an integer."""


@dataclass(frozen=True)
class _Leaf:
    """An equation that is no call.

    Attributes:
        operands: places of their values, or the values.
        results: places.
    """

    eqn: JaxprEqn
    operands: tuple[Any, ...]
    results: tuple[_Place, ...]


class _Flat:
    """A program without calls: its leaves in order, and where its inputs and outputs are.

    Attributes:
        values: what each place holds, None before it is evaluated.
    """

    def __init__(self, closed: ClosedJaxpr, arrays: Sequence[Any]) -> None:
        self.values: list[Any] = []
        self.leaves: list[_Leaf] = []
        self.outputs = self._add(closed, [self._place(x) for x in arrays])

    def _place(self, value: Any = None) -> _Place:
        self.values.append(value)
        return _Place(len(self.values) - 1)

    def _add(self, closed: ClosedJaxpr, given: Sequence[Any]) -> list[Any]:
        jaxpr = closed.jaxpr
        env: dict[Var, Any] = dict(zip(jaxpr.invars, given, strict=True))
        env.update(zip(jaxpr.constvars, closed.consts, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, Literal) else env[atom]

        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            if (call := ir.expand_call(eqn)) is None:
                results: Sequence[Any] = [self._place() for _ in eqn.outvars]
                self.leaves.append(_Leaf(eqn, tuple(operands), tuple(results)))
            else:
                results = self._add(call.body, native.given(call, eqn, operands))
            env.update(zip(eqn.outvars, results, strict=True))
        return [read(v) for v in jaxpr.outvars]

    def results(self, leaf: _Leaf, values: Sequence[Any]) -> list[Any]:
        """What a leaf gives where the places hold these values. Raises `native.TooLongError`."""
        operands = [values[x] if isinstance(x, _Place) else x for x in leaf.operands]
        return native.stepped(leaf.eqn, operands)


def unseen(closed: ClosedJaxpr, arrays: Sequence[Any]) -> list[int]:
    """The equations, numbered in order without calls, whose results are to be given out for all to be seen."""
    # a collective has no value outside of its mesh
    if any(eqn.primitive.name == "shard_map" for _, eqn in ir.walk(closed)):
        return []
    flat = _Flat(closed, arrays)
    try:
        for leaf in flat.leaves:
            for place, value in zip(leaf.results, flat.results(leaf, flat.values), strict=True):
                flat.values[place] = value
    except native.TooLongError:
        return []
    shown: set[int] = {place for place in flat.outputs if isinstance(place, _Place)}
    found, left = [], EFFORT
    for number in reversed(range(len(flat.leaves))):
        if left <= 0:
            break
        leaf = flat.leaves[number]
        if not any(_is_worth_it(flat.values[place]) for place in leaf.results):
            continue
        seen, spent = _shows(flat, number, shown)
        left -= spent
        if not seen:
            found.append(number)
            shown.update(leaf.results)
    return sorted(found)


def _shows(flat: _Flat, number: int, shown: set[int]) -> tuple[bool, int]:
    """Whether a wrong result of a leaf changes what is given out, and how many leaves were evaluated for that."""
    changed: dict[int, Any] = {
        place: wrong(value)
        for place in flat.leaves[number].results
        if _can_be_wrong(value := flat.values[place])
    }
    if not shown.isdisjoint(changed):
        return True, 1
    values = [*flat.values]
    for place, value in changed.items():
        values[place] = value
    spent = 1
    for leaf in flat.leaves[number + 1 :]:
        if changed.keys().isdisjoint(x for x in leaf.operands if isinstance(x, _Place)):
            continue
        spent += 1
        try:
            results = flat.results(leaf, values)
        except native.TooLongError:
            return True, spent
        for place, new in zip(leaf.results, results, strict=True):
            old = flat.values[place]
            if place in shown and _can_be_wrong(old):
                if differs(new, old):
                    return True, spent
            elif not isinstance(old, np.ndarray) or not bits_equal(new, old):  # a key is no array
                values[place] = changed[place] = new
    return False, spent


def _can_be_wrong(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.nbytes > 0  # the tangent of an integer has none


def _is_worth_it(value: Any) -> bool:
    """Whether a value may be given out: what is not finite says little, and hides what is computed from it."""
    if not _can_be_wrong(value):
        return False
    return not is_inexact(value.dtype) or bool(np.all(np.isfinite(wide(value))))


def differs(new: _Array, old: _Array) -> bool:
    """Whether a value is another one, by more than rounding may explain."""
    if not is_inexact(old.dtype):
        return not bits_equal(new, old)
    one, other = wide(new), wide(old)
    part = min(_PART, _ULPS * eps_of(old.dtype))
    with np.errstate(all="ignore"):
        near = (np.abs(one - other) <= part * np.abs(other)) | (one == other)
    return not bool(np.all(near | (np.isnan(one) & np.isnan(other))))


def wrong(value: _Array) -> _Array:
    """Another value throughout: by a quarter, or by one."""
    if value.dtype == bool:
        return ~value
    if is_whole(value.dtype):
        return value + np.ones_like(value)
    number = wide(value)
    with np.errstate(all="ignore"):
        return np.where(np.isfinite(number), number * 1.25 + (number == 0), 3).astype(value.dtype)


# --- giving it out ------------------------------------------------------------------------------------------------


def _giving(closed: ClosedJaxpr, leaves: Collection[int]) -> Callable[..., list[Any]]:
    """The function of a program that gives out the results of some leaves, too."""

    def function(*arrays: Any) -> list[Any]:
        outputs, more = _run(closed, arrays, 0, leaves)
        return [*outputs, *more]

    return function


def _run(
    closed: ClosedJaxpr, args: Sequence[Any], first: int, leaves: Collection[int]
) -> tuple[list[Any], list[Any]]:
    """The outputs of a program whose first leaf has a number, and the results of those of its leaves that are named."""
    number, found = first, []

    def equation(eqn: JaxprEqn, operands: list[Any]) -> list[Any]:
        nonlocal number
        start, number = number, number + _count(eqn)
        if not any(start <= leaf < number for leaf in leaves):
            return ir.eval_equation(eqn, operands)
        call = ir.expand_call(eqn)
        if call is None:
            results = ir.eval_equation(eqn, operands)
            found.extend(results)
            return results
        body: Callable[..., Any] = functools.partial(_run, call.body, first=start, leaves=leaves)
        if eqn.primitive.name == "jit":
            body = _jitted(body, eqn.params["name"])
        results, more = body(native.given(call, eqn, operands))
        found.extend(more)
        return results

    return ir.evaluate(closed, args, equation), found


def _jitted(body: Callable[..., Any], name: str) -> Callable[..., Any]:
    def function(args: Sequence[Any]) -> Any:
        return body(args)

    function.__name__ = name
    return jax.jit(function)


def _count(eqn: JaxprEqn) -> int:
    """How many leaves there are in an equation."""
    call = ir.expand_call(eqn)
    return 1 if call is None else sum(map(_count, call.body.jaxpr.eqns))
