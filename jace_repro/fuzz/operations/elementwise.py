"""Operations of scalars, element by element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.draw import CLASSES, WIDE, Draw, Operand, dtype_of
from jace_repro.fuzz.operations.registry import Operation, add, operation
from jace_repro.fuzz.values import DOMAINS, values_of
from jace_repro.tester.inputs.critical import JOINT

_jnp: Any = jnp
#: An integer of as many bits, by bytes.
_BITS = {2: jnp.uint16, 4: jnp.uint32, 8: jnp.uint64}

#: Operations of one number: the classes of dtypes they take.
UNARY: dict[str, str] = {
    **dict.fromkeys(("neg", "sign"), "fciu"),
    "abs": "fci",
    "square": "fciu",
    **dict.fromkeys(("sin", "cos", "tan", "exp", "exp2", "log", "log1p", "expm1", "sqrt", "rsqrt"), "ffc"),
    **dict.fromkeys(
        ("tanh", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "logistic"), "ffc"
    ),
    **dict.fromkeys(
        ("cbrt", "floor", "ceil", "is_finite", "erf", "erfc", "erf_inv", "lgamma", "digamma"), "f"
    ),
    **dict.fromkeys(("bessel_i0e", "bessel_i1e"), "f"),
    **dict.fromkeys(("real", "imag", "conj"), "c"),
    **dict.fromkeys(("clz", "population_count"), "iu"),
    "bitwise_not": "iub",
    "stop_gradient": "f",
}
#: Operations of two numbers of one dtype.
BINARY: dict[str, str] = {
    **dict.fromkeys(("add", "sub", "mul", "div"), "ffciu"),
    **dict.fromkeys(("max", "min"), "ffciub"),
    **dict.fromkeys(("eq", "ne"), "fciub"),
    **dict.fromkeys(("lt", "le", "gt", "ge"), "fiub"),
    "rem": "fiu",
    **dict.fromkeys(("atan2", "nextafter"), "f"),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), "iub"),
    **dict.fromkeys(("shift_left", "shift_right_arithmetic", "shift_right_logical"), "iu"),
    **dict.fromkeys(("igamma", "igammac", "zeta", "polygamma"), "f"),
    "complex": "w",
}
#: Functions of jax.numpy, jax.nn and jax.scipy that are made of several.
COMPOSED: dict[str, tuple[Callable[..., Any], str]] = {
    "softplus": (jax.nn.softplus, "f"),
    "gelu": (jax.nn.gelu, "f"),
    "silu": (jax.nn.silu, "f"),
    "log_sigmoid": (jax.nn.log_sigmoid, "f"),
    "sinc": (jnp.sinc, "f"),
    "nan_to_num": (jnp.nan_to_num, "fc"),
    "i0": (jax.scipy.special.i0, "f"),
    "i1": (jax.scipy.special.i1, "f"),
    "ndtri": (jax.scipy.special.ndtri, "w"),
    "log_ndtr": (jax.scipy.special.log_ndtr, "w"),
    "entr": (jax.scipy.special.entr, "f"),
    "frexp": (lambda x: jnp.frexp(x)[0], "f"),
    "angle": (jnp.angle, "c"),
    "signbit": (jnp.signbit, "f"),
    "heaviside": (lambda x: jnp.heaviside(x, x.dtype.type(0.5)), "f"),
    "round_decimals": (lambda x: jnp.round(x, 1), "f"),
}


def _unary(name: str, function: Callable[..., Any], classes: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        d.array(classes, about=name, domain="critical")
        return function

    return make


def _binary(name: str, function: Callable[..., Any], classes: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        x = d.array(classes, about=name, domain="critical")
        how = d.pick("operand", ("array", "array", "array", "literal", "literal first", "same", "scalar"))
        if how == "same":
            return lambda x: function(x, x)
        if how.startswith("literal"):
            number = _literal(d, x.dtype)
            return (
                (lambda x: function(number, x)) if how == "literal first" else (lambda x: function(x, number))
            )
        if how == "scalar":
            d.array(shape=(), dtype=x.dtype, about=name, domain="critical")
            return lambda x, y: function(x, jnp.broadcast_to(y, x.shape))
        d.like(x)
        return function

    return make


def _literal(d: Draw, dtype: np.dtype[Any]) -> Any:
    """A number that becomes a literal of the jaxpr."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return dtype.type(d.pick("literal", (0, 1, 2, 3, 7, dtype.itemsize * 8 - 1, info.max, info.min)))
    if dtype.kind == "b":
        return dtype.type(d.flag("literal"))
    number = d.pick("literal", (0.0, -0.0, 1.0, 0.5, -1.0, 2.0, 3.0, 0.1, 1e-3, -2.5, np.inf, 1e4))
    return dtype.type(number)


for _name, _classes in UNARY.items():
    add(_name, _unary(_name, getattr(lax, _name), _classes))
for _name, (_function, _classes) in COMPOSED.items():
    add(_name, _unary(_name, _function, _classes))
for _name, _classes in BINARY.items():
    add(_name, _binary(_name, getattr(lax, _name), _classes))
for _name in ("power", "floor_divide", "remainder", "logaddexp", "hypot", "copysign", "ldexp", "fmod"):
    _of = {"ldexp": "f", "remainder": "fiu", "floor_divide": "fiu", "fmod": "fi", "power": "fi"}
    add(
        f"numpy_{_name}",
        _binary(
            _name,
            getattr(jnp, _name)
            if _name != "ldexp"
            else (lambda x, y: jnp.ldexp(x, jnp.clip(jnp.nan_to_num(y), -150, 150).astype(np.int32))),
            _of.get(_name, "f"),
        ),
    )


@operation
def _numpy_gcd(d: Draw) -> Callable[..., Any]:
    d.like(d.array("iu", domain="plain"))  # of the least integer JAX's loop does not end
    return jnp.gcd


@operation
def _pow(d: Draw) -> Callable[..., Any]:
    x = d.array("ffc", about="pow", domain="critical")
    if d.flag("integer exponent"):
        d.array(shape=x.shape, dtype=dtype_of("int32"), domain="indices", bounds=(-4, 5))
    else:
        d.like(x)
    return lax.pow


@operation
def _integer_pow(d: Draw) -> Callable[..., Any]:
    x = d.array("ffciu", about="integer_pow", domain="critical")
    negative = () if x.dtype.kind in "iu" else (-1, -2, -3, -5)
    y = d.pick("y", (0, 1, 2, 3, 4, 5, 7, 8, 13, *negative))
    return lambda x: lax.integer_pow(x, y)


@operation
def _round(d: Draw) -> Callable[..., Any]:
    d.array("f", about="round", domain="critical")
    method = d.pick("method", tuple(lax.RoundingMethod))
    return lambda x: lax.round(x, method)


@operation
def _reduce_precision(d: Draw) -> Callable[..., Any]:
    d.array("f", about="reduce_precision", domain="critical")
    exponent, mantissa = d.pick("bits", ((5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (6, 9), (2, 1), (11, 52)))
    return lambda x: lax.reduce_precision(x, exponent, mantissa)


@operation
def _clamp(d: Draw) -> Callable[..., Any]:
    x = d.array("fiub", about="clamp", domain="critical")
    scalar = d.flag("scalar bounds")
    for _ in range(2):
        d.array(shape=() if scalar else x.shape, dtype=x.dtype, about="clamp", domain="critical")
    return lambda x, low, high: lax.clamp(low, x, high)


@operation
def _select_n(d: Draw) -> Callable[..., Any]:
    x = d.array("fciubs", about="select_n", domain="special")
    cases = d.pick("cases", (2, 2, 2, 3, 5, 1))
    operands = [d.like(x) for _ in range(cases - 1)]
    shape = () if d.flag("scalar predicate") else x.shape
    if cases == 2 and not d.rarely(4):
        d.array(shape=shape, dtype=dtype_of("bool"))
    else:
        d.array(shape=shape, dtype=dtype_of("int32"), domain="indices", bounds=(0, len(operands)))
    if cases == 2 and d.operands[-1].dtype.kind == "i":
        return lambda *a: lax.select_n(a[-1] > 0, *a[:-1])
    return lambda *a: lax.select_n(a[-1], *a[:-1])


@operation
def _where_nonzero(d: Draw) -> Callable[..., Any]:
    x = d.array("fciub", about="ne", domain="critical")
    d.like(x)
    return lambda x, y: jnp.where(x, y, 0)


@operation
def _betainc(d: Draw) -> Callable[..., Any]:
    x = d.array("f", domain="positive", about="regularized_incomplete_beta")
    d.like(x)
    d.like(x, domain="unit")
    return jax.scipy.special.betainc


@operation
def _jointly_critical(d: Draw) -> Callable[..., Any]:
    """Functions of several numbers where these are critical together."""
    name = d.pick("function", tuple(JOINT))
    d.jointly(name, dtype_of(d.pick("dtype", ("float32", *(("float64", "float64") * d.x64)))))
    return of_several(name)


def of_several(name: str) -> Callable[..., Any]:
    """The function of jax.lax that a primitive of several numbers is bound by."""
    return lax.betainc if name == "regularized_incomplete_beta" else getattr(lax, name)


@operation
def _polygamma_of_integers(d: Draw) -> Callable[..., Any]:
    d.array("f", about="polygamma", domain="critical")
    n = d.pick("n", (0, 1, 2, 3, 5))
    return lambda x: lax.polygamma(jnp.full(x.shape, n, x.dtype), x)


@operation
def _convert_element_type(d: Draw) -> Callable[..., Any]:
    d.array("fciubs", about="convert_element_type", domain="critical")
    classes = d.pick("to", ("f", "c", "i", "u", "b", "s"))
    name = d.pick("new dtype", [n for n in CLASSES[classes] if d.x64 or n not in WIDE])
    target = dtype_of(name)
    return lambda x: lax.convert_element_type(x.real if _narrows(x.dtype, target) else x, target)


def _narrows(source: Any, target: np.dtype[Any]) -> bool:
    """Whether a complex number would become a real one, which JAX warns of."""
    return np.dtype(source).kind == "c" and target.kind != "c" and target != np.dtype(bool)


@operation
def _bitcast_convert_type(d: Draw) -> Callable[..., Any]:
    x = d.array("fius", about="bitcast", domain="special", rank=d.pick("rank", (0, 1, 2, 3)))
    bits = _bits(x.dtype)
    how = d.pick("width", ("same", "same", "split", "merge"))
    names = [n for c in "fius" for n in CLASSES[c] if d.x64 or n not in WIDE]
    others = [n for n in names if _fits(_bits(dtype_of(n)), bits, how)]
    if not others:
        how, others = "same", [n for n in names if _bits(dtype_of(n)) == bits]
    target = dtype_of(d.pick("new dtype", others))
    if how == "merge":
        d.operands[-1] = replace(x, shape=(*x.shape, _bits(target) // bits))
    return lambda x: lax.bitcast_convert_type(x, target)


@operation
def _bitcast_of_parts(d: Draw) -> Callable[..., Any]:
    """Numbers of two and four bits to bytes and wider, and back."""
    small = dtype_of(d.pick("part", ("int4", "uint4", "int2", "uint2", "float4_e2m1fn")))
    wide = dtype_of(d.pick("whole", ("uint8", "int8", "uint16", "float32", *(("float64",) * d.x64))))
    parts = _bits(wide) // _bits(small)
    if d.flag("merge"):
        d.array(shape=(d.length(1), parts), dtype=small, domain="any")
        return lambda x: lax.bitcast_convert_type(x, wide)
    d.array(shape=(d.length(1), 2), dtype=wide, domain="special")
    return lambda x: lax.bitcast_convert_type(x, small)


def _bits(dtype: np.dtype[Any]) -> int:
    name = dtype.name
    small = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1fn": 4}
    return small.get(name, dtype.itemsize * 8)


def _fits(bits: int, source: int, how: str) -> bool:
    return bits == source if how == "same" else bits < source if how == "split" else bits > source


@operation
def _weak_literals(d: Draw) -> Callable[..., Any]:
    """Python numbers beside arrays: weak types, and literals that are converted."""
    d.array("fiu", domain="plain")
    number: Any = d.pick("number", (2, -1, 0.1, 1e-7, 3.5, True))
    function = d.pick("function", ("add", "multiply", "subtract", "true_divide", "maximum", "power"))
    return lambda x: (getattr(_jnp, function)(x, number), getattr(_jnp, function)(number, x))


@operation
def _full_literals(d: Draw) -> Callable[..., Any]:
    """Numbers of the arrays' own type with all of its digits, as literals and as an array that is captured."""
    x = d.array("ffccius", domain="plain")
    parts = [d.random.uniform(-3, 3) for _ in range(6)]
    values = np.array(parts[:3])
    if x.dtype.kind == "c":
        values = values + 1j * np.array(parts[3:])
    if x.dtype.kind in "iu":
        values = abs(values) * 30
    captured = values.astype(x.dtype)
    one, two, _ = captured
    function = d.pick("function", ("mul", "add", "sub"))
    return lambda x: (
        getattr(lax, function)(x * one, lax.full_like(x, two)),
        jnp.broadcast_to(captured, (2, 3)),
    )


#: What an array that is captured is of: all of it one number, one of them another, zeros of both signs, any numbers.
_CAPTURED = ("alike", "last apart", "first apart", "zeros of both signs", "plain", "any", "special")


def _captured(how: str, like: Operand, seed: str) -> np.ndarray[Any, Any]:
    if how in DOMAINS:
        return values_of(replace(like, domain=how), seed)
    found = values_of(replace(like, domain="near one"), seed)
    flat = found.reshape(-1)
    other = flat[-1] + flat[-1]
    flat[:] = flat[0]
    match how:
        case "zeros of both signs":
            flat[:] = flat[0] * 0
            flat[::3] = -flat[::3]
        case "first apart":
            flat[0] = other
        case "last apart":
            flat[-1] = other
    return found


@operation
def _captured_arrays(d: Draw) -> Callable[..., Any]:
    """Arrays that a program captures, whole, of one row or stepped through, seen by their bits too."""
    x = d.array("ffcius", least=1, domain="plain")
    captured = _captured(d.pick("values", _CAPTURED), x, f"{d.seed} captured")
    mask = np.arange(x.size).reshape(x.shape) % 3 == 1
    part = d.pick("part", ("whole", "a row", "stepped"))
    if x.rank and part == "a row":
        captured = np.broadcast_to(captured[-1:], x.shape)
    elif x.rank and part == "stepped":
        captured = np.repeat(captured[::2], 2, axis=0)[: x.shape[0]]

    def function(x: Any) -> Any:
        chosen = lax.select(mask, x, jnp.asarray(captured))
        bits = _BITS.get(x.dtype.itemsize) if x.dtype.kind == "f" else None
        return x * captured, chosen if bits is None else lax.bitcast_convert_type(chosen, bits)

    return function


@operation
def _fused_chain(d: Draw) -> Callable[..., Any]:
    """Several elementwise operations, values used more than once, several results."""
    x = d.array("f", domain="plain")
    d.like(x)
    d.like(x)
    names = [
        d.pick("link", ("sin", "exp2", "neg", "square", "abs", "tanh", "floor", "sign"))
        for _ in range(d.whole(2, 5))
    ]
    pairs = [
        d.pick("join", ("add", "mul", "sub", "max", "min", "div", "atan2")) for _ in range(d.whole(2, 5))
    ]
    drawn = [(d.whole(0, 99), d.whole(0, 99)) for _ in range(20)]
    outputs = d.pick("outputs", (1, 2, 3))

    def chain(*arrays: Any) -> Any:
        values = list(arrays)
        for (i, j), one, two in zip(drawn, [*names, *names], [*pairs, *pairs], strict=False):
            a, b = values[i % len(values)], values[j % len(values)]
            values.append(getattr(lax, one)(getattr(lax, two)(a, b)))
        return tuple(values[-outputs:])

    return chain
