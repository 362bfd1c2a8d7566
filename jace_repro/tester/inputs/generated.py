"""Programs on generated inputs: which sets are tested, and the repro of one that fails."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jace_repro.emitter import emit_flat
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester.execute import remembered, traced, xla
from jace_repro.tester.execute.backends import Backend, Executable
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.inputs.profile import Profile
from jace_repro.tester.inputs.sets import input_sets
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import as_real, is_float
from jace_repro.tester.numerics.errormodel import is_inexact

_Array = np.ndarray[Any, Any]

#: recall(program) -> the reference's outputs, and whether they were remembered; raises what the program raises.
Recall = Callable[[TracedProgram], tuple[list[_Array], bool]]


@dataclass(frozen=True)
class Generated:
    """A program on generated inputs, with the reference's answer.

    Attributes:
        name: of the input set.
        prog: the program.
        outputs: the reference's.
        remembered: whether they were remembered.
    """

    name: str
    prog: TracedProgram
    outputs: list[_Array]
    remembered: bool


def generated(
    recorded: TracedProgram, outputs: Sequence[_Array], limit: int | None, recall: Recall
) -> Iterator[Generated]:
    """The program on further inputs, at most `limit` sets (None: all that can tell something).

    Left out are inputs that plain JAX refuses, and those on which a loop that looks at values runs for long.

    Args:
        recorded: the program on its recorded inputs.
        outputs: the reference's on these.
        limit: sets at most.
        recall: answers the reference's outputs.
    """
    loops = Profile(recorded.closed).loops
    finite = [_all_finite(out) for out in outputs]
    last: list[Generated] = []  # what was run to see whether it is finite

    def run(values: Sequence[Any]) -> Generated | None:
        prog = recorded.on(values)
        if loops and not _ends(prog):
            return None
        try:
            found, known = recall(prog)
        except Exception:  # the program does not take these inputs: nothing to compare with
            return None
        return Generated("", prog, found, known)

    def keep_finite(values: Sequence[Any]) -> bool:
        last[:] = [found] if (found := run(values)) is not None else []
        return bool(last) and all(
            _all_finite(out) for out, was in zip(last[0].outputs, finite, strict=True) if was
        )

    given = 0
    for inputs in input_sets(recorded.closed, recorded.args, keep_finite=keep_finite):
        if limit is not None and given >= limit:
            return
        found = last.pop() if last else run(inputs.values)
        last.clear()
        if found is not None:
            given += 1
            yield replace(found, name=inputs.name)


def _all_finite(array: _Array) -> bool:
    if not (is_inexact(array.dtype) or is_float(array.dtype)):
        return True
    return bool(np.isfinite(as_real(array).astype(np.float64)).all())


def _ends(prog: TracedProgram) -> bool:
    """Whether the program ends after a number of equations that can be walked."""
    try:
        native.walked(prog.plain, prog.flat)
    except Exception:  # too long, or not to be evaluated: then these inputs are not tried
        return False
    return True


def built_once(backend: Backend, prog: TracedProgram) -> Backend:
    """The backend, which builds this program once a pipeline however many inputs it is run on."""
    built: dict[str, Executable] = {}

    @functools.wraps(backend)
    def once(closed: Any, pipeline: str, enter: Callable[[str], None], **more: Any) -> Executable:
        if closed is not prog.closed or more:
            return backend(closed, pipeline, enter, **more)
        if pipeline not in built:
            built[pipeline] = backend(closed, pipeline, enter)
        return built[pipeline]

    return once


# --- repros -------------------------------------------------------------------------------------------------


class UnknownInputsError(LookupError):
    """The program has no generated inputs of that name."""


def with_inputs(repro: Repro, values: Sequence[Any], note: str) -> Repro:
    """The repro on other inputs, one an input of its program; `note` goes to the header. Raises EmitError."""
    with repro.configured():
        closed, _ = trace_repro(repro)
        header = replace(repro.header, outputs_sha256=None, notes=(*repro.header.notes, note))
        return emit_flat(closed, values, header=header)


def with_generated(repro: Repro, name: str) -> Repro:
    """The repro on the generated inputs that a verdict names.

    Raises:
        UnknownInputsError: there are none.
        EmitError: they cannot be written down.
    """
    with repro.configured():
        prog = traced.trace(repro)
        for found in generated(prog, xla.run_reference(prog), None, remembered.ask):
            if found.name == name:
                return with_inputs(repro, found.prog.args, f"generated inputs: {name}")
    raise UnknownInputsError(f"{repro.header.name} has no generated inputs called '{name}'")
