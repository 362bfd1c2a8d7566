"""Steps that a Python loop took, written as a loop.

Each round is written by itself, under the names it would have in a loop; when the texts differ regularly, they are one
(:mod:`jace_repro.emitter.tree.reroll.texts`). Nothing is a loop that is not the same, step by step, when it is unrolled
again.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jace_repro.emitter.core import syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import unused, words
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.emitter.tree.reroll.carried import Carried, carried_variables, program_name, variable_of
from jace_repro.emitter.tree.reroll.repeats import Place, Rounds
from jace_repro.emitter.tree.reroll.texts import Loop, loop_of
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.model import Step, values

#: Writes steps, the first of which has a number in the function; returns the number after the last.
WriteSteps = Callable[[FunctionWriter, Sequence[Step], int, Scope], int]

#: What is run later than it is defined would see what a later round made of the names it uses.
_LATER = (".defjvp(", ".defvjp(", ".def_vmap(")

#: More lists than this to collect what the rounds made are no easier to read than the rounds.
_LISTS = 2


@dataclass(frozen=True)
class _Collector:
    """A list of what the rounds make at a place: the variable, and the values."""

    name: str
    place: Place
    values: list[int]


@dataclass(frozen=True)
class _Variables:
    """What the rounds hand on and collect, and the numbers of the first step of the loop and of that after it."""

    carried: list[Carried]
    collectors: list[_Collector]
    index: int
    end: int


class _Unlike(enum.Enum):
    """What is not the same, or does not differ regularly, in two rounds: their lines, or what those need at the top."""

    TEXTS = enum.auto()
    SCRIPT = enum.auto()


def write_loop(
    writer: FunctionWriter, rounds: Rounds, index: int, scope: Scope, write_steps: WriteSteps
) -> bool:
    """Write rounds, the first step of which is number `index` of the function, as a loop.

    `write_steps` writes those of a round. Returns whether there is a loop; if not, nothing was written.
    """
    if rounds.key in writer.unlike:
        return False
    end = index + rounds.size * rounds.count
    places = _collected(rounds, scope, end)
    if places is None:
        return False
    before = writer.snapshot()
    base = _beginning(rounds, scope, end)
    carried = carried_variables(rounds, base, index, end)
    if carried is None:
        writer.restore(before)
        return False
    original = base.names.copy()
    for item in carried:
        if item.begins != item.name:
            base.statements.append(([f"{item.name} = {item.begins}"], {}))
        base.hold(item.name, item.first)
    collectors = [_collector(rounds, place, base, index) for place in places]
    variables = _Variables(carried, collectors, index, end)
    written = _written(writer, rounds, variables, base, scope, write_steps)
    if written is None:
        writer.restore(before)
        return False
    loop, inner = written
    expression = _comprehension(loop, rounds, variables, scope)
    if expression is not None:
        base.statements[-1] = ([expression], {})  # in the place of the empty list
    else:
        space = [""] if loop.lines[0].startswith(("def ", "@")) else []
        body = syntax.indented([*space, *loop.lines])
        base.statements.append(([f"for {loop.target} in {loop.iterable}:", *body], {}))
    scope.statements += base.statements
    _adopt(scope, inner, base, original, loop.names)
    for collector in collectors:
        # the last one has a variable of its own after a loop
        listed = collector.values[:-1] if expression is None else collector.values
        scope.names.update((value, f"{collector.name}[{k}]") for k, value in enumerate(listed))
        for kind, text in ((list, collector.name), (tuple, f"tuple({collector.name})")):
            scope.trees[kind, (), tuple(collector.values)] = text
    return True


def _collected(rounds: Rounds, scope: Scope, end: int) -> list[Place] | None:
    """The places whose values of earlier rounds are needed after the loop; None when that is no list of arrays."""
    places = dict.fromkeys(
        place
        for made in rounds.flow.made[:-1]
        for value, place in made.items()
        if scope.last.get(value, -1) >= end
    )
    return list(places) if len(places) <= _LISTS else None


def _beginning(rounds: Rounds, scope: Scope, end: int) -> Scope:
    """The scope in which the first round begins: all has a name that a round takes from outside."""
    base = scope.inner()
    base.comment = scope.comment
    for place, first in rounds.flow.carried.items():
        if hint := program_name(rounds, place):
            base.wanted.setdefault(first, hint)
    base.flush()
    for value in rounds.flow.outside:
        base.last[value] = max(base.last.get(value, -1), end)
    return base


def _collector(rounds: Rounds, place: Place, base: Scope, index: int) -> _Collector:
    """The list of what is made at a place, empty yet."""
    hint = program_name(rounds, place) or "out"
    name = unused(f"{hint}s", base.busy(index - 1) | base.bound.keys() | {hint})
    base.taken.add(name)
    base.statements.append(([f"{name} = []"], {}))
    return _Collector(name, place, [rounds.flow.value_at(place, k) for k in range(rounds.count)])


def _written(
    writer: FunctionWriter,
    rounds: Rounds,
    variables: _Variables,
    base: Scope,
    scope: Scope,
    write_steps: WriteSteps,
) -> tuple[Loop, Scope] | None:
    """The loop, and the scope at the end of its last round; None when the rounds are not alike."""
    before = writer.snapshot()
    try:
        alike = _rounds_alike(writer, rounds, variables, base, scope, write_steps, own_arrays=False)
        if alike is _Unlike.SCRIPT:
            writer.restore(before)
            alike = _rounds_alike(writer, rounds, variables, base, scope, write_steps, own_arrays=True)
    except EmitError:  # something has no name in a round: the steps are written out, or it is raised there
        return None
    if isinstance(alike, _Unlike):
        writer.unlike.add(rounds.key)
        return None
    texts, inner = alike
    # calls that gave nothing new, and are not written: there is nothing to do but to list what there is already
    empty = all(len([line for line in text if line]) <= len(variables.collectors) for text in texts)
    late = any(word in line for text in texts for line in text for word in _LATER)
    if empty or late:
        return None
    new = {n for n, held in inner.bound.items() if held != base.bound.get(n)} | (inner.taken - base.taken)
    avoid = inner.taken | inner.bound.keys() | inner.reserved | scope.taken | scope.bound.keys()
    loop = loop_of(texts, avoid, new, base.lengths)
    return None if loop is None else (loop, inner)


def _rounds_alike(
    writer: FunctionWriter,
    rounds: Rounds,
    variables: _Variables,
    base: Scope,
    scope: Scope,
    write_steps: WriteSteps,
    *,
    own_arrays: bool,
) -> tuple[list[list[str]], Scope] | _Unlike:
    """The lines of each round, and the scope at the end of the last; or what is not alike in two of them.

    It ends at the first round that is in no loop with those before it: each may hold loops of its own, which are tried
    in the same way.

    `own_arrays`: the rounds may have constants that are not the same object: each its own, even if they are equal.
    Raises EmitError when something in a round has no source.
    """
    texts: list[list[str]] = []
    needed = set()
    inner = base
    for k in range(rounds.count):
        mark = writer.snapshot()
        inner = base.inner()
        _prepare(inner, rounds, variables, k, scope)
        texts.append(_round(writer, rounds, variables, k, inner, write_steps))
        if k and loop_of(texts, frozenset(), frozenset(), {}) is None:
            return _Unlike.TEXTS
        needed.add(writer.added(mark, but_arrays=own_arrays))
        if len(needed) > 1:
            return _Unlike.SCRIPT
        if k < rounds.count - 1:
            writer.restore(mark, keep_arrays=own_arrays)
    return texts, inner


def _prepare(inner: Scope, rounds: Rounds, variables: _Variables, k: int, scope: Scope) -> None:
    """Make a round's scope the same as that of every other: which names it has, and until when it needs which value."""
    flow, size = rounds.flow, rounds.size
    start = variables.index + k * size
    for value, place in flow.made[k].items():
        counterparts = [flow.value_at(place, number) for number in range(rounds.count)]
        later = 0
        for number, other in enumerate(counterparts):
            own_end = start + (number - k + 1) * size
            last = scope.last.get(other, -1)
            later = max(later, size if last >= own_end else last - (own_end - size))
        inner.last[value] = start + later
        inner.uses[value] = 2 if later == size else max(scope.uses.get(other, 0) for other in counterparts)
    firsts = {value: place for place, value in flow.carried.items()}
    for item in variables.carried:
        handed, places = (item.first, firsts) if k == 0 else (item.made[k - 1], flow.made[k - 1])
        inner.hold(item.name, handed)
        for held in values(handed):
            inner.last[held.id] = start + flow.read.get(places.get(held.id, (-1, -1)), -1)
        inner.wanted |= {value.id: item.name for value in values(item.made[k])}


def _round(
    writer: FunctionWriter,
    rounds: Rounds,
    variables: _Variables,
    k: int,
    inner: Scope,
    write_steps: WriteSteps,
) -> list[str]:
    """The lines of one round. Raises EmitError when something in it has no source."""
    with writer.working(inner):
        write_steps(writer, rounds.own(k), variables.index + k * rounds.size, inner)
    inner.flush()
    for collector in variables.collectors:
        value = inner.known(collector.values[k])
        inner.statements.append(([f"{collector.name}.append({value})"], {}))
    moves = []
    for item in variables.carried:
        here = variable_of(item.made[k], inner)
        if here != item.name:
            moves.append((item.name, here))
    if moves:
        targets, sources = zip(*moves, strict=True)
        inner.statements.append(([f"{', '.join(targets)} = {', '.join(sources)}"], {}))
    for item in variables.carried:
        inner.hold(item.name, item.made[k])
    return inner.lines()


def _comprehension(loop: Loop, rounds: Rounds, variables: _Variables, scope: Scope) -> str | None:
    """The loop as a list comprehension, where it does nothing but to make one list, of one short expression."""
    lines, collectors = loop.lines, variables.collectors
    if len(lines) != 2 or variables.carried or len(collectors) != 1:
        return None
    (collector,) = collectors
    made, _, rest = lines[0].partition(" = ")
    expression, _, comment = rest.partition("  # ")
    appended = f"{collector.name}.append({made})"
    if lines[1] != appended or not made.isidentifier() or '"  # ' in rest or "\n" in rest:
        return None
    last = rounds.flow.made[-1].items()
    if any(place != collector.place and scope.last.get(v, -1) >= variables.end for v, place in last):
        return None
    text = f"{collector.name} = [{expression} for {loop.target} in {loop.iterable}]"
    return f"{text}  # {comment}" if comment else text


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
