"""Generated inputs of a program: each kind asks another question, and is left out where the program has no answer.

`input_sets(closed, recorded)` makes them from the types of the inputs and from the recorded values, which say what
range is meaningful (positive, at most one, sorted, a symmetric matrix, an index). They are the same wherever they are
made: seeded by the program's fingerprint.

exact         small integers and dyadic fractions: a program that rounds nothing on them is compared bit for bit
special       zeros, infinities, NaN, the largest and smallest numbers, the bounds of integer types, among recorded ones
ties          few distinct values, halves among them: equal operands of comparisons and sorts, duplicate indices
out-of-range  indices below, at and far beyond the ends of the axes they index, among recorded ones
large         the recorded values times a large power of two
random        uniform in the recorded range
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ml_dtypes
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.ir import CALL_PRIMITIVES, fingerprint, primitives, walk
from jace.jax_internals import is_key_dtype
from jace_repro.tester.inputs.indices import IndexUses, index_uses
from jace_repro.tester.numerics.compare import is_float
from jace_repro.tester.numerics.errormodel import (
    CONTROL,
    DISCONTINUOUS,
    EXACT,
    LINALG,
    PRODUCTS,
    SPECIAL,
    SUMS,
    aval_of,
    is_inexact,
)
from jace_repro.tester.numerics.exactness import may_be_exact
from jace_repro.tester.numerics.noise import limits_of

_Array = np.ndarray[Any, Any]
_Generator = np.random.Generator

#: They move values and look at none: one set with distinct values tells what any set tells.
MOVES = frozenset(
    {
        *("broadcast_in_dim", "concatenate", "copy", "copy_p", "device_put", "dynamic_slice"),
        *("dynamic_update_slice", "expand_dims", "gather", "iota", "optimization_barrier", "pad"),
        *("reshape", "rev", "scatter", "slice", "split", "squeeze", "stack", "stop_gradient", "tile"),
        *("transpose", "unstack"),
    }
)
#: Exact on powers of four, rarely on anything else.
_DIVIDES = frozenset({"div", "sqrt", "rsqrt", "integer_pow", "cbrt", "pow"})
#: A subnormal operand moves their result by a subnormal: elsewhere XLA, which flushes them, may be far off and right.
_FLUSHABLE = MOVES | {
    "add",
    "sub",
    "neg",
    "abs",
    "max",
    "min",
    "reduce_sum",
    "reduce_max",
    "reduce_min",
    "cumsum",
}
#: Partial sums may overflow or not, partial products underflow too: the order is the implementation's.
_IN_ANY_ORDER = SUMS | PRODUCTS
#: What they make of infinities and NaN is the implementation's: whether it multiplies zeros of a padding by them, which
#: pivot it takes, what it compares with what.
_FINITE_ONLY = LINALG | {
    "conv_general_dilated",
    "select_and_gather_add",
    "select_and_scatter_add",
    "ragged_dot_general",
}
#: At their roots and at the ends of their domains no implementation is right to the last digits.
_IMPRECISE = SPECIAL | {"lgamma", "digamma"}
#: Elements from which on one set holds all special values.
_ROOMY = 8
#: Sets of each pool of special values for smaller inputs.
_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class InputSet:
    """One value for each input: arrays of exactly its dtype and shape (typed PRNG keys as they were recorded)."""

    kind: str
    values: tuple[Any, ...]
    number: int = 1

    @property
    def name(self) -> str:
        """The kind, numbered from the second set on: what a verdict says."""
        return self.kind if self.number == 1 else f"{self.kind}-{self.number}"


#: Whether the reference is finite on these values, as far as it is on the recorded ones.
KeepFinite = Callable[[Sequence[Any]], bool]


@dataclass(frozen=True)
class Profile:
    """What of a program decides which inputs can tell something."""

    closed: ClosedJaxpr

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(primitives(self.closed)) - CONTROL

    @cached_property
    def uses(self) -> IndexUses:
        return index_uses(self.closed)

    @property
    def only_moves(self) -> bool:
        return self.names <= MOVES

    @property
    def discontinuous(self) -> bool:
        return bool(self.names & DISCONTINUOUS) or "reduce_max" in self.names

    @cached_property
    def computes(self) -> frozenset[str]:
        """The kinds of dtypes ("f", "c", "i", "u") that operations other than moves are applied to."""
        eqns = (eqn for _, eqn in walk(self.closed) if eqn.primitive.name not in MOVES | CONTROL)
        dtypes = [getattr(v.aval, "dtype", None) for eqn in eqns for v in eqn.invars]
        return frozenset(_letter(d) for d in dtypes if d is not None and not is_key_dtype(d))

    @cached_property
    def huge_is_undefined(self) -> bool:
        """Whether a number becomes an integer somewhere: out of its range the result is up to the implementation."""
        return any(
            eqn.primitive.name == "convert_element_type"
            and is_inexact(aval_of(eqn.invars[0]).dtype)
            and _letter(eqn.params["new_dtype"]) in "iu"
            for _, eqn in walk(self.closed)
        )

    @property
    def special_pools(self) -> int:
        """How many pools of special values there are: the small, the huge, NaN.

        A complex operation may make anything of an infinite or undefined part.
        """
        defined = "c" not in self.computes and not self.names & _FINITE_ONLY and not self.huge_is_undefined
        return 3 if "f" in self.computes and defined else 1

    @cached_property
    def rounds_once(self) -> bool:
        """Whether no result of arithmetic is an operand of more: XLA may compute (x * a) * b as x * (a * b), of which
        one overflows and the other does not, or what is zero times infinity becomes finite.
        """
        inexact = [
            eqn for _, eqn in walk(self.closed) if eqn.primitive.name not in EXACT | CONTROL | CALL_PRIMITIVES
        ]
        return sum(any(is_inexact(aval_of(v).dtype) for v in eqn.outvars) for eqn in inexact) <= 1

    def stays_finite(self, number: int) -> bool:
        """Whether zeros and small numbers are to keep the reference finite: what divides by them may be rearranged, and
        a solver may divide by a zero pivot in any order.
        """
        rearranged = not self.rounds_once or bool(self.names & LINALG)
        return rearranged and (number - 1) % self.special_pools == 0

    @cached_property
    def rounds(self) -> int:
        """How often each pool of special values is used: larger inputs hold it at once, and are tried before the small
        ones: one NaN in a factor would hide everything else.
        """
        roomy = [aval_of(v).size >= _ROOMY for v in self.closed.jaxpr.invars if aval_of(v).size]
        return any(roomy) + (0 if all(roomy) else _ROUNDS)

    @property
    def loops(self) -> bool:
        """Whether the values may decide how long it runs."""
        return "while" in primitives(self.closed)


def _letter(dtype: Any) -> str:
    """The kind of a dtype, as NumPy names it: of ml_dtypes' too."""
    dtype = np.dtype(dtype)
    if dtype.kind in "biuc":
        return dtype.kind
    return "f" if is_float(dtype) else "i" if "int" in dtype.name else "f"


# --- what the recorded values mean --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Meaning:
    """One input: its recorded value, and what that says of values like it.

    Attributes:
        low, high: the range of meaningful values; finite.
        ordered: the last axis is sorted, as a search expects it.
        dominant: a symmetric matrix with a positive diagonal, as a factorisation expects it.
        lengths: of the axes that it indexes, if it is an index.
        fixed: no other value is meaningful.
    """

    recorded: Any
    low: float
    high: float
    ordered: bool
    dominant: bool
    lengths: tuple[int, ...]
    fixed: bool

    @property
    def letter(self) -> str:
        return _letter(self.recorded.dtype)

    @property
    def unit(self) -> bool:
        """Whether it looks like a probability."""
        return self.low >= 0 and self.high <= 1

    def like(self, values: _Array) -> _Array:
        """`values` in the dtype, and in the order or symmetry, of the recorded ones."""
        array = values.astype(self.recorded.dtype).reshape(self.recorded.shape)
        if self.ordered:
            return np.sort(array, axis=-1)
        if self.dominant:
            upper = np.triu(array, 1)
            array = upper + np.swapaxes(upper, -1, -2)
            row_sums = np.abs(array).sum(axis=-1) + np.ones((), array.dtype)
            return array + np.eye(array.shape[-1], dtype=array.dtype) * row_sums[..., None]
        return array


def meaning(recorded: Any, lengths: tuple[int, ...], *, fixed: bool, positive: bool) -> Meaning:
    """What a recorded value says; `positive` takes zeros and single values for samples of something positive."""
    if is_key_dtype(getattr(recorded, "dtype", None)):
        return Meaning(recorded, 0.0, 0.0, False, False, lengths, True)
    array = np.asarray(recorded)
    letter = _letter(array.dtype)
    wide = np.atleast_1d(array).astype(np.complex128 if letter == "c" else np.float64)
    parts = np.concatenate([wide.real.ravel(), wide.imag.ravel()]) if letter == "c" else wide.ravel()
    finite = parts[np.isfinite(parts)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if low == high:
        low, high = _around(low, whole=letter in "iub")
    if positive and letter in "fc":
        low, high = max(low, 0.0), max(high, 1.0)
    ordered = letter in "fiu" and array.ndim > 0 and array.shape[-1] > 2
    ordered = ordered and low < high and bool(np.all(wide[..., 1:] >= wide[..., :-1]))
    return Meaning(array, low, high, ordered, _is_dominant(array, letter), lengths, fixed or not array.size)


def _around(value: float, *, whole: bool) -> tuple[float, float]:
    """A range for what was recorded with one value only."""
    if whole:
        return (min(0.0, value), max(0.0, value)) if value else (0.0, 1.0)
    return (min(value / 2, value * 2), max(value / 2, value * 2)) if value else (-1.0, 1.0)


def _is_dominant(array: _Array, letter: str) -> bool:
    if letter != "f" or array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
        return False
    with np.errstate(all="ignore"):
        mirrored = np.swapaxes(array, -1, -2)
        diagonal = np.diagonal(array, axis1=-2, axis2=-1)
        return bool(np.all(array == mirrored) and np.all(diagonal > 0))


# --- the kinds ----------------------------------------------------------------------------------------------

#: make(input, random numbers, profile, number of the set) -> another value for one input
_Make = Callable[[Meaning, _Generator, Profile, int], _Array]


def _exact(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return rng.integers(0, 2, one.recorded.shape)
    if one.letter in "iu":
        low, high = max(one.low, -8.0), min(one.high, 8.0)
        return _integers(rng, *((low, high) if low <= high else (one.low, one.high)), one)
    grid = _grid(one, profile)
    values = rng.choice(grid, one.recorded.shape)
    return values + 1j * rng.choice(grid, one.recorded.shape) if one.letter == "c" else values


def _grid(one: Meaning, profile: Profile) -> _Array:
    """Dyadic fractions in the sign, and below one in the range, of the recorded values."""
    if one.unit:
        grid = np.arange(9) / 8
    elif profile.names & _DIVIDES:
        grid = np.array([-4.0, -1.0, -0.25, 0.25, 1.0, 4.0])
    else:
        grid = np.arange(-16, 17) / 4
    lowest = one.low if one.low >= 0 else -np.inf
    allowed = grid[(grid > 0) if one.low > 0 else (grid >= lowest)]
    allowed = allowed[allowed < 1] if one.unit and one.high < 1 else allowed
    return allowed if one.high > 0 or one.unit else -np.abs(allowed)


def _random(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return rng.integers(0, 2, one.recorded.shape)
    if one.letter in "iu":
        return _integers(rng, one.low, one.high, one)
    values = rng.uniform(one.low, one.high, one.recorded.shape)
    return values + 1j * rng.uniform(one.low, one.high, values.shape) if one.letter == "c" else values


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


def _ties(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    if one.letter == "b":
        return rng.integers(0, 2, one.recorded.shape)
    if one.letter in "iu":
        return rng.choice(np.unique(one.recorded)[:2], one.recorded.shape)
    pool = (
        np.array([0.5, 1.0])
        if one.low > 0
        else np.array([0.0, 0.5, 1.0] if one.low >= 0 else [-0.5, 0.0, 0.5, 1.0])
    )
    values = rng.choice(pool, one.recorded.shape)
    return values + 1j * rng.choice(pool, one.recorded.shape) if one.letter == "c" else values


def _special(one: Meaning, rng: _Generator, profile: Profile, number: int) -> _Array:
    again, turn = divmod(number - 1, profile.special_pools)
    if profile.rounds > _ROUNDS and bool(again) == (one.recorded.size >= _ROOMY):
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
    if profile.names <= _FLUSHABLE:
        small += [float(limits.smallest_subnormal), -float(limits.smallest_subnormal)]
    if profile.rounds_once and not profile.names & _IN_ANY_ORDER:
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


def _among(one: Meaning, pool: _Array, rng: _Generator) -> _Array:
    """The recorded values, about half of the elements replaced by those of the pool in turn."""
    flat = np.array(one.recorded).reshape(-1)
    chosen = np.flatnonzero(rng.random(flat.size) < 0.5)
    if not chosen.size:
        chosen = np.array([rng.integers(flat.size)])
    order = rng.permutation(pool.size)
    flat[chosen] = pool[order[np.arange(chosen.size) % pool.size]]
    return flat.reshape(one.recorded.shape)


@dataclass(frozen=True)
class _Kind:
    """One row of the table of kinds.

    Attributes:
        make: a value for one input.
        tells: whether a program can tell something by it.
        finite: whether the reference is to stay finite.
        fresh: whether the values take the order and symmetry of the recorded ones (else they are mostly those).
    """

    make: _Make
    tells: Callable[[Profile], bool]
    finite: bool = True
    fresh: bool = True


def _scatters(profile: Profile) -> bool:
    return bool(profile.uses.lengths) and any(name.startswith("scatter") for name in profile.names)


_KINDS: dict[str, _Kind] = {
    "exact": _Kind(_exact, lambda p: p.only_moves or may_be_exact(p.closed)),
    "special": _Kind(
        _special,
        lambda p: bool(p.computes & set("fciu")) and not p.names & _IMPRECISE,
        finite=False,
        fresh=False,
    ),
    "ties": _Kind(_ties, lambda p: (p.discontinuous and not p.names & _IMPRECISE) or _scatters(p)),
    "out-of-range": _Kind(_out_of_range, lambda p: bool(p.uses.lengths), finite=False, fresh=False),
    "large": _Kind(_large, lambda p: bool(p.computes & set("fc")) and not p.huge_is_undefined, fresh=False),
    "random": _Kind(_random, lambda p: not p.only_moves),
}
#: In the order in which they are tried.
KINDS = tuple(_KINDS)


def input_sets(
    closed: ClosedJaxpr,
    recorded: Sequence[Any],
    kinds: Sequence[str] = KINDS,
    keep_finite: KeepFinite | None = None,
) -> Iterator[InputSet]:
    """Further inputs for a program, each set different from all before it.

    Args:
        closed: the program.
        recorded: one value an input, of exactly its type.
        kinds: of `KINDS`, in the order wanted.
        keep_finite: sets of the kinds that are to keep the reference finite are dropped where it says no.
    """
    profile = Profile(closed)
    seed = fingerprint(closed)
    seen = {_digest(recorded)}
    for name in kinds:
        kind = _KINDS[name]
        if not kind.tells(profile):
            continue
        for number in range(1, _sets_of(name, recorded, profile) + 1):
            for positive in (False, True):
                values = _values(
                    kind, f"{seed}/{name}/{number}", recorded, profile, number, positive=positive
                )
                key = _digest(values)
                if key in seen:
                    continue
                seen.add(key)
                finite = kind.finite or (name == "special" and profile.stays_finite(number))
                if not finite or keep_finite is None or keep_finite(values):
                    yield InputSet(name, values, number)
                    break


def _sets_of(kind: str, recorded: Sequence[Any], profile: Profile) -> int:
    if kind == "special":
        return profile.special_pools * profile.rounds
    if kind == "out-of-range":
        return 1 if max(np.size(recorded[i]) for i in profile.uses.lengths) >= _ROOMY else _ROUNDS
    return 1


def _values(
    kind: _Kind, seed: str, recorded: Sequence[Any], profile: Profile, number: int, *, positive: bool
) -> tuple[Any, ...]:
    values = []
    for position, value in enumerate(recorded):
        uses = profile.uses
        lengths = uses.lengths.get(position, ())
        one = meaning(value, lengths, fixed=position in uses.frozen, positive=positive)
        if one.fixed:
            values.append(value)
            continue
        rng = np.random.default_rng(list(hashlib.sha256(f"{seed}/{position}".encode()).digest()))
        made = kind.make(one, rng, profile, number)
        with np.errstate(all="ignore"):
            values.append(one.like(made) if kind.fresh else made.astype(one.recorded.dtype))
    return tuple(values)


def _digest(values: Sequence[Any]) -> str:
    found = hashlib.sha256()
    for value in values:
        if not is_key_dtype(getattr(value, "dtype", None)):
            found.update(np.ascontiguousarray(value).tobytes())
    return found.hexdigest()
