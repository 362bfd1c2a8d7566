"""Equations with a body that stand as calls of a function of the script: jit, shard_map, reduce."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax.extend.core import JaxprEqn

from jace.releases import inline_of
from jace_repro.emitter.core import grouping, jit, layout, meshes, syntax
from jace_repro.emitter.core.names import identifier
from jace_repro.emitter.flat.retracing import grouped, retraced
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter, bind, writes


@writes("jit")
def _jit(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
    p = eqn.params
    jaxpr = p["jaxpr"]
    same_types = [v.aval for v in eqn.invars] == [v.aval for v in jaxpr.jaxpr.invars]
    if not jit.is_plain(p) or inline_of(p) is not None or not same_types:
        return None
    options: dict[str, Any] = {}
    if any(p["donated_invars"]):
        options["donate_argnums"] = tuple(i for i, donated in enumerate(p["donated_invars"]) if donated)
    if p["keep_unused"]:
        options["keep_unused"] = True
    head = jit.decorator(writer.script, None if identifier(p["name"]) == p["name"] else p["name"], options)
    return EquationCall(writer.function(jaxpr, p["name"], head), args, len(eqn.outvars) == 1)


@writes("reduce")
def _reduce(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    """`lax.reduce`, or the bind with the body's function as the Python function that the equation keeps beside it."""
    half, dimensions = len(args) // 2, tuple(map(int, eqn.params["dimensions"]))

    def call(*operands: Any) -> Any:
        reducer = grouped(eqn.params["jaxpr"], 2, (half,))
        return lax.reduce(
            grouping.value(operands[:half]), grouping.value(operands[half:]), reducer, dimensions
        )

    if retraced([eqn], eqn.invars, args, call) is not None:
        reducer = writer.grouped(eqn.params["jaxpr"], "reducer", {"left": half, "right": half}, (half,))
        groups = [grouping.text(args[:half]), grouping.text(args[half:])]
        return EquationCall(
            writer.script.lax("reduce"), [*groups, reducer, syntax.tuple_of(map(str, dimensions))], half == 1
        )
    computation = writer.function(eqn.params["jaxpr"], "reducer")
    written = writer.params(eqn, frozenset({"computation"}))
    return bind(writer.script, eqn, [*args, f"computation={computation}", *written])


@writes("shard_map")
def _shard_map(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    options = meshes.shard_map_options(writer.script, eqn)
    head = "\n".join(layout.call("", "@jax.shard_map", options, "", 0))
    return EquationCall(writer.function(eqn.params["jaxpr"], "shard", head), args, len(eqn.outvars) == 1)
