"""The values of operands, by domain: a table from what an operation asks for to an array."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np

from jace_repro.fuzz.draw import Operand
from jace_repro.tester.inputs import critical

_Array = np.ndarray[Any, Any]
_Generator = np.random.Generator
_iinfo: Any = ml_dtypes.iinfo
_finfo: Any = ml_dtypes.finfo


def values_of(operand: Operand, seed: str) -> _Array:
    """An array for an operand; the same for the same seed."""
    rng = np.random.default_rng(list(seed.encode()))
    with np.errstate(all="ignore"):
        return np.asarray(DOMAINS[operand.domain](operand, rng)).astype(operand.dtype).reshape(operand.shape)


def is_float(dtype: Any) -> bool:
    """Whether it is a real floating-point dtype, one of ml_dtypes included."""
    name = np.dtype(dtype).name
    return "float" in name


def is_whole(dtype: Any) -> bool:
    """Whether it is an integer dtype, one of ml_dtypes included."""
    name = np.dtype(dtype).name
    return "int" in name


def wide(value: _Array) -> _Array:
    """The same numbers in the widest dtype that NumPy computes in: complex128 or float64."""
    return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)


def _parts(operand: Operand, draw: Callable[[], _Array]) -> _Array:
    """Random numbers; of complex ones both parts."""
    if operand.dtype.kind == "c":
        made = np.empty(operand.shape, np.complex128)
        made.real, made.imag = draw(), draw()
        return made
    return draw()


def _bounds(operand: Operand) -> tuple[int, int]:
    info = _iinfo(operand.dtype)
    return int(info.min), int(info.max)


def _plain(operand: Operand, rng: _Generator) -> _Array:
    """Numbers of a few units, distinct in most dtypes."""
    if operand.dtype == bool:
        return rng.integers(0, 2, operand.shape)
    if is_whole(operand.dtype):
        low, high = _bounds(operand)
        return rng.integers(max(low, -9), min(high, 9), operand.shape, endpoint=True)
    return _parts(operand, lambda: rng.normal(size=operand.shape))


def _any(operand: Operand, rng: _Generator) -> _Array:
    """Floats as of `plain`, integers of the whole range."""
    if not is_whole(operand.dtype):
        return _plain(operand, rng)
    low, high = _bounds(operand)
    return rng.integers(low, high, operand.shape, dtype=np.uint64 if low == 0 else np.int64, endpoint=True)


def _uniform(low: float, high: float) -> Callable[[Operand, _Generator], _Array]:
    def make(operand: Operand, rng: _Generator) -> _Array:
        if is_whole(operand.dtype):
            least, most = _bounds(operand)
            return rng.integers(
                max(least, math.floor(low)), min(most, math.ceil(high)), operand.shape, endpoint=True
            )
        return _parts(operand, lambda: rng.uniform(low, high, operand.shape))

    return make


def _near_one(operand: Operand, rng: _Generator) -> _Array:
    """Numbers whose products stay finite: signs, halves and doubles of integers seldom."""
    if operand.dtype == bool:
        return rng.integers(0, 2, operand.shape)
    if is_whole(operand.dtype):
        choices = [1, 1, 2, 3] if operand.dtype.kind == "u" else [1, 1, -1, 2, 3]
        return rng.choice(choices, operand.shape)
    return _parts(
        operand, lambda: rng.choice([-1.0, 1.0], operand.shape) * rng.uniform(0.6, 1.5, operand.shape)
    )


def _pool(operand: Operand, about: str) -> _Array:
    if is_whole(operand.dtype):
        return critical.integers(operand.dtype)
    if operand.dtype == bool:
        return np.array([False, True])
    if operand.dtype.kind == "c":
        return critical.floats(about, np.float32 if operand.dtype.itemsize == 8 else np.float64).astype(
            np.float64
        )
    if operand.dtype.itemsize == 1:
        return critical.floats(about, np.float32)
    return critical.floats(about, operand.dtype)


def _critical(operand: Operand, rng: _Generator) -> _Array:
    """Critical points of the primitive that reads it, all of them where there is room, among plain numbers."""
    pool = _pool(operand, operand.about)

    def draw() -> _Array:
        order = np.concatenate(
            [rng.permutation(pool.size) for _ in range(-(-max(operand.size, 1) // pool.size))]
        )
        found = pool[order[: operand.size]].reshape(operand.shape)
        if is_float(operand.dtype) or operand.dtype.kind == "c":
            keep = rng.random(operand.shape) < 0.15
            found = np.where(keep, rng.normal(size=operand.shape) * 3, found.astype(np.float64))
        return found

    return _parts(operand, draw)


def _joint(operand: Operand, rng: _Generator) -> _Array:
    """The arguments of a primitive at the points where they are critical together, over and over."""
    return np.resize([row[operand.position] for row in critical.JOINT[operand.about]], operand.shape)


def _grid(operand: Operand, rng: _Generator) -> _Array:
    """One argument of a primitive, of all combinations of numbers for all of them."""
    columns = [*np.meshgrid(*critical.GRIDS[operand.about], indexing="ij")]
    if operand.about in critical.SCALED:
        columns[-1] = columns[-1] * columns[0]
    return np.resize(columns[operand.position], operand.size)


def _sweep(operand: Operand, rng: _Generator) -> _Array:
    """Numbers all over a dtype, and the critical points of the primitives that read it.

    Where results overflow is left out: there the outputs say little of each other.
    """
    count, real = operand.size, operand.dtype.kind != "c"
    names = operand.about.split()
    if real and operand.dtype.itemsize == 2:
        patterns = np.linspace(0, 2**16 - 1, count).astype(np.uint16)
        found = patterns.view(operand.dtype).astype(np.float64)
        tiny = float(_finfo(operand.dtype).tiny)
        pool = np.where((np.abs(found) > 0) & (np.abs(found) < tiny), 0.0, found)
    else:
        finite = [p for p in critical.COMMON if math.isfinite(p)]
        pool = np.array([*finite, *sorted({p for name in names for p in critical.POINTS.get(name, ())})])
        left = max(count - pool.size, 0)
        reach, low, high = (12, -30, 30) if real else (4, -6, 3)
        near = rng.uniform(-reach, reach, left // 2)
        far = rng.choice([-1.0, 1.0], left - near.size) * 10 ** rng.uniform(low, high, left - near.size)
        pool = np.concatenate([pool, near, far])
    if real:
        return np.resize(pool, count)
    made = np.empty(count, np.complex128)
    made.real, made.imag = rng.permutation(np.resize(pool, count)), rng.permutation(np.resize(pool, count))
    alone = rng.random(count)
    made.imag[alone < 0.15] = 0.0
    made.real[alone > 0.85] = 0.0
    return made


def _special_complex(operand: Operand, rng: _Generator) -> _Array:
    """One of two operands of all pairs of numbers whose parts are zeros, ones, infinities and NaN."""
    pairs = np.meshgrid(critical.SPECIAL_COMPLEX, critical.SPECIAL_COMPLEX, indexing="ij")
    return np.resize(pairs[operand.position], operand.size)


def _patterns(operand: Operand, rng: _Generator) -> _Array:
    """All bit patterns of a type of 8 bits or fewer, over and over, in any order."""
    info = _iinfo if is_whole(operand.dtype) else _finfo
    codes = np.resize(np.arange(2 ** int(info(operand.dtype).bits), dtype=np.uint8), operand.size)
    return rng.permutation(codes).view(operand.dtype)


def _special(operand: Operand, rng: _Generator) -> _Array:
    """NaN, infinities, zeros of both signs, ends of ranges, among numbers of a few units."""
    if is_whole(operand.dtype) or operand.dtype == bool:
        pool = _pool(operand, "")
        return pool[rng.integers(0, pool.size, operand.shape)]

    def draw() -> _Array:
        pool = np.array(critical.COMMON)
        return np.where(
            rng.random(operand.shape) < 0.4, rng.choice(pool, operand.shape), rng.normal(size=operand.shape)
        )

    return _parts(operand, draw)


def _only_special(operand: Operand, rng: _Generator) -> _Array:
    """NaN, infinities, zeros of both signs, ends of ranges, and nothing else."""
    pool = _pool(operand, "")
    wide = pool.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    ends = pool[~np.isfinite(wide) | np.isin(wide, [finite.min(), 0, finite.max()])]
    return _parts(operand, lambda: rng.choice(ends, operand.shape))


def _ties(operand: Operand, rng: _Generator) -> _Array:
    """Few distinct values."""
    if operand.dtype == bool:
        return rng.integers(0, 2, operand.shape)
    if operand.dtype.kind == "u" or operand.dtype.name.startswith("uint"):
        return rng.integers(0, 3, operand.shape, endpoint=True)
    return _parts(
        operand, lambda: rng.integers(-2, 1 if is_whole(operand.dtype) else 2, operand.shape, endpoint=True)
    )


def _sorted(descending: bool) -> Callable[[Operand, _Generator], _Array]:
    def make(operand: Operand, rng: _Generator) -> _Array:
        values = _plain(operand, rng)
        ordered = np.sort(values, axis=-1) if values.ndim else values
        return ordered[..., ::-1] if descending and values.ndim else ordered

    return make


def _plateaus(
    values: Callable[[Operand, _Generator], _Array], share: float
) -> Callable[[Operand, _Generator], _Array]:
    """One value along such a share of the axes, often along all of them."""

    def make(operand: Operand, rng: _Generator) -> _Array:
        shape = tuple(1 if rng.random() < share else extent for extent in operand.shape)
        return np.broadcast_to(values(replace(operand, shape=shape), rng), operand.shape)

    return make


def _against_quicksort(operand: Operand, rng: _Generator) -> _Array:
    """Numbers for which each pivot of a quicksort that takes the median of three is nearly the least there is.

    McIlroy, A Killer Adversary for Quicksort, 1999: an element has no value until a comparison asks for one, and then
    gets the next least.  A sort that limits the depth of quicksort goes on with another method.
    """
    size = operand.size
    values, order = np.full(size, size, np.int64), list(range(size))
    solid, candidate = 0, -1

    def less(a: int, b: int) -> bool:
        nonlocal solid, candidate
        if values[a] == values[b] == size:
            values[a if a == candidate else b] = solid
            solid += 1
        candidate = a if values[a] == size else b if values[b] == size else candidate
        return bool(values[a] < values[b])

    def median(*three: int) -> int:
        a, b, c = three
        if less(order[a], order[b]):
            return b if less(order[b], order[c]) else c if less(order[a], order[c]) else a
        return a if less(order[a], order[c]) else c if less(order[b], order[c]) else b

    first, last = 0, size
    while last - first > 16:
        pivot = median(first + 1, first + (last - first) // 2, last - 1)
        order[first], order[pivot] = order[pivot], order[first]
        low, high = first + 1, last
        while True:
            while low < size and less(order[low], order[first]):
                low += 1
            high -= 1
            while high > 0 and less(order[first], order[high]):
                high -= 1
            if low >= high:
                break
            order[low], order[high] = order[high], order[low]
            low += 1
        first = low  # what is left is nearly all there was
    return values


def _indices(outside: float) -> Callable[[Operand, _Generator], _Array]:
    """Indices, such a share out of bounds: just so, at the ends of the type, and within if cut to fewer bits."""

    def make(operand: Operand, rng: _Generator) -> _Array:
        low, high = operand.bounds or (0, 3)
        least, most = _bounds(operand)
        found = np.clip(rng.integers(low, high, operand.shape, endpoint=True), least, most)
        if outside:
            ends = [low - 1, high + 1, high + 2, -1, -high - 1, -high - 2, least, most]
            cut = [sign * 2**bits + high for bits in (8, 16, 31, 32) for sign in (1, -1)]
            beyond = [n for n in (*ends, *cut) if least <= n <= most and not low <= n <= high] or [high]
            chosen = rng.choice(np.array(beyond, np.uint64 if least == 0 else np.int64), operand.shape)
            found = np.where(rng.random(operand.shape) < outside, chosen, found.astype(chosen.dtype))
        return found

    return make


def _zeros(operand: Operand, rng: _Generator) -> _Array:
    return np.zeros(operand.shape)


def _swapped(matrix: _Array) -> _Array:
    return np.conj(np.swapaxes(matrix, -1, -2))


def _matrix(change: Callable[[_Array], _Array]) -> Callable[[Operand, _Generator], _Array]:
    """A random matrix (or a stack of some) with a property."""

    def make(operand: Operand, rng: _Generator) -> _Array:
        found = _plain(operand, rng).astype(np.complex128 if operand.dtype.kind == "c" else np.float64)
        return change(found) if found.size else found

    return make


def _eye(matrix: _Array) -> _Array:
    return np.eye(matrix.shape[-2], matrix.shape[-1])


def _rank_one_less(matrix: _Array) -> _Array:
    found = matrix.copy()
    found[..., -1, :] = found[..., 0, :] * 2
    return found


def _not_finite(place: int) -> Callable[[_Array], _Array]:
    def change(matrix: _Array) -> _Array:
        found = matrix + 3 * _eye(matrix)
        found[..., place, place] = math.nan
        return found

    return change


#: domain -> values for an operand.
DOMAINS: dict[str, Callable[[Operand, _Generator], _Array]] = {
    "any": _any,
    "plain": _plain,
    "unit": _uniform(0.02, 0.98),
    "positive": _uniform(0.1, 8.0),
    "small": _uniform(-1.0, 1.0),
    "dominant": _uniform(4.0, 6.0),
    "near one": _near_one,
    "critical": _critical,
    "joint": _joint,
    "grid": _grid,
    "patterns": _patterns,
    "special complex": _special_complex,
    "sweep": _sweep,
    "special": _special,
    "ties": _ties,
    "sorted": _sorted(descending=False),
    "reversed": _sorted(descending=True),
    "plateaus": _plateaus(_ties, 0.7),
    "special plateaus": _plateaus(_only_special, 0.5),
    "against quicksort": _against_quicksort,
    "zeros": _zeros,
    "indices": _indices(outside=0),
    "indices beyond": _indices(outside=0.4),
    "indices far beyond": _indices(outside=0.8),
    "well conditioned": _matrix(lambda m: m / 4 + 2 * _eye(m)),
    "positive definite": _matrix(lambda m: m @ _swapped(m) / m.shape[-1] + _eye(m)),
    "indefinite": _matrix(lambda m: m + _swapped(m)),
    "singular": _matrix(_rank_one_less),
    "first not finite": _matrix(_not_finite(0)),
    "last not finite": _matrix(_not_finite(-1)),
    "triangular": _matrix(lambda m: m / 4 + 2 * _eye(m)),
}
