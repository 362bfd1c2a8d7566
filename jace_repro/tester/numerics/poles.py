"""What rounding takes onto a pole: there a result is infinite, or NaN, that is finite beside it.

A noisy sample is always beside the pole: the chance to hit it is nil in f64, and is not in the program's own type. So
samples of further salts (`SALTS`) are taken onto it on purpose, wherever their noise reaches it. They say where a
result may be infinite or NaN, and nothing of its value.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import walk
from jace_repro.tester.numerics import freedoms
from jace_repro.tester.numerics.errormodel import aval_of, is_real
from jace_repro.tester.numerics.noise import eps_of, is_short, module_of

_Value = Any

#: The salts of the samples that are taken onto poles have this bit, the first that decides nothing else...
_HITS = 1 << len(freedoms.CHOICES)
#: ...those that are asked: with opposite choices (`freedoms`).
SALTS = (_HITS | 1, _HITS | 6)
#: What is infinite at some of the integers. Poles at zero are reached by a difference (`vanishing`).
AT_INTEGERS = frozenset({"lgamma", "digamma", "polygamma", "zeta", "log1p", "atanh", "erf_inv"})
#: Whose results vanish where their operands cancel.
DIFFERENCES = frozenset({"add", "add_any", "sub"})
#: So many ULP of its larger term a difference may be of rounding: several equations with noise of their own made it.
ROUNDED = 32.0
#: What is infinite at zero, or of zeros NaN.
_AT_ZERO = frozenset({"div", "rem", "log", "rsqrt", "integer_pow", "pow", "atan2", "igamma", "igammac"})


def near(closed: ClosedJaxpr) -> bool:
    """Whether a program has poles that rounding may take it onto."""
    return any(eqn.primitive.name in AT_INTEGERS | _AT_ZERO for _, eqn in walk(closed))


def _hits(salt: _Value) -> _Value:
    """Whether the sample of a salt is taken onto poles."""
    return (module_of(salt).asarray(salt) & _HITS) != 0


def vanishing(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, salt: _Value) -> _Value:
    """A sum of two that is zero where it is no larger than the rounding of its terms, and one of these was rounded.

    Args:
        eqn: one of `DIFFERENCES`.
        args, out: its wide operands and result.
        salt: of the sample.
    """
    xp = module_of(*args, out, salt)
    if not is_real(eqn.outvars[0]) or (xp is np and not _hits(salt)):
        return out
    dtype = aval_of(eqn.outvars[0]).dtype
    rounding = ROUNDED * eps_of(dtype) * functools.reduce(xp.maximum, map(xp.abs, args))
    small = (out != 0) & (xp.abs(out) <= rounding)
    if xp is np and not np.any(small):
        return out
    rounded = functools.reduce(xp.logical_or, [~is_short(arg, dtype) for arg in args])
    return xp.where(small & rounded & _hits(salt), xp.zeros_like(out), out)


def onto_integers(
    out: _Value, noisy: _Value, noise: _Value, ulps: float, native: Any, salt: _Value
) -> _Value:
    """A noisy result; an integer where noise may make it one.

    Args:
        out, noisy: the wide result before and after it was perturbed.
        noise: absolute, of its shape or a scalar.
        ulps: relative noise in ULP of the native dtype.
        native: the dtype the program has.
        salt: of the sample.
    """
    xp = module_of(out, noise, salt)
    if xp is np and not _hits(salt):
        return noisy
    whole = xp.rint(out)
    reach = xp.maximum(noise, ulps * eps_of(native) * xp.abs(out))
    reached = (xp.abs(out - whole) <= reach) & ~is_short(out, native)
    return xp.where(reached & _hits(salt), whole, noisy)
