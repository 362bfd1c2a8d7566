"""The planner: a flat jaxpr becomes buffers and operations.

Equations are visited in program order. Lazy ones (elementwise, index maps) become sources; stored ones become
roots of kernels, and a root joins an earlier kernel over the same index space when no operation in between
forbids it. Region rules add operations of their own through the methods below.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace import known_bugs
from jace.debug.notes import equation_note
from jace.errors import JaceError
from jace.ir.core import Atom, source_of
from jace.ir.failures import rule_failure
from jace.plan.analysis import Decisions, analyse, rule_of
from jace.plan.copies import with_maps
from jace.plan.dead_stores import touched, without_dead_stores
from jace.plan.emit import Constant, Emitter, Hazard, Index, Lazy, Source, copy_of
from jace.plan.fusions import Fusions, joined
from jace.plan.index import Ix, Range, symbol
from jace.plan.kernel import Body, Store, make_kernel
from jace.plan.ops import Assign, Branch, Buffer, Call, Copy, Kernel, Loop, Nested, Op, Plan, Ref
from jace.registry import Elementwise, IndexMap, Region

#: Statements after which no further root joins a kernel (compile time grows faster than linearly).
MAX_STATEMENTS = 3000


@dataclass
class _Pending:
    """A kernel that further roots may join."""

    shape: tuple[int, ...]
    flat: bool
    body: Body


@dataclass
class _Done:
    op: Op
    reads: frozenset[str]
    writes: frozenset[str]


@dataclass
class Planner:
    """State of planning one program.

    Attributes:
        fuse: leave results lazy and merge kernels.
        exact: kernels access single elements by exact memlets where the index is affine.
        met: the bugs of DaCe's that are not gone round.
        fusions: the decisions of fusion that are allowed, and that were made.
        depth: of the loops and branches around what is planned.
        numbers: of the names of each kind; nested SDFGs share them: names stay apart when these are inlined.
    """

    fuse: bool
    exact: bool
    met: frozenset[str] = frozenset()
    fusions: Fusions = field(default_factory=Fusions)
    env: dict[Var, Source] = field(default_factory=dict)
    temps: list[Buffer] = field(default_factory=list)
    ranges: dict[str, Range] = field(default_factory=dict)
    _ops: list[_Pending | _Done] = field(default_factory=list)
    _targets: dict[Var, Ref] = field(default_factory=dict)
    _decisions: Decisions = field(default_factory=Decisions)
    depth: int = 0
    numbers: Counter[str] = field(default_factory=Counter)
    _current: JaxprEqn | None = None

    # -- what region rules use -----------------------------------------------------------------------------

    def goes_round(self, bug: str) -> bool:
        """Whether what is planned is to go round a bug of DaCe's (`jace.known_bugs`)."""
        return known_bugs.goes_round(bug, self.met)

    def temp(self, shape: Sequence[int], dtype: Any) -> Ref:
        """A new temporary buffer."""
        buffer = Buffer(f"t{len(self.temps):04d}", tuple(shape), np.dtype(dtype), "temp")
        self.temps.append(buffer)
        return Ref(buffer)

    def output(self, var: Var, *, part: bool = False) -> Ref:
        """The buffer that `var` is to be written to; from now on `var` is read from there.

        Args:
            part: one step of a stacked array will do as well.
        """
        ref = self._targets.get(var)
        if ref is None or (self.exact and ref.prefix and not part):
            # exact: a region writes whole buffers; one step of a stacked array is then copied by an exact kernel
            ref = self.temp(var.aval.shape, var.aval.dtype)
        self.env[var] = ref
        return ref

    def stored(self, atom: Atom) -> Ref:
        """`atom` in memory."""
        source = self.source(atom)
        if isinstance(source, Ref):
            return source
        return self.copy(atom, self.temp(atom.aval.shape, atom.aval.dtype))

    def source(self, atom: Atom) -> Source:
        """Where the value of `atom` comes from."""
        if isinstance(atom, Literal):
            return Constant(np.asarray(atom.val, atom.aval.dtype))
        return self.env[atom]

    def updated(self, eqn: JaxprEqn) -> Ref:
        """The first output's buffer holding the operand that the equation updates: in place, or a copy."""
        rule = rule_of(eqn)
        assert isinstance(rule, Region)
        assert rule.updates is not None
        operand, out = eqn.invars[rule.updates], eqn.outvars[0]
        taken = self._decisions.in_place.get(out)
        if taken is not None:
            ref = self.env[taken]
            assert isinstance(ref, Ref)
            self.env[out] = ref
            return ref
        return self.copy(operand, self.output(out))

    def copy(self, atom: Atom, target: Ref) -> Ref:
        """Write the value of `atom` to `target`."""
        var = Var(atom.aval)
        self.env[var] = self.source(atom)
        if isinstance(atom, Var):  # read through, so that kernels that computed it can reuse the name
            self.env[var] = copy_of(atom, var, self._current)
        self._root(var, target)
        return target

    def kernel(
        self,
        label: str,
        shape: Sequence[int],
        build: Callable[[Emitter, Index], None],
        *,
        writes: Sequence[Ref],
        reads: Sequence[Ref] = (),
        parallel: bool = False,
        independent: bool = False,
    ) -> None:
        """Add a kernel over `shape` whose body `build` emits.

        Args:
            writes: references the body writes to, through the C++ pointers `w_NAME`.
            reads: references whose old contents matter although the body has no load of them.
            parallel: iterations are independent and worth threads.
            independent: iterations are independent: vectorize, and use threads if the size is worth it.
        """
        if 0 in shape:
            return
        names = tuple(f"i{d}" for d in range(len(shape)))
        ranges = {**self.ranges, **{n: (0, e) for n, e in zip(names, shape, strict=True)}}
        emitter = Emitter(self.env.__getitem__, ranges, exact=False)
        emitter.note = equation_note(self._current)
        for ref in reads:
            emitter.pointer(ref.buffer)
        build(emitter, tuple(map(symbol, names)))
        body = Body(emitter, tuple(zip(names, shape, strict=True)), label=label)
        kernel = self._closed(
            body,
            exact=False,
            one_tasklet=self.exact,
            simd=independent,
            pointers=[r.buffer for r in writes],
            parallel=None if independent else parallel,
        )
        self._add(replace(kernel, routine=self.exact))

    def exact_kernel(
        self,
        label: str,
        shape: Sequence[int],
        build: Callable[[Emitter, Index], Sequence[Store]],
        *,
        python: bool = False,
    ) -> None:
        """Add a map over `shape` whose tasklet has an exact memlet for each element that it reads and stores.

        Args:
            build: emits the body at an index, and answers what it stores.
            python: that is Python expressions of connectors; nothing is emitted.
        """
        if 0 in shape:
            return
        ranges = tuple(zip(self.parameters(len(shape)), shape, strict=True))
        emitter = Emitter(self.env.__getitem__, {**self.ranges, **{n: (0, e) for n, e in ranges}}, exact=True)
        emitter.note = equation_note(self._current)
        body = Body(emitter, ranges, index=tuple(symbol(n) for n, _ in ranges), label=label, python=python)
        body.stores.extend(build(emitter, body.index))
        emitter.sources.update(dict.fromkeys(self.sources))
        # what is combined with what is there is not divided among threads: each step would have to be atomic
        parallel = False if any(store.wcr for store in body.stores) else None
        self._add(self._closed(body, exact=True, simd=False, parallel=parallel))

    @property
    def sources(self) -> tuple[str, ...]:
        """The user's line of the equation that is being planned."""
        return (source_of(self._current),) if self._current is not None else ()

    def scalar(self, label: str, dtype: Any, value: Callable[[Emitter], str]) -> Ref:
        """A new buffer of one element; `value` emits it and answers its C++ expression."""
        place = self.temp((), dtype)

        def build(em: Emitter, at: Index) -> None:
            em.line(f"w_{place.buffer.name}[0] = {value(em)};")

        if self.exact:
            self.exact_kernel(label, (), lambda em, at: [Store(place, em.let(dtype, value(em)))])
        else:
            self.kernel(label, (), build, writes=[place])
        return place

    def index(self, label: str, limits: Range, value: Callable[[Emitter], str]) -> Ix:
        """An index that is computed at run time, as a symbol of the SDFG.

        Args:
            limits: its half-open range.
            value: emits it; answers the C++ expression.
        """
        place = self.scalar(label, np.int64, value)
        name = self.loop_symbol(0)
        self.ranges[name] = limits
        self._add(Assign(label, name, place.buffer))
        return symbol(name)

    def parameters(self, rank: int) -> tuple[str, ...]:
        """Names of the parameters of a map: such that no other map has, in SDFGs whose maps DaCe may fuse."""
        if not (self.exact and self.goes_round("shadowed_map_parameters")):
            return tuple(f"i{d}" for d in range(rank))
        self.numbers["maps"] += 1
        return tuple(f"i{d}k{self.numbers['maps']}" for d in range(rank))

    def loop_symbol(self, extent: int) -> str:
        """A fresh symbol for a counted loop."""
        self.numbers["loops"] += 1
        name = f"l{self.numbers['loops']}"
        self.ranges[name] = (0, extent)
        return name

    def extend(self, ops: Sequence[Op]) -> None:
        """Add finished operations."""
        for op in ops:
            self._add(op)

    def add_loop(self, label: str, body: Sequence[Op], **kind: Any) -> None:
        """Add a loop of finished operations."""
        self._add(Loop(label, tuple(body), **kind))

    def add_branch(self, label: str, index: Ref, bodies: Sequence[Sequence[Op]]) -> None:
        """Add a branch."""
        self._add(Branch(label, index.buffer, tuple(map(tuple, bodies))))

    @contextlib.contextmanager
    def nested(self) -> Iterator[list[Op]]:
        """Collect the operations added inside as the body of a loop or branch."""
        saved = self._ops, self._targets, self._decisions
        self._ops, self._targets, self._decisions = [], {}, Decisions()
        self.depth += 1
        collected: list[Op] = []
        try:
            yield collected
            collected.extend(self.finish())
        finally:
            self._ops, self._targets, self._decisions = saved
            self.depth -= 1

    def bind(self, var: Var, atom_or_source: Atom | Source) -> None:
        """Let `var` of a body be an outer value (a stored one) or a source."""
        if isinstance(atom_or_source, Literal | Var):
            source = self.source(atom_or_source)
            if isinstance(source, Lazy):
                source = self.stored(atom_or_source)
            atom_or_source = replace(source, writable=False) if isinstance(source, Ref) else source
        self.env[var] = atom_or_source

    def bind_consts(self, closed: ClosedJaxpr) -> None:
        """Bind the constants of a body."""
        for var, value in zip(closed.jaxpr.constvars, closed.consts, strict=True):
            self.env[var] = Constant(np.asarray(value))

    def body(self, jaxpr: Jaxpr, targets: Sequence[Ref], carries: dict[int, Var] | None = None) -> None:
        """Plan a body whose invars are bound; its k-th output ends up in `targets[k]`.

        Args:
            carries: output position -> invar whose buffer is that output's target (loop carries): the buffer is
                written early only when the old value is not read any more.
        """
        carries = carries or {}
        writable = {v for v in jaxpr.invars if isinstance(r := self.env.get(v), Ref) and r.writable}
        decisions = self._decisions = analyse(jaxpr, fuse=self.fuse, writable=writable, fusions=self.fusions)
        self._targets = self._assign_targets(jaxpr, targets, carries, decisions)
        for eqn in jaxpr.eqns:
            self._equation(eqn)
        self._settle(jaxpr, targets, carries)

    def finish(self) -> list[Op]:
        """The operations added so far, kernels closed."""
        return [
            item.op
            if isinstance(item, _Done)
            else self._closed(item.body, exact=self.exact, simd=True, parallel=None)
            for item in self._ops
        ]

    # -- internals -----------------------------------------------------------------------------------------

    def _closed(self, body: Body, pointers: Sequence[Buffer] = (), **how: Any) -> Kernel:
        by_value = self.exact and self.goes_round("scalar_by_pointer")
        return make_kernel(body, pointers=pointers, by_value=by_value, **how)

    def _assign_targets(
        self, jaxpr: Jaxpr, targets: Sequence[Ref], carries: dict[int, Var], decisions: Decisions
    ) -> dict[Var, Ref]:
        assigned: dict[Var, Ref] = {}
        for k, (atom, target) in enumerate(zip(jaxpr.outvars, targets, strict=True)):
            if not isinstance(atom, Var) or atom in assigned or atom not in decisions.position:
                continue
            if decisions.last_read_of_buffer(carries.get(k)) >= decisions.position[atom]:
                continue
            assigned[atom] = target
        for eqn in reversed(jaxpr.eqns):
            for out in eqn.outvars:
                taken = decisions.in_place.get(out)
                if taken is not None and out in assigned and taken in decisions.position:
                    first = decisions.position[taken]
                    carry = next(
                        (carries[k] for k, t in enumerate(targets) if t == assigned[out] and k in carries),
                        None,
                    )
                    if decisions.last_read_of_buffer(carry) < first:
                        assigned[taken] = assigned[out]
        return assigned

    def _equation(self, eqn: JaxprEqn) -> None:
        rule = rule_of(eqn)
        outer, self._current = self._current, eqn
        try:
            if self.exact and rule.node and rule.node(self, eqn):
                return
            if isinstance(rule, Region):
                rule.build(self, eqn)
                return
            if self.fuse and isinstance(rule, IndexMap) and rule.build is not None and rule.build(self, eqn):
                return
            for k, var in enumerate(eqn.outvars):
                self.env[var] = Lazy(eqn, k, rule)
                if var in self._decisions.stored:
                    target = self._targets.get(var) or self.temp(var.aval.shape, var.aval.dtype)
                    self._root(var, target)
        except JaceError:
            raise
        except Exception as error:
            raise rule_failure(eqn, error) from error
        finally:
            self._current = outer

    def _settle(self, jaxpr: Jaxpr, targets: Sequence[Ref], carries: dict[int, Var]) -> None:
        """Copy outputs that are not where they must be."""
        moves: list[tuple[Atom, Ref]] = []
        for k, (atom, target) in enumerate(zip(jaxpr.outvars, targets, strict=True)):
            source = self.source(atom)
            if isinstance(source, Ref) and (source.buffer, source.prefix) == (target.buffer, target.prefix):
                continue
            if k not in carries:
                self.copy(atom, target)  # before any carry is overwritten
                continue
            if isinstance(atom, Var) and atom in carries.values():
                # another carry's old value: save it before that carry is overwritten
                held = Var(atom.aval)
                self.env[held] = self.copy(atom, self.temp(atom.aval.shape, atom.aval.dtype))
                atom = held
            moves.append((atom, target))
        for atom, target in moves:
            self.copy(atom, target)

    def _root(self, var: Var, target: Ref) -> None:
        """Compute `var` into `target`, in an earlier kernel if possible."""
        shape = tuple(var.aval.shape)
        if 0 in shape:
            self.env[var] = target
            return
        if self.fuse:
            flat = len(shape) > 1 and self._is_flat(var, shape, {})
            for position in range(len(self._ops) - 1, -1, -1):
                item = self._ops[position]
                if not (isinstance(item, _Pending) and item.shape == shape and (flat or not item.flat)):
                    continue
                if item.body.emitter.statements > MAX_STATEMENTS:
                    continue
                if self.fusions.spent:
                    break
                with contextlib.suppress(Hazard):
                    self._join(item, position, var, target)
                    roots = item.body.roots
                    self.fusions.allow(functools.partial(joined, position, shape, target.buffer.name, roots))
                    return
                break
        else:
            flat = False
        self._open(var, target, shape, flat)

    def _open(self, var: Var, target: Ref, shape: tuple[int, ...], flat: bool) -> None:
        if flat:
            ranges: tuple[tuple[str, int], ...] = (("i0", int(np.prod(shape))),)
            index: Index = (*(Ix() for _ in shape[1:]), symbol("i0"))
        else:
            ranges = tuple(zip(self.parameters(len(shape)), shape, strict=True))
            index = tuple(symbol(n) for n, _ in ranges)
        limits = {**self.ranges, **{n: (0, e) for n, e in ranges}}
        emitter = Emitter(self.env.__getitem__, limits, exact=self.exact)
        pending = _Pending(shape, flat, Body(emitter, ranges, index=index))
        self._ops.append(pending)
        self._join(pending, len(self._ops) - 1, var, target)

    def _join(self, pending: _Pending, position: int, var: Var, target: Ref) -> None:
        body = pending.body
        with body.emitter.trial():
            name = body.emitter.value(var, body.index)
            reads = {a.buffer.name for a in body.emitter.reads.values()}
            writes = {s.ref.buffer.name for s in body.stores} | {target.buffer.name}
            if reads & writes:
                raise Hazard(var)
            for later in self._ops[position + 1 :]:
                later_reads, later_writes = self._item_sets(later)
                if reads & later_writes or writes & (later_reads | later_writes):
                    raise Hazard(var)
        source = self.source(var)
        made_by = source.eqn if isinstance(source, Lazy) else self._current
        body.stores.append(Store(target, name, equation_note(made_by)))
        if isinstance(source, Lazy):
            body.roots.append(source.eqn)
        body.emitter.members.add(var)
        self.env[var] = target

    def _item_sets(self, item: _Pending | _Done) -> tuple[frozenset[str], frozenset[str]]:
        if isinstance(item, _Done):
            return item.reads, item.writes
        reads = frozenset(a.buffer.name for a in item.body.emitter.reads.values())
        return reads, frozenset(s.ref.buffer.name for s in item.body.stores)

    def _is_flat(self, var: Var, shape: tuple[int, ...], seen: dict[Var, bool]) -> bool:
        """Whether `var` is purely elementwise over arrays of `shape` and scalars: one linear index will do."""
        if var in seen:
            return seen[var]
        source = self.env[var]
        if isinstance(source, Ref):
            good = source.shape == shape or not source.shape
        elif isinstance(source, Constant):
            good = source.value.size == 1 and not source.value.shape
        else:
            good = isinstance(source.rule, Elementwise) and all(
                isinstance(v, Literal)
                or (v.aval.shape in (shape, ()) and self._is_flat(v, v.aval.shape or shape, seen))
                for v in source.eqn.invars
            )
        seen[var] = good
        return good

    def _add(self, op: Op) -> None:
        if self.exact and isinstance(op, Kernel | Call | Nested | Copy | Assign) and not op.note:
            op = replace(op, note=equation_note(self._current))
        self._ops.append(_Done(op, *touched([op])))


def plan(closed: ClosedJaxpr, planner: Planner) -> Plan:
    """Plan a flat closed jaxpr (calls inlined, every primitive supported) by a planner that has planned nothing yet.

    Returns:
        The plan; inputs and outputs in the jaxpr's order.
    """
    jaxpr = closed.jaxpr
    inputs = tuple(
        Buffer(f"a{k:04d}", tuple(v.aval.shape), np.dtype(v.aval.dtype), "input")
        for k, v in enumerate(jaxpr.invars)
    )
    outputs = tuple(
        Buffer(f"r{k:04d}", tuple(v.aval.shape), np.dtype(v.aval.dtype), "output")
        for k, v in enumerate(jaxpr.outvars)
    )
    planner.bind_consts(closed)
    for var, buffer in zip(jaxpr.invars, inputs, strict=True):
        planner.env[var] = Ref(buffer)
    planner.body(jaxpr, [Ref(b) for b in outputs])
    ops = without_dead_stores(with_maps(planner.finish(), planner.goes_round))
    read, written = touched(ops)
    temps = tuple(t for t in planner.temps if t.name in read | written)
    return Plan(inputs, outputs, temps, tuple(ops))
