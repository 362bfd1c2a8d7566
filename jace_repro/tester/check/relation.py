"""Two forms of one program, which are to give the same: asked of XLA alone, each compiled by itself.

What DaCe makes of the two is compared with what XLA makes of them, as any program's outputs are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.ir import ClosedJaxpr, primitives, slice_to
from jace_repro.tester.check.reference import Reference
from jace_repro.tester.execute import xla
from jace_repro.tester.execute.traced import TracedProgram, from_jaxpr
from jace_repro.tester.numerics.compare import as_real, compare
from jace_repro.tester.numerics.differing import differing
from jace_repro.tester.verdict.oracle import Oracle, deviations
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict

#: What rounding may do to the difference of two executions, in multiples of the sum of what it may do to each: the
#: bounds are those of a few samples.
MARGIN = 2.0

_Array = np.ndarray[Any, Any]


def broken(reference: Reference, relation: str) -> Verdict | None:
    """The verdict, for no pipeline, where XLA gives something else for the two forms; None where it does not.

    Args:
        reference: a program whose outputs are those of the first form, then those of the second.
        relation: why they are to be the same.
    """
    prog, oracle = reference.prog, reference.oracle
    outvars = prog.plain.jaxpr.outvars
    half = len(outvars) // 2
    sides = [_part(prog, outvars[:half]), _part(prog, outvars[half:])]
    left, right = (xla.run_reference(side) for side in sides)
    found = compare(right, left, oracle.granted[:half])
    if found.within_budget:
        return None
    different = _Different((), "they were traced to programs that differ", "JAX")
    if not found.structural:
        beyond = _beyond_rounding(oracle, left, right)
        if beyond is None:
            return None
        different = beyond
    of = ",".join(sorted(primitives(sides[0].plain)))
    return Verdict(
        "",
        "relation-mismatch",
        signature("relation-mismatch", primitive=of, error=relation, difference=found.kind),
        f"{relation}, but under plain JAX the first form gives {found}; {different.says}",
        max_abs=found.max_abs,
        max_rel=found.max_rel,
        max_ulp=found.max_ulp,
        difference=found.kind,
        stage="reference",
        exact=oracle.rounds_nothing,
        who=different.who,
        differing=differing(right, left, different.masks),
    )


def _part(prog: TracedProgram, outvars: list[Any]) -> TracedProgram:
    closed: ClosedJaxpr
    closed, used = slice_to(prog.plain, outvars)
    return from_jaxpr(closed, [prog.flat[k] for k in used])


@dataclass(frozen=True)
class _Different:
    """Two executions that rounding does not explain: where, what that says, and whose fault it is."""

    masks: tuple[_Array | None, ...]
    says: str
    who: str | None


def _beyond_rounding(oracle: Oracle, left: list[_Array], right: list[_Array]) -> _Different | None:
    """How the two differ by more than rounding explains; None where it explains it, or nobody knows."""
    try:
        masks = tuple(_masks(oracle, left, right))
        if not any(mask is not None for mask in masks):
            return None
        centre, half = oracle.best, len(left)
        apart = any(mask is not None for mask in _masks(oracle, centre[:half], centre[half:]))
    except Exception:  # an oracle that cannot speak convicts nobody
        return None
    if apart:
        return _Different(
            masks, "so it does in higher precision: they were traced to programs that differ", "JAX"
        )
    return _Different(masks, "in higher precision they are the same: XLA computes one of them wrongly", "XLA")


def _masks(oracle: Oracle, left: list[_Array], right: list[_Array]) -> Iterator[_Array | None]:
    """Of each output of the forms the elements that are too far apart, None for none."""
    for place, (one, other) in enumerate(zip(left, right, strict=True)):
        twin = place + len(left)
        bound = MARGIN * (oracle.bound(place) + oracle.bound(twin))
        exact = oracle.budgets[place].exact and oracle.budgets[twin].exact
        found, _ = deviations(as_real(other), as_real(one), bound, exact=exact)
        yield np.any(list(found.values()), axis=0) if found else None
