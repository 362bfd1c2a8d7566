"""Passes over the top-level equations: jump to the guilty one, inline, open shards, keep fewer, drop outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import jax
import numpy as np
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import Pass, sizes_left
from jace_repro.reducer.passes.common import delta_debug, restrict
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem, make_problem, normalise

#: Answers the guilty equation of a problem as a problem of its own, None when it is not known.
Locate = Callable[[Problem], Problem | None]

#: The localizer is asked again when so much of the equations is left.
_LITTLE = 0.25
#: Of equations that may be the one which a failure names, so many are tried.
_LIKELY = 4


@dataclass(frozen=True)
class Named:
    """What a failure says of the equation that is guilty.

    Attributes:
        primitive: of the equation.
        equation: the text that `jace.ir.describe` gives, as the translator saw it; None when it is not known.
        unrun: whether it fails before anything runs: then its operands may have any values.
    """

    primitive: str
    equation: str | None = None
    unrun: bool = False


def inlined(problem: Problem) -> Problem:
    """`problem` without calls; constants that the calls captured become arguments."""
    return normalise(ir.inline_calls(problem.closed), problem.args, "inline all calls")


def jump(locate: Locate) -> Pass[Problem]:
    """The pass that asks a localizer for the guilty equation and keeps only that, on its actual operands.

    It costs several tests: another program is asked about only when little is left of the last one.
    """
    known: dict[str, Problem | None] = {}
    asked = math.inf

    def asks(problem: Problem) -> bool:
        if problem.fingerprint in known or problem.key.equations > _LITTLE * asked:
            return False
        return problem.key.equations > 2 or _has_calls(problem)

    def run(problem: Problem) -> Candidates:
        nonlocal asked
        if asks(problem):
            asked = problem.key.equations
            known[problem.fingerprint] = locate(problem)
        alone = known.get(problem.fingerprint)
        if alone is not None:
            yield clean(alone)

    return Pass("jump to the guilty equation", run, ahead=lambda problem: not asks(problem))


def jump_to(named: Named) -> Pass[Problem]:
    """The pass that keeps nothing but an equation that the failure may name, the likeliest first."""

    def run(problem: Problem) -> Candidates:
        if problem.key.equations < 2:
            return
        likely = _unrun(problem, named) if named.unrun else _run(inlined(problem), named)
        for alone in islice(likely, _LIKELY):
            if (yield alone):
                return

    return Pass(f"jump to {named.primitive}", run)


def _unrun(problem: Problem, named: Named) -> Iterator[Problem]:
    """Each equation of the primitive at any depth, on operands of ones; of those that read alike the first."""
    found: dict[str, ir.JaxprEqn] = {}
    for _, eqn in ir.walk(problem.jaxpr):
        if eqn.primitive.name == named.primitive:
            found.setdefault(ir.describe(eqn), eqn)
    for _, eqn in sorted(found.items(), key=lambda pair: pair[0] != named.equation):
        operands = dict.fromkeys(v for v in eqn.invars if isinstance(v, ir.Var))
        ones = [_ones(v.aval) for v in operands]
        results = [v for v in eqn.outvars if not isinstance(v, ir.DropVar)]
        if all(one is not None for one in ones) and results:
            yield clean(make_problem(list(operands), ones, [eqn], results, f"{named.primitive} alone"))


def _ones(aval: Any) -> Any:
    """An array of a type; None for types that NumPy has not."""
    if not isinstance(aval, ir.ShapedArray) or ir.is_key_dtype(aval.dtype):
        return None
    return np.ones(aval.shape, aval.dtype)


def _run(problem: Problem, named: Named) -> Iterator[Problem]:
    """Each top-level equation of the primitive, or with it in its body, on the operands that it has."""

    def likeliness(index: int) -> tuple[bool, bool]:
        eqn = problem.eqns[index]
        return eqn.primitive.name != named.primitive, ir.describe(eqn) != named.equation

    def has(eqn: ir.JaxprEqn) -> bool:
        names = map(ir.primitives, ir.inner_jaxprs(eqn))
        return eqn.primitive.name == named.primitive or any(named.primitive in inside for inside in names)

    for index in sorted((i for i, eqn in enumerate(problem.eqns) if has(eqn)), key=likeliness):
        if (alone := restrict(problem, [index], f"{named.primitive} alone")) is not None:
            yield alone


def _has_calls(problem: Problem) -> bool:
    return any(eqn.primitive.name in ir.CALL_PRIMITIVES for _, eqn in ir.walk(problem.jaxpr))


@reduction_pass("inline calls", order=10)
def inline(problem: Problem) -> Candidates:
    """Replace calls by their bodies; where what the calls captured is to stay so, that stays."""
    if _has_calls(problem) and not (yield inlined(problem)):
        yield Problem(ir.inline_calls(problem.closed), problem.args, "inline all calls")


@reduction_pass("constants to arguments", order=12)
def open_constants(problem: Problem) -> Candidates:
    """Have what the program has captured given to it."""
    if problem.consts:
        yield normalise(problem.closed, problem.args, "constants to arguments")


@reduction_pass("open shards", order=15)
def open_shards(problem: Problem) -> Candidates:
    """Replace a shard_map over one device by its body, and collectives by what they come to there."""
    if not _is_sharded(problem.closed):
        return
    opened = ir.inline_calls(ir.splice(problem.closed, ir.expand_collective))
    if not _is_sharded(opened):  # it is where there are several devices
        plain = jax.make_jaxpr(jaxpr_as_fun(opened))(*problem.args)  # types that say what varies by device
        yield clean(normalise(plain, problem.args, "without shard_map"))


def _is_sharded(closed: ir.ClosedJaxpr) -> bool:
    return any(eqn.primitive.name == "shard_map" for _, eqn in ir.walk(closed))


@reduction_pass("keep fewer equations", order=20, trigger=sizes_left)
def minimize_equations(problem: Problem) -> Candidates:
    """Keep as few equations as possible; what the others computed becomes an input with its actual value."""

    def build(kept: Sequence[int]) -> Problem | None:
        return restrict(problem, kept, f"{len(kept)} of {len(problem.eqns)} equations")

    yield from delta_debug(range(len(problem.eqns)), build)


def _results(problem: Problem) -> tuple[int, int]:
    return problem.key.equations, len(problem.jaxpr.outvars)


@reduction_pass("drop outputs", order=30, trigger=_results)
def drop_outputs(problem: Problem) -> Candidates:
    """Keep as few outputs as possible, and only the equations they depend on."""
    jaxpr = problem.jaxpr

    def build(kept: Sequence[int]) -> Problem | None:
        outvars = [jaxpr.outvars[i] for i in kept]
        note = f"{len(kept)} of {len(jaxpr.outvars)} outputs"
        return clean(problem.edited(jaxpr.eqns, outvars, note))

    yield from delta_debug(range(len(jaxpr.outvars)), build)


@reduction_pass("drop what is dead", order=50)
def tidy(problem: Problem) -> Candidates:
    """Drop dead equations, at every depth, and what loops carry in vain."""
    yield clean(problem).renamed("drop what is dead")
