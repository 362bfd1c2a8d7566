"""Effects on an input: until jax 0.10.1 they name its position, from then on the variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace.jax_internals import JaxprInputEffect, discharge_state

_BY_POSITION = hasattr(JaxprInputEffect(0), "input_index")


def discharged(closed: Any) -> Any:
    """`closed` with all refs as values; final values of refs among its inputs are further outputs."""
    if _BY_POSITION:
        return ClosedJaxpr(*discharge_state(closed.jaxpr, closed.consts))
    return discharge_state(closed)


def effects_on(effects: Any, old: Sequence[Any], new: Sequence[Any]) -> set[Any]:
    """The effects of an equation whose operands `old` are replaced by `new`."""
    if _BY_POSITION:
        return set(effects)
    places = dict(zip(map(id, old), new, strict=True))
    return {
        e.replace(places[id(e.input)]) if isinstance(e, JaxprInputEffect) and id(e.input) in places else e
        for e in effects
    }


def effects_of_body(inputs: Sequence[Any], eqns: Sequence[Any]) -> set[Any]:
    """The effects of a body with these inputs (constants first); those on an input (a ref) name it.

    Effects on a ref that the body makes are its own: the equation that makes the ref tells of them.
    """
    positions = {v: i for i, v in enumerate(inputs)}
    found = set()
    for eqn in eqns:
        for effect in eqn.effects:
            if isinstance(effect, JaxprInputEffect):
                var = input_of(effect, eqn.invars)
                if var not in positions:
                    continue
                effect = type(effect)(positions[var] if _BY_POSITION else var)
            found.add(effect)
    return found


def input_of(effect: Any, inputs: Sequence[Any]) -> Any:
    """Which of the inputs of an equation or a jaxpr (constants first) an effect is on."""
    return inputs[effect.input_index] if _BY_POSITION else effect.input
