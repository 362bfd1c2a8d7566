"""Transformations and passes on an SDFG, one by one: those that DaCe ships, and a user's own."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import dace
from dace.sdfg.graph import SubgraphView
from dace.transformation import pass_pipeline
from dace.transformation import transformation as xf
from dace.transformation.passes.pattern_matching import match_patterns

from jace import known_bugs, pipelines, user_passes
from jace.build.environments import missing

#: What a step may stand for, for messages.
KINDS = (
    "a function of an SDFG, a Pass or a transformation of DaCe's (a class, or one with properties of its own), "
    "or a list of these"
)


def run(step: str, sdfg: dace.SDFG, met: frozenset[str] = frozenset()) -> None:
    """Run what a step of a pipeline stands for (`jace.pipelines`), in place; the SDFG is valid afterwards.

    Args:
        step, sdfg: what is run, and on what.
        met: the bugs of DaCe's that are not gone round.

    Raises:
        ValueError: it stands for nothing that there is.
        TypeError: it stands for no pass.
        InvalidSDFGError: of DaCe's; and whatever a pass raises.
    """
    found = pipelines.xform(step)
    if found is not None:
        name, seed = found
        apply(of_dace(name), sdfg, None if seed is None else random.Random(seed))
    elif (implementation := pipelines.expansion(step)) is not None:
        expand(implementation, sdfg, met)
    else:
        for own in user_passes.resolve(step):
            apply(own, sdfg)
    sdfg.validate()


def of_dace(name: str) -> Any:
    """The class of a transformation or pass that DaCe ships."""
    return getattr(importlib.import_module(pipelines.transformations()[name]["module"]), name)


def matches(name: str, sdfg: dace.SDFG) -> bool:
    """Whether a transformation of DaCe's can be applied anywhere; a pass says so only when it runs."""
    cls = of_dace(name)
    return not issubclass(cls, xf.PatternTransformation) or any(match_patterns(sdfg, [cls]))


def apply(what: Any, sdfg: dace.SDFG, rng: random.Random | None = None) -> None:
    """Run a pass, or apply a transformation at each of the matches there are now; with `rng` at one of them.

    Args:
        what: see `KINDS`.

    Raises:
        TypeError: it is none of these; and whatever it raises.
    """
    if isinstance(what, list | tuple):
        for one in what:
            apply(one, sdfg, rng)
        return
    cls = what if isinstance(what, type) else type(what)
    for base, how in _APPLIED_BY:
        if issubclass(cls, base):
            how(what, sdfg, rng)
            return
    if not callable(what) or isinstance(what, type):
        raise TypeError(f"{what!r} is no pass: it should be {KINDS}")
    what(sdfg)


def expand(implementation: str, sdfg: dace.SDFG, met: frozenset[str] = frozenset()) -> None:
    """Expand the library nodes that have an implementation, and those that become such; the others stay.

    Raises:
        ValueError: it needs a library that is not here.
    """
    waiting = True
    while waiting:
        nodes, waiting = _library_nodes(sdfg), False
        for node, state in nodes:
            name = next((n for n in (implementation, "specialize") if n in node.implementations), None)
            if name is None:
                continue
            # as in the SDFG that an Einsum becomes: the tasklet of a library call would have the same connectors
            named_alike = {*node.in_connectors, *node.out_connectors} & state.sdfg.arrays.keys()
            if named_alike and name == implementation and known_bugs.goes_round("einsum_by_blas", met):
                name = "pure"
            if lacking := missing(node.implementations[name].environments):
                raise ValueError(
                    f"the implementation {name!r} of {type(node).__name__} needs what is not here: {lacking}; "
                    "expand:pure needs no library"
                )
            node.implementation = name
            node.expand(state)
            waiting = True


def make_private(sdfg: dace.SDFG, met: frozenset[str] = frozenset()) -> None:
    """What is accessed within a map alone belongs to an iteration, as it did in the SDFG that was inlined there."""
    if not known_bugs.goes_round("inlined_temporaries", met):
        return
    for inner in sdfg.all_sdfgs_recursive():
        accessed = {(n.data, s.entry_node(n) is None) for s in inner.states() for n in s.data_nodes()}
        for name in {name for name, _ in accessed} - {name for name, outside in accessed if outside}:
            if inner.arrays[name].lifetime is dace.AllocationLifetime.SDFG:
                inner.arrays[name].lifetime = dace.AllocationLifetime.Scope


def _library_nodes(sdfg: dace.SDFG) -> list[tuple[Any, Any]]:
    """Each with its state."""
    return [found for found in sdfg.all_nodes_recursive() if isinstance(found[0], dace.nodes.LibraryNode)]


def to_gpu(sdfg: dace.SDFG, met: frozenset[str] = frozenset()) -> None:
    """DaCe's way to a GPU, without the `simplify` that it ends with, which is a step of its own."""
    if known_bugs.goes_round("einsum_on_gpu", met):
        others = {node for node, _ in _library_nodes(sdfg) if type(node).__name__ != "Einsum"}
        while waiting := [found for found in _library_nodes(sdfg) if found[0] not in others]:
            for node, state in waiting:  # and what it becomes, which is a MatMul
                node.expand(state)
    for node, state in list(sdfg.all_nodes_recursive()):
        if isinstance(node, dace.nodes.Tasklet) and node.language == dace.Language.CPP:
            _read_symbols(node, state)
    sdfg.apply_gpu_transformations(simplify=False)


def _read_symbols(tasklet: Any, state: Any) -> None:
    """Have C++ read the loops' variables that it names: DaCe looks for these in Python alone, and tells no kernel."""
    around: list[Any] = []
    entry = state.entry_node(tasklet)
    while entry is not None:
        around.insert(0, entry)
        entry = state.entry_node(entry)
    parameters = {name for entry in around for name in entry.map.params}
    for name, kind in state.symbols_defined_at(tasklet).items():
        code, count = re.subn(rf"\b{name}\b", f"{name}_read", tasklet.code.as_string)
        if not count or name in parameters:
            continue
        data, _ = state.sdfg.add_transient(f"{name}_value", [1], kind, find_new_name=True)
        memlet, value = dace.Memlet(f"{data}[0]"), state.add_access(data)
        state.add_edge(state.add_tasklet(f"{name}_told", {}, {"o"}, f"o = {name}"), "o", value, None, memlet)
        tasklet.add_in_connector(f"{name}_read")
        state.add_memlet_path(
            value, *around, tasklet, dst_conn=f"{name}_read", memlet=dace.Memlet(f"{data}[0]")
        )
        tasklet.code = dace.properties.CodeBlock(code, dace.Language.CPP)


def _pass(what: Any, sdfg: dace.SDFG, rng: random.Random | None) -> None:
    """With the analyses that it asks for."""
    pass_pipeline.Pipeline([what() if isinstance(what, type) else what]).apply_pass(sdfg, {})


def _pattern(what: Any, sdfg: dace.SDFG, rng: random.Random | None) -> None:
    """At each match that is there when it begins, once, as long as it still is one; with `rng` at one of them."""
    there = [_matched(match, sdfg) for match in match_patterns(sdfg, [what])]
    chosen = there if rng is None else rng.sample(there, min(len(there), 1))
    waiting = dict.fromkeys(chosen)
    while waiting:
        match = next((m for m in match_patterns(sdfg, [what]) if _matched(m, sdfg) in waiting), None)
        if match is None:
            return
        del waiting[_matched(match, sdfg)]
        region = sdfg.cfg_list[match.cfg_id]
        match.apply(region.node(match.state_id) if match.state_id >= 0 else region, region.sdfg)


def _matched(match: Any, sdfg: dace.SDFG) -> tuple[Any, ...]:
    """What a match is of: the expression, and the nodes (their numbers change with each application)."""
    region = sdfg.cfg_list[match.cfg_id]
    graph = region.node(match.state_id) if match.state_id >= 0 else region
    return match.expr_index, frozenset(graph.node(number) for number in match.subgraph.values())


def _subgraph(what: Any, sdfg: dace.SDFG, rng: random.Random | None) -> None:
    """To all that a state computes, in each state that it can be applied to; with `rng` in one of them."""

    def made(state: Any) -> Any:
        one = what() if isinstance(what, type) else what
        one.setup_match(SubgraphView(state, state.nodes()))
        return one

    states = [s for s in _states(sdfg) if s.nodes() and _fits(made(s), s)]
    for state in states if rng is None else rng.sample(states, min(len(states), 1)):
        made(state).apply(state.sdfg)


def _fits(made: Any, state: Any) -> bool:
    fits: bool = made.can_be_applied(state.sdfg, SubgraphView(state, state.nodes()))
    return fits


def _states(sdfg: dace.SDFG) -> Iterator[Any]:
    for inner in sdfg.all_sdfgs_recursive():
        yield from inner.states()


#: Base class -> how it is applied, the most special first.
_APPLIED_BY: tuple[tuple[type[Any], Callable[[Any, dace.SDFG, random.Random | None], None]], ...] = (
    (xf.PatternTransformation, _pattern),
    (xf.SubgraphTransformation, _subgraph),
    (pass_pipeline.Pass, _pass),
)
