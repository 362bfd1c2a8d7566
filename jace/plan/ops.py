"""A plan: buffers and the operations on them, in order. What the planner makes and the SDFG builder reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from jace.plan.index import ZERO, Ix


@dataclass(frozen=True)
class Buffer:
    """An array in memory, C-contiguous, of the JAX shape (rank 0 is stored with shape (1,))."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    kind: Literal["input", "output", "temp"]

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides in elements."""
        strides, step = [], 1
        for extent in reversed(self.shape):
            strides.append(step)
            step *= extent
        return tuple(reversed(strides))


@dataclass(frozen=True)
class Ref:
    """A buffer, or the part of it with leading indices fixed (one step of a scanned array).

    Attributes:
        prefix: the fixed leading indices.
        writable: an update may be done in place (the value dies with this use).
    """

    buffer: Buffer
    prefix: tuple[Ix, ...] = ()
    writable: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the part."""
        return self.buffer.shape[len(self.prefix) :]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements."""
        return self.buffer.dtype

    def address(self, index: tuple[Ix, ...]) -> Ix:
        """Linear element offset of `index`."""
        offset = Ix()
        for ix, stride in zip((*self.prefix, *index), self.buffer.strides, strict=True):
            offset = offset + ix * stride
        return offset


@dataclass(frozen=True)
class Access:
    """A connector of a kernel's tasklet.

    Attributes:
        subset: index of the one element accessed (one entry a dimension), or None for the whole array by pointer.
        indirect: of the whole array one element is read, whose index the tasklet has from elsewhere.
        wcr: write-conflict resolution, a Python lambda's text: how what is stored combines with what is there; ""
            replaces it.
    """

    connector: str
    buffer: Buffer
    subset: tuple[Ix, ...] | None = None
    wcr: str = ""
    indirect: bool = False


@dataclass(frozen=True)
class Kernel:
    """One map and one tasklet.

    Attributes:
        ranges: map parameters and extents, outermost first; empty for a single tasklet.
        code: C++ body, or a line of Python.
        note: which equation it is for, in annotated builds (`jace.debug.notes`).
        parallel: whether the outermost map dimension is worth threads.
        sources: the user's source lines behind the kernel, for reports.
        routine: what it computes is an operation that DaCe has no node for, and that its passes need not look into.
    """

    label: str
    ranges: tuple[tuple[str, int], ...]
    code: str
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    parallel: bool = False
    sources: tuple[str, ...] = ()
    routine: bool = False
    python: bool = False
    note: str = ""


@dataclass(frozen=True)
class Span:
    """A connector of a library node ("": it has none until it is expanded) and the part of a buffer behind it."""

    connector: str
    ref: Ref

    @property
    def buffer(self) -> Buffer:
        """The buffer accessed."""
        return self.ref.buffer


@dataclass(frozen=True)
class Call:
    """One of DaCe's library nodes.

    Attributes:
        node: a name of `jace.sdfg.library.NODES`.
        properties: what the node is made with, by name.
        sources: the user's source lines behind it, for reports.
    """

    label: str
    node: str
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]
    properties: tuple[tuple[str, Any], ...] = ()
    sources: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Nested:
    """A plan of its own: a nested SDFG.

    Attributes:
        reads, writes: the plan's inputs and outputs, in order: connectors of their names, and what is behind them.
    """

    label: str
    plan: Plan
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]
    sources: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Box:
    """A part of a buffer: the first index and the extent of each of its dimensions."""

    buffer: Buffer
    begin: tuple[Ix, ...]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, ref: Ref, begin: tuple[Ix, ...] | None = None, shape: tuple[int, ...] | None = None) -> Box:
        """The part of `ref` of a shape that begins at `begin`; all of it where neither is given."""
        begin = (ZERO,) * len(ref.shape) if begin is None else begin
        shape = ref.shape if shape is None else shape
        return cls(ref.buffer, (*ref.prefix, *begin), (*(1 for _ in ref.prefix), *shape))


@dataclass(frozen=True)
class Copy:
    """One part of a buffer copied to another of as many elements: an edge between access nodes.

    Attributes:
        viewed: the two have different shapes: the source is seen through a view of the target's.
    """

    label: str
    source: Box
    target: Box
    sources: tuple[str, ...] = ()
    note: str = ""
    viewed: bool = False

    @property
    def reads(self) -> tuple[Box, ...]:
        """What it reads."""
        return (self.source,)

    @property
    def writes(self) -> tuple[Box, ...]:
        """What it writes."""
        return (self.target,)


@dataclass(frozen=True)
class Assign:
    """A symbol that indices may name from here on = the one element of an integer buffer."""

    label: str
    symbol: str
    buffer: Buffer
    note: str = ""


@dataclass(frozen=True)
class Loop:
    """`for symbol in range(extent)` when `extent` is a number, else `while condition[0]`."""

    label: str
    body: tuple[Op, ...]
    symbol: str = ""
    extent: int = 0
    condition: Buffer | None = None


@dataclass(frozen=True)
class Branch:
    """`bodies[index[0]]`, the last body for any other value."""

    label: str
    index: Buffer
    bodies: tuple[tuple[Op, ...], ...]


Op = Kernel | Call | Nested | Copy | Assign | Loop | Branch


@dataclass(frozen=True)
class Plan:
    """A whole program."""

    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    temps: tuple[Buffer, ...]
    ops: tuple[Op, ...]
