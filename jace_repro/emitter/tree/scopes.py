"""The names and statements of one function while it is written.

Text under construction has tokens for traced values: which expression stands for one is known only when its statement
is written (:meth:`Scope.resolved`).
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import Any

from jace_repro.emitter.core import prelude
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import SHORT_DTYPES, unused, variable_names, words
from jace_repro.emitter.tree.paths import lengths, paths, subtrees, tree_key
from jace_repro.trace.model import FOLDING, Closure, Step, Traced, leaves, values

#: Longest line of an expression that swallows the value of another.
WIDTH = 88

#: Names that mean something at the top of a script.
NAMES = frozenset(
    (
        *("inputs", "repro", "read_sidecar", "read_large", "read_arrays", "ARRAYS", "LARGE"),
        *("jax", "np", "jnp", "lax", "collections", "functools"),
        *("abs", "divmod", "round", "slice", "range", "float", "complex", "primitives"),
        *prelude.FUNCTIONS,
        *SHORT_DTYPES.values(),
    )
)
_CONSTANT = re.compile(r"C\d+")
#: What containers are known by while they have no name: no traced value has such an id.
_numbers = itertools.count(1 << 52)
_TOKEN = re.compile("\x00(\\d+):(\\d+)\x00")


#: What a scope within another has of its own.
_OWN = frozenset(("reserved", "outer", "number", "statements", "definitions", "comment"))


def token(value: Traced | Closure, level: int = 0) -> str:
    """What stands for a value in text, as an operand of something that binds as strongly as `level`."""
    return f"\x00{value.id}:{level}\x00"


@dataclass
class Pending:
    """An expression that may yet become part of the next one.

    Attributes:
        id: that of the traced value, or a number of its own for a container.
        text: the expression, in which all values have names.
        level: how strongly it binds.
        step: the number of the step that it is.
        result: what it gives, which nothing else uses.
    """

    id: int
    text: str
    level: int
    step: int
    result: Any

    @property
    def holds(self) -> frozenset[int]:
        """The ids of all that has no name as long as this is pending."""
        return frozenset((self.id, *(value.id for value in values(self.result))))


@dataclass
class Scope:
    """What is known while the lines of one function are written.

    Attributes:
        taken: names that must not be given to other values.
        reserved: those that no scope of the script may give, now or later.
        names: expressions of traced values and closures by their ids, those of the enclosing functions included.
        bound: the values that each local name stands for, or holds.
        uses: how many steps use a value.
        last: the number of the last of them.
        pending: expressions that wait for the one that uses them, in the order of their steps.
        statements: lines written so far, each with the JAX options it is under.
        definitions: lines of functions that the next statement needs.
        local: names of the functions defined here.
        trees: expressions of containers, by what is in them.
        lengths: those of sequences, by their expressions.
        parameters: names no other value gets unasked.
        wanted: names of values that the program has none for.
        comment: the source line that the last comment gave.
        outer: the scope of the function around this one.
        number: no other scope has it.
    """

    taken: set[str]
    reserved: set[str]
    names: dict[int, str] = field(default_factory=dict)
    bound: dict[str, frozenset[int]] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    pending: list[Pending] = field(default_factory=list)
    statements: list[tuple[list[str], Mapping[str, Any]]] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    local: dict[tuple[int, str], str] = field(default_factory=dict)
    trees: dict[Any, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)
    wanted: dict[int, str] = field(default_factory=dict)
    comment: str = ""
    outer: Scope | None = None
    number: int = field(default_factory=itertools.count().__next__)

    def inner(self) -> Scope:
        """A scope that knows what this one does, and has no statements yet."""
        copies = {f.name: copy.copy(getattr(self, f.name)) for f in fields(self) if f.name not in _OWN}
        return Scope(**copies, reserved=self.reserved, outer=self)

    def bind(self, name: str, value: Any) -> str:
        """The name of a parameter with this value."""
        name = unused(name, self.taken | set(self.bound))
        self.parameters.add(name)
        self.hold(name, value)
        return name

    def hold(self, name: str, value: Any) -> None:
        """Make `name` the variable that has this value."""
        self.forget(name)
        self.bound[name] = frozenset(t.id for t in values(value))
        self.names.update((t.id, text) for t, text in paths(value, name))
        self.trees.update(subtrees(value, name))
        self.lengths.update(lengths(value, name))

    def forget(self, name: str) -> None:
        """The variable has another value from now on."""
        for value in self.bound.pop(name, ()):
            if name in words(self.names.get(value, "")):
                del self.names[value]
        self.trees = {key: text for key, text in self.trees.items() if name not in words(text)}
        self.lengths = {text: length for text, length in self.lengths.items() if name not in words(text)}

    def busy(self, index: int) -> set[str]:
        """Names that the result of step `index` cannot have."""
        gone = {n for n, held in self.bound.items() if all(self.last.get(i, -1) <= index for i in held)}
        return (set(self.bound) - gone) | self.taken | self.reserved

    def name(self, hint: str, held: Sequence[int], index: int) -> str:
        """A name for what holds these values: the program's own, where its old value is needed no more."""
        busy = self.busy(index)
        hint = hint or next((self.wanted[i] for i in held if i in self.wanted), "")
        if _CONSTANT.fullmatch(hint):
            hint = hint.lower()
        name = (
            unused(hint, busy) if hint else next(n for n in variable_names(self.parameters) if n not in busy)
        )
        self.forget(name)
        self.bound[name] = frozenset(held)
        return name

    def target(self, index: int, hints: Sequence[str], result: Any) -> str:
        """What a result is assigned to; gives names to everything in it."""
        if isinstance(result, Traced | Closure):
            if result.id in self.names:
                return ""
            name = self.name(hints[0] if len(hints) == 1 else "", [result.id], index)
            self.names[result.id] = name
            if isinstance(result, Closure) and result.kept:
                self.taken.add(name)  # what it holds is known by this name
                for kept, path in list(paths(result, name))[1:]:
                    self.names.setdefault(kept.id, path)
            return name
        parts = _parts(hints, result)
        if parts is not None:
            names = []
            for hint, item in parts:
                known = isinstance(item, Traced | Closure) and item.id in self.names
                target = "_" if known else self.target(index, (hint,) if hint else (), item) or "_"
                names.append(f"({target})" if ", " in target and target[0] != "(" else target)
            return f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        if not any(isinstance(t, Traced | Closure) for t in leaves(result)):
            return ""
        held = [t.id for t in values(result)]
        hint = (
            hints[0] if len(hints) == 1 else next((self.wanted[i] for i in held if i in self.wanted), "out")
        )
        name = self.name(hint, held, index)
        for traced, path in paths(result, name):
            self.names.setdefault(traced.id, path)
        self.trees.update(subtrees(result, name))
        self.lengths.update(lengths(result, name))
        return name

    def assign(self, index: int, step: Step, result: Any, text: str) -> None:
        """The statement of a step."""
        target = self.target(index, step.targets, result)
        comment = ""
        place = PurePath(step.line).name
        if place and place != self.comment:
            self.comment, comment = place, f"  # {place}"
        line = f"{target} = {text}" if target else text
        self.statements.append(([f"{line}{comment}"], step.config))

    def postpone(self, result: Any, text: str, level: int, index: int) -> None:
        """Wait with an expression for what uses its result; a container is used as a whole, or gets a name."""
        number = result.id if isinstance(result, Traced) else next(_numbers)
        self.pending.append(Pending(number, text, level, index, result))
        if not isinstance(result, Traced):
            self.trees[tree_key(result)] = f"\x00{number}:0\x00"

    def known(self, value: int) -> str:
        """The expression of a value. Raises EmitError when it has none."""
        name = self.names.get(value)
        if name is None:
            raise EmitError("a value that no recorded call has made")
        return name

    def plain(self, text: str) -> str:
        """`text` with names for its values."""
        return _TOKEN.sub(lambda t: self.known(int(t[1])), text)

    def resolved(self, text: str) -> str:
        """`text` with names for its values; a value made just before, for this use alone, becomes part of it.

        Python evaluates operands from left to right: what is folded in must be what was computed last.
        """
        tokens = list(_TOKEN.finditer(text))
        parts: dict[int, str] = {}
        length = len(text)
        for token in reversed(tokens):
            value, level = int(token[1]), int(token[2])
            top = self.pending[-1] if self.pending else None
            if top is None or top.id != value or length + len(top.text) > WIDTH:
                continue
            self.pending.pop()
            self.trees.pop(tree_key(top.result), None)
            length += len(top.text)
            parts[token.start()] = f"({top.text})" if top.level < level else top.text
        if any(int(t[1]) in p.holds for t in tokens for p in self.pending):
            self.flush()  # what is not folded needs a name
        return _TOKEN.sub(lambda t: parts.get(t.start()) or self.known(int(t[1])), text)

    def flush(self) -> None:
        """Give the expressions that nothing swallowed names of their own."""
        pending, self.pending = self.pending, []
        for item in pending:
            self.trees.pop(tree_key(item.result), None)
            target = self.target(item.step, (), item.result)
            if not isinstance(item.result, Traced):
                self.names[item.id] = f"({target})"
            self.statements.append(([f"{target} = {item.text}"], {}))

    def lines(self) -> list[str]:
        """The lines of a function, those under other options in a `with`."""
        lines: list[str] = []
        current: Mapping[str, Any] = {}
        for text, config in self.statements:
            if config and config != current:
                lines.append(f"with {', '.join(_context(n, v) for n, v in config.items())}:")
            current = config
            lines += [f"    {line}" if line and config else line for line in text]
        text_ = "\n".join(lines).strip("\n")
        return re.sub(r"\n\n\n+", "\n\n", text_).split("\n")


def _context(option: str, value: Any) -> str:
    """The context manager that sets an option of JAX's, or the one that has nothing to set."""
    if option == FOLDING:
        return f"jax.{FOLDING}()"
    return f"jax.{option.removeprefix('jax_')}({value!r})".replace("'", '"')


def unpacked(hints: Sequence[str], result: Any) -> list[tuple[str, Any]]:
    """(the program's name or "", value) of everything that gets a variable of its own when a result is assigned."""
    parts = _parts(hints, result)
    if parts is None:
        return [(hints[0] if len(hints) == 1 else "", result)]
    return [pair for hint, item in parts for pair in unpacked((hint,) if hint else (), item)]


def _parts(hints: Sequence[str], result: Any) -> list[tuple[str, Any]] | None:
    """The items of a sequence that is unpacked, each with its name; None for any other result."""
    if type(result) not in (tuple, list) or not result:
        return None
    if len(hints) == len(result):
        return list(zip(hints, result, strict=True))
    few = not hints and len(result) <= 8 and all(isinstance(t, Traced | Closure) for t in result)
    return [("", item) for item in result] if few else None
