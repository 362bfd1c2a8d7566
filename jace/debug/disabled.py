"""Whether `jace.jit` is `jax.jit`: with `$JACE_DISABLE` a program runs as it would without DaCe.

A tracker asks for it, too: it records what a program computes, and leaves to the tests what DaCe makes of that. It is
told what the program asks of jace, since the tests are to be of that.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Literal

VARIABLE = "JACE_DISABLE"
#: What a program may ask for: that a function is compiled on a pipeline, that a primitive has a rule.
Asked = Literal["pipeline", "rule"]
_told: list[Callable[[Asked, str], object]] = []


@contextlib.contextmanager
def disable_jit(told: Callable[[Asked, str], object]) -> Iterator[None]:
    """While entered, functions that are given to `jace.jit` are called as those of `jax.jit`; their stages stay.

    Args:
        told: hears what is asked for, and the name of the pipeline or primitive, in the thread that asks.
    """
    _told.append(told)
    try:
        yield
    finally:
        _told.remove(told)


def is_disabled() -> bool:
    """Whether that was asked for, here or by the environment (any value but "" and "0")."""
    return bool(_told) or os.environ.get(VARIABLE, "") not in ("", "0")


def tell(what: Asked, name: str) -> None:
    """Somebody asks for a pipeline or a rule."""
    for told in _told:
        told(what, name)
