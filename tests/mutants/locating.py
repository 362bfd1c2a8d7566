"""Whether a mutant that was found is also named: the equation of a wrong rule, the wrong pass and its application.

A rule's mutant is named when localisation blames an equation of the primitive whose rule is wrong; a pass's when the
bisection names the pass, or the transformation that it applied.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from typing import Any

from jace_repro.tester import Options, Pool
from mutants import mutants
from mutants.samples import Program, make
from mutants.scoring import Result

RULES = ("elementwise", "movement", "reductions", "regions")
PASSES = ("passes", "history")
#: What is to be named of a mutant, and its families.
NAMED = {"equation": RULES, "pass": PASSES}
#: What may be compiled to find a pass, and then its application.
PASS_LIMIT, APPLICATION_LIMIT = 6, 12
#: Other primitives whose rules use what is wrong, by mutant: naming one of them is right as well.
ALSO = {
    "dynamic_slice_is_not_clamped": ("gather",),
    "dynamic_slice_is_clamped_late": ("gather",),
    "reduce_window_drops_the_last": ("select_and_scatter_add",),
    "threefry_swaps_words": ("random_split", "random_bits"),
}
_LOCALIZE = Options(localize=True, ffi_share=0.0, blame=False, remember=True)
_TIMEOUT = 120.0


@dataclass(frozen=True)
class Located:
    """What was named for a mutant.

    Attributes:
        name, family, target: of the mutant.
        program: that showed it.
        named: the primitives, or the pass and the transformation.
        right: whether the target is among them.
        compilations: of a bisection, by what was searched.
        note: what else there is to say.
    """

    name: str
    family: str
    target: str
    program: str
    named: tuple[str, ...] = ()
    right: bool = False
    compilations: dict[str, int] = field(default_factory=dict)
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return asdict(self)


def locate(results: Sequence[Result], programs: Sequence[Program], jobs: int) -> Iterator[Located]:
    """What is named for each mutant that was found, of the families that have a rule or a pass to name."""
    modes = {p.name: p.x64 for p in programs}
    for x64 in (False, True):
        mine = [
            r
            for r in results
            if r.detected and modes[r.program.removeprefix("special0:").removeprefix("special1:")] == x64
        ]
        rules = [r for r in mine if r.mutant.family in RULES]
        with Pool(jobs, _TIMEOUT, backend="mutants.backend:planted", options=_LOCALIZE) as pool:
            for r in rules:
                yield _equation(pool, r, x64)
    passes = [r for r in results if r.detected and r.mutant.family in PASSES]
    os.environ["JAX_PLATFORMS"] = "cpu"
    for r in passes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            try:
                yield process.submit(bisected, r.mutant.name, r.program).result()
            except BrokenProcessPool:
                yield Located(*_of(r), note="the process died")


def _of(r: Result) -> tuple[str, str, str, str]:
    return r.mutant.name, r.mutant.family, r.mutant.target, r.program


def _equation(pool: Pool, r: Result, x64: bool) -> Located:
    subject = Program(r.program, 0, (), x64).named
    (verdict,) = pool.check(subject, [f"{r.mutant.name}|{r.mutant.pipeline}"])
    named = tuple(str(verdict.guilty.primitive if verdict.guilty else "").split(", "))
    note = f"{verdict.outcome}: {verdict.detail[:200]}"
    right = bool({r.mutant.target, *ALSO.get(r.mutant.name, ())} & set(named))
    return Located(*_of(r), named, right, note=note)


def bisected(name: str, program: str) -> Located:
    """What the bisection names for a mutant on a program. In a process of its own: a wrong pass may end it."""
    from jace_repro.tester.execute import traced
    from jace_repro.tester.locate.bisect import bisect, jace_build

    os.environ["JACE_CACHE"] = "0"
    mutant = mutants()[name]
    prog = traced.from_jaxpr(*make(program))
    with mutant.plant():
        found = bisect(prog, mutant.pipeline, jace_build(prog))
    of = (name, mutant.family, mutant.target, program)
    if found is None or found.culprit.pass_ is None:
        return Located(*of, note="no pass is named" if found is not None else "it does not fail here")
    step = found.culprit.pass_
    named = (step.rpartition("/")[2].partition(".")[0], found.culprit.transformation)
    return Located(*of, named, mutant.target in named, dict(found.compilations), step)


def told(located: Sequence[Located]) -> Iterator[str]:
    """Lines: the shares, then each that was not named, then the compilations."""
    for what, mine in _by_name(located):
        if mine:
            right = sum(one.right for one in mine)
            yield f"the {what} is named in {right} of {len(mine)} ({_share(mine):.1%})"
            for one in mine:
                if not one.right:
                    yield f"  not named: {one.name} ({one.target}) on {one.program}: {', '.join(one.named)} {one.note}"
    counts = [one.compilations for one in located if one.compilations]
    for what, limit in (("pass", PASS_LIMIT), ("application", APPLICATION_LIMIT)):
        if counts:
            most = max(c.get(what, 0) for c in counts)
            mean = sum(c.get(what, 0) for c in counts) / len(counts)
            yield f"compilations for the {what}: {mean:.1f} on average, {most} at most (limit {limit})"


def shares(located: Sequence[Located]) -> dict[str, float]:
    """The share that is named, of rules ("equation") and of passes ("pass")."""
    return {what: _share(mine) for what, mine in _by_name(located)}


def _by_name(located: Sequence[Located]) -> Iterator[tuple[str, list[Located]]]:
    """What is to be named, and the mutants of which it is."""
    for what, families in NAMED.items():
        yield what, [one for one in located if one.family in families]


def _share(located: Sequence[Located]) -> float:
    return sum(one.right for one in located) / len(located) if located else 1.0
