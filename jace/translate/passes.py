"""The passes of the pipelines: named, ordered steps from a closed jaxpr to an SDFG.

What `jace.pipelines` names is here a list of passes on one `State`; it can be cut after the N-th pass and observed
between any two. Passes on the jaxpr come first, then planning and building, then DaCe's own transformations, whose
steps can be watched and cut one by one (`jace.debug.steps`). Where to cut is said by `jace.debug.stop`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import dace
from jax.extend.core import ClosedJaxpr

from jace import ir, pipelines, user_passes
from jace.build import dace_errors
from jace.build.config import configure
from jace.debug import stop as stops
from jace.debug.steps import Application, Run, Watch, digest
from jace.errors import InvalidSDFGError, JaceError, PassError
from jace.plan import Buffer, Plan, Planner, with_shared_buffers
from jace.plan import plan as make_plan
from jace.plan.fusions import Fusions
from jace.sdfg import build_sdfg, sizes
from jace.translate import support, transform


@dataclass(frozen=True)
class Program:
    """What a pipeline makes of a jaxpr.

    Attributes:
        name: the SDFG's name.
        sdfg: what DaCe compiles.
        inputs, outputs: what it is called with, in order.
        closed: the equations that it was planned from: flat, and without those that are dead, known or repeated.
        notes: label of a state, or a symbol -> which equation it is for, in annotated builds.
        sizes: the value of each symbol of the SDFG that is an extent (`jace.sdfg.sizes`).
        idle: passes of the user's own that left the SDFG as it was.
    """

    name: str
    sdfg: dace.SDFG
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    closed: ClosedJaxpr
    notes: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """What passes work on."""

    closed: ClosedJaxpr
    name: str
    fuse: bool
    met: frozenset[str] = frozenset()
    plan: Plan | None = None
    sdfg: dace.SDFG | None = None
    fusions: Fusions | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pass:
    """A named step.

    Attributes:
        run: State -> State; may raise.
        needed: there is no SDFG without it, so it is never cut away.
        dace: it runs DaCe's passes on the state's SDFG, in place.
        users: it is a user's own, which does the same.
    """

    name: str
    run: Callable[[State], State] = field(repr=False)
    needed: bool = False
    dace: bool = False
    users: bool = False


def _supported(state: State) -> State:
    support.check(state.closed)
    return state


def _plan(state: State) -> State:
    planner = Planner(state.fuse, not state.fuse, state.met, state.fusions or Fusions())
    return replace(state, plan=make_plan(state.closed, planner))


def _share(state: State) -> State:
    assert state.plan is not None
    return replace(state, plan=with_shared_buffers(state.plan))


def _build(state: State, symbolic: bool = False) -> State:
    assert state.plan is not None
    notes: dict[str, str] = {}
    sdfg = build_sdfg(
        state.name, state.plan, persistent=state.fuse, symbolic=symbolic, met=state.met, notes=notes
    )
    return replace(state, sdfg=sdfg, notes=notes)


def _validate(state: State) -> State:
    assert state.sdfg is not None
    try:
        state.sdfg.validate()
    except Exception as error:  # DaCe raises several unrelated types
        dace_errors.forget_dump(error)
        raise InvalidSDFGError(
            f"DaCe rejects the SDFG: {type(error).__name__}: {dace_errors.said(error)}"
        ) from error
    return state


def _simplify(sdfg: dace.SDFG, met: frozenset[str]) -> None:
    sdfg.simplify(validate=True)


@functools.cache
def _expand_alike_everywhere() -> None:
    """DaCe would look which BLAS is installed, for each SDFG: what it makes of one is not to depend on the machine.

    Who wants a library says so: `canonical/expand:OpenBLAS+auto-optimize`.
    """
    from dace.transformation.auto import auto_optimize

    auto_optimize.find_fast_library = lambda device: ["pure"]


def _auto_optimize(sdfg: dace.SDFG, met: frozenset[str]) -> None:
    from dace.transformation.auto.auto_optimize import auto_optimize

    _expand_alike_everywhere()
    auto_optimize(sdfg, dace.DeviceType.CPU)


def _on_jaxpr(fun: Callable[[ClosedJaxpr], ClosedJaxpr]) -> Callable[[State], State]:
    return lambda state: replace(state, closed=fun(state.closed))


_INLINE = Pass("inline-and-expand", _on_jaxpr(support.flatten), needed=True)
_EXPAND = Pass("expand", _on_jaxpr(support.flatten_kept), needed=True)
_FLATTEN = (
    Pass("dead-equations", _on_jaxpr(ir.eliminate_dead)),
    Pass("fold-constants", _on_jaxpr(ir.fold_constants)),
    Pass("common-subexpressions", _on_jaxpr(ir.merge_common)),
    Pass("dead-equations-after-folding", _on_jaxpr(ir.eliminate_dead)),
    Pass("check-supported", _supported, needed=True),
)
_PLAN = Pass("plan", _plan, needed=True)
#: Not where DaCe's passes follow: what is written twice is less free to move.
_SHARE = Pass("share-memory", _share)
_BUILD = Pass("build-sdfg", _build, needed=True)
_BUILD_SYMBOLIC = Pass("build-sdfg", functools.partial(_build, symbolic=True), needed=True)
_VALIDATE = Pass("validate", _validate)
#: Name of what a fused plan decides (`jace.plan.fusions`): its applications are the decisions.
FUSE = "fuse"

#: DaCe's pipelines by name: run(SDFG, the bugs of DaCe's that are not gone round).
_DACE: Mapping[str, Callable[[dace.SDFG, frozenset[str]], None]] = {
    "simplify": _simplify,
    "auto-optimize": _auto_optimize,
    "gpu": transform.to_gpu,
}


def passes_of(pipeline: str) -> tuple[Pass, ...]:
    """The passes of a pipeline, in order.

    Raises:
        ValueError: unknown pipeline.
    """
    found = pipelines.find(pipeline)
    if found.fused:  # validation is left to the tests: it costs as much as translating
        return (_INLINE, *_FLATTEN, _PLAN, _SHARE, _BUILD)
    first = _EXPAND if found.nested else _INLINE
    build = _BUILD_SYMBOLIC if found.symbolic else _BUILD
    return (first, *_FLATTEN, _PLAN, build, _VALIDATE, *map(_dace_pass, found.dace))


def _dace_pass(step: str) -> Pass:
    applied = _DACE.get(step) or functools.partial(transform.run, step)
    users = user_passes.is_one(step)

    def run(state: State) -> State:
        assert state.sdfg is not None
        if users:  # what a user's pass does is shown as it is
            before = digest(state.sdfg)
            applied(state.sdfg, state.met)
            idle = (pipelines.label(step),) if digest(state.sdfg) == before else ()
            return replace(state, idle=(*state.idle, *idle))
        applied(state.sdfg, state.met)
        transform.make_private(state.sdfg, state.met)
        return state

    return Pass(pipelines.label(step), run, dace=True, users=users)


def plannable(closed: ClosedJaxpr, names: Sequence[str]) -> tuple[str, ...]:
    """Those of the pipelines that find a plan for a jaxpr; the passes that they share run once."""
    ways = {name: _until_plan(name) for name in names}
    steps = zip(*ways.values(), strict=False)
    shared = [step[0] for step in itertools.takewhile(lambda step: len(set(map(id, step))) == 1, steps)]
    good = []
    try:
        state = run_passes(State(closed, "unnamed", True), shared, None)
    except JaceError:
        return ()
    for name, passes in ways.items():
        found = pipelines.find(name)
        start = replace(state, fuse=found.fused, met=frozenset(found.met))
        with contextlib.suppress(JaceError):
            run_passes(start, passes[len(shared) :], None)
            good.append(name)
    return tuple(good)


def _until_plan(pipeline: str) -> tuple[Pass, ...]:
    passes = passes_of(pipeline)
    return passes[: [p.name for p in passes].index("plan") + 1]


def run_passes(
    state: State,
    passes: Sequence[Pass],
    observe: Callable[[str, State], None] | None,
    watch: Watch | None = None,
) -> State:
    """Run passes in order; errors that are not jace's own become `PassError`.

    Args:
        state, passes: where to begin, and what to run.
        observe: called with (pass name, state) after each pass that ran.
        watch: says where to stop, and is told what ran. After the stop only needed passes run.
    """
    for step in passes:
        if watch is not None and not step.needed and (watch.stopped or watch.stops_before(step.name)):
            continue
        try:
            state = step.run(state) if watch is None else _watched(step, state, watch)
        except JaceError:
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, SystemExit) and not step.users:
                raise
            dace_errors.forget_dump(error)
            place = user_passes.place_of(error) if step.users else ""
            raise PassError(
                f"{type(error).__name__}: {dace_errors.said(error)}{place}", pass_name=step.name
            ) from error
        if observe is not None:
            observe(step.name, state)
    return state


def _watched(step: Pass, state: State, watch: Watch) -> State:
    if step.dace:
        assert state.sdfg is not None
        with watch.inside(step.name, state.sdfg, users=step.users):
            state = step.run(state)
        return state
    run = Run(step.name)
    if not step.needed:
        watch.runs.append(run)
    after = step.run(state)
    run.finished = True
    run.changed = watch.compare and after is not state and _content(after) != _content(state)
    watch.stops_after(step.name)
    if step.name == "plan" and state.fusions is not None:
        decisions = [Application("fusion", text) for text in state.fusions.made]
        watch.runs.append(Run(FUSE, decisions, changed=bool(decisions), finished=True))
        watch.stops_after(FUSE)
    return after


def _content(state: State) -> str:
    return ir.fingerprint(state.closed) if state.sdfg is None else digest(state.sdfg)


def _fusions(watch: Watch, passes: Sequence[Pass]) -> Fusions:
    """The decisions of fusion that a stop leaves: all before it, none after a pass that comes earlier."""
    stop, limit = watch.stop, None
    if stop is not None:
        earlier = {stops.START} | {p.name for p in passes[: [p.name for p in passes].index("plan")]}
        limit = stop.application if stop.name == FUSE else 0 if stop.name in earlier else None
    return Fusions(limit, told=watch.compare)


def program_name(closed: ClosedJaxpr, pipeline: str) -> str:
    """A C identifier that depends on the program's content only."""
    digest = hashlib.sha256(f"{ir.fingerprint(closed)} {pipeline}".encode()).hexdigest()
    return f"jace_{digest[:16]}"


def translate(
    closed: ClosedJaxpr,
    pipeline: str = pipelines.DEFAULT,
    *,
    observe: Callable[[str, State], None] | None = None,
    watch: Watch | None = None,
) -> Program:
    """Translate a closed jaxpr to an SDFG.

    Args:
        closed: any closed jaxpr on CPU types; its consts should be few and small (they are compiled in).
        pipeline: a name of `jace.pipelines`; with "@PASS[.K][:N]" (`jace.debug.stop`) it is cut there. What an SDFG
            needs always runs.
        observe: called with (pass name, state) after each pass.
        watch: is told what ran; made for the stop when there is one.

    Raises:
        ValueError: no such pipeline, or no place to stop.
        UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
    """
    configure()
    found, stop = pipelines.parse(pipeline)
    name, fuse = found.name, found.fused
    passes = passes_of(name)
    if stop is not None:
        watch = watch or Watch()
        watch.stop, watch.stopped = stop, stop.name == stops.START
    fusions = _fusions(watch, passes) if fuse and watch is not None else None
    start = State(closed, program_name(closed, name), fuse, frozenset(found.met), fusions=fusions)
    state = run_passes(start, passes, observe, watch)
    assert state.plan is not None
    assert state.sdfg is not None
    if stop is not None and watch is not None and not watch.stopped:
        ran = ", ".join(dict.fromkeys(run.label.partition(".")[0] for run in watch.runs))
        warnings.warn(f"pipeline '{name}' did not stop after '{stop}'; what ran: {ran}", stacklevel=2)
    inputs, outputs = state.plan.inputs, state.plan.outputs
    extents = sizes.values(state.sdfg.symbols) if found.symbolic else {}
    return Program(state.name, state.sdfg, inputs, outputs, state.closed, state.notes, extents, state.idle)
