"""Jaxprs as data: walking, inlining, dead equations, slicing, folding, expanding, evaluating, comparing.

Used by the translator and by the harness; every function here is a pure function of its arguments.
"""

from __future__ import annotations

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.dtypes import dtype_named
from jace.ir.annotations import ALIASES, TOKENS
from jace.ir.calls import CALLS, DECIDED
from jace.ir.canonical import canonical_text, fingerprint
from jace.ir.collectives import CASTS, COLLECTIVES, expand_collective, manual_axes
from jace.ir.common import merge_common
from jace.ir.control import (
    CONTROL,
    SCAN_BODY,
    WHILE_BODY,
    WHILE_CONDITION,
    Scan,
    Slot,
    While,
    advanced,
    carried,
    control_steps,
    flows,
    run_control,
    slots,
    taken_branch,
    with_body,
)
from jace.ir.core import (
    CALL_PRIMITIVES,
    consts_as_inputs,
    count_equations,
    describe,
    dtypes,
    inner_jaxprs,
    make_closed,
    map_bodies,
    open_jaxpr,
    primitives,
    source_of,
    sub_jaxprs,
    walk,
)
from jace.ir.dead import eliminate_dead, live_equations, slice_to
from jace.ir.evaluation import eval_each, eval_equation, evaluate
from jace.ir.expand import RANDOM, expand_lower_fun, expand_random, expand_unruled, why_not
from jace.ir.fold import fold_constants
from jace.ir.inline import KEPT, expand_call, inline_calls, keep_call
from jace.ir.iterations import entries, entry_values, trip_count
from jace.ir.normal import live_form, normal_form, used_variables
from jace.ir.rewrite import Expand, Splice, splice
from jace.ir.sparse import SPARSE
from jace.ir.state import (
    Discharged,
    discharge,
    is_ref,
    on_values,
    purify,
    refs_as_operands,
    without_hijax,
    written_refs,
)
from jace.ir.trimming import steering, trim
from jace.jax_internals import (
    DropVar,
    ShapedArray,
    discharge_refs,
    is_key_dtype,
    is_plain,
    lower_fun_of,
    new_jaxpr_eqn,
    plain_value,
)

__all__ = [
    "ALIASES",
    "CALLS",
    "CALL_PRIMITIVES",
    "CASTS",
    "COLLECTIVES",
    "CONTROL",
    "DECIDED",
    "KEPT",
    "RANDOM",
    "SCAN_BODY",
    "SPARSE",
    "TOKENS",
    "WHILE_BODY",
    "WHILE_CONDITION",
    "ClosedJaxpr",
    "Discharged",
    "DropVar",
    "Expand",
    "Jaxpr",
    "JaxprEqn",
    "Literal",
    "Scan",
    "ShapedArray",
    "Slot",
    "Splice",
    "Var",
    "While",
    "advanced",
    "canonical_text",
    "carried",
    "consts_as_inputs",
    "control_steps",
    "count_equations",
    "describe",
    "discharge",
    "discharge_refs",
    "dtype_named",
    "dtypes",
    "eliminate_dead",
    "entries",
    "entry_values",
    "eval_each",
    "eval_equation",
    "evaluate",
    "expand_call",
    "expand_collective",
    "expand_lower_fun",
    "expand_random",
    "expand_unruled",
    "fingerprint",
    "flows",
    "fold_constants",
    "inline_calls",
    "inner_jaxprs",
    "is_key_dtype",
    "is_plain",
    "is_ref",
    "keep_call",
    "live_equations",
    "live_form",
    "lower_fun_of",
    "make_closed",
    "manual_axes",
    "map_bodies",
    "merge_common",
    "new_jaxpr_eqn",
    "normal_form",
    "on_values",
    "open_jaxpr",
    "plain_value",
    "primitives",
    "purify",
    "refs_as_operands",
    "run_control",
    "slice_to",
    "slots",
    "source_of",
    "splice",
    "steering",
    "sub_jaxprs",
    "taken_branch",
    "trim",
    "trip_count",
    "used_variables",
    "walk",
    "why_not",
    "with_body",
    "without_hijax",
    "written_refs",
]
