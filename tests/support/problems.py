"""Problems for the reducer's passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from jace_repro.reducer.problem import Problem, normalise


def problem_of(fun: Callable[..., Any], *args: Any) -> Problem:
    """The problem of a function on arguments."""
    return normalise(jax.make_jaxpr(fun)(*args), args)
