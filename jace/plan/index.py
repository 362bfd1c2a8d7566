"""Affine index expressions over integer symbols: `3*i0 + li1 + 7`.

Indices stay affine as long as the index maps of a program allow it, so that slices, transposes and most reshapes
cost nothing at run time and can be written as exact memlets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Half-open range of the values of a symbol.
Range = tuple[int, int]


@dataclass(frozen=True)
class Ix:
    """sum(coefficient * symbol) + const; `terms` are sorted by symbol and have no zero coefficient."""

    terms: tuple[tuple[str, int], ...] = ()
    const: int = 0

    def __add__(self, other: Ix | int) -> Ix:
        if not isinstance(other, Ix):
            return Ix(self.terms, self.const + int(other))
        if not self.terms:
            return Ix(other.terms, other.const + self.const)
        if not other.terms:
            return Ix(self.terms, self.const + other.const)
        total = dict(self.terms)
        for symbol, coefficient in other.terms:
            total[symbol] = total.get(symbol, 0) + coefficient
        return Ix(tuple(sorted((s, c) for s, c in total.items() if c)), self.const + other.const)

    def __mul__(self, factor: int) -> Ix:
        if factor == 0:
            return ZERO
        factor = int(factor)  # shapes and parameters may be NumPy integers
        return Ix(tuple((s, c * factor) for s, c in self.terms), self.const * factor)

    def __sub__(self, other: Ix | int) -> Ix:
        return self + (other * -1)

    def __str__(self) -> str:
        parts = [s if c == 1 else f"{c}*{s}" for s, c in self.terms]
        if self.const or not parts:
            parts.append(str(self.const))
        return " + ".join(parts)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of its symbols, sorted."""
        return tuple(s for s, _ in self.terms)


ZERO = Ix()


def symbol(name: str) -> Ix:
    """The index that is one symbol."""
    return Ix(((name, 1),))


def constant(value: int) -> Ix:
    """A constant index."""
    return Ix((), int(value))


def bounds(ix: Ix, ranges: Mapping[str, Range]) -> Range | None:
    """Half-open range of `ix`, or None when a symbol's range is unknown."""
    low = high = ix.const
    for name, coefficient in ix.terms:
        known = ranges.get(name)
        if known is None:
            return None
        first, last = known[0] * coefficient, (known[1] - 1) * coefficient
        low += min(first, last)
        high += max(first, last)
    return low, high + 1


def divmod_exact(ix: Ix, divisor: int, ranges: Mapping[str, Range]) -> tuple[Ix, Ix] | None:
    """(ix // divisor, ix % divisor) when both are affine given the symbols' ranges, else None."""
    if divisor == 1:
        return ix, ZERO
    multiples = tuple((s, c // divisor) for s, c in ix.terms if c % divisor == 0)
    rest = tuple((s, c) for s, c in ix.terms if c % divisor)
    quotient, remainder = Ix(multiples, ix.const // divisor), Ix(rest, ix.const % divisor)
    limits = bounds(remainder, ranges)
    if limits is not None and limits[0] >= 0 and limits[1] <= divisor:
        return quotient, remainder
    return None


def linear(index: Sequence[Ix], extents: Sequence[int]) -> Ix:
    """Position of an index in row-major order."""
    position = ZERO
    for ix, extent in zip(index, extents, strict=True):
        position = position * extent + ix
    return position
