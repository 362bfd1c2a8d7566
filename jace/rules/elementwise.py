"""Elementwise primitives of lax as C++ expressions of scalars.

Templates name the operands {0}, {1}, ...; the functions are those of `jace/build/runtime`. Where C++'s own
operator means what XLA means, it is used, so that generated code reads well; the rest (wrapping signed
integers, 16-bit floats that compute in f32, NaN, division by zero) goes through a function of the runtime.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dtypes import ctype
from ..registry import elementwise_table, register_elementwise
from .nodes.elementwise import BOOLEAN, DIVIDED, INTEGERS, WRAPPING, comparison, python, select

Params = Mapping[str, Any]
DType = np.dtype[Any]

for _name, _operator in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    _compared = f"({{0}} {_operator} {{1}})"
    elementwise_table({_name: _compared}, node=comparison(_compared))

for _name, _operator in {"and": "&", "or": "|", "xor": "^"}.items():
    elementwise_table(
        {_name: f"jace::{_name}_({{0}}, {{1}})"}, node=python(f"({{0}} {_operator} {{1}})", INTEGERS)
    )
elementwise_table({"not": "jace::not_({0})"}, node=python("(not {0})", BOOLEAN))

# The same template for every dtype; `accuracy` is a hint that XLA CPU ignores.
elementwise_table(
    {
        "eq_to": "jace::eq_to({0}, {1})", "lt_to": "jace::lt_to({0}, {1})", "le_to": "jace::le_to({0}, {1})",
        "max": "jace::max({0}, {1})", "min": "jace::min({0}, {1})", "clamp": "jace::clamp({0}, {1}, {2})",
        "shift_left": "jace::shift_left({0}, {1})",
        "shift_right_arithmetic": "jace::shift_right_arithmetic({0}, {1})",
        "shift_right_logical": "jace::shift_right_logical({0}, {1})",
        "population_count": "jace::population_count({0})", "clz": "jace::clz({0})",
        "mulhi": "jace::mulhi({0}, {1})", "abs": "jace::abs({0})", "sign": "jace::sign({0})",
        "floor": "jace::floor({0})", "ceil": "jace::ceil({0})",
        "is_finite": "jace::is_finite({0})", "nextafter": "jace::nextafter({0}, {1})",
        "real": "({0}).re", "imag": "({0}).im", "conj": "jace::conj_({0})",
        "copy": "{0}", "copy_p": "{0}", "name": "{0}", "stop_gradient": "{0}",
    }
)  # fmt: skip

elementwise_table(
    {"rem": "jace::rem({0}, {1})", "rsqrt": "jace::rsqrt_({0})", "sqrt": "jace::sqrt_({0})"}, cost=8
)

elementwise_table(
    {
        name: f"jace::{name}_({{0}})"
        for name in (
            "exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
            "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "logistic",
        )
    },
    cost=20,
)  # fmt: skip


def _plain(dtype: DType) -> bool:
    """Whether C++'s + - * / on the C++ type of `dtype` are XLA's: no promotion, no undefined overflow."""
    return dtype.name in ("float32", "float64", "uint32", "uint64", "complex64", "complex128")


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def _arithmetic(name: str, dtype: DType, a: str, b: str) -> str:
    if _plain(dtype) and not (name == "div" and dtype.kind == "u"):
        return f"({a} {_OPERATORS[name]} {b})"
    return f"jace::squared({a})" if name == "mul" and a == b else f"jace::{name}({a}, {b})"


@register_elementwise("add", "add_any", node=python("({0} + {1})", WRAPPING))
def _add(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return _arithmetic("add", out_dtype, a, b)


@register_elementwise("sub", node=python("({0} - {1})", WRAPPING))
def _sub(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return _arithmetic("sub", out_dtype, a, b)


@register_elementwise("mul", node=python("({0} * {1})", WRAPPING))
def _mul(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    a, b = convert(in_dtypes[0], out_dtype, a), convert(in_dtypes[1], out_dtype, b)  # `out_dtype` parameter
    return _arithmetic("mul", out_dtype, a, b)


@register_elementwise("div", cost=4, node=python("({0} / {1})", DIVIDED))
def _div(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return _arithmetic("div", out_dtype, a, b)


@register_elementwise("neg", node=python("(-{0})", DIVIDED))
def _neg(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    return f"(- {a})" if _plain(out_dtype) else f"jace::neg({a})"


@register_elementwise("square", node=python("({0} * {0})", WRAPPING))
def _square(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    return f"jace::square_({a})" if out_dtype.kind == "c" else _arithmetic("mul", out_dtype, a, a)


@register_elementwise("integer_pow", cost=4)
def _integer_pow(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    exponent = params["y"]
    return _arithmetic("mul", out_dtype, a, a) if exponent == 2 else f"jace::integer_pow<{exponent}>({a})"


@register_elementwise("pow", cost=40)
def _pow(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return f"jace::pow_({a}, {convert(in_dtypes[1], out_dtype, b)})"


@register_elementwise("atan2", cost=30)
def _atan2(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return f"jace::atan2_({a}, {b})"


@register_elementwise("round")
def _round(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    # RoundingMethod.AWAY_FROM_ZERO is 0, TO_NEAREST_EVEN is 1
    return f"jace::round_{'even' if int(params['rounding_method'].value) == 1 else 'away'}({a})"


@register_elementwise("complex")
def _complex(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str, b: str) -> str:
    return f"{ctype(out_dtype)}{{{a}, {b}}}"


def convert(from_dtype: DType, to_dtype: DType, a: str) -> str:
    """The expression of `a` converted as lax.convert_element_type does."""
    return a if from_dtype == to_dtype else f"jace::convert<{ctype(to_dtype)}>({a})"


@register_elementwise("convert_element_type")
def _convert_element_type(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    return convert(in_dtypes[0], out_dtype, a)


@register_elementwise("reduce_precision")
def _reduce_precision(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, a: str) -> str:
    return f"jace::reduce_precision<{params['exponent_bits']}, {params['mantissa_bits']}>({a})"


@register_elementwise("select_n", node=select)
def _select_n(params: Params, in_dtypes: tuple[DType, ...], out_dtype: DType, which: str, *cases: str) -> str:
    # a function, not `?:`: a branch around a call of the C library keeps a loop scalar
    if in_dtypes[0].kind == "b" and len(cases) == 2:
        return f"jace::select({which}, {cases[1]}, {cases[0]})"
    return f"jace::select_n({', '.join((which, *cases))})"
