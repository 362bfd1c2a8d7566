"""Sums of products: contractions and convolutions."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.dtypes import accumulation, kind
from jace.ir.core import Atom
from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.rules.operations.base import Operation
from jace.rules.operations.windows import Windows

#: kind of a dtype -> which kinds hold the values of which
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


@dataclass(frozen=True, eq=False)
class Products(Operation):
    """Sums of products of elements of two arrays."""

    left: Atom
    right: Atom

    @property
    def wide(self) -> np.dtype[Any]:
        """What products are computed and summed in: wide enough for the result, of a kind that holds the operands.

        Where the result is asked for in less (an integer of floats, a real of complex numbers), the sum is converted.
        """
        dtypes = (v.aval.dtype for v in (self.out, self.left, self.right))
        return accumulation(max(dtypes, key=lambda dtype: _KINDS[kind(dtype)]))


@dataclass(frozen=True)
class Subscripts:
    """The dimensions of the operands and the result of a contraction, as letters."""

    left: str
    right: str
    out: str

    @property
    def is_matmul(self) -> bool:
        """Whether both are matrices, or stacks of them, as `a @ b` takes them."""
        a, b, c = self.left, self.right, self.out
        stacked = len(a) == len(b) == len(c) in (2, 3) and a[:-2] == b[:-2] == c[:-2]
        return stacked and a[-1] == b[-2] and c[-2:] == a[-2] + b[-1]

    def without(self, single: set[str]) -> Subscripts:
        """Those of the dimensions of more than one element: Einsum drops the others from its operands."""
        return Subscripts(
            *("".join(c for c in text if c not in single) for text in (self.left, self.right, self.out))
        )

    @property
    def in_order(self) -> bool:
        """Whether dimensions of one role stand together, and in one order."""
        texts = (self.left, self.right, self.out)
        roles: dict[tuple[bool, ...], list[str]] = {}
        for c in dict.fromkeys("".join(texts)):
            roles.setdefault(tuple(c in text for text in texts), []).append(c)
        return all(
            "".join(letters) in text
            for present, letters in roles.items()
            for text, there in zip(texts, present, strict=True)
            if there
        )


@dataclass(frozen=True, eq=False)
class Contraction(Products):
    """A sum over pairs of dimensions, for each index of the paired batch dimensions and of the free ones.

    The result has the batch dimensions, those that are free in the left operand, and those in the right one.

    Attributes:
        summed, batch: (dimensions of the left operand, those of the right one that they go with).
    """

    summed: tuple[tuple[int, ...], tuple[int, ...]]
    batch: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def free(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Dimensions of the left operand, and of the right one, that are neither."""
        left, right = (
            tuple(d for d in range(v.aval.ndim) if d not in (*summed, *batch))
            for v, summed, batch in zip((self.left, self.right), self.summed, self.batch, strict=True)
        )
        return left, right

    @property
    def depth(self) -> list[int]:
        """Extents of the sum."""
        return [self.left.aval.shape[d] for d in self.summed[0]]

    @property
    def subscripts(self) -> Subscripts:
        """It as an einsum."""
        letters = iter(string.ascii_letters)
        left = [next(letters) for _ in self.left.aval.shape]
        right = [next(letters) for _ in self.right.aval.shape]
        for side_l, side_r in (self.summed, self.batch):
            for d, e in zip(side_l, side_r, strict=True):
                right[e] = left[d]
        free_l, free_r = self.free
        out = [*(left[d] for d in self.batch[0]), *(left[d] for d in free_l), *(right[e] for e in free_r)]
        return Subscripts("".join(left), "".join(right), "".join(out))


@dataclass(frozen=True, eq=False)
class Convolution(Products):
    """A sum over the features of an image and a window, of images (left) and kernels (right).

    Features and images are counted within a group: a group convolves `in_features` features of an image to
    `out_features`. Feature groups take different features of the image, batch groups different images.

    Attributes:
        dims: a `lax.ConvDimensionNumbers`.
        windows: along the spatial dimensions; their sizes are the kernel's.
        feature_groups, batch_groups: how many there are; one of them is 1.
    """

    dims: Any
    windows: Windows
    feature_groups: int
    batch_groups: int

    @property
    def groups(self) -> int:
        """How many there are of either."""
        return self.feature_groups * self.batch_groups

    @property
    def in_features(self) -> int:
        """Features that are summed up."""
        count: int = self.right.aval.shape[self.dims.rhs_spec[1]]
        return count

    @property
    def out_features(self) -> int:
        """Features of the result."""
        return self.shape[self.dims.out_spec[1]] // self.groups

    @property
    def images(self) -> int:
        """Images of the result."""
        return self.shape[self.dims.out_spec[0]]

    @property
    def spatial(self) -> list[int]:
        """Extents of an image of the result."""
        return [self.shape[d] for d in self.dims.out_spec[2:]]

    def group(self, em: Emitter, feature: Ix) -> Ix:
        """The group of a feature of the result, counted over all groups."""
        return em.opaque(f"({feature}) / {self.out_features}", (0, self.groups)) if self.groups > 1 else ZERO

    def source(
        self, em: Emitter, group: Ix, image: Ix, feature: Ix, at: Index, offsets: Sequence[Ix]
    ) -> tuple[Index, str]:
        """Index into the images, and the C++ condition that it is not padding."""
        spec = self.dims.lhs_spec
        shape = [self.left.aval.shape[d] for d in spec[2:]]
        place, conditions = self.windows.source(em, at, offsets, shape)
        if self.batch_groups > 1:
            image = group * self.images + image
        else:
            feature = group * self.in_features + feature
        index = dict(zip(spec, (image, feature, *place), strict=True))
        return tuple(index[d] for d in sorted(index)), " && ".join(conditions) or "true"

    def kernel_index(self, feature: Ix, in_feature: Ix, offsets: Sequence[Ix]) -> Index:
        """Index into the kernels; `feature` counts over all groups."""
        index = dict(zip(self.dims.rhs_spec, (feature, in_feature, *offsets), strict=True))
        return tuple(index[d] for d in sorted(index))
