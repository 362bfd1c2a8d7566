"""What jace makes of each primitive: asked of its tables, and tried on the probes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax

import jace
from jace import ir, pipelines, registry
from jace_repro.survey.primitives import Found, all_primitives
from jace_repro.survey.probes import ARRAYS, DTYPES
from jace_repro.survey.programs import KEYED, KEYS, REST
from jace_repro.survey.reasons import REASONS, UNPROBED

#: The pipelines that are tried; the other two make the same plan as `canonical`.
PIPELINES = pipelines.PLANS
ELSEWHERE = "other devices"
LEFT = "left to XLA"
UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Row:
    """A primitive and what jace makes of it.

    Attributes:
        kind: how it is translated, or `LEFT`, `ELSEWHERE`, `UNSUPPORTED`.
        where: what holds the rule or the expansion.
        module: the module of JAX that has the primitive.
        dtypes: those whose probe every pipeline translates.
        refused: those that JAX traces and a pipeline does not translate.
        pipelines: those that translate at least one probe.
        note: why it is not translated, or not tried; None when there is no reason although there should be.
        tried: whether there is a probe.
    """

    name: str
    kind: str
    where: str
    module: str
    dtypes: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    pipelines: tuple[str, ...] = ()
    note: str | None = ""
    tried: bool = True

    @property
    def translated(self) -> bool:
        """Whether DaCe runs it."""
        return self.kind not in (LEFT, ELSEWHERE, UNSUPPORTED)


def _home(fun: Any) -> str:
    """Module and name of a function, without the prefixes that say nothing."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    module = getattr(fun, "__module__", "")
    name = getattr(fun, "__qualname__", type(fun).__name__)
    shown = module if "<" in name else f"{module}.{name}"
    return shown.removeprefix("jax._src.")


def _rule(name: str) -> tuple[str, str] | None:
    rule = jace.rule_of(name)
    if rule is None:
        return None
    if isinstance(rule, registry.Elementwise):
        return "elementwise rule", _home(rule.expression)
    if isinstance(rule, registry.IndexMap):
        return "index map rule", _home(rule.value)
    return "region rule", _home(rule.build)


#: How jace translates what has no rule: (kind, the table, where it is), asked in this order.
_TABLES: tuple[tuple[str, Iterable[str], str], ...] = (
    ("call inlined", ir.CALLS, "jace.ir.calls"),
    ("dropped annotation", [*ir.ALIASES, *ir.TOKENS], "jace.ir.annotations"),
    ("collective on one device", [*ir.COLLECTIVES, *ir.CASTS, "shard_map"], "jace.ir.collectives"),
    ("expansion: keys as arrays", ir.RANDOM, "jace.ir.expand"),
    ("decided for CPU", ir.DECIDED, "jace.ir.calls"),
)


def _realisation(found: Found) -> tuple[str, str] | None:
    """(kind, where) according to jace's tables, or None."""
    rule = _rule(found.name)
    if rule is not None:
        return rule
    for kind, table, where in _TABLES:
        if found.name in table:
            return kind, where
    expansion = ir.lower_fun_of(found.primitive)
    if expansion is not None:
        return "expansion: JAX's lowering", _home(expansion[0])
    return None


def _probe(name: str) -> tuple[Callable[[Any], Any], Sequence[Any]] | None:
    """The probe of a primitive and the dtypes (or kinds of keys) to try it with."""
    if name in KEYED:
        return KEYED[name], KEYS
    probe = ARRAYS.get(name) or REST.get(name)
    return (probe, DTYPES) if probe is not None else None


def trace(name: str, dtype: Any) -> Any:
    """The jaxpr of a primitive's probe, or None when JAX does not trace the primitive for this dtype."""
    probe = _probe(name)
    if probe is None:
        raise KeyError(name)
    with jax.enable_x64(True):
        try:
            fun, avals = probe[0](dtype)
            closed = jax.make_jaxpr(fun)(*avals)
        except Exception:  # JAX refuses a dtype in many ways; what is refused always is found by a test
            return None
    return (
        closed
        if any(_works_on(eqn, dtype) for _, eqn in ir.walk(closed) if eqn.primitive.name == name)
        else None
    )


def _works_on(eqn: Any, dtype: Any) -> bool:
    """Whether the equation has `dtype` among its types: a promotion may have come before it."""
    dtypes = {getattr(v.aval, "dtype", None) for v in (*eqn.invars, *eqn.outvars)} - {None}
    return dtype in dtypes or dtype in KEYS or not dtypes


def _translated(closed: Any) -> tuple[str, ...]:
    """The pipelines that translate a jaxpr, up to the plan."""
    with jax.enable_x64(True):
        return jace.plannable(closed, PIPELINES)


def _purified(name: str, dtypes: Sequence[Any]) -> bool:
    """Whether the primitive goes away when programs are made free of state and of user-defined types."""
    closed = next((c for c in (trace(name, d) for d in reversed(dtypes)) if c is not None), None)
    return closed is not None and all(eqn.primitive.name != name for _, eqn in ir.walk(ir.purify(closed)))


def classify(found: Found) -> Row:
    """What jace makes of one primitive."""
    name, module = found.name, found.shown_module
    realised = _realisation(found)
    probe = _probe(name)
    if found.elsewhere is not None and realised is None:
        return Row(name, ELSEWHERE, "", module, note=found.elsewhere, tried=False)
    if realised is None and name in jace.LEFT_TO_XLA:
        return Row(name, LEFT, "jace.translate.support", module, note=jace.LEFT_TO_XLA[name], tried=False)
    if realised is None and probe is not None and _purified(name, probe[1]):
        kind = "lowered user-defined type" if module == "hijax" else "discharged state"
        realised = kind, "jace.ir.state"
    if probe is None and realised is not None:
        return Row(name, *realised, module, note=UNPROBED.get(name, found.elsewhere), tried=False)
    if probe is None:
        return Row(name, UNSUPPORTED, "", module, note=REASONS.get(name), tried=False)
    dtypes, refused, ways = _try(name, probe[1])
    if realised is None or not dtypes:
        return Row(name, UNSUPPORTED, "", module, (), refused, ways, REASONS.get(name))
    return Row(name, *realised, module, dtypes, refused, ways)


def _try(name: str, dtypes: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """(dtypes that all pipelines translate, those that not all do, pipelines that translate one at least)."""
    good: list[str] = []
    refused: list[str] = []
    ways: set[str] = set()
    for dtype in dtypes:
        closed = trace(name, dtype)
        if closed is None:
            continue
        done = _translated(closed)
        ways.update(done)
        (good if len(done) == len(PIPELINES) else refused).append(str(dtype))
    return tuple(good), tuple(refused), tuple(p for p in PIPELINES if p in ways)


def coverage(names: Iterable[str] | None = None) -> Iterator[Row]:
    """The rows of all primitives, or of those named, sorted; each is tried when it is asked for.

    Raises:
        KeyError: a name that is no primitive of this JAX.
    """
    known: Mapping[str, Found] = all_primitives()
    for name in sorted(known if names is None else set(names)):
        yield classify(known[name])
