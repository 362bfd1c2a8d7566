"""The regularised incomplete gamma functions of f64, in NumPy: XLA's take as many steps as sqrt(a), without end.

SciPy has both to its last digits where its series end in 2,000 steps, and about the mean for any order a (Temme's
expansion, up to 4.5 standard deviations away). For a large order the rest is the same expansion without the series that
it needs near the mean (DLMF 8.12.3 to 8.12.11): Q(a, x) = erfc(eta sqrt(a / 2)) / 2 + R.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

_Array = np.ndarray[Any, Any]

#: From this order on SciPy's series do not end within its steps, and three terms of the expansion have 13 digits.
LARGE = 5e4
#: Standard deviations from the mean up to which SciPy has the expansion.
NEAR = 4.5
#: exp(-NOTHING) is 0.
NOTHING = 800.0


def lower(a: _Array, x: _Array) -> _Array:
    """P(a, x), of f64; NaN where a or x is negative, and where both are zero or infinite."""
    return _regularized(a, x, special.gammainc, upper=False)


def upper(a: _Array, x: _Array) -> _Array:
    """Q(a, x) = 1 - P(a, x)."""
    return _regularized(a, x, special.gammaincc, upper=True)


def _regularized(a: _Array, x: _Array, known: Any, *, upper: bool) -> _Array:
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        far = (a >= LARGE) & np.isfinite(a) & (x > 0) & np.isfinite(x) & (np.abs(x - a) > NEAR * np.sqrt(a))
    found = np.asarray(known(np.where(far, 1.0, a), np.where(far, 1.0, x)))
    if not far.any():
        return found
    found = found.copy()
    found[far] = _tail(a[far], x[far], upper=upper)
    return found


def _tail(a: _Array, x: _Array, *, upper: bool) -> _Array:
    """P or Q of a large a, far from the mean. The coefficients cancel near it: see c1 and c2 of DLMF 8.12.10."""
    above = x > a
    with np.errstate(all="ignore"):
        mu = (x - a) / a
        half = _minus_log1p(mu)  # eta^2 / 2
        eta = np.sign(mu) * np.sqrt(2 * half)
        density = np.exp(-a * half) / np.sqrt(2 * np.pi * a)
        c0 = 1 / mu - 1 / eta
        c1 = 1 / eta**3 - 1 / mu**3 - 1 / mu**2 - 1 / (12 * mu)
        c2 = -3 / eta**5 + 3 / mu**5 + 5 / mu**4 + 25 / (12 * mu**3) + 1 / (12 * mu**2) + 1 / (288 * mu)
        rest = density * (c0 + (c1 + c2 / a) / a)
        # the part that is small: Q above the mean, P below it
        small = special.erfc(np.abs(eta) * np.sqrt(a / 2)) / 2 + np.where(above, rest, -rest)
    small = np.where(a * half > NOTHING, 0.0, small)
    return np.where(above == upper, small, 1 - small)


def _minus_log1p(mu: _Array) -> _Array:
    """What log(1 + mu) is less than mu; near 0 by mu^2 (1/2 - mu/3 + mu^2/4 ...)."""
    series = np.zeros_like(mu)
    for k in range(22, 1, -1):
        series = 1 / k - mu * series
    return np.where(np.abs(mu) < 0.1, mu * mu * series, mu - np.log1p(mu))
