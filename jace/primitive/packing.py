"""Integers and floats below 8 bits at the border to XLA.

NumPy and jace take a byte for an int4, XLA CPU packs two into one; so around the custom call of a program they travel
as uint8.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from jace import dtypes


def _code(dtype: Any) -> Any:
    """The unsigned integer dtype of the same width."""
    return jnp.uint4 if dtypes.bits(dtype) == 4 else jnp.uint2


def border_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype in which XLA passes a value of `dtype` to a program: uint8 for those it would pack."""
    return np.dtype(np.uint8) if dtypes.packed(dtype) else np.dtype(dtype)


def unpack(value: Any) -> Any:
    """An array of XLA as the program wants it: a packed one as uint8 codes, another as it is."""
    if not dtypes.packed(value.dtype):
        return value
    return lax.convert_element_type(lax.bitcast_convert_type(value, _code(value.dtype)), np.uint8)


def repack(value: Any, dtype: Any) -> Any:
    """A result of the program as an array of `dtype`; the inverse of `unpack`."""
    if not dtypes.packed(dtype):
        return value
    return lax.bitcast_convert_type(lax.convert_element_type(value, _code(dtype)), dtype)
