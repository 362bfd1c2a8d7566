"""The derivative rules of custom_jvp_call and custom_vjp_call as jaxprs.

The equations keep their rules as Python functions that JAX traces when somebody differentiates. Here they are traced
while the program is written, without a trace of it in the program.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from jace import ir
from jace.releases import backward
from jace_repro.emitter.core import avals
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.flat.isolation import isolated, remembered

#: Rules that see which tangents are zero are traced for each combination of that many tangents; rules of rules are
#: not, the number of traces would be a power of it.
_COMBINED = 3

#: Operands that a forward rule may forbid to be differentiated are found by trying, if they are that many.
_TRIED = 6


@dataclass(frozen=True)
class JvpRule:
    """A jvp rule for one combination of zero tangents.

    Attributes:
        zeros: which tangents are zero.
        closed: takes the primals and the tangents that are not zero, and returns primals and the tangents that are
            not zero.
        out_zeros: which of the resulting tangents are zero.
    """

    zeros: tuple[bool, ...]
    closed: ClosedJaxpr
    out_zeros: tuple[bool, ...]


@dataclass(frozen=True)
class VjpRule:
    """A vjp rule.

    Attributes:
        fwd: takes the primals, and returns residuals and primals.
        residuals: all of them in order: the number of an operand that is one, None for the next result of `fwd`.
        bwd: takes residuals and cotangents, and returns the cotangents that are not zero.
        out_zeros: which of these are zero.
    """

    fwd: ClosedJaxpr
    residuals: tuple[int | None, ...]
    bwd: ClosedJaxpr
    out_zeros: tuple[bool, ...]


def jvp_rules(eqn: JaxprEqn, nested: bool) -> list[JvpRule]:
    """The jvp rule of a custom_jvp_call; the last one is for tangents none of which is zero without need.

    `nested` says that another rule calls the function.

    Raises:
        EmitError: it cannot be traced.
    """
    body, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    operands = len(body.in_avals) - count
    flags = [(False,) * operands]
    if eqn.params["symbolic_zeros"]:
        moving = [_moves(aval) for aval in body.in_avals[count:]]
        choices = [(True, False) if moves else (True,) for moves in moving]
        few = sum(moving) <= _COMBINED and not nested
        flags = [f for f in itertools.product(*choices) if not all(f)] if few else []
        flags = flags or [tuple(not moves for moves in moving)]
    found = []
    for zeros in flags:
        with isolated(eqn.params["jvp_jaxpr_fun"]):
            jaxpr, consts, out_zeros = _traced("jvp", eqn.params["jvp_jaxpr_fun"].call_wrapped, *zeros)
        closed = _checked(ClosedJaxpr(jaxpr, consts), operands + zeros.count(False))
        _check_results(body.out_avals, closed.out_avals[: len(out_zeros)])
        found.append(JvpRule(zeros, closed, tuple(out_zeros)))
    return found


def vjp_rule(eqn: JaxprEqn) -> VjpRule:
    """The vjp rule of a custom_vjp_call, for as many differentiated operands as it allows.

    Raises:
        EmitError: it cannot be traced.
    """
    params = eqn.params
    operands = len(params["call_jaxpr"].in_avals) - params["num_consts"]
    asked = [f for f in remembered(params["fwd_jaxpr_thunk"]) if len(f) <= operands]
    reason = None
    for moves in _differentiated(params, asked):
        try:
            with isolated(params["fwd_jaxpr_thunk"], params["out_trees"], params["bwd"]):
                return _vjp_rule(params, moves)
        except EmitError as error:
            reason = reason or error
    raise reason or EmitError("the rule allows no operand to be differentiated")


def _differentiated(params: Mapping[str, Any], asked: Sequence[tuple[bool, ...]]) -> Iterator[Sequence[bool]]:
    """Which operands to differentiate: all, else those of the program, else all that may be.

    Equinox's rules forbid some.
    """
    moves = [_moves(aval) for aval in params["call_jaxpr"].in_avals[params["num_consts"] :]]
    yield moves
    for flags in reversed(asked):  # constants of a rule bound again come first, and are not differentiated
        yield (*(False,) * (len(moves) - len(flags)), *flags)
    one = [[i == j for j in range(len(moves))] for i, move in enumerate(moves) if move]
    if params["symbolic_zeros"] and len(one) <= _TRIED:
        allowed = [flags for flags in one if _traces(params["fwd_jaxpr_thunk"], flags)]
        if allowed:
            yield [*map(any, zip(*allowed, strict=True))]


def _vjp_rule(params: Mapping[str, Any], moves: Sequence[bool]) -> VjpRule:
    body, count = params["call_jaxpr"], params["num_consts"]
    given = body.in_avals[count:]
    forward = _traced("forward", params["fwd_jaxpr_thunk"].call_wrapped, *moves)
    fwd = _checked(ClosedJaxpr(*forward), len(given))
    *_, forwarded = _traced("forward", params["out_trees"])
    residuals = tuple(None if f is None else f - count for f in forwarded)
    own = iter(fwd.out_avals)
    res = [next(own) if f is None else given[f] for f in residuals]
    _check_results(body.out_avals, list(own))
    operands = [avals.operand(a) for a in (*res, *(a.to_ct_aval() for a in body.out_avals))]
    known = {i: fwd.jaxpr.outvars[n] for n, i in enumerate(i for i, f in enumerate(residuals) if f is None)}
    constants = {i: atom.val for i, atom in known.items() if isinstance(atom, Literal)}
    out_zeros: list[bool] = []

    def bwd(*args: Any) -> list[Any]:  # a rule may branch on what its forward rule gave as a constant
        cotangents = backward(params["bwd"], [constants.get(i, a) for i, a in enumerate(args)])
        out_zeros[:] = [type(c).__name__ in ("Zero", "SymbolicZero") for c in cotangents]
        return [c for c, zero in zip(cotangents, out_zeros, strict=True) if not zero]

    closed = _checked(_traced("backward", jax.make_jaxpr(bwd), *operands), len(operands))
    return VjpRule(fwd, residuals, closed, tuple(out_zeros))


def _traces(thunk: Any, flags: Sequence[bool]) -> bool:
    try:
        with isolated(thunk):
            _traced("forward", thunk.call_wrapped, *flags)
    except EmitError:
        return False
    return True


def _traced(what: str, trace: Callable[..., Any], *args: Any) -> Any:
    try:
        return trace(*args)
    except Exception as error:  # whatever the user's function raises outside of the program it was made for
        first = str(error).strip().partition("\n")[0]
        raise EmitError(f"the {what} rule cannot be traced: {type(error).__name__}: {first}") from error


def _checked(closed: ClosedJaxpr, operands: int) -> ClosedJaxpr:
    if any(isinstance(c, jax.core.Tracer) for c in closed.consts):
        raise EmitError("the rule uses values of a trace that is over")
    if len(closed.in_avals) != operands:
        raise EmitError(f"the rule takes {len(closed.in_avals)} values, not {operands}")
    return ir.normal_form(closed)


def _check_results(wanted: Sequence[Any], found: Sequence[Any]) -> None:
    """A body that was rewritten (by the reducer) need not be what its rule differentiates any more."""
    if [(a.shape, a.dtype) for a in wanted] != [(a.shape, a.dtype) for a in found]:
        raise EmitError("the rule belongs to a function with other results")


def _moves(aval: Any) -> bool:
    """Whether values of a type have tangents: integers and keys have none."""
    return bool(aval.to_tangent_aval().dtype != jax.dtypes.float0)
