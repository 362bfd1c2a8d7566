"""jax 0.10.1 to 0.12.0.1 on CPU: XLA divides by zero while it compiles two uses of an array of no elements.

| program | what happens | what should be |
|---|---|---|
| `(ormqr(a, a[0], c), a)`, a of shape (3, 0) | the process ends with SIGFPE | `(c, a)`: there are no reflectors |

`ormqr` alone compiles, and so does the pair for an `a` with a column. JAX equation by equation is right.

    python corpus/xla/ormqr_of_no_columns.py   exit status 1: the bug is present

jace's result is the right one.
"""

import subprocess
import sys

PROGRAM = """
import jax, numpy as np
from jax.lax import linalg

c = np.ones((3, 2), np.float32)
out, _ = jax.jit(lambda a: (linalg.ormqr(a, a[0], c), a))(np.zeros((3, 0), np.float32))
assert (out == c).all(), out
"""

done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
print("right" if done.returncode == 0 else f"the process ended with {done.returncode}")
sys.exit(done.returncode != 0)
