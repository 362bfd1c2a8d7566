"""The variables that a loop hands from round to round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import unused
from jace_repro.emitter.tree.containers import mapped
from jace_repro.emitter.tree.paths import paths
from jace_repro.emitter.tree.reroll.repeats import Place, Rounds
from jace_repro.emitter.tree.scopes import Scope, unpacked
from jace_repro.trace.model import Closure, Traced, values


@dataclass(frozen=True)
class Carried:
    """A variable that a round hands to the next.

    Attributes:
        name: what it is called.
        made: what each round makes.
        first: what the first round is given.
        begins: the expression of that.
    """

    name: str
    made: list[Any]
    first: Any
    begins: str


def program_name(rounds: Rounds, place: Place) -> str:
    """The program's name for what is made at a place of a round, or nothing."""
    number, position = place
    wanted = values(rounds.own(0)[number].result)[position].id
    for hint, item in _items(rounds, 0, number):
        if any(v.id == wanted for v in values(item)):
            return hint
    return ""


def carried_variables(rounds: Rounds, base: Scope, index: int, end: int) -> list[Carried] | None:
    """The variables that go from round to round; None when what the first one is given is not like the others.

    Args:
        rounds: the rounds of the loop.
        base: the scope in which the first one begins.
        index: the number of its first step in the function.
        end: that of the step after the last round.
    """
    flow = rounds.flow
    carried: list[Carried] = []
    names: set[str] = set()
    for number in sorted({number for number, _ in flow.carried}):
        items = [_items(rounds, k, number) for k in range(rounds.count)]
        for position, (hint, item) in enumerate(items[0]):
            first = {
                value.id: flow.carried[place]
                for value in values(item)
                if (place := flow.made[0].get(value.id)) in flow.carried and place is not None
            }
            if not first:
                continue
            begins = _begins(item, first, base)
            if begins is None:
                return None
            expression, replaced = begins
            kept = any(i in flow.outside or base.last.get(i, -1) >= end for i in first.values())
            hint = hint or (expression if expression.isidentifier() else "")
            needed = {i for i in base.bound.get(hint, ()) if base.last.get(i, -1) >= index}
            free = expression == hint in base.bound and not kept and needed <= set(first.values())
            busy = base.busy(index - 1) | base.bound.keys() | names
            name = hint if free and hint not in names | base.taken else unused(hint or "carry", busy)
            names.add(name)
            made = [own[position][1] for own in items]
            carried.append(Carried(name, made, replaced, expression))
    return carried


def variable_of(value: Any, scope: Scope) -> str:
    """The variable that holds a value. Raises EmitError when none does."""
    root = None
    for traced, path in paths(value, "_"):
        own = _holder(scope.known(traced.id), path)
        if own is None or root not in (None, own):
            raise EmitError("a value that is handed on has no name of its own")
        root = own
    if root is None:
        raise EmitError("nothing is handed on")
    return root


def _holder(text: str, path: str) -> str | None:
    """The variable `v` of the expression v.a[0] of a value whose path is _.a[0]; None for an unlike expression."""
    return text.removesuffix(path[1:]) if path.startswith("_") and text.endswith(path[1:]) else None


def _items(rounds: Rounds, k: int, number: int) -> list[tuple[str, Any]]:
    """What the result of a step of a round is unpacked into, with the names the program gives."""
    step = rounds.own(k)[number]
    return unpacked(step.targets, step.result)


def _begins(item: Any, first: Mapping[int, int], base: Scope) -> tuple[str, Any] | None:
    """(expression, value) of what the first round has in place of `item`: values `first` for those of another round."""
    root = None
    known = {text: value for value, text in base.names.items()}
    whole = dict(first)
    for value, path in paths(item, "_"):
        if not path.startswith("_"):
            return None
        if value.id in first:
            own = _holder(base.names.get(first[value.id], ""), path)
            if not own or root not in (None, own):
                return None
            root = own
    if root is None:
        return None
    for value, path in paths(item, root):
        if value.id not in whole and path in known:
            whole[value.id] = known[path]

    def other(leaf: Any) -> Any:
        if not isinstance(leaf, Traced | Closure):
            return leaf
        return replace(leaf, id=whole[leaf.id]) if leaf.id in whole else None

    return root, mapped(item, other)
