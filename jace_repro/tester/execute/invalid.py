"""Where a NaN or an infinity appears that JAX is asked to raise for (`jax_debug_nans`, `jax_debug_infs`).

JAX names the call; where the call is a whole program, that says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jace.ir import describe, eval_each, source_of
from jace_repro.tester.execute.traced import TracedProgram, base_array, without_calls
from jace_repro.tester.numerics.errormodel import is_inexact

#: By the name of JAX's option: what it is, and how it is seen.
_KINDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "jax_debug_nans": ("a NaN", np.isnan),
    "jax_debug_infs": ("an infinity", np.isinf),
}


@dataclass(frozen=True)
class Invalid:
    """The first equation that gives a value which is not to be.

    Attributes:
        what: the option, the value and the primitive.
        equation: the equation, and where it is in the program.
    """

    what: str
    equation: str


def first_invalid(prog: TracedProgram) -> Invalid | None:
    """The first equation of a program, evaluated one by one, whose result JAX is asked to raise for."""
    asked = {option: kind for option, kind in _KINDS.items() if getattr(jax.config, option, False)}
    with jax.debug_nans(False), jax.debug_infs(False):
        for _, eqn, _, results in eval_each(without_calls(prog.closed), prog.args):
            for option, (name, is_one) in asked.items():
                if any(is_one(x).any() for x in map(base_array, results) if is_inexact(x.dtype)):
                    what = f"{option} is set, and {eqn.primitive.name} gives {name}"
                    return Invalid(what, f"{describe(eqn)} at {source_of(eqn)}")
    return None
