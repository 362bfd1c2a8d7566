"""Loops and branches in an evaluation: in Python where NumPy is done before XLA has compiled them, else compiled.

A compiled loop is kept: the samples of one program are evaluations of the same loops.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import (
    WHILE_CONDITION,
    Scan,
    While,
    advanced,
    control_steps,
    count_equations,
    inner_jaxprs,
    run_control,
)
from jace.releases import closed_of
from jace_repro.tester.numerics.noise import module_of
from jace_repro.tester.xla_options import UNOPTIMIZED
from jace_repro.trace.inspect import trace_state_clean

_Value = Any
#: Evaluates a body: (body, operands, salt of the noise or None) -> results. Others are other loops: a function that
#: is there as long as the process.
Run: TypeAlias = Callable[[ClosedJaxpr, Sequence[_Value], _Value | None], list[_Value]]

#: Loops whose exit depends on noise may never meet their condition: stop where the program would have long.
MAX_TRIPS = 100_000
#: Loops up to so many evaluated equations run in Python, or so many for each that XLA would have to compile instead
#: (15 ms of XLA, for what becomes of one here, against 40 us of NumPy in each of some samples); longer ones are traced
#: and compiled.
EAGER_EQUATIONS, EAGER_EACH = 8000, 100
#: XLA optimises bodies of so many equations: those that run faster by it than they take to be compiled (matrix products
#: in a loop of 3,000 steps: 1 s in the place of 7). A sampler of 700 equations that was wrong took 195 s to judge, with
#: its loops unoptimised 25 s.
LARGE_BODY = 100


def _salted(salt: _Value | None) -> _Value:
    """The salt as an operand: closed over, every new salt would be a new constant and a new compilation."""
    return jnp.asarray(0 if salt is None else salt, jnp.uint32)


def _limit(body: ClosedJaxpr) -> int:
    """How many equations of a loop are evaluated before it is compiled."""
    return max(EAGER_EQUATIONS, EAGER_EACH * count_equations(body))


@functools.lru_cache(maxsize=512)
def _evaluated(body: ClosedJaxpr) -> int:
    """How many equations one run of a body evaluates; a while in it runs once, for all that is known."""
    found = 1
    for eqn in body.jaxpr.eqns:
        trips = eqn.params["length"] if eqn.primitive.name == "scan" else 1
        bodies = map(closed_of, inner_jaxprs(eqn))
        found += 1 + trips * sum(map(_evaluated, bodies))
    return found


def _rows(column: Sequence[_Value]) -> _Value:
    return np.stack([np.asarray(v) for v in column])


def _scan(eqn: JaxprEqn, args: list[_Value], salt: _Value | None, run: Run) -> list[_Value]:
    scan = Scan.of(eqn.params)
    quick = module_of(*args) is np and scan.length * _evaluated(scan.body) <= _limit(scan.body)
    if scan.length > 0 and quick:
        return run_control(eqn, args, lambda body, operands: run(body, operands, salt), _rows)
    final, ys = _compiled_scan(scan, salt is not None, run)(_salted(salt), *scan.split(args))
    return [*final, *ys]


def _jitted(loop: Callable[..., Any], body: ClosedJaxpr) -> Callable[..., Any]:
    """A loop that is compiled: each equation is many here, so that optimising a large body takes minutes.

    One in another loop is compiled with that, as that is.
    """
    plain = jax.jit(loop)
    if count_equations(body) <= LARGE_BODY:
        return plain
    alone = jax.jit(loop, compiler_options=UNOPTIMIZED)
    return lambda *args: (alone if trace_state_clean() else plain)(*args)


@functools.lru_cache(maxsize=16)
def _compiled_scan(scan: Scan, noisy: bool, run: Run) -> Callable[..., Any]:
    """(salt, constants, carries, rows) -> (carries, rows): compiled once for all samples."""

    def scanned(
        salt: _Value, consts: Sequence[_Value], initial: Sequence[_Value], rows: Sequence[_Value]
    ) -> Any:
        def step(carry: Sequence[_Value], row: Sequence[_Value]) -> tuple[Any, Any]:
            return scan.split_results(run(scan.body, [*consts, *carry, *row], salt if noisy else None))

        return lax.scan(step, list(initial), list(rows), length=scan.length, reverse=scan.reverse)

    return _jitted(scanned, scan.body)


def _while(eqn: JaxprEqn, args: list[_Value], salt: _Value | None, run: Run) -> list[_Value]:
    loop = While.of(eqn.params)
    condition_consts, body_consts, state = loop.split(args)
    steps = control_steps(eqn, args)
    known, walks = _history(loop), module_of(*args) is np
    trips = 0
    results: Any = None
    while True:  # in Python while that is quick, the rest in a compiled loop
        try:
            slot, operands = steps.send(results)
        except StopIteration as end:
            return end.value
        if slot == WHILE_CONDITION:
            state = operands[loop.condition_consts :]
            if not walks or known.walked > _limit(loop.body):
                break
            known.walked += _evaluated(loop.body)
            trips += 1
        results = run(slot.of(eqn), operands, salt)

    compiled = _compiled_while(loop, salt is not None, run)
    found: list[_Value] = compiled(
        _salted(salt), jnp.int32(trips), condition_consts, body_consts, list(state)
    )
    return found


@dataclass
class _History:
    """Of a loop that ends when it likes: how many equations all evaluations together have had of it in Python."""

    walked: int = 0


@functools.lru_cache(maxsize=64)
def _history(loop: While) -> _History:
    return _History()


@functools.lru_cache(maxsize=64)
def _compiled_while(loop: While, noisy: bool, run: Run) -> Callable[..., Any]:
    """(salt, trips so far, constants of the condition and of the body, carries) -> carries."""

    def looped(salt: _Value, trips: _Value, of_condition: Any, of_body: Any, state: Any) -> Any:
        key = salt if noisy else None

        def running(values: Sequence[_Value]) -> _Value:
            return jnp.asarray(run(loop.condition, [*of_condition, *values], key)[0])

        def proceed(held: tuple[_Value, list[_Value]]) -> _Value:
            return jnp.logical_and(running(held[1]).any(), held[0] < MAX_TRIPS)

        def step(held: tuple[_Value, list[_Value]]) -> tuple[_Value, list[_Value]]:
            count, values = held
            after = run(loop.body, [*of_body, *values], key)
            return count + 1, advanced(running(values), after, values)

        return lax.while_loop(proceed, step, (trips, list(state)))[1]

    return _jitted(looped, loop.body)


def _cond(eqn: JaxprEqn, args: list[_Value], salt: _Value | None, run: Run) -> list[_Value]:
    index, *operands = args
    if module_of(index) is np:
        return run_control(eqn, args, lambda body, operands: run(body, operands, salt))

    def branch(body: ClosedJaxpr, key: _Value, *values: _Value) -> list[_Value]:
        return run(body, values, key if salt is not None else None)

    functions = [functools.partial(branch, body) for body in eqn.params["branches"]]
    return lax.switch(jnp.asarray(index).astype(jnp.int32), functions, _salted(salt), *operands)


#: By primitive.
CONTROL: dict[str, Callable[[JaxprEqn, list[_Value], _Value | None, Run], list[_Value]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}
