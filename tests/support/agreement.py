"""Comparison with XLA for unit tests: exact for integers, a few ULP of the largest element for floats."""

from __future__ import annotations

from typing import Any

import jax
import ml_dtypes
import numpy as np

from jace.releases.xla import XLA

#: Relative to the largest magnitude of an output; rounding and reassociation of short programs stay below.
TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "complex64": 2e-5}


def settled(extreme: np.ndarray) -> np.ndarray:
    """A result of max, min or clamp without what XLA leaves to its optimisations and to the processor.

    From jax 0.11 on that is whether a subnormal bfloat16 comes out as it is or as zero, and as which of the two.
    """
    if XLA < 1100 or extreme.dtype != ml_dtypes.bfloat16:
        return extreme
    return np.where(abs(extreme) < ml_dtypes.finfo(extreme.dtype).tiny, extreme.dtype.type(0), extreme)


def assert_same(reference: Any, got: list[Any]) -> None:
    """Assert equal dtypes, shapes and values of two flat lists (or trees) of arrays."""
    expected = jax.tree.leaves(reference)
    assert len(expected) == len(got)
    for k, (a, b) in enumerate(zip(map(np.asarray, expected), map(np.asarray, got), strict=True)):
        assert (a.dtype, a.shape) == (b.dtype, b.shape), k
        if a.dtype.kind in "iub":
            np.testing.assert_array_equal(b, a, err_msg=f"output {k}")
            continue
        tolerance = TOLERANCE.get(a.dtype.name, 1e-12)
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        a, b = a.astype(wide), b.astype(wide)
        finite = np.isfinite(a)
        scale = np.abs(a[finite]).max(initial=0.0)
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance * scale, err_msg=f"output {k}")
