"""What of a program decides which generated inputs can tell something."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.ir import CALL_PRIMITIVES, CONTROL, is_key_dtype, primitives, walk
from jace_repro.tester.inputs.indices import IndexUses, index_uses
from jace_repro.tester.numerics.compare import is_float
from jace_repro.tester.numerics.errormodel import (
    DISCONTINUOUS,
    EXACT,
    LINALG,
    PRODUCTS,
    SPECIAL,
    SUMS,
    aval_of,
    is_inexact,
)

#: They move values and look at none: one set with distinct values tells what any set tells.
MOVES = frozenset(
    {
        *("broadcast_in_dim", "concatenate", "copy", "copy_p", "device_put", "dynamic_slice"),
        *("dynamic_update_slice", "expand_dims", "gather", "iota", "optimization_barrier", "pad"),
        *("reshape", "rev", "scatter", "slice", "split", "squeeze", "stack", "stop_gradient", "tile"),
        *("transpose", "unstack"),
    }
)
#: Exact on powers of four, rarely on anything else.
DIVIDES = frozenset({"div", "sqrt", "rsqrt", "integer_pow", "cbrt", "pow"})
#: A subnormal operand moves their result by a subnormal: elsewhere XLA, which flushes them, may be far off and right.
FLUSHABLE = MOVES | {
    "add",
    "sub",
    "neg",
    "abs",
    "max",
    "min",
    "reduce_sum",
    "reduce_max",
    "reduce_min",
    "cumsum",
}
#: Partial sums may overflow or not, partial products underflow too: the order is the implementation's.
IN_ANY_ORDER = SUMS | PRODUCTS | {"cumlogsumexp"}
#: What they make of infinities and NaN is the implementation's: whether it multiplies zeros of a padding by them, which
#: pivot it takes, what it compares with what.
_FINITE_ONLY = LINALG | {
    "conv_general_dilated",
    "select_and_gather_add",
    "select_and_scatter_add",
    "ragged_dot_general",
}
#: At their roots and at the ends of their domains no implementation is right to the last digits.
IMPRECISE = SPECIAL | {"lgamma", "digamma"}
#: Elements from which on one set holds all special values.
ROOMY = 8
#: Sets of each pool of special values for smaller inputs.
ROUNDS = 3


@dataclass(frozen=True)
class Profile:
    """What of a program decides which inputs can tell something.

    Attributes:
        closed: the program.
    """

    closed: ClosedJaxpr

    @cached_property
    def names(self) -> frozenset[str]:
        """Its primitives, without control flow and calls."""
        return frozenset(primitives(self.closed)) - CONTROL

    @cached_property
    def uses(self) -> IndexUses:
        """Which of its inputs are indices."""
        return index_uses(self.closed)

    @property
    def only_moves(self) -> bool:
        """Whether it looks at no value."""
        return self.names <= MOVES

    @property
    def discontinuous(self) -> bool:
        """Whether a tie decides something."""
        return bool(self.names & DISCONTINUOUS) or "reduce_max" in self.names

    @cached_property
    def computes(self) -> frozenset[str]:
        """The kinds of dtypes ("f", "c", "i", "u") that operations other than moves are applied to."""
        eqns = (eqn for _, eqn in walk(self.closed) if eqn.primitive.name not in MOVES | CONTROL)
        dtypes = [getattr(v.aval, "dtype", None) for eqn in eqns for v in eqn.invars]
        return frozenset(letter_of(d) for d in dtypes if d is not None and not is_key_dtype(d))

    @cached_property
    def huge_is_undefined(self) -> bool:
        """Whether a number becomes an integer somewhere: out of its range the result is up to the implementation."""
        return any(
            eqn.primitive.name == "convert_element_type"
            and is_inexact(aval_of(eqn.invars[0]).dtype)
            and letter_of(eqn.params["new_dtype"]) in "iu"
            for _, eqn in walk(self.closed)
        )

    @property
    def special_pools(self) -> int:
        """How many pools of special values there are: the small, the huge, NaN.

        A complex operation may make anything of an infinite or undefined part.
        """
        defined = "c" not in self.computes and not self.names & _FINITE_ONLY and not self.huge_is_undefined
        return 3 if "f" in self.computes and defined else 1

    @cached_property
    def rounds_once(self) -> bool:
        """Whether no result of arithmetic is an operand of more.

        XLA may compute (x * a) * b as x * (a * b), of which one overflows and the other does not, or what is zero
        times infinity becomes finite.
        """
        inexact = [
            eqn for _, eqn in walk(self.closed) if eqn.primitive.name not in EXACT | CONTROL | CALL_PRIMITIVES
        ]
        return sum(any(is_inexact(aval_of(v).dtype) for v in eqn.outvars) for eqn in inexact) <= 1

    def stays_finite(self, number: int) -> bool:
        """Whether zeros and small numbers are to keep the reference finite.

        What divides by them may be rearranged, and a solver may divide by a zero pivot in any order.
        """
        rearranged = not self.rounds_once or bool(self.names & LINALG)
        return rearranged and (number - 1) % self.special_pools == 0

    @cached_property
    def rounds(self) -> int:
        """How often each pool of special values is used.

        Larger inputs hold it at once, and are tried before the small ones: one NaN in a factor would hide everything
        else.
        """
        roomy = [aval_of(v).size >= ROOMY for v in self.closed.jaxpr.invars if aval_of(v).size]
        return any(roomy) + (0 if all(roomy) else ROUNDS)

    @property
    def loops(self) -> bool:
        """Whether the values may decide how long it runs."""
        return "while" in primitives(self.closed)


def letter_of(dtype: Any) -> str:
    """The kind of a dtype, as NumPy names it: of ml_dtypes' too."""
    dtype = np.dtype(dtype)
    if dtype.kind in "biuc":
        return dtype.kind
    return "f" if is_float(dtype) else "i" if "int" in dtype.name else "f"
