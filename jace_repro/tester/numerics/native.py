"""Evaluating a jaxpr equation by equation in its own dtypes, independently of XLA's compiler as far as NumPy goes.

What is exact in a program (integers, booleans, bits, data movement, comparisons, one correctly rounded operation)
has one right answer: this is where the judge gets it. An equation that NumPy has no function for is bound by
JAX, compiled alone. Loops and branches are walked in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.ir import eval_equation, expand_call
from jace_repro.tester.numerics.entries import advanced
from jace_repro.tester.numerics.errormodel import aval_of
from jace_repro.tester.numerics.native_ops import native_op

#: Equations that are walked in loops; a longer loop is JAX's as a whole.
MAX_EQUATIONS = 20_000

_Value = Any
#: observe(equation, operands, results): sees every equation that is evaluated, the inner ones of loops and calls
#: too, and may raise.
Observer = Callable[[JaxprEqn, Sequence[_Value], Sequence[_Value]], None]


class TooLongError(Exception):
    """A loop takes more equations than may be walked."""


def evaluate(
    closed: ClosedJaxpr, args: Sequence[Any], observe: Observer | None = None, limit: int = MAX_EQUATIONS
) -> list[np.ndarray[Any, Any]]:
    """The flat outputs as NumPy arrays.

    Args:
        closed: a program without typed PRNG keys.
        args: one array an invar.
        observe: sees every equation.
        limit: equations that are walked in loops at most.
    Raises:
        TooLongError: when somebody observes and a loop is too long to be walked.
    """
    with np.errstate(all="ignore"):
        return [np.asarray(out) for out in Walk(observe, limit).run(closed, args)]


def evaluate_each(
    closed: ClosedJaxpr, args: Sequence[Any]
) -> Iterator[tuple[int, JaxprEqn, list[Any], list[Any]]]:
    """As `jace.ir.eval_each`: (index, equation, operands, results) of the top-level equations in order."""
    env = _environment(closed, args)
    walk = Walk(None)
    for index, eqn in enumerate(closed.jaxpr.eqns):
        operands = [_read(env, v) for v in eqn.invars]
        with np.errstate(all="ignore"):
            results = walk.equation(eqn, operands)
        env.update(zip(eqn.outvars, results, strict=True))
        yield index, eqn, operands, results


def _environment(closed: ClosedJaxpr, args: Sequence[Any]) -> dict[Var, _Value]:
    env: dict[Var, _Value] = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    env.update(zip(closed.jaxpr.invars, args, strict=True))
    return env


def _read(env: Mapping[Var, _Value], atom: Var | Literal) -> _Value:
    value = atom.val if isinstance(atom, Literal) else env[atom]
    if isinstance(value, np.ndarray):
        return value
    dtype = getattr(atom.aval, "dtype", None)
    try:
        return np.asarray(value, dtype)
    except TypeError:
        return value  # a key or a token: passed on as it is


class Walk:
    """One evaluation: how equations are evaluated, and how many may still be walked."""

    strict = False  #: whether a loop that is too long ends the evaluation, whoever observes

    def __init__(self, observe: Observer | None, limit: int = MAX_EQUATIONS) -> None:
        self.observe = observe
        self.left = limit

    def run(self, closed: ClosedJaxpr, args: Sequence[_Value]) -> list[_Value]:
        env = _environment(closed, args)
        for eqn in closed.jaxpr.eqns:
            operands = [_read(env, v) for v in eqn.invars]
            env.update(zip(eqn.outvars, self.equation(eqn, operands), strict=True))
        return [_read(env, v) for v in closed.jaxpr.outvars]

    def equation(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of one equation."""
        call = expand_call(eqn)
        if call is not None:
            operands = dict(zip(map(id, eqn.invars), args, strict=True))
            return self.run(call.body, [operands[id(v)] for v in call.operands])
        control = _CONTROL.get(eqn.primitive.name)
        if control is not None:
            try:
                return control(self, eqn, args)
            except TooLongError:
                if self.strict or self.observe is not None:
                    raise
                return eval_equation(eqn, args)
        results = self.leaf(eqn, args)
        if self.observe is not None:
            self.observe(eqn, args, results)
        return results

    def leaf(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of an equation that is neither a call nor control flow."""
        results = self._numpy(eqn, args)
        if results is not None:
            return results
        return [np.asarray(out) if _is_plain(out) else out for out in eval_equation(eqn, args)]

    def _numpy(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value] | None:
        op = native_op(eqn)
        if op is None or not all(isinstance(a, np.ndarray) for a in args):
            return None
        try:
            found = op(eqn.params, *args)
        except (NotImplementedError, TypeError, ValueError):
            return None  # not for these types: JAX decides, and raises if it fails too
        results = [np.asarray(out) for out in (found if isinstance(found, list) else [found])]
        fits = all(
            (out.shape, out.dtype) == (aval_of(v).shape, aval_of(v).dtype)
            for out, v in zip(results, eqn.outvars, strict=True)
        )
        return results if fits else None

    def spend(self, equations: int) -> None:
        """Take from what may be walked."""
        self.left -= equations
        if self.left < 0:
            raise TooLongError


def _is_plain(value: _Value) -> bool:
    """Whether NumPy can hold a value: not a typed key."""
    try:
        np.dtype(value.dtype)
    except TypeError:
        return False
    return True


def _scan(walk: Walk, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
    p = eqn.params
    consts, carries, body, length = p["num_consts"], p["num_carry"], p["jaxpr"], p["length"]
    carry, xs = args[consts : consts + carries], args[consts + carries :]
    if length == 0:
        return [*carry, *(np.zeros(v.aval.shape, v.aval.dtype) for v in eqn.outvars[carries:])]
    walk.spend(length * max(len(body.jaxpr.eqns), 1))
    rows: list[list[_Value]] = []
    for position in reversed(range(length)) if p["reverse"] else range(length):
        outs = walk.run(body, [*args[:consts], *carry, *(x[position] for x in xs)])
        carry = outs[:carries]
        rows.append(outs[carries:])
    rows = rows[::-1] if p["reverse"] else rows
    return [*carry, *(np.stack(column) for column in zip(*rows, strict=True))]


def _while(walk: Walk, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
    p = eqn.params
    nc, nb = p["cond_nconsts"], p["body_nconsts"]
    cond, body = p["cond_jaxpr"], p["body_jaxpr"]
    cond_consts, body_consts, state = args[:nc], args[nc : nc + nb], args[nc + nb :]
    while (running := np.asarray(walk.run(cond, [*cond_consts, *state])[0])).any():
        walk.spend(max(len(body.jaxpr.eqns) + len(cond.jaxpr.eqns), 1))
        state = advanced(running, walk.run(body, [*body_consts, *state]), state)
    return state


def _cond(walk: Walk, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
    index, *operands = args
    branches = eqn.params["branches"]
    return walk.run(branches[int(np.clip(int(index), 0, len(branches) - 1))], operands)


_CONTROL: dict[str, Callable[[Walk, JaxprEqn, list[_Value]], list[_Value]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}


def apply(eqn: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of one equation on operands of its dtypes."""
    with np.errstate(all="ignore"):
        return Walk(None).equation(eqn, list(operands))
