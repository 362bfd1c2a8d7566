"""Values of a flat call on their way in and out of a compiled program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jace.jax_internals import is_key_dtype, plain_value
from jace.primitive.binding import Argument, Around, Fixed, Output


def as_numpy(value: Any, dtype: np.dtype[Any]) -> Any:
    """A flat argument as the program takes it: key data for typed keys, Python scalars as arrays of `dtype`."""
    value = plain_value(value)
    if isinstance(value, bool | int | float | complex):
        return np.asarray(value, dtype)
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def as_jax(value: Any, aval: Any) -> Any:
    """A flat argument as XLA takes it: key data as typed keys, Python scalars as arrays."""
    if is_key_dtype(aval.dtype) and not is_key_dtype(getattr(value, "dtype", None)):
        return jax.random.wrap_key_data(jax.numpy.asarray(value), impl=aval.dtype._impl.name)
    if aval.dtype == jax.dtypes.float0:
        return np.zeros(aval.shape, aval.dtype)
    return value if is_key_dtype(aval.dtype) else np.asarray(value, aval.dtype)


def operand_of(operand: Argument | Fixed | Around, flat: Sequence[Any]) -> Any:
    """The value of an operand.

    Args:
        operand: what it is in terms of the call.
        flat: the call's flat arguments.
    Raises:
        TypeError: it is the content of a ref.
    """
    if isinstance(operand, Around):
        raise TypeError("the function works on refs, which only JAX has: call it through XLA, not directly")
    return flat[operand.index] if isinstance(operand, Argument) else operand.value


def result_of(
    result: Output | Argument | Fixed | Around, outs: list[np.ndarray[Any, Any]], flat: Sequence[Any]
) -> np.ndarray[Any, Any]:
    """The value of a flat result.

    Args:
        result: what it is in terms of the call.
        outs: the program's outputs.
        flat: the call's flat arguments.
    """
    if isinstance(result, Output):
        return outs[result.index]
    return np.array(plain_value(operand_of(result, flat)))
