"""Python callbacks of a program: a script has what they returned, not their code.

What a callback returned while the program was recorded, its log, is a table in the script; without it the callback is
a stub that raises. Callbacks that only look at values do nothing; `jax.debug.print` prints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Var

from jace import ir
from jace_repro.emitter.core import layout, literals, operands, params, stubs, syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter, bind, writes

_var: Any = Var


@writes("pure_callback", "io_callback")
def _callback(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    """A callback whose results the program uses."""
    script, callback = writer.script, eqn.params["callback"]
    done = writer.callbacks.get(id(callback.callback_func))
    if done is None:
        done = (callback.callback_func, _logged(writer, eqn))
        writer.callbacks[id(callback.callback_func)] = done
    try:
        tree = params.param(script, callback.in_tree, params.no_jaxpr)
    except EmitError as error:
        flat = jax.tree.structure((tuple(args), {}))
        tree = params.param(script, flat, params.no_jaxpr)
        note = f"a Python callback takes its arguments one by one in the script, not in {error}"
        writer.replace(eqn, _with_callback(eqn, dataclasses.replace(callback, in_tree=flat)), note)
    wrapped = f"callback={script.attribute(type(callback))}({done[1]}, {tree})"
    return bind(script, eqn, [*args, wrapped, *writer.params(eqn, frozenset({"callback"}))])


def _with_callback(eqn: JaxprEqn, callback: Any) -> ClosedJaxpr:
    """The equation by itself, with another callback."""
    given = [_var(v.aval) for v in eqn.invars]
    results = [_var(v.aval) for v in eqn.outvars]
    params_ = {**eqn.params, "callback": callback}
    return ir.make_closed(given, results, [eqn.replace(invars=given, outvars=results, params=params_)])


def _logged(writer: JaxprWriter, eqn: JaxprEqn) -> str:
    """An expression for the function in a callback's place."""
    script, callback = writer.script, eqn.params["callback"]
    what = f"{eqn.primitive.name} {_place(callback.callback_func)}"
    recorded = getattr(callback.callback_func, "recorded", None)  # the program is itself a script's
    if recorded is not None:
        what, ordered, tables = recorded
        tables = [(*table, ())[:3] for table in tables]  # scripts of earlier releases have no arguments
    else:
        ordered, known = bool(eqn.params.get("ordered")), None
        if writer.callback_log is not None:
            known = writer.callback_log.tables(callback, ordered)
        if known is None:
            script.notes.append(f"unknown: the answers of {what} were not recorded")
            return stubs.unknown(script, what)
        tables = [(table.keys, table.results, table.arguments) for table in known]
    written = [
        f"({_array(script, keys)}, {', '.join(_arrays(script, values) for values in values_of)})"
        for keys, *values_of in tables
    ]
    helper = script.use("answers")
    items = [literals.string(what), repr(ordered), *written]
    inner = [f"    {line}" for item in items for line in layout.broken(item, 4)]
    return script.constant(what.split()[1], "\n".join([f"{helper}(", *inner, ")"]))


def _array(script: Script, value: np.ndarray) -> str:
    return operands.array(script, value, f"answers{len(script.arrays)}")


def _arrays(script: Script, values: Sequence[np.ndarray]) -> str:
    return syntax.list_of(_array(script, value) for value in values)


def _place(function: Callable[..., Any]) -> str:
    """A function's name and where it is defined."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__qualname__).rpartition("<locals>.")[2]
    return f"{name} ({PurePath(code.co_filename).name}:{code.co_firstlineno})" if code else name


@writes("debug_callback")
def _debug_callback(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    """A callback that only looks: one that does nothing in its place."""
    callback = f"callback={stubs.idle_callback(writer.script, eqn.primitive.name)}"
    return bind(writer.script, eqn, [*args, callback, *writer.params(eqn, frozenset({"callback"}))])


@writes("debug_print")
def _debug_print(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    """jax.debug.print; objects of the program's own classes among its arguments as the text they print as."""
    script = writer.script
    given = []
    for position, value in eqn.params["static_args"]:
        try:
            text = params.param(script, value, params.no_jaxpr)
        except EmitError as error:
            script.notes.append(f"an argument of a debug_print is its text in the script: {error}")
            text = literals.string(str(value))
        given.append(f"({position}, {text})")
    static = f"static_args={syntax.tuple_of(given)}"
    try:
        written = writer.params(eqn, frozenset({"static_args"}))
    except EmitError as error:
        raise EmitError(f"a debug_print: {error}") from error
    return bind(script, eqn, [*args, static, *written])
