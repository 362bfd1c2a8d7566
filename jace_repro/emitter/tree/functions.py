"""Functions: where each is defined, which are one, what their parameters are."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jax.extend.core import JaxprEqn

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import unused, words
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import JaxprWriter
from jace_repro.emitter.tree.paths import identifier_of, paths
from jace_repro.emitter.tree.primitive_rules import stranger
from jace_repro.emitter.tree.scopes import NAMES, Scope
from jace_repro.emitter.tree.steps import callee, write_return, write_steps
from jace_repro.emitter.tree.uses import Uses
from jace_repro.emitter.tree.values import Values
from jace_repro.trace.callback_log import Log
from jace_repro.trace.model import (
    Body,
    Bound,
    Custom,
    Function,
    Helper,
    Jitted,
    Mapped,
    Method,
    Public,
    Traced,
    leaves,
)


class Writer:
    """Writes bodies as functions of one script.

    `values` writes what stands in the arguments of their calls; `customs` are the functions with rules of their own
    that are defined already, `strangers` the primitives of libraries.
    """

    def __init__(self, script: Script, callback_log: Log | None, functions: Iterable[str]) -> None:
        self.script = script
        self.flat = JaxprWriter(script, callback_log)
        self.flat.custom_primitive = functools.partial(stranger, self)
        self.reserved = {*NAMES, *functions}  # no variable has the name of a function
        self.values = Values(script, self.reserved, self._function_value)
        self._active: list[Scope] = []
        self._modules: dict[tuple[int, str], str] = {}
        self.customs: dict[Any, str] = {}
        self.strangers: dict[Any, tuple[JaxprEqn, str]] = {}
        self.uses = Uses()

    def snapshot(self) -> tuple[Any, ...]:
        """What has been written so far, for `restore`."""
        own = self.reserved.copy(), self._modules.copy(), self.customs.copy(), self.strangers.copy()
        return self.flat.snapshot(), self.values.classes.copy(), own

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Forget what was written since the snapshot, which is of no use any more."""
        flat, self.values.classes, own = snapshot
        reserved, self._modules, self.customs, self.strangers = own
        self.flat.restore(flat)
        self.reserved.intersection_update(reserved)  # scopes share it

    def added(self, snapshot: tuple[Any, ...]) -> str:
        """What the top of the script has got since the snapshot: its text, and its arrays to the bit."""
        script = snapshot[0][0]
        arrays = {k: v for k, v in self.script.arrays.items() if k not in script["arrays"]}
        told = [(k, v.dtype, v.shape, v.tobytes()) for k, v in arrays.items()]
        definitions = self.script.definitions[len(script["definitions"]) :]
        return repr((definitions, self.script.const_lines[len(script["const_lines"]) :], told))

    @contextlib.contextmanager
    def working(self, scope: Scope) -> Iterator[None]:
        """While this scope's lines are written, no new function gets a name that it uses."""
        self._active.append(scope)
        try:
            yield
        finally:
            self._active.pop()

    def module_function(
        self,
        body: Body,
        head: str = "",
        drop: Sequence[int] | None = None,
        *,
        again: bool = False,
    ) -> str:
        """The name of a function at the top of the script."""
        key = (id(body), head)
        if key not in self._modules or again:
            parameters, lines = self.lines(body, None, drop)
            self._modules[key] = self.define(body.function.name, head, parameters, lines, again=again)
        return self._modules[key]

    def function(
        self,
        body: Body,
        scope: Scope,
        head: str = "",
        drop: Sequence[int] | None = None,
        *,
        again: bool = False,
    ) -> str:
        """An expression for a function: at the top of the script, or in `scope` when it uses its values."""
        free = self.uses.free(body)
        if not free:
            return self.module_function(body, head, drop, again=again)
        key = (id(body), head + repr([scope.names.get(i) for i in sorted(free)]))
        if key in scope.local and not again:
            return scope.local[key]
        inner_parameters, lines = self.lines(body, scope, drop)
        name = self.local_name(body.function.name, scope)
        scope.local[key] = name
        text = [head] if head else []
        text += [f"def {name}({inner_parameters}):", *(f"    {line}" if line else "" for line in lines)]
        scope.definitions += ["", *text, ""]
        return name

    def define(self, hint: str, head: str, parameters: str, lines: list[str], *, again: bool = False) -> str:
        """The name of a function that is now at the top of the script; no variable of a function in work has it."""
        avoid = NAMES.union(*({*s.taken, *s.bound} - self.reserved for s in self._active))
        name = self.script.define(hint, head, parameters, lines, avoid=avoid, again=again)
        self.reserved.add(name)
        return name

    def local_name(self, hint: str, scope: Scope) -> str:
        """A name for a function that is defined within another; no function at the top has it."""
        name = self.script.reserve(hint, NAMES.union(scope.bound, *(s.local.values() for s in self._active)))
        self.reserved.add(name)
        scope.taken.add(name)
        return name

    def lines(self, body: Body, outer: Scope | None, drop: Sequence[int] | None) -> tuple[str, list[str]]:
        """(parameters, lines) of a function.  `drop`: positions of arguments it does not take."""
        if body.problem:
            raise EmitError(f"the function {body.function.name}: {body.problem}")
        used, _ = self.uses.of_function(body)
        free = self.uses.free(body)
        if outer is not None and any(p.holds & free for p in outer.pending):
            outer.flush()  # what a function captures has a name
        captured = {i: outer.names[i] for i in free if i in outer.names} if outer else {}
        if len(captured) != len(free):
            raise EmitError(self.uses.unknown(body, free - captured.keys()))
        if outer is not None:
            self._rename_captured(body, captured, outer)
        roots = set().union(*map(words, captured.values()))
        scope = Scope(set(self.reserved | roots), self.reserved, dict(captured), outer=outer)
        scope.uses = {i: len(steps) for i, steps in used.items()}
        scope.last = {i: steps[-1] for i, steps in used.items()}
        with self.working(scope):
            parameters = self._parameters(body, scope, drop)
            write_steps(self, body.steps, 0, scope)
            write_return(self, body, scope)
        return parameters, scope.lines()

    def _rename_captured(self, body: Body, captured: dict[int, str], outer: Scope) -> None:
        """Give another name to what a function captures under the name of one of its keyword parameters."""
        for value, text in captured.items():
            if re.split(r"\W", text)[0] in body.kwargs:
                name = unused(f"{identifier_of(text)}_outer", outer.taken | set(outer.bound) | self.reserved)
                outer.taken.add(name)
                outer.statements.append(([f"{name} = {text}"], {}))
                captured[value] = outer.names[value] = name

    def _parameters(self, body: Body, scope: Scope, drop: Sequence[int] | None) -> str:
        positions, static_names = body.function.static
        left_out = set(positions if drop is None else drop)
        names = []
        given = positional(body.function, len(body.args))
        for i, (name, value) in enumerate(zip(given, body.args, strict=True)):
            if i not in left_out:
                names.append(scope.bind(name, value))
        keywords = []
        for name, value in body.kwargs.items():
            if name not in static_names or drop is not None:
                scope.taken.add(name)
                scope.names.update((t.id, text) for t, text in paths(value, name))
                keywords.append(name)
        return ", ".join([*names, *(["*", *keywords] if keywords else [])])

    def _function_value(self, function: Function, scope: Scope, bodies: Mapping[int, Body]) -> str:
        body = bodies.get(id(function)) or function.only_body()
        if body is None:
            raise EmitError(f"the function {function.name} was not traced")
        alone = self._same_as(body, scope)
        if alone is not None:
            return alone
        if body.function.name == "<lambda>":
            text = self.lambda_(body, scope)
            if text is not None:
                return text
        return self.function(body, scope)

    def _same_as(self, body: Body, scope: Scope) -> str | None:
        """What a function that only passes its arguments on could be replaced by."""
        if len(body.steps) != 1 or body.kwargs or body.steps[0].kwargs or body.steps[0].result != body.result:
            return None
        (step,) = body.steps
        if isinstance(step.operation, Bound | Method | Mapped) or step.args != body.args or step.config:
            return None
        operands = leaves(step.args)
        if not all(isinstance(leaf, Traced) for leaf in operands):
            return None
        uses = self.uses.of_step(step)
        if any(uses.count(operand.id) > 1 for operand in operands):
            return None  # a function inside it uses them as well
        if isinstance(step.operation, Public) and step.operation.name.startswith("jax.") and step.bodies:
            return None
        return callee(self, step.operation, step, scope)

    def lambda_(self, body: Body, scope: Scope) -> str | None:
        """`lambda x: ...` for a function of one short expression."""
        if any(
            s.bodies or s.config or isinstance(s.operation, Jitted | Custom | Bound | Mapped | Helper)
            for s in body.steps
        ):
            return None
        if len(body.steps) > 12:
            return None  # far too long
        parameters, lines = self.lines(body, scope, None)
        if len(lines) != 1 or "=" in parameters or len(lines[0]) > 60:
            return None
        answer = lines[0].removeprefix("return ")
        if type(body.result) is tuple and len(body.result) > 1:
            answer = f"({answer})"
        return f"lambda {parameters}: {answer}".replace("lambda :", "lambda:")


def positional(function: Function, count: int) -> list[str]:
    """Names of `count` positional parameters."""
    own = [n for n in function.parameters[:count] if n.isidentifier()]
    names: list[str] = []
    for name in [*own, *(f"x{i}" for i in range(len(own), count))]:
        names.append(unused(name, {*names, "jax", "np", "jnp", "lax"}))
    return names
