"""What scan, while and cond mean: how their operands divide, which body runs on which operands, in which order.

The three primitives hold bodies after calls are inlined. Everything that depends on how one of them lays out its
operands, or on when it runs which body, is written here and in the modules beside it (`iterations`, `trimming`);
evaluators bring their own way to run a body. As in `jax.lax`:

    scan   body(*consts, *carry, *row) = (*carry, *y): once for every row of the stacked operands, last row first
           if it is reversed; the results are the last carry and the stacked ys
    while  body(*consts, *carry) = carry for as long as cond(*consts, *carry) = true; of a batch of loops (a
           predicate of rank 1 and more) the rows that have ended stay as they are
    cond   branches[index](*operands), the index clamped to those there are
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Var

from jace.ir.core import Atom, make_closed
from jace.releases import scans

CONTROL = frozenset({"scan", "while", "cond"})

T = TypeVar("T")


@dataclass(frozen=True)
class Slot:
    """Where a body sits in an equation: a parameter, and an index when the parameter is a tuple of bodies."""

    param: str
    index: int | None = None

    def of(self, eqn: JaxprEqn) -> ClosedJaxpr:
        """The body in `eqn`."""
        value = eqn.params[self.param]
        return value if self.index is None else value[self.index]


SCAN_BODY = Slot("jaxpr")
WHILE_BODY = Slot("body_jaxpr")
WHILE_CONDITION = Slot("cond_jaxpr")


def slots(eqn: JaxprEqn) -> list[Slot]:
    """The bodies of a control flow equation, a while's condition among them; none of any other equation."""
    match eqn.primitive.name:
        case "scan":
            return [SCAN_BODY]
        case "while":
            return [WHILE_BODY, WHILE_CONDITION]
        case "cond":
            return [Slot("branches", i) for i in range(len(eqn.params["branches"]))]
        case _:
            return []


# --- layouts ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scan:
    """The layout of a scan.

    Attributes:
        body: see the module's docstring.
        consts, carries: how many operands are constants and carries, in this order; the rest are stacked.
        length: how often the body runs.
        reverse: whether it begins with the last row.
    """

    body: ClosedJaxpr
    consts: int
    carries: int
    length: int
    reverse: bool

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Scan:
        """From the parameters of the equation."""
        consts, carries = scans.counts(params)
        return cls(params["jaxpr"], consts, carries, params["length"], params["reverse"])

    def params(self, others: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of an equation with this layout, the rest as in `others`."""
        return {
            **others,
            "jaxpr": self.body,
            **scans.groups(others, self.body, self.consts, self.carries),
            "length": self.length,
            "reverse": self.reverse,
        }

    def split(self, values: Sequence[T]) -> tuple[Sequence[T], Sequence[T], Sequence[T]]:
        """(constants, carry, stacked values) of as many values as the equation or its body has operands."""
        first = self.consts + self.carries
        return values[: self.consts], values[self.consts : first], values[first:]

    def split_results(self, values: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
        """(carry, ys) of as many values as the equation or its body has results."""
        return values[: self.carries], values[self.carries :]

    @property
    def positions(self) -> Sequence[int]:
        """The rows in the order in which the body runs on them."""
        order = range(self.length)
        return order[::-1] if self.reverse else order


@dataclass(frozen=True)
class While:
    """The layout of a while.

    Attributes:
        condition, body: see the module's docstring.
        condition_consts, body_consts: how many operands are constants of the condition and of the body, in this
            order; the rest is the carry.
    """

    condition: ClosedJaxpr
    body: ClosedJaxpr
    condition_consts: int
    body_consts: int

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> While:
        """From the parameters of the equation."""
        p = params
        return cls(p["cond_jaxpr"], p["body_jaxpr"], p["cond_nconsts"], p["body_nconsts"])

    def params(self, others: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of an equation with this layout, the rest as in `others`."""
        return {
            **others,
            "cond_jaxpr": self.condition,
            "body_jaxpr": self.body,
            "cond_nconsts": self.condition_consts,
            "body_nconsts": self.body_consts,
        }

    def split(self, values: Sequence[T]) -> tuple[Sequence[T], Sequence[T], Sequence[T]]:
        """(the condition's constants, the body's, the carry) of as many values as the equation has operands."""
        first = self.condition_consts + self.body_consts
        return values[: self.condition_consts], values[self.condition_consts : first], values[first:]


def taken_branch(branches: int, index: Any) -> int:
    """Which of so many branches a cond takes."""
    return min(max(int(index), 0), branches - 1)


def carried(eqn: JaxprEqn) -> tuple[Slot, int, int]:
    """(slot, first carry position among the body's invars, number of carries) of a scan or while."""
    if eqn.primitive.name == "scan":
        scan = Scan.of(eqn.params)
        return SCAN_BODY, scan.consts, scan.carries
    loop = While.of(eqn.params)
    return WHILE_BODY, loop.body_consts, len(loop.body.jaxpr.outvars)


def flows(eqn: JaxprEqn) -> Iterator[tuple[Sequence[Any], Sequence[Atom]]]:
    """What a control flow equation hands on: (variables, for each a value that it may have).

    Into its bodies, from one iteration to the next, and out of it; a variable may come in several pairs.
    """
    match eqn.primitive.name:
        case "scan":
            scan = Scan.of(eqn.params)
            inner = scan.body.jaxpr
            yield inner.invars, eqn.invars
            yield scan.split(inner.invars)[1], scan.split_results(inner.outvars)[0]
            yield eqn.outvars, inner.outvars
            yield scan.split_results(eqn.outvars)[0], scan.split(eqn.invars)[1]
        case "while":
            loop = While.of(eqn.params)
            condition, body = loop.condition.jaxpr, loop.body.jaxpr
            condition_consts, body_consts, initial = loop.split(eqn.invars)
            yield condition.invars, [*condition_consts, *initial]
            yield condition.invars[loop.condition_consts :], body.outvars
            yield body.invars, [*body_consts, *initial]
            yield body.invars[loop.body_consts :], body.outvars
            yield eqn.outvars, body.outvars
            yield eqn.outvars, initial
        case "cond":
            for branch in eqn.params["branches"]:
                yield branch.jaxpr.invars, eqn.invars[1:]
                yield eqn.outvars, branch.jaxpr.outvars


def with_body(eqn: JaxprEqn, slot: Slot, body: ClosedJaxpr, extra: Sequence[Var]) -> JaxprEqn:
    """`eqn` with the body in `slot` replaced by one whose first `len(extra)` invars are new: operands `extra`."""
    params, invars, n = eqn.params, list(eqn.invars), len(extra)
    match eqn.primitive.name:
        case "scan":
            scan = Scan.of(params)
            params, invars = (
                replace(scan, body=body, consts=scan.consts + n).params(params),
                [*extra, *invars],
            )
        case "while":
            loop = While.of(params)
            condition_consts, body_consts, carry = loop.split(invars)
            if slot == WHILE_CONDITION:
                loop = replace(loop, condition=body, condition_consts=loop.condition_consts + n)
                condition_consts = [*extra, *condition_consts]
            else:
                loop = replace(loop, body=body, body_consts=loop.body_consts + n)
                body_consts = [*extra, *body_consts]
            params, invars = loop.params(params), [*condition_consts, *body_consts, *carry]
        case "cond":
            branches = [_pad_inputs(b, extra) for b in params["branches"]]
            branches[slot.index or 0] = body
            params, invars = {**params, "branches": tuple(branches)}, [invars[0], *extra, *invars[1:]]
    return eqn.replace(invars=invars, params=params)


def _pad_inputs(branch: ClosedJaxpr, extra: Sequence[Var]) -> ClosedJaxpr:
    jaxpr = branch.jaxpr
    consts = dict(zip(jaxpr.constvars, branch.consts, strict=True))
    return make_closed([*(Var(v.aval) for v in extra), *jaxpr.invars], jaxpr.outvars, jaxpr.eqns, consts)


# --- order --------------------------------------------------------------------------------------------------


def advanced(running: Any, after: Sequence[Any], before: Sequence[Any]) -> list[Any]:
    """The state of a while after a step, NumPy's or JAX's arrays: rows of a batch that have ended stay as they were.

    Args:
        running: the predicate, of shape () or of the leading axes of the state.
        after, before: the state.
    """
    if not np.ndim(running):
        return list(after)
    known = all(isinstance(v, np.ndarray | np.generic) for v in (running, *after, *before))
    where: Any = np.where if known else jax.numpy.where
    return [
        where(running.reshape(running.shape + (1,) * (np.ndim(new) - running.ndim)), new, old)
        for new, old in zip(after, before, strict=True)
    ]


def stack(rows: Sequence[Any]) -> Any:
    """Rows as one array, of NumPy if all of them are."""
    known = all(isinstance(v, np.ndarray | np.generic) for v in rows)
    return np.stack(rows) if known else jax.numpy.stack(rows)


#: Which body is to run on which operands.
Request = tuple[Slot, list[Any]]


def control_steps(
    eqn: JaxprEqn, operands: Sequence[Any], stack: Callable[[Sequence[Any]], Any] = stack
) -> Generator[Request, Sequence[Any], list[Any]]:
    """The evaluation of a scan, while or cond on arrays, as the bodies that it wants run.

    Yields each body with its operands, is sent that body's results, and returns the results of the equation.

    Args:
        stack: makes the stacked results of a scan of their rows.
    """
    match eqn.primitive.name:
        case "scan":
            scan = Scan.of(eqn.params)
            consts, carry, stacked = scan.split(operands)
            rows: list[Sequence[Any]] = []
            for position in scan.positions:
                results = yield SCAN_BODY, [*consts, *carry, *(x[position] for x in stacked)]
                carry, ys = scan.split_results(results)
                rows.append(ys)
            if not rows:
                avals: Any = scan.split_results(scan.body.out_avals)[1]
                return [*carry, *(np.zeros((0, *a.shape), a.dtype) for a in avals)]
            ordered = rows[::-1] if scan.reverse else rows
            return [*carry, *(stack(column) for column in zip(*ordered, strict=True))]
        case "while":
            condition_consts, body_consts, carry = While.of(eqn.params).split(operands)
            while True:
                answer = yield WHILE_CONDITION, [*condition_consts, *carry]
                running = np.asarray(answer[0])
                if not running.any():
                    return list(carry)
                after = yield WHILE_BODY, [*body_consts, *carry]
                carry = advanced(running, after, carry)
        case _:
            index, *rest = operands
            taken = taken_branch(len(eqn.params["branches"]), index)
            return list((yield Slot("branches", taken), rest))


def run_control(
    eqn: JaxprEqn,
    operands: Sequence[Any],
    call: Callable[[ClosedJaxpr, list[Any]], Sequence[Any]],
    stack: Callable[[Sequence[Any]], Any] = stack,
) -> list[Any]:
    """The results of a scan, while or cond on arrays.

    Args:
        call: runs a body.
        stack: as for `control_steps`.
    """
    order = control_steps(eqn, operands, stack)
    results: Any = None
    while True:
        try:
            slot, wanted = order.send(results)
        except StopIteration as end:
            return end.value
        results = call(slot.of(eqn), wanted)
