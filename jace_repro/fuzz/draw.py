"""The choices that make a program, and the operands that an operation asks for.

An operation (`jace_repro.fuzz.operations`) is a function of a `Draw`: it asks for operands and parameters, and what it
asked for is remembered by name, so that a sample can be chosen in which every choice was made.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import ml_dtypes
import numpy as np

from jace_repro.tester.inputs.critical import GRIDS, JOINT

T = TypeVar("T")
DType = np.dtype[Any]
Shape = tuple[int, ...]

#: Dtypes by the letter of their class: floats, wide floats, complex, signed, unsigned, Boolean, and the small ones of
#: 8 bits or less.
CLASSES: dict[str, tuple[str, ...]] = {
    "f": ("float32", "float16", "bfloat16", "float64"),
    "w": ("float32", "float64"),
    "c": ("complex64", "complex128"),
    "i": ("int32", "int8", "int16", "int64"),
    "u": ("uint32", "uint8", "uint16", "uint64"),
    "b": ("bool",),
    "s": (
        *("float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e3m4", "float8_e8m0fnu"),
        *("float4_e2m1fn", "int4", "uint4", "int2", "uint2"),
    ),
}
#: They are there in JAX's 64-bit mode only.
WIDE = frozenset({"float64", "complex128", "int64", "uint64"})
#: Lengths of an axis: small ones, those about the width of a vector, and rarely one about a threshold of the planner's,
#: the C++ compiler's or XLA's.
LENGTHS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12)
VECTORS = (15, 16, 17, 31, 33, 63, 64, 65, 130)
LARGE = (511, 512, 513, 4095, 4096, 4097, 16383, 16384, 16385, 2**18 - 1, 2**18, 2**18 + 1)


def dtype_of(name: str) -> DType:
    """The dtype of a name, those of ml_dtypes included."""
    return np.dtype(getattr(ml_dtypes, name, name))


@dataclass(frozen=True)
class Operand:
    """An input that an operation asks for.

    Attributes:
        shape, dtype: of the array.
        domain: what its values are to be, a row of `jace_repro.fuzz.values.DOMAINS`.
        about: the primitive that reads it: its critical points are values to be tried.
        bounds: of an integer operand that means something (an index, a length): the smallest and largest value.
        position: among the operands of the primitive, where several are critical together.
    """

    shape: Shape
    dtype: DType
    domain: str = "any"
    about: str = ""
    bounds: tuple[int, int] | None = None
    position: int = 0

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


@dataclass
class Draw:
    """Draws the choices of one program from its seed.

    Attributes:
        seed: any text; the same text draws the same choices.
        x64: whether JAX's 64-bit mode is on.
        operands: what has been asked for, in order.
        choices: (name of the choice, what was chosen), in order.
    """

    seed: str
    x64: bool = False
    operands: list[Operand] = field(default_factory=list)
    choices: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def pick(self, name: str, options: Sequence[T]) -> T:
        """One of the options; the choice is remembered."""
        number = self.random.randrange(len(options))
        chosen = options[number]
        self.choices.append((name, str(number) if callable(chosen) else str(chosen)))
        return chosen

    def flag(self, name: str) -> bool:
        """True or False; the choice is remembered."""
        return self.pick(name, (False, True))

    def rarely(self, one_in: int) -> bool:
        """True once in so many; not remembered."""
        return self.random.randrange(one_in) == 0

    def whole(self, low: int, high: int) -> int:
        """A number of low, ..., high; not remembered."""
        return self.random.randint(low, high)

    def dtype(self, classes: str) -> DType:
        """A dtype of one of these classes (letters of CLASSES); the common one of a class more often."""
        names = CLASSES[self.random.choice(classes)]
        allowed = [n for n in names if self.x64 or n not in WIDE]
        name = allowed[0] if self.rarely(3) else self.random.choice(allowed)
        self.choices.append(("dtype", name))
        return dtype_of(name)

    def length(self, least: int = 0, most: int = 12) -> int:
        """The length of an axis."""
        return self.random.choice([n for n in LENGTHS if least <= n <= most])

    def shape(self, rank: int | None = None, *, least: int = 0, most: int = 12, large: bool = True) -> Shape:
        """A shape; now and then one with an axis about the width of a vector, and of one or two axes a large one."""
        if rank is None:
            rank = self.pick("rank", (0, 1, 1, 2, 2, 2, 3, 4))
        least = least if self.rarely(6) else max(least, 1)
        # An axis of length 1 hides what indexes it wrongly.
        lengths = [self.length(least if self.rarely(4) else max(least, 2), most) for _ in range(rank)]
        if rank and large and most >= 12:
            how = self.random.random()
            where = self.random.randrange(rank)
            if how < 0.2:
                lengths[where] = self.random.choice(VECTORS)
                self.choices.append(("length", "vector"))
            elif how < 0.26:
                lengths = [min(n, 2) if rank > 1 else n for n in lengths]
                lengths[where] = self.random.choice(LARGE if rank <= 2 else LARGE[:6])
                self.choices.append(("length", str(lengths[where])))
        if 0 in lengths:
            self.choices.append(("length", "0"))
        return tuple(lengths)

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
        """Ask for an operand: of a dtype of these classes unless one is given, of any shape unless one is given."""
        found = Operand(
            self.shape(rank, least=least) if shape is None else tuple(shape),
            self.dtype(classes) if dtype is None else dtype,
            domain,
            about,
            bounds,
        )
        self.operands.append(found)
        return found

    def like(self, other: Operand, **changed: Any) -> Operand:
        """Ask for an operand of the shape, dtype and domain of another."""
        named = {"domain": other.domain, "about": other.about, "bounds": other.bounds, **changed}
        return self.array(shape=other.shape, dtype=other.dtype, **named)

    def jointly(self, about: str, dtype: DType) -> None:
        """Ask for the operands of a primitive at the points at which they are critical together."""
        rows = JOINT[about]
        self.together(len(rows[0]), len(rows), dtype, "joint", about)

    def on_grid(self, about: str, dtype: DType) -> None:
        """Ask for the operands of a primitive on a grid of all of them."""
        axes = GRIDS[about]
        self.together(len(axes), math.prod(map(len, axes)), dtype, "grid", about)

    def together(self, operands: int, length: int, dtype: DType, domain: str, about: str = "") -> None:
        """Ask for so many vectors whose values belong together, element by element."""
        for k in range(operands):
            self.operands.append(Operand((length,), dtype, domain, about, position=k))

    def indices(self, shape: Shape, low: int, high: int, *, beyond: bool = True) -> Operand:
        """Ask for integers that index: low, ..., high, and, where `beyond`, some outside of that."""
        names = ("int32", "int32", "uint8", "int8", "uint32", *(("int64",) * self.x64))
        # JAX compares an index with the length in the index's dtype.
        dtype = self.pick("index dtype", names if high < 100 else names[:2])
        domain = "indices beyond" if beyond and self.flag("beyond") else "indices"
        return self.array(shape=shape, dtype=dtype_of(dtype), domain=domain, bounds=(low, max(low, high)))

    def axis(self, operand: Operand) -> int:
        """One of its axes."""
        return self.pick("axis", _places(operand.rank))

    def axes(self, operand: Operand) -> tuple[int, ...]:
        """Some of its axes, or none, or all; ascending."""
        how = self.pick("axes", ("all", "one", "some", "none") if operand.rank > 1 else ("all", "none"))
        if how in ("all", "none"):
            return tuple(range(operand.rank)) if how == "all" else ()
        return tuple(
            sorted(
                self.random.sample(
                    range(operand.rank), self.whole(1, operand.rank - 1) if how == "some" else 1
                )
            )
        )

    def permutation(self, length: int) -> tuple[int, ...]:
        """An order of 0, ..., length - 1."""
        return tuple(self.random.sample(range(length), length))


def _places(rank: int) -> list[int]:
    return list(range(rank)) or [0]
