"""Functions to any precision, by the primitives that compute them (mpmath).

`scripts/bench_accuracy.py` measures jace and XLA against them, and writes what it finds beside this module
(`accuracy.json`); `closely` asks them about single elements.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

Domain = tuple[float, float]


@dataclass(frozen=True)
class ExactFunction:
    """One function.

    Attributes:
        of: the function, of mpmath numbers.
        domain: closed interval of each operand that it is evaluated in; nothing is asked of complex ones.
        beyond: the value outside of the domain, where that is easily told; infinite where it is, None where it is not
            known.
        absolute: an absolute error that counts as none, in eps * (1 + log(1 + |x|)): near a root that floating-point
            numbers cannot resolve.
        digits: working precision.
        of_complex: whether it is one of complex numbers.
    """

    of: Callable[..., Any]
    domain: tuple[Domain, ...] = ((-np.inf, np.inf),)
    absolute: float = 0.0
    digits: int = 40
    of_complex: bool = False
    beyond: Callable[..., Any] = lambda *operands: None

    def at(self, operands: Sequence[float]) -> Any:
        """The value; None where it is not known, at a pole, and where one of real numbers is not real."""
        number = mpmath.mpc if self.of_complex else mpmath.mpf
        if not self.of_complex and not self._is_inside(operands):
            return self.beyond(*map(number, operands))
        try:
            value = self.of(*map(number, operands))
        except (ZeroDivisionError, ValueError, ArithmeticError, mpmath.libmp.NoConvergence):
            return None
        return value if isinstance(value, number) and mpmath.isfinite(value) else None

    def _is_inside(self, operands: Sequence[float]) -> bool:
        return all(low <= x <= high for x, (low, high) in zip(operands, self.domain, strict=True))


def _lgamma(x: Any) -> Any:
    return mpmath.log(abs(mpmath.gamma(x))) if abs(x) < 200 else mpmath.re(mpmath.loggamma(x))


def _gamma_of_a_large_order(*, upper: bool) -> Callable[[Any, Any], Any]:
    """One of the incomplete gamma functions of a large a, where gammainc of mpmath takes as many steps as sqrt(a).

    Half or twice as far as a it is within e^-1900 of 0, or of 1. Between, the smaller of the two is x^a e^-x / Gamma(a)
    times the integral of (1 + v)^(a - 1) e^-xv from v = 0 outwards, away from the mean, to where that has fallen to
    e^-60 at least.
    """

    def value(a: Any, x: Any) -> Any:
        if a >= 1e4 and (0 <= x <= a / 2 or x >= 2 * a) and not (mpmath.isinf(a) and mpmath.isinf(x)):
            return mpmath.mpf((x >= 2 * a) != upper)
        if not (1e3 <= a < 1e60 and a / 2 < x < 2 * a):
            return None
        with mpmath.workdps(mpmath.mp.dps + int(mpmath.log10(a)) + 10):
            part = _gamma_outwards(a, x)
            return part if (x >= a) == upper else 1 - part

    return value


def _gamma_outwards(a: Any, x: Any) -> Any:
    """Q(a, x) above the mean, P(a, x) below it: no difference of numbers that are alike."""
    away, scale = (1 if x >= a else -1), mpmath.sqrt(a)
    distance = abs(x - a) / scale
    end = 1.5 * (mpmath.sqrt(distance**2 + 200) - distance)
    integral = mpmath.quad(
        lambda t: mpmath.exp((a - 1) * mpmath.log1p(away * t / scale) - x * away * t / scale),
        mpmath.linspace(0, end, 5),
    )
    return mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a)) * integral / scale


def _first_terms(s: Any, q: Any) -> Any:
    """Hurwitz' zeta function of a large s: what follows these terms is 10^-200 of the first."""
    if not (s > 200 and 0 < q <= 5):
        return None
    if mpmath.isinf(s):
        return mpmath.mpf(q == 1) if q >= 1 else mpmath.inf
    return mpmath.fsum(mpmath.power(q + k, -s) for k in range(60))


def _polygamma_of_a_large_order(n: Any, x: Any) -> Any:
    if not (mpmath.isint(n) and 200 <= n <= 1e6):
        return None
    zeta = _first_terms(n + 1, x)
    return None if zeta is None else (-1) ** (int(n) + 1) * mpmath.gamma(n + 1) * zeta


_UNIT = ((-1.0, 1.0),)
_EXPONENT = ((-2000.0, 2000.0),)  # beyond, everything is 0, 1 or infinite
_GAMMA = ((1e-2, 1e3), (1e-3, 2e3))

#: By the name of the primitive. Elementary functions are here where some implementation is far off (`errormodel`).
EXACT: Mapping[str, ExactFunction] = {
    "exp2": ExactFunction(lambda x: mpmath.power(2, x), _EXPONENT),
    "log1p": ExactFunction(mpmath.log1p, ((-1, np.inf),)),
    "sinh": ExactFunction(mpmath.sinh, _EXPONENT),
    "cosh": ExactFunction(mpmath.cosh, _EXPONENT),
    "atanh": ExactFunction(mpmath.atanh, _UNIT),
    "erfc": ExactFunction(mpmath.erfc, _EXPONENT),
    "erf_inv": ExactFunction(mpmath.erfinv, _UNIT),
    "lgamma": ExactFunction(_lgamma, ((-1e6, 1e30),), absolute=4, digits=60),
    "digamma": ExactFunction(mpmath.digamma, ((-1e6, 1e30),), absolute=4),
    "bessel_i0e": ExactFunction(lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), ((-1e6, 1e6),)),
    "bessel_i1e": ExactFunction(lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), ((-1e6, 1e6),)),
    "zeta": ExactFunction(mpmath.zeta, ((1.0, 200.0), (1e-3, 1e6)), digits=200, beyond=_first_terms),
    "polygamma": ExactFunction(
        lambda n, x: mpmath.psi(int(n), x),
        ((0.0, 30.0), (1e-3, 1e4)),
        digits=200,
        beyond=_polygamma_of_a_large_order,
    ),
    "igamma": ExactFunction(
        lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
        _GAMMA,
        beyond=_gamma_of_a_large_order(upper=False),
    ),
    "igammac": ExactFunction(
        lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True),
        _GAMMA,
        beyond=_gamma_of_a_large_order(upper=True),
    ),
    "regularized_incomplete_beta": ExactFunction(
        lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
        ((1e-2, 1e3), (1e-2, 1e3), (1e-6, 1.0)),
        digits=50,
    ),
}

_OF_COMPLEX: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(mpmath, name) for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt")},
    **{name: getattr(mpmath, name) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "expm1", "log1p")},
    "logistic": lambda z: 1 / (1 + mpmath.exp(-z)),
    "square": lambda z: z * z,
}  # fmt: skip
#: As EXACT, of complex numbers.
EXACT_OF_COMPLEX = {name: ExactFunction(of, of_complex=True) for name, of in _OF_COMPLEX.items()}


@functools.cache
def measured() -> Mapping[str, Mapping[str, float]]:
    """The largest error of jace's own functions in ULP, {primitive: {dtype: error}}, at random and critical points."""
    text = (Path(__file__).parent / "accuracy.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found
