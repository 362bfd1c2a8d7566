"""Functions of a script: where each is defined, which are one, what their parameters are."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace_repro.emitter.core import syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import unused, words
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import JaxprWriter
from jace_repro.emitter.tree.arguments import ArgumentWriter
from jace_repro.emitter.tree.paths import identifier_of, paths
from jace_repro.emitter.tree.scopes import NAMES, Scope
from jace_repro.emitter.tree.uses import Uses
from jace_repro.repro import large
from jace_repro.trace.callback_log import Log
from jace_repro.trace.model import Body, Function


class FunctionWriter:
    """Writes runs of functions as functions of one script.

    What writes the steps in them, a function among arguments, and a primitive of a library is above this module, and
    is given to it.

    Attributes:
        script: what they are written into.
        jaxprs: writes what is no function of the program's.
        arguments: writes what stands in the arguments of their calls.
        reserved: the names of functions and classes, which no variable has.
        uses: which values each function uses.
        custom_functions: the functions with rules of their own that are defined already.
        custom_primitives: the primitives of libraries that are, each with an equation that has it.
        unlike: rounds (`Rounds.key`) that were written and are in no loop: not tried again, where others are around
            them. It is only ever added to, and not restored.
    """

    def __init__(
        self,
        script: Script,
        callback_log: Log | None,
        functions: Iterable[str],
        *,
        write_body: Callable[[FunctionWriter, Body, Scope], None],
        write_argument: Callable[[FunctionWriter, Function, Scope, Mapping[int, Body]], str],
        write_primitive: Callable[[FunctionWriter, JaxprEqn, ClosedJaxpr], str | None],
    ) -> None:
        self.script = script
        self.jaxprs = JaxprWriter(script, callback_log)
        self.jaxprs.custom_primitive = functools.partial(write_primitive, self)
        self.reserved = {*NAMES, *functions}
        self.arguments = ArgumentWriter(script, self.reserved, functools.partial(write_argument, self))
        self.uses = Uses()
        self.custom_functions: dict[Any, str] = {}
        self.custom_primitives: dict[Any, tuple[JaxprEqn, str]] = {}
        self.unlike: set[tuple[int, int, int]] = set()
        self._write_body = write_body
        self._active: list[Scope] = []
        self._modules: dict[tuple[int, str], str] = {}

    # -- going back

    def snapshot(self) -> tuple[Any, ...]:
        """What has been written so far, for `restore`."""
        custom = self.custom_functions.copy(), self.custom_primitives.copy()
        own = self.reserved.copy(), self._modules.copy(), *custom
        return self.jaxprs.snapshot(), self.arguments.classes.copy(), own

    def restore(self, snapshot: tuple[Any, ...], keep_arrays: bool = False) -> None:
        """Forget what was written since the snapshot, which is of no use any more; `keep_arrays`: all but arrays."""
        jaxprs, self.arguments.classes, own = snapshot
        reserved, self._modules, self.custom_functions, self.custom_primitives = own
        kept = {
            name: getattr(self.script, name) for name in ("consts", "const_lines", "arrays") if keep_arrays
        }
        self.jaxprs.restore(jaxprs)
        self.script.restore(kept)
        self.reserved.intersection_update(reserved)  # scopes share it

    def added(self, snapshot: tuple[Any, ...], but_arrays: bool = False) -> str:
        """What the top of the script has got since the snapshot: its text, and its arrays to the bit and by identity.

        `but_arrays`: without what are constants of the program. (Scalars have no identity: they are literals to JAX.)
        """
        script = snapshot[0][0]
        definitions = self.script.definitions[len(script["definitions"]) :]
        lines = self.script.const_lines[len(script["const_lines"]) :]
        if but_arrays:
            names = {name for _, name in self.script.consts.values()}
            return repr((definitions, [line for line in lines if line.partition(" = ")[0] not in names]))
        new = {k: array for k, (array, _) in self.script.consts.items() if k not in script["consts"]}
        identities = [k for k, array in new.items() if array.ndim]
        arrays = {k: v for k, v in self.script.arrays.items() if k not in script["arrays"]}
        told = [(k, v.dtype, v.shape, large.checksum(v)) for k, v in arrays.items()]
        return repr((definitions, lines, told, identities))

    # -- definitions

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
        """The name of a function at the top of the script; see `function`."""
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
        """An expression for a function: at the top of the script, or in `scope` when it uses its values.

        Args:
            body: how it ran.
            scope: where it is called.
            head: its decorators.
            drop: positions of arguments it does not take; None: those that are static.
            again: there is another definition in any case.
        """
        free = self.uses.free(body)
        if not free:
            return self.module_function(body, head, drop, again=again)
        key = (id(body), head + repr([scope.names.get(i) for i in sorted(free)]))
        if key in scope.local and not again:
            return scope.local[key]
        parameters, lines = self.lines(body, scope, drop)
        name = self.local_name(body.function.name, scope)
        scope.local[key] = name
        scope.definitions += ["", *syntax.function(name, parameters, lines, head), ""]
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

    # -- lines

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
            parameters = _parameters(body, scope, drop)
            self._write_body(self, body, scope)
        return parameters, scope.lines()

    def _rename_captured(self, body: Body, captured: dict[int, str], outer: Scope) -> None:
        """Give another name to what a function captures under the name of one of its keyword parameters."""
        for value, text in captured.items():
            if re.split(r"\W", text)[0] in body.kwargs:
                name = unused(f"{identifier_of(text)}_outer", outer.taken | set(outer.bound) | self.reserved)
                outer.taken.add(name)
                outer.statements.append(([f"{name} = {text}"], {}))
                captured[value] = outer.names[value] = name


def _parameters(body: Body, scope: Scope, drop: Sequence[int] | None) -> str:
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


def positional(function: Function, count: int) -> list[str]:
    """Names of `count` positional parameters."""
    own = [n for n in function.parameters[:count] if n.isidentifier()]
    names: list[str] = []
    for name in [*own, *(f"x{i}" for i in range(len(own), count))]:
        names.append(unused(name, {*names, "jax", "np", "jnp", "lax"}))
    return names
