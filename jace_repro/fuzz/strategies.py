"""Hypothesis strategies of JAX programs, for the property tests of any project; needs hypothesis.

What is drawn is what `jace-repro fuzz` tests: operations of one table, in loops, branches and transforms, with values
about their critical points. Where a test fails, hypothesis makes a program of `programs` smaller choice by choice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from jace_repro.fuzz.draw import Draw, Operand, Shape
from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
from jace_repro.fuzz.programs import COMPOSED, REFUSED, Program, drawn, name_of, program
from jace_repro.fuzz.values import DOMAINS, values_of

try:
    from hypothesis import reject
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError as error:
    raise ImportError("jace_repro.fuzz.strategies needs hypothesis: pip install hypothesis") from error

__all__ = ["arrays", "compositions", "programs"]

#: Seeds of values, and of programs of several operations.
_SEEDS = st.integers(0, 2**32 - 1)


class _Given(Draw):
    """Draws what hypothesis chooses."""

    def __init__(self, chosen: random.Random, x64: bool) -> None:
        super().__init__("", x64)
        self.random = chosen

    def shape(self, rank: int | None = None, *, least: int = 0, most: int = 12, large: bool = True) -> Shape:
        # what hypothesis tries to make smaller chooses no large axis first
        return super().shape(rank, least=least, most=most, large=large and self.flag("large"))


def programs(operations: Sequence[str] | None = None) -> SearchStrategy[Program]:
    """Programs of one operation: by itself, or in a loop, a branch, a transform.

    `Program.function` is to be called with `Program.arrays`, NumPy arrays of any shape and dtype that JAX has in the
    mode that it is in (`jax_enable_x64`). A draw takes some 10 ms to 100 ms: tests may need
    `settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])`.

    Args:
        operations: their names, keys of `jace_repro.fuzz.operations.OPERATIONS`; None for all that call no Python.
    Raises:
        ValueError: there is no operation of a name.
    """
    names = [name for name in OPERATIONS if name not in UNWRITTEN] if operations is None else list(operations)
    if unknown := [name for name in names if name not in OPERATIONS]:
        raise ValueError(f"no operations {', '.join(unknown)}")

    @st.composite
    def made(draw: st.DrawFn) -> Program:
        name = draw(st.sampled_from(names))
        chosen = draw(st.randoms(use_true_random=False))
        seed = draw(_SEEDS)
        try:
            found = drawn(name, _Given(chosen, bool(jax.config.jax_enable_x64)), f"{name}/{seed}")
        except REFUSED:
            reject()
        return replace(found, name=name)

    return made()


def compositions() -> SearchStrategy[Program]:
    """Programs of several operations, blocks within blocks, as `programs`.

    Each is made from one seed: hypothesis cannot make it smaller, `jace-repro reduce` can.
    """

    def made(seed: int) -> Program:
        try:
            return program(name_of(COMPOSED, seed, x64=bool(jax.config.jax_enable_x64)))
        except REFUSED:
            reject()

    return _SEEDS.map(made)


def arrays(
    dtype: Any, shape: tuple[int, ...], domain: str = "critical", about: str = ""
) -> SearchStrategy[np.ndarray[Any, Any]]:
    """Arrays of a dtype and a shape.

    Args:
        dtype, shape: of the array.
        domain: what its values are, a key of `jace_repro.fuzz.values.DOMAINS`: "critical" for the critical points of a
            function among other numbers; "special" for NaN, infinities and zeros; "ties", "plain", "positive" ...
        about: the primitive whose critical points they are: "log", "erf_inv" ...
    Raises:
        ValueError: there is no such domain.
    """
    if domain not in DOMAINS or domain == "joint" or domain.startswith("indices"):
        raise ValueError(f"no domain {domain!r} of arrays")
    operand = Operand(shape, np.dtype(dtype), domain, about)
    return _SEEDS.map(lambda seed: values_of(operand, str(seed)))
