"""The function of a program that gives out, after its outputs, the results of equations within it.

What is in a loop's body is given out of its last iteration, or of all of them where it is a scan; what is in a branch
is zeros where another is taken.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import ir
from jace_repro.tester.numerics import native

#: Equations, by identity.
_Names = Collection[int]
#: Outputs, and what is given out besides.
_Outputs = tuple[list[Any], list[Any]]


@dataclass(frozen=True)
class Unseen:
    """An equation whose results are to be given out.

    Attributes:
        number: of the equation of the program that it is, or is in the bodies of: in order, without calls.
        eqn: the equation.
    """

    number: int
    eqn: JaxprEqn


def giving(closed: ClosedJaxpr, wanted: Sequence[Unseen]) -> Callable[..., list[Any]]:
    """The function of a program that gives out its outputs, and then the results of these equations."""
    names: dict[int, set[int]] = defaultdict(set)
    for one in wanted:
        names[one.number].add(id(one.eqn))

    def function(*arrays: Any) -> list[Any]:
        outputs, more = _program(closed, arrays, 0, names)
        return [*outputs, *more]

    return function


def _program(closed: ClosedJaxpr, args: Sequence[Any], first: int, names: Mapping[int, _Names]) -> _Outputs:
    """The outputs of a program whose first equation has a number, and what is wanted of it."""
    number, found = first, []

    def equation(eqn: JaxprEqn, operands: list[Any]) -> list[Any]:
        nonlocal number
        start, number = number, number + _count(eqn)
        if not any(start <= one < number for one in names):
            return ir.eval_equation(eqn, operands)
        body = functools.partial(_program, first=start, names=names)
        results, more = _opened(eqn, operands, names.get(start, ()), body)
        found.extend(more)
        return results

    return ir.evaluate(closed, args, equation), found


def _count(eqn: JaxprEqn) -> int:
    """How many equations there are in one, without calls."""
    call = ir.expand_call(eqn)
    return 1 if call is None else sum(map(_count, call.body.jaxpr.eqns))


def _opened(eqn: JaxprEqn, operands: Sequence[Any], names: _Names, run: Callable[..., _Outputs]) -> _Outputs:
    """The results of an equation, and what is wanted of it: by name, or in a call's body, which is run like this."""
    call = ir.expand_call(eqn)
    if call is None:
        return _equation(eqn, operands, names)
    body = call.body

    def function(args: Sequence[Any]) -> _Outputs:
        return run(body, args)

    if eqn.primitive.name == "jit":
        function.__name__ = eqn.params["name"]
        return jax.jit(function)(native.given(call, eqn, operands))
    return function(native.given(call, eqn, operands))


# --- in bodies ----------------------------------------------------------------------------------------------------


def _body(closed: ClosedJaxpr, args: Sequence[Any], names: _Names) -> _Outputs:
    """The outputs of a body, and the results of those of its equations that have these names."""
    found = []

    def equation(eqn: JaxprEqn, operands: list[Any]) -> list[Any]:
        within = (one for body in ir.inner_jaxprs(eqn) for _, one in ir.walk(body))
        if id(eqn) not in names and not any(id(one) in names for one in within):
            return ir.eval_equation(eqn, operands)
        results, more = _opened(eqn, operands, names, functools.partial(_body, names=names))
        found.extend(more)
        return results

    return ir.evaluate(closed, args, equation), found


def _equation(eqn: JaxprEqn, operands: Sequence[Any], names: _Names) -> _Outputs:
    """The results of an equation that is no call, and what is wanted of it and of its bodies."""
    rebuilt = _REBUILT.get(eqn.primitive.name)
    if rebuilt is None:
        results, more = ir.eval_equation(eqn, operands), list[Any]()
    else:
        params, beside = rebuilt(eqn, names)
        found = ir.eval_equation(eqn.replace(params=params), [*operands, *beside])
        results, more = found[: len(eqn.outvars)], found[len(eqn.outvars) :]
    return results, [*more, *results] if id(eqn) in names else more


def _traced(body: ClosedJaxpr, names: _Names) -> tuple[ClosedJaxpr, list[Any]]:
    """A body that gives out what is wanted of it, and the types of that."""
    closed = jax.make_jaxpr(lambda *args: _all(_body(body, args, names)))(*body.in_avals)
    return closed, closed.out_avals[len(body.out_avals) :]


def _scan(eqn: JaxprEqn, names: _Names) -> tuple[dict[str, Any], list[Any]]:
    scan = ir.Scan.of(eqn.params)
    return replace(scan, body=_traced(scan.body, names)[0]).params(eqn.params), []


def _while(eqn: JaxprEqn, names: _Names) -> tuple[dict[str, Any], list[Any]]:
    """What is given out is carried, and begins as zeros."""
    loop = ir.While.of(eqn.params)
    more = _traced(loop.body, names)[1]
    given, own = len(loop.body.in_avals), len(loop.condition.in_avals)
    body = jax.make_jaxpr(lambda *args: _all(_body(loop.body, args[:given], names)))
    condition = jax.make_jaxpr(lambda *args: ir.evaluate(loop.condition, args[:own]))
    changed = replace(
        loop,
        body=body(*loop.body.in_avals, *more),
        condition=condition(*loop.condition.in_avals, *more),
    )
    # numbers, not an equation that makes them: nobody would see that one wrong
    return changed.params(eqn.params), [np.zeros(aval.shape, aval.dtype) for aval in more]


def _cond(eqn: JaxprEqn, names: _Names) -> tuple[dict[str, Any], list[Any]]:
    """Each branch gives out zeros for what is in the others."""
    branches = eqn.params["branches"]
    more = [_traced(branch, names)[1] for branch in branches]

    def made(place: int, *args: Any) -> list[Any]:
        outputs, own = _body(branches[place], args, names)
        return [*outputs, *(x for k, one in enumerate(more) for x in (own if k == place else _zeros(one)))]

    changed = [
        jax.make_jaxpr(functools.partial(made, k))(*branch.in_avals) for k, branch in enumerate(branches)
    ]
    return {**eqn.params, "branches": tuple(changed)}, []


def _all(outputs: _Outputs) -> list[Any]:
    return [*outputs[0], *outputs[1]]


def _zeros(avals: Sequence[Any]) -> list[Any]:
    return [jnp.zeros(aval.shape, aval.dtype) for aval in avals]


#: Control flow -> (parameters with bodies that give out what is wanted of them, operands besides) of an equation.
_REBUILT: dict[str, Callable[[JaxprEqn, _Names], tuple[dict[str, Any], list[Any]]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}
