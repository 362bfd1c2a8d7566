"""The first diverging equation of a program, in few compilations.

All equations are evaluated one by one with plain JAX, and put side by side on these operands (`side_by_side`). The
first one, in program order, whose result the oracle convicts is the culprit. A guilty loop or cond is descended
into: the body runs iteration by iteration on the operands that plain JAX gives it.

When no equation diverges by itself, the failure needs its context (fusion, an optimisation): the smallest window of
equations that fails together is looked for (`windows`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun

from jace.ir import entries
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.runs import same_bits
from jace_repro.tester.execute.traced import base_array
from jace_repro.tester.locate.conviction import (
    Build,
    Conviction,
    Judge,
    LimitedBuilder,
    SpentError,
    call,
    try_program,
)
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.locate.side_by_side import Instance, instances_of, suspects
from jace_repro.tester.locate.windows import in_context

_Array = np.ndarray[Any, Any]


def localize(
    closed: ClosedJaxpr,
    args: Sequence[Any],
    build: Build,
    *,
    wrong: Conviction | None = None,
    max_compilations: int = 24,
    is_xla: bool = False,
) -> Localized | None:
    """Find the first diverging equation.

    Args:
        closed: a program without calls (`jace.ir.inline_calls`); typed keys are allowed.
        args: its inputs.
        build: compiles a program for the pipeline under test; its exceptions of type JaceError are survived.
        wrong: what the backend gave for the whole program, when it was convicted: nobody compiles and judges a
            program of one equation again.
        max_compilations: programs to compile at most.
        is_xla: whether it is XLA that compiles: else what is as XLA has it is no culprit.
    Returns:
        None when no equation diverges by itself or in context, or the compilations are spent.
    """
    builder = LimitedBuilder(build, max_compilations, is_xla)
    try:
        found = _localize(builder, closed, list(args), (), wrong)
        return None if found is None else found.known(compilations=max_compilations - builder.left)
    except SpentError:
        return None


def confirmed(found: Localized, build: Build) -> Localized | None:
    """What was localised on one pipeline, if it is also wrong on the one that `build` compiles for."""
    if found.jaxpr is None or not found.culprit.confirmed:
        return None
    judge = Judge.of(found.jaxpr, found.operands, found.expected)
    conviction = try_program(LimitedBuilder(build, 1), judge)
    if conviction is None:
        return None
    return found.giving(conviction.got).known(difference=conviction.difference, compilations=1)


def _localize(
    builder: LimitedBuilder,
    closed: ClosedJaxpr,
    args: list[Any],
    path: tuple[str, ...],
    wrong: Conviction | None,
) -> Localized | None:
    instances = instances_of(closed, args)
    if not instances:
        return None
    first = instances[0]
    lone = len(closed.jaxpr.eqns) == 1 and list(closed.jaxpr.outvars) == [
        first.eqn.outvars[k] for k in first.read
    ]
    known = wrong if lone else None
    for instance in suspects(builder, instances) if known is None else instances:
        found = _convict_one(builder, instance, path, known)
        if found is not None:
            return found
    return in_context(builder, closed, args, instances, path)


def _convict_one(
    builder: LimitedBuilder, instance: Instance, path: tuple[str, ...], known: Conviction | None
) -> Localized | None:
    """Confirm a suspect by itself, unless its conviction is known; descend into it when it is control flow."""
    conviction = known or try_program(builder, instance.judge)
    if conviction is None:
        return None
    inner = _descend(builder, instance, path)
    if inner is not None:
        return inner.known(index=instance.index)
    return Localized.of(
        instance.eqn,
        instance.alone.closed,
        instance.inputs,
        instance.judge.expected,
        conviction.got,
        path=path,
        index=instance.index,
        difference=conviction.difference,
        confirmed=True,
    )


def _descend(builder: LimitedBuilder, instance: Instance, path: tuple[str, ...]) -> Localized | None:
    """The culprit within a guilty loop or cond: the first entry into a body that diverges, and what in it does."""
    compiled: dict[int, tuple[Executable | None, Any]] = {}
    for label, body, args in entries(instance.eqn, instance.operands):
        if not body.jaxpr.eqns:
            continue
        if id(body) not in compiled:
            compiled[id(body)] = (builder.try_build(body), jax.jit(jaxpr_as_fun(body)))
        executable, reference = compiled[id(body)]
        if executable is None:
            return None
        got = call(executable, body, args)
        expected = [base_array(out) for out in reference(*args)]
        if same_bits(expected, got):
            continue
        kind = Judge.of(body, args, expected).convicts(got)
        if kind:
            return _localize(builder, body, args, (*path, label), Conviction(kind, tuple(got)))
    return None
