"""Equations as calls of public `jax.lax` functions, where retracing the call gives the very same equation.

The table says how; every entry is checked by a test that retraces it. What is not in the table, or has
parameters that the function does not take as they are, is written as a bind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jax import lax
from jax.extend.core import JaxprEqn

from jace_repro.emitter.core.script import Script

#: (script, equation, operands as text) -> (function, positional and keyword arguments), or None.
Call = tuple[str, list[str]]
Writer = Callable[[Script, JaxprEqn, Sequence[str]], Call | None]

#: Parameters that a function of the same name always sets, to these values.
_DEFAULTS: dict[str, dict[str, Any]] = {"mul": {"out_dtype": None}}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ACCURATE = _words("cbrt cos exp exp2 expm1 log log1p logistic rsqrt sin sqrt tan tanh ")
_SAME_NAME = _words(
    "abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e ceil clamp clz complex "
    "conj cosh digamma div eq erf erf_inv erfc floor ge gt igamma igammac imag is_finite le lgamma "
    "lt max min mul ne neg nextafter polygamma population_count pow real rem select_n shift_left "
    "shift_right_arithmetic shift_right_logical sign sinh square sub zeta "
)
_RENAMED = {
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "not": "bitwise_not",
    "regularized_incomplete_beta": "betainc",
}
_REDUCTIONS = _words("reduce_max reduce_min reduce_prod reduce_sum reduce_and reduce_or reduce_xor")
_CUMULATIVE = _words("cumsum cumprod cummax cummin cumlogsumexp")


def _plain(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    name = eqn.primitive.name
    if eqn.params != _DEFAULTS.get(name, {}):
        return None
    return script.lax(_RENAMED.get(name, name)), list(args)


def _accurate(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    if eqn.params != {"accuracy": None}:
        return None
    return script.lax(eqn.primitive.name), list(args)


def _reduction(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    if (
        params.get("out_sharding") is not None
        or not set(params) <= {"axes", "out_sharding"}
        or not params["axes"]
    ):
        return None
    return script.lax(eqn.primitive.name), [args[0], f"axes={_ints(params['axes'])}"]


def _cumulative(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    reverse = ["reverse=True"] if params["reverse"] else []
    return script.lax(eqn.primitive.name), [args[0], f"axis={int(params['axis'])}", *reverse]


def _convert(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    if params["weak_type"] or params["sharding"] is not None or not _is_plain(params["new_dtype"]):
        return None
    return script.lax("convert_element_type"), [args[0], script.dtype(params["new_dtype"])]


def _is_plain(dtype: Any) -> bool:
    return getattr(dtype, "kind", None) in ("b", "i", "u", "f", "c", "V") and hasattr(dtype, "itemsize")


def _conj(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    operand: Any = eqn.invars[0].aval
    return (script.lax("conj"), list(args)) if eqn.params == {"input_dtype": operand.dtype} else None


def _broadcast(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    shape, dims = eqn.params["shape"], eqn.params["broadcast_dimensions"]
    operand: Any = eqn.invars[0].aval
    if len(args) != 1 or eqn.params["sharding"] is not None or len(shape) == operand.ndim:
        return None
    return script.lax("broadcast_in_dim"), [args[0], _ints(shape), _ints(dims)]


def _reshape(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    sizes = eqn.params["new_sizes"]
    operand: Any = eqn.invars[0].aval
    others = (eqn.params["dimensions"], eqn.params["sharding"])
    if others != (None, None) or tuple(sizes) == tuple(operand.shape):
        return None
    return script.lax("reshape"), [args[0], _ints(sizes)]


def _transpose(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    permutation = tuple(eqn.params["permutation"])
    if permutation == tuple(range(len(permutation))):
        return None
    return script.lax("transpose"), [args[0], _ints(permutation)]


def _squeeze(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    dimensions = eqn.params["dimensions"]
    return (script.lax("squeeze"), [args[0], _ints(dimensions)]) if dimensions else None


def _slice(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    strides = [] if params["strides"] is None else [_ints(params["strides"])]
    return script.lax("slice"), [
        args[0],
        _ints(params["start_indices"]),
        _ints(params["limit_indices"]),
        *strides,
    ]


def _pad(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    config = ", ".join(_ints(entry) for entry in eqn.params["padding_config"])
    comma = "," if len(eqn.params["padding_config"]) == 1 else ""
    return script.lax("pad"), [*args, f"({config}{comma})"]


def _concatenate(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    if len(args) < 2:
        return None
    return script.lax("concatenate"), [f"[{', '.join(args)}]", str(int(eqn.params["dimension"]))]


def _iota(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    if args or params["sharding"] is not None or len(params["shape"]) == 0:
        return None
    parts = [script.dtype(params["dtype"]), _ints(params["shape"]), str(int(params["dimension"]))]
    return script.lax("broadcasted_iota"), parts


def _rev(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    return script.lax("rev"), [args[0], _ints(eqn.params["dimensions"])]


def _integer_pow(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    return script.lax("integer_pow"), [args[0], str(int(eqn.params["y"]))]


def _argminmax(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    axes = eqn.params["axes"]
    if len(axes) != 1:
        return None
    return script.lax(eqn.primitive.name), [
        args[0],
        str(int(axes[0])),
        script.dtype(eqn.params["index_dtype"]),
    ]


def _dot_general(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    params = eqn.params
    precision = params["precision"]
    pair = isinstance(precision, tuple) and all(isinstance(p, lax.Precision) for p in precision)
    if params["out_sharding"] is not None or not (pair or precision is script.matmul_precision is None):
        return None
    dims = tuple(tuple(tuple(int(d) for d in side) for side in part) for part in params["dimension_numbers"])
    items = [*args, str(dims)]
    if pair:
        same = precision[0] is precision[1]
        names = [script.lax(f"Precision.{p.name}") for p in precision]
        items.append(f"precision={names[0] if same else '(' + ', '.join(names) + ')'}")
    if params["preferred_element_type"] is not None:
        items.append(f"preferred_element_type={script.dtype(params['preferred_element_type'])}")
    return script.lax("dot_general"), items


def _ints(values: Sequence[Any]) -> str:
    return str(tuple(int(v) for v in values))


WRITERS: dict[str, Writer] = {
    **dict.fromkeys([*_SAME_NAME, *_RENAMED], _plain),
    **dict.fromkeys(_ACCURATE, _accurate),
    **dict.fromkeys(_REDUCTIONS, _reduction),
    **dict.fromkeys(_CUMULATIVE, _cumulative),
    "conj": _conj,
    "convert_element_type": _convert,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "squeeze": _squeeze,
    "slice": _slice,
    "pad": _pad,
    "concatenate": _concatenate,
    "iota": _iota,
    "dot_general": _dot_general,
    "rev": _rev,
    "integer_pow": _integer_pow,
    "argmax": _argminmax,
    "argmin": _argminmax,
}


def readable(script: Script, eqn: JaxprEqn, args: Sequence[str]) -> Call | None:
    """(function, arguments) of a lax call that retraces to exactly `eqn`, or None."""
    writer = WRITERS.get(eqn.primitive.name)
    return writer(script, eqn, args) if writer else None
