"""From an emitted body to a `Kernel`: loop structure, pointers, stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from jax.extend.core import JaxprEqn

from jace.dtypes import ctype
from jace.plan.emit import Emitter, Index
from jace.plan.index import ZERO
from jace.plan.ops import Access, Buffer, Kernel, Ref

#: Elements of a one-dimensional kernel that one iteration of its map handles.
BLOCK = 8192
#: Elements times statements, those in loops once an iteration, from which threads pay (about a millisecond of work; a
#: contended barrier costs as much).
PARALLEL_WORK = 2_000_000


@dataclass(frozen=True)
class Store:
    """The value `name` goes to `ref`; `note` ends the line.

    Attributes:
        at: the element; None for the kernel's own index.
        wcr: as for `Access`.
    """

    ref: Ref
    name: str
    note: str = ""
    at: Index | None = None
    wcr: str = ""


@dataclass
class Body:
    """A kernel under construction.

    Attributes:
        roots: the equations whose results it stores.
        python: what it stores are Python expressions of connectors.
    """

    emitter: Emitter
    ranges: tuple[tuple[str, int], ...]
    index: Index = ()
    stores: list[Store] = field(default_factory=list)
    label: str = ""
    roots: list[JaxprEqn] = field(default_factory=list)
    python: bool = False


def _indent(lines: Sequence[str], by: int) -> list[str]:
    return ["  " * by + line for line in lines]


def _pointer_lines(buffers: Sequence[Buffer], prefix: str, connector: str, qualifier: str) -> list[str]:
    return [
        f"{qualifier}{ctype(b.dtype)}* {prefix}_{b.name} = ({qualifier}{ctype(b.dtype)}*){connector}_{b.name};"
        for b in buffers
    ]


def _held_lines(access: Access) -> list[str]:
    """What a pointer to the one element of a buffer points to, where the element is given by value."""
    dtype, name = ctype(access.buffer.dtype), access.buffer.name
    return [
        f"const {dtype} h_{name}[1] = {{jace::load<{dtype}>({access.connector})}};",
        f"const {dtype}* q_{name} = h_{name};",
    ]


def make_kernel(
    body: Body,
    *,
    exact: bool,
    simd: bool,
    pointers: Sequence[Buffer],
    parallel: bool | None,
    one_tasklet: bool = False,
    by_value: bool = False,
) -> Kernel:
    """Close a body.

    Args:
        exact: stores are exact memlets and the map has all dimensions; otherwise arrays are pointers and the
            innermost dimension is a loop of the tasklet.
        simd: iterations are independent: ask the compiler to vectorize the innermost loop.
        pointers: further buffers that the body writes through pointers `w_NAME` (regions).
        parallel: whether to use threads; None decides by size.
        one_tasklet: no map: all loops are the tasklet's. A map whose tasklet writes through a whole-array memlet
            says that every iteration may write everything, which DaCe's map fusion takes at its word.
        by_value: an array of one element that is only read is given by value, whatever the body does with it.
    """
    emitter = body.emitter
    written = {b.name for b in pointers}
    reads, head = [], []
    for access in emitter.reads.values():
        if access.subset is None and not access.indirect:
            single = by_value and access.buffer.size == 1 and access.buffer.name not in written
            access = replace(access, subset=(ZERO,) * len(access.buffer.shape)) if single else access
            head += _held_lines(access) if single else _pointer_lines([access.buffer], "q", "p", "const ")
        reads.append(access)
    head += _pointer_lines(list(pointers), "w", "o", "")
    writes = [Access(f"o_{b.name}", b) for b in pointers]
    lines = list(emitter.lines)
    ranges = body.ranges
    size = 1
    for _, extent in ranges:
        size *= extent
    if parallel is None:
        parallel = size * max(4, emitter.work) >= PARALLEL_WORK
    if exact and not pointers:
        for k, store in enumerate(body.stores):
            connector = f"s{k}_{store.ref.buffer.name}"
            at = body.index if store.at is None else store.at
            writes.append(Access(connector, store.ref.buffer, (*store.ref.prefix, *at), store.wcr))
            stored = f"jace::store({connector}, {store.name});{store.note}"
            lines.append(f"{connector} = {store.name}" if body.python else stored)
        code = [*head, *emitter.statics, *lines]
    else:
        seen = {b.name for b in pointers}
        for store in body.stores:
            buffer = store.ref.buffer
            if buffer.name not in seen:
                seen.add(buffer.name)
                head += _pointer_lines([buffer], "w", "o", "")
                writes.append(Access(f"o_{buffer.name}", buffer))
            lines.append(f"w_{buffer.name}[{store.ref.address(body.index)}] = {store.name};{store.note}")
        if one_tasklet:
            ranges, lines = (), _all_loops(ranges, lines)
        elif simd and ranges:
            ranges, lines = _innermost_loop(ranges, lines, emitter)
        code = [*head, *emitter.statics, *lines]
    label = body.label or "kernel"
    sources = tuple(s for s in emitter.sources if s)
    return Kernel(
        label,
        ranges,
        "\n".join(code),
        tuple(reads),
        tuple(writes),
        bool(parallel and ranges),
        sources,
        python=body.python,
    )


def _all_loops(ranges: tuple[tuple[str, int], ...], lines: list[str]) -> list[str]:
    for name, extent in reversed(ranges):
        lines = [
            f"for (jace::i64 {name} = 0; {name} < {extent}; ++{name}) {{",
            *_indent(lines, 1),
            "}",
        ]
    return lines


def _innermost_loop(
    ranges: tuple[tuple[str, int], ...], lines: list[str], emitter: Emitter
) -> tuple[tuple[tuple[str, int], ...], list[str]]:
    """Move the innermost map dimension into the tasklet, vectorized unless it contains loops itself."""
    if emitter.has_loops and len(ranges) == 1:
        return ranges, lines  # its iterations are for the threads
    name, extent = ranges[-1]
    # `omp simd` keeps struct-typed locals in memory, which leaves a loop scalar; `ivdep` does not
    vector = "#pragma GCC ivdep" if emitter.has_aggregates else "#pragma omp simd"
    pragma = [] if emitter.has_loops else [vector]
    outer = ranges[:-1]
    first, last = "0", str(extent)
    opening: list[str] = []
    if not outer and extent > 2 * BLOCK:
        blocks = -(-extent // BLOCK)
        outer = (("b0", blocks),)
        opening = [
            f"const jace::i64 hi = b0 * {BLOCK} + {BLOCK} < {extent} ? b0 * {BLOCK} + {BLOCK} : {extent};"
        ]
        first, last = f"b0 * {BLOCK}", "hi"
    loop = f"for (jace::i64 {name} = {first}; {name} < {last}; ++{name}) {{"
    return outer, [*opening, *pragma, loop, *_indent(lines, 1), "}"]
