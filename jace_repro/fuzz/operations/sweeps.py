"""Functions of one number, or of several, over all that they are functions of.

What an implementation does in a narrow range (a polynomial of many, a threshold) few numbers reach: here several
functions are taken of thousands, about their critical points and everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw, dtype_of
from jace_repro.fuzz.operations.elementwise import COMPOSED, UNARY, of_several
from jace_repro.fuzz.operations.registry import operation
from jace_repro.tester.inputs.critical import GRIDS, SPECIAL_COMPLEX

#: So many functions share a program.
_TOGETHER = 8
#: By class of dtypes: the functions of one floating-point number.
_FUNCTIONS: dict[str, dict[str, Callable[..., Any]]] = {
    letter: {
        **{name: getattr(lax, name) for name, of in UNARY.items() if letter in of},
        **{name: function for name, (function, of) in COMPOSED.items() if letter in of},
    }
    for letter in "fwc"
}
_FUNCTIONS["f"] |= _FUNCTIONS.pop("w")
#: Functions that are left out of the programs of a dtype, as XLA has them wrong here or there (corpus/repros/xla/).
_XLA_IS_OFF = {
    "complex64": {"sinh", "expm1", "tan"},
    "complex128": {"sinh", "expm1", "log", "tan"},
    "float64": {"digamma", "lgamma", "erf_inv"},
    **{name: {"digamma", "lgamma"} for name in ("float32", "float16", "bfloat16")},
}
#: Numbers of a program, by the bytes of its dtype: of 16 bits every few bit patterns.
_COUNT = {2: 4096, 4: 2048, 8: 2048, 16: 2048}


@operation
def _sweep(d: Draw) -> Callable[..., Any]:
    """Some functions of many numbers."""
    dtypes = ("float32", "float16", "bfloat16", "complex64", *(("float64", "float64", "complex128") * d.x64))
    dtype = dtype_of(d.pick("swept dtype", dtypes))
    known = _FUNCTIONS["c" if dtype.kind == "c" else "f"]
    names = [name for name in known if name not in _XLA_IS_OFF[dtype.name]]
    parts = [tuple(names[k : k + _TOGETHER]) for k in range(0, len(names), _TOGETHER)]
    chosen = d.pick("swept", parts)
    d.choices.append(("sweep", f"{dtype.name} {chosen[0]}"))
    d.array(shape=(_COUNT[dtype.itemsize],), dtype=dtype, domain="sweep", about=" ".join(chosen))
    functions = [known[name] for name in chosen]
    return lambda x: [function(x) for function in functions]


@operation
def _sweep_of_gamma(d: Draw) -> Callable[..., Any]:
    """Of the functions that XLA loses the digits of somewhere (at roots, at the ends of a domain): elsewhere."""
    dtype = dtype_of(d.pick("swept dtype", ("float32", "float16", "bfloat16", *(("float64",) * d.x64))))
    d.choices.append(("sweep", f"{dtype.name} lgamma"))
    d.array(shape=(_COUNT[dtype.itemsize],), dtype=dtype, domain="sweep", about="lgamma digamma")

    def run(x: Any) -> Any:
        above = abs(x) + dtype.type(2.2)
        inner = lax.clamp(dtype.type(-0.984375), x, dtype.type(0.984375))
        return lax.lgamma(above), lax.digamma(above), lax.erf_inv(inner)

    return run


#: All types of 8 bits or fewer that XLA runs, not those that jace says it has.
_SMALL_INTEGERS = ("int2", "int4", "uint2", "uint4")
_SMALL_FLOATS = (
    "float4_e2m1fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
)
_OF_TWO = (lax.add, lax.sub, lax.mul, lax.div, lax.rem, lax.max, lax.min, lax.lt, lax.eq)
_OF_BITS = (
    *(lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic, lax.bitwise_and, lax.bitwise_or),
    lax.bitwise_xor,
)
_OF_ONE = (lax.neg, lax.sign, lax.abs, lax.ceil, lax.floor, lax.round)
_OF_ONE_S_BITS = (lax.population_count, lax.clz, lax.bitwise_not)


@operation
def _sweep_of_small(d: Draw) -> Callable[..., Any]:
    """Arithmetic and conversions of a type of 8 bits or fewer, of all its numbers."""
    dtype = dtype_of(d.pick("swept dtype", _SMALL_INTEGERS + _SMALL_FLOATS))
    d.choices.append(("sweep", dtype.name))
    d.array(shape=(2048,), dtype=dtype, domain="patterns")
    d.array(shape=(2048,), dtype=dtype, domain="patterns")
    d.array(shape=(2048,), dtype=dtype_of("float32"), domain="sweep", about="convert_element_type")
    whole = dtype.name in _SMALL_INTEGERS
    two, one = (_OF_TWO + _OF_BITS, _OF_ONE_S_BITS) if whole else (_OF_TWO, _OF_ONE)
    # left out is what XLA has wrong (corpus/repros/xla/): the order of these types, and 6 as an integer
    sorts = not dtype.name.endswith(("int2", "fnuz"))
    targets = ("float32", "bfloat16", "bool", *(("int32",) if dtype.name != "float4_e2m1fn" else ()))

    def run(x: Any, y: Any, wide: Any) -> Any:
        results = [*(f(x, y) for f in two), *(f(x) for f in one)]
        results += [lax.convert_element_type(x, dtype_of(to)) for to in targets]
        results.append(lax.convert_element_type(jnp.clip(wide, -3, 3) if whole else wide, dtype))
        return [*results, jnp.sort(x)] if sorts else results

    return run


@operation
def _sweep_of_special_complex(d: Draw) -> Callable[..., Any]:
    """Complex numbers whose parts are zeros, infinities and NaN: all pairs of them."""
    dtype = dtype_of(d.pick("swept dtype", ("complex64", *(("complex128",) * d.x64))))
    d.choices.append(("sweep", f"special {dtype.name}"))
    d.together(2, len(SPECIAL_COMPLEX) ** 2, dtype, "special complex")
    known = [name for name in _FUNCTIONS["c"] if name not in ("rsqrt", "real", "imag", "angle")]
    names = [d.pick("function", known) for _ in range(_TOGETHER)]
    functions = [_FUNCTIONS["c"][name] for name in names]
    two = (lax.add, lax.sub, lax.mul, lax.div, lax.eq, lax.ne)
    return lambda x, y: [*(f(x, y) for f in two), *(f(y) for f in functions)]


@operation
def _sweep_of_several(d: Draw) -> Callable[..., Any]:
    """A function of several numbers on a grid."""
    name = d.pick("swept", tuple(GRIDS))
    dtype = dtype_of(d.pick("swept dtype", ("float32", *(("float64",) * d.x64))))
    d.choices.append(("sweep", f"{dtype.name} {name}"))
    d.on_grid(name, dtype)
    return of_several(name)
