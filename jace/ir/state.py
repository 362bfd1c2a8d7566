"""Programs without state: boxes and other values of user-defined types lowered, refs turned into values.

A ref (`jax.new_ref`) that lives inside of a program is discharged: reads and writes become slices and updates of
an array that is carried along, through loops and branches too. User-defined types are lowered first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir.calls import expand_call
from jace.ir.core import consts_as_inputs
from jace.ir.rewrite import Splice, splice
from jace.jax_internals import AbstractRef, JaxprInputEffect, ReadEffect, is_array_effect, lower_jaxpr
from jace.releases.effects import discharged, input_of


@dataclass(frozen=True)
class Discharged:
    """A program whose refs are values.

    Attributes:
        closed: the program; inputs as before, the refs' contents in place of the refs.
        inputs: positions of the inputs that were refs.
        outputs: for each of these the position of the output that is its final value; they follow the outputs
            of the program proper.
    """

    closed: ClosedJaxpr
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def discharge(closed: ClosedJaxpr) -> Discharged:
    """`closed` with all refs as values: those it makes itself and those among its inputs.

    Calls stay, with the derivatives that the user gave them, unless they work on a ref and JAX does not know how to
    discharge them.

    Raises:
        NotImplementedError: an equation that is no call works on a ref and JAX cannot discharge it.
    """
    lowered = without_hijax(closed)
    refs = tuple(i for i, v in enumerate(lowered.jaxpr.invars) if is_ref(v.aval))
    try:
        pure = discharged(lowered)
    except NotImplementedError:
        pure = discharged(splice(lowered, expand_call))
    first = len(lowered.jaxpr.outvars)
    return Discharged(pure, refs, tuple(range(first, first + len(refs))))


def refs_as_operands(closed: ClosedJaxpr, operands: Sequence[Any]) -> tuple[ClosedJaxpr, list[Any]]:
    """A program and its operands, the refs that it closes over among these, in front."""
    refs = [is_ref(jax.typeof(value)) for value in closed.consts]
    if not any(refs):
        return closed, list(operands)
    return consts_as_inputs(closed, refs), [*compress(closed.consts, refs), *operands]


def is_ref(aval: Any) -> bool:
    """Whether an aval is that of a ref."""
    return isinstance(aval, AbstractRef)


def written_refs(closed: ClosedJaxpr) -> tuple[int, ...]:
    """The positions of inputs that are refs which the program may write."""
    jaxpr = closed.jaxpr
    variables = [*jaxpr.constvars, *jaxpr.invars]
    written: list[Any] = [
        input_of(e, variables)
        for e in closed.effects
        if isinstance(e, JaxprInputEffect) and not isinstance(e, ReadEffect)
    ]
    return tuple(i for i, v in enumerate(jaxpr.invars) if is_ref(v.aval) and v in written)


@dataclass(frozen=True)
class OnValues:
    """A program whose refs are values.

    Attributes:
        closed: the program; the last outputs are the final values of refs that it may write.
        written: positions of these refs among the inputs.
    """

    closed: ClosedJaxpr
    written: tuple[int, ...]


def on_values(closed: ClosedJaxpr) -> OnValues:
    """A program on the contents of the refs among its inputs.

    Raises:
        NotImplementedError: an equation that is no call works on a ref and JAX cannot discharge it.
    """
    lowered = without_hijax(closed)
    pure = discharge(lowered)
    kept = written_refs(lowered)
    finals = dict(zip(pure.inputs, pure.outputs, strict=True))
    outvars = pure.closed.jaxpr.outvars
    proper = outvars[: len(outvars) - len(finals)]
    made = pure.closed.jaxpr.replace(
        outvars=[*proper, *(outvars[finals[p]] for p in kept)],
        debug_info=pure.closed.jaxpr.debug_info._replace(result_paths=None),
    )
    return OnValues(ClosedJaxpr(made, pure.closed.consts), kept)


def purify(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` without values of user-defined types and without refs of its own, at every depth.

    A program on refs that others own stays as it is: `discharge` is for that.
    """
    lowered = without_hijax(closed)
    stateful = any(map(is_array_effect, lowered.jaxpr.effects))
    if not stateful or any(is_ref(v.aval) for v in lowered.jaxpr.invars):
        return lowered
    return discharge(lowered).closed


def without_hijax(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` in terms of arrays only: values of user-defined types (boxes, logs, ...) as JAX lowers them."""
    return lower_jaxpr(closed) if closed.jaxpr.is_high else closed


def expand_run_state(eqn: JaxprEqn) -> Splice | None:
    """A `run_state` equation on arrays: its body with refs discharged gives the final values."""
    if eqn.primitive.name != "run_state" or not all(eqn.params["is_initialized"]):
        return None
    return Splice(discharge(ClosedJaxpr(eqn.params["jaxpr"], ())).closed, eqn.invars, from_user=True)
