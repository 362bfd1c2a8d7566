"""Whether what a backend makes of a program is wrong, in few compilations."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.errors import JaceError
from jace.ir import inline_calls
from jace_repro.tester.execute import xla
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.runs import execute, same_bits
from jace_repro.tester.execute.traced import TracedProgram, exact, from_jaxpr, without_keys
from jace_repro.tester.numerics import closely
from jace_repro.tester.numerics.compare import compare
from jace_repro.tester.numerics.errormodel import Budget, budgets
from jace_repro.tester.verdict.oracle import Oracle

#: Compiles a program for the pipeline under test; raises JaceError.
Build = Callable[[ClosedJaxpr], Executable]

_Array = np.ndarray[Any, Any]


class SpentError(Exception):
    """No compilation is left."""


@dataclass
class LimitedBuilder:
    """Builds programs for the pipeline under test, so many and no more.

    Attributes:
        how: compiles one.
        left: how many it may still compile.
        is_xla: whether that is XLA, whose own faults are looked for.
    """

    how: Build
    left: int
    is_xla: bool = False

    def build(self, closed: ClosedJaxpr) -> Executable:
        """Compile a program. Raises SpentError when none is left, and JaceError when it does not build."""
        if self.left <= 0:
            raise SpentError
        self.left -= 1
        return self.how(closed)

    def try_build(self, closed: ClosedJaxpr) -> Executable | None:
        """Compile a program; None when it does not build. Raises SpentError when none is left."""
        try:
            return self.build(closed)
        except JaceError:
            return None


@dataclass(frozen=True)
class Conviction:
    """A program whose execution the oracle convicts: the class of the difference, and what it gave."""

    difference: str
    got: tuple[_Array, ...]


def call(executable: Executable, closed: ClosedJaxpr, args: Sequence[Any]) -> list[_Array]:
    """Run a compiled program; a weak operand may still be a Python scalar."""
    return executable.call_direct(*[exact(a, v.aval) for a, v in zip(args, closed.jaxpr.invars, strict=True)])


@dataclass(frozen=True)
class Judge:
    """Says what is wrong with the results of one program on one input.

    Attributes:
        prog: the program on its inputs.
        oracle: of it.
        expected: what plain JAX gives.
    """

    prog: TracedProgram
    oracle: Oracle
    expected: Sequence[_Array]

    @classmethod
    def of(cls, closed: ClosedJaxpr, args: Sequence[Any], expected: Sequence[_Array]) -> Judge:
        """The judge of a program, with its inputs and plain JAX's results."""
        prog = from_jaxpr(closed, args)
        return cls(prog, Oracle(prog.plain, prog.flat, _budgets(closed)), expected)

    def convicts(self, got: Sequence[_Array]) -> str | None:
        """The class of the difference when `got` is wrong, None when it is right within rounding."""
        if same_bits(self.expected, got):
            return None
        found = compare(self.expected, got, self.oracle.granted)
        if found.within_budget or found.structural:
            return found.kind
        kind = self.oracle.assess(got, self.expected).kind
        looked_at = self.prog.plain, self.prog.flat, got, self.expected
        if kind is None:
            return "value" if closely.is_off(*looked_at) else None
        return None if closely.acquits(*looked_at) else kind

    def stands(self, got: Sequence[_Array]) -> bool:
        """Whether the results are wrong beside XLA's, too.

        What they were compared with may be NumPy's, which has another value at a pole, or beyond what XLA takes for
        zero, and leaves equal elements in another order where a sort is not stable.
        """
        return replace(self, expected=xla.run_reference(self.prog)).convicts(got) is not None


@functools.lru_cache(maxsize=16)
def _budgets(closed: ClosedJaxpr) -> list[Budget]:
    """What rounding is granted to a program; a loop's body is asked about once an iteration."""
    return budgets(without_keys(inline_calls(closed)))


def try_program(builder: LimitedBuilder, judge: Judge) -> Conviction | None:
    """Compile and run a program; None when it is right or does not build or run."""
    try:
        execution = execute(builder.build(judge.prog.closed), judge.prog)
    except JaceError:
        return None
    kind = judge.convicts(execution.outputs)
    if kind is not None and not (builder.is_xla or judge.stands(execution.outputs)):
        kind = None
    if kind is None and execution.overwritten is not None:
        kind = execution.overwritten.kind
    return Conviction(kind, tuple(execution.outputs)) if kind else None
