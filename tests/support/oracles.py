"""The oracle of a function on arguments, for tests that ask it directly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.verdict.oracle import Oracle


def oracle(fun: Callable[..., Any], *args: Any) -> Oracle:
    """The oracle of a function, traced in JAX's mode of the moment."""
    closed = jax.make_jaxpr(fun)(*args)
    return Oracle(closed, [np.asarray(a) for a in args], budgets(closed))
