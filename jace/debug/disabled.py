"""Whether `jace.jit` is `jax.jit`: with `$JACE_DISABLE` a program runs as it would without DaCe.

A tracker asks for it, too: it records what a program computes, and leaves to the tests what DaCe makes of that.
"""

from __future__ import annotations

import os

VARIABLE = "JACE_DISABLE"
_asked = False


def disable_jit() -> None:
    """Have functions that are given to `jace.jit` from now on be called as those of `jax.jit`; their stages stay."""
    global _asked
    _asked = True


def is_disabled() -> bool:
    """Whether that was asked for, here or by the environment (any value but "" and "0")."""
    return _asked or os.environ.get(VARIABLE, "") not in ("", "0")
