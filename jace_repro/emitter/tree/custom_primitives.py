"""Primitives that are not JAX's in a script: which runs of their rules belong to an equation, and their definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn
from jax.interpreters import ad

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.trace.custom_primitives import Run, has_run, runs_of
from jace_repro.trace.model import Body, Traced

#: What a rule is for: "jvp" and which tangents are zero; "transpose", which cotangents are zero and which operands
#: are linear; "batch" and the mapped dimensions.
Case = tuple[Any, ...]


def custom_primitive(writer: FunctionWriter, eqn: JaxprEqn, expanded: ClosedJaxpr) -> str | None:
    """The name of a primitive of a library with its rules, which may bind it themselves.

    `expanded` is what it computes.
    None when no rule of it ever ran: then nothing was transformed, and what it computes may stand in its place.

    Raises:
        EmitError: a rule uses values of a function around it.
    """
    if not has_run(eqn.primitive):
        return None
    rules = rules_of(eqn)
    operands = (v.aval for v in eqn.invars)
    key = (eqn.primitive, *map(id, eqn.params.values()), *operands, *map(id, rules.values()))
    if key in writer.custom_primitives:
        return writer.custom_primitives[key][1]
    head = f"@{writer.script.use('primitive')}"
    if eqn.primitive.multiple_results:
        writer.script.imports.add("import functools")
        head = "@functools.partial(primitive, several=True)"
    names = ", ".join(f"x{i}" for i in range(len(eqn.invars)))
    inner = writer.jaxprs.function(expanded, f"{eqn.primitive.name}_impl")
    name = writer.define(eqn.primitive.name, head, names, [f"return {inner}({names})"], again=True)
    writer.custom_primitives[key] = eqn, name
    for case, rule in rules.items():
        if writer.uses.free(rule):
            raise EmitError(f"the {case[0]} rule of {eqn.primitive.name} uses values of a function around it")
        text = writer.module_function(rule)
        place = ", ".join((f'"{case[0]}"', *map(repr, case[1:])))
        writer.script.definitions.append(f"{name}.rules[{place}] = {text}\n")
    return name


def rules_of(eqn: JaxprEqn) -> dict[Case, Body]:
    """How the rules ran last on operands like those of an equation, by what they were for."""
    wanted = [_type(v.aval) for v in eqn.invars]
    found: dict[Case, Body] = {}
    for run in runs_of(eqn.primitive, eqn.params):
        case, operands = _case(run)
        if [_type(_aval(v)) for v in operands] == wanted:
            found.setdefault((run.kind, *case), run.body)
    return found


def _case(run: Run) -> tuple[Case, Sequence[Any]]:
    args = run.body.args
    if run.kind == "jvp":
        primals, tangents = args
        return tuple(isinstance(t, ad.Zero) for t in tangents), primals
    if run.kind == "transpose":
        cotangents, *operands = args
        given = cotangents if isinstance(cotangents, tuple | list) else [cotangents]
        zeros = tuple(isinstance(c, ad.Zero) for c in given)
        return (zeros, *(isinstance(v, ad.UndefinedPrimal) for v in operands)), operands
    _, batched, dims = args
    pairs = zip(batched, dims, strict=True)
    return tuple(dims), [_Mapped(_aval(v), d) for v, d in pairs]


class _Mapped:
    """The type of one element of an operand that is mapped over a dimension."""

    def __init__(self, aval: Any, dim: int | None) -> None:
        shape = tuple(aval.shape)
        self.shape = shape if dim is None else shape[:dim] + shape[dim + 1 :]
        self.dtype = aval.dtype


def _aval(value: Any) -> Any:
    if isinstance(value, Traced | ad.UndefinedPrimal):
        return value.aval
    return value if isinstance(value, _Mapped) else jax.typeof(value)


def _type(aval: Any) -> Any:
    return tuple(aval.shape), aval.dtype
