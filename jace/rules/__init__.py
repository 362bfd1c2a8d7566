"""The rule families. Importing this package registers every rule that jace ships."""

from __future__ import annotations

from jace.rules import (
    control_flow,
    elementwise,
    fft,
    indexing,
    linalg,
    ordering,
    products,
    random,
    reduction,
    shape,
    special,
    windows,
)

__all__ = [
    "control_flow",
    "elementwise",
    "fft",
    "indexing",
    "linalg",
    "ordering",
    "products",
    "random",
    "reduction",
    "shape",
    "special",
    "windows",
]
