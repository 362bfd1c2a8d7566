"""`jace_call`: the JAX primitive that a jace.jit call binds.

    outs = jace_call[jaxpr=..., name=..., settings=...] *operands

`jaxpr` is closed; its constants are small (large ones are leading operands). `settings` say how it is compiled
(`jace.settings`). What JAX's transformations make of it is in `transforms` and `staging`, its code in `lowering`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from jax._src import core, dispatch
from jax._src.interpreters import partial_eval as _pe
from jax._src.util import weakref_lru_cache
from jax.extend.core import ClosedJaxpr, Primitive

from jace import ir, jax_internals
from jace.settings import Settings

#: Constants of at most this many elements are compiled in.
_SMALL_CONSTANT = 64

pe: Any = _pe  # untyped, and without __all__: for a type checker it is Any

jace_call_p: Any = Primitive("jace_call")
jace_call_p.multiple_results = True
# Operands and results are arrays; values of user-defined types in the body are lowered when it is translated.
jace_call_p.is_high = lambda *avals, **params: False


def bind(closed: ClosedJaxpr, operands: Sequence[Any], *, name: str, settings: Settings) -> list[Any]:
    """Bind a closed jaxpr, its constants hoisted to operands.

    Args:
        closed: the program.
        operands: one value an input of `closed`.
        name: what the call is named in jaxprs and errors.
        settings: how it is compiled, the rules in force among them.
    Returns:
        One value an output.
    """
    hoisted, leading = hoist(closed)
    return jace_call_p.bind(*leading, *operands, jaxpr=hoisted, name=name, settings=settings)


def bind_with_state(closed: ClosedJaxpr, operands: Sequence[Any], **params: Any) -> list[Any]:
    """Bind a closed jaxpr that may read and write refs (`jax.new_ref`), given as operands or closed over.

    jace_call works on values: the refs' contents go in, their final values come out and are written back.
    """
    closed, operands = ir.refs_as_operands(closed, operands)
    if not any(map(ir.is_ref, closed.in_avals)):
        return bind(closed, operands, **params)
    pure = ir.on_values(closed)
    values = [x[...] if ir.is_ref(a) else x for x, a in zip(operands, closed.in_avals, strict=True)]
    outs = bind(pure.closed, values, **params)
    proper = len(outs) - len(pure.written)
    for position, final in zip(pure.written, outs[proper:], strict=True):
        operands[position][...] = final
    return outs[:proper]


def hoist(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[Any]]:
    """`closed` with its large constants as leading inputs, and their values.

    Small concrete constants stay: the translator folds them (indices of a gather, say). The same object is
    answered for the same object.
    """
    inner = _hoisted(closed)
    return inner, [c for c in closed.consts if not is_small(c)]


@weakref_lru_cache
def without_dead_code(
    closed: ClosedJaxpr, used: tuple[bool, ...], keep_inputs: bool = False
) -> tuple[ClosedJaxpr, list[bool]]:
    """`closed` without what the outputs that are used do not need, and which of its inputs are left.

    As JAX makes it of each call that it lowers. The same object is answered for the same object.
    """
    alive, used_in = pe.dce_jaxpr(closed.jaxpr, used, instantiate=keep_inputs)
    return ClosedJaxpr(alive, closed.consts), used_in


def is_small(const: Any) -> bool:
    """Whether a constant is compiled in, and not an operand: few elements, and a value that is known."""
    if isinstance(const, core.Tracer) or jax_internals.is_key_dtype(getattr(const, "dtype", None)):
        return False
    return np.size(const) <= _SMALL_CONSTANT


@weakref_lru_cache
def _hoisted(closed: ClosedJaxpr) -> ClosedJaxpr:
    moved = [not is_small(c) for c in closed.consts]
    return ir.consts_as_inputs(closed, moved) if any(moved) else closed


@jace_call_p.def_effectful_abstract_eval
def _abstract_eval(*operands: Any, jaxpr: ClosedJaxpr, **_: Any) -> tuple[list[Any], Any]:
    return list(jaxpr.out_avals), effects(jaxpr)


def effects(jaxpr: ClosedJaxpr) -> set[Any]:
    """The effects of a jace_call: refs and boxes that live inside of its jaxpr are nobody else's affair."""
    return {e for e in jaxpr.effects if not jax_internals.is_private_effect(e)}


jace_call_p.def_impl(partial(dispatch.apply_primitive, jace_call_p))


def keep(values: Sequence[Any], chosen: Sequence[bool]) -> list[Any]:
    """The values that are chosen."""
    return [v for v, k in zip(values, chosen, strict=True) if k]
