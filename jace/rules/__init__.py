"""The rule families. Importing this package registers every rule that jace ships."""

from __future__ import annotations

from jace.rules import (
    contraction,
    control_flow,
    convolution,
    elementwise,
    fft,
    indexing,
    linalg,
    ordering,
    random,
    reduction,
    shape,
    special,
    windows,
)

__all__ = [
    "contraction",
    "control_flow",
    "convolution",
    "elementwise",
    "fft",
    "indexing",
    "linalg",
    "ordering",
    "random",
    "reduction",
    "shape",
    "special",
    "windows",
]
