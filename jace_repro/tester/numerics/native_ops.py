"""Primitives in the program's own dtypes in NumPy, with XLA's semantics: no opinion of XLA's compiler in them.

`native_op(eqn)` gives the function `(params, *operands) -> array or list` of an equation, or None when NumPy
has none: integers wrap, division by zero and shifts are XLA's, conversions saturate, NaN sorts last, gathers
clamp, scatters drop. Floating-point operations are here when they are exact or correctly rounded, and flush
subnormals as XLA does; `zeta` and `polygamma`, which XLA has wrong, are SciPy's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jace.ir import JaxprEqn
from jace_repro.tester.numerics import indexing_ops
from jace_repro.tester.numerics.conversion_ops import bitcast, convert
from jace_repro.tester.numerics.errormodel import aval_of
from jace_repro.tester.numerics.floating_ops import FLOATING
from jace_repro.tester.numerics.integer_ops import BOOLEAN, INTEGER
from jace_repro.tester.numerics.native_types import Array, Op, is_integer
from jace_repro.tester.numerics.numpy_ops import FLOAT_OPS
from jace_repro.tester.numerics.order_ops import argument_extreme, compare, select_extreme, sort, top_k
from jace_repro.tester.numerics.reduction_ops import cumulation, dot_general, reduction


def _iota(p: Mapping[str, Any]) -> Array:
    shape, dimension = p["shape"], p["dimension"]
    along = [1] * len(shape)
    along[dimension] = shape[dimension]
    values = np.arange(shape[dimension], dtype=np.int64).astype(p["dtype"]).reshape(along)
    return np.broadcast_to(values, shape)


def _split(p: Mapping[str, Any], x: Array) -> list[Array]:
    return np.split(x, np.cumsum([int(size) for size in p["sizes"]])[:-1], axis=p["axis"])


#: Operations that are the same for all types of numbers.
_ANY: dict[str, Op] = {
    **{
        name: FLOAT_OPS[name]
        for name in (
            *("copy", "copy_p", "stop_gradient", "device_put", "optimization_barrier", "select_n"),
            *("broadcast_in_dim", "reshape", "squeeze", "expand_dims", "transpose", "rev", "slice"),
            "concatenate",
        )
    },
    "max": select_extreme(largest=True),
    "min": select_extreme(largest=False),
    "eq": compare(np.equal),
    "ne": compare(np.not_equal),
    "lt": compare(np.less),
    "le": compare(np.less_equal),
    "gt": compare(np.greater),
    "ge": compare(np.greater_equal),
    **{f"reduce_{name}": reduction(name) for name in ("sum", "prod", "max", "min", "and", "or", "xor")},
    **{f"cum{name}": cumulation(name) for name in ("sum", "prod", "max", "min")},
    "argmax": argument_extreme(np.argmax),
    "argmin": argument_extreme(np.argmin),
    "sort": sort,
    "top_k": top_k,
    "dot_general": dot_general,
    "convert_element_type": convert,
    "bitcast_convert_type": bitcast,
    "iota": _iota,
    "split": _split,
    "stack": lambda p, *xs: np.stack(xs, p["axis"]),
    "unstack": lambda p, x: [np.take(x, i, p["axis"]) for i in range(x.shape[p["axis"]])],
    "tile": lambda p, x: np.tile(x, p["reps"]),
    "real": lambda p, x: x.real,
    "imag": lambda p, x: x.imag,
    "pad": indexing_ops.pad,
    "gather": indexing_ops.gather,
    "dynamic_slice": indexing_ops.dynamic_slice,
    "dynamic_update_slice": indexing_ops.dynamic_update_slice,
    "scatter": indexing_ops.scatter(indexing_ops.assign),
    **{
        f"scatter{joint}{name}": indexing_ops.scatter(indexing_ops.accumulate(ufunc))
        for joint in "-_"
        for name, ufunc in {
            "add": np.add,
            "sub": np.subtract,
            "mul": np.multiply,
            "max": np.maximum,
            "min": np.minimum,
        }.items()
    },
}


#: Those of `_ANY` that move, choose or count: as right on wider operands.
_MOVING = frozenset(
    {
        *("argmax", "argmin", "convert_element_type", "dynamic_slice", "dynamic_update_slice", "gather"),
        *("pad", "reduce_max", "reduce_min", "scatter", "sort", "split", "stack", "tile", "top_k", "unstack"),
    }
)


def moving_op(eqn: JaxprEqn) -> Op | None:
    """NumPy's function for an equation that only moves, chooses or counts, on operands of any dtype; or None."""
    return native_op(eqn) if eqn.primitive.name in _MOVING else None


def native_op(eqn: JaxprEqn) -> Op | None:
    """NumPy's function for an equation, or None."""
    name = eqn.primitive.name
    if name == "scatter" and not _assigns(eqn.params["update_jaxpr"]):
        return None
    if name in _ANY:
        return _ANY[name]
    if not eqn.invars:
        return None
    dtype = getattr(aval_of(eqn.invars[0]), "dtype", np.dtype(bool))
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        return None  # a key: NumPy knows no such thing
    if dtype.kind == "b":
        return BOOLEAN.get(name)
    if is_integer(dtype):
        return INTEGER.get(name)
    return FLOATING.get(name) if dtype.kind != "c" else None


def _assigns(update: Any) -> bool:
    """Whether a scatter's combiner gives its second operand (`scatter_apply` has others)."""
    return update is None or (not update.eqns and update.outvars[0] is update.invars[1])
