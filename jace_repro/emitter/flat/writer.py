"""Writes jaxprs as functions of one script, one equation a line.

How an equation is written is found by the name of its primitive. The families of primitives plug in from above
(:mod:`jace_repro.emitter.flat`); nothing here imports one. What is in no family is a bind with all of its parameters.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace.releases import closed_of
from jace_repro.emitter.core import avals, grouping, layout, operands, params, stubs, syntax
from jace_repro.emitter.core.errors import EmitError, SeveralDevices
from jace_repro.emitter.core.names import variable_names
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat import normal
from jace_repro.repro.sourcemap import original_place
from jace_repro.trace.callback_log import Log

Names = dict[Var, str]

#: The last lines of a function, from the names of its variables and its results.
Ending = Callable[[Names, list[str]], list[str]]

#: Hints for functions that are parameters of equations, by the parameter.
_BODY_HINTS = {
    "jaxpr": "body",
    "branches": "branch",
    "cond_jaxpr": "cond",
    "body_jaxpr": "body",
    "jaxprs": "solve",
}

#: Parameters that hold Python functions which nothing calls while a program is traced or run as it is.
_RULES = {"policy": "the policy", "transpose_thunk": "the transpose", "rule": "the batching rule"}


@dataclass(frozen=True)
class EquationCall:
    """The call that an equation is written as.

    Attributes:
        single: its result is one bare value, no sequence.
        groups: how many results are in each group that it gives, where it gives groups.
    """

    callee: str
    arguments: list[str]
    single: bool = True
    groups: grouping.Sizes = ()


def bind(script: Script, eqn: JaxprEqn, arguments: list[str]) -> EquationCall:
    """The bind of an equation's primitive. Raises EmitError for one that is not JAX's own."""
    return EquationCall(
        f"{script.primitive(eqn.primitive)}.bind", arguments, not eqn.primitive.multiple_results
    )


class JaxprWriter:
    """Writes jaxprs as functions of one script.

    Attributes:
        script: what they are written into.
        callback_log: what Python callbacks returned, where it is known.
        callbacks: those that are written: (function, name) by the function's identity.
        custom_functions: functions with derivative rules that are written: (rule, body, name) by the identity of both.
        derivative_rules: those that were traced: (rule, body, what it is) by the identity of both.
        open_rules: names of the functions whose derivative rules are being written, by their text.
        replaced: equations that were replaced by others: (equation, these, note) by `_key`.
        custom_primitive: writes a primitive that is not JAX's, given an equation and what it computes, and returns its
            name; None: the equation is replaced by what it computes.
    """

    def __init__(self, script: Script, callback_log: Log | None = None) -> None:
        self.script = script
        self.callback_log = callback_log
        self.callbacks: dict[int, tuple[Any, str]] = {}
        self.custom_functions: dict[tuple[int, int], tuple[Any, Any, str]] = {}
        self.derivative_rules: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        self.open_rules: dict[str, str] = {}
        self.replaced: dict[Any, tuple[JaxprEqn, ClosedJaxpr, str]] = {}
        self.custom_primitive: Callable[[JaxprEqn, ClosedJaxpr], str | None] = lambda eqn, expanded: None
        self._expanded: dict[Any, tuple[JaxprEqn, ClosedJaxpr]] = {}
        self._functions: dict[tuple[int, str], tuple[Any, str]] = {}

    def snapshot(self) -> Any:
        """What has been written so far, for `restore`."""
        return (
            self.script.snapshot(),
            self.custom_functions.copy(),
            self.callbacks.copy(),
            self._functions.copy(),
        )

    def restore(self, snapshot: Any) -> None:
        """Forget what was written since the snapshot."""
        script, self.custom_functions, self.callbacks, self._functions = snapshot
        self.script.restore(script)

    # -- functions

    def body(
        self, jaxpr: Jaxpr, consts: Sequence[Any], ending: Ending | None = None
    ) -> tuple[list[str], Names]:
        """The lines of a function with this body, and the names of its variables.

        `ending` writes the last lines, instead of returning the results.
        """
        names: Names = {}
        fresh = variable_names()
        for var in jaxpr.invars:
            names[var] = next(fresh)
        staged = [operands.const(self.script, c) for c in consts]
        lines = []
        if staged and not normal.consts_in_order(jaxpr):
            globals_, staged = staged, [name.lower() for name in staged]
            stage = f"map({self.script.lax('stage')}, ({', '.join(globals_)},))"
            lines.append(f"{syntax.targets(staged)} = {stage}  # in the order of the program")
        names.update(zip(jaxpr.constvars, staged, strict=True))
        used = ir.used_variables(jaxpr)
        joined: EquationCall | None = None
        for eqn, following in zip_longest(jaxpr.eqns, jaxpr.eqns[1:]):
            call, joined = joined, None
            if call is None and following is not None:
                joined = self._joined(jaxpr, eqn, following, names)
            if joined is not None:
                continue
            for var in eqn.outvars:
                names[var] = next(fresh) if var in used else "_"
            lines += self._equation(eqn, names, call)
        outs = [self._atom(v, names) for v in jaxpr.outvars]
        lines += ending(names, outs) if ending else [f"return {syntax.returned(outs)}"]
        return lines, names

    def function(self, jaxpr: ClosedJaxpr | Jaxpr, hint: str, head: str = "") -> str:
        """The name of a function with this body and the decorators `head`; the same one is written once."""
        closed = closed_of(jaxpr)
        key = (id(jaxpr), f"{hint}\n{head}")
        if key not in self._functions:
            lines, names = self.body(closed.jaxpr, closed.consts)
            parameters = ", ".join(names[v] for v in closed.jaxpr.invars)
            self._functions[key] = (jaxpr, self.script.define(hint, head, parameters, lines))
        return self._functions[key][1]

    def grouped(
        self, jaxpr: ClosedJaxpr, hint: str, inputs: Mapping[str, int], outputs: grouping.Sizes
    ) -> str:
        """As `function`, with the last operands in groups, each by its name, and with the results in groups."""
        key = (id(jaxpr), f"{hint} of {dict(inputs)}, {outputs}")
        if key not in self._functions:

            def ending(names: Names, outs: list[str]) -> list[str]:
                return [f"return {grouping.texts(outs, outputs)}"]

            lines, names = self.body(jaxpr.jaxpr, jaxpr.consts, ending)
            own = [names[v] for v in jaxpr.jaxpr.invars]
            bare = len(own) - sum(inputs.values())
            groups = zip(inputs, grouping.split(own[bare:], tuple(inputs.values())), strict=True)
            parameters, unpacked = own[:bare], []
            for name, group in groups:
                whole = group[0] if len(group) == 1 else self.script.parameter(name)
                parameters.append(whole)
                unpacked += [f"{syntax.targets(group)} = {whole}"] if len(group) > 1 else []
            defined = self.script.define(hint, "", ", ".join(parameters), [*unpacked, *lines])
            self._functions[key] = (jaxpr, defined)
        return self._functions[key][1]

    def traced(self, jaxpr: ClosedJaxpr | Jaxpr, hint: str) -> str:
        """An expression for the jaxpr itself: J(function, types of its operands)."""
        name = self.function(jaxpr, hint)
        types = [avals.shape_dtype(self.script, v.aval) for v in ir.open_jaxpr(jaxpr).invars]
        text = f"{self.script.use('J')}({', '.join([name, *types])})"
        return text if isinstance(jaxpr, ClosedJaxpr) else f"{text}.jaxpr"

    # -- equations

    def call(self, eqn: JaxprEqn, args: list[str]) -> EquationCall:
        """The call that an equation is written as, given its operands."""
        if normal.needs_raw(eqn):
            return self._raw(eqn, args)
        write = WRITERS.get(eqn.primitive.name)
        call = None if write is None else write(self, eqn, args)
        return self._bind(eqn, args) if call is None else call

    def params(self, eqn: JaxprEqn, leave_out: frozenset[str] = frozenset()) -> list[str]:
        """The equation's parameters as keyword arguments, in alphabetical order."""
        written = []
        for name, value in sorted(eqn.params.items()):
            if name in leave_out:
                continue
            hint = _BODY_HINTS.get(name, name.removesuffix("_jaxpr"))
            try:
                text = params.param(self.script, value, functools.partial(self.traced, hint=hint))
            except EmitError as error:
                if name not in _RULES:
                    raise
                text = self._missing_rule(f"{_RULES[name]} of a {eqn.primitive.name}", error)
            written.append(f"{name}={text}" if name.isidentifier() else f"**{{{name!r}: {text}}}")
        return written

    def replace(self, eqn: JaxprEqn, body: ClosedJaxpr, note: str) -> None:
        """Note that the script has `body` in the place of an equation; one in a derivative rule is not in the jaxpr."""
        self.script.notes.append(note)
        if not self.open_rules:
            self.replaced[_key(eqn)] = (eqn, body, note)

    def replacement(self, eqn: JaxprEqn) -> ir.Splice | None:
        """What takes the place of an equation that was replaced while writing, for `ir.splice`."""
        found = self.replaced.get(_key(eqn))
        return ir.Splice(found[1], eqn.invars) if found is not None else None

    def _atom(self, atom: Var | Literal, names: Names) -> str:
        if isinstance(atom, Literal):
            return operands.literal(self.script, atom.val, atom.aval)
        return names[atom]

    def _joined(self, jaxpr: Jaxpr, eqn: JaxprEqn, following: JaxprEqn, names: Names) -> EquationCall | None:
        """One call that makes an equation and the following one, which alone reads the first one's result."""
        write = PAIRS.get((eqn.primitive.name, following.primitive.name))
        if write is None or eqn.outvars[0] is not following.invars[0]:
            return None
        read = [*chain.from_iterable(other.invars for other in jaxpr.eqns), *jaxpr.outvars]
        if sum(atom is eqn.outvars[0] for atom in read) > 1:
            return None
        others = following.invars[1:]
        arguments = [self._atom(v, names) for v in eqn.invars]
        return write(self, eqn, following, arguments, [self._atom(v, names) for v in others])

    def _equation(self, eqn: JaxprEqn, names: Names, called: EquationCall | None) -> list[str]:
        """The lines of an equation, by the call that it is known to be, if it is."""
        called = called or self.call(eqn, [self._atom(v, names) for v in eqn.invars])
        outs = [names[v] for v in eqn.outvars]
        target = outs[0] if called.single else syntax.targets(outs)
        if called.groups:
            target = grouping.targets(outs, called.groups)
        return layout.call(target, called.callee, called.arguments, _comment(eqn))

    def _bind(self, eqn: JaxprEqn, args: list[str]) -> EquationCall:
        try:
            call = bind(self.script, eqn, args)
            return replace(call, arguments=[*args, *self.params(eqn)])
        except SeveralDevices:
            raise
        except EmitError as error:
            return self._lowered_away(eqn, args, error)

    def _raw(self, eqn: JaxprEqn, args: list[str]) -> EquationCall:
        arguments = [self.script.primitive(eqn.primitive), *args, *self.params(eqn)]
        return EquationCall(self.script.use("raw"), arguments, not eqn.primitive.multiple_results)

    def _missing_rule(self, what: str, error: EmitError) -> str:
        """A stub for a Python function that only a transformation of the program would call."""
        self.script.notes.append(f"{what} is not in the script, only transforming it would need it: {error}")
        return stubs.unknown(self.script, what)

    def _lowered_away(self, eqn: JaxprEqn, args: list[str], error: EmitError) -> EquationCall:
        """A call of what the equation does in terms of JAX's own primitives; EmitError when nothing says."""
        key = _key(eqn)
        if key not in self._expanded:
            what = f"equation {eqn.primitive.name} cannot be written as source: {error}"
            try:
                expanded = normal.expand(eqn)
            except EmitError as further:
                raise EmitError(f"{what}; {further}") from error
            if expanded is None:
                raise EmitError(what) from error
            self._expanded[key] = (eqn, expanded)
        expanded = self._expanded[key][1]
        name = self.custom_primitive(eqn, expanded)
        if name is not None:
            return EquationCall(f"{name}.bind", args, not eqn.primitive.multiple_results)
        self.replace(eqn, expanded, f"{eqn.primitive.name} was replaced by what it computes: {error}")
        return EquationCall(self.function(expanded, eqn.primitive.name), args, len(eqn.outvars) == 1)


#: Writes an equation, given its operands; None leaves it to the bind. It raises EmitError where there is no source.
EquationWriter = Callable[[JaxprWriter, JaxprEqn, list[str]], EquationCall | None]

#: How equations are written, by the name of their primitive.
WRITERS: dict[str, EquationWriter] = {}


def writes(*primitives: str) -> Callable[[EquationWriter], EquationWriter]:
    """Register a function as the writer of these primitives."""

    def register(write: EquationWriter) -> EquationWriter:
        WRITERS.update(dict.fromkeys(primitives, write))
        return write

    return register


#: Writes two equations as one call, given the operands of the first, and those of the second but for its first one,
#: which is what the first gives.
PairWriter = Callable[[JaxprWriter, JaxprEqn, JaxprEqn, list[str], list[str]], EquationCall | None]

#: How they are written, by the names of their primitives.
PAIRS: dict[tuple[str, str], PairWriter] = {}


def writes_pair(first: str, second: str) -> Callable[[PairWriter], PairWriter]:
    """Register a function as the writer of these primitives, one after the other."""

    def register(write: PairWriter) -> PairWriter:
        PAIRS[first, second] = write
        return write

    return register


def _key(eqn: JaxprEqn) -> tuple[Any, ...]:
    """What an equation keeps when its variables and source line are replaced, while the equation itself lives."""
    literals_ = [np.asarray(v.val).tobytes() if isinstance(v, Literal) else None for v in eqn.invars]
    params_ = [id(value) for value in eqn.params.values()]
    return (eqn.primitive, *params_, *(v.aval for v in eqn.invars), *literals_)


def _comment(eqn: JaxprEqn) -> str:
    """The types of an equation's results and its source line, as a comment."""
    types = ", ".join([type_text(v.aval) for v in eqn.outvars])
    where = original_place(ir.source_of(eqn)).partition(" (")[0].replace("\\", "/").rpartition("/")[2]
    return f"  # {types}  {where}".rstrip() if types or where else ""


@functools.cache
def type_text(aval: Any) -> str:
    """A type as it stands in comments: f32[2,3], f32[] weak."""
    text = aval.str_short(short_dtypes=True) if hasattr(aval, "str_short") else str(aval)
    return f"{text} weak" if getattr(aval, "weak_type", False) else str(text)
