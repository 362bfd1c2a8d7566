"""Values on the way through a reduction, computed in the reducer's own process: by NumPy where that can, else by JAX.

XLA ends the process on some programs, arrays of two-bit integers among them. Where that is the finding, JAX is asked
nothing here: what NumPy does not know has no value then, and passes that need one leave the equation alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from jace import ir
from jace_repro.tester.numerics import native

_without_xla: ContextVar[bool] = ContextVar("reducing_without_xla", default=False)


@contextlib.contextmanager
def without_xla() -> Iterator[None]:
    """Meanwhile nothing is compiled by XLA in this context."""
    token = _without_xla.set(True)
    try:
        yield
    finally:
        _without_xla.reset(token)


def may_run() -> bool:
    """Whether XLA may run a candidate in this process."""
    return not _without_xla.get()


class _Apart(native.Walk):
    """Asks NumPy only."""

    strict = True

    def unknown(self, eqn: ir.JaxprEqn, args: list[Any]) -> list[Any]:
        raise NotImplementedError(f"NumPy has no {eqn.primitive.name} of these")


def equation(eqn: ir.JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of one equation. Raises what NumPy and JAX raise."""
    walk = native.Walk(None) if may_run() else _Apart(None)
    with np.errstate(all="ignore"):
        return walk.step(eqn, operands)


def ends(closed: ir.ClosedJaxpr, args: Sequence[Any]) -> bool:
    """Whether NumPy comes to the end of a program, or does not know one of its operations."""
    try:
        with np.errstate(all="ignore"):
            _Apart(None).run(closed, args)
    except native.TooLongError:
        return False
    except Exception:  # that it cannot be run is for the oracle to say
        return True
    return True


def trip_count(eqn: ir.JaxprEqn, operands: Sequence[Any]) -> int:
    """How often the body of a scan or while runs; once, of a while of which that cannot be found out here."""
    if eqn.primitive.name == "while" and not may_run():
        return 1
    return ir.trip_count(eqn, operands)


def entry_values(
    eqn: ir.JaxprEqn, slot: ir.Slot, operands: Sequence[Any], iteration: int = 0
) -> list[Any] | None:
    """The operands of a body as `jace.ir.entry_values`; None as well where they cannot be found out here."""
    if may_run() or eqn.primitive.name == "cond" or (eqn.primitive.name == "scan" and not iteration):
        return ir.entry_values(eqn, slot, operands, iteration)
    if eqn.primitive.name == "while" and not iteration:
        condition_consts, body_consts, initial = ir.While.of(eqn.params).split(operands)
        return [*(condition_consts if slot == ir.WHILE_CONDITION else body_consts), *initial]
    return None
