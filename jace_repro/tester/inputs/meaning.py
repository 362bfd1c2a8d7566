"""What a recorded input says of values like it: their range, order and symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.ir import is_key_dtype
from jace_repro.tester.inputs.profile import letter_of

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Meaning:
    """One input: its recorded value, and what that says of values like it.

    Attributes:
        recorded: an array, or a typed PRNG key.
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
        """The kind of its dtype: one of "b", "i", "u", "f", "c"."""
        return letter_of(self.recorded.dtype)

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
    letter = letter_of(array.dtype)
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
