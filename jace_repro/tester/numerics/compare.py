"""Comparing the outputs of two executions: tree, shapes, dtypes, then values.

Nothing here decides who is right: `compare` measures, per output, how far the candidate is from the reference
and in which way (its class), and whether that is within the budget the error model grants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

from jace_repro.repro.large import same_bytes
from jace_repro.tester.numerics.errormodel import Budget

#: Classes of difference, most telling first: a program that differs in several ways is named by the first of
#: them, so that a reduction which loses the minor ways keeps its signature.
CLASSES = ("tree", "shape", "dtype", "value", "nan", "inf", "sign-of-zero")

Mask = np.ndarray[Any, np.dtype[np.bool_]]

_UINT: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass(frozen=True)
class OutputDifference:
    """How one output differs.

    Attributes:
        output: its position among the flat outputs (-1 for a difference of the tree).
        kind: one of `CLASSES`.
        count: how many elements differ beyond the budget, of `size`.
        index: the worst element.
        reference, candidate: text of the worst element (or of the shapes, dtypes).
    """

    output: int
    kind: str
    count: int
    size: int
    index: tuple[int, ...]
    reference: str
    candidate: str

    def __str__(self) -> str:
        if self.kind in ("tree", "shape", "dtype"):
            return f"output {self.output}: {self.kind} {self.candidate}, expected {self.reference}"
        where = f"[{', '.join(map(str, self.index))}]" if self.index else ""
        return (
            f"output {self.output}{where}: got {self.candidate}, expected {self.reference} "
            f"({self.kind}; {self.count} of {self.size} elements)"
        )


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`: `differences` beyond the budget, and the largest distances whatever the budget."""

    differences: tuple[OutputDifference, ...] = ()
    max_abs: float = 0.0
    max_rel: float = 0.0
    max_ulp: float = 0.0
    bits_equal: bool = True
    masks: tuple[Mask | None, ...] = field(default=(), repr=False)

    @property
    def within_budget(self) -> bool:
        """Whether no difference is beyond the budget."""
        return not self.differences

    @property
    def structural(self) -> bool:
        """Whether the tree, a shape or a dtype differs: no arithmetic can explain that."""
        return self.kind in ("tree", "shape", "dtype")

    @property
    def kind(self) -> str | None:
        """The most telling class of difference, None when there is none."""
        kinds = {difference.kind for difference in self.differences}
        return next((kind for kind in CLASSES if kind in kinds), None)

    def __str__(self) -> str:
        return "; ".join(map(str, self.differences[:4])) if self.differences else "no difference"


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether `dtype` is real floating, the ml_dtypes ones included."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name in _ML_FLOATS)


_ML_FLOATS = frozenset({"bfloat16"} | {n for n in dir(ml_dtypes) if n.startswith("float")})


def ulp_distance(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Distance in units in the last place, elementwise; +0 and -0 are 0 apart. Same float dtype, no NaN."""
    uint = _UINT[a.dtype.itemsize]
    sign = uint(1 << (8 * a.dtype.itemsize - 1))
    bits_a, bits_b = a.view(uint), b.view(uint)
    mag_a, mag_b = bits_a & ~sign, bits_b & ~sign
    same = (bits_a & sign) == (bits_b & sign)
    apart = (np.maximum(mag_a, mag_b) - np.minimum(mag_a, mag_b)).astype(np.float64)
    return np.where(same, apart, mag_a.astype(np.float64) + mag_b.astype(np.float64))


def bits_equal(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Same shape, dtype and bytes, where all NaN count as one."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if same_bytes(a, b):
        return True
    return not _class_masks(as_real(a), as_real(b), ulps=0.0)


def same_elements(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Mask:
    """Where two real arrays have the same number, with the same sign of a zero; all NaN count as one."""
    if not is_float(a.dtype):
        return np.asarray(a == b)
    one, other = a.astype(np.float64), b.astype(np.float64)
    same = (one == other) & (np.signbit(one) == np.signbit(other))
    return np.asarray(same | (np.isnan(one) & np.isnan(other)))


def as_real(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A complex array of shape s as a real one of shape (*s, 2); others unchanged. Contiguous."""
    array = np.ascontiguousarray(array).reshape(array.shape)
    if array.dtype.kind != "c":
        return array
    part = np.float32 if array.dtype.itemsize == 8 else np.float64
    return array.reshape(-1).view(part).reshape(*array.shape, 2)


def _class_masks(
    reference: np.ndarray[Any, Any], candidate: np.ndarray[Any, Any], *, ulps: float
) -> dict[str, Mask]:
    """Per class of difference the mask of elements that differ by more than `ulps` (only non-empty masks)."""
    if not is_float(reference.dtype):
        unequal: Mask = reference != candidate
        return {"value": unequal} if unequal.any() else {}
    nan_r, nan_c = np.isnan(reference), np.isnan(candidate)
    inf_r, inf_c = np.isinf(reference), np.isinf(candidate)
    finite = ~(nan_r | nan_c | inf_r | inf_c)
    neither_nan = ~(nan_r | nan_c)
    with np.errstate(all="ignore"):
        distance = np.where(finite, ulp_distance(reference, candidate), 0.0)
        zeros = (reference == 0) & (candidate == 0)
    masks = {
        "value": finite & (distance > ulps),
        "nan": nan_r != nan_c,
        "inf": neither_nan & (inf_r | inf_c) & (reference != candidate),
        # An exact result has an exact zero; after a rounded operation the sign of a zero may be rounding's.
        "sign-of-zero": zeros & (np.signbit(reference) != np.signbit(candidate)),
    }
    return {kind: mask for kind, mask in masks.items() if mask.any()}


def _distances(
    reference: np.ndarray[Any, Any], candidate: np.ndarray[Any, Any]
) -> tuple[float, float, float]:
    """(max_abs, max_rel, max_ulp); infinite where one side alone is NaN or infinite."""
    if reference.size == 0:
        return 0.0, 0.0, 0.0
    if not is_float(reference.dtype):
        if reference.dtype.kind == "b":
            apart = (reference != candidate).astype(np.float64)
        else:
            low, high = np.minimum(reference, candidate), np.maximum(reference, candidate)
            apart = (high.astype(np.float64) - low.astype(np.float64)) * (high != low)
        worst = float(apart.max())
        scale = float(np.abs(reference.astype(np.float64)).max())
        return worst, worst / max(scale, 1.0), worst
    finite = np.isfinite(reference) & np.isfinite(candidate)
    with np.errstate(all="ignore"):
        same = (reference == candidate) | (np.isnan(reference) & np.isnan(candidate))
    if not (finite | same).all():
        return float("inf"), float("inf"), float("inf")
    wide_r = np.where(finite, reference, 0).astype(np.float64)
    wide_c = np.where(finite, candidate, 0).astype(np.float64)
    ulp = np.where(finite, ulp_distance(reference, candidate), 0.0)
    with np.errstate(all="ignore"):
        worst = float(np.abs(wide_r - wide_c).max())
    scale = float(np.abs(wide_r).max())
    return worst, worst / scale if scale else (0.0 if worst == 0 else float("inf")), float(ulp.max())


def text_of(array: np.ndarray[Any, Any], index: tuple[int, ...]) -> str:
    """An element as text that says every bit."""
    value = array[index]
    return repr(value.item()) if array.dtype.kind in "biufc" else str(value)


def _output(
    position: int, reference: np.ndarray[Any, Any], candidate: np.ndarray[Any, Any], budget: Budget
) -> tuple[OutputDifference | None, tuple[float, float, float], Mask | None]:
    for kind, want, have in (
        ("shape", reference.shape, candidate.shape),
        ("dtype", reference.dtype, candidate.dtype),
    ):
        if want != have:
            infinite = (float("inf"),) * 3
            return OutputDifference(position, kind, 1, 1, (), str(want), str(have)), infinite, None
    real_r, real_c = as_real(reference), as_real(candidate)
    if same_bytes(real_r, real_c):
        return None, (0.0, 0.0, 0.0), None
    distances = _distances(real_r, real_c)
    masks = _class_masks(real_r, real_c, ulps=budget.ulps)
    if not masks:
        return None, distances, None
    kind = next(kind for kind in CLASSES if kind in masks)
    everything = np.zeros(real_r.shape, bool)
    for mask in masks.values():
        everything |= mask
    if kind == "value":
        # Rank by absolute difference: it is the one a reader recognises.
        with np.errstate(all="ignore"):
            rank = np.abs(real_r.astype(np.float64) - real_c.astype(np.float64))
        worst = int(np.argmax(np.where(masks[kind], np.nan_to_num(rank, posinf=np.inf), -1.0)))
    else:
        worst = int(np.argmax(masks[kind]))
    index = tuple(int(i) for i in np.unravel_index(worst, real_r.shape))
    element = index[: reference.ndim]
    difference = OutputDifference(
        position,
        kind,
        int(everything.sum()),
        everything.size,
        element,
        text_of(reference, element),
        text_of(candidate, element),
    )
    return difference, distances, everything


def compare(
    reference: Sequence[np.ndarray[Any, Any]],
    candidate: Sequence[np.ndarray[Any, Any]],
    budgets: Sequence[Budget],
) -> Comparison:
    """Measure how `candidate` differs from `reference`.

    Args:
        reference, candidate: flat outputs, typed keys already as their base arrays.
        budgets: what the error model grants each output (`errormodel.budgets`).
    """
    if len(reference) != len(candidate):
        tree = OutputDifference(
            -1, "tree", 1, 1, (), f"{len(reference)} outputs", f"{len(candidate)} outputs"
        )
        inf = float("inf")
        return Comparison((tree,), inf, inf, inf, bits_equal=False)
    found: list[OutputDifference] = []
    masks: list[Mask | None] = []
    worst = [0.0, 0.0, 0.0]
    equal = True
    for position, (want, have, budget) in enumerate(zip(reference, candidate, budgets, strict=True)):
        difference, distances, mask = _output(position, want, have, budget)
        masks.append(mask)
        worst = [max(pair) for pair in zip(worst, distances, strict=True)]
        equal = equal and difference is None and distances[2] == 0
        if difference is not None:
            found.append(difference)
    return Comparison(tuple(found), worst[0], worst[1], worst[2], bits_equal=equal, masks=tuple(masks))
