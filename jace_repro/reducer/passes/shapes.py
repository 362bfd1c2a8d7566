"""The pass that shrinks axes: arguments are sliced, and the program is retraced on the smaller shapes."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jace import ir
from jace_repro.reducer.parameters import GROUP_COUNTS
from jace_repro.reducer.passes.common import retraced
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem
from jace_repro.reducer.retrace import retrace, spec_of

#: (argument, axis)
Axis = tuple[int, int]
#: Sizes this close together are shrunk by the same amount when one alone does not fit (x[1:] next to x).
_NEAR = 4
#: Above so many axes of one size only all of them together are tried: each way to choose some costs a trace.
_MANY = 12
#: What is tried before all else, of programs with so many elements or iterations; of long ones, whose length is what a
#: test takes, with so many elements an equation.
_EARLY, _LARGE, _LONG, _EACH = (2, 8), 1000, 32, 100


@dataclass(frozen=True)
class Group:
    """Axes that shrink together.

    Attributes:
        size: the size that the group is named after.
        axes: argument axes; sizes may differ from `size` by a few.
        substitute: whether sizes spelled out in parameters follow.
        scaled: whether sizes keep their proportions, as where windows have strides, and not their differences.
    """

    size: int
    axes: frozenset[Axis]
    substitute: bool = True
    scaled: bool = False

    @property
    def kind(self) -> tuple[frozenset[Axis], bool, bool]:
        """What it is, whatever its size."""
        return self.axes, self.substitute, self.scaled

    def in_(self, problem: Problem) -> Group:
        """The group in a problem in which other axes, or its own, have become shorter."""
        sizes = [problem.args[i].shape[k] for i, k in self.axes]
        return replace(self, size=max(sizes) if sizes else self.size if self.size in _spelled(problem) else 1)

    def sizes(self, problem: Problem, new: int) -> dict[int, int]:
        """The substitution when the group's size becomes `new`."""
        if not self.substitute:
            return {}
        found = {problem.args[i].shape[k] for i, k in self.axes} | {self.size}
        return {s: n for s in found if (n := self.cut(s, new)) is not None}

    def cut(self, size: int, new: int) -> int | None:
        """What an axis of a size becomes when the group's size becomes `new`; None for nothing."""
        if not self.scaled:
            return size - (self.size - new) if size > self.size - new else None
        return size * new // self.size if size * new % self.size == 0 else None

    def shrunk(self, problem: Problem, new: int, *, tail: bool = False) -> Problem | None:
        """`problem` with the group's axes cut at their end (or start); None when that does not fit."""
        cut = {(i, k): self.cut(problem.args[i].shape[k], new) for i, k in self.axes}
        if None in cut.values():
            return None
        args = [
            cut_axes(arg, {k: n for (j, k), n in cut.items() if j == i and n is not None}, tail)
            for i, arg in enumerate(problem.args)
        ]
        note = f"axis of {self.size} to {new}" + (", from its end" if tail else "")
        return retraced(problem, args, self.sizes(problem, new), note)


def cut_axes(arg: Any, new: dict[int, int], tail: bool = False) -> Any:
    """An argument with new sizes of some axes: their last elements are cut off, or the first."""
    if not new:
        return arg
    index = tuple(
        (slice(n - new[k], n) if tail else slice(0, new[k])) if k in new else slice(None)
        for k, n in enumerate(arg.shape)
    )
    return arg[index] if isinstance(arg, np.ndarray) else jnp.asarray(arg)[index]


def _equations_and_values(problem: Problem) -> tuple[int, int]:
    """Where values have become simpler, fewer of them may do."""
    return problem.key.equations, problem.key.complexity


@reduction_pass("shrink axes", order=100, trigger=_equations_and_values)
def shrink_axes(problem: Problem) -> Candidates:
    """Make axes shorter: first all together, then each group of axes that can change by itself."""
    current = problem
    for target in (1, 2):
        everything = all_to(current, target)
        if everything is not None and (yield everything):
            current = everything
            break
    done: set[tuple[frozenset[Axis], bool, bool]] = set()
    while True:
        group = next((g for g in groups(current) if g.kind not in done), None)
        if group is None:
            return
        done.add(group.kind)
        for tail in (False, True):
            group = group.in_(current)
            smaller = yield from _search(current, group, tail=tail)
            if smaller is None:
                continue
            if not _same_arguments(smaller, current):
                done.clear()  # arguments went away: the positions of the others changed
            current = smaller
            if not done:
                break


@reduction_pass("shrink at once", order=5, trigger=lambda _: None)
def shrink_at_once(problem: Problem) -> Candidates:
    """Make large arrays and long loops short before all else, once: every later test takes less time.

    Not where a `while` decides by values how often it runs: with others, it may run for ever in one of the executions.
    """
    if "while" in ir.primitives(problem.closed):
        return
    large = max(_LARGE, _EACH * problem.key.equations)
    if problem.key.elements < large and problem.key.trips < _LONG:
        return
    for loops_only, target in itertools.product((False, True), _EARLY):
        shorter = all_to(problem, target, loops_only=loops_only)
        if shorter is not None and (yield shorter):
            return


def all_to(problem: Problem, target: int, *, loops_only: bool = False) -> Problem | None:
    """Every group that can shrink at all cut to `target` elements, in one candidate.

    `loops_only`: sizes that no argument has, the lengths of loops among them.
    """
    current = problem
    for group in groups(problem):
        if loops_only and group.axes:
            continue
        if not _same_arguments(current, problem):
            break
        now = group.in_(current)
        tries = itertools.islice(range(target, now.size), 8)
        made = (now.shrunk(current, new) for new in tries)
        current = next((c for c in made if c is not None), current)
    return None if current is problem else current.renamed(f"all axes to {target}")


def _same_arguments(one: Problem, other: Problem) -> bool:
    """Whether axes of one are axes of the other: no argument has gone, nor come, as a captured constant does."""
    return [np.ndim(arg) for arg in one.args] == [np.ndim(arg) for arg in other.args]


def _search(problem: Problem, group: Group, *, tail: bool) -> Generator[Problem, bool, Problem | None]:
    """Binary search for the smallest size of `group` that still fails.

    Very small sizes are tried first. From the tail one element less comes first: when even that does not
    fail, the search from the head has left nothing to find.
    """
    best: Problem | None = None
    low, high = 0, group.size  # low does not fail (or does not fit), high fails
    for new in (group.size - 1,) if tail else (1, 2, 3):
        if not 0 < new < high:
            return best
        candidate = group.shrunk(problem, new, tail=tail)
        if candidate is not None and (yield candidate):
            if not tail:
                return candidate
            best, high = candidate, new
        elif tail:
            return None
        else:
            low = new
    while high - low > 1:
        middle = (low + high) // 2
        candidate = group.shrunk(problem, middle, tail=tail)
        if candidate is not None and (yield candidate):
            best, high = candidate, middle
        else:
            low = middle
    return best


def groups(problem: Problem) -> list[Group]:
    """The groups of axes that the program lets shrink, largest sizes first.

    For each size: single axes and pairs that can change alone, then all axes of that size together, else all of nearly
    that size by the same amount; each with the sizes that equations spell out, and without; and sizes that no argument
    has.
    """
    axes: dict[Axis, int] = {
        (i, k): n for i, arg in enumerate(problem.args) for k, n in enumerate(np.shape(arg)) if n > 1
    }
    spelled = _spelled(problem)
    found = list(_in_proportion(problem, axes))
    for size in sorted(set(axes.values()) | {n for n in spelled if n > 1}, reverse=True):
        found += _groups_of(problem, size, axes, size in spelled)
    return found


def _in_proportion(problem: Problem, axes: dict[Axis, int]) -> Iterator[Group]:
    """Axes of a size, and those of a share of it.

    What a window with strides reads, and what it gives; the channels of an image, and those of a group of them; what is
    split into equal parts, and each of them.
    """
    shares = {
        n
        for _, eqn in ir.walk(problem.jaxpr)
        for n in (
            *(eqn.params.get("window_strides") or ()),
            *map(eqn.params.get, GROUP_COUNTS),
            len(eqn.outvars) if eqn.primitive.name == "split" and len(set(eqn.params["sizes"])) == 1 else 1,
        )
        if type(n) is int and n > 1
    }
    for size, share in itertools.product(sorted(set(axes.values()), reverse=True), sorted(shares)):
        whole = [axis for axis, n in axes.items() if n == size]
        part = [axis for axis, n in axes.items() if n * share == size]
        if not (whole and part):
            continue
        few = 2 < len(whole) + len(part) <= _MANY
        apart = itertools.product(*([[axis] for axis in one] for one in (whole, part))) if few else ()
        for one, other in ((whole, part), *apart):
            group = Group(size, frozenset((*one, *other)), scaled=True)
            if _fits(problem, group):
                yield group
                break


def _spelled(problem: Problem) -> set[int]:
    """Sizes that equations spell out: the lengths of scans, and axes that are made of nothing."""
    found = set()
    for _, eqn in ir.walk(problem.jaxpr):
        match eqn.primitive.name:
            case "scan":
                found.add(int(eqn.params["length"]))
            case "iota" | "broadcast_in_dim" | "rng_bit_generator" | "rng_uniform" | "random_bits":
                made = set(range(len(eqn.params["shape"]))) - set(eqn.params.get("broadcast_dimensions", ()))
                found |= {int(eqn.params["shape"][axis]) for axis in made}
    return found


def _groups_of(problem: Problem, size: int, axes: dict[Axis, int], is_spelled: bool) -> list[Group]:
    same = [a for a, n in axes.items() if n == size]

    def fits(group: Group) -> bool:
        return _fits(problem, group)

    if not same:
        return [g for g in (Group(size, frozenset()),) if is_spelled and fits(g)]
    free: list[Group] = []
    taken: set[Axis] = set()
    for count in (1, 2) if len(same) <= _MANY else ():
        for chosen in itertools.combinations(same, count):
            if taken.isdisjoint(chosen) and len(chosen) < len(same):
                options = (Group(size, frozenset(chosen), s) for s in (False, True))
                fitting = next(filter(fits, options), None)
                if fitting is not None:
                    free.append(fitting)
                    taken.update(chosen)
    rest = frozenset(a for a in same if a not in taken)
    for together in dict.fromkeys((rest, frozenset(same))):
        both = [Group(size, together, s) for s in ((True, False) if is_spelled else (True,))]
        if together and (some := list(filter(fits, both))):
            return [*free, *some]
    plain = Group(size, frozenset(same), False)
    if fits(plain):
        return [*free, plain]
    near = frozenset(a for a, n in axes.items() if abs(n - size) <= _NEAR and n > _NEAR + 1)
    cluster = Group(size, near)
    return [*free, cluster] if near and size == max(axes[a] for a in near) and fits(cluster) else free


def _fits(problem: Problem, group: Group) -> bool:
    """Whether the program can be retraced with the group smaller (an axis of 1 would fit anywhere)."""
    new = group.size // 2 if group.size >= 4 else group.size - 1
    specs = []
    for i, arg in enumerate(problem.args):
        aval = jax.typeof(arg)
        cut = [group.cut(n, new) if (i, k) in group.axes else n for k, n in enumerate(aval.shape)]
        shape = tuple(n for n in cut if n is not None)
        if len(shape) < len(cut):
            return False
        specs.append(spec_of(aval, shape))
    return retrace(problem, specs, group.sizes(problem, new), "") is not None
