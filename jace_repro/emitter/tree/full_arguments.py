"""The arguments of a failing call as source: nothing is abbreviated, and arrays stand where they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.core import operands
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import JaxprWriter
from jace_repro.emitter.tree.arguments import ArgumentWriter
from jace_repro.emitter.tree.pathed import on_containers
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.inspect import data_of
from jace_repro.trace.model import Body, Function


class FullArguments(ArgumentWriter):
    """Writes what stands in the arguments of a call that raises; the functions among them are jaxprs."""

    def __init__(self, script: Script, flat: JaxprWriter, containers: bool) -> None:
        super().__init__(script, set(), self._traced_function)
        self.flat, self.containers = flat, containers

    def value(self, value: Any, scope: Scope, bodies: Mapping[int, Body]) -> str:
        """An argument as source, with tokens for traced values. Raises EmitError for what has none."""
        if isinstance(value, jax.Array):
            value = data_of(value, value.aval)
        if isinstance(value, np.ndarray | jax.Array):
            return operands.array(self.script, value, f"v{len(self.script.arrays)}")
        if isinstance(value, type) and hasattr(value, "dtype"):
            return self.script.dtype(np.dtype(value))
        return repr(value) if value is Ellipsis else super().value(value, scope, bodies)

    def index_item(self, value: Any, scope: Scope) -> str:
        """One item between the brackets of x[...]: slice(a, b, c)."""
        return self.value(value, scope, {})

    def public(self, name: str) -> str:
        """An expression for an importable public function: jax.numpy.linalg.norm."""
        module = name.rpartition(".")[0]
        if not module.startswith("jax.numpy."):
            return super().public(name)
        self.script.imports.add(f"import {module}")
        return name

    def jaxpr(self, jaxpr: Any) -> str:
        """An expression for a jaxpr among the parameters of a primitive."""
        return self.flat.traced(jaxpr, "body")

    def _traced_function(self, function: Function, scope: Scope, bodies: Mapping[int, Body]) -> str:
        if function.body is None:
            raise EmitError(f"the function {function.name}, which was not traced")
        jaxpr = function.body.jaxpr
        written = on_containers(self.flat, jaxpr, function.name) if self.containers else None
        return written or self.flat.function(jaxpr, function.name)
