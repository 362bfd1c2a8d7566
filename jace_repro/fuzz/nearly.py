"""Evaluating a program while it is drawn, to see what it gives: no compiler is asked for what NumPy nearly has.

A program is chosen by its values, and by what shows in them. For that a function of the wider type will do, rounded;
the oracle asks JAX for it (`native`), which compiles each equation of another shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn
from scipy import special

from jace_repro.fuzz.values import wide
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact
from jace_repro.tester.numerics.numpy_ops import ELEMENTWISE

#: Functions of wide numbers, element by element.
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **ELEMENTWISE,
    "regularized_incomplete_beta": special.betainc,
}


class Walk(native.Walk):
    """One evaluation, nearly right."""

    def unknown(self, eqn: JaxprEqn, args: list[Any]) -> list[Any]:
        """The results of an equation that is neither exact nor correctly rounded: NumPy's, else plain JAX's."""
        found = _nearly(eqn, args)
        return super().unknown(eqn, args) if found is None else found


def walked(closed: ClosedJaxpr, args: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
    """As `native.walked`, nearly right. Raises `native.TooLongError`."""
    return Walk(lambda *_: None).outputs(closed, args)


def _nearly(eqn: JaxprEqn, args: Sequence[Any]) -> list[Any] | None:
    """The results of an equation; None where it is no such function, or NumPy has none of these numbers."""
    function, out = _FUNCTIONS.get(eqn.primitive.name), aval_of(eqn.outvars[0])
    if function is None or not all(isinstance(a, np.ndarray) for a in args) or not is_inexact(out.dtype):
        return None
    try:
        result = np.asarray(function(*map(wide, args)))
    except TypeError:  # SciPy's are of real numbers, most of them
        return None
    return [result.astype(out.dtype)] if result.shape == out.shape else None
