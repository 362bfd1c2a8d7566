"""What an operand of an equation must be for its result to be a given number, element by element.

The inverses are those of the functions' definitions, in f64; where a function takes a number to none or to many, the
element is left out or one of them is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn
from scipy import special

from jace_repro.tester.inputs.profile import MOVES
from jace_repro.tester.numerics.compare import is_float
from jace_repro.tester.numerics.native_ops import native_op

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Wanted:
    """What elements of an array are to be.

    Attributes:
        values: f64, of the array's shape.
        mask: the elements that are to be so; the others may be anything.
    """

    values: _Array
    mask: _Array

    def where(self, allowed: _Array) -> Wanted:
        """Of these elements only, and of those that are finite."""
        return Wanted(self.values, self.mask & allowed & np.isfinite(self.values))

    def taken(self, values: _Array) -> Wanted:
        """The same elements, as far as what they are to be is finite."""
        return Wanted(values, self.mask & np.isfinite(values))


#: Functions of one number: x for f(x).
_ONE: Mapping[str, Callable[[_Array], _Array]] = {
    **dict.fromkeys(("convert_element_type", "reduce_precision", "floor", "ceil", "round"), np.positive),
    "abs": lambda y: np.where(y < 0, np.nan, y),
    "neg": np.negative,
    "exp": np.log,
    "exp2": np.log2,
    "expm1": np.log1p,
    "log": np.exp,
    "log2": np.exp2,
    "log1p": np.expm1,
    "sqrt": lambda y: np.where(y < 0, np.nan, y * y),
    "rsqrt": lambda y: np.where(y <= 0, np.nan, 1 / (y * y)),
    "cbrt": lambda y: y * y * y,
    "square": np.sqrt,
    "sin": np.arcsin,
    "cos": np.arccos,
    "tan": np.arctan,
    "asin": lambda y: np.where(np.abs(y) <= np.pi / 2, np.sin(y), np.nan),
    "atan": lambda y: np.where(np.abs(y) < np.pi / 2, np.tan(y), np.nan),
    "sinh": np.arcsinh,
    "cosh": np.arccosh,
    "tanh": np.arctanh,
    "asinh": np.sinh,
    "atanh": np.tanh,
    "logistic": special.logit,
    "erf": special.erfinv,
    "erfc": special.erfcinv,
}  # fmt: skip
#: Functions of two numbers: the first operand, and the second, for the result and the other operand.
_TWO: Mapping[str, tuple[Callable[[_Array, _Array], _Array], Callable[[_Array, _Array], _Array]]] = {
    **dict.fromkeys(("add", "add_any"), (lambda y, b: y - b, lambda y, a: y - a)),
    "sub": (lambda y, b: y + b, lambda y, a: a - y),
    "mul": (lambda y, b: y / b, lambda y, a: y / a),
    "div": (lambda y, b: y * b, lambda y, a: a / y),
    "max": (lambda y, b: np.where(y >= b, y, np.nan), lambda y, a: np.where(y >= a, y, np.nan)),
    "min": (lambda y, b: np.where(y <= b, y, np.nan), lambda y, a: np.where(y <= a, y, np.nan)),
    "pow": (lambda y, b: np.power(y, 1 / b), lambda y, a: np.log(y) / np.log(a)),
}

#: The same functions where both operands are one variable.
_TWICE: Mapping[str, Callable[[_Array], _Array]] = {
    **dict.fromkeys(("add", "add_any"), lambda y: y / 2),
    **dict.fromkeys(("max", "min"), np.positive),
    "mul": np.sqrt,
}


def invert(eqn: JaxprEqn, operands: Sequence[_Array], wanted: Wanted) -> Iterator[tuple[int, Wanted]]:
    """The operands with which the first result is as it is wanted; each alone would do.

    Args:
        eqn: an equation.
        operands: what they are now, one of which is to change.
        wanted: of its first result.
    """
    name = eqn.primitive.name
    with np.errstate(all="ignore"):
        if name in _ONE and _is_real(operands[0]):
            yield 0, wanted.taken(_ONE[name](wanted.values))
        elif name == "integer_pow":
            yield 0, _root(eqn.params["y"], wanted)
        elif name in _TWO:
            yield from _of_two(eqn, operands, wanted)
        elif name in ("reduce_sum", "cumsum"):
            yield from _of_sum(eqn, operands[0], wanted)
        elif name == "clamp":
            yield 1, wanted.where((wanted.values >= operands[0]) & (wanted.values <= operands[2]))
        elif name == "select_n":
            which = np.broadcast_to(operands[0], wanted.mask.shape).astype(int)
            yield from ((k + 1, wanted.where(which == k)) for k in range(len(operands) - 1))
        else:
            yield from _moved(eqn, operands, wanted)


def _is_real(array: _Array) -> bool:
    return is_float(array.dtype)


def _root(power: int, wanted: Wanted) -> Wanted:
    if power == 0:
        return Wanted(wanted.values, np.zeros(wanted.mask.shape, bool))
    size = np.power(np.abs(wanted.values), 1 / power)
    signed = np.copysign(size, wanted.values) if power % 2 else np.where(wanted.values < 0, np.nan, size)
    return wanted.taken(signed)


def _of_two(eqn: JaxprEqn, operands: Sequence[_Array], wanted: Wanted) -> Iterator[tuple[int, Wanted]]:
    name = eqn.primitive.name
    if eqn.invars[0] is eqn.invars[1]:
        inverse_of_twice = _TWICE.get(name)
        if inverse_of_twice is not None:
            yield 0, wanted.taken(inverse_of_twice(wanted.values))
        return
    wide = [o.astype(np.float64) for o in operands]
    for position, inverse in enumerate(_TWO[name]):
        other = wide[1 - position]
        if operands[position].shape == wanted.mask.shape:  # the other may be a scalar
            yield position, wanted.taken(inverse(wanted.values, other))


def _of_sum(eqn: JaxprEqn, operand: _Array, wanted: Wanted) -> Iterator[tuple[int, Wanted]]:
    """One term of each sum makes up for what is missing; of cumulative sums each has its own."""
    wide = operand.astype(np.float64)
    if eqn.primitive.name == "cumsum":
        axis = eqn.params["axis"]
        if not eqn.params["reverse"]:
            sums = np.where(wanted.mask, wanted.values, np.cumsum(wide, axis))
            yield (
                0,
                Wanted(np.diff(sums, axis=axis, prepend=0), np.isfinite(wide)),
            )
        return
    axes = tuple(eqn.params["axes"])
    first = tuple(slice(0, 1) if k in axes else slice(None) for k in range(wide.ndim))
    if 0 in wide.shape or not axes:
        return
    values, mask = wide.copy(), np.zeros(wide.shape, bool)
    missing = np.expand_dims(wanted.values, axes) - wide.sum(axes, keepdims=True)
    values[first] += missing
    mask[first] = np.expand_dims(wanted.mask, axes)
    yield 0, Wanted(values, mask & np.isfinite(values))


def _moved(eqn: JaxprEqn, operands: Sequence[_Array], wanted: Wanted) -> Iterator[tuple[int, Wanted]]:
    """What moves elements is asked where it moves each one to."""
    op = native_op(eqn) if eqn.primitive.name in MOVES else None
    moved = [k for k, o in enumerate(operands) if o.dtype == operands[0].dtype or _is_real(o)]
    if op is None or not moved or not _is_real(operands[moved[0]]):
        return
    places, start = list(operands), 0
    for k in moved:
        places[k] = np.arange(start, start + operands[k].size).reshape(operands[k].shape)
        start += operands[k].size
    try:
        found = op(eqn.params, *places)
    except (NotImplementedError, TypeError, ValueError, IndexError):
        return
    came = np.asarray(found[0] if isinstance(found, list) else found)
    if came.shape != wanted.mask.shape or came.dtype.kind != "i":
        return
    values, mask = np.zeros(start), np.zeros(start, bool)
    chosen = came[wanted.mask]
    inside = (chosen >= 0) & (chosen < start)
    values[chosen[inside]] = wanted.values[wanted.mask][inside]
    mask[chosen[inside]] = True
    start = 0
    for k in moved:
        part = slice(start, start + operands[k].size)
        start = part.stop
        shape = operands[k].shape
        yield k, Wanted(values[part].reshape(shape), mask[part].reshape(shape))
