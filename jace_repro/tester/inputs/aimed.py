"""Inputs that take the operands of a program's equations to where these are critical.

A critical point of an operation (`critical`) is easily tried where its operand is an input. Behind other operations it
is propagated backward, equation by equation (`inverses`), to what the inputs must be; what rounding makes of that is
put right by asking again, by as much as the operand is off. Each element of an input is set once, for one equation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, Literal, Var

from jace.ir import CONTROL, inline_calls
from jace_repro.tester.inputs import critical
from jace_repro.tester.inputs.inverses import Wanted, invert
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import is_float
from jace_repro.tester.numerics.noise import limits_of

_Array = np.ndarray[Any, Any]
_Values = dict[Var, _Array]

#: Of longer programs the beginning is aimed at; arrays of more numbers are left as they are.
MAX_EQUATIONS = 200
MAX_ELEMENTS = 1 << 16
#: So many places of a program are aimed at, at most.
MOST = 12
#: The share of an operand's elements that is aimed at, at most: the others show what comes of ordinary numbers.
SHARE = 0.5
#: The largest number that anything is to be: beside large ones others are lost, which is a question of its own.
LARGEST = (100.0, 2.0**25)
#: Ways to reach a target that are tried: of two operands that would do, now the last is changed and now the first.
WAYS = 4
OTHER_WAY = 0.5
#: A target that is missed by so many roundings is nearly reached.
NEAR = 4.0
#: Sets of inputs, each with other targets: as many as set about so many elements of inputs, and at most.
ELEMENTS = 256
SETS = 6
#: Results of which some elements come from one operand and some from another.
_SHARED = frozenset({"select_n", "concatenate", "stack", "pad", "dynamic_update_slice"})


@dataclass(frozen=True)
class Place:
    """An operand that is critical for its equation at some numbers: those of the primitive `about`."""

    index: int
    operand: Var
    about: str


def can_aim(closed: ClosedJaxpr) -> bool:
    """Whether there is anything to aim at."""
    return bool(_places(inline_calls(closed)))


def sets(closed: ClosedJaxpr) -> int:
    """How many sets of inputs to aim: an array of few elements is critical at few points at a time."""
    size = sum(v.aval.size for v in closed.jaxpr.invars if _is_real(v))
    return max(1, min(SETS, ELEMENTS // max(size, 1)))


def aimed(closed: ClosedJaxpr, args: Sequence[Any], rng: np.random.Generator) -> list[Any]:
    """The arguments with elements changed so that operands of equations become critical.

    Args:
        closed: a program.
        args: one array an input; typed keys stay what they are.
        rng: chooses the places, the elements and the numbers.
    """
    flat = inline_calls(closed)
    places = _places(flat)
    largest = rng.choice(LARGEST)
    given: dict[Var, Any] = dict(zip(flat.jaxpr.invars, args, strict=True))
    free = {v: np.ones(a.shape, bool) for v, a in given.items() if _is_real(v)}
    for k in rng.permutation(len(places))[:MOST]:
        reached = _reach(flat, places[k], given, free, rng, min(SHARE, 2 / len(places)), largest)
        for var, array in reached.items():
            free[var] &= array == np.asarray(given[var])
        given |= reached
    return list(given.values())


def _places(flat: ClosedJaxpr) -> list[Place]:
    """The operands that depend on inputs, of operations that have critical points; up to the first loop."""
    found: list[Place] = []
    depends = _dependent(flat, filter(_is_real, flat.jaxpr.invars))
    for index, eqn in enumerate(flat.jaxpr.eqns[:MAX_EQUATIONS]):
        if eqn.primitive.name in CONTROL or eqn.effects:
            break
        if eqn.primitive.name in _KNOWN:
            operands = (v for v in eqn.invars if isinstance(v, Var) and v in depends)
            found += [Place(index, v, eqn.primitive.name) for v in operands if v.aval.size <= MAX_ELEMENTS]
    return found


def _dependent(flat: ClosedJaxpr, inputs: Iterable[Var]) -> Set[Var]:
    """The real variables that depend on some of the inputs."""
    found = set(inputs)
    for eqn in flat.jaxpr.eqns[:MAX_EQUATIONS]:
        if any(isinstance(v, Var) and v in found for v in eqn.invars):
            found.update(filter(_is_real, eqn.outvars))
    return found


_KNOWN = critical.POINTS.keys() | critical.LIMITS.keys()


def _is_real(var: Var) -> bool:
    return is_float(getattr(var.aval, "dtype", np.dtype(bool)))


def _evaluated(flat: ClosedJaxpr, given: _Values, until: int) -> _Values | None:
    """The values of the inputs and of so many equations; None where it cannot be evaluated on these inputs."""
    values: dict[Var, Any] = given | dict(zip(flat.jaxpr.constvars, flat.consts, strict=True))
    each = native.evaluate_each(flat, [given[v] for v in flat.jaxpr.invars])
    try:
        for _, eqn, _, results in itertools.islice(each, until):
            values.update(zip(eqn.outvars, results, strict=True))
    except Exception:  # plain JAX refuses such values: they are not tried
        return None
    return values


def _targets(place: Place, now: _Array, rng: np.random.Generator, share: float, largest: float) -> Wanted:
    """Numbers for some elements of an operand: finite ones, whose squares are finite as well."""
    pool = critical.floats(place.about, now.dtype).astype(np.float64)
    pool = pool[np.abs(pool) <= min(largest, np.sqrt(float(limits_of(now.dtype).max)))]
    mask = rng.random(now.size) < share
    mask[rng.integers(now.size) if now.size else slice(0)] = True
    return Wanted(rng.choice(pool, now.shape), mask.reshape(now.shape))


def _reach(
    flat: ClosedJaxpr,
    place: Place,
    given: _Values,
    free: dict[Var, _Array],
    rng: np.random.Generator,
    share: float,
    largest: float,
) -> _Values:
    """Other inputs, of the elements that are free, with which more elements of an operand are critical."""
    values = _evaluated(flat, given, place.index)
    if values is None:
        return {}
    targets = _targets(place, np.asarray(values[place.operand]), rng, share, largest)
    best: _Values = {}
    most, depends = _reached(values, place, targets), _dependent(flat, free)
    for _ in range(WAYS):
        aim = targets
        for _ in range(2):
            tried = _pulled(flat, place, aim, values, free, depends, rng)
            after = _evaluated(flat, given | tried, place.index) if tried else None
            if after is None:
                break
            reached = _reached(after, place, targets)
            if reached > most:
                best, most = tried, reached
            got = np.asarray(after[place.operand]).astype(np.float64)
            off = np.where(targets.mask & np.isfinite(got), targets.values - got, 0.0)
            aim = Wanted(aim.values + off, aim.mask)
    return best


def _reached(values: _Values, place: Place, targets: Wanted) -> int:
    """How many elements are what they are to be; half of that for those that are so but for the last digit."""
    array = np.asarray(values[place.operand])
    off = np.abs(array.astype(np.float64) - targets.values)
    near = off <= NEAR * float(limits_of(array.dtype).eps) * np.abs(targets.values)
    return int((targets.mask & (off == 0)).sum() + (targets.mask & near).sum())


def _pulled(
    flat: ClosedJaxpr,
    place: Place,
    aim: Wanted,
    values: _Values,
    free: dict[Var, _Array],
    depends: Set[Var],
    rng: np.random.Generator,
) -> _Values:
    """What the inputs must be, as far as their elements are free, for an operand to be what is wanted."""
    wanted: dict[Var, Wanted] = {place.operand: aim}
    for eqn in reversed(flat.jaxpr.eqns[: place.index]):
        mine = wanted.pop(eqn.outvars[0], None) if eqn.outvars else None
        if mine is not None and mine.mask.any():
            ways = list(invert(eqn, [_value(a, values) for a in eqn.invars], mine))
            for position, theirs in reversed(ways) if rng.random() < OTHER_WAY else ways:
                atom = eqn.invars[position]
                if isinstance(atom, Var) and atom in depends and atom not in wanted and theirs.mask.any():
                    wanted[atom] = theirs
                    if eqn.primitive.name not in _SHARED:
                        break
    changed = {}
    for var, allowed in free.items():
        if (mine := wanted.get(var)) is not None and (mask := mine.mask & allowed).any():
            now = np.asarray(values[var])
            with np.errstate(all="ignore"):
                changed[var] = np.where(mask, mine.values.astype(now.dtype), now)
    return changed


def _value(atom: Any, values: _Values) -> _Array:
    return np.asarray(atom.val, atom.aval.dtype) if isinstance(atom, Literal) else np.asarray(values[atom])
