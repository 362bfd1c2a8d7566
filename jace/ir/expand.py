"""Expanding primitives through JAX's own Python: the generic fallback and the PRNG primitives.

A primitive whose CPU lowering is `mlir.lower_fun(fun)` is `fun` traced; a `random_*` primitive is its PRNG
implementation traced over the keys' uint32 base arrays. Data movement on key arrays is the same movement mapped
over the trailing axis of the base array.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import jax_internals as internals
from jace.ir.annotations import expand_annotation, is_annotation
from jace.ir.collectives import expand_collective, is_collective
from jace.ir.collectives import why_not as why_no_collective
from jace.ir.core import walk
from jace.ir.rewrite import Splice
from jace.ir.sparse import expand_sparse
from jace.ir.state import expand_run_state
from jace.ir.trace import remember, trace_on


@remember
def expand_lower_fun(eqn: JaxprEqn) -> ClosedJaxpr | None:
    """The jaxpr behind a primitive lowered by `mlir.lower_fun`, or None when it is lowered otherwise.

    None too when the function cannot be traced here (`why_not_expanded` tells), or is no help: its trace holds the
    equation itself.
    """
    found = internals.lower_fun_of(eqn.primitive)
    if found is None or eqn.effects:
        return None
    try:
        closed = trace_on(functools.partial(found[0], **eqn.params), eqn, physical=False)
    except Exception:  # a stranger's function: whatever it raises, the equation has no expansion
        return None
    if any(_is_same(inner, eqn) for _, inner in walk(closed)):
        return None
    return internals.discharge_refs(closed)


def why_not_expanded(eqn: JaxprEqn) -> str | None:
    """Why an equation that is lowered by `mlir.lower_fun` has no expansion; None if it is lowered otherwise."""
    found = internals.lower_fun_of(eqn.primitive)
    if found is None:
        return None
    try:
        trace_on(functools.partial(found[0], **eqn.params), eqn, physical=False)
    except Exception as error:
        return f"its lowering cannot be traced: {type(error).__name__}: {str(error).splitlines()[0]}"
    return None


def why_not(eqn: JaxprEqn) -> str | None:
    """Why an equation without a rule cannot be expanded, if there is more to say than that nobody knows it."""
    return why_no_collective(eqn) or why_not_expanded(eqn)


def _is_same(inner: JaxprEqn, outer: JaxprEqn) -> bool:
    return inner.primitive is outer.primitive and [v.aval for v in inner.invars] == [
        v.aval for v in outer.invars
    ]


def expand_unruled(eqn: JaxprEqn) -> Splice | None:
    """What takes the place of an equation that is no call and has no rule, or None when nothing is known."""
    found = expand_annotation(eqn) or expand_collective(eqn) or expand_run_state(eqn) or expand_sparse(eqn)
    if found is not None:
        return found
    body = expand_lower_fun(eqn)
    return Splice(body, eqn.invars) if body is not None else None


def _seed(eqn: JaxprEqn) -> Callable[..., Any]:
    p = eqn.params
    return lambda seeds: internals.random_seed_base(seeds, impl=p["impl"])


def _split(eqn: JaxprEqn) -> Callable[..., Any]:
    aval = eqn.invars[0].aval
    return lambda keys: internals.random_split_base(
        aval.dtype._impl, keys, aval.ndim, shape=eqn.params["shape"]
    )


def _fold_in(eqn: JaxprEqn) -> Callable[..., Any]:
    aval = eqn.invars[0].aval
    return lambda keys, msgs: internals.random_fold_in_base(aval.dtype._impl, keys, msgs, aval.shape)


def _bits(eqn: JaxprEqn) -> Callable[..., Any]:
    aval, p = eqn.invars[0].aval, eqn.params
    return lambda keys: internals.random_bits_base(
        aval.dtype._impl, keys, aval.ndim, bit_width=p["bit_width"], shape=p["shape"]
    )


RANDOM: dict[str, Callable[[JaxprEqn], Callable[..., Any]]] = {
    "random_seed": _seed,
    "random_split": _split,
    "random_fold_in": _fold_in,
    "random_bits": _bits,
    "random_wrap": lambda eqn: lambda bits: bits,
    "random_unwrap": lambda eqn: lambda keys: keys,
}


#: Keys are equal when all their words are.
_COMPARE: dict[str, Callable[..., Any]] = {
    "eq": lambda a, b: (a == b).all(-1),
    "ne": lambda a, b: (a != b).any(-1),
}


def expand_random(eqn: JaxprEqn) -> Splice | None:
    """What a primitive on typed PRNG keys does to their base arrays, or None when no key is involved."""
    if eqn.primitive.name not in RANDOM and not any(map(_is_keyed, eqn.invars)):
        return None
    body = _random_body(eqn)
    return Splice(body, eqn.invars) if body is not None else None


def _is_keyed(atom: Any) -> bool:
    return internals.is_key_dtype(getattr(atom.aval, "dtype", None))


@remember
def _random_body(eqn: JaxprEqn) -> ClosedJaxpr | None:
    name = eqn.primitive.name
    if name in RANDOM:
        return trace_on(RANDOM[name](eqn), eqn)
    if any(isinstance(v, ClosedJaxpr) for v in _flat_params(eqn)):
        return None  # control flow: its bodies are rewritten instead
    if is_annotation(eqn) or is_collective(eqn):
        return None  # the same on keys as on arrays
    if internals.lower_fun_of(eqn.primitive) is not None:
        return None
    if name in _COMPARE:
        return trace_on(_COMPARE[name], eqn)
    mapped = jax.vmap(
        lambda *xs: eqn.primitive.bind(*xs, **eqn.params),
        in_axes=tuple(-1 if _is_keyed(v) else None for v in eqn.invars),
        out_axes=-1,
    )
    return trace_on(mapped, eqn)


def _flat_params(eqn: JaxprEqn) -> list[Any]:
    flat: list[Any] = []
    for value in eqn.params.values():
        flat.extend(value if isinstance(value, tuple | list) else (value,))
    return flat
