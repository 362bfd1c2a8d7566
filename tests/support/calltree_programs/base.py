"""What a program of this package is, and the arguments that programs share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np


@dataclasses.dataclass(frozen=True)
class Program:
    """A function, its arguments, and how it is jitted."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    jit: Mapping[str, Any]

    def run(self) -> Any:
        """What the program computes; it is traced anew each time."""
        return self.jitted()(*self.args, **self.kwargs)

    def jitted(self) -> Any:
        """The jitted function."""
        return jax.jit(self.fun, **self.jit)


PROGRAMS: dict[str, Program] = {}


def program(*args: Any, name: str = "", kwargs: Any = None, jit: Any = None) -> Callable[..., Any]:
    """Registers a function with the arguments it is called with."""

    def register(fun: Callable[..., Any]) -> Callable[..., Any]:
        key = name or fun.__name__
        assert key not in PROGRAMS, key
        PROGRAMS[key] = Program(fun, args, dict(kwargs or {}), dict(jit or {}))
        return fun

    return register


_random = np.random.RandomState(0)


def normal(*shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return _random.randn(*shape).astype(np.float32)


X, Y = normal(4), normal(4)
M = normal(3, 4)
INTEGERS = np.array([3, -2, 7, 5], np.int32)
POSITIVE = np.array([2, 3, 2, 4], np.int32)
