"""Which elements of an output are wrong, and what they should be: what a person compares with the eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from jace_repro.tester.numerics.compare import Mask, is_float, text_of

#: Elements of one output that are told, the worst.
MOST = 16

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Element:
    """One element: where it is, what it should be and what it is, as text that says every bit."""

    index: tuple[int, ...]
    expected: str
    actual: str


@dataclass(frozen=True)
class Differing:
    """The elements of one output that differ by more than rounding may explain.

    Attributes:
        output: its position among the flat outputs.
        shape, dtype: of the output.
        count: how many elements differ.
        elements: the worst `MOST` of them, by their index.
    """

    output: int
    shape: tuple[int, ...]
    dtype: str
    count: int
    elements: tuple[Element, ...]

    def to_json(self) -> dict[str, Any]:
        """As the machine report has it."""
        found = asdict(self)
        elements = [{**asdict(one), "index": list(one.index)} for one in self.elements]
        return {**found, "shape": list(self.shape), "elements": elements}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Differing:
        """The inverse of `to_json`."""
        elements = tuple(Element(**{**one, "index": tuple(one["index"])}) for one in data["elements"])
        return cls(**{**data, "shape": tuple(data["shape"]), "elements": elements})


def differing(
    expected: Sequence[_Array], actual: Sequence[_Array], masks: Sequence[Mask | None]
) -> tuple[Differing, ...]:
    """The elements that masks name, of outputs of equal shapes and dtypes.

    Args:
        expected, actual: flat outputs, what is right and what is wrong.
        masks: `Comparison.masks`; a complex output's have a last axis for its two parts.
    """
    found = []
    for position, (want, have, mask) in enumerate(zip(expected, actual, masks, strict=False)):
        if mask is None or want.shape != have.shape:
            continue
        wrong: Mask = np.any(mask.reshape(*want.shape, -1), axis=-1, keepdims=False)
        if not wrong.any():
            continue
        worst = _worst(want, have, wrong)
        elements = [Element(index, text_of(want, index), text_of(have, index)) for index in worst]
        found.append(
            Differing(
                position, want.shape, str(want.dtype), int(wrong.sum()), tuple(sorted(elements, key=_at))
            )
        )
    return tuple(found)


def _at(element: Element) -> tuple[int, ...]:
    return element.index


def _worst(want: _Array, have: _Array, wrong: Mask) -> list[tuple[int, ...]]:
    """Where the largest differences are; what is NaN or infinite on one side comes first."""
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        if want.dtype.kind in "biuc" or is_float(want.dtype):
            apart = np.abs(want.astype(wide) - have.astype(wide))
        else:
            apart = wrong.astype(np.float64)
    apart = np.where(wrong, np.nan_to_num(apart, nan=np.inf), -1.0).reshape(-1)
    order = np.argsort(-apart, kind="stable")[: min(MOST, int(wrong.sum()))]
    return [tuple(int(i) for i in np.unravel_index(int(at), want.shape)) for at in order]
