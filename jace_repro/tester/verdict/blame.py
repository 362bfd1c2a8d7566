"""Whose fault a finding is, from evidence that is cheap once there is a finding.

What is asked: witnesses (the oracle, JAX equation by equation, XLA without optimisation), and the same
program through the other pipelines and with the C++ compiler at -O0. `PARTIES` says who may be named, `RULES`
is the table from evidence to a name.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jace import pipelines, user_passes
from jace_repro.tester.execute import backends, runs, xla
from jace_repro.tester.execute.backends import Backend, Executable
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.numerics import closely
from jace_repro.tester.numerics.compare import as_real, compare
from jace_repro.tester.numerics.errormodel import Budget
from jace_repro.tester.verdict.culprit import Evidence
from jace_repro.tester.verdict.oracle import Oracle
from jace_repro.tester.verdict.verdict import Verdict

#: Who may be wrong, and what that means.
PARTIES: Mapping[str, str] = {
    "jace rule": "the translation of one equation: wrong by itself, without fusion and without DaCe's passes",
    "user rule": "a translation rule that was registered from outside jace: mend it",
    "jace fusion": "jace's planner of fused kernels: the same program is right as one map per equation",
    "jace call": "how the code is called (from XLA, from two threads): it is right when it is called directly",
    "jace reading": "what jace takes a program for, by what it replaces calls, collectives and keys",
    "DaCe pass": "a pass of DaCe: the SDFG is right before it",
    "user pass": "a pass on SDFGs from outside jace and DaCe: the SDFG is right before it",
    "DaCe code generation": "C++ generated from SDFGs whose equations are right by themselves",
    "C++ compiler": "the compiler's optimisation: the same C++ is right at -O0, or there is no working compiler",
    "XLA": "the reference: the other oracles agree with DaCe, or it ends the process",
    "JAX": "a transformation of JAX's: of two forms of a program it made programs that differ",
    "program": "nobody: rounding errors alone move the program's result as far",
}

#: Those who are wrong whatever the pipeline: another one that shows the same bug need not be looked into.
EVERYWHERE = frozenset({"jace rule", "jace reading", "user rule", "XLA", "program"})

#: Outcomes whose culprit the other ways through DaCe tell.
COMPARABLE = frozenset({"mismatch", "nondeterministic", "compile-error", "codegen-error"})

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Facts:
    """What is known of a finding.

    Attributes:
        verdict: the finding.
        fails: whether the program also fails in another way ("canonical/none", ..., "-O0"), as far as asked.
    """

    verdict: Verdict
    fails: Mapping[str, bool] = field(default_factory=dict)

    @property
    def pipeline(self) -> str:
        """The verdict's, by its full name, wherever it was cut."""
        return _pipeline(self.verdict.pipeline).name

    @property
    def guilty_pass(self) -> str | None:
        """The pass that the verdict names."""
        return self.verdict.guilty.pass_ if self.verdict.guilty is not None else None

    @property
    def users_rule(self) -> str | None:
        """The user's own rule that the verdict names."""
        return self.verdict.guilty.rule if self.verdict.guilty is not None else None

    @property
    def in_context(self) -> bool:
        """Whether localisation says that no equation fails by itself."""
        return self.verdict.guilty is not None and self.verdict.guilty.confirmed is False

    def right(self, way: str) -> bool:
        """Whether the program was tried that way and is right."""
        return self.fails.get(way) is False


def _pipeline(name: str) -> pipelines.Pipeline:
    return pipelines.parse(name)[0]


def first_bad_step(facts: Facts) -> str | None:
    """The step of the pipeline between one that is right without it and one that fails with it."""
    found = _pipeline(facts.pipeline)
    failing = {**facts.fails, facts.pipeline: True}
    ways = itertools.pairwise((*found.shorter, found.name))
    for step, (before, after) in zip(found.dace, ways, strict=True):
        if failing.get(before) is False and failing.get(after):
            return step
    return None


def raised(facts: Facts) -> str | None:
    """The step of the pipeline, of DaCe's or the user's, that raised."""
    steps = _pipeline(facts.pipeline).dace
    return next((step for step in steps if pipelines.label(step) == facts.guilty_pass), None)


def _is_users(step: str | None) -> bool:
    return step is not None and user_passes.is_one(step)


#: (outcomes, condition, who); the first that holds names the culprit.
RULES: tuple[tuple[frozenset[str], Callable[[Facts], bool], str], ...] = (
    (frozenset({"reference-mismatch", "reference-crash"}), lambda f: True, "XLA"),
    (frozenset({"ill-conditioned"}), lambda f: True, "program"),
    (frozenset({"translate-error", "invalid-sdfg"}), lambda f: f.users_rule is not None, "user rule"),
    (frozenset({"unsupported", "translate-error", "invalid-sdfg"}), lambda f: True, "jace rule"),
    (frozenset({"pass-error"}), lambda f: _is_users(raised(f)), "user pass"),
    (frozenset({"pass-error"}), lambda f: raised(f) is not None, "DaCe pass"),
    (frozenset({"pass-error"}), lambda f: True, "jace fusion"),
    (frozenset({"compile-error"}), lambda f: "no C++ compiler" in f.verdict.detail, "C++ compiler"),
    (frozenset({"mismatch"}), lambda f: f.verdict.stage == "ffi", "jace call"),
    (frozenset({"mismatch"}), lambda f: f.verdict.stage == "read", "jace reading"),
    (COMPARABLE, lambda f: f.right("-O0"), "C++ compiler"),
    (COMPARABLE, lambda f: _is_users(first_bad_step(f)), "user pass"),
    (COMPARABLE, lambda f: first_bad_step(f) is not None, "DaCe pass"),
    (COMPARABLE, lambda f: f.pipeline == "fused" and f.right("canonical/none"), "jace fusion"),
    (COMPARABLE, lambda f: f.right(_pipeline(f.pipeline).careful), "DaCe code generation"),
    (frozenset({"codegen-error"}), lambda f: True, "DaCe code generation"),
    (COMPARABLE, lambda f: f.in_context, "DaCe code generation"),
    (COMPARABLE, lambda f: f.users_rule is not None, "user rule"),
    (COMPARABLE, lambda f: True, "jace rule"),
)
#: Outcomes that nobody need be asked about: they say themselves whose fault they are.
PLAIN = frozenset({"unsupported", "translate-error", "invalid-sdfg", "pass-error"})
#: Stages that say themselves whose fault a mismatch is: the call, and what a program is taken for, as by all witnesses.
_SETTLED = frozenset({"ffi", "read"})


def decide(facts: Facts) -> str | None:
    """Who is wrong; None for outcomes that say nothing of it."""
    outcome = facts.verdict.outcome
    return next((who for outcomes, holds, who in RULES if outcome in outcomes and holds(facts)), None)


# --- evidence -----------------------------------------------------------------------------------------------


def other_ways(pipeline: str) -> tuple[str, ...]:
    """The pipelines to compare with.

    Fused is held against the canonical one, DaCe's passes against what precedes them, and what meets a known bug of
    DaCe's against what goes round it.
    """
    found = _pipeline(pipeline)
    if found.fused:
        return ("canonical/none",)
    return (*reversed(found.shorter), *([found.careful] if found.met else []))


def without_passes(pipeline: str) -> str:
    """The pipeline that plans alike, goes round all known bugs of DaCe's and runs none of its passes.

    A backend's own name is that of its only way.
    """
    try:
        found = _pipeline(pipeline)
    except ValueError:
        return pipeline
    return pipeline if found.plan == found.name else found.plan


@dataclass
class Inquiry:
    """Gathers the evidence on one finding.

    Attributes:
        prog, oracle: the program, and its oracle.
        backend: what compiles for DaCe.
        reference: XLA's outputs.
        candidate: DaCe's, None when there are none.
        reference_is_wrong: whether XLA's are known to be wrong.
    """

    prog: TracedProgram
    oracle: Oracle
    backend: Backend
    reference: Sequence[_Array]
    candidate: Sequence[_Array] | None
    reference_is_wrong: bool = False
    rows: list[Evidence] = field(default_factory=list)

    def facts(self, verdict: Verdict) -> Facts:
        """Ask whoever can tell something about this finding."""
        fails: dict[str, bool] = {}
        if (
            verdict.outcome in ("mismatch", "reference-mismatch", "ill-conditioned")
            and verdict.stage not in _SETTLED
        ):
            self._ask_the_function()
            for name, run in self._witnesses():
                self._hear(name, run)
        if verdict.outcome in COMPARABLE and verdict.stage not in _SETTLED:
            for way, build in self._ways(verdict.pipeline):
                failed = self._fails(way, build)
                if failed is not None:
                    fails[way] = failed
        return Facts(verdict, fails)

    def _ask_the_function(self) -> None:
        """A row where the one function of a program is as DaCe has it: the oracle, which grants more, takes no side."""
        if self.candidate is None:
            return
        prog = self.prog
        if closely.acquits(prog.plain, prog.flat, self.candidate, self.reference):
            self.rows.append(Evidence("the function, to any number of digits", True, False, None, ""))

    def _witnesses(self) -> Iterator[tuple[str, Callable[[], Sequence[_Array]]]]:
        if self.oracle.rounds_nothing:
            yield "exact evaluation", lambda: list(self.oracle.native.values())
        else:
            yield "higher precision", lambda: self.oracle.precise
        yield "XLA, the same run again", lambda: xla.run_reference(self.prog)
        yield "JAX, equation by equation", lambda: xla.run_each(self.prog)
        yield "XLA at optimization level 0", lambda: xla.run_unoptimized(self.prog)

    def _ways(self, pipeline: str) -> Iterator[tuple[str, Callable[[], Executable]]]:
        """The other ways from the program to machine code, the cheapest first."""
        plain = backends.compiling_with(self.backend, opt=0)
        if plain is not None and self.candidate is not None:
            yield "-O0", lambda: plain(self.prog.closed, pipeline, backends.no_stages)
        for way in other_ways(pipeline):
            yield way, lambda way=way: self.backend(self.prog.closed, way, backends.no_stages)  # type: ignore[misc]

    def _hear(self, name: str, run: Callable[[], Sequence[_Array]]) -> None:
        """A row for what a witness says of the two."""
        try:
            outputs = [np.asarray(out) for out in run()]
        except Exception as error:  # a witness that cannot speak is evidence of nothing, and says why
            self._row(name, note=f"{type(error).__name__}: {error}".splitlines()[0])
            return
        self._row(name, outputs)

    def _fails(self, way: str, build: Callable[[], Executable]) -> bool | None:
        """Whether the program fails in another way through DaCe too; None when it does not get to run there."""
        name = f"DaCe, {way}"
        try:
            execution = runs.execute(build(), self.prog)
        except Exception as error:  # a failure of its own kind: told, and no evidence about this finding
            self._row(name, note=f"{type(error).__name__}: {error}".splitlines()[0])
            return True if self.candidate is None else None
        self._row(name, execution.outputs)
        wrong = self._wrong(execution.outputs)
        stable = all(self._same(execution.outputs, outputs) for outputs in execution.differing)
        return wrong or not stable or execution.overwritten is not None

    def _row(self, name: str, outputs: Sequence[_Array] | None = None, note: str = "") -> None:
        with_dace = with_xla = distance = None
        if outputs is not None:
            with_xla = self._same(self.reference, outputs)
            if self.candidate is not None:
                with_dace = self._same(self.candidate, outputs)
                distance = _ulps(self.candidate, outputs)
        self.rows.append(Evidence(name, with_dace, with_xla, distance, note))

    def _wrong(self, outputs: Sequence[_Array]) -> bool:
        """Whether DaCe's outputs in another way are wrong."""
        if [(a.shape, a.dtype) for a in outputs] != [(b.shape, b.dtype) for b in self.reference]:
            return True
        if self._same(self.reference, outputs) and not self.reference_is_wrong:
            return False
        try:
            return self.oracle.assess(outputs, None if self.reference_is_wrong else self.reference).wrong
        except Exception:  # an oracle that cannot speak leaves XLA's word
            return True

    def _same(self, one: Sequence[_Array], other: Sequence[_Array]) -> bool:
        """Whether two executions agree within what rounding explains."""
        if [np.shape(a) for a in one] != [np.shape(b) for b in other]:
            return False
        one, other = _as(one, self.reference), _as(other, self.reference)
        try:
            return self.oracle.agree(one, other)
        except Exception:  # without the oracle's bounds there are the budgets
            return compare(one, other, self.oracle.budgets).within_budget


def _as(outputs: Sequence[_Array], like: Sequence[_Array]) -> list[_Array]:
    """Outputs in the program's own dtypes: those of the higher precision are rounded."""
    with np.errstate(all="ignore"):
        return [np.asarray(out).astype(model.dtype) for out, model in zip(outputs, like, strict=True)]


def _ulps(candidate: Sequence[_Array], outputs: Sequence[_Array]) -> float:
    if [np.shape(a) for a in candidate] != [np.shape(b) for b in outputs]:
        return float("inf")
    exact = [Budget(0.0, True)] * len(candidate)
    real = [as_real(a) for a in candidate], [as_real(b) for b in _as(outputs, candidate)]
    return compare(*real, exact).max_ulp
