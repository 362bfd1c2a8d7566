"""Whether `jace.jit` is `jax.jit`: with `$JACE_DISABLE` a program runs as it would without DaCe.

A tracker that runs a program asks for it, too: it records what the program computes, and leaves to the tests what DaCe
makes of that. Any tracker is told what the program asks of jace, since the tests are to be of that.
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
_disabling = 0


@contextlib.contextmanager
def watch_jit(told: Callable[[Asked, str], object], *, disable: bool) -> Iterator[None]:
    """While entered, hear what is asked of jace.

    Args:
        told: hears what is asked for, and the name of the pipeline or primitive, in the thread that asks.
        disable: functions that are given to `jace.jit` meanwhile are called as those of `jax.jit`; their stages stay.
    """
    global _disabling
    _told.append(told)
    _disabling += disable
    try:
        yield
    finally:
        _told.remove(told)
        _disabling -= disable


def is_disabled() -> bool:
    """Whether that was asked for, here or by the environment (any value but "" and "0")."""
    return _disabling > 0 or os.environ.get(VARIABLE, "") not in ("", "0")


def tell(what: Asked, name: str) -> None:
    """Somebody asks for a pipeline or a rule."""
    for told in _told:
        told(what, name)
