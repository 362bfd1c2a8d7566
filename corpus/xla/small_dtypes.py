"""jax 0.10.1 on CPU: operations of 2, 4 and 8 bit dtypes that do not compile, or give a wrong number.

| program | what happens | what should be |
|---|---|---|
| `argmax` of two int2 | INTERNAL: RET_CHECK failure in reduce_decomposer.cc | 0 |
| `erfc`, `bessel_i1e` of float8_e5m2 | failed to legalize operation 'chlo.erfc', 'chlo.bessel_i1e' | 0.15625, 0.21875 |
| `population_count` of the int4 -8 | 5: the bits of the sign extended byte | 1 |
| `argmax` of float8_e8m0fnu (2, nan, 1) | 0 | 1: NaN is the largest everywhere else |

    python corpus/xla/small_dtypes.py        prints one line a program; exit status 1: at least one bug present

jace's results are the right ones, but in `population_count`, where it gives XLA's number.
"""

import sys

import jax
import jax.numpy as jnp
from jax import lax

PROGRAMS = {
    "argmax of int2": (lambda x: lax.argmax(x, 0, jnp.int32), jnp.array([1, 0], jnp.int2), 0),
    "erfc of float8_e5m2": (lax.erfc, jnp.array(1.0, jnp.float8_e5m2), 0.15625),
    "bessel_i1e of float8_e5m2": (lax.bessel_i1e, jnp.array(1.0, jnp.float8_e5m2), 0.21875),
    "population_count of int4": (lax.population_count, jnp.array(-8, jnp.int4), 1),
    "argmax of float8_e8m0fnu": (
        lambda x: lax.argmax(x, 0, jnp.int32),
        jnp.array([2.0, jnp.nan, 1.0], jnp.float8_e8m0fnu),
        1,
    ),
}


def outcome(program, argument):
    """The result of `program`, or the first line of the error that compiling it raises."""
    try:
        return float(jax.jit(program)(argument))
    except jax.errors.JaxRuntimeError as error:
        return str(error).splitlines()[0]


def main():
    """Print every program's result; 1 when one is wrong."""
    present = False
    for name, (program, argument, right) in PROGRAMS.items():
        got = outcome(program, argument)
        present |= got != right
        print(f"{name}: {got}, should be {right}")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
