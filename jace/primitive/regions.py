"""The units of compilation of a jace_call: one, or one a region between the equations that stay with XLA."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jax._src.util import weakref_lru_cache
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import ir, jax_internals
from jace.errors import UnsupportedPrimitiveError
from jace.primitive.bind import hoist, is_small, jace_call_p
from jace.settings import Settings
from jace.translate.unit import Unit, unit_of


def unit(params: dict[str, Any]) -> Unit:
    """The compilation unit of a jace_call equation's parameters."""
    return unit_of(params["jaxpr"], params["settings"])


def split(params: dict[str, Any]) -> Any:
    """How a jace_call equation with these parameters is divided (`partition.Split`); None if DaCe takes it whole.

    Raises:
        UnsupportedPrimitiveError: something can be translated by nobody, or may not be left to XLA.
    """
    return _split(params["jaxpr"], params["name"], params["settings"])


@weakref_lru_cache
def _split(closed: ClosedJaxpr, name: str, settings: Settings) -> Any:
    inside = replace(settings, on_unsupported="error")

    def make(region: ClosedJaxpr, operands: Any, outvars: Any, first: JaxprEqn) -> JaxprEqn:
        inner, leading = hoist(region)
        assert not leading, "partition compiles in small constants only"
        params = {"jaxpr": inner, "name": f"{name}_region", "settings": inside}
        return jax_internals.new_jaxpr_eqn(
            list(operands), list(outvars), jace_call_p, params, set(), first.source_info, first.ctx
        )

    try:
        unit_of(closed, settings).prepare()
        return None
    except UnsupportedPrimitiveError as error:
        refusal = error
    from jace.translate import partition

    found = partition.split(closed, make, is_small, leave_unsupported=settings.leave_unsupported)
    if found is None:  # the refusal of a rule, not the lack of one
        raise refusal
    return found


def regions(found: Any) -> list[Unit]:
    """The compilation units of a split program, in order, bodies of loops and branches included."""
    return [unit(eqn.params) for eqn in _calls(found)]


def conditional(found: Any) -> list[bool]:
    """Of each unit of a split program, whether it is in the body of a loop or in a branch: it may not run at all."""
    always = {id(eqn) for eqn in found.closed.jaxpr.eqns}
    return [id(eqn) not in always for eqn in _calls(found)]


def _calls(found: Any) -> list[JaxprEqn]:
    return [eqn for _, eqn in ir.walk(found.closed) if eqn.primitive is jace_call_p]
