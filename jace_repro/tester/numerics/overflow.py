"""What overflows or underflows on its way to a result that need not: a sum, a product may be made in any order.

Half of the noisy samples (`freedoms`) have what the worst order of the terms or factors gives. A sum of real numbers
is bounded by those of its positive and its negative terms, the parts of a sum of complex products likewise. Factors are
taken by their magnitudes: those above one first, or those below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace_repro.tester.numerics import freedoms
from jace_repro.tester.numerics.absolute_noise import Bind, of_magnitudes, terms_of
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact
from jace_repro.tester.numerics.noise import complex_of, limits_of, module_of

_Value = Any

#: Sums of their operands...
_OF_TERMS = frozenset({"reduce_sum", "cumsum", "reduce_window_sum", "scatter-add", "scatter_add"})
#: ...and of products of two, of complex ones even where there is one product.
_OF_PRODUCTS = frozenset({"dot_general", "conv_general_dilated"})
_ONE_PRODUCT = frozenset({"mul", "square"})
#: Products of many factors.
_OF_FACTORS = frozenset({"reduce_prod", "cumprod", "scatter-mul", "scatter_mul"})
_ORDERED = _OF_TERMS | _OF_PRODUCTS | _ONE_PRODUCT | _OF_FACTORS


def on_the_way(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, salt: _Value, bind: Bind) -> _Value:
    """The result of an equation; in the samples that choose so, as the worst order of its terms or factors has it.

    NaN stands for what may be anything: infinite, NaN or finite.

    Args:
        args, out: wide operands and result.
        salt: of the sample.
        bind: evaluates the equation on other operands.
    """
    name = eqn.primitive.name
    if name not in _ORDERED or not is_inexact(dtype := aval_of(eqn.outvars[0]).dtype):
        return out
    is_complex = _is_complex(out)
    if name in _ONE_PRODUCT and not is_complex:
        return out
    ordered = _product if name in _OF_FACTORS else _sum_in_parts if is_complex else _sum
    xp = module_of(*args, out, salt)
    taken = freedoms.takes("orders", salt)
    if xp is np and (not taken or _stays_in_range(eqn, args, dtype)):
        return out
    return xp.where(taken, ordered(eqn, args, out, bind), out)


def _stays_in_range(eqn: JaxprEqn, args: Sequence[_Value], dtype: Any) -> bool:
    """Whether no order of all there is can leave the range of the type: what is quick to say."""
    limits, sizes = limits_of(dtype), [np.abs(a) for a in args if is_inexact(a.dtype)]
    with np.errstate(all="ignore"):
        if eqn.primitive.name in _OF_FACTORS:
            exponents = np.concatenate([np.log2(s).reshape(-1) for s in sizes])
            above, below = np.nansum(np.maximum(exponents, 0)), np.nansum(np.minimum(exponents, 0))
            return bool(
                above < math.log2(float(limits.max)) - 1 and below > math.log2(float(limits.tiny)) + 1
            )
        if eqn.primitive.name in _OF_TERMS:
            return bool(sum(np.nansum(s) for s in sizes) < float(limits.max) / 2)
        terms = 1 if eqn.primitive.name in _ONE_PRODUCT else terms_of(eqn)
        largest = [np.nanmax(s, initial=0.0) for s in sizes]
        largest = largest * 2 if len(largest) == 1 else largest
        return bool(4.0 * max(terms, 1) * math.prod(map(float, largest)) < float(limits.max))


def _sum(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, bind: Bind) -> _Value:
    finite, total = _of_finite_terms(eqn, args, out, bind)
    return _ordered_sum(out, total, of_magnitudes(eqn, finite, bind), _largest(eqn))


def _sum_in_parts(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, bind: Bind) -> _Value:
    """The real part of a product is re*re - im*im, the imaginary one re*im + im*re: four terms, two parts."""
    finite, total = _of_finite_terms(eqn, args, out, bind)
    sizes = [complex_of(abs(a.real), abs(a.imag)) if _is_complex(a) else a for a in finite]
    if eqn.primitive.name in _OF_TERMS:
        (sums,) = bind(eqn, sizes)
        real, imag = sums.real, sums.imag
    elif eqn.primitive.name == "square":
        (size,) = sizes
        real, imag = size.real * size.real + size.imag * size.imag, 2.0 * size.real * size.imag
    else:
        left, right = sizes
        real, imag = bind(eqn, [left, right.conj()])[0].real, bind(eqn, sizes)[0].imag
    top = _largest(eqn)
    parts = [_ordered_sum(out.real, total.real, real, top), _ordered_sum(out.imag, total.imag, imag, top)]
    return complex_of(*parts)


def _of_finite_terms(
    eqn: JaxprEqn, args: Sequence[_Value], out: _Value, bind: Bind
) -> tuple[Sequence[_Value], _Value]:
    """The operands with zeros for what is not finite, and the result of these."""
    xp = module_of(*args, out)
    if xp is np and all(np.all(np.isfinite(a)) for a in args):
        return args, out
    finite = [xp.where(xp.isfinite(a), a, xp.zeros_like(a)) if is_inexact(a.dtype) else a for a in args]
    return finite, bind(eqn, finite)[0]


def _largest(eqn: JaxprEqn) -> float:
    return float(limits_of(aval_of(eqn.outvars[0]).dtype).max)


def _is_complex(value: _Value) -> bool:
    return bool(np.dtype(value.dtype).kind == "c")


def _ordered_sum(out: _Value, total: _Value, magnitudes: _Value, top: float) -> _Value:
    """A sum that adds up the terms of one sign first.

    Args:
        out: the sum.
        total, magnitudes: of its finite terms, the sum of them and of their magnitudes.
        top: the largest number.
    """
    xp = module_of(out, total, magnitudes)
    over = ((magnitudes + total) / 2 > top) | xp.isposinf(out)
    under = ((magnitudes - total) / 2 > top) | xp.isneginf(out)
    ordered = xp.where(over, xp.inf, xp.where(under, -xp.inf, out))
    return xp.where(xp.isnan(out) | (over & under), xp.nan, ordered)


def _product(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, bind: Bind) -> _Value:
    """A product of the factors above one first, or of those below: of real numbers, the sign stays."""
    xp, tiny = module_of(*args, out), float(limits_of(aval_of(eqn.outvars[0]).dtype).tiny)

    def of(bound: Any) -> _Value:
        sizes = [bound(xp.abs(a), 1.0).astype(a.dtype) if is_inexact(a.dtype) else a for a in args]
        return xp.abs(bind(eqn, sizes)[0])

    over, under = of(xp.maximum) > _largest(eqn), of(xp.minimum) < tiny
    decided = ~over & ~under
    if not _is_complex(out):
        decided = decided | (over & ~under & xp.isinf(out))
    decided = decided | (under & ~over & (out == 0)) | xp.isnan(out)
    return xp.where(decided, out, complex(np.nan, np.nan) if _is_complex(out) else np.nan)
