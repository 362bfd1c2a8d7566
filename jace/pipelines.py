"""Pipelines: named, ordered passes from a closed jaxpr to an SDFG.

A pipeline is a list of named passes on one `State`; it can be cut after the N-th pass and observed between any
two. Passes on the jaxpr come first, then planning and building, then DaCe's own transformations.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import dace
from jax.extend.core import ClosedJaxpr

from jace import ir, support
from jace.errors import InvalidSDFGError, JaceError, PassError
from jace.plan import Buffer, Plan
from jace.plan import plan as make_plan
from jace.sdfg import build_sdfg


@dataclass(frozen=True)
class Program:
    """What a pipeline makes of a jaxpr."""

    name: str
    sdfg: dace.SDFG
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]


@dataclass(frozen=True)
class State:
    """What passes work on."""

    closed: ClosedJaxpr
    name: str
    fuse: bool
    plan: Plan | None = None
    sdfg: dace.SDFG | None = None


@dataclass(frozen=True)
class Pass:
    """A named step.

    Attributes:
        run: State -> State; may raise.
    """

    name: str
    run: Callable[[State], State] = field(repr=False)


def _supported(state: State) -> State:
    support.check(state.closed)
    return state


def _plan(state: State) -> State:
    return replace(state, plan=make_plan(state.closed, fuse=state.fuse, exact=not state.fuse))


def _build(state: State) -> State:
    assert state.plan is not None
    return replace(state, sdfg=build_sdfg(state.name, state.plan, persistent=state.fuse))


def _validate(state: State) -> State:
    assert state.sdfg is not None
    try:
        state.sdfg.validate()
    except Exception as error:  # DaCe raises several unrelated types
        _forget_dump(getattr(error, "path", None))
        raise InvalidSDFGError(f"DaCe rejects the SDFG: {type(error).__name__}: {error}") from error
    return state


def _forget_dump(path: str | None) -> None:
    """DaCe writes an invalid SDFG to `_dacegraphs/` of the user's working directory; take it away again."""
    if path and os.path.exists(path):
        os.remove(path)
        with contextlib.suppress(OSError):  # the folder is the user's if it holds anything else
            os.rmdir(os.path.dirname(path))


def _simplify(state: State) -> State:
    assert state.sdfg is not None
    state.sdfg.simplify(validate=True)
    return state


def _auto_optimize(state: State) -> State:
    from dace.transformation.auto.auto_optimize import auto_optimize

    assert state.sdfg is not None
    auto_optimize(state.sdfg, dace.DeviceType.CPU)
    return state


def _on_jaxpr(fun: Callable[[ClosedJaxpr], ClosedJaxpr]) -> Callable[[State], State]:
    return lambda state: replace(state, closed=fun(state.closed))


_FLATTEN = (
    Pass("inline-and-expand", _on_jaxpr(support.flatten)),
    Pass("dead-equations", _on_jaxpr(ir.eliminate_dead)),
    Pass("fold-constants", _on_jaxpr(ir.fold_constants)),
    Pass("common-subexpressions", _on_jaxpr(ir.merge_common)),
    Pass("dead-equations-after-folding", _on_jaxpr(ir.eliminate_dead)),
    Pass("check-supported", _supported),
)
_BUILD = (Pass("plan", _plan), Pass("build-sdfg", _build))
_VALIDATE = Pass("validate", _validate)

#: name -> (fuse, passes). The fused pipeline leaves validation to the tests: it costs as much as translating.
PIPELINES: dict[str, tuple[bool, tuple[Pass, ...]]] = {
    "fused": (True, (*_FLATTEN, *_BUILD)),
    "canonical/none": (False, (*_FLATTEN, *_BUILD, _VALIDATE)),
    "canonical/simplify": (False, (*_FLATTEN, *_BUILD, _VALIDATE, Pass("simplify", _simplify))),
    "canonical/auto-optimize": (
        False,
        (*_FLATTEN, *_BUILD, _VALIDATE, Pass("simplify", _simplify), Pass("auto-optimize", _auto_optimize)),
    ),
}
_ALIASES = {"canonical": "canonical/none"}


def canonical_name(pipeline: str) -> str:
    """The full name of a pipeline.

    Raises:
        ValueError: unknown pipeline.
    """
    name = _ALIASES.get(pipeline, pipeline)
    if name not in PIPELINES:
        raise ValueError(f"unknown pipeline '{pipeline}'; choose one of {', '.join([*PIPELINES, *_ALIASES])}")
    return name


def passes_of(pipeline: str) -> tuple[Pass, ...]:
    """The passes of a pipeline, in order."""
    return PIPELINES[canonical_name(pipeline)][1]


def run_passes(state: State, passes: Sequence[Pass], observe: Callable[[str, State], None] | None) -> State:
    """Run passes in order; errors that are not jace's own become `PassError`."""
    for step in passes:
        try:
            state = step.run(state)
        except JaceError:
            raise
        except Exception as error:
            raise PassError(f"{type(error).__name__}: {error}", pass_name=step.name) from error
        if observe is not None:
            observe(step.name, state)
    return state


def program_name(closed: ClosedJaxpr, pipeline: str) -> str:
    """A C identifier that depends on the program's content only."""
    digest = hashlib.sha256(f"{ir.fingerprint(closed)} {pipeline}".encode()).hexdigest()
    return f"jace_{digest[:16]}"


def build(
    closed: ClosedJaxpr,
    pipeline: str = "fused",
    *,
    observe: Callable[[str, State], None] | None = None,
    stop_after: int | None = None,
) -> Program:
    """Translate a closed jaxpr to an SDFG.

    Args:
        closed: any closed jaxpr on CPU types; its consts should be few and small (they are compiled in).
        pipeline: "fused", "canonical/none", "canonical/simplify" or "canonical/auto-optimize".
        observe: called with (pass name, state) after each pass.
        stop_after: leave out the DaCe passes after the N-th pass; the passes up to the SDFG always run.

    Raises:
        UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
    """
    name = canonical_name(pipeline)
    fuse, passes = PIPELINES[name]
    if stop_after is not None:
        passes = passes[: max(stop_after, len(_FLATTEN) + len(_BUILD))]
    state = run_passes(State(closed, program_name(closed, name), fuse), passes, observe)
    assert state.plan is not None
    assert state.sdfg is not None

    return Program(state.name, state.sdfg, state.plan.inputs, state.plan.outputs)
