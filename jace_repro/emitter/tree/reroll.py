"""Steps that a Python loop took, written as a loop.

Each round is written by itself, under the names it would have in a loop; when the texts differ regularly, they are one
(`progressions`). Nothing is a loop that is not the same, step by step, when it is unrolled again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import unused, words
from jace_repro.emitter.tree.paths import paths
from jace_repro.emitter.tree.reroll_loops import Flow, Repeat, round_of
from jace_repro.emitter.tree.reroll_texts import loop_of
from jace_repro.emitter.tree.scopes import Scope, unpacked
from jace_repro.emitter.tree.uses import count_steps
from jace_repro.trace.model import Closure, Node, Step, Traced, values

if TYPE_CHECKING:
    from jace_repro.emitter.tree.functions import Writer

WriteSteps = Callable[["Writer", Sequence[Step], int, Scope], int]

#: What is run later than it is defined would see what a later round made of the names it uses.
_LATER = (".defjvp(", ".defvjp(", ".def_vmap(")

#: More lists than this to collect what the rounds made are no easier to read than the rounds.
_LISTS = 2


@dataclass(frozen=True)
class _Carried:
    """A variable that a round hands to the next: what each round makes, and what the first one is given."""

    name: str
    made: list[Any]
    first: Any
    begins: str


def fold(
    writer: Writer,
    steps: Sequence[Step],
    repeat: Repeat,
    found: Flow,
    index: int,
    scope: Scope,
    write_steps: WriteSteps,
) -> bool:
    """Write the steps of `repeat`, the first of which is number `index` of the function, as a loop.

    `write_steps` writes those of a round. Answers whether there is a loop; if not, nothing was written.
    """
    size = count_steps(round_of(steps, repeat, 0))
    end = index + size * repeat.rounds
    lists = _collected(found, scope, end)
    if lists is None:
        return False
    before = writer.snapshot()
    base = scope.inner()
    base.comment = scope.comment
    for place, first in found.carried.items():
        if hint := _hint(steps, repeat, place):
            base.wanted.setdefault(first, hint)
    base.flush()
    for value in found.outside:
        base.last[value] = max(base.last.get(value, -1), end)
    carried = _carried(found, steps, repeat, base, index, end)
    if carried is None:
        writer.restore(before)
        return False
    original = base.names.copy()
    for item in carried:
        if item.begins != item.name:
            base.statements.append(([f"{item.name} = {item.begins}"], {}))
        base.hold(item.name, item.first)
    collectors = []
    for place in lists:
        hint = _hint(steps, repeat, place) or "out"
        name = unused(f"{hint}s", base.busy(index - 1) | base.bound.keys() | {hint})
        base.taken.add(name)
        base.statements.append(([f"{name} = []"], {}))
        collectors.append((name, place))
    texts: list[list[str]] = []
    additions = set()
    inner = base
    for k in range(repeat.rounds):
        mark = writer.snapshot()
        inner = base.inner()
        _prepare(inner, found, carried, k, index + k * size, size, scope)
        try:
            texts.append(
                _round(
                    writer, steps, repeat, k, index + k * size, inner, carried, collectors, found, write_steps
                )
            )
        except (
            EmitError
        ):  # something has no name in a round: the steps are written out, or it is raised there
            writer.restore(before)
            return False
        additions.add(writer.added(mark))
        if k < repeat.rounds - 1:
            writer.restore(mark)
    new = {n for n, held in inner.bound.items() if held != base.bound.get(n)} | (inner.taken - base.taken)
    avoid = inner.taken | inner.bound.keys() | inner.reserved | scope.taken | scope.bound.keys()
    # calls that gave nothing new, and are not written: there is nothing to do but to list what there is already
    empty = all(len([line for line in text if line]) <= len(collectors) for text in texts)
    late = any(word in line for text in texts for line in text for word in _LATER)
    loop = None if empty or late or len(additions) > 1 else loop_of(texts, avoid, new, base.lengths)
    if loop is None:
        writer.restore(before)
        return False
    made = {place: [_value_at(m, place) for m in found.made] for _, place in collectors}
    shown = _comprehension(loop.lines, carried, collectors, inner, found, end, scope)
    if shown is not None:
        name, expression, comment = shown
        base.statements.pop()
        base.statements.append(
            ([f"{name} = [{expression} for {loop.target} in {loop.iterable}]{comment}"], {})
        )
    else:
        space = [""] if loop.lines[0].startswith(("def ", "@")) else []
        body = [*space, *(f"    {line}" if line else "" for line in loop.lines)]
        base.statements.append(([f"for {loop.target} in {loop.iterable}:", *body], {}))
    scope.statements += base.statements
    _adopt(scope, inner, base, original, loop.names)
    for name, place in collectors:
        ids = made[place]
        for k, value in enumerate(ids[:-1] if shown is None else ids):
            scope.names[value] = f"{name}[{k}]"
        for kind, text in ((list, name), (tuple, f"tuple({name})")):
            scope.trees[kind, (), tuple(ids)] = text
    return True


def _value_at(made: Mapping[int, tuple[int, int]], place: tuple[int, int]) -> int:
    return next(value for value, where in made.items() if where == place)


def _hint(steps: Sequence[Step], repeat: Repeat, place: tuple[int, int]) -> str:
    """The program's name for what is made at a place of a round."""
    for hint, item in _items(steps, repeat, 0, place[0]):
        if any(v.id == values(steps[repeat.start + place[0]].result)[place[1]].id for v in values(item)):
            return hint
    return ""


def _items(steps: Sequence[Step], repeat: Repeat, k: int, number: int) -> list[tuple[str, Any]]:
    """What the result of a step of a round is unpacked into, with the names the program gives."""
    step = round_of(steps, repeat, k)[number]
    return unpacked(step.targets, step.result)


def _collected(found: Flow, scope: Scope, end: int) -> list[tuple[int, int]] | None:
    """The places whose values of earlier rounds are needed after the loop; None when that is no list of arrays."""
    places = dict.fromkeys(
        place for made in found.made[:-1] for value, place in made.items() if scope.last.get(value, -1) >= end
    )
    return list(places) if len(places) <= _LISTS else None


def _carried(
    found: Flow, steps: Sequence[Step], repeat: Repeat, base: Scope, index: int, end: int
) -> list[_Carried] | None:
    """The variables that go from round to round; None when what the first one is given is not like the others."""
    carried: list[_Carried] = []
    names: set[str] = set()
    for number in sorted({number for number, _ in found.carried}):
        rounds = [_items(steps, repeat, k, number) for k in range(repeat.rounds)]
        for position, (hint, item) in enumerate(rounds[0]):
            first = {
                value.id: found.carried[place]
                for value in values(item)
                if (place := found.made[0].get(value.id)) in found.carried and place is not None
            }
            if not first:
                continue
            begins = _begins(item, first, base)
            if begins is None:
                return None
            expression, replaced = begins
            kept = any(i in found.outside or base.last.get(i, -1) >= end for i in first.values())
            hint = hint or (expression if expression.isidentifier() else "")
            needed = {i for i in base.bound.get(hint, ()) if base.last.get(i, -1) >= index}
            free = expression == hint in base.bound and not kept and needed <= set(first.values())
            busy = base.busy(index - 1) | base.bound.keys() | names
            name = hint if free and hint not in names | base.taken else unused(hint or "carry", busy)
            names.add(name)
            made = [items[position][1] for items in rounds]
            carried.append(_Carried(name, made, replaced, expression))
    return carried


def _begins(item: Any, first: Mapping[int, int], base: Scope) -> tuple[str, Any] | None:
    """(expression, value) of what the first round has in place of `item`: values `first` for those of another round."""
    root = None
    known = {text: value for value, text in base.names.items()}
    whole = dict(first)
    for value, path in paths(item, "_"):
        suffix = path[1:] if path.startswith("_") else None
        if suffix is None:
            return None
        if value.id in first:
            text = base.names.get(first[value.id], "")
            if not text.endswith(suffix):
                return None
            own = text[: len(text) - len(suffix)] if suffix else text
            if root not in (None, own) or not own:
                return None
            root = own
    if root is None:
        return None
    for value, path in paths(item, root):
        if value.id not in whole and path in known:
            whole[value.id] = known[path]
    return root, _substituted(item, whole)


def _substituted(value: Any, other: Mapping[int, int]) -> Any:
    """A value with others for the traced ones in it; None for those that have none."""
    if isinstance(value, Traced | Closure):
        return replace(value, id=other[value.id]) if value.id in other else None
    if type(value) in (tuple, list):
        return type(value)(_substituted(v, other) for v in value)
    if type(value) is dict:
        return {k: _substituted(v, other) for k, v in value.items()}
    if isinstance(value, Node):
        return replace(value, children=tuple(_substituted(v, other) for v in value.children))
    return value


def _prepare(
    inner: Scope, found: Flow, carried: Sequence[_Carried], k: int, start: int, size: int, scope: Scope
) -> None:
    """Make a round's scope the same as that of every other: which names it has, and until when it needs which value."""
    made = found.made
    for value, place in made[k].items():
        counterparts = [_value_at(m, place) for m in made]
        later = 0
        for number, other in enumerate(counterparts):
            own_end = start + (number - k + 1) * size
            last = scope.last.get(other, -1)
            later = max(later, size if last >= own_end else last - (own_end - size))
        inner.last[value] = start + later
        inner.uses[value] = 2 if later == size else max(scope.uses.get(other, 0) for other in counterparts)
    firsts = {value: place for place, value in found.carried.items()}
    for item in carried:
        handed, places = (item.first, firsts) if k == 0 else (item.made[k - 1], made[k - 1])
        inner.hold(item.name, handed)
        for held in values(handed):
            inner.last[held.id] = start + found.read.get(places.get(held.id, (-1, -1)), -1)
        inner.wanted |= {value.id: item.name for value in values(item.made[k])}


def _round(
    writer: Writer,
    steps: Sequence[Step],
    repeat: Repeat,
    k: int,
    start: int,
    inner: Scope,
    carried: Sequence[_Carried],
    collectors: Sequence[tuple[str, tuple[int, int]]],
    found: Flow,
    write_steps: WriteSteps,
) -> list[str]:
    """The lines of one round. Raises EmitError when something in it has no source."""
    with writer.working(inner):
        write_steps(writer, round_of(steps, repeat, k), start, inner)
    inner.flush()
    for name, place in collectors:
        value = _value_at(found.made[k], place)
        inner.statements.append(([f"{name}.append({inner.known(value)})"], {}))
    moves = []
    for item in carried:
        here = _expression(item.made[k], inner)
        if here != item.name:
            moves.append((item.name, here))
    if moves:
        targets, sources = zip(*moves, strict=True)
        inner.statements.append(([f"{', '.join(targets)} = {', '.join(sources)}"], {}))
    for item in carried:
        inner.hold(item.name, item.made[k])
    return inner.lines()


def _expression(value: Any, scope: Scope) -> str:
    """The variable that holds a value. Raises EmitError when none does."""
    root = None
    for traced, path in paths(value, "_"):
        text, suffix = scope.known(traced.id), path[1:]
        if not path.startswith("_") or not text.endswith(suffix):
            raise EmitError("a value that is handed on has no name of its own")
        own = text[: len(text) - len(suffix)] if suffix else text
        if root not in (None, own):
            raise EmitError("a value that is handed on has no name of its own")
        root = own
    if root is None:
        raise EmitError("nothing is handed on")
    return root


def _comprehension(
    lines: Sequence[str],
    carried: Sequence[_Carried],
    collectors: Sequence[tuple[str, Any]],
    inner: Scope,
    found: Flow,
    end: int,
    scope: Scope,
) -> tuple[str, str, str] | None:
    """(list, expression, comment) where the loop does nothing but to make one list, of one short expression."""
    if len(lines) != 2 or carried or len(collectors) != 1:
        return None
    ((name, place),) = collectors
    made, _, rest = lines[0].partition(" = ")
    expression, _, comment = rest.partition("  # ")
    if lines[1] != f"{name}.append({made})" or not made.isidentifier() or '"  # ' in rest or "\n" in rest:
        return None
    others = [v for v, where in found.made[-1].items() if where != place and scope.last.get(v, -1) >= end]
    if others:
        return None
    return name, expression, f"  # {comment}" if comment else ""


def _adopt(
    scope: Scope, inner: Scope, base: Scope, original: Mapping[int, str], names: frozenset[str]
) -> None:
    """Know after the loop what its last round knew, and where what came before it still is."""
    changed = {n for n in inner.bound.keys() | base.bound.keys() if inner.bound.get(n) != base.bound.get(n)}
    for value, text in original.items():
        if not words(text) & changed:
            inner.names.setdefault(value, text)
    for name in ("names", "bound", "local", "trees", "parameters", "lengths"):
        setattr(scope, name, getattr(inner, name))
    scope.taken |= inner.taken | names
    scope.comment = ""
    scope.pending = []
