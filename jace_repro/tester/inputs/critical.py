"""Critical points: arguments at which an implementation of a primitive changes what it does, or fails first.

Sources: the definitions (poles, zeros, branch cuts, domain ends), the limits of each dtype (where a function or a step
on the way to it overflows, underflows or rounds to a constant), and the thresholds of the algorithms in common use:
Cephes and Cody's for erf, the Lanczos sum for lgamma, reflection and recurrence for digamma, series and continued
fraction for igamma, Euler-Maclaurin for zeta, Chebyshev intervals for the Bessel functions, Payne-Hanek for large
angles. C99 Annex F and G say what becomes of zeros, infinities and NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np

_Array = np.ndarray[Any, Any]
_finfo: Any = ml_dtypes.finfo
_iinfo: Any = ml_dtypes.iinfo

#: What any operation of floats may take for something else. (No subnormals: XLA flushes them.)
COMMON = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, math.inf, -math.inf, math.nan, 3.0, -3.0, 0.1, -0.7)
_INTEGERS = (*range(-6, 7), 10, 17, 34, 100)
_HALVES = tuple(n + 0.5 for n in range(-6, 6))
_ANGLES = tuple(k * math.pi / 4 for k in (1, 2, 3, 4, 5, 6, 8, 100, 1e4, 1e6, 1e9))
_ONES = (1 - 1e-3, 1 + 1e-3, 1 - 1e-7, 1 + 1e-7, -1 + 1e-7, -1 - 1e-7)
_SMALL = (1e-3, -1e-3, 1e-5, 1e-8, -1e-8, 1e-20, -1e-20, 1e-30)
_LARGE = (
    5.0,
    8.0,
    9.0,
    10.0,
    15.0,
    20.0,
    30.0,
    50.0,
    88.0,
    89.0,
    100.0,
    300.0,
    700.0,
    1e3,
    1e4,
    1e5,
    1e10,
    1e15,
    1e30,
)
#: About the ends of integer dtypes and of small floats.
_ENDS = (
    *(
        127.0,
        127.5,
        128.0,
        255.0,
        255.5,
        256.0,
        -128.0,
        -128.5,
        -129.0,
        32767.0,
        32768.0,
        65504.0,
        65519.0,
        65520.0,
    ),
    *(
        65536.0,
        2.0**31,
        -(2.0**31),
        2.0**31 - 128,
        2.0**32,
        2.0**63,
        -(2.0**63),
        2.0**64,
        1e30,
        448.0,
        464.0,
        240.0,
    ),
    *(57344.0, 2.0**-9, 2.0**-10, 2.0**-4),
)
#: Halfway between two numbers of bfloat16, of float16, or of a small float: the even one is meant.
_BETWEEN = (1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-4, 1 + 3 * 2.0**-4)

#: Subnormal numbers of bfloat16 and float16, which a conversion meets (as a Boolean: are they true?).
_SUBNORMAL = (1e-40, -1e-40, 3e-6, -3e-6)


def _both(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return (*numbers, *(-n for n in numbers))


#: Primitives, and numbers critical for each of them, whatever the dtype.
_POINTS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("sin cos tan sinc", _both(_ANGLES) + _SMALL),
    ("exp exp2 expm1 sinh cosh", _both(_LARGE[:14]) + _SMALL + _HALVES),
    ("log log1p", (*_ONES, *_SMALL, *_LARGE, -0.5, 1e-2, math.sqrt(2), math.sqrt(0.5))),
    ("sqrt rsqrt cbrt", (*_SMALL, *_LARGE, 4.0, 9.0, 27.0, -8.0, 2.0**20)),
    (
        "tanh logistic softplus gelu silu log_sigmoid",
        _both((4e-4, 0.625, 7.9, 9.01, 9.02, 16.6, 18.0, 20.0, 44.0, 88.0, 89.0, 104.0)) + _SMALL,
    ),
    ("asin acos atanh acosh asinh atan", (*_ONES, *_both(_LARGE), *_SMALL, 0.707, 1.5)),
    (
        "erf erfc",
        _both((1e-4, 0.46875, 0.84375, 1.25, 2.857, 3.92, 4.0, 5.8, 6.0, 9.2, 10.0, 26.5, 27.3)),
    ),
    ("ndtri log_ndtr", (0.0, 1.0, 0.135, 0.865, 1e-5, 1 - 1e-5, -5.0, -20.0, -40.0, 5.0, 8.0)),
    (
        "erf_inv",
        (
            *_ONES,
            *_SMALL,
            1 - 1e-10,
            1 - 1e-13,
            1e-14 - 1,
            0.9,
            -0.9,
            0.99,
            -0.99,
            0.9999,
            -0.9999,
            1e-4,
            0.997,
        ),
    ),
    (
        "lgamma digamma",
        (*_INTEGERS, *_HALVES, 1.4616321, 0.1, 1e-3, -1e-3, 1e-5, 1e4, 1e10, 34.9, 171.6, 8.0, 10.0, -10.3),
    ),
    ("bessel_i0e bessel_i1e i0 i1", _both((7.9999, 8.0, 8.0001, 20.0, 1e4, 1e-4, 88.0))),
    (
        "igamma igammac",
        (0.1, 0.5, 1.0, 2.0, 5.0, 9.0, 10.0, 20.0, 20.5, 50.0, 100.0, 200.0, 1e3, 1e4, 1e-3),
    ),
    (
        "zeta polygamma",
        (1.0, 1.0001, 1.5, 2.0, 3.0, 5.0, 8.0, 9.0, 9.5, 10.0, 25.0, 60.0, 0.5, 1e-2, 1e3),
    ),
    ("regularized_incomplete_beta", (0.1, 0.5, 1.0, 2.0, 10.0, 100.0, 0.25, 0.9, 0.999)),
    (
        "floor ceil round round_decimals",
        (
            *_HALVES,
            0.49999997,
            -0.49999997,
            8388607.5,
            8388608.0,
            4194303.5,
            2.0**24 + 1,
            1e10,
            -1e-8,
            0.05,
            2.675,
        ),
    ),
    ("pow numpy_power integer_pow", (*_HALVES, *_INTEGERS, 1e4, 1e-4, 0.1, 1 + 1e-7, 1 - 1e-7, 300.0)),
    ("atan2", (*_SMALL, *_both((1e10, 1e30, 0.5, 3.0)))),
    (
        "rem numpy_remainder numpy_floor_divide numpy_fmod",
        (*_INTEGERS, *_HALVES, 1e10, 0.1, -0.3, 5.3, 1e-10),
    ),
    ("convert_element_type", (*_HALVES, *_INTEGERS, *_ENDS, *_BETWEEN, *_SUBNORMAL)),
    ("reduce_precision", (*_BETWEEN, 65504.0, 65520.0, 1e10, 1e-10, 2.0**-14, 448.0, 3.5e38)),
    ("nextafter", (65504.0, 1e10, -1e10)),
    ("clamp max min ne eq lt le gt ge sign abs", (1e10, 1 + 1e-7, 1 - 1e-7)),
    ("add sub mul div square", (*_SMALL, *_both(_LARGE[-4:]), 0.1, 1 / 3, 2.0**24, 1e19, 1.9e19)),
)
POINTS: dict[str, tuple[float, ...]] = {name: row for names, row in _POINTS for name in names.split()}

#: Functions of several arguments, and points at which these are critical together: where one method ends and the next
#: begins (a sum of the two parameters about 150, Stirling's series below 16; x beside a, and a about 20 and 200). Left
#: out is where XLA has lost more digits than its functions may: corpus/xla/inaccurate_functions.py.
JOINT: dict[str, tuple[tuple[float, ...], ...]] = {
    "regularized_incomplete_beta": (
        (100.0, 100.0, 0.5), (100.0, 100.0, 0.45), (3.0, 200.0, 0.01), (149.0, 0.5, 0.999),
        (74.0, 75.5, 0.5), (75.0, 75.5, 0.48), (15.0, 160.0, 0.1),
        (160.0, 1.5, 0.995), (5.0, 5.0, 0.3), (0.1, 0.1, 0.5),
        (2.0, 30.0, 0.9), (30.0, 2.0, 0.1), (0.5, 0.5, 0.999), (1e-2, 1e-2, 0.5), (1.0, 1.0, 0.25),
        (9.0, 600.0, 0.02),
    ),
    **dict.fromkeys(
        ("igamma", "igammac"),
        (
            (0.5, 0.3), (0.5, 0.99), (0.5, 1.01), (0.5, 2.0), (0.01, 0.01), (0.01, 3.0), (0.9, 1.05), (1.0, 1.0),
            (3.0, 2.9), (3.0, 3.1), (5.0, 30.0), (30.0, 5.0), (10.0, 12.0), (15.5, 16.0), (20.0, 19.9), (20.5, 13.9),
            (20.5, 14.5), (20.5, 25.9), (20.5, 27.0), (50.0, 48.0), (50.0, 66.0), (100.0, 100.0), (199.0, 190.0),
            (201.0, 270.0), (170.0, 171.0), (172.0, 150.0),
        ),
    ),
    "zeta": (
        (2.0, 1.0), (1.5, 0.5), (3.0, 9.5), (3.0, 8.9), (10.0, 1.2), (60.0, 1.1), (2.0, 1e3), (1.001, 3.0), (20.0, 0.3),
        (5.0, 25.0), (1.25, 1e4), (2.0, -0.5), (3.0, -1.5), (2.5, 10.0),
    ),
    "polygamma": ((0.0, 2.0), (1.0, 0.3), (1.0, 9.5), (2.0, 5.0), (3.0, 10.5), (5.0, 0.7), (1.0, 1e3), (4.0, 25.0)),
    "pow": (
        (2.0, 0.5), (1.0001, 1e4), (0.99, 300.0), (10.0, 3.5), (-2.0, 3.0), (-2.0, 2.5), (4.0, -0.5), (8.0, 1 / 3),
        (1 + 2e-7, 3e5), (0.5, 20.0), (-1.0, 1e6), (1.5, -30.0), (2.0, 14.0), (7.0, -4.0),
    ),
    "atan2": (
        (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0), (1e-3, 1e3), (1e3, 1e-3), (0.0, -1.0), (-0.0, -1.0),
        (1e-3, -1e3), (2.0, 1.9), (0.4375, 1.0), (0.6875, 1.0), (2.4375, 1.0),
    ),
}  # fmt: skip

_ORDERS = (
    0.011, 0.1, 0.3, 0.5, 0.72, 1.0, 1.7, 2.5, 4.2, 7.5, 9.9, 13.0, 18.0, 21.0, 35.0, 60.0, 110.0, 180.0, 230.0, 450.0,
)  # fmt: skip
_NEAR_AND_FAR = (
    0.02, 0.1, 0.3, 0.5, 0.69, 0.75, 0.9, 0.97, 0.995, 1.0, 1.004, 1.03, 1.1, 1.29, 1.5, 2.0, 4.0, 11.0,
)  # fmt: skip
_SHIFTS = (0.06, 0.4, 0.9, 1.0, 1.6, 2.8, 4.0, 7.3, 8.9, 9.1, 9.9, 10.0, 12.5, 40.0, 333.0, 5e3)
_BETAS = (0.3, 0.5, 1.0, 1.8, 4.3, 11.0, 40.0, 90.0)
#: Functions of several arguments, and numbers for each: all that the methods in common use are for. Where a function is
#: of a number beside another, it is the quotient that is given (`SCALED`).
GRIDS: dict[str, tuple[tuple[float, ...], ...]] = {
    **dict.fromkeys(("igamma", "igammac"), (_ORDERS, _NEAR_AND_FAR)),
    "igamma_grad_a": (_ORDERS[3:], _NEAR_AND_FAR[2:-2]),
    "zeta": ((1.02, 1.3, 1.9, 2.0, 2.7, 3.0, 4.4, 6.0, 8.1, 11.0, 17.0, 25.0), _SHIFTS),
    "polygamma": ((0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 9.0), _SHIFTS),
    "regularized_incomplete_beta": (_BETAS, _BETAS, (0.01, 0.08, 0.2, 0.37, 0.5, 0.66, 0.81, 0.95, 0.993)),
    "pow": (
        (1e-6, 0.03, 0.4, 0.9, 0.9998, 1.0003, 1.2, 2.0, 3.7, 10.0, 450.0, 2e5, -2.0, -0.7),
        (-5.5, -3.0, -1.0, -0.5, -1 / 3, -0.01, 1e-3, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.7, 7.1),
    ),
    "atan2": (_both((1e-8, 0.01, 0.3, 0.42, 0.67, 1.0, 2.2, 2.45, 30.0, 1e7)),) * 2,
    "rem": (_both((0.3, 1.0, 2.5, 7.0, 19.3, 1e3, 12345.6, 3e6)), _both((0.1, 0.3, 1.0, 2.5, 3.0, 7.7, 1e3))),
    "nextafter": (_both((0.0, 1e-3, 1.0, 1.5, 2.0, 1e6)),) * 2,
}
#: The grids whose last numbers are multiples of the first.
SCALED = frozenset({"igamma", "igammac", "igamma_grad_a"})
_PARTS = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.5)
#: Complex numbers about which conventions must be kept: C99 Annex G says of some what becomes of them.
SPECIAL_COMPLEX = tuple(complex(re, im) for re in _PARTS for im in _PARTS)


def _overflow(high: float, tiny: float, eps: float) -> tuple[float, ...]:
    """Where the exponential function overflows, also when it is halved, underflows, and is one plus its argument."""
    return _both((math.log(high), math.log(high) + math.log(2), -math.log(tiny), eps, math.sqrt(eps)))


def _base_two(high: float, tiny: float, eps: float) -> tuple[float, ...]:
    return math.log2(high), math.log2(tiny), math.ceil(math.log2(high)), eps


def _squares(high: float, tiny: float, eps: float) -> tuple[float, ...]:
    """Where a square overflows or underflows, and where one more is the same number."""
    return (*_both((math.sqrt(high), 1.1 * math.sqrt(high), math.sqrt(tiny))), 1 / math.sqrt(eps), 1 / eps)


def _saturates(high: float, tiny: float, eps: float) -> tuple[float, ...]:
    """Where a function is its argument, or one, to the last digit."""
    return _both((eps, math.sqrt(eps), eps / 2, -math.log(eps), -math.log(eps) / 2))


def _arithmetic(high: float, tiny: float, eps: float) -> tuple[float, ...]:
    return _both((high / 2, high * (1 - eps), tiny * 2, 1 + eps, 1 / eps, math.sqrt(high)))


#: Primitives, and numbers critical for them by the largest, the smallest normal and the last digit of a dtype.
_LIMITS: tuple[tuple[str, Callable[[float, float, float], tuple[float, ...]]], ...] = (
    ("exp expm1 sinh cosh", _overflow),
    ("exp2", _base_two),
    ("square abs asinh acosh atan2 integer_pow rsqrt sqrt", _squares),
    ("tanh logistic log1p asin atan atanh sin tan erf", _saturates),
    ("add sub mul div", _arithmetic),
)
LIMITS = {name: limits for names, limits in _LIMITS for name in names.split()}


def floats(about: str, dtype: Any) -> _Array:
    """Critical numbers of a primitive in a float dtype, and their neighbours where the dtype has some, as float64."""
    info = _finfo(dtype)
    high, tiny, eps = float(info.max), float(info.tiny), float(info.eps)
    limits = LIMITS[about](high, tiny, eps) if about in LIMITS else ()
    numbers = [*COMMON, *POINTS.get(about, (1e-3, 30.0, -30.0, 1e4)), *limits, high, -high, tiny, -tiny, eps]
    with np.errstate(all="ignore"):
        found = np.array(numbers, np.float64).astype(dtype)
        finite = found[np.isfinite(found.astype(np.float64))]
        step = finite.dtype.type(1 + eps)
        beside = np.concatenate([finite * step, finite / step])
    every = np.concatenate([found, beside.astype(dtype)])
    # A subnormal is flushed by one implementation and not by the other.
    wide = np.abs(every.astype(np.float64))
    kept = every[~((wide > 0) & (wide < tiny))]
    return _distinct(kept)


def _distinct(values: _Array) -> _Array:
    """Each bit pattern once, in order."""
    patterns = values.view(f"u{values.dtype.itemsize}")
    _, first = np.unique(patterns, return_index=True)
    return values[np.sort(first)]


def integers(dtype: Any) -> _Array:
    """Critical numbers of an integer dtype: its ends, powers of two beside them, and shifts about its width."""
    info = _iinfo(dtype)
    low, high, bits = int(info.min), int(info.max), info.bits
    numbers: Iterator[int] = iter(
        (0, 1, 2, 3, 5, 7, -1, -2, -3, low, low + 1, high, high - 1, high // 2, high // 2 + 1, bits, bits - 1, bits + 1,
         1 << (bits // 2), (1 << (bits // 2)) - 1, 10, 100, 977, 0x55, 1 << (bits - 2), 2 * bits, 255, 256, 2**24 + 1)
    )  # fmt: skip
    wide = np.uint64 if low == 0 else np.int64  # of both together NumPy would make floats
    return np.array(sorted({n for n in numbers if low <= n <= high}), wide).astype(dtype)
