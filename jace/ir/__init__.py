"""Jaxprs as data: walking, inlining, dead equations, slicing, folding, expanding, evaluating, comparing.

Used by the translator and by the harness; every function here is a pure function of its arguments.
"""

from __future__ import annotations

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.annotations import ALIASES, TOKENS
from jace.ir.calls import CALLS
from jace.ir.collectives import CASTS, COLLECTIVES, manual_axes
from jace.ir.common import merge_common
from jace.ir.core import (
    CALL_PRIMITIVES,
    count_equations,
    describe,
    make_closed,
    open_jaxpr,
    primitives,
    source_of,
    sub_jaxprs,
    walk,
)
from jace.ir.dead import eliminate_dead, slice_to
from jace.ir.evaluate import eval_each, eval_equation
from jace.ir.expand import RANDOM, expand_lower_fun, expand_random, expand_unruled, why_not
from jace.ir.fingerprint import canonical_text, fingerprint
from jace.ir.fold import fold_constants
from jace.ir.inline import expand_call, inline_calls
from jace.ir.normal import normal_form, used_variables
from jace.ir.rewrite import Splice, splice
from jace.ir.sparse import SPARSE
from jace.ir.state import Discharged, discharge, purify
from jace.jax_internals import DropVar, ShapedArray

__all__ = [
    "ALIASES",
    "CALLS",
    "CALL_PRIMITIVES",
    "CASTS",
    "COLLECTIVES",
    "RANDOM",
    "SPARSE",
    "TOKENS",
    "ClosedJaxpr",
    "Discharged",
    "DropVar",
    "Jaxpr",
    "JaxprEqn",
    "Literal",
    "ShapedArray",
    "Splice",
    "Var",
    "canonical_text",
    "count_equations",
    "describe",
    "discharge",
    "eliminate_dead",
    "eval_each",
    "eval_equation",
    "expand_call",
    "expand_lower_fun",
    "expand_random",
    "expand_unruled",
    "fingerprint",
    "fold_constants",
    "inline_calls",
    "make_closed",
    "manual_axes",
    "merge_common",
    "normal_form",
    "open_jaxpr",
    "primitives",
    "purify",
    "slice_to",
    "source_of",
    "splice",
    "sub_jaxprs",
    "used_variables",
    "walk",
    "why_not",
]
