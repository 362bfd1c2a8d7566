"""A script that dies while being traced, as the recorded program did.

What goes in is a `TraceFailure`: the functions that were being traced, outermost first, the equations of each so far,
and the calls that may be the one that raised. What comes out has one function for each, in which the next one is
traced on operands of the recorded types; the innermost makes the failing call. Candidates are tried in turn, and the
first that raises the recorded error is kept.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import jax

from jace_repro.emitter.core import avals, literals, operands
from jace_repro.emitter.core.assembly import assemble
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import variable_names
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import JaxprWriter, Names
from jace_repro.emitter.tree.full_arguments import FullArguments
from jace_repro.emitter.tree.operators import method
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.repro import Header, Repro
from jace_repro.trace.failure import TraceFailure, kind_and_name, unwritable
from jace_repro.trace.frames import line_of
from jace_repro.trace.inspect import zeros
from jace_repro.trace.model import Applied, Bound, Method, Operation, Public, Step, Traced, Tracing, values


def emit_failure(failure: TraceFailure, *, header: Header) -> Repro:
    """The script of a program that raised while being traced.

    The header's `expected_error` is set to the recorded exception. When no candidate raises it in this
    process, the script makes the first call that can be written, and a note says so.

    Raises:
        EmitError: none of the candidates can be written as source.
    """
    header = replace(header, expected_error=failure.exception, fingerprint=None, outputs_sha256=None)
    problems: list[str] = []
    written: list[tuple[Repro, str]] = []
    for step, on_containers in itertools.product(failure.candidates, (True, False)):
        try:
            repro = _write(failure, step, header, on_containers)
        except EmitError as error:
            problems.append(f"{kind_and_name(step)[1]}: {error}")
            continue
        raised = _raised(repro)
        if raised == (_last_name(failure.exception), _first_line(failure.message)):
            return repro
        written.append((repro, raised[0]))
    for repro, kind in written:
        if kind == _last_name(failure.exception):
            return repro
    if not written:
        raise EmitError(
            "no failing call can be written as source: " + "; ".join(problems or ["none is known"])
        )
    repro, kind = written[0]
    note = f"unconfirmed: the script raises {kind or 'nothing'}, the program raised {failure.exception}"
    return replace(repro, header=replace(repro.header, notes=(*repro.header.notes, note)))


def _raised(repro: Repro) -> tuple[str, str]:
    """(type name, first line of the message) of what tracing the script raises, ("", "") when nothing."""
    with repro.configured(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            jax.make_jaxpr(repro.load_function())(*repro.load_inputs())
        except Exception as error:
            return type(error).__name__, _first_line(str(error))
    return "", ""


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _last_name(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _write(failure: TraceFailure, step: Step, header: Header, on_containers: bool) -> Repro:
    """The script with this candidate for the failing call.  Raises EmitError when that has no source.

    `on_containers`: functions take and return containers, where JAX's names of their arguments tell which; those of
    `*args` tell the same of a tuple.
    """
    script = Script.configured(header.jax_config)
    lines, taken, names = _Writer(script, step, failure.exception, on_containers).body(failure.open)
    values = list(failure.inputs[: len(failure.body.args) if failure.body is not None else 0])
    values += [_any_value(operand.aval) for operand in taken[len(values) :]]
    leaves = []
    for i, (value, operand, name) in enumerate(zip(values, taken, names, strict=True)):
        aval = operand.aval
        leaves.append(
            (operands.leaf(script, value, _type(aval), f"x{i}"), f"{name}: {aval.dtype}{list(aval.shape)}")
        )
    return assemble(script, header, leaves, names, lines)


def _type(aval: Any) -> Any:
    """A type without its sharding: what a script dies of are shapes and dtypes."""
    return jax.core.ShapedArray(aval.shape, aval.dtype, aval.weak_type)


def _any_value(aval: Any) -> Any:
    """A value of a type: zeros, or distinct keys."""
    if not literals.is_key(aval):
        return zeros(aval)
    key = jax.random.key(0, impl=literals.key_impl(aval.dtype))
    return jax.random.split(key, math.prod(aval.shape)).reshape(aval.shape)


class _Writer:
    """Writes the functions that were being traced, down to one failing call."""

    def __init__(self, script: Script, failing: Step, exception: str, on_containers: bool) -> None:
        self.script = script
        self.failing = failing
        self.exception = exception
        self.flat = JaxprWriter(script)
        self.arguments = FullArguments(script, self.flat, on_containers)

    def body(self, calls: Sequence[Step]) -> tuple[list[str], list[Traced], list[str]]:
        """Lines of the function that the first of the open calls traced, the values it takes, and their names."""
        body, nested = _tracing(calls[0]).body, calls[1:]
        args, results = (body.args, body.result) if body is not None else ((), ())
        extra = [] if nested else [v for v in _operands(self.failing) if v not in args and v not in results]
        texts: dict[int, str] = {}

        def ending(names: Names, outs: list[str]) -> list[str]:
            if body is not None:
                invars = body.jaxpr.jaxpr.invars
                texts.update((value.id, names[v]) for value, v in zip(args, invars, strict=True))
                texts.update((value.id, out) for value, out in zip(results, outs, strict=True))
            fresh = variable_names(names.values())
            texts.update((value.id, next(fresh)) for value in extra)
            return self._traced(nested) if nested else self._failing(texts)

        if body is None:
            lines = ending({}, [])
        else:
            lines, _ = self.flat.body(body.jaxpr.jaxpr, body.jaxpr.consts, ending)
        taken = [*args, *extra]
        return lines, taken, [texts.get(value.id, "_") for value in taken]

    def _traced(self, calls: Sequence[Step]) -> list[str]:
        """Tracing the next function on operands of the recorded types."""
        tracing = _tracing(calls[0])
        assert tracing.body is not None
        lines, taken, names = self.body(calls)
        name = self.script.define(tracing.body.function.name, "", ", ".join(names), lines)
        types = [avals.shape_dtype(self.script, _type(operand.aval)) for operand in taken]
        where = ", ".join(filter(None, (f"traced by {tracing.api}", _place(calls[0].line))))
        return [f"return {self.script.use('J')}({', '.join([name, *types])})  # {where}"]

    def _failing(self, names: Mapping[int, str]) -> list[str]:
        scope = Scope(set(), set(), dict(names))
        where = ", ".join(filter(None, (f"raises {self.exception}", _place(self.failing.line))))
        return [f"return {scope.resolved(self._call(self.failing, scope))}  # {where}"]

    def _call(self, step: Step, scope: Scope) -> str:
        """The failing call, with tokens for values."""
        if (reason := unwritable(step)) is not None:
            raise EmitError(reason)
        operation = step.operation
        if isinstance(operation, Bound):
            params = dict(sorted(operation.params.items()))
            given = self.arguments.given(step.args, params, scope, {})
            return f"{self.script.primitive(operation.primitive)}.bind({given})"
        if isinstance(operation, Method):
            return method(self.arguments, operation.name, step, scope)[0]
        called = self._callee(operation, scope)
        return f"{called}({self.arguments.given(step.args, step.kwargs, scope, {})})"

    def _callee(self, operation: Operation, scope: Scope) -> str:
        """A public function, or what one returned."""
        if isinstance(operation, Applied):
            made = operation.made
            given = self.arguments.given(made.args, made.kwargs, scope, {})
            return f"{self._callee(made.operation, scope)}({given})"
        assert isinstance(operation, Public)
        return self.arguments.public(operation.name)


def _tracing(step: Step) -> Tracing:
    assert isinstance(step.operation, Tracing)
    return step.operation


def _operands(step: Step) -> list[Traced]:
    """The traced values that a call takes, each once."""
    found = values((step.args, tuple(step.kwargs.values())))
    return list(dict.fromkeys(v for v in found if isinstance(v, Traced)))


def _place(source: str) -> str:
    """FILE:LINE of "path/FILE:LINE (function)"."""
    return PurePath(line_of(source)).name
