"""A jace_call and what its operands and results are in terms of a flat call of the user's function."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, replace
from typing import Any

from jax.extend.core import ClosedJaxpr, Literal, Var

from jace.errors import JaceError
from jace.primitive import regions
from jace.primitive.bind import jace_call_p, keep, without_dead_code
from jace.translate.unit import Unit


@dataclass(frozen=True)
class Argument:
    """A flat argument of the call."""

    index: int


@dataclass(frozen=True)
class Output:
    """An output of the unit."""

    index: int


@dataclass(frozen=True, eq=False)
class Fixed:
    """A value known when the function was traced."""

    value: Any


@dataclass(frozen=True)
class Around:
    """What the equations around the call make: the content of a ref, which the call works on as a value."""


@dataclass(frozen=True)
class CallBinding:
    """A jace_call and what its operands and results are in terms of a flat call.

    Attributes:
        params: the parameters of the jace_call equation.
        operands: for each operand of the unit, the position of the flat argument, or a fixed value; or it is made
            around the call.
        results: for each flat result, the position of the unit's output, or a flat argument's, or a fixed
            value.
        name: of the function, for people.
    """

    params: dict[str, Any]
    operands: tuple[Argument | Fixed | Around, ...]
    results: tuple[Output | Argument | Fixed | Around, ...]
    name: str

    @functools.cached_property
    def alive(self) -> CallBinding:
        """The call as JAX lowers it: without equations and operands that no result needs.

        What is compiled for it is what runs when the function is called; for the call as it was traced that would be
        another program, translated and compiled by itself.
        """
        closed = self.params["jaxpr"]
        jaxpr, used = without_dead_code(closed, (True,) * len(closed.out_avals))
        operands = tuple(keep(self.operands, used))
        return replace(self, params={**self.params, "jaxpr": jaxpr}, operands=operands)

    @functools.cached_property
    def whole(self) -> Unit:
        """The unit of the whole program, whether or not DaCe can take it whole."""
        return regions.unit(self.params)

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The jaxpr as it was traced: what the function closes over is among its constants, not its inputs."""
        closed = self.whole.closed
        leading = itertools.takewhile(lambda o: isinstance(o, Fixed), self.operands)
        fixed = [o.value for o in leading if isinstance(o, Fixed)]
        jaxpr, count = closed.jaxpr, len(fixed)
        names = jaxpr.debug_info.arg_names
        made = jaxpr.replace(
            constvars=[*jaxpr.invars[:count], *jaxpr.constvars],
            invars=jaxpr.invars[count:],
            debug_info=jaxpr.debug_info._replace(arg_names=None if names is None else names[count:]),
        )
        return ClosedJaxpr(made, [*fixed, *closed.consts])

    @property
    def split(self) -> Any:
        """How the program is divided between DaCe and XLA (`partition.Split`), or None."""
        return regions.split(self.params)

    @property
    def units(self) -> list[Unit]:
        """The units that DaCe compiles: the whole, or one a region."""
        return [self.whole] if self.split is None else regions.regions(self.split)

    @property
    def conditional(self) -> list[bool]:
        """Of each unit, whether a call of the function may do without it."""
        return [False] if self.split is None else regions.conditional(self.split)

    @property
    def unit(self) -> Unit:
        """The only unit.

        Raises:
            JaceError: the program is divided.
        """
        if (found := self.split) is not None:
            left = "\n".join(f"  - {f}" for f in found.foreign)
            raise JaceError(
                f"'{self.name}' is not one SDFG but {len(self.units)}: these equations are left to XLA\n{left}\n"
                "as_sdfgs() answers all of its SDFGs"
            )
        return self.whole


def binding_of(traced: Any) -> CallBinding:
    """The jace_call equation of a traced jace.jit function, its operands as arguments of the call.

    Args:
        traced: a `jax.stages.Traced`.
    Raises:
        JaceError: the function was not traced to one call.
    """
    outer = traced.jaxpr
    calls = [eqn for eqn in outer.jaxpr.eqns if eqn.primitive is jace_call_p]
    if len(calls) != 1:
        raise JaceError(f"'{traced.fun_name}' was traced to {len(calls)} compiled calls instead of one")
    call = calls[0]
    consts = list(traced._consts)
    origin: dict[Var, Any] = {v: Fixed(c) for v, c in zip(outer.jaxpr.constvars, outer.consts, strict=True)}
    origin |= {v: Fixed(c) for v, c in zip(outer.jaxpr.invars, consts, strict=False)}
    origin |= {v: Argument(i) for i, v in enumerate(outer.jaxpr.invars[len(consts) :])}
    operands = tuple(_origin(v, origin) for v in call.invars)
    origin |= {v: Output(i) for i, v in enumerate(call.outvars)}
    results = tuple(_origin(v, origin) for v in outer.jaxpr.outvars)
    return CallBinding(call.params, operands, results, str(traced.fun_name))


def _origin(atom: Any, origin: dict[Var, Any]) -> Any:
    return Fixed(atom.val) if isinstance(atom, Literal) else origin.get(atom, Around())
