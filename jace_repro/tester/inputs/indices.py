"""Which inputs of a program end up as indices, found by walking its jaxpr.

`index_uses(closed)` says of each input what it indexes, and which inputs must keep their values because an index out
of range or a duplicate would be undefined (mode "promise_in_bounds", unique or sorted indices).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir import CONTROL, flows, inline_calls, inner_jaxprs, is_key_dtype, open_jaxpr, walk
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact

#: Their results lie in the range of an axis, whatever the operands.
_BOUNDED = frozenset({"argmax", "argmin", "iota"})

_Atom = Any


@dataclass(frozen=True)
class IndexUses:
    """What the inputs index.

    Attributes:
        lengths: of each input (by position) that is an index: the lengths of the axes it may index.
        frozen: the inputs of which other values may make the program undefined.
    """

    lengths: dict[int, tuple[int, ...]]
    frozen: frozenset[int]


def index_uses(closed: ClosedJaxpr) -> IndexUses:
    """What the inputs of a program index, through arithmetic, loops, branches and calls."""
    closed = inline_calls(closed)
    sources: dict[Var, set[Var]] = {}
    _link(closed.jaxpr, sources)
    position = {v: i for i, v in enumerate(closed.jaxpr.invars)}
    lengths: dict[int, set[int]] = {}
    frozen: set[int] = set()
    for _, eqn in walk(closed):
        for atom, axes, undefined in _indexing(eqn):
            if isinstance(atom, Literal):
                continue
            reached = {position[v] for v in _ancestors(atom, sources) if v in position}
            if undefined:
                frozen |= reached
            for i in reached:
                if aval_of(closed.jaxpr.invars[i]).dtype.kind in "iu":
                    lengths.setdefault(i, set()).update(axes)
    return IndexUses({i: tuple(sorted(found)) for i, found in lengths.items()}, frozenset(frozen))


def _indexing(eqn: JaxprEqn) -> Iterator[tuple[_Atom, Sequence[int], bool]]:
    """(operand, lengths of the axes it indexes, whether a bad value is undefined) of an equation's indices."""
    name, p = eqn.primitive.name, eqn.params
    if name in ("dynamic_slice", "dynamic_update_slice"):
        first = 1 if name == "dynamic_slice" else 2
        shape = aval_of(eqn.invars[0]).shape
        for atom, length in zip(eqn.invars[first:], shape, strict=False):
            yield atom, [length], False
    elif name == "gather" or name.startswith("scatter"):
        numbers = p["dimension_numbers"]
        axes = numbers.start_index_map if name == "gather" else numbers.scatter_dims_to_operand_dims
        shape, indices = aval_of(eqn.invars[0]).shape, aval_of(eqn.invars[1])
        several = indices.size > (indices.shape[-1] if indices.shape else 1)
        promised = "PROMISE" in str(p.get("mode")) or (
            several and bool(p.get("unique_indices") or p.get("indices_are_sorted"))
        )
        yield eqn.invars[1], [shape[axis] for axis in axes], promised


def _ancestors(start: Var, sources: dict[Var, set[Var]]) -> set[Var]:
    """All variables that a value is computed from, itself included."""
    seen, todo = {start}, [start]
    while todo:
        fresh = sources.get(todo.pop(), set()) - seen
        seen |= fresh
        todo.extend(fresh)
    return seen


def _link(jaxpr: Jaxpr, sources: dict[Var, set[Var]]) -> None:
    """Note for each variable, bodies included, which ones its value is made of.

    What only decides (a comparison, the predicate of a branch) or is bounded whatever it is made of is left out.
    """

    def link(targets: Iterable[_Atom], values: Iterable[_Atom]) -> None:
        for target, value in zip(targets, values, strict=True):
            sources.setdefault(target, set()).update([value] if isinstance(value, Var) else ())

    for eqn in jaxpr.eqns:
        name = eqn.primitive.name
        subs = [open_jaxpr(sub) for sub in inner_jaxprs(eqn)]
        for sub in subs:
            _link(sub, sources)
        if name in CONTROL:
            for targets, values in flows(eqn):
                link(targets, values)
        elif name == "sort":
            link(eqn.outvars, eqn.invars)
        elif name not in _BOUNDED:
            # a primitive, or a body that is called in a way of its own: everything is made of everything
            for out in eqn.outvars:
                if not _decides(eqn, out):
                    link([out] * len(eqn.invars), eqn.invars)
            for sub in subs:
                for var in sub.invars:
                    link([var] * len(eqn.invars), eqn.invars)
                for out in eqn.outvars:
                    link([out] * len(sub.outvars), sub.outvars)


def _decides(eqn: JaxprEqn, out: _Atom) -> bool:
    """Whether a result is a truth, or a place found among numbers: pivots, the largest elements."""
    if (dtype := getattr(out.aval, "dtype", None)) == np.dtype(bool):
        return True
    if is_key_dtype(dtype) or eqn.primitive.name in ("convert_element_type", "bitcast_convert_type"):
        return False
    return not is_inexact(dtype) and all(is_inexact(v.aval.dtype) for v in eqn.invars)
