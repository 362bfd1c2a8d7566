"""Primitives in the program's own dtypes in NumPy, with XLA's semantics: no opinion of XLA's compiler in them.

`native_op(eqn)` gives the function `(params, *operands) -> array or list` of an equation, or None when NumPy
has none: integers wrap, division by zero and shifts are XLA's, conversions saturate, NaN sorts last, gathers
clamp, scatters drop. Floating-point operations are here when they are exact or correctly rounded, and flush
subnormals as XLA does; `zeta`, which XLA has wrong, is SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np
from scipy import special

from jace.ir import JaxprEqn
from jace_repro.tester.numerics import indexing_ops
from jace_repro.tester.numerics.errormodel import aval_of
from jace_repro.tester.numerics.numpy_ops import FLOAT_OPS

_Array = Any
_Op = Callable[..., Any]

#: Integer types and how many bits they have.
_WIDTHS = {f"{sign}int{width}": width for sign in ("", "u") for width in (2, 4, 8, 16, 32, 64)}
#: Types whose subnormal numbers XLA takes for zeros.
_FLUSHED: Mapping[str, float] = {
    "float32": float(np.finfo(np.float32).tiny),
    "float64": float(np.finfo(np.float64).tiny),
    "bfloat16": float(ml_dtypes.finfo(ml_dtypes.bfloat16).tiny),  # type: ignore[no-untyped-call]
}


def is_integer(dtype: Any) -> bool:
    """Whether `dtype` is an integer type, those of 2 and 4 bits included."""
    return np.dtype(dtype).name in _WIDTHS


def _bits(dtype: Any) -> int:
    """Width of an integer type."""
    return _WIDTHS[np.dtype(dtype).name]


def _wide(x: _Array) -> _Array:
    """An integer array as int64 or uint64."""
    return x.astype(np.uint64 if np.dtype(x.dtype).name.startswith("u") else np.int64)


def _narrow(x: _Array, dtype: Any) -> _Array:
    """A 64-bit result wrapped to its type."""
    return np.asarray(x).astype(dtype)


def _flush(x: _Array) -> _Array:
    tiny = _FLUSHED.get(x.dtype.name)
    if tiny is None:
        return x
    return np.where(np.abs(x) < np.asarray(tiny, x.dtype), np.copysign(np.asarray(0, x.dtype), x), x)


# --- integers -----------------------------------------------------------------------------------------------


def _integer(function: Callable[..., Any]) -> _Op:
    """An operation on 64-bit integers, wrapped to the operands' own type."""
    return lambda p, *xs: _narrow(function(*map(_wide, xs)), xs[0].dtype)


def _int_div(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
    x, y = _wide(a), _wide(b)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    if x.dtype == np.uint64:
        quotient = x // safe
        return _narrow(np.where(y == 0, np.uint64(2**64 - 1), quotient), a.dtype)
    quotient = _truncated(x, safe)
    return _narrow(np.where(y == 0, -1, quotient), a.dtype)


def _truncated(x: _Array, y: _Array) -> _Array:
    """Signed division that rounds to zero; the smallest number by -1 wraps."""
    floor = x // y
    return np.where(
        (y != -1) & ((x < 0) != (y < 0)) & (floor * y != x), floor + 1, np.where(y == -1, -x, floor)
    )


def _int_rem(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
    x, y = _wide(a), _wide(b)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    rest = x % safe if x.dtype == np.uint64 else x - _truncated(x, safe) * safe
    return _narrow(np.where(y == 0, x, rest), a.dtype)


def _shift(left: bool, arithmetic: bool) -> _Op:
    def run(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
        width = _bits(a.dtype)
        amount = _wide(b)
        beyond = (amount < 0) | (amount >= width)
        amount = np.where(beyond, 0, amount).astype(np.uint64)
        if arithmetic:  # of an unsigned number too the highest bit is taken for a sign
            unused = np.int64(64 - width)
            signed = (_raw(a).astype(np.int64) << unused) >> unused
            fill = np.where(signed < 0, -1, 0)
            return _narrow(np.where(beyond, fill, signed >> amount.astype(np.int64)), a.dtype)
        raw = _raw(a)
        moved = raw << amount if left else raw >> amount
        return _narrow(np.where(beyond, np.uint64(0), moved), a.dtype)

    return run


def _raw(a: _Array) -> _Array:
    """The bits of an integer as uint64, zero-extended."""
    width = _bits(a.dtype)
    return _wide(a).astype(np.uint64) & np.uint64(2**width - 1)


def _population_count(p: Mapping[str, Any], a: _Array) -> _Array:
    return _narrow(np.bitwise_count(_raw(a)), a.dtype)


def _clz(p: Mapping[str, Any], a: _Array) -> _Array:
    raw, width = _raw(a), _bits(a.dtype)
    count = np.zeros(raw.shape, np.int64)
    for bit in range(width):
        count += (raw >> np.uint64(bit)) == 0
    return _narrow(count, a.dtype)


def _integer_pow(p: Mapping[str, Any], x: _Array) -> _Array:
    result, base, exponent = np.ones(x.shape, _wide(x).dtype), _wide(x), int(p["y"])
    if exponent < 0:
        raise NotImplementedError("a negative power of an integer")
    while exponent:
        result = result * base if exponent & 1 else result
        base, exponent = base * base, exponent >> 1
    return _narrow(result, x.dtype)


def _compare(function: Any) -> _Op:
    return lambda p, a, b: function(_comparable(a), _comparable(b))


def _comparable(x: _Array) -> _Array:
    """Numbers of the small types as NumPy's own, subnormal ones as zeros."""
    if is_integer(x.dtype):
        return _wide(x)
    if x.dtype.kind in "cb":
        return x
    return _flush(x).astype(np.float64)


def _select_extreme(largest: bool) -> _Op:
    def run(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
        if a.dtype.kind == "b":
            return a | b if largest else a & b
        if a.dtype.kind == "c":
            raise NotImplementedError("an order of complex numbers")
        x, y = (_wide(v) if is_integer(a.dtype) else v.astype(np.float64) for v in (a, b))
        first = x > y if largest else x < y
        if not is_integer(a.dtype):
            zeros = np.signbit(y) if largest else np.signbit(x)
            first = np.where(x == y, zeros, first) | np.isnan(x)
        return np.where(first, a, b)

    return run


# --- reductions ---------------------------------------------------------------------------------------------


def _reduce(name: str) -> _Op:
    ufuncs = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
    ufuncs |= {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}

    def run(p: Mapping[str, Any], x: _Array) -> _Array:
        axes = tuple(int(a) for a in p["axes"])
        if x.dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        if x.dtype.kind == "b":
            return ufuncs[name].reduce(x, axis=axes)
        wide = _wide(x) if is_integer(x.dtype) else x.astype(np.float64)
        identity = _identity_of(name, x.dtype, wide.dtype)
        if not is_integer(x.dtype) and name in ("sum", "prod"):
            wide = _flush(x).astype(np.float64)
        return _finish(ufuncs[name].reduce(wide, axis=axes, initial=identity), x.dtype)

    return run


def _finish(result: _Array, dtype: Any) -> _Array:
    result = np.asarray(result).astype(dtype)
    return result if is_integer(dtype) else _flush(result)


def _identity_of(name: str, dtype: Any, wide: Any) -> Any:
    """What an empty reduction gives, as a scalar of the wide type."""
    info: Any = None
    if is_integer(dtype):
        info = ml_dtypes.iinfo(dtype) if _bits(dtype) < 8 else np.iinfo(dtype)  # type: ignore[no-untyped-call]
    values: dict[str, Any] = {"sum": 0, "prod": 1, "or": 0, "xor": 0, "and": -1}
    if name in values:
        return np.asarray(values[name]).astype(wide)[()]
    low, high = (int(info.min), int(info.max)) if info is not None else (-math.inf, math.inf)
    return np.dtype(wide).type(low if name == "max" else high)


def _cumulate(name: str) -> _Op:
    ufunc = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}[name]

    def run(p: Mapping[str, Any], x: _Array) -> _Array:
        if x.dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        wide = _wide(x) if is_integer(x.dtype) else x.astype(np.float64)
        wide = np.flip(wide, p["axis"]) if p["reverse"] else wide
        done = ufunc.accumulate(wide, axis=p["axis"])
        return _finish(np.flip(done, p["axis"]) if p["reverse"] else done, x.dtype)

    return run


def _argument_extreme(function: Any) -> _Op:
    def run(p: Mapping[str, Any], x: _Array) -> _Array:
        (axis,) = p["axes"]
        return function(_comparable(x), axis=int(axis)).astype(p["index_dtype"])

    return run


def _sort(p: Mapping[str, Any], *operands: _Array) -> list[_Array]:
    axis = p["dimension"]
    keys: list[_Array] = []
    for operand in operands[: p["num_keys"]]:
        parts = [operand.real, operand.imag] if operand.dtype.kind == "c" else [_comparable(operand)]
        keys.extend(part + 0.0 if part.dtype.kind == "f" else part for part in parts)  # -0 is 0
    order = np.lexsort(keys[::-1], axis=axis)  # stable, NaN last
    return [np.take_along_axis(operand, order, axis) for operand in operands]


def _top_k(p: Mapping[str, Any], x: _Array) -> list[_Array]:
    """Descending, equal elements by position; floats by their bits: subnormal numbers are not zeros here."""
    order = np.argsort(~_total_order(x), axis=p["axis"], kind="stable")
    order = np.take(order, np.arange(p["k"]), axis=p["axis"])
    return [np.take_along_axis(x, order, p["axis"]), order.astype(np.int32)]


def _total_order(x: _Array) -> _Array:
    """An integer for every number, in the order of the numbers: -0 before 0, NaN at the ends by its sign."""
    if is_integer(x.dtype):
        return _wide(x)
    if x.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
        raise NotImplementedError(f"the order of {x.dtype.name}")
    bits = x.view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def _dot_general(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
    preferred = np.dtype(p["preferred_element_type"] or a.dtype)
    (contract_a, contract_b), (batch_a, batch_b) = p["dimension_numbers"]
    if preferred.kind == "c" or a.dtype.kind == "c":
        raise NotImplementedError("complex numbers")
    whole = is_integer(preferred)
    left, right = ((_wide(v) if whole else v.astype(np.float64)) for v in (a, b))
    left, right = (v.astype(np.int64) if whole else v for v in (left, right))
    free_a = [i for i in range(a.ndim) if i not in (*batch_a, *contract_a)]
    free_b = [i for i in range(b.ndim) if i not in (*batch_b, *contract_b)]

    def size(x: _Array, axes: Any) -> int:
        return math.prod(x.shape[i] for i in axes)

    left = np.transpose(left, (*batch_a, *free_a, *contract_a))
    right = np.transpose(right, (*batch_b, *contract_b, *free_b))
    rows = left.reshape(size(a, batch_a), size(a, free_a), size(a, contract_a))
    columns = right.reshape(size(b, batch_b), size(b, contract_b), size(b, free_b))
    shape = [*(a.shape[i] for i in (*batch_a, *free_a)), *(b.shape[i] for i in free_b)]
    return _finish(np.matmul(rows, columns).reshape(shape), preferred)


# --- conversions --------------------------------------------------------------------------------------------


def _convert(p: Mapping[str, Any], x: _Array) -> _Array:
    source, target = x.dtype, np.dtype(p["new_dtype"])
    if source == target:
        return x
    if source.kind == "c" and target.kind != "c":
        x = x.real
    if target.kind == "b":
        return x != 0
    if is_integer(target):
        return (
            _narrow(_wide(x) if is_integer(source) else x, target)
            if _discrete(source)
            else _saturate(x, target)
        )
    if target.kind == "c":
        return x.astype(target)
    if is_integer(source) and source.itemsize < 4:
        x = _wide(x).astype(np.float64)
    if target not in (np.float16, np.float32, np.float64):
        if source == np.float64 or is_integer(source):
            raise NotImplementedError("a conversion in two roundings")
        return x.astype(np.float32).astype(target) if source.itemsize <= 4 else x.astype(target)
    wide = x.astype(np.float64) if source.kind not in "iub" else x
    return _flush(wide.astype(target))


def _discrete(dtype: Any) -> bool:
    return np.dtype(dtype).kind == "b" or is_integer(dtype)


def _saturate(x: _Array, target: Any) -> _Array:
    """Floating-point numbers as integers: towards zero, NaN as 0, what is beyond as the nearest."""
    info: Any = ml_dtypes.iinfo(target)  # type: ignore[no-untyped-call]
    low, high = int(info.min), int(info.max)
    wide = np.trunc(x.astype(np.float64))
    inside = (wide >= low) & (wide < float(high) + 1) if high >= 2**53 else (wide >= low) & (wide <= high)
    kept = np.where(inside, wide, 0.0)
    whole = kept.astype(np.uint64) if low == 0 else kept.astype(np.int64)
    edge = np.asarray(low).astype(whole.dtype), np.asarray(high).astype(whole.dtype)
    whole = np.where(np.isnan(wide) | inside, whole, np.where(wide < 0, *edge))
    return _narrow(whole, target)


def _bitcast(p: Mapping[str, Any], x: _Array) -> _Array:
    target = np.dtype(p["new_dtype"])
    sizes = x.dtype.itemsize, target.itemsize
    if any(is_integer(d) and _bits(d) < 8 for d in (x.dtype, target)) or "b" in (x.dtype.kind, target.kind):
        raise NotImplementedError("bits of a type smaller than a byte")
    raw = np.array(x, copy=True, order="C")
    if sizes[0] == sizes[1]:
        return raw.reshape(-1).view(target).reshape(x.shape)
    if sizes[0] > sizes[1]:
        return raw.reshape(-1).view(target).reshape(*x.shape, sizes[0] // sizes[1])
    return raw.reshape(-1).view(target).reshape(x.shape[:-1])


def _iota(p: Mapping[str, Any]) -> _Array:
    shape, dimension = p["shape"], p["dimension"]
    along = [1] * len(shape)
    along[dimension] = shape[dimension]
    values = np.arange(shape[dimension], dtype=np.int64).astype(p["dtype"]).reshape(along)
    return np.broadcast_to(values, shape)


def _split(p: Mapping[str, Any], x: _Array) -> list[_Array]:
    return np.split(x, np.cumsum([int(size) for size in p["sizes"]])[:-1], axis=p["axis"])


# --- floating point -----------------------------------------------------------------------------------------


def _rounded(function: Callable[..., Any]) -> _Op:
    """A correctly rounded operation on numbers whose subnormals are zeros."""

    def run(p: Mapping[str, Any], *xs: _Array) -> _Array:
        dtype = xs[0].dtype
        if dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        wide = np.float32 if dtype.itemsize <= 2 else dtype  # enough for +, -, *, / and the root of 16 bits
        return _flush(np.asarray(function(*(_flush(x).astype(wide) for x in xs))).astype(dtype))

    return run


def _float_power(p: Mapping[str, Any], x: _Array) -> _Array:
    if x.dtype.kind == "c":
        raise NotImplementedError("complex numbers")
    return _flush(np.power(_flush(x).astype(np.float64), float(p["y"])).astype(x.dtype))


def _zeta(p: Mapping[str, Any], x: _Array, q: _Array) -> _Array:
    return special.zeta(x.astype(np.float64), q.astype(np.float64)).astype(x.dtype)


def _float_rem(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
    return np.fmod(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)


def _float_clamp(p: Mapping[str, Any], low: _Array, x: _Array, high: _Array) -> _Array:
    low, high = np.broadcast_to(low, x.shape), np.broadcast_to(high, x.shape)
    return _select_extreme(largest=False)(p, _select_extreme(largest=True)(p, x, low), high)


def _sign(p: Mapping[str, Any], x: _Array) -> _Array:
    return np.where((x == 0) | np.isnan(x), x, np.copysign(np.asarray(1, x.dtype), x))


# --- the tables ---------------------------------------------------------------------------------------------

_BOOL: dict[str, _Op] = {
    "and": lambda p, a, b: a & b,
    "or": lambda p, a, b: a | b,
    "xor": lambda p, a, b: a ^ b,
    "not": lambda p, a: ~a,
}

#: Operations on integers by primitive.
_INTEGER: dict[str, _Op] = {
    **{
        name: _integer(function)
        for name, function in {
            "add": np.add,
            "add_any": np.add,
            "sub": np.subtract,
            "mul": np.multiply,
            "neg": np.negative,
            "abs": np.abs,
            "square": np.square,
            "sign": np.sign,
            "and": np.bitwise_and,
            "or": np.bitwise_or,
            "xor": np.bitwise_xor,
            "not": np.invert,
        }.items()
    },
    "div": _int_div,
    "rem": _int_rem,
    "shift_left": _shift(left=True, arithmetic=False),
    "shift_right_logical": _shift(left=False, arithmetic=False),
    "shift_right_arithmetic": _shift(left=False, arithmetic=True),
    "population_count": _population_count,
    "clz": _clz,
    "integer_pow": _integer_pow,
    "clamp": _float_clamp,
}

#: Operations on floating-point numbers by primitive.
_FLOAT: dict[str, _Op] = {
    "add": _rounded(np.add),
    "add_any": _rounded(np.add),
    "sub": _rounded(np.subtract),
    "mul": _rounded(np.multiply),
    "div": _rounded(np.divide),
    "sqrt": _rounded(np.sqrt),
    "square": _rounded(np.square),
    "integer_pow": _float_power,
    "neg": lambda p, x: -x,
    "abs": lambda p, x: np.abs(x),
    "floor": lambda p, x: np.floor(x),
    "ceil": lambda p, x: np.ceil(x),
    "sign": _sign,
    "rem": _float_rem,
    "clamp": _float_clamp,
    "is_finite": lambda p, x: np.isfinite(x),
    "round": lambda p, x: FLOAT_OPS["round"](p, x.astype(np.float64)).astype(x.dtype),
    "zeta": _zeta,
}

#: Operations that are the same for all types of numbers.
_ANY: dict[str, _Op] = {
    **{
        name: FLOAT_OPS[name]
        for name in (
            *("copy", "copy_p", "stop_gradient", "device_put", "optimization_barrier", "select_n"),
            *("broadcast_in_dim", "reshape", "squeeze", "expand_dims", "transpose", "rev", "slice"),
            "concatenate",
        )
    },
    "max": _select_extreme(largest=True),
    "min": _select_extreme(largest=False),
    "eq": _compare(np.equal),
    "ne": _compare(np.not_equal),
    "lt": _compare(np.less),
    "le": _compare(np.less_equal),
    "gt": _compare(np.greater),
    "ge": _compare(np.greater_equal),
    **{f"reduce_{name}": _reduce(name) for name in ("sum", "prod", "max", "min", "and", "or", "xor")},
    **{f"cum{name}": _cumulate(name) for name in ("sum", "prod", "max", "min")},
    "argmax": _argument_extreme(np.argmax),
    "argmin": _argument_extreme(np.argmin),
    "sort": _sort,
    "top_k": _top_k,
    "dot_general": _dot_general,
    "convert_element_type": _convert,
    "bitcast_convert_type": _bitcast,
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


def moving_op(eqn: JaxprEqn) -> _Op | None:
    """NumPy's function for an equation that only moves, chooses or counts, on operands of any dtype; or None."""
    return native_op(eqn) if eqn.primitive.name in _MOVING else None


def native_op(eqn: JaxprEqn) -> _Op | None:
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
        return _BOOL.get(name)
    if is_integer(dtype):
        return _INTEGER.get(name)
    return _FLOAT.get(name) if dtype.kind != "c" else None


def _assigns(update: Any) -> bool:
    """Whether a scatter's combiner gives its second operand (`scatter_apply` has others)."""
    return update is None or (not update.eqns and update.outvars[0] is update.invars[1])
