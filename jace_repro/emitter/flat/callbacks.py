"""Python callbacks of a program: a script has their answers, not their code.

What a callback answered while the program was recorded is a table in the script (`answers`); without it the
callback is a stub that raises. Callbacks that only look at values do nothing; `jax.debug.print` prints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Var

from jace import ir
from jace_repro.emitter.core import layout, literals, params
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script

if TYPE_CHECKING:
    from jace_repro.emitter.flat.flat import FlatEmitter

_var: Any = Var
_Written = tuple[str, list[str], bool]


def callback_call(emitter: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> _Written:
    """A callback whose results the program uses (see FlatEmitter for what is answered)."""
    script, callback = emitter.script, eqn.params["callback"]
    done = emitter.callbacks.get(id(callback.callback_func))
    if done is None:
        done = (callback.callback_func, _answers(emitter, eqn))
        emitter.callbacks[id(callback.callback_func)] = done
    try:
        tree = params.param(script, callback.in_tree, _no_body)
    except EmitError as error:
        flat = jax.tree.structure((tuple(args), {}))
        tree = params.param(script, flat, _no_body)
        note = f"a Python callback takes its arguments one by one in the script, not in {error}"
        emitter.replace(eqn, _with_callback(eqn, dataclasses.replace(callback, in_tree=flat)), note)
    wrapped = f"callback={script.attribute(type(callback))}({done[1]}, {tree})"
    written = emitter.params(eqn, frozenset({"callback"}))
    return f"{script.primitive(eqn.primitive)}.bind", [*args, wrapped, *written], False


def _with_callback(eqn: JaxprEqn, callback: Any) -> ClosedJaxpr:
    """The equation by itself, with another callback."""
    operands = [_var(v.aval) for v in eqn.invars]
    results = [_var(v.aval) for v in eqn.outvars]
    params_ = {**eqn.params, "callback": callback}
    return ir.make_closed(operands, results, [eqn.replace(invars=operands, outvars=results, params=params_)])


def _answers(emitter: FlatEmitter, eqn: JaxprEqn) -> str:
    """An expression for the function in a callback's place."""
    script, callback = emitter.script, eqn.params["callback"]
    what = f"{eqn.primitive.name} {_place(callback.callback_func)}"
    recorded = getattr(callback.callback_func, "recorded", None)  # the program is itself a script's
    if recorded is not None:
        what, ordered, tables = recorded
    else:
        ordered, known = bool(eqn.params.get("ordered")), None
        if emitter.answers is not None:
            known = emitter.answers.tables(callback, ordered)
        if known is None:
            script.notes.append(f"unknown: the answers of {what} were not recorded")
            return f"{script.use('unknown')}({literals.string(what)})"
        tables = [(table.keys, table.results) for table in known]
    written = [f"({_array(script, keys)}, {_arrays(script, results)})" for keys, results in tables]
    helper = script.use("answers")
    items = [literals.string(what), repr(ordered), *written]
    inner = [f"    {line}" for item in items for line in layout.broken(item, 4)]
    return script.constant(what.split()[1], "\n".join([f"{helper}(", *inner, ")"]))


def _array(script: Script, value: np.ndarray) -> str:
    return script.array(value, f"answers{len(script.arrays)}")


def _arrays(script: Script, values: Sequence[np.ndarray]) -> str:
    return f"[{', '.join(_array(script, value) for value in values)}]"


def _place(function: Callable[..., Any]) -> str:
    """A function's name and where it is defined."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__qualname__).rpartition("<locals>.")[2]
    return f"{name} ({PurePath(code.co_filename).name}:{code.co_firstlineno})" if code else name


def debug_callback_call(emitter: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> _Written:
    """A callback that only looks: one that does nothing in its place."""
    script = emitter.script
    script.notes.append(f"the Python callback of a {eqn.primitive.name} does nothing in the script")
    written = emitter.params(eqn, frozenset({"callback"}))
    callback = f"callback={script.use('nothing')}"
    return f"{script.primitive(eqn.primitive)}.bind", [*args, callback, *written], False


def debug_print_call(emitter: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> _Written:
    """jax.debug.print; objects of the program's own classes among its arguments as the text they print as."""
    script = emitter.script
    given = []
    for position, value in eqn.params["static_args"]:
        try:
            text = params.param(script, value, _no_body)
        except EmitError as error:
            script.notes.append(f"an argument of a debug_print is its text in the script: {error}")
            text = literals.string(str(value))
        given.append(f"({position}, {text})")
    static = f"static_args=({', '.join(given)}{',' if len(given) == 1 else ''})"
    try:
        written = emitter.params(eqn, frozenset({"static_args"}))
    except EmitError as error:
        raise EmitError(f"a debug_print: {error}") from error
    return f"{script.primitive(eqn.primitive)}.bind", [*args, static, *written], False


def _no_body(jaxpr: ClosedJaxpr | Jaxpr) -> str:
    raise EmitError("a jaxpr where none is expected")
