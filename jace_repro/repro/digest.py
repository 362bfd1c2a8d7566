"""One hash over the outputs of a program. Needs only JAX and NumPy: a self-check runs this file by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def digest_outputs(flat_outputs: Iterable[Any]) -> str:
    """SHA-256 (hex) over dtype, shape and bytes of every output in order; typed keys by their key data."""
    digest = hashlib.sha256()
    for value in flat_outputs:
        name = str(getattr(value, "dtype", ""))
        if jnp.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key):
            value = jax.random.key_data(value)
        array = np.asarray(value)
        digest.update(f"{name or array.dtype}{array.shape};".encode())
        if array.nbytes:
            digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
