"""The kinds of generated inputs, one row of a table each: their values, and when a program can tell something by them.

exact         small integers and dyadic fractions: a program that rounds nothing on them is compared bit for bit
special       zeros, infinities, NaN, the largest and smallest numbers, the bounds of integer types, among recorded ones
aimed         operations of the program at their critical points, also those behind other operations
ties          few distinct values, halves among them: equal operands of comparisons and sorts, duplicate indices
out-of-range  indices below, at and far beyond the ends of the axes they index, among recorded ones
large         the recorded values times a large power of two
random        uniform in the recorded range
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace_repro.tester.inputs import aimed
from jace_repro.tester.inputs.meaning import Meaning
from jace_repro.tester.inputs.profile import (
    DIVIDES,
    FLUSHABLE,
    IMPRECISE,
    IN_ANY_ORDER,
    ROOMY,
    ROUNDS,
    Profile,
)
from jace_repro.tester.numerics.errormodel import PRODUCTS
from jace_repro.tester.numerics.exactness import may_be_exact
from jace_repro.tester.numerics.noise import complex_of, limits_of

_Array = np.ndarray[Any, Any]
_Generator = np.random.Generator


@dataclass(frozen=True)
class Kind:
    """One row of the table of kinds.

    Attributes:
        make: another value for one input, of what is known of it, random numbers, the program's profile and the number
            of the set.
        tells: whether a program can tell something by it.
        sets: how many sets there are, for a program on its recorded values.
        finite: whether the reference is to stay finite on the set of a number.
        fresh: whether the values take the order and symmetry of the recorded ones (else they are mostly those).
        of_program: makes all inputs at once, of the program and the recorded ones, in the place of `make`.
    """

    make: Callable[[Meaning, _Generator, Profile, int], _Array]
    tells: Callable[[Profile], bool]
    sets: Callable[[Profile, Sequence[Any]], int] = lambda profile, recorded: 1
    finite: Callable[[Profile, int], bool] = lambda profile, number: True
    fresh: bool = True
    of_program: Callable[[ClosedJaxpr, Sequence[Any], _Generator], Sequence[Any]] | None = None


def _exact(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return _bools(one, rng)
    if one.letter in "iu":
        low, high = max(one.low, -8.0), min(one.high, 8.0)
        return _integers(rng, *((low, high) if low <= high else (one.low, one.high)), one)
    grid = _grid(one, profile)
    return _drawn(one, lambda: rng.choice(grid, one.recorded.shape))


def _recorded(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    return np.asarray(one.recorded)


def _grid(one: Meaning, profile: Profile) -> _Array:
    """Dyadic fractions in the sign, and below one in the range, of the recorded values."""
    if one.unit:
        grid = np.arange(9) / 8
    elif profile.names & DIVIDES:
        grid = np.array([-4.0, -1.0, -0.25, 0.25, 1.0, 4.0])
    else:
        grid = np.arange(-16, 17) / 4
    lowest = one.low if one.low >= 0 else -np.inf
    allowed = grid[(grid > 0) if one.low > 0 else (grid >= lowest)]
    allowed = allowed[allowed < 1] if one.unit and one.high < 1 else allowed
    return allowed if one.high > 0 or one.unit else -np.abs(allowed)


def _random(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return _bools(one, rng)
    if one.letter in "iu":
        return _integers(rng, one.low, one.high, one)
    return _drawn(one, lambda: _uniform(rng, one.low, one.high, one.recorded.shape))


def _uniform(rng: _Generator, low: float, high: float, shape: tuple[int, ...]) -> _Array:
    if math.isfinite(high - low):
        return rng.uniform(low, high, shape)
    share = rng.random(shape)
    return low * (1 - share) + high * share


def _ties(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return _bools(one, rng)
    if one.letter in "iu":
        return rng.choice(np.unique(one.recorded)[:2], one.recorded.shape)
    pool = np.array([0.5, 1.0] if one.low > 0 else [0.0, 0.5, 1.0] if one.low >= 0 else [-0.5, 0.0, 0.5, 1.0])
    return _drawn(one, lambda: rng.choice(pool, one.recorded.shape))


def _special(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    again, turn = divmod(number - 1, profile.special_pools)
    if profile.rounds > ROUNDS and bool(again) == (one.recorded.size >= ROOMY):
        return np.asarray(one.recorded)
    if one.lengths or one.letter not in profile.computes or (turn and one.letter not in "fc"):
        return np.asarray(one.recorded)
    pool = _special_values(one, profile)[turn]
    return _among(one, pool, rng) if pool.size else np.asarray(one.recorded)


def _special_values(one: Meaning, profile: Profile) -> list[_Array]:
    """For a set each: the small and the integer ones, the huge ones, NaN."""
    if one.letter in "iu":
        low, high = _bounds(one.recorded.dtype)
        return [np.array([0, 1, low, high, low + 1, high - 1], one.recorded.dtype)]
    if one.letter == "b":
        return [np.array([False, True])]
    limits = limits_of(one.recorded.dtype)
    small = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5]
    huge = [np.inf, -np.inf] if profile.rounds_once else []
    if not profile.names & PRODUCTS:
        small += [float(limits.eps), float(limits.tiny)]
    if profile.names <= FLUSHABLE:
        small += [float(limits.smallest_subnormal), -float(limits.smallest_subnormal)]
    if profile.rounds_once and not profile.names & IN_ANY_ORDER:
        huge += [float(limits.max), -float(limits.max)]
    pools: list[list[float]] = [small, huge, [np.nan]]
    return [np.array(pool).astype(one.recorded.dtype) for pool in pools]


def _out_of_range(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if not one.lengths:
        return np.asarray(one.recorded)
    low, high = _bounds(one.recorded.dtype)
    wanted = [-1, low, high]
    for length in one.lengths:
        wanted += [length, length + 1, -length, -length - 1, 2 * length]
    fitting = sorted({v for v in wanted if low <= v <= high})
    return _among(one, np.array([np.array(v).astype(one.recorded.dtype) for v in fitting]), rng)


def _large(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter not in "fc" or one.unit:
        return np.asarray(one.recorded)
    factor = 2.0 ** (int(limits_of(one.recorded.dtype).maxexp) // 4)
    with np.errstate(all="ignore"):
        return one.recorded * np.asarray(factor, one.recorded.dtype)


def _bools(one: Meaning, rng: _Generator) -> _Array:
    return rng.integers(0, 2, one.recorded.shape)


def _integers(rng: _Generator, low: float, high: float, one: Meaning) -> _Array:
    """Uniform integers; the ends may be those of the dtype."""
    lowest, highest = _bounds(one.recorded.dtype)
    first, last = max(int(low), lowest), min(int(high), highest)
    kind = np.uint64 if lowest >= 0 else np.int64
    return rng.integers(first, last, one.recorded.shape, dtype=kind, endpoint=True)


def _bounds(dtype: Any) -> tuple[int, int]:
    """The smallest and the largest number of an integer dtype."""
    iinfo: Any = ml_dtypes.iinfo
    return int(iinfo(dtype).min), int(iinfo(dtype).max)


def _drawn(one: Meaning, draw: Callable[[], _Array]) -> _Array:
    """Random floating-point numbers; of complex ones both parts."""
    values = draw()
    return complex_of(values, draw()) if one.letter == "c" else values


def _among(one: Meaning, pool: _Array, rng: _Generator) -> _Array:
    """The recorded values, about half of the elements replaced by those of the pool in turn."""
    flat = np.array(one.recorded).reshape(-1)
    chosen = np.flatnonzero(rng.random(flat.size) < 0.5)
    if not chosen.size:
        chosen = np.array([rng.integers(flat.size)])
    order = rng.permutation(pool.size)
    flat[chosen] = pool[order[np.arange(chosen.size) % pool.size]]
    return flat.reshape(one.recorded.shape)


def _scatters(profile: Profile) -> bool:
    return bool(profile.uses.lengths) and any(name.startswith("scatter") for name in profile.names)


def _largest_index(profile: Profile, recorded: Sequence[Any]) -> int:
    """The number of elements of the largest input that is an index."""
    return max(np.size(recorded[i]) for i in profile.uses.lengths)


#: In the order in which they are tried.
KINDS: Mapping[str, Kind] = {
    "exact": Kind(_exact, lambda p: p.only_moves or may_be_exact(p.closed)),
    "special": Kind(
        _special,
        lambda p: bool(p.computes & set("fciu")) and not p.names & IMPRECISE,
        sets=lambda p, recorded: p.special_pools * p.rounds,
        finite=lambda p, number: p.stays_finite(number),
        fresh=False,
    ),
    "aimed": Kind(
        _recorded,
        lambda p: not p.names & IMPRECISE and not p.huge_is_undefined and aimed.can_aim(p.closed),
        sets=lambda p, recorded: aimed.sets(p.closed),
        fresh=False,
        of_program=aimed.aimed,
    ),
    "ties": Kind(_ties, lambda p: (p.discontinuous and not p.names & IMPRECISE) or _scatters(p)),
    "out-of-range": Kind(
        _out_of_range,
        lambda p: bool(p.uses.lengths),
        sets=lambda p, recorded: 1 if _largest_index(p, recorded) >= ROOMY else ROUNDS,
        finite=lambda p, number: False,
        fresh=False,
    ),
    "large": Kind(_large, lambda p: bool(p.computes & set("fc")) and not p.huge_is_undefined, fresh=False),
    "random": Kind(_random, lambda p: not p.only_moves),
}
