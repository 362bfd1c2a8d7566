"""The first diverging equation of a program, in few compilations.

All equations are evaluated one by one with plain JAX. Then every *kind* of equation (primitive, parameters,
operand types) is put side by side with the others into one program whose inputs are fresh: one compilation
tests all of them in isolation, and running it again with other operands tests every instance. The first
instance, in program order, whose result the oracle convicts is the culprit. A guilty loop or cond is descended
into: the body runs iteration by iteration on the operands that plain JAX gives it.

When no equation diverges by itself, the failure needs its context (fusion, an optimisation): ever larger
windows of the program before the first diverging intermediate are tried, until one fails.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var, jaxpr_as_fun

from jace.errors import JaceError
from jace.ir import DropVar, describe, eval_each, fingerprint, inline_calls, make_closed, slice_to, source_of
from jace.ir.dead import live_equations
from jace_repro.repro import Header, Repro
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.runs import execute
from jace_repro.tester.execute.traced import base_array, exact, from_jaxpr, without_keys
from jace_repro.tester.numerics.compare import compare
from jace_repro.tester.numerics.entries import ENTRIES
from jace_repro.tester.numerics.errormodel import Budget, budgets
from jace_repro.tester.verdict.oracle import Oracle

Build = Callable[[ClosedJaxpr], Executable]
_Array = np.ndarray[Any, Any]

#: Kinds of equations compiled side by side at a time, and bytes of operands and results held for it.
BATCH_KINDS = 64
BATCH_BYTES = 1 << 28
#: Sizes of the windows tried when no single equation fails.
WINDOWS = (2, 3, 5, 8, 16, 32, 64)
_ITERATION = re.compile(r"^(?:scan|while)\.\w+\[(\d+)\]$")


@dataclass(frozen=True)
class Localized:
    """The first diverging equation.

    Attributes:
        path: the control flow around it, outermost first: "scan.jaxpr[3]" is the body's fourth iteration.
        index: position of the top-level equation (itself, or the control flow it is in) in the inlined
            program.
        primitive: its name.
        equation: one line of text.
        source: the user's line, "" if unknown.
        jaxpr: the equation as a program of its own (a window of several when only the context fails).
        operands: its inputs as plain JAX computed them.
        expected, got: results of plain JAX and of the backend.
        difference: class of the difference.
        confirmed_in_isolation: whether `jaxpr` on `operands` fails when compiled by itself as a single
            equation.
        note: what else is to be said.
    """

    path: tuple[str, ...]
    index: int
    primitive: str
    equation: str
    source: str
    jaxpr: ClosedJaxpr | None = field(repr=False)
    operands: tuple[Any, ...] = field(repr=False)
    expected: tuple[_Array, ...] = field(repr=False)
    got: tuple[_Array, ...] = field(repr=False)
    difference: str | None
    confirmed_in_isolation: bool
    note: str = ""
    repro: Repro | None = field(default=None, repr=False)  #: `jaxpr` on `operands` as a script
    compilations: int = 0  #: how many it took
    told: Mapping[str, Any] = field(default_factory=dict, repr=False)  #: `values` of another process

    @property
    def summary(self) -> str:
        """One line for people."""
        where = f" in {' > '.join(self.path)}" if self.path else ""
        source = f" at {self.source}" if self.source else ""
        kind = "first diverging equation" if self.confirmed_in_isolation else "diverges only in its context"
        return f"{kind}: {self.equation}{where}{source}" + (f" ({self.note})" if self.note else "")

    @property
    def iteration(self) -> int | None:
        """The iteration of the innermost loop around it, counted from 0 as it runs; None outside of loops."""
        counts = [m[1] for step in self.path if (m := _ITERATION.search(step))]
        return int(counts[-1]) if counts else None

    @property
    def values(self) -> dict[str, list[str]]:
        """Operands, expected and got, each a short text an array."""
        if self.told:
            return dict(self.told)
        arrays = {"operands": self.operands, "expected": self.expected, "got": self.got}
        return {name: [_short(base_array(a)) for a in held] for name, held in arrays.items()}

    def to_json(self) -> dict[str, Any]:
        """What a verdict's `guilty` holds."""
        return {
            "iteration": self.iteration,
            "values": self.values,
            "compilations": self.compilations,
            "primitive": self.primitive,
            "equation": self.equation,
            "index": self.index,
            "path": list(self.path),
            "source": self.source,
            "pass": None,
            "confirmed": self.confirmed_in_isolation,
            "difference": self.difference,
            "note": self.note,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], repro: Repro | None) -> Localized:
        """What another process localised: without arrays, which are in `repro`."""
        return cls(
            tuple(data["path"]),
            data["index"],
            data["primitive"],
            data["equation"],
            data["source"],
            None,
            (),
            (),
            (),
            data["difference"],
            data["confirmed"],
            data["note"],
            repro,
            data["compilations"],
            data["values"],
        )

    def with_repro(self, origin: Repro) -> Localized:
        """With `jaxpr` on `operands` emitted as a script under the configuration of `origin`."""
        from jace_repro.emitter import emit_flat

        if self.jaxpr is None:
            return self
        header = Header(
            origin=origin.header.origin or origin.header.name,
            name=origin.header.name,
            jax_config=origin.header.jax_config,
        )
        with origin.configured():
            return replace(self, repro=emit_flat(self.jaxpr, self.operands, header=header))


def _short(array: _Array) -> str:
    """An array as one line of text; a long one by its ends."""
    text = np.array2string(array, threshold=12, edgeitems=4, floatmode="unique", separator=", ")
    return f"{array.dtype}{list(array.shape)} {' '.join(text.split())}"


class _SpentError(Exception):
    """No compilation is left."""


@dataclass
class _Search:
    """The state of one localisation: what may still be compiled."""

    build: Build
    left: int

    def compile(self, closed: ClosedJaxpr) -> Executable:
        if self.left <= 0:
            raise _SpentError
        self.left -= 1
        return self.build(closed)


@dataclass(frozen=True)
class _Instance:
    """One equation with its actual operands and plain JAX's results."""

    index: int
    eqn: JaxprEqn
    operands: tuple[Any, ...]
    results: tuple[Any, ...]


@dataclass(frozen=True)
class _Conviction:
    """A program whose execution the oracle convicts."""

    difference: str
    got: tuple[_Array, ...]


def localize(
    closed: ClosedJaxpr,
    args: Sequence[Any],
    build: Build,
    *,
    outputs: Sequence[_Array] | None = None,
    max_compilations: int = 24,
) -> Localized | None:
    """Find the first diverging equation.

    Args:
        closed: a program without calls (`jace.ir.inline_calls`); typed keys are allowed.
        args: its inputs.
        build: compiles a program for the pipeline under test; its exceptions of type JaceError are survived.
        outputs: what the backend gave for the whole program, when it was convicted (saves one compilation for
            a program of one equation).
        max_compilations: programs to compile at most.
    Returns:
        None when no equation diverges by itself or in context, or the compilations are spent.
    """
    search = _Search(build, max_compilations)
    try:
        found = _localize(search, closed, list(args), (), outputs)
        return None if found is None else replace(found, compilations=max_compilations - search.left)
    except _SpentError:
        return None


def _localize(
    search: _Search,
    closed: ClosedJaxpr,
    args: list[Any],
    path: tuple[str, ...],
    outputs: Sequence[_Array] | None,
) -> Localized | None:
    instances = _instances(closed, args)
    if not instances:
        return None
    lone = len(closed.jaxpr.eqns) == 1 and outputs is not None
    for instance in instances if lone else _suspects(search, instances):
        found = _convict_one(search, instance, path, outputs if lone else None)
        if found is not None:
            return found
    return _in_context(search, closed, args, instances, path)


def _instances(closed: ClosedJaxpr, args: Sequence[Any]) -> list[_Instance]:
    """The live equations with operands and results."""
    live, _ = live_equations(closed.jaxpr, closed.jaxpr.outvars)
    alive = {id(eqn) for eqn in live}
    return [
        _Instance(index, eqn, tuple(invals), tuple(outvals))
        for index, eqn, invals, outvals in eval_each(closed, args)
        if id(eqn) in alive and not eqn.effects
    ]


# --- single equations ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Single:
    """An equation as a program: its distinct variables are the inputs, literals stay in place."""

    closed: ClosedJaxpr
    positions: tuple[int, ...]  # of the inputs among the equation's operands

    def operands(self, instance: _Instance) -> list[Any]:
        return [instance.operands[p] for p in self.positions]


def _single(eqn: JaxprEqn) -> _Single:
    first: dict[Var, int] = {}
    for position, atom in enumerate(eqn.invars):
        if isinstance(atom, Var):
            first.setdefault(atom, position)
    fresh = {v: Var(v.aval) for v in first}
    outvars = [Var(v.aval) for v in eqn.outvars]
    alone = eqn.replace(
        invars=[a if isinstance(a, Literal) else fresh[a] for a in eqn.invars], outvars=outvars
    )
    return _Single(make_closed([fresh[v] for v in first], outvars, [alone]), tuple(first.values()))


def _suspects(search: _Search, instances: Sequence[_Instance]) -> Iterator[_Instance]:
    """Instances that diverge when all kinds of equations run side by side, in program order."""
    kinds: dict[str, list[_Instance]] = {}
    for instance in instances:
        kinds.setdefault(fingerprint(_single(instance.eqn).closed), []).append(instance)
    for batch in _batches(list(kinds.values())):
        yield from sorted(_diverging(search, batch), key=lambda instance: instance.index)


def _batches(kinds: Iterable[list[_Instance]]) -> Iterator[list[list[_Instance]]]:
    batch: list[list[_Instance]] = []
    held = 0
    for group in kinds:
        size = sum(
            v.aval.size * 8 for v in (*group[0].eqn.invars, *group[0].eqn.outvars) if hasattr(v.aval, "size")
        )
        if batch and (len(batch) >= BATCH_KINDS or held + size > BATCH_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(group)
        held += size
    if batch:
        yield batch


def _diverging(search: _Search, batch: list[list[_Instance]]) -> list[_Instance]:
    """Compile one program of all kinds and run every instance; halve the batch when it does not
    build or run.
    """
    singles = [_single(group[0].eqn) for group in batch]
    side_by_side = make_closed(
        [v for s in singles for v in s.closed.jaxpr.invars],
        [v for s in singles for v in s.closed.jaxpr.outvars],
        [eqn for s in singles for eqn in s.closed.jaxpr.eqns],
    )
    try:
        executable = search.compile(side_by_side)
        found: list[_Instance] = []
        for turn in range(max(map(len, batch))):
            now = [group[min(turn, len(group) - 1)] for group in batch]
            operands = [o for s, i in zip(singles, now, strict=True) for o in s.operands(i)]
            got = _call(executable, side_by_side, operands)
            for single, instance, group in zip(singles, now, batch, strict=True):
                outs, got = got[: len(instance.results)], got[len(instance.results) :]
                if turn < len(group) and _convicts(single, instance, outs):
                    found.append(instance)
    except JaceError:
        if len(batch) == 1:
            return []  # it does not build alone: another outcome's business
        half = len(batch) // 2
        return [*_diverging(search, batch[:half]), *_diverging(search, batch[half:])]
    return found


def _call(executable: Executable, closed: ClosedJaxpr, args: Sequence[Any]) -> list[_Array]:
    """Run a compiled program; a weak operand may still be a Python scalar."""
    return executable.call_direct(*[exact(a, v.aval) for a, v in zip(args, closed.jaxpr.invars, strict=True)])


def _convicts(single: _Single, instance: _Instance, got: Sequence[_Array]) -> str | None:
    """The class of the difference when `got` is wrong for an equation on its operands."""
    return convict(single.closed, single.operands(instance), [base_array(r) for r in instance.results], got)


def convict(
    closed: ClosedJaxpr, args: Sequence[Any], expected: Sequence[_Array], got: Sequence[_Array]
) -> str | None:
    """The class of the difference when `got` is wrong for a program, None when it is right within
    rounding.
    """
    prog = from_jaxpr(closed, args)
    oracle = Oracle(prog.plain, prog.flat, _budgets(closed))
    found = compare(expected, got, oracle.granted)
    if found.within_budget or found.structural:
        return found.kind
    return oracle.assess(got).kind


@functools.lru_cache(maxsize=16)
def _budgets(closed: ClosedJaxpr) -> list[Budget]:
    """What rounding is granted to a program; a loop's body is asked about once an iteration."""
    return budgets(without_keys(inline_calls(closed)))


def _run(
    search: _Search, closed: ClosedJaxpr, args: Sequence[Any], expected: Sequence[_Array]
) -> _Conviction | None:
    """Compile, run and judge a program."""
    prog = from_jaxpr(closed, args)
    try:
        execution = execute(search.compile(closed), prog)
    except JaceError:
        return None
    kind = convict(closed, args, expected, execution.outputs)
    if kind is None and execution.modified_inputs:
        kind = "input"
    return _Conviction(kind, tuple(execution.outputs)) if kind else None


def _convict_one(
    search: _Search, instance: _Instance, path: tuple[str, ...], outputs: Sequence[_Array] | None
) -> Localized | None:
    """Confirm a suspect by itself, and descend into it when it is control flow."""
    single = _single(instance.eqn)
    args = single.operands(instance)
    expected = [base_array(r) for r in instance.results]
    if outputs is not None and len(outputs) == len(expected):
        kind = convict(single.closed, args, expected, outputs)
        conviction = _Conviction(kind, tuple(outputs)) if kind else None
    else:
        conviction = _run(search, single.closed, args, expected)
    if conviction is None:
        return None
    inner = _descend(search, instance, path)
    if inner is not None:
        return replace(inner, index=instance.index)
    return Localized(
        path=path,
        index=instance.index,
        primitive=instance.eqn.primitive.name,
        equation=describe(instance.eqn),
        source=source_of(instance.eqn),
        jaxpr=single.closed,
        operands=tuple(args),
        expected=tuple(expected),
        got=conviction.got,
        difference=conviction.difference,
        confirmed_in_isolation=True,
    )


# --- control flow -------------------------------------------------------------------------------------------


def _descend(search: _Search, instance: _Instance, path: tuple[str, ...]) -> Localized | None:
    """The culprit within a guilty loop or cond: the first entry into a body that diverges, and what in it
    does.
    """
    entries = ENTRIES.get(instance.eqn.primitive.name)
    if entries is None:
        return None
    compiled: dict[int, tuple[Executable | None, Any]] = {}
    for label, body, args in entries(instance.eqn, instance.operands):
        if not body.jaxpr.eqns:
            continue
        if id(body) not in compiled:
            compiled[id(body)] = (_try_compile(search, body), jax.jit(jaxpr_as_fun(body)))
        executable, reference = compiled[id(body)]
        if executable is None:
            return None
        got = _call(executable, body, args)
        expected = [base_array(out) for out in reference(*args)]
        if convict(body, args, expected, got):
            return _localize(search, body, args, (*path, label), got)
    return None


def _try_compile(search: _Search, closed: ClosedJaxpr) -> Executable | None:
    try:
        return search.compile(closed)
    except JaceError:
        return None


# --- only in context ----------------------------------------------------------------------------------------


def _in_context(
    search: _Search,
    closed: ClosedJaxpr,
    args: Sequence[Any],
    instances: Sequence[_Instance],
    path: tuple[str, ...],
) -> Localized | None:
    """The smallest window of equations that fails together, ending where the program first diverges."""
    if len(instances) < 2:
        return None
    values: dict[Var, Any] = dict(zip(closed.jaxpr.invars, args, strict=True))
    values.update(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    for instance in instances:
        values.update(zip(instance.eqn.outvars, instance.results, strict=True))
    for last in _diverging_positions(search, closed, args, instances, values):
        for size in WINDOWS:
            window = _window(closed, instances, last, size)
            operands = [values[v] for v in window.jaxpr.invars]
            expected = [base_array(values_of) for values_of in _results(window, operands)]
            conviction = _run(search, window, operands, expected)
            if conviction is None:
                if size >= last + 1:
                    break
                continue
            eqn = instances[last].eqn
            note = f"{len(window.jaxpr.eqns)} equations fail together, none of them alone"
            return Localized(
                path,
                instances[last].index,
                eqn.primitive.name,
                describe(eqn),
                source_of(eqn),
                window,
                tuple(operands),
                tuple(expected),
                conviction.got,
                conviction.difference,
                False,
                note,
            )
    return None


def _results(closed: ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
    return list(jaxpr_as_fun(closed)(*args))


def _diverging_positions(
    search: _Search,
    closed: ClosedJaxpr,
    args: Sequence[Any],
    instances: Sequence[_Instance],
    values: Mapping[Var, Any],
) -> Iterator[int]:
    """Positions among `instances` to suspect: the first diverging intermediate, then those of the outputs."""
    made = [(p, v) for p, i in enumerate(instances) for v in i.eqn.outvars if not isinstance(v, DropVar)]
    everything = make_closed(
        closed.jaxpr.invars,
        [v for _, v in made],
        [i.eqn for i in instances],
        dict(zip(closed.jaxpr.constvars, closed.consts, strict=True)),
    )
    executable = _try_compile(search, everything)
    first: int | None = None
    if executable is not None:
        got = _call(executable, everything, args)
        expected = [base_array(values[v]) for _, v in made]
        prog = from_jaxpr(everything, args)
        granted = budgets(prog.plain)
        found = compare(expected, got, granted)
        if not found.within_budget:
            wrong = Oracle(prog.plain, prog.flat, granted).assess(got)
            positions = [made[d.output][0] for d in wrong.differences]
            first = min(positions, default=None)
    if first is not None:
        yield first
    where = {v: p for p, v in made}
    ends = {where[v] for v in closed.jaxpr.outvars if isinstance(v, Var) and v in where}
    yield from sorted(ends - {first}, reverse=True)[:2]


def _window(closed: ClosedJaxpr, instances: Sequence[_Instance], last: int, size: int) -> ClosedJaxpr:
    """The `size` equations nearest before position `last` that it depends on, itself included; the rest is
    cut.

    Operands from outside the window become inputs; its outputs are those of the last equation.
    """
    producer = {v: p for p, i in enumerate(instances) for v in i.eqn.outvars}
    chosen: set[int] = set()
    frontier = [last]
    while frontier and len(chosen) < size:
        position = frontier.pop(0)
        if position in chosen:
            continue
        chosen.add(position)
        operands = [v for v in instances[position].eqn.invars if isinstance(v, Var) and v in producer]
        frontier.extend(sorted((producer[v] for v in operands), reverse=True))
    eqns = [instances[p].eqn for p in sorted(chosen)]
    inside = {v for eqn in eqns for v in eqn.outvars}
    outvars = [v for v in instances[last].eqn.outvars if not isinstance(v, DropVar)]
    invars = dict.fromkeys(v for e in eqns for v in e.invars if isinstance(v, Var) and v not in inside)
    sliced, _ = slice_to(make_closed(list(invars), outvars, eqns), outvars)
    return sliced
