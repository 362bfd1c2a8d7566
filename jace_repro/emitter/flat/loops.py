"""Loops and branches as calls of `lax.scan`, `lax.while_loop`, `lax.cond` and `lax.switch`.

Where JAX traces such a call to the very same equation, that is; see `retracing`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jax import lax
from jax.extend.core import JaxprEqn, Literal

from jace import ir
from jace_repro.emitter.core import grouping, syntax
from jace_repro.emitter.flat.retracing import grouped, retraced, returning
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter, writes, writes_pair


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
        body = functools.partial(grouped(loop.body, 2, results), *consts)
        return lax.scan(body, grouping.value(carry), grouping.value(rows), **options)

    if retraced([eqn], eqn.invars, args, call) is None:
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
        condition = functools.partial(grouped(loop.condition, 1, (1,)), *of_condition)
        body = functools.partial(grouped(loop.body, 1, carried), *of_body)
        return lax.while_loop(condition, body, grouping.value(carry))

    if not carry or retraced([eqn], eqn.invars, args, call) is None:
        return None
    condition = writer.grouped(loop.condition, "cond", {"carry": len(carry)}, (1,))
    body = writer.grouped(loop.body, "body", {"carry": len(carry)}, carried)
    functions = [_with(writer, condition, of_condition), _with(writer, body, of_body)]
    return EquationCall(writer.script.lax("while_loop"), [*functions, grouping.text(carry)], False, carried)


@writes_pair("convert_element_type", "cond")
def _cond(
    writer: JaxprWriter, convert: JaxprEqn, eqn: JaxprEqn, of_convert: list[str], args: list[str]
) -> EquationCall | None:
    """A branch on a boolean, which the call converts."""
    branches = eqn.params["branches"]
    if len(branches) != 2:
        return None
    functions = [returning(branch) for branch in branches]

    def call(predicate: Any, *operands: Any) -> Any:
        return lax.cond(predicate, functions[1], functions[0], *operands)

    return _branching(writer, "cond", [convert, eqn], convert.invars[0], [*of_convert, *args], call)


@writes_pair("clamp", "cond")
def _switch(
    writer: JaxprWriter, clamp: JaxprEqn, eqn: JaxprEqn, of_clamp: list[str], args: list[str]
) -> EquationCall | None:
    """A branch on a number, which the call clamps."""
    functions = [returning(branch) for branch in eqn.params["branches"]]

    def call(index: Any, *operands: Any) -> Any:
        return lax.switch(index, functions, *operands)

    return _branching(writer, "switch", [clamp, eqn], clamp.invars[1], [of_clamp[1], *args], call)


def _branching(
    writer: JaxprWriter,
    name: str,
    eqns: Sequence[JaxprEqn],
    index: Any,
    texts: list[str],
    call: Callable[..., Any],
) -> EquationCall | None:
    """A call of `lax.cond` or `lax.switch`, whose first operand is `index`."""
    if isinstance(index, Literal):  # JAX would take the branch while it traces
        return None
    results = retraced(eqns, [index, *eqns[-1].invars[1:]], texts, call)
    if results is None:
        return None
    branches = eqns[-1].params["branches"]
    if name == "cond":
        chosen = [writer.function(branch, "branch") for branch in reversed(branches)]
    else:
        chosen = [syntax.list_of([writer.function(branch, "branch") for branch in branches])]
    arguments = [texts[0], *chosen, *texts[1:]]
    return EquationCall(writer.script.lax(name), arguments, not isinstance(results, tuple))


def _with(writer: JaxprWriter, function: str, consts: Sequence[str]) -> str:
    """A function of the script with its first arguments."""
    if not consts:
        return function
    return (
        f"{writer.script.import_('import functools', 'functools')}.partial({', '.join([function, *consts])})"
    )
