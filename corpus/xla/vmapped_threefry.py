"""jax 0.10.1 on CPU: `vmap` of `threefry2x32` over one of its operands gives a program that does not lower.

`jit(vmap(f, (None, 0)))(x, y)` with `f = threefry2x32_p.bind(key, key, x, y)` raises TypeError: the carry of a loop in
the lowering is u32[1,2] and becomes u32[3,2]. It should be what a loop over the rows of `y` gives.

The batching rule gives the operands without a batch an axis of one element, which the primitive's types allow, and the
lowering on CPU does not broadcast.

    python corpus/xla/vmapped_threefry.py   exit status 1: the bug is present
"""

import sys

import jax
import numpy as np
from jax.extend.random import threefry2x32_p

KEY = np.full(2, 1, np.uint32)
X = np.arange(2, dtype=np.uint32)
Y = np.arange(6, dtype=np.uint32).reshape(3, 2)


def hashed(x, y):
    """Two words for each pair of words."""
    return threefry2x32_p.bind(KEY, KEY, x, y)


def main():
    """Print what becomes of it; 1 where it is wrong."""
    right = [np.stack(words) for words in zip(*(hashed(X, row) for row in Y), strict=True)]
    try:
        found = jax.jit(jax.vmap(hashed, (None, 0)))(X, Y)
    except TypeError as error:
        print(str(error).partition("\n")[0])
        return 1
    same = all(np.array_equal(a, b) for a, b in zip(found, right, strict=True))
    print("right" if same else f"wrong: {found}")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
