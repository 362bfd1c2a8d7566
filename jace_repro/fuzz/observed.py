"""Programs in which a wrong result is seen: what could be wrong and change no output is given out, too.

JAX's functions guard against what hardly ever happens: a branch that no element takes, a sign that is multiplied by
zero, a condition far from its threshold. A bug in there shows in no output of theirs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace_repro.fuzz import nearly
from jace_repro.fuzz.giving import Unseen, giving
from jace_repro.fuzz.values import is_whole, wide
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import bits_equal
from jace_repro.tester.numerics.errormodel import is_exact, is_inexact
from jace_repro.tester.numerics.noise import eps_of

_Array = np.ndarray[Any, Any]
#: What is made of an equation's results.
_Change = Callable[[JaxprEqn, list[Any]], list[Any]]
#: Equations by identity, each with what it gave when it ran last, in the order in which they came first.
_Last = dict[int, tuple[JaxprEqn, list[Any]]]

#: Equations that are evaluated at most to find out whether others show; those that are left count as seen.
EFFORT = 4000
#: What is no more than so many units in the last place of its type, or such a part, may be rounding; and what is no
#: more than so many times what rounding in the program makes of it.
_ULPS, _PART, _TIMES = 2048, 0.05, 16


def observed(closed: ClosedJaxpr, arrays: Sequence[Any]) -> Callable[..., list[Any]]:
    """A program's function that gives out its outputs, and after them what could be wrong and nobody would see.

    What is looked at is each equation that runs, those of loops and branches too, from the last to the first: whether
    another result of it changes an output, by more than rounding may. Calls stay calls; a custom derivative in which
    something is given out becomes its function.

    Args:
        closed: the program.
        arrays: its inputs, on which it is looked at.
    """
    return giving(closed, unseen(closed, arrays))


def seen(function: Callable[..., Any], arrays: Sequence[Any]) -> Callable[..., list[Any]]:
    """As `observed`, of a function of these arrays."""
    return observed(jax.make_jaxpr(function)(*arrays), arrays)


class _Place(int):
    """Where a value is kept, unlike a value that is an integer."""


@dataclass(frozen=True)
class _Leaf:
    """An equation that is no call: an operation, or control flow.

    Attributes:
        operands: places of their values, or the values.
        results: places.
    """

    eqn: JaxprEqn
    operands: tuple[Any, ...]
    results: tuple[_Place, ...]


class _Walk(nearly.Walk):
    """Evaluates a leaf, and its bodies' equations, whose results may be made others.

    Attributes:
        last: what each equation gave when it ran last, in the order in which they came first.
        count: how many ran.
    """

    def __init__(self, change: _Change) -> None:
        super().__init__(lambda *_: None)
        self.change = change
        self.last: _Last = {}
        self.count = 0

    def leaf(self, eqn: JaxprEqn, args: list[Any]) -> list[Any]:
        self.count += 1
        return self._noted(eqn, super().leaf(eqn, args))

    def control(self, eqn: JaxprEqn, args: list[Any]) -> list[Any]:
        return self._noted(eqn, super().control(eqn, args))

    def _noted(self, eqn: JaxprEqn, results: list[Any]) -> list[Any]:
        results = self.change(eqn, results)
        self.last[id(eqn)] = eqn, results
        return results


class _Flat:
    """A program without calls: its leaves in order, and where its inputs and outputs are.

    Attributes:
        inputs: what each place holds before anything is evaluated.
    """

    def __init__(self, closed: ClosedJaxpr, arrays: Sequence[Any]) -> None:
        self.inputs: list[Any] = []
        self.leaves: list[_Leaf] = []
        self.outputs = self._add(closed, [self._place(x) for x in arrays])

    def _place(self, value: Any = None) -> _Place:
        self.inputs.append(value)
        return _Place(len(self.inputs) - 1)

    def _add(self, closed: ClosedJaxpr, given: Sequence[Any]) -> list[Any]:
        jaxpr = closed.jaxpr
        env: dict[Var, Any] = dict(zip(jaxpr.invars, given, strict=True))
        env.update(zip(jaxpr.constvars, closed.consts, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, Literal) else env[atom]

        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            if (call := ir.expand_call(eqn)) is None:
                results: Sequence[Any] = [self._place() for _ in eqn.outvars]
                self.leaves.append(_Leaf(eqn, tuple(operands), tuple(results)))
            else:
                results = self._add(call.body, native.given(call, eqn, operands))
            env.update(zip(eqn.outvars, results, strict=True))
        return [read(v) for v in jaxpr.outvars]


def _step(leaf: _Leaf, values: Sequence[Any], change: _Change) -> tuple[list[Any], _Walk]:
    """What a leaf gives where the places hold these values. Raises `native.TooLongError`."""
    walk = _Walk(change)
    with np.errstate(all="ignore"):
        return walk.step(leaf.eqn, [values[x] if isinstance(x, _Place) else x for x in leaf.operands]), walk


@dataclass(frozen=True)
class _Run:
    """One evaluation of a program.

    Attributes:
        values: what each place holds.
        inside: for each leaf what its equations gave when they ran last.
    """

    values: list[Any]
    inside: list[_Last]

    @classmethod
    def of(cls, flat: _Flat, change: _Change) -> _Run:
        """The evaluation. Raises `native.TooLongError`."""
        values, inside = [*flat.inputs], []
        for leaf in flat.leaves:
            results, walk = _step(leaf, values, change)
            for place, value in zip(leaf.results, results, strict=True):
                values[place] = value
            inside.append(walk.last)
        return cls(values, inside)


def unseen(closed: ClosedJaxpr, arrays: Sequence[Any]) -> list[Unseen]:
    """The equations whose results are to be given out for all to be seen, from the last to the first."""
    # a collective has no value outside of its mesh
    if any(eqn.primitive.name == "shard_map" for _, eqn in ir.walk(closed)):
        return []
    flat = _Flat(closed, arrays)
    try:
        search = _Search(flat, _Run.of(flat, lambda _, results: results), _Run.of(flat, _Rounded()))
    except native.TooLongError:
        return []
    found: list[Unseen] = []
    for number in reversed(range(len(flat.leaves))):
        for eqn in search.candidates(number):
            if search.left <= 0:
                return found
            if not search.shows(number, eqn):
                found.append(Unseen(number, eqn))
                search.give(number, eqn)
    return found


@dataclass
class _Search:
    """What is seen of a program so far.

    Attributes:
        base, rounded: evaluations of it, as it is and with rounding errors.
        shown: the places that are given out.
        inside: for each leaf the equations of its bodies that are given out.
        left: how many equations may still be evaluated.
    """

    flat: _Flat
    base: _Run
    rounded: _Run
    shown: set[int] = field(default_factory=set)
    inside: dict[int, list[int]] = field(default_factory=dict)
    left: int = EFFORT

    def __post_init__(self) -> None:
        self.shown |= {place for place in self.flat.outputs if isinstance(place, _Place)}

    def candidates(self, number: int) -> Iterator[JaxprEqn]:
        """The equations of a leaf that can be given out, from the last to the first."""
        leaf = self.flat.leaves[number]
        conditions = _of_conditions(leaf.eqn)
        for eqn, results in reversed(self.base.inside[number].values()):
            plain = eqn is leaf.eqn or all(isinstance(x, np.ndarray) for x in results)
            if plain and id(eqn) not in conditions and any(map(_is_worth_it, results)):
                yield eqn

    def give(self, number: int, eqn: JaxprEqn) -> None:
        """Take an equation of a leaf to be given out."""
        leaf = self.flat.leaves[number]
        if eqn is leaf.eqn:
            self.shown.update(leaf.results)
        else:
            self.inside.setdefault(number, []).append(id(eqn))

    def shows(self, number: int, bad: JaxprEqn) -> bool:
        """Whether a wrong result of an equation of a leaf changes what is given out."""

        def spoiled(eqn: JaxprEqn, results: list[Any]) -> list[Any]:
            return [wrong(x) if _can_be_wrong(x) else x for x in results] if eqn is bad else results

        own = self.flat.leaves[number]
        if bad is own.eqn and not self.shown.isdisjoint(own.results):
            return True
        values, changed = [*self.base.values], set[int]()
        for later, leaf in itertools.islice(enumerate(self.flat.leaves), number, None):
            if later > number and changed.isdisjoint(x for x in leaf.operands if isinstance(x, _Place)):
                continue
            try:
                results, walk = _step(leaf, values, spoiled)
            except native.TooLongError:
                return True
            self.left -= walk.count
            if self._inside_differs(later, walk.last):
                return True
            for place, new in zip(leaf.results, results, strict=True):
                old = self.base.values[place]
                seen = place in self.shown and _can_be_wrong(old)
                if seen and differs(new, old, self.rounded.values[place]):
                    return True
                if not isinstance(old, np.ndarray) or not bits_equal(new, old):  # a key is no array
                    values[place] = new
                    changed.add(place)
        return False

    def _inside_differs(self, number: int, last: _Last) -> bool:
        """Whether something that is given out of the bodies of a leaf is another one."""
        base, rounded = self.base.inside[number], self.rounded.inside[number]
        for name in self.inside.get(number, ()):
            if name not in last:  # another branch is taken
                return True
            near = rounded[name][1] if name in rounded else base[name][1]
            if any(map(differs, last[name][1], base[name][1], near)):
                return True
        return False


def _of_conditions(eqn: JaxprEqn) -> set[int]:
    """The equations in the conditions of loops, which have no way out."""
    loops = [eqn, *(one for body in ir.inner_jaxprs(eqn) for _, one in ir.walk(body))]
    return {
        id(one)
        for loop in loops
        if loop.primitive.name == "while"
        for _, one in ir.walk(ir.WHILE_CONDITION.of(loop))
    }


class _Rounded:
    """Results with an error of rounding, as another implementation may have them."""

    def __init__(self) -> None:
        self.signs = np.random.default_rng(0)

    def __call__(self, eqn: JaxprEqn, results: list[Any]) -> list[Any]:
        if is_exact(eqn) or eqn.primitive.name in ir.CONTROL:
            return results
        return [self._moved(x) if _can_be_wrong(x) and is_inexact(x.dtype) else x for x in results]

    def _moved(self, value: _Array) -> _Array:
        signs = self.signs.choice([-1.0, 1.0], value.shape)
        with np.errstate(all="ignore"):
            return np.asarray(wide(value) * (1 + signs * eps_of(value.dtype))).astype(value.dtype)


def _can_be_wrong(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.nbytes > 0  # the tangent of an integer has none


def _is_worth_it(value: Any) -> bool:
    """Whether a value may be given out: what is not finite says little, and hides what is computed from it."""
    if not _can_be_wrong(value):
        return False
    return not is_inexact(value.dtype) or bool(np.all(np.isfinite(wide(value))))


def differs(new: _Array, old: _Array, rounded: _Array | None = None) -> bool:
    """Whether a value is another one, by more than rounding may explain.

    Args:
        new, old: the values.
        rounded: what rounding errors in the program make of the old one.
    """
    rounded = old if rounded is None else rounded
    if not is_inexact(old.dtype):
        return bool(np.any((new != old) & (rounded == old)))
    one, other = wide(new), wide(old)
    part = min(_PART, _ULPS * eps_of(old.dtype))
    with np.errstate(all="ignore"):
        moved = np.nan_to_num(np.abs(wide(rounded) - other), posinf=np.inf)
        # an element may be lucky: each is granted what the typical one is
        granted = part * np.abs(other) + _TIMES * np.maximum(moved, np.median(moved))
        near = (np.abs(one - other) <= granted) | (one == other)
    return not bool(np.all(near | (np.isnan(one) & np.isnan(other))))


def wrong(value: _Array) -> _Array:
    """Another value throughout: by a quarter, or by one."""
    if value.dtype == bool:
        return ~value
    if is_whole(value.dtype):
        return value + np.ones_like(value)
    number = wide(value)
    with np.errstate(all="ignore"):
        return np.where(np.isfinite(number), number * 1.25 + (number == 0), 3).astype(value.dtype)
