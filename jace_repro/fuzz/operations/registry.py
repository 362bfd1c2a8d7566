"""Where operations are registered, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jace_repro.fuzz.draw import Draw

#: An operation asks a Draw for operands and parameters, and answers a function of arrays for those operands, in order.
Operation = Callable[[Draw], Callable[..., Any]]

OPERATIONS: dict[str, Operation] = {}


def operation(make: Operation) -> Operation:
    """Decorator: registers an operation under the name of its function, without the underscore before it."""
    add(make.__name__.removeprefix("_"), make)
    return make


def add(name: str, make: Operation) -> None:
    """Register an operation.

    Raises:
        ValueError: there is one of that name.
    """
    if name in OPERATIONS:
        raise ValueError(f"two operations are called {name}")
    OPERATIONS[name] = make
