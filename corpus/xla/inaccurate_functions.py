"""jax 0.10.1 on CPU: functions that are far from right at some arguments; mpmath has the values that should be.

| function | gives | should be |
|---|---|---|
| `tan` of complex128, near a pole | 4% off | every digit but the last few: the argument is exact |
| `log` of complex128, of modulus 0.775 | -0.2546153460311877 | -0.2546153460311903 (12 ULP off 1) |
| `igammac(1e-37, 1e-37)` of float32 | -2.4e-7, a probability | 8.5e-36 |
| `igamma(1000, 990)` of float32 | 0.37965, off by 3.4e-4 | 0.37952 |
| `betainc(1e4, 1e4, 0.5)` of float64 | 0.49999999998501676 | 0.5, which is their median |
| `betainc(1, 90, 0.01)` of float32 | 0.595290, off by 3.8e-5 | 0.595268, which is 1 - 0.99 to the power of 90 |
| `zeta(65440, 1.721)` of float32 | nan | 0: the first term is 1.721 to the power of -65440 |

`tan` and `log` are right from jax 0.11 on; the others were not as of 0.12.0.1.

    python corpus/xla/inaccurate_functions.py   prints one line a function; exit status 1: at least one bug present

jace's results are the right ones.
"""

import sys

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

#: Name, function, arguments, what should be, and the relative error that is granted.
FUNCTIONS = [
    (
        "tan of complex128",
        lax.tan,
        (np.complex128(-1.570796326794897 + 1.1102230246251563e-16j),),
        2409339316229992.05 + 698669448915171.68j,
        1e-12,
    ),
    (
        "log of complex128",
        lax.log,
        (np.complex128(0.7752146300026783 + 9.999999999999999e-09j),),
        -0.25461534603119026 + 1.289965335144081e-08j,
        2e-15,
    ),
    ("igammac of float32", lax.igammac, (np.float32(1e-37), np.float32(1e-37)), 8.4618e-36, 1e-3),
    ("igamma of float32", lax.igamma, (np.float32(1000), np.float32(990)), 0.379521378537964, 1e-5),
    ("betainc of float64", lax.betainc, (np.float64(1e4), np.float64(1e4), np.float64(0.5)), 0.5, 1e-12),
    ("betainc of float32", lax.betainc, (np.float32(1), np.float32(90), np.float32(0.01)), 0.595268011, 1e-5),
    ("zeta of float32", lax.zeta, (np.float32(65440), np.float32(1.721)), 0.0, 0.0),
]


def main():
    """Print every function's result; 1 when one is wrong."""
    present = False
    for name, function, arguments, right, granted in FUNCTIONS:
        got = jax.jit(function)(*arguments).item()
        present |= not abs(got - right) <= granted * abs(right)
        print(f"{name}: {got}, should be {right}")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
