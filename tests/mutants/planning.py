"""Wrong decisions of the planner: ignored hazards, dropped stores, wrong index arithmetic, wrong constants."""

from __future__ import annotations

import dataclasses

from jax.extend.core import Var

from jace.plan import analysis, dead_stores, emit, literals, ops, planner
from jace.plan.emit import Emitter
from jace.plan.index import ZERO, Ix
from jace.plan.kernel import Store
from jace.plan.planner import Planner
from jace.registry import Elementwise
from jace.rules import shape
from mutants import Mutant
from mutants.plants import patched

_NOTHING: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())


def _no_later_hazards(right):
    """What operations in between read and write is not looked at when a result joins an earlier kernel."""
    del right
    return lambda self, item: _NOTHING


def _no_hazards_at_all(right):
    """A result joins a kernel whatever that reads and writes."""
    del right

    def join(self, pending, position, var, target):
        body = pending.body
        members, body.emitter.members = body.emitter.members, set()
        try:
            name = body.emitter.value(var, body.index)
        finally:
            body.emitter.members = members
        body.stores.append(Store(target, name))
        members.add(var)
        self.env[var] = target

    return join


def _always_in_place(right):
    """An update takes over its operand's buffer whoever else reads the operand."""

    def analyse(jaxpr, *, fuse, writable, fusions):
        decisions = right(jaxpr, fuse=fuse, writable=writable, fusions=fusions)
        for eqn in jaxpr.eqns:
            updates = getattr(analysis.rule_of(eqn), "updates", None)
            if updates is not None and isinstance(eqn.invars[updates], Var):
                operand = eqn.invars[updates]
                if operand in decisions.position:
                    decisions.in_place[eqn.outvars[0]] = operand
        return decisions

    return analyse


def _carries_at_once(right):
    """Carries are moved one after the other, though one of them needs the other's old value."""
    del right

    def settle(self, jaxpr, targets, carries):
        for atom, target in zip(jaxpr.outvars, targets, strict=True):
            source = self.source(atom)
            same = getattr(source, "buffer", None) == target.buffer and source.prefix == target.prefix
            if not same:
                self.copy(atom, target)

    return settle


def _bodies_read_nothing(right):
    """What the bodies of loops and branches read does not count when dead stores are dropped."""

    def kept(found, read):
        del read
        return right(found, dead_stores.touched([op for op in found if isinstance(op, ops.Kernel)])[0])

    return kept


def _last_store_dropped(right):
    """A kernel with several results forgets the last."""

    def make(body, **how):
        if len(body.stores) > 1:
            body.stores = body.stores[:-1]
        return right(body, **how)

    return make


def _stores_swapped(right):
    """A kernel with several results of one dtype stores the first two in each other's place."""

    def make(body, **how):
        if len(body.stores) > 1 and body.stores[0].ref.dtype == body.stores[1].ref.dtype:
            one, two, *rest = body.stores
            body.stores = [
                dataclasses.replace(one, name=two.name), dataclasses.replace(two, name=one.name), *rest,
            ]  # fmt: skip
        return right(body, **how)

    return make


def _no_broadcast(right):
    """An operand's axis of size 1 is read as if it were as long as the result's."""
    del right
    return lambda self, ix, result, operand: ix if operand else ()


def _index_forgotten(right):
    """A value computed in a kernel is taken for that at another index."""

    def value(self, atom, ix):
        known = [
            name for scope in self._scopes for (var, at), name in scope.memo.items() if var is atom and at
        ]
        return known[0] if known and ix else right(self, atom, ix)

    return value


def _loop_too_short(right):
    """Loops in a kernel end one early."""

    def loop(self, extent, *, pragma="", stop=""):
        return right(self, extent - 1 if extent > 2 and not stop else extent, pragma=pragma, stop=stop)

    return loop


def _constants_backwards(right):
    """The elements of a constant array in column-major order."""
    return lambda self, value, ix: right(self, value, ix[::-1] if len(set(value.shape)) == 1 else ix)


def _first_constant(right):
    """A constant array is one number all over."""
    return lambda self, value, ix: right(self, value, tuple(ZERO for _ in ix))


def _column_major(right):
    """Arrays lie in memory column by column."""
    del right

    def strides(self):
        found, step = [], 1
        for extent in self.shape:
            found.append(step)
            step *= extent
        return tuple(found)

    return property(strides)


def _prefix_forgotten(right):
    """A step of a stacked array is always the first."""

    def address(self, ix):
        return right(dataclasses.replace(self, prefix=tuple(ZERO for _ in self.prefix)), ix)

    return address


def _product_forgets_the_constant(right):
    del right
    return lambda self, factor: Ix(tuple((s, c * int(factor)) for s, c in self.terms if factor), self.const)


def _high_bound_too_low(right):
    """The range of an index ends one early: a condition that is needed is left out."""

    def bounds(ix, ranges):
        found = right(ix, ranges)
        return None if found is None else (found[0], max(found[0] + 1, found[1] - 1))

    return bounds


def _low_bound_too_high(right):
    def bounds(ix, ranges):
        found = right(ix, ranges)
        return None if found is None else (max(found[0], 0), found[1])

    return bounds


def _always_divides(right):
    """Quotient and remainder of every index are affine."""
    del right

    def divide(ix, divisor, ranges):
        if divisor == 1:
            return ix, ZERO
        multiples = tuple((s, c // divisor) for s, c in ix.terms if c % divisor == 0)
        rest = tuple((s, c) for s, c in ix.terms if c % divisor)
        return Ix(multiples, ix.const // divisor), Ix(rest, ix.const % divisor)

    return divide


def _six_digits(right):
    """Constants are written with six digits."""

    def text(value, single):
        return right(float(f"{value:.6g}"), single)

    return text


def _zero_without_sign(right):
    return lambda value, single: right(value + 0.0, single)


def _everything_is_flat(right):
    """Every elementwise result is computed with one linear index, broadcasts as well."""
    del right

    def is_flat(self, var, extents, seen):
        return isinstance(getattr(self.env[var], "rule", None), Elementwise) and all(
            hasattr(v, "val") or not v.aval.shape or len(v.aval.shape) == len(extents)
            for v in self.env[var].eqn.invars
        )

    return is_flat


def _mutant(name, target, plant, *sample, pipeline="fused"):
    return Mutant(
        name, "planning", target, plant, tuple(f"small:{s}" for s in sample) or ("small:*",), pipeline
    )


MUTANTS = [
    _mutant(
        "hazard_of_later_operations_ignored", "Planner._item_sets",
        patched(Planner, "_item_sets", _no_later_hazards),
    ),
    _mutant("hazard_of_the_kernel_ignored", "Planner._join", patched(Planner, "_join", _no_hazards_at_all)),
    _mutant("update_in_place_of_what_is_read", "analyse", patched(planner, "analyse", _always_in_place)),
    _mutant("carries_moved_at_once", "Planner._settle", patched(Planner, "_settle", _carries_at_once)),
    _mutant(
        "store_for_a_loop_dropped", "without_dead_stores",
        patched(dead_stores, "_without", _bodies_read_nothing),
    ),
    _mutant("last_store_dropped", "make_kernel", patched(planner, "make_kernel", _last_store_dropped)),
    _mutant("stores_swapped", "make_kernel", patched(planner, "make_kernel", _stores_swapped)),
    _mutant("broadcast_forgotten", "Emitter.broadcast", patched(Emitter, "broadcast", _no_broadcast)),
    _mutant("index_forgotten", "Emitter.value", patched(Emitter, "value", _index_forgotten)),
    _mutant("loop_too_short", "Emitter.loop", patched(Emitter, "loop", _loop_too_short)),
    _mutant("constant_turned", "Emitter._constant", patched(Emitter, "_constant", _constants_backwards)),
    _mutant("constant_repeated", "Emitter._constant", patched(Emitter, "_constant", _first_constant)),
    _mutant("column_major", "Buffer.strides", patched(ops.Buffer, "strides", _column_major)),
    _mutant("prefix_forgotten", "Ref.address", patched(ops.Ref, "address", _prefix_forgotten)),
    _mutant("product_of_an_index", "Ix.__mul__", patched(Ix, "__mul__", _product_forgets_the_constant)),
    _mutant("high_bound_too_low", "bounds", patched(emit, "bounds", _high_bound_too_low)),
    _mutant("low_bound_too_high", "bounds", patched(emit, "bounds", _low_bound_too_high)),
    _mutant("always_divides", "divmod_exact", patched(shape, "divmod_exact", _always_divides)),
    _mutant("constants_of_six_digits", "literals._float", patched(literals, "_float", _six_digits)),
    _mutant("zero_without_sign", "literals._float", patched(literals, "_float", _zero_without_sign)),
    _mutant("everything_is_flat", "Planner._is_flat", patched(Planner, "_is_flat", _everything_is_flat)),
    _mutant(
        "canonical_prefix_forgotten", "Emitter.connector",
        patched(Emitter, "connector", lambda right: lambda self, ref, ix: right(
            self, dataclasses.replace(ref, prefix=tuple(ZERO for _ in ref.prefix)), ix)),
        pipeline="canonical/none",
    ),
]  # fmt: skip
