"""Loops as calls of `lax.scan` and `lax.while_loop`, where retracing the call gives the very same equation.

Such a script runs on each release of JAX, which group the operands of the equation in ways of their own. Whether the
call gives the equation is tried: JAX finds out by itself what a body takes from outside, in an order of its own, and
takes apart what a loop hands on unchanged.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var, jaxpr_as_fun

from jace import ir
from jace_repro.emitter.core import grouping
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter, writes


@writes("scan")
def _scan(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    loop, unroll = ir.Scan.of(eqn.params), eqn.params["unroll"]
    consts, carry, rows = loop.split(args)
    results = loop.carries, len(eqn.outvars) - loop.carries
    options: dict[str, Any] = {} if rows else {"length": loop.length}
    options |= {"reverse": True} if loop.reverse else {}
    options |= {"unroll": unroll} if unroll != 1 else {}

    def call(*operands: Any) -> Any:
        consts, carry, rows = loop.split(operands)
        body = functools.partial(_grouped(loop.body, 2, results), *consts)
        return lax.scan(body, grouping.value(carry), grouping.value(rows), **options)

    if not _retraces(eqn, consts, call):
        return None
    body = writer.grouped(loop.body, "body", {"carry": len(carry), "rows": len(rows)}, results)
    written = [f"{name}={value}" for name, value in options.items()]
    operands = [_with(writer, body, consts), grouping.text(carry), grouping.text(rows)]
    return EquationCall(writer.script.lax("scan"), [*operands, *written], False, results)


@writes("while")
def _while(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    loop = ir.While.of(eqn.params)
    of_condition, of_body, carry = loop.split(args)
    carried = (len(carry),)

    def call(*operands: Any) -> Any:
        of_condition, of_body, carry = loop.split(operands)
        condition = functools.partial(_grouped(loop.condition, 1, (1,)), *of_condition)
        body = functools.partial(_grouped(loop.body, 1, carried), *of_body)
        return lax.while_loop(condition, body, grouping.value(carry))

    if not carry or not _retraces(eqn, [*of_condition, *of_body], call):
        return None
    condition = writer.grouped(loop.condition, "cond", {"carry": len(carry)}, (1,))
    body = writer.grouped(loop.body, "body", {"carry": len(carry)}, carried)
    functions = [_with(writer, condition, of_condition), _with(writer, body, of_body)]
    return EquationCall(writer.script.lax("while_loop"), [*functions, grouping.text(carry)], False, carried)


def _with(writer: JaxprWriter, function: str, consts: Sequence[str]) -> str:
    """A function of the script with its first arguments."""
    if not consts:
        return function
    return (
        f"{writer.script.import_('import functools', 'functools')}.partial({', '.join([function, *consts])})"
    )


def _grouped(body: ClosedJaxpr, last: int, results: grouping.Sizes) -> Callable[..., Any]:
    """What `JaxprWriter.grouped` writes, as a function: as many `last` arguments are groups."""
    flat = jaxpr_as_fun(body)

    def function(*args: Any) -> Any:
        bare, groups = args[: len(args) - last], args[len(args) - last :]
        outs = [grouping.value(g) for g in grouping.split(flat(*bare, *jax.tree.leaves(groups)), results)]
        return outs[0] if len(outs) == 1 else tuple(outs)

    return function


def _retraces(eqn: JaxprEqn, consts: Sequence[str], call: Callable[..., Any]) -> bool:
    """Whether a call is traced to this equation. `consts` are what the bodies take from outside, as text."""
    if any(text[0].isupper() for text in consts):  # an array of the script: no operand to JAX
        return False
    own: dict[Var, Var] = {v: Var(v.aval) for v in eqn.invars if isinstance(v, Var)}
    outs = [Var(v.aval) for v in eqn.outvars]
    same = eqn.replace(invars=[v if isinstance(v, Literal) else own[v] for v in eqn.invars], outvars=outs)
    wanted = ir.make_closed(list(own.values()), outs, [same])

    def traced(*values: Any) -> Any:
        given = dict(zip(own, values, strict=True))
        return call(*(_value(v) if isinstance(v, Literal) else given[v] for v in eqn.invars))

    avals = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype, weak_type=_weak(v)) for v in own]
    try:
        with eqn.ctx.manager:
            found = jax.make_jaxpr(traced)(*avals)
    except Exception:  # JAX does not take such a body: whatever it raises, the call is not the equation
        return False
    return ir.fingerprint(found) == ir.fingerprint(wanted)


def _weak(atom: Any) -> bool:
    return bool(getattr(atom.aval, "weak_type", False))


def _value(literal: Literal) -> Any:
    """A literal as the script has it."""
    value = np.asarray(literal.val, literal.aval.dtype)
    return value.item() if _weak(literal) else value[()]
