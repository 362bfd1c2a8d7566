"""Evaluating a jaxpr equation by equation in its own dtypes, independently of XLA's compiler as far as NumPy goes.

What is exact in a program (integers, booleans, bits, data movement, comparisons, one correctly rounded operation)
has one right answer: this is where the oracle gets it. An equation that NumPy has no function for is bound by
JAX, compiled alone. Loops and branches are walked in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import (
    CONTROL,
    WHILE_BODY,
    Scan,
    Splice,
    eval_each,
    eval_equation,
    expand_call,
    run_control,
    slots,
)
from jace.ir import evaluate as evaluate_program
from jace_repro.tester.numerics.errormodel import aval_of
from jace_repro.tester.numerics.native_ops import native_op
from jace_repro.tester.numerics.order_ops import differ_in_ties, leaves_equal_keys
from jace_repro.tester.numerics.random_bits import GENERATORS, generated

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
    return Walk(observe, limit).outputs(closed, args)


def walked(closed: ClosedJaxpr, args: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
    """As `evaluate`, but no loop is left to JAX, which would run one that does not end.

    Raises:
        TooLongError: a loop is too long to be walked.
    """
    return evaluate(closed, args, observe=lambda *_: None)


def stepped(eqn: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of one equation of a program on these operands, as `walked` has them.

    Raises:
        TooLongError: a loop is too long to be walked.
    """
    with np.errstate(all="ignore"):
        return Walk(lambda *_: None).step(eqn, operands)


def evaluate_each(
    closed: ClosedJaxpr, args: Sequence[Any]
) -> Iterator[tuple[int, JaxprEqn, list[Any], list[Any]]]:
    """As `jace.ir.eval_each`: (index, equation, operands, results) of the top-level equations in order."""
    walk = Walk(None)

    def quietly(eqn: JaxprEqn, operands: list[_Value]) -> list[_Value]:
        with np.errstate(all="ignore"):
            return walk.step(eqn, operands)

    for index, eqn, operands, results in eval_each(closed, args, quietly):
        yield index, eqn, [_array(v, x) for v, x in zip(eqn.invars, operands, strict=True)], results


def given(call: Splice, eqn: JaxprEqn, values: Sequence[Any]) -> list[Any]:
    """What the body of a call is given where the operands of its equation are these, of whatever kind."""
    of = dict(zip(map(id, eqn.invars), values, strict=True))
    return [of[id(v)] for v in call.operands]


def _array(atom: Any, value: _Value) -> _Value:
    """The value of a variable or literal as an array of its dtype; a key or a token as it is."""
    if isinstance(value, np.ndarray):
        return value
    try:
        return np.asarray(value, getattr(atom.aval, "dtype", None))
    except TypeError:
        return value


class Walk:
    """One evaluation: how equations are evaluated, and how many may still be walked."""

    strict = False  #: whether a loop that is too long ends the evaluation, whoever observes

    def __init__(self, observe: Observer | None, limit: int = MAX_EQUATIONS) -> None:
        self.observe = observe
        self.left = limit

    def outputs(self, closed: ClosedJaxpr, args: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        """The flat outputs of a program as NumPy arrays."""
        with np.errstate(all="ignore"):
            return [np.asarray(out) for out in self.run(closed, args)]

    def run(self, closed: ClosedJaxpr, args: Sequence[_Value]) -> list[_Value]:
        """The outputs of a program or body."""
        results = evaluate_program(closed, args, self.step)
        return [_array(v, x) for v, x in zip(closed.jaxpr.outvars, results, strict=True)]

    def step(self, eqn: JaxprEqn, operands: Sequence[_Value]) -> list[_Value]:
        """The results of one equation of a program, on its operands as arrays."""
        return self.equation(eqn, [_array(v, x) for v, x in zip(eqn.invars, operands, strict=True)])

    def equation(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of one equation."""
        call = expand_call(eqn)
        if call is not None:
            return self.run(call.body, given(call, eqn, args))
        if eqn.primitive.name in CONTROL:
            try:
                return self.control(eqn, args)
            except TooLongError:
                if self.strict or self.observe is not None:
                    raise
                return eval_equation(eqn, args)
        results = self.leaf(eqn, args)
        if self.observe is not None:
            self.observe(eqn, args, results)
        return results

    def leaf(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of an equation that is neither a call nor control flow.

        Where a sort may choose, its choice is JAX's, if it is one that it may make.
        """
        results = self._numpy(eqn, args)
        if results is None:
            return self.unknown(eqn, args)
        if leaves_equal_keys(eqn, results):
            chosen = self.unknown(eqn, args)
            return chosen if differ_in_ties(eqn, results, chosen) else results
        return results

    def unknown(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of an equation that NumPy does not know: plain JAX's."""
        known = generated if eqn.primitive.name in GENERATORS else eval_equation
        with jax.ensure_compile_time_eval():  # in the body of a loop that is being compiled, too
            return [np.asarray(out) if _is_plain(out) else out for out in known(eqn, args)]

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

    def control(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """The results of a scan, while or cond, its bodies walked.

        Raises:
            TooLongError: it takes more equations than are left.
        """
        price = max(sum(len(slot.of(eqn).jaxpr.eqns) for slot in slots(eqn)), 1)
        if eqn.primitive.name == "scan":
            self.spend(Scan.of(eqn.params).length * price)
        repeated = WHILE_BODY.of(eqn) if eqn.primitive.name == "while" else None

        def call(body: ClosedJaxpr, operands: list[_Value]) -> list[_Value]:
            if body is repeated:
                self.spend(price)
            return self.run(body, operands)

        return run_control(eqn, args, call, np.stack)

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


def apply(eqn: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of one equation on operands of its dtypes."""
    with np.errstate(all="ignore"):
        return Walk(None).equation(eqn, list(operands))
