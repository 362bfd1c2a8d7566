"""How plain a type is: float32, int32 and bool are the plainest; and which ones are plainer than another."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np

from jace.ir import is_key_dtype

_FLOAT, _INTEGER, _COMPLEX = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.complex64)


def plainer_dtypes(dtype: Any) -> Iterator[np.dtype[Any]]:
    """Those that a plainer program may have in the place of this one, the plainest first."""
    if is_key_dtype(dtype):
        return
    if jnp.issubdtype(dtype, jnp.inexact):
        if dtype != _FLOAT:
            yield _FLOAT
        if jnp.issubdtype(dtype, jnp.complexfloating) and dtype != _COMPLEX:
            yield _COMPLEX
    elif jnp.issubdtype(dtype, jnp.integer) and dtype != _INTEGER:
        yield _INTEGER


@functools.cache
def unplainness(dtype: Any) -> int:
    """How many types are plainer."""
    return sum(1 for _ in plainer_dtypes(dtype))
