"""Annotations: equations that compute nothing. One line a primitive, in two tables.

A sharding, a name, a cast of a type that only JAX's type checker knows is dropped: the outputs are the operands.
Tokens and sinks only order or keep what is there already.
"""

from __future__ import annotations

from jax.extend.core import JaxprEqn, Literal, Var

from jace.ir.core import Atom, make_closed
from jace.ir.rewrite import Splice
from jace.jax_internals import ShapedArray, plain_aval

#: Annotations, with the position of the operand that is the first output; further outputs follow it.
ALIASES: dict[str, int] = {
    "from_edtype": 0,
    "global_array_to_host_local_array": 0,
    "host_local_array_to_global_array": 0,
    "layout_constraint": 0,
    "mesh_cast": 0,
    "pin": 0,
    "random_clone": 0,
    "relayout": 0,
    "reshard": 0,
    "shard_alike": 0,
    "sharding_constraint": 0,
    "stage": 0,
    "tie": 1,
    "to_edtype": 0,
    "unpin": 0,
    "xla_metadata_value": 0,
}

#: Tokens only order effects; those of a pure program go away. `dce_sink` keeps a value alive that nobody reads.
TOKENS = frozenset({"after_all", "create_token", "dce_sink"})


def is_annotation(eqn: JaxprEqn) -> bool:
    """Whether the equation is dropped."""
    return eqn.primitive.name in ALIASES or eqn.primitive.name in TOKENS


def alias(eqn: JaxprEqn, first: int = 0) -> Splice:
    """Operands, from the one at `first` on, in the place of the outputs."""
    inner = [Var(plain_aval(v.aval)) for v in eqn.invars]
    return Splice(make_closed(inner, inner[first : first + len(eqn.outvars)], []), eqn.invars)


def expand_annotation(eqn: JaxprEqn) -> Splice | None:
    """What is left of an equation without the annotation that it makes, or None when it makes none."""
    name = eqn.primitive.name
    if name in ALIASES:
        return alias(eqn, ALIASES[name])
    if name in TOKENS:
        outs: list[Atom] = [Literal(False, ShapedArray((), bool)) for _ in eqn.outvars]
        return Splice(make_closed([], outs, []), ())
    return None
