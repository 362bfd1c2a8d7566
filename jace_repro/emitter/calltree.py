"""The call-tree emitter: a traced program as its user wrote it.

Functions are functions again, with their names and parameters, nested where they share values; transforms,
control flow and jitted calls stand as calls of `jax.vmap`, `lax.scan`, `@jax.jit`; what the user asked of
`jax.numpy` is asked of it again. Retracing `repro` gives the recorded jaxpr, as far as the tape could tell
(:mod:`jace_repro.calls`): a self-check says whether it does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace_repro.answers import Log
from jace_repro.calls import (
    Applied,
    Body,
    Bound,
    Called,
    Closure,
    Custom,
    Function,
    Jitted,
    Mapped,
    Method,
    Node,
    Public,
    Step,
    Traced,
    leaves,
    values,
)
from jace_repro.emitter import layout, literals, params
from jace_repro.emitter.errors import EmitError
from jace_repro.emitter.flat import FlatEmitter, assemble, is_plain_jit, jit_decorator, title
from jace_repro.emitter.paths import (
    has_fields,
    identifier_of,
    is_container,
    paths,
    subtrees,
    tree_key,
)
from jace_repro.emitter.rulebodies import dropped, rule_bodies, static_body
from jace_repro.emitter.script import (
    HELPERS,
    SHORT_DTYPES,
    Script,
    plain_identifier,
    variable_names,
)
from jace_repro.emitter.strangerrules import rules_of
from jace_repro.emitter.uses import Uses, count_steps, described
from jace_repro.public import is_default, public_name
from jace_repro.repro import Header, Repro
from jace_repro.strangers import has_run

#: Longest line of an expression that swallows the value of another.
_WIDTH = 88

#: Binding strength of Python's operators; an operand that binds less gets parentheses.
_ATOM, _UNARY, _POWER = 10, 7, 8
_BINARY = {
    "lt": ("<", 0),
    "le": ("<=", 0),
    "eq": ("==", 0),
    "ne": ("!=", 0),
    "gt": (">", 0),
    "ge": (">=", 0),
    "or": ("|", 1),
    "xor": ("^", 2),
    "and": ("&", 3),
    "lshift": ("<<", 4),
    "rshift": (">>", 4),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "truediv": ("/", 6),
    "floordiv": ("//", 6),
    "mod": ("%", 6),
    "matmul": ("@", 6),
    "pow": ("**", _POWER),
}
_PREFIX = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
_BUILTIN = {"__abs__": "abs", "__divmod__": "divmod", "__round__": "round"}
#: Public functions that an operator stands for when an array has it.
_AS_METHOD = {
    "jax.numpy.negative": "__neg__",
    "jax.numpy.invert": "__invert__",
}
_DECORATORS = {
    "custom_jvp": "@jax.custom_jvp",
    "custom_vjp": "@jax.custom_vjp",
    "custom_vmap": "@jax.custom_batching.custom_vmap",
}
#: Names that mean something at the top of a script.
_NAMES = frozenset(
    (
        *("inputs", "repro", "read_sidecar", "ARRAYS", "jax", "np", "jnp", "lax", "collections", "functools"),
        *("abs", "divmod", "round", "slice", "range", "float", "complex", "primitives"),
        *HELPERS,
        *SHORT_DTYPES.values(),
    )
)
_CONSTANT = re.compile(r"C\d+")
#: Steps that are there for what they do, not for what they return.
_EFFECTS = ("jax.debug.print", "jax.experimental.checkify.check", "jax.experimental.checkify.debug_check")
_TOKEN = re.compile("\x00(\\d+):(\\d+)\x00")


def emit_calltree(
    closed: ClosedJaxpr, body: Body, args: Sequence[Any], *, header: Header, answers: Log | None = None
) -> Repro:
    """The script of a traced program.

    Args:
        closed: the program's jaxpr; its invars correspond to `args` one to one.
        body: how its function ran while it was traced.
        args: flat concrete operands.
        header: what is known of it, its fingerprint included.
        answers: what its Python callbacks answered when it ran; without it they are stubs that raise.
    Raises:
        EmitError: something in the call tree has no source.
    """
    if body.problem:
        raise EmitError(body.problem)
    script = Script.configured(header.jax_config)
    operands = [leaf for leaf in leaves((body.args, dict(body.kwargs))) if isinstance(leaf, Traced)]
    invars = closed.jaxpr.invars
    if len(operands) != len(invars) or len(args) != len(invars):
        raise EmitError(f"the function took {len(operands)} values, the program takes {len(invars)}")
    writer = _Writer(script, answers, _function_names(body))
    name = writer.module_function(body)
    names = _parameter_names(body, operands, writer.reserved)
    scope = _Scope(writer.reserved | {name}, {t.id: n for t, n in zip(operands, names, strict=True)})
    given = writer.arguments(*body.function.dynamic(body.args, body.kwargs), scope, {})
    lines = layout.statement(f"return {writer.plain(f'{name}({given})', scope)}")
    inputs = [
        f"{script.leaf(value, v.aval, f'x{i}')},  # {n}: {v.aval.str_short(short_dtypes=True)}"
        for i, (value, v, n) in enumerate(zip(args, invars, names, strict=True))
    ]
    source = assemble(script, inputs, names, lines, title(header), header.jax_config, header.donated)
    notes = (*header.notes, *dict.fromkeys(script.notes))
    return Repro(source=source, arrays=script.arrays, header=replace(header, notes=notes))


def _parameter_names(body: Body, operands: Sequence[Traced], reserved: Iterable[str]) -> list[str]:
    """A name for each flat operand, after the path to it: params_dense_kernel."""
    wanted: dict[int, str] = {}
    args, kwargs = body.args, body.kwargs
    parameters = _positional(body.function, len(args))
    for name, value in (*zip(parameters, args, strict=True), *kwargs.items()):
        for traced, path in paths(value, name):
            wanted.setdefault(traced.id, identifier_of(path))
    taken = set(reserved)
    names = []
    for operand in operands:
        names.append(_unused(wanted[operand.id], taken))
        taken.add(names[-1])
    return names


def _function_names(root: Body) -> set[str]:
    """The names of all functions of a program."""
    found: set[str] = set()
    seen: set[int] = set()
    todo = [root]
    while todo:
        body = todo.pop()
        if id(body) in seen:
            continue
        seen.add(id(body))
        found.add(plain_identifier(body.function.name))
        for step in body.steps:
            todo += step.bodies.values()
            if isinstance(step.operation, Mapped):
                todo += step.operation.runs
            if isinstance(step.operation, Jitted) and step.operation.body is not None:
                todo.append(step.operation.body)
            if isinstance(step.operation, Custom):
                functions = (step.operation.function, *step.operation.rules)
                todo += [b for function in functions for b in function.bodies]
    return found


def _positional(function: Function, count: int) -> list[str]:
    """Names of `count` positional parameters."""
    own = [n for n in function.parameters[:count] if n.isidentifier()]
    names: list[str] = []
    for name in [*own, *(f"x{i}" for i in range(len(own), count))]:
        names.append(_unused(name, {*names, "jax", "np", "jnp", "lax"}))
    return names


def _unused(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    found, count = name, 2
    while found in taken:
        found, count = f"{name}_{count}", count + 1
    return found


@dataclass
class _Pending:
    """An expression that may yet become part of the next one."""

    id: int
    text: str
    level: int
    step: int


@dataclass
class _Scope:
    """What is known while the lines of one function are written.

    `names`: expressions of traced values and closures, those of the enclosing functions included.
    `taken`: names that must not be given to other values; `bound`: the value of each local name.
    `trees`: expressions of containers, by what is in them. `parameters`: names no other value gets unasked.
    """

    taken: set[str]
    names: dict[int, str] = field(default_factory=dict)
    bound: dict[str, int] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    pending: list[_Pending] = field(default_factory=list)
    statements: list[tuple[list[str], Mapping[str, Any]]] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    local: dict[tuple[int, str], str] = field(default_factory=dict)
    trees: dict[Any, str] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)
    comment: str = ""
    outer: _Scope | None = None


class _Writer:
    """Writes bodies as functions of one script."""

    def __init__(self, script: Script, answers: Log | None, functions: Iterable[str]) -> None:
        self.script = script
        self.flat = FlatEmitter(script, answers)
        self.flat.stranger = self._stranger
        self.reserved = {*_NAMES, *functions}  # no variable has the name of a function
        self._active: list[_Scope] = []
        self._modules: dict[tuple[int, str], str] = {}
        self._nodes: dict[tuple[str, tuple[str, ...] | None, int], str] = {}
        self._customs: dict[Any, str] = {}
        self._strangers: dict[Any, tuple[JaxprEqn, str]] = {}
        self._uses = Uses()

    # -- functions

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
            parameters, lines = self._function(body, None, drop)
            self._modules[key] = self._define(body.function.name, head, parameters, lines, again=again)
        return self._modules[key]

    def function(
        self,
        body: Body,
        scope: _Scope,
        head: str = "",
        drop: Sequence[int] | None = None,
        *,
        again: bool = False,
    ) -> str:
        """An expression for a function: at the top of the script, or in `scope` when it uses its values."""
        free = self._uses.free(body)
        if not free:
            return self.module_function(body, head, drop, again=again)
        key = (id(body), head + repr([scope.names.get(i) for i in sorted(free)]))
        if key in scope.local and not again:
            return scope.local[key]
        inner_parameters, lines = self._function(body, scope, drop)
        name = self._local_name(body.function.name, scope)
        scope.local[key] = name
        text = [head] if head else []
        text += [f"def {name}({inner_parameters}):", *(f"    {line}" if line else "" for line in lines)]
        scope.definitions += ["", *text, ""]
        return name

    def _define(self, hint: str, head: str, parameters: str, lines: list[str], *, again: bool = False) -> str:
        """The name of a function that is now at the top of the script; no variable of a function in work has it."""
        avoid = _NAMES.union(*({*s.taken, *s.bound} - self.reserved for s in self._active))
        name = self.script.define(hint, head, parameters, lines, avoid=avoid, again=again)
        self.reserved.add(name)
        return name

    def _local_name(self, hint: str, scope: _Scope) -> str:
        """A name for a function that is defined within another; no function at the top has it."""
        name = self.script.reserve(hint, _NAMES.union(scope.bound, *(s.local.values() for s in self._active)))
        self.reserved.add(name)
        scope.taken.add(name)
        return name

    # -- the lines of one function

    def _function(
        self, body: Body, outer: _Scope | None, drop: Sequence[int] | None
    ) -> tuple[str, list[str]]:
        """(parameters, lines) of a function.  `drop`: positions of arguments it does not take."""
        if body.problem:
            raise EmitError(f"the function {body.function.name}: {body.problem}")
        used, _ = self._uses.of_function(body)
        free = self._uses.free(body)
        if outer is not None and any(p.id in free for p in outer.pending):
            self._flush(outer)  # what a function captures has a name
        captured = {i: outer.names[i] for i in free if i in outer.names} if outer else {}
        if len(captured) != len(free):
            raise EmitError(self._uses.unknown(body, free - captured.keys()))
        if outer is not None:
            self._rename_captured(body, captured, outer)
        roots = {re.split(r"\W", text)[0] for text in captured.values()}
        scope = _Scope(set(self.reserved | roots), dict(captured), outer=outer)
        self._active.append(scope)
        scope.uses = {i: len(steps) for i, steps in used.items()}
        scope.last = {i: steps[-1] for i, steps in used.items()}
        parameters = self._parameters(body, scope, drop)
        self._steps(body.steps, 0, scope)
        self._return(body, scope)
        self._active.pop()
        return parameters, _grouped(scope.statements)

    def _rename_captured(self, body: Body, captured: dict[int, str], outer: _Scope) -> None:
        """Give another name to what a function captures under the name of one of its keyword parameters."""
        for value, text in captured.items():
            if re.split(r"\W", text)[0] in body.kwargs:
                name = _unused(f"{identifier_of(text)}_outer", outer.taken | set(outer.bound) | self.reserved)
                outer.taken.add(name)
                outer.statements.append(([f"{name} = {text}"], {}))
                captured[value] = outer.names[value] = name

    def _parameters(self, body: Body, scope: _Scope, drop: Sequence[int] | None) -> str:
        positions, static_names = body.function.static
        left_out = set(positions if drop is None else drop)
        names = []
        positional = _positional(body.function, len(body.args))
        for i, (name, value) in enumerate(zip(positional, body.args, strict=True)):
            if i not in left_out:
                names.append(self._bind_name(name, value, scope))
        keywords = []
        for name, value in body.kwargs.items():
            if name not in static_names or drop is not None:
                scope.taken.add(name)
                scope.names.update((t.id, text) for t, text in paths(value, name))
                keywords.append(name)
        return ", ".join([*names, *(["*", *keywords] if keywords else [])])

    def _bind_name(self, name: str, value: Any, scope: _Scope) -> str:
        name = _unused(name, scope.taken | set(scope.bound))
        scope.parameters.add(name)
        if isinstance(value, Traced):
            scope.bound[name] = value.id
        else:
            scope.taken.add(name)
        scope.names.update((t.id, text) for t, text in paths(value, name))
        scope.trees.update(subtrees(value, name))
        return name

    def _steps(self, steps: Sequence[Step], index: int, scope: _Scope) -> int:
        """Write steps, the first of which is number `index` of the function; answers the number after the last."""
        for step in steps:
            if isinstance(step.operation, Mapped):
                folded = self._folded(step.operation, step, scope)
                after = index + 1 + sum(count_steps(run.steps) for run in step.operation.runs)
                if folded is None:
                    inner = index
                    for run in step.operation.runs:
                        inner = self._steps(run.steps, inner, scope)
                else:
                    self._step(after - 1, step, scope, folded)
                index = after
            else:
                self._step(index, step, scope)
                index += 1
        return index

    def _folded(self, operation: Mapped, step: Step, scope: _Scope) -> str | None:
        """The function of a `jax.tree.map`, where it does the same for every leaf; None to write out each."""
        runs = [
            run
            for run in operation.runs
            if run.steps or run.result is not None or any(leaf is not None for leaf in leaves(run.args))
        ]
        plain = all(isinstance(arg, Traced) or not is_container(arg) for run in runs for arg in run.args)
        # a map that takes other things for leaves than None, whose result is None, is not that of the script
        if len(runs) < 2 or not plain or len(runs) != sum(leaf is not None for leaf in leaves(step.args[0])):
            return None
        if any(not run.steps or run.problem for run in runs):
            return None
        if len({repr([type(leaf) for leaf in leaves(run.args)]) for run in runs}) > 1:
            return None
        try:
            self.arguments(step.args, {}, scope, {})
        except EmitError:  # leaves that are no values
            return None
        texts = {repr(self._function(run, scope, None)) for run in runs}
        if len(texts) > 1:
            return None
        return (
            self._lambda(runs[0], scope) if operation.function.name == "<lambda>" else None
        ) or self.function(runs[0], scope)

    def _step(self, index: int, step: Step, scope: _Scope, folded: str | None = None) -> None:
        new = [t for t in values(step.result) if t.id not in scope.names]
        waiting = {p.id for p in scope.pending}
        new = [t for t in new if t.id not in waiting]
        public = step.operation.name if isinstance(step.operation, Public) else ""
        idle = public not in _EFFECTS and not step.bodies and not isinstance(step.operation, Bound)
        if idle and not new:
            return
        try:
            if folded is None:
                text, level, result = self._call(step, scope)
            else:
                given = self.arguments(step.args, {}, scope, {})
                text, level, result = f"jax.tree.map({folded}, {given})", _ATOM, step.result
        except EmitError as error:
            raise _located(error, step) from error
        once = isinstance(result, Traced) and scope.uses.get(result.id) == 1 and not step.targets
        definitions, scope.definitions = scope.definitions, []
        if definitions:
            self._flush(scope)
            scope.statements.append((definitions, step.config))
        try:
            text = self._resolved(text, scope)
        except EmitError as error:
            raise _located(error, step) from error
        if once and "\n" not in text and len(text) <= _WIDTH and not step.config:
            scope.pending.append(_Pending(result.id, text, level, index))
            return
        self._flush(scope)
        self._assign(index, step, result, text, scope)

    def _assign(self, index: int, step: Step, result: Any, text: str, scope: _Scope) -> None:
        """The statement of a step."""
        target = self._target(index, step.targets, result, scope)
        comment = ""
        place = PurePath(step.line).name
        if place and place != scope.comment:
            scope.comment, comment = place, f"  # {place}"
        line = f"{target} = {text}" if target else text
        scope.statements.append((layout.statement(line, comment), step.config))

    def _target(self, index: int, hints: Sequence[str], result: Any, scope: _Scope) -> str:
        """What a result is assigned to; gives names to everything in it."""
        if isinstance(result, Traced | Closure):
            if result.id in scope.names:
                return ""
            name = self._name(hints[0] if len(hints) == 1 else "", result.id, index, scope)
            if isinstance(result, Closure) and result.kept:
                scope.taken.add(name)  # what it holds is known by this name
                for kept, path in list(paths(result, name))[1:]:
                    scope.names.setdefault(kept.id, path)
            return name
        if type(result) in (tuple, list) and result and (len(hints) == len(result) or _all_traced(result)):
            parts = list(hints) if len(hints) == len(result) else [""] * len(result)
            names = []
            for hint, item in zip(parts, result, strict=True):
                known = isinstance(item, Traced | Closure) and item.id in scope.names
                target = "_" if known else self._target(index, (hint,) if hint else (), item, scope) or "_"
                names.append(f"({target})" if ", " in target and target[0] != "(" else target)
            return f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        if not any(isinstance(t, Traced | Closure) for t in leaves(result)):
            return ""
        name = self._name(hints[0] if len(hints) == 1 else "out", None, index, scope)
        for traced, path in paths(result, name):
            scope.names.setdefault(traced.id, path)
        scope.trees.update(subtrees(result, name))
        return name

    def _name(self, hint: str, value: int | None, index: int, scope: _Scope) -> str:
        """A name for a value: the program's own, where its old value is needed no more."""
        gone = {n for n, i in scope.bound.items() if value is not None and scope.last.get(i, -1) <= index}
        busy = ((scope.taken | set(scope.bound)) - gone) | self.reserved
        if _CONSTANT.fullmatch(hint):
            hint = hint.lower()
        name = (
            _unused(hint, busy)
            if hint
            else next(n for n in variable_names(scope.parameters) if n not in busy)
        )
        if value is None:
            scope.taken.add(name)
        else:
            old = scope.bound.get(name)
            if old is not None:
                scope.names.pop(old, None)
            scope.bound[name] = value
            scope.names[value] = name
        return name

    def _return(self, body: Body, scope: _Scope) -> None:
        if type(body.result) is tuple and body.result:
            text = self._items(body.result, scope, {})
            text = f"({text},)" if len(body.result) == 1 else text
        else:
            text = self._value(body.result, scope, {})
        text = self._resolved(text, scope)
        self._flush(scope)
        scope.statements.append((layout.statement(f"return {text}"), {}))

    # -- folding expressions into one another

    def _resolved(self, text: str, scope: _Scope) -> str:
        """`text` with names for its values; a value made just before, for this use alone, becomes part of it.

        Python evaluates operands from left to right: what is folded in must be what was computed last.
        """
        tokens = list(_TOKEN.finditer(text))
        parts: dict[int, str] = {}
        length = len(text)
        for token in reversed(tokens):
            value, level = int(token[1]), int(token[2])
            top = scope.pending[-1] if scope.pending else None
            if top is None or top.id != value or length + len(top.text) > _WIDTH:
                continue
            scope.pending.pop()
            length += len(top.text)
            parts[token.start()] = f"({top.text})" if top.level < level else top.text
        if any(int(t[1]) in {p.id for p in scope.pending} for t in tokens):
            self._flush(scope)  # what is not folded needs a name
        return _TOKEN.sub(lambda t: parts.get(t.start()) or self._known(int(t[1]), scope), text)

    def plain(self, text: str, scope: _Scope) -> str:
        """`text` with names for its values."""
        return _TOKEN.sub(lambda t: self._known(int(t[1]), scope), text)

    def _known(self, value: int, scope: _Scope) -> str:
        name = scope.names.get(value)
        if name is None:
            raise EmitError("a value that no recorded call has made")
        return name

    def _flush(self, scope: _Scope) -> None:
        """Give the expressions that nothing swallowed names of their own."""
        pending, scope.pending = scope.pending, []
        for item in pending:
            name = self._name("", item.id, item.step, scope)
            scope.statements.append((layout.statement(f"{name} = {item.text}"), {}))

    # -- calls

    def _call(self, step: Step, scope: _Scope) -> tuple[str, int, Any]:
        """(text with tokens for values, binding strength, result as the text gives it)."""
        operation = step.operation
        if isinstance(operation, Bound):
            return self._bound(operation, step, scope)
        if (
            isinstance(operation, Public)
            and operation.name in _AS_METHOD
            and isinstance(step.args[0], Traced)
        ):
            operation = Method(_AS_METHOD[operation.name])
        if isinstance(operation, Method):
            text, level = self._method(operation.name, step, scope)
            return text, level, step.result
        called = self._callee(operation, step, scope)
        args, kwargs = step.args, step.kwargs
        if isinstance(operation, Applied):  # what is not differentiated may be anything, and is in the body
            args, kwargs = self._writable(args), self._writable(dict(kwargs))
        given = self.arguments(args, _needed(operation, kwargs), scope, step.bodies)
        return f"{called}({given})", _ATOM, step.result

    def _callee(self, operation: Any, step: Step, scope: _Scope) -> str:
        """An expression for what is called."""
        if isinstance(operation, Public):
            return self._public(operation.name)
        if isinstance(operation, Applied):
            made = operation.made
            called = self._callee(made.operation, step, scope)
            given = self.arguments(made.args, _needed(made.operation, made.kwargs), scope, step.bodies)
            return f"{called}({given})"
        if isinstance(operation, Called):
            return self._known(operation.closure.id, scope)
        if isinstance(operation, Jitted):
            return self._jitted(operation, step, scope)
        return self._custom(operation, step, scope)

    def _jitted(self, operation: Jitted, step: Step, scope: _Scope) -> str:
        p = operation.params
        assert operation.body is not None
        if not is_plain_jit(p):
            raise EmitError(f"the jitted function {p['name']} has shardings, layouts or compiler options")
        options: dict[str, Any] = {}
        if any(p["donated_invars"]):
            options["donate_argnums"] = _donated(step.args, p["donated_invars"])
        options |= {k: True for k in ("keep_unused", "inline") if p[k]}
        same = plain_identifier(p["name"]) == p["name"] == operation.body.function.name
        head = jit_decorator(self.script, None if same else p["name"], options)
        return self.function(operation.body, scope, head)

    def _custom(self, operation: Custom, step: Step, scope: _Scope) -> str:
        """A function with its derivative rules: they may call it, so it has its name before they are written."""
        body = step.bodies.get(id(operation.function)) or static_body(operation)
        rules = rule_bodies(operation, step)
        if body is None and not any(rules):
            raise EmitError(f"the function {operation.function.name} was not traced")
        local = any(self._uses.free(b) for b in (body, *rules) if b is not None)
        alike = tuple(self._key(b, scope) for b in (body, *rules))
        where: _Scope | None = scope
        while where is not None:  # defined here, or in a function around this one
            key = (operation.owner, local and id(where), *alike)
            if key in self._customs:
                return self._customs[key]
            where = where.outer if local else None
        key = (operation.owner, local and id(scope), *alike)
        if operation.kind == "custom_vmap":
            self.script.imports.add("import jax.custom_batching")
        decorator = _DECORATORS[operation.kind]
        if body is not None:
            name = self.function(body, scope, decorator, drop=operation.nondiff, again=True)
            self._customs[key] = name
        names = []
        for rule, drop in zip(rules, dropped(operation), strict=True):
            names.append(self.function(rule, scope, drop=drop) if rule else self.script.use("no_rule"))
        if body is None:
            name = self._customs[key] = self._primal(operation, names, local, scope)
        if operation.kind == "custom_vmap" and names == ["no_rule"]:
            return name
        define = {"custom_jvp": "defjvp", "custom_vjp": "defvjp", "custom_vmap": "def_vmap"}[operation.kind]
        symbolic = ", symbolic_zeros=True" if operation.symbolic_zeros else ""
        line = f"{name}.{define}({', '.join(names)}{symbolic})"
        if local:
            scope.definitions.append(line)
        else:
            self.script.definitions.append(line + "\n")
        return name

    def _primal(self, operation: Custom, rules: Sequence[str], local: bool, scope: _Scope) -> str:
        """The function itself where only its rules ran, because it was differentiated at once."""
        forward = operation.kind == "custom_vjp" and rules[0] != "no_rule"
        body = f"return {rules[0]}(*args)[0]" if forward else f"return {self.script.use('no_rule')}(*args)"
        hint, decorator = operation.function.name, _DECORATORS[operation.kind]
        if not local:
            return self._define(hint, decorator, "*args", [body])
        name = self._local_name(hint, scope)
        scope.definitions += ["", decorator, f"def {name}(*args):", f"    {body}", ""]
        return name

    def _key(self, body: Body | None, scope: _Scope) -> Any:
        """What two runs of a function have in common when one definition serves both."""
        if body is None:
            return None
        types = [leaf.aval if isinstance(leaf, Traced) else repr(leaf) for leaf in leaves(body.args)]
        return str(types), repr([scope.names.get(i) for i in sorted(self._uses.free(body))])

    def _bound(self, operation: Bound, step: Step, scope: _Scope) -> tuple[str, int, Any]:
        """A primitive: the readable function that binds it, or the bind."""
        primitive, given = operation.primitive, dict(operation.params)
        if primitive.name == "debug_callback":
            return self._debug_callback(given, step, scope)
        if any(
            hasattr(t.aval, "inner_aval") for t in leaves((step.args, step.result)) if isinstance(t, Traced)
        ):
            raise EmitError("a mutable reference has no call tree")
        operands = [_struct(a) for a in step.args]
        closed = jax.make_jaxpr(lambda *xs: primitive.bind(*xs, **given))(*operands)
        texts = [self._value(a, scope, step.bodies) for a in step.args]
        outs = [t for t in leaves(step.result) if isinstance(t, Traced)]
        (eqn,) = closed.jaxpr.eqns if len(closed.jaxpr.eqns) == 1 else (None,)
        if eqn is not None and eqn.primitive is primitive and list(eqn.outvars) == list(closed.jaxpr.outvars):
            called, items, single = self.flat.call(eqn, texts)
        else:
            called, items, single = self.flat.function(closed, primitive.name), texts, len(outs) == 1
        result = outs[0] if single else outs
        return f"{called}({', '.join(items)})", _ATOM, result

    def _stranger(self, eqn: JaxprEqn, expanded: ClosedJaxpr) -> str | None:
        """The name of a primitive of a library with its rules, which may bind it themselves.

        None when no rule of it ever ran: then nothing was transformed, and what it computes may stand in its place.
        """
        if not has_run(eqn.primitive):
            return None
        rules = rules_of(eqn)
        key = (
            eqn.primitive,
            *map(id, eqn.params.values()),
            *(v.aval for v in eqn.invars),
            *map(id, rules.values()),
        )
        if key in self._strangers:
            return self._strangers[key][1]
        several = eqn.primitive.multiple_results
        head = f"@{self.script.use('primitive')}"
        if several:
            self.script.imports.add("import functools")
            head = "@functools.partial(primitive, several=True)"
        names = [f"x{i}" for i in range(len(eqn.invars))]
        inner = self.flat.function(expanded, f"{eqn.primitive.name}_impl")
        body = [f"return {inner}({', '.join(names)})"]
        name = self._define(eqn.primitive.name, head, ", ".join(names), body, again=True)
        self._strangers[key] = eqn, name
        for case, rule in rules.items():
            if self._uses.free(rule):
                raise EmitError(
                    f"the {case[0]} rule of {eqn.primitive.name} uses values of a function around it"
                )
            text = self.module_function(rule)
            self.script.definitions.append(f"{name}.rules[{repr(case)[1:-1]}] = {text}\n")
        return name

    def _debug_callback(self, given: Mapping[str, Any], step: Step, scope: _Scope) -> tuple[str, int, Any]:
        """A callback that only looks: one that does nothing in its place."""
        self.script.notes.append("the Python callback of a debug_callback does nothing in the script")
        ordered = ", ordered=True" if type(given["effect"]).__name__.startswith("Ordered") else ""
        given_text = "".join(f", {self._value(a, scope, {})}" for a in step.args)
        return f"jax.debug.callback({self.script.use('nothing')}{given_text}{ordered})", _ATOM, ()

    def _method(self, name: str, step: Step, scope: _Scope) -> tuple[str, int]:
        args, bodies = step.args, step.bodies
        bare = name.strip("_")
        if name.startswith("__") and not step.kwargs:
            if bare == "getitem":
                return f"{self._operand(args[0], scope, _ATOM)}[{self._index(args[1], scope)}]", _ATOM
            if name in _PREFIX:
                return f"{_PREFIX[name]}{self._operand(args[0], scope, _UNARY)}", _UNARY
            if name in _BUILTIN:
                return f"{_BUILTIN[name]}({self._items(args, scope, bodies)})", _ATOM
            reflected = bare not in _BINARY and bare.startswith("r") and bare[1:] in _BINARY
            operator = _BINARY.get(bare[1:] if reflected else bare)
            if operator is not None and len(args) == 2:
                symbol, level = operator
                left, right = reversed(args) if reflected else args
                strict = level == 0 or symbol == "**"
                first = self._operand(left, scope, level + (1 if strict else 0))
                second = self._operand(right, scope, level + (0 if symbol == "**" else 1))
                return f"{first} {symbol} {second}", level
        owner = self._operand(args[0], scope, _ATOM)
        if name.startswith("."):
            return f"{owner}{name}", _ATOM
        if name.startswith("at."):
            given = self.arguments(args[2:], step.kwargs, scope, bodies)
            return f"{owner}.at[{self._index(args[1], scope)}].{name[3:]}({given})", _ATOM
        return f"{owner}.{name}({self.arguments(args[1:], step.kwargs, scope, bodies)})", _ATOM

    def _operand(self, value: Any, scope: _Scope, level: int) -> str:
        if isinstance(value, Traced):
            return f"\x00{value.id}:{level}\x00"
        text = self._value(value, scope, {})
        simple = not text.startswith(("-", "lambda")) and not (level == _ATOM and text[0].isdigit())
        return text if simple else f"({text})"

    def _index(self, value: Any, scope: _Scope) -> str:
        """What stands between the brackets of x[...]."""
        if type(value) is tuple and value:
            items = [self._index_item(v, scope) for v in value]
            return ", ".join(items) + ("," if len(items) == 1 else "")
        return self._index_item(value, scope)

    def _index_item(self, value: Any, scope: _Scope) -> str:
        if not isinstance(value, slice):
            return self._value(value, scope, {})
        parts = [
            "" if v is None else self._value(v, scope, {}) for v in (value.start, value.stop, value.step)
        ]
        return ":".join(parts[:2]) + (f":{parts[2]}" if parts[2] else "")

    # -- values

    def arguments(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], scope: _Scope, bodies: Mapping[int, Body]
    ) -> str:
        """Arguments of a call, with tokens for values."""
        given = [self._value(a, scope, bodies) for a in args]
        given += [f"{k}={self._value(v, scope, bodies)}" for k, v in kwargs.items()]
        return ", ".join(given)

    def _items(self, values: Iterable[Any], scope: _Scope, bodies: Mapping[int, Body]) -> str:
        return ", ".join(self._value(v, scope, bodies) for v in values)

    def _value(self, value: Any, scope: _Scope, bodies: Mapping[int, Body]) -> str:
        """An argument as source, with tokens for traced values. Raises EmitError for what has none."""
        if isinstance(value, Traced | Closure):
            return f"\x00{value.id}:0\x00"
        if isinstance(value, Function):
            return self._function_value(value, scope, bodies)
        kind = type(value)
        if (kind in (tuple, list, dict) or isinstance(value, Node)) and (
            name := scope.trees.get(tree_key(value))
        ):
            return name
        if isinstance(value, Node):
            return self._node(value, scope, bodies)
        if kind in (tuple, list):
            inner = self._items(value, scope, bodies)
            comma = "," if len(value) == 1 else ""
            return f"({inner}{comma})" if kind is tuple else f"[{inner}]"
        if kind is dict:
            pairs = [
                f"{self._value(k, scope, bodies)}: {self._value(v, scope, bodies)}" for k, v in value.items()
            ]
            return f"{{{', '.join(pairs)}}}"
        if kind is slice:
            return f"slice({self._items((value.start, value.stop, value.step), scope, bodies)})"
        if value is Ellipsis:
            return "..."
        if kind is str:
            return literals.string(value)
        if isinstance(value, jax.Array):
            return self.script.const(value)
        if isinstance(value, np.ndarray) and value.size > 1:
            return self.script.const(value)  # the same array is the same constant of the jaxpr
        if isinstance(value, np.ndarray | np.generic):
            return self.script.array(value, f"v{len(self.script.arrays)}")
        if callable(value) and (name := public_name(value)) is not None:
            return self._public(name)
        if kind is frozenset and (name := _set_of_checks(value)) is not None:
            return self._public(name)
        return params.param(self.script, value, self._no_body)

    def _writable(self, value: Any) -> Any:
        """A value with None for everything in it that has no source."""
        kind = type(value)
        if kind in (tuple, list):
            return kind(self._writable(v) for v in value)
        if kind is dict:
            return {k: self._writable(v) for k, v in value.items()}
        if isinstance(value, Node):
            return replace(value, children=tuple(self._writable(v) for v in value.children))
        if isinstance(value, Function):
            return value if value.body is not None else None
        if isinstance(value, Traced | Closure | jax.Array | np.ndarray | np.generic | slice | str):
            return value
        try:
            params.param(self.script, value, self._no_body)
        except EmitError:
            return None
        return value

    @staticmethod
    def _no_body(jaxpr: Any) -> str:
        raise EmitError("a jaxpr where none is expected")

    def _function_value(self, function: Function, scope: _Scope, bodies: Mapping[int, Body]) -> str:
        body = bodies.get(id(function)) or function.only_body()
        if body is None:
            raise EmitError(f"the function {function.name} was not traced")
        alone = self._same_as(body, scope)
        if alone is not None:
            return alone
        if body.function.name == "<lambda>":
            text = self._lambda(body, scope)
            if text is not None:
                return text
        return self.function(body, scope)

    def _same_as(self, body: Body, scope: _Scope) -> str | None:
        """What a function that only passes its arguments on could be replaced by."""
        if len(body.steps) != 1 or body.kwargs or body.steps[0].kwargs or body.steps[0].result != body.result:
            return None
        (step,) = body.steps
        if isinstance(step.operation, Bound | Method | Mapped) or step.args != body.args or step.config:
            return None
        operands = leaves(step.args)
        if not all(isinstance(leaf, Traced) for leaf in operands):
            return None
        uses = self._uses.of_step(step)
        if any(uses.count(operand.id) > 1 for operand in operands):
            return None  # a function inside it uses them as well
        if isinstance(step.operation, Public) and step.operation.name.startswith("jax.") and step.bodies:
            return None
        return self._callee(step.operation, step, scope)

    def _lambda(self, body: Body, scope: _Scope) -> str | None:
        """`lambda x: ...` for a function of one short expression."""
        if any(
            s.bodies or s.config or isinstance(s.operation, Jitted | Custom | Bound | Mapped)
            for s in body.steps
        ):
            return None
        if len(body.steps) > 12:
            return None  # far too long
        parameters, lines = self._function(body, scope, None)
        if len(lines) != 1 or "=" in parameters or len(lines[0]) > 60:
            return None
        answer = lines[0].removeprefix("return ")
        if type(body.result) is tuple and len(body.result) > 1:
            answer = f"({answer})"
        return f"lambda {parameters}: {answer}".replace("lambda :", "lambda:")

    def _node(self, node: Node, scope: _Scope, bodies: Mapping[int, Body]) -> str:
        """A container of somebody's class: a namedtuple with its fields, or a tuple."""
        items = self._items(node.children, scope, bodies)
        if not has_fields(node):
            return f"({items}{',' if len(node.children) == 1 else ''})"
        if node.type.__module__.partition(".")[0] == "jax" and issubclass(node.type, tuple):
            return f"{self.script.attribute(node.type)}({items})"
        name = self._node_class(node)
        return f"{name}({items})"

    def _node_class(self, node: Node) -> str:
        keys = node.keys or ()
        key = (node.type.__qualname__, keys, id(node.type))
        if key not in self._nodes:
            text = f'collections.namedtuple("{{name}}", {list(keys)!r})'.replace("'", '"')
            self.script.imports.add("import collections")
            name = self.script.assign(node.type.__name__, text, _NAMES)
            self.reserved.add(name)
            self._nodes[key] = name
        return self._nodes[key]

    def _public(self, name: str) -> str:
        """An expression for an importable public function."""
        module, _, attribute = name.rpartition(".")
        if module == "jax.lax":
            return self.script.lax(attribute)
        if module == "jax.numpy" or module.startswith("jax.numpy."):
            return self.script.import_("import jax.numpy as jnp", f"jnp{name.removeprefix('jax.numpy')}")
        if module != "jax":
            self.script.imports.add(f"import {module}")
        return name


def _located(error: EmitError, step: Step) -> EmitError:
    """An error that says where the step is, if it does not say where already."""
    if " at " in str(error):
        return EmitError(str(error))
    return EmitError(f"{error}, at {step.line} ({described(step.operation)})")


def _needed(operation: Any, kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keyword arguments without those that only say what the default is."""
    if not isinstance(operation, Public):
        return kwargs
    return {k: v for k, v in kwargs.items() if not is_default(operation.name, k, v)}


def _set_of_checks(value: frozenset[Any]) -> str | None:
    """The public name of a set of checks, as `jax.experimental.checkify.checkify` takes them."""
    checkify = sys.modules.get("jax.experimental.checkify")
    names = ("user", "nan", "div", "index", "float", "automatic", "all")
    found = (f"{name}_checks" for name in names if getattr(checkify, f"{name}_checks", None) == value)
    return next((f"jax.experimental.checkify.{name}" for name in found), None)


def _struct(value: Any) -> Any:
    aval = value.aval if isinstance(value, Traced) else jax.typeof(value)
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)


def _all_traced(result: Sequence[Any]) -> bool:
    return len(result) <= 8 and all(isinstance(t, Traced | Closure) for t in result)


def _donated(args: Sequence[Any], donated: Sequence[bool]) -> tuple[int, ...]:
    """Positions of arguments whose every leaf is donated. Raises EmitError when only some of one's are."""
    counts = [sum(isinstance(t, Traced) for t in leaves(a)) for a in args]
    flags = list(donated[len(donated) - sum(counts) :])
    positions = []
    for i, count in enumerate(counts):
        mine, flags = flags[:count], flags[count:]
        if any(mine):
            if not all(mine):
                raise EmitError("a jitted function to which part of an argument is donated")
            positions.append(i)
    return tuple(positions)


def _grouped(statements: Sequence[tuple[list[str], Mapping[str, Any]]]) -> list[str]:
    """The lines of a function, those under other options in a `with`."""
    lines: list[str] = []
    current: Mapping[str, Any] = {}
    for text, config in statements:
        if config and config != current:
            contexts = [f"jax.{n.removeprefix('jax_')}({v!r})" for n, v in config.items()]
            lines.append(f"with {', '.join(contexts)}:".replace("'", '"'))
        current = config
        lines += [f"    {line}" if line and config else line for line in text]
    text_ = "\n".join(lines).strip("\n")
    return re.sub(r"\n\n\n+", "\n\n", text_).split("\n")
