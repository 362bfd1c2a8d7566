"""Programs of several operations: each takes what those before it gave, or a new input.

A program is grown on values: every step is run as it is added, and one whose results say nothing (not finite, or all
the same) is drawn again, since a bug in it would not be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from jace_repro.fuzz import nearly
from jace_repro.fuzz.blocks import BLOCKS
from jace_repro.fuzz.contexts import CONTEXTS
from jace_repro.fuzz.draw import CLASSES, Draw, DType, Operand, Shape
from jace_repro.fuzz.observed import seen
from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
from jace_repro.fuzz.values import is_float, is_whole, values_of, wide

_Array = np.ndarray[Any, Any]

#: So many times a step is drawn again before the program goes on without it.
TRIES = 6
#: Blocks in blocks.
DEPTH = 3
#: Values with more elements are not worked on.
_LARGEST = 20_000
_LETTERS = {name: letter for letter in "fciubs" for name in CLASSES[letter]}
#: Operations are drawn by kind, so that the many elementwise ones do not crowd out the others.
_KINDS = ("elementwise", "other", "other")


@dataclass(frozen=True)
class Ref:
    """Where a step finds an operand: among the inputs, or among the values of its block."""

    place: int
    is_input: bool


@dataclass(frozen=True)
class Step:
    """One operation, or one block, with its operands."""

    name: str
    function: Callable[..., Any]
    refs: tuple[Ref, ...]

    def on(self, inputs: Sequence[Any] | Mapping[int, Any], values: Sequence[Any]) -> list[Any]:
        """Its operands."""
        return [(inputs if ref.is_input else values)[ref.place] for ref in self.refs]


@dataclass
class Inputs:
    """The inputs of a program, which grows them as it needs them."""

    arrays: list[_Array] = field(default_factory=list)

    def add(self, operand: Operand, seed: str) -> Ref:
        """A new input."""
        self.arrays.append(values_of(operand, f"{seed} {len(self.arrays)}"))
        return Ref(len(self.arrays) - 1, is_input=True)


class _Choice(Draw):
    """A Draw whose operands are values that there are already, where one fits."""

    def __init__(self, seed: str, x64: bool, values: Sequence[_Array]) -> None:
        super().__init__(seed, x64)
        self.values = values
        self.taken: list[tuple[Operand, int | None]] = []

    def shape(self, rank: int | None = None, *, least: int = 0, most: int = 12, large: bool = True) -> Shape:
        return super().shape(rank, least=least, most=min(most, 7), large=False)

    def array(
        self,
        classes: str = "f",
        shape: Shape | None = None,
        *,
        dtype: DType | None = None,
        domain: str = "any",
        about: str = "",
        bounds: tuple[int, int] | None = None,
        rank: int | None = None,
        least: int = 0,
    ) -> Operand:
        def fits(value: _Array) -> bool:
            if dtype is not None and value.dtype != dtype:
                return False
            letter = _LETTERS.get(value.dtype.name, "")
            is_wide = letter == "f" and value.dtype.itemsize >= 4 and "w" in classes
            if dtype is None and not (is_wide or letter in classes):
                return False
            if shape is not None and value.shape != tuple(shape):
                return False
            if shape is None and (
                (rank is not None and value.ndim != rank) or any(n < least for n in value.shape)
            ):
                return False
            return is_meant(value, domain, bounds)

        fitting = [k for k, value in enumerate(self.values) if value.size <= _LARGEST and fits(value)]
        place = None
        if fitting and not self.rarely(8):
            place = self.random.choice(fitting[-3:] if self.random.random() < 0.7 else fitting)
        if place is None:
            found = super().array(
                classes, shape, dtype=dtype, domain="plain" if domain == "critical" else domain,
                about=about, bounds=bounds, rank=rank, least=least,
            )  # fmt: skip
        else:
            value = self.values[place]
            found = Operand(value.shape, value.dtype, domain, about, bounds)
            self.operands.append(found)
        self.taken.append((found, place))
        return found

    def places(self) -> list[int | None]:
        """For each operand the value that it is; None for a new input, as where the operation changed its mind."""
        return [
            place if k < len(self.taken) and operand == self.taken[k][0] else None
            for k, (operand, place) in enumerate(zip(self.operands, [p for _, p in self.taken], strict=True))
        ]


def is_meant(value: _Array, domain: str, bounds: tuple[int, int] | None) -> bool:
    """Whether a value is one that an operand of the domain may have."""
    if domain.startswith("indices"):
        low, high = bounds or (0, 0)
        return is_whole(value.dtype) and (
            domain == "indices beyond" or bool(np.all((value >= low) & (value <= high)))
        )
    if domain in _ANYTHING or not (is_float(value.dtype) or value.dtype.kind == "c"):
        return domain in _ANYTHING or domain in _RANGES
    if domain not in _RANGES:
        return False
    low_magnitude, high_magnitude, positive = _RANGES[domain]
    with np.errstate(all="ignore"):
        number = wide(value)
        magnitude = np.abs(number)
        inside = bool(np.all((magnitude >= low_magnitude) & (magnitude <= high_magnitude)))
        return inside and (not positive or (value.dtype.kind != "c" and bool(np.all(number.real > 0))))


_ANYTHING = frozenset({"any", "special", "critical", "ties"})
#: Domains by what their values have in common: least and largest magnitude, and whether they are positive.
_RANGES = {
    "plain": (0.0, 1e4, False),
    "near one": (0.3, 3.0, False),
    "unit": (1e-3, 0.999, True),
    "positive": (1e-2, 100.0, True),
    "small": (0.0, 1.0, False),
}


def says_something(value: _Array) -> bool:
    """Whether a wrong result would be seen in it: it is finite, not too large, and not one number throughout."""
    if value.size == 0:
        return True
    if is_float(value.dtype) or value.dtype.kind == "c":
        number = wide(value)
        if not np.isfinite(number).all() or float(np.abs(number).max()) > 1e30:
            return False
    return value.size == 1 or bool(np.any(value != value.flat[0]))


class Composer:
    """Grows one program, or one block of it, from a seed.

    Attributes:
        steps: in order.
        values: what they gave when they were run, after the arguments of the block.
    """

    def __init__(
        self, seed: str, x64: bool, inputs: Inputs, arguments: Sequence[_Array] = (), depth: int = 0
    ) -> None:
        self.draw = Draw(seed, x64)
        self.inputs = inputs
        self.arguments = len(arguments)
        self.values: list[_Array] = list(arguments)
        self.depth = depth
        self.steps: list[Step] = []

    def grow(self) -> None:
        """Add steps until there are enough."""
        wanted = self.draw.whole(1, 3) if self.depth else self.draw.whole(2, 9)
        for number in range(wanted):
            for attempt in range(TRIES):
                if self._add(f"{self.draw.seed} {number} {attempt}"):
                    break

    def function(self) -> Callable[..., list[Any]]:
        """`run(inputs, *arguments) -> values`: what all steps give, in order."""
        steps, count = tuple(self.steps), self.arguments

        def run(inputs: Mapping[int, Any], *arguments: Any) -> list[Any]:
            values = list(arguments)
            for step in steps:
                values += arrays_of(step.function(*step.on(inputs, values)))
            return values[count:]

        return run

    def program(self) -> tuple[Callable[..., list[Any]], list[int]]:
        """The function of its arguments and of the inputs that it reads, and the places of these.

        It gives out what no step reads, and what could be wrong and nobody would see.
        """
        run, count = self.function(), self.arguments
        results = [k - count for k in self.results()]
        read = sorted({ref.place for step in self.steps for ref in step.refs if ref.is_input})

        def function(*arrays: Any) -> list[Any]:
            values = run(dict(zip(read, arrays[count:], strict=True)), *arrays[:count])
            return [values[k] for k in results]

        given = [*self.values[:count], *(self.inputs.arrays[k] for k in read)]
        return seen(function, given), read

    def results(self) -> list[int]:
        """The values that are given out: those that no step reads."""
        read = {ref.place for step in self.steps for ref in step.refs if not ref.is_input}
        own = range(self.arguments, len(self.values))
        return [k for k in own if k not in read] or list(own)[-1:]

    def _add(self, seed: str) -> bool:
        """Draw a step; whether it says something and was added."""
        before = len(self.inputs.arrays)
        try:
            step = self._block(seed) if self._nests() else self._operation(seed)
            operands = step.on(self.inputs.arrays, self.values)
            closed = jax.make_jaxpr(lambda *a: arrays_of(step.function(*a)))(*operands)
            # XLA would compile each step anew, and a rejection loop need not end on operands that were drawn
            found = nearly.walked(closed, operands)
        except Exception:  # JAX refuses what was drawn, each part of it with exceptions of its own
            del self.inputs.arrays[before:]
            return False
        small = sum(x.size for x in found) <= 4 * _LARGEST
        if not found or not small or not all(map(says_something, found)):
            del self.inputs.arrays[before:]
            return False
        self.steps.append(step)
        self.values += found
        return True

    def _nests(self) -> bool:
        usable = any(v.size and v.size <= 500 for v in self.values)
        return self.depth < DEPTH and usable and self.draw.random.random() < 0.25

    def _operation(self, seed: str) -> Step:
        choice = _Choice(seed, self.draw.x64, self.values)
        kind = self.draw.random.choice(_KINDS)
        name = self.draw.random.choice(_BY_KIND[kind])
        if name in UNWRITTEN:
            raise ValueError(f"no script can carry {name}")
        function = OPERATIONS[name](choice)
        places = choice.places()
        if self.draw.rarely(5):
            context = CONTEXTS[choice.pick("context", ("jit", "jvp", "vjp", "loop", "branch", "between"))]
            if context.fits(choice):
                function = context.make(choice, function)
        refs = tuple(
            self.inputs.add(operand, seed) if place is None else Ref(place, is_input=False)
            for operand, place in zip(choice.operands, places, strict=True)
        )
        return Step(name, function, refs)

    def _block(self, seed: str) -> Step:
        usable = [k for k, v in enumerate(self.values) if v.size and v.size <= 500 and v.dtype.itemsize > 1]
        if not usable:
            raise ValueError("nothing to work on")
        chosen = self.draw.random.sample(usable, min(len(usable), self.draw.whole(1, 3)))
        inner = Composer(
            f"{seed} block", self.draw.x64, self.inputs, [self.values[k] for k in chosen], self.depth + 1
        )
        inner.grow()
        if not inner.steps:
            raise ValueError("an empty block")
        name = self.draw.random.choice(tuple(BLOCKS))
        trips = self.draw.whole(1, 4)
        inside, read = inner.program()
        refs = (*(Ref(k, is_input=False) for k in chosen), *(Ref(k, is_input=True) for k in read))

        def block(*arrays: Any) -> list[Any]:
            captured = arrays[len(chosen) :]
            return BLOCKS[name](lambda *own: inside(*own, *captured), trips)(*arrays[: len(chosen)])

        return Step(name, block, refs)


def arrays_of(out: Any) -> list[Any]:
    """The arrays of a result."""
    return [leaf for leaf in jax.tree.leaves(out) if hasattr(leaf, "dtype")]


_ELEMENTWISE = frozenset(name for name, make in OPERATIONS.items() if make.__module__.endswith("elementwise"))
_BY_KIND = {
    "elementwise": sorted(_ELEMENTWISE),
    "other": sorted(set(OPERATIONS) - _ELEMENTWISE),
}


def composed(seed: str, x64: bool) -> tuple[Callable[..., Any], list[_Array], tuple[tuple[str, str], ...]]:
    """A program: a function, its inputs, and what was chosen.

    Raises:
        ValueError: no step could be added.
    """
    composer = Composer(seed, x64, Inputs())
    composer.grow()
    if not composer.steps:
        raise ValueError("an empty program")
    function, read = composer.program()
    arrays = [composer.inputs.arrays[k] for k in read]
    return function, arrays, tuple(("step", step.name) for step in composer.steps)
