"""Equations as calls of public `jax.lax` functions, where retracing the call gives the very same equation.

A test retraces one of each. What has parameters that the function does not take as they are is left to the bind.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from jax import lax
from jax.extend.core import JaxprEqn

from jace_repro.emitter.core import operands, syntax
from jace_repro.emitter.flat.retracing import retraced
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter, writes


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SAME_NAME = _words(
    "abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clamp clz complex cos "
    "cosh digamma div eq erf erf_inv erfc exp exp2 expm1 floor ge gt igamma igammac imag is_finite le lgamma log "
    "log1p log2 logistic lt max min mul ne neg nextafter polygamma population_count pow real rem rsqrt select_n "
    "shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt square sub tan tanh zeta "
)
_RENAMED = {
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "not": "bitwise_not",
    "regularized_incomplete_beta": "betainc",
}
#: Whose values have the weak types of these kinds.
_PYTHON_SCALARS = {"i": int, "f": float, "c": complex}
_REDUCTIONS = _words("reduce_max reduce_min reduce_prod reduce_sum reduce_and reduce_or reduce_xor")
_CUMULATIVE = _words("cumsum cumprod cummax cummin cumlogsumexp")


def _call(writer: JaxprWriter, name: str, arguments: list[str]) -> EquationCall:
    return EquationCall(writer.script.lax(name), arguments)


@functools.cache
def defaults(name: str) -> Mapping[str, Any]:
    """The parameters that the function of a primitive always sets: which take an accuracy depends on the release."""
    if name == "mul":
        return {"out_dtype": None}
    taken = inspect.signature(getattr(lax, _RENAMED.get(name, name))).parameters
    return {"accuracy": None} if "accuracy" in taken else {}


@writes(*_SAME_NAME, *_RENAMED)
def _plain(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    name = eqn.primitive.name
    return None if eqn.params != defaults(name) else _call(writer, _RENAMED.get(name, name), args)


@writes(*_REDUCTIONS)
def _reduction(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params = eqn.params
    if (
        params.get("out_sharding") is not None
        or not set(params) <= {"axes", "out_sharding"}
        or not params["axes"]
    ):
        return None
    return _call(writer, eqn.primitive.name, [args[0], f"axes={_ints(params['axes'])}"])


@writes(*_CUMULATIVE)
def _cumulative(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params = eqn.params
    reverse = ["reverse=True"] if params["reverse"] else []
    return _call(writer, eqn.primitive.name, [args[0], f"axis={int(params['axis'])}", *reverse])


@writes("convert_element_type")
def _convert(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params, dtype = eqn.params, eqn.params["new_dtype"]
    if params["sharding"] is not None or not _is_plain(dtype):
        return None
    if not params["weak_type"]:
        return _call(writer, "convert_element_type", [args[0], writer.script.dtype(dtype)])
    scalar = _PYTHON_SCALARS.get(dtype.kind)
    if scalar is None or not operands.is_default(writer.script, dtype):
        return None

    def call(operand: Any) -> Any:
        return lax.convert_element_type(operand, scalar)

    if retraced([eqn], eqn.invars, args, call) is None:  # in later releases it is no weak type
        return None
    return _call(writer, "convert_element_type", [args[0], scalar.__name__])


def _is_plain(dtype: Any) -> bool:
    return getattr(dtype, "kind", None) in ("b", "i", "u", "f", "c", "V") and hasattr(dtype, "itemsize")


@writes("conj")
def _conj(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    operand: Any = eqn.invars[0].aval
    return _call(writer, "conj", args) if eqn.params == {"input_dtype": operand.dtype} else None


@writes("broadcast_in_dim")
def _broadcast(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    shape, dims = eqn.params["shape"], eqn.params["broadcast_dimensions"]
    operand: Any = eqn.invars[0].aval
    if len(args) != 1 or eqn.params["sharding"] is not None or len(shape) == operand.ndim == 0:
        return None
    return _call(writer, "broadcast_in_dim", [args[0], _ints(shape), _ints(dims)])


@writes("reshape")
def _reshape(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    sizes = eqn.params["new_sizes"]
    operand: Any = eqn.invars[0].aval
    others = (eqn.params["dimensions"], eqn.params["sharding"])
    if others != (None, None) or tuple(sizes) == tuple(operand.shape):
        return None
    return _call(writer, "reshape", [args[0], _ints(sizes)])


@writes("transpose")
def _transpose(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    permutation = tuple(eqn.params["permutation"])
    if permutation == tuple(range(len(permutation))):
        return None
    return _call(writer, "transpose", [args[0], _ints(permutation)])


@writes("squeeze")
def _squeeze(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    dimensions = eqn.params["dimensions"]
    return _call(writer, "squeeze", [args[0], _ints(dimensions)]) if dimensions else None


@writes("slice")
def _slice(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params = eqn.params
    strides = [] if params["strides"] is None else [_ints(params["strides"])]
    bounds = [_ints(params["start_indices"]), _ints(params["limit_indices"])]
    return _call(writer, "slice", [args[0], *bounds, *strides])


@writes("pad")
def _pad(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    config = syntax.tuple_of(_ints(entry) for entry in eqn.params["padding_config"])
    return _call(writer, "pad", [*args, config])


@writes("concatenate")
def _concatenate(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    if len(args) < 2:
        return None
    return _call(writer, "concatenate", [syntax.list_of(args), str(int(eqn.params["dimension"]))])


@writes("iota")
def _iota(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params = eqn.params
    if args or params["sharding"] is not None or len(params["shape"]) == 0:
        return None
    parts = [writer.script.dtype(params["dtype"]), _ints(params["shape"]), str(int(params["dimension"]))]
    return _call(writer, "broadcasted_iota", parts)


@writes("rev")
def _rev(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    return _call(writer, "rev", [args[0], _ints(eqn.params["dimensions"])])


@writes("integer_pow")
def _integer_pow(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    return _call(writer, "integer_pow", [args[0], str(int(eqn.params["y"]))])


@writes("argmax", "argmin")
def _argminmax(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    axes = eqn.params["axes"]
    if len(axes) != 1:
        return None
    dtype = writer.script.dtype(eqn.params["index_dtype"])
    return _call(writer, eqn.primitive.name, [args[0], str(int(axes[0])), dtype])


@writes("dot_general")
def _dot_general(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    params = eqn.params
    precision = params["precision"]
    pair = isinstance(precision, tuple) and all(isinstance(p, lax.Precision) for p in precision)
    if params["out_sharding"] is not None or not (
        pair or precision is writer.script.matmul_precision is None
    ):
        return None
    dims = tuple(tuple(tuple(int(d) for d in side) for side in part) for part in params["dimension_numbers"])
    items = [*args, str(dims)]
    if pair:
        same = precision[0] is precision[1]
        names = [writer.script.lax(f"Precision.{p.name}") for p in precision]
        items.append(f"precision={names[0] if same else '(' + ', '.join(names) + ')'}")
    if params["preferred_element_type"] is not None:
        items.append(f"preferred_element_type={writer.script.dtype(params['preferred_element_type'])}")
    return _call(writer, "dot_general", items)


def _ints(values: Sequence[Any]) -> str:
    return str(tuple(int(v) for v in values))
