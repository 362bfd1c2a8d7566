"""Jaxprs and their constants: a closed jaxpr is an open one and its constants, from jax 0.11 on there is one class."""

from __future__ import annotations

from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr

from jace.jax_internals import partial_eval

#: Whether a Jaxpr holds its constants itself: open and closed ones are one class.
ONE_CLASS = ClosedJaxpr is Jaxpr


def jaxpr_of(traced: Any) -> ClosedJaxpr:
    """The closed jaxpr of a `jax.stages.Traced`; what the function closes over is among its constants."""
    closed, consts = traced.jaxpr, traced._consts
    if not consts:
        return closed
    if ONE_CLASS:
        return ClosedJaxpr(closed, [*closed.consts, *consts])
    return ClosedJaxpr(partial_eval.convert_invars_to_constvars(closed.jaxpr, len(consts)), consts)


def closed_of(body: Any, consts: Any = ()) -> ClosedJaxpr:
    """A body among an equation's parameters, closed: with `consts` where it has none of its own."""
    return ClosedJaxpr(body, consts) if consts or not isinstance(body, ClosedJaxpr) else body
