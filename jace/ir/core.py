"""Walking and building jaxprs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, TypeAlias

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.jax_internals import DebugInfo, ShapedArray, user_frame
from jace.releases import scans
from jace.releases.effects import effects_of_body

Atom: TypeAlias = Var | Literal

#: Debug information of jaxprs that no user function stands behind.
UNNAMED = DebugInfo("jace", "<jaxpr>", None, None)

#: Parameters that hold the body of a call: its equations count, the call itself does not.
CALL_PRIMITIVES = frozenset(
    {
        "jit",
        "closed_call",
        "core_call",
        "call",
        "custom_jvp_call",
        "custom_vjp_call",
        "checkpoint",
        "remat2",
        "remat_opt",
        "custom_linear_solve",
        "custom_partitioning",
        "custom_vmap_call",
        "linear_call",
        "composite",
        "compute_on",
        "fused_call",
        "eval_jaxpr",
        "jace_call",
        "program_order",
        "shard_map",
    }
)


def open_jaxpr(jaxpr: ClosedJaxpr | Jaxpr) -> Jaxpr:
    """The open jaxpr of a closed or open one."""
    return jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr


def sub_jaxprs(eqn: JaxprEqn) -> dict[str, list[ClosedJaxpr | Jaxpr]]:
    """The jaxprs among an equation's parameters, by parameter name (a cond has a list of branches)."""
    found: dict[str, list[ClosedJaxpr | Jaxpr]] = {}
    for name, value in eqn.params.items():
        values = value if isinstance(value, tuple | list) else (value,)
        inner = [v for v in values if isinstance(v, ClosedJaxpr | Jaxpr)]
        if inner:
            found[name] = inner
    return found


def inner_jaxprs(eqn: JaxprEqn) -> Iterator[ClosedJaxpr | Jaxpr]:
    """The jaxprs among an equation's parameters."""
    return (sub for subs in sub_jaxprs(eqn).values() for sub in subs)


def walk(
    jaxpr: ClosedJaxpr | Jaxpr, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], JaxprEqn]]:
    """All equations, depth first; `path` is the chain of "primitive.param" that leads to the equation."""
    for eqn in open_jaxpr(jaxpr).eqns:
        yield path, eqn
        for name, inner in sub_jaxprs(eqn).items():
            for sub in inner:
                yield from walk(sub, (*path, f"{eqn.primitive.name}.{name}"))


def primitives(jaxpr: ClosedJaxpr | Jaxpr) -> dict[str, int]:
    """How often each primitive occurs, bodies included, calls themselves excluded."""
    names = (eqn.primitive.name for _, eqn in walk(jaxpr))
    return dict(sorted(Counter(name for name in names if name not in CALL_PRIMITIVES).items()))


def count_equations(jaxpr: ClosedJaxpr | Jaxpr) -> int:
    """Number of equations, bodies included, calls themselves excluded."""
    return sum(primitives(jaxpr).values())


def dtypes(jaxpr: ClosedJaxpr | Jaxpr) -> set[Any]:
    """Those of the arrays that are constants, inputs and results, bodies included."""
    opened = open_jaxpr(jaxpr)
    results = (v for _, eqn in walk(opened) for v in eqn.outvars)
    bodies = (open_jaxpr(inner) for _, eqn in walk(opened) for inner in inner_jaxprs(eqn))
    inputs = (v for one in (opened, *bodies) for v in (*one.constvars, *one.invars))
    return {v.aval.dtype for v in (*inputs, *results) if isinstance(v.aval, ShapedArray)}


def source_of(eqn: JaxprEqn) -> str:
    """The user's frame that made the equation as "file:line (function)", "" if unknown."""
    frame = user_frame(eqn.source_info.traceback)
    return f"{frame.file_name}:{frame.start_line} ({frame.function_name})" if frame else ""


def describe(eqn: JaxprEqn) -> str:
    """One line: outputs, primitive, parameters (bodies elided) and operand types."""

    def short(value: Any) -> str:
        text = f"<{type(value).__name__}>" if isinstance(value, ClosedJaxpr | Jaxpr) else repr(value)
        text = " ".join(text.split())
        return text if len(text) <= 80 else text[:77] + "..."

    params = ", ".join(f"{k}={short(v)}" for k, v in scans.plain(eqn.params).items())
    outs = ", ".join(v.aval.str_short(short_dtypes=True) for v in eqn.outvars)
    ins = ", ".join(
        str(np.asarray(v.val)) if isinstance(v, Literal) else v.aval.str_short(short_dtypes=True)
        for v in eqn.invars
    )
    return f"{outs} = {eqn.primitive.name}[{params}]({ins})"


def map_bodies(params: Mapping[str, Any], fun: Callable[[ClosedJaxpr], ClosedJaxpr]) -> dict[str, Any]:
    """Parameters of an equation with `fun` applied to every closed jaxpr among them, tuples kept as they are."""

    def rebuild(value: Any) -> Any:
        if isinstance(value, ClosedJaxpr):
            return fun(value)
        if isinstance(value, tuple) and any(isinstance(v, ClosedJaxpr) for v in value):
            items = map(rebuild, value)
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return value

    return {name: rebuild(value) for name, value in params.items()}


def consts_as_inputs(closed: ClosedJaxpr, moved: Sequence[bool]) -> ClosedJaxpr:
    """A program with some of its constants, by position, as leading inputs."""
    jaxpr = closed.jaxpr
    stays = [not one for one in moved]
    consts = list(compress(jaxpr.constvars, stays))
    invars = [*compress(jaxpr.constvars, moved), *jaxpr.invars]
    debug = jaxpr.debug_info
    if debug.arg_names is not None:
        debug = debug._replace(arg_names=("",) * sum(moved) + tuple(debug.arg_names))
    effects = effects_of_body([*consts, *invars], jaxpr.eqns)
    made = jaxpr.replace(constvars=consts, invars=invars, effects=effects, debug_info=debug)
    return ClosedJaxpr(made, list(compress(closed.consts, stays)))


def make_closed(
    invars: Sequence[Var],
    outvars: Sequence[Atom],
    eqns: Sequence[JaxprEqn],
    consts: Mapping[Var, Any] | None = None,
) -> ClosedJaxpr:
    """A closed jaxpr from its parts; `consts` become constvars."""
    consts = dict(consts or {})
    effects = effects_of_body([*consts, *invars], eqns)
    high = any(eqn.primitive.is_high(*(v.aval for v in eqn.invars), **eqn.params) for eqn in eqns)
    jaxpr = Jaxpr(
        list(consts), list(invars), list(outvars), list(eqns), effects, debug_info=UNNAMED, is_high=high
    )
    return ClosedJaxpr(jaxpr, list(consts.values()))
