"""Pass bisection: the first pass, the first application of it, and the flag of the compiler that make a result wrong.

The pipeline runs once under a watch, which numbers DaCe's passes and their applications (`jace.debug`). A binary
search then compiles the program as it is after some of the passes that changed it. Every point of the search is a
pipeline with a name of its own ("canonical/auto-optimize@auto-optimize/LoopToMap:2"), so that it can be looked at by
hand: `jace.jit(pipeline=...)` takes it, and so does `$JACE_STOP_AFTER`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import jace
from jace.build import standing_alone
from jace.errors import CodegenError, CompilerKilledError, JaceError, PassError
from jace.pipelines import on_gpu
from jace_repro.repro import Repro
from jace_repro.tester.execute import backends, runs, stability, traced, xla
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.locate.bisected import Bisected
from jace_repro.tester.locate.search import Probe, Turn, first_bad
from jace_repro.tester.numerics.compare import compare
from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.oracle import Oracle

#: Builds a program for a pipeline, with so many of the compiler's deciding flags (None: all).
Build = Callable[[str, int | None], Any]

#: How long a probe that comes out right looks for a race: right by luck, it would acquit who is guilty.
RACE_SECONDS = 2.0
#: Probes that look for exceptions from "right before, wrong after".
RECHECKS = 2


def jace_build(prog: TracedProgram) -> Build:
    """Builds with jace."""

    def build(pipeline: str, first_flags: int | None) -> Executable:
        options = {"first_flags": first_flags}
        return backends.jace_backend(prog.closed, pipeline, backends.no_stages, options)

    return build


def bisect_repro(repro: Repro, pipeline: str) -> Bisected | None:
    """The pass, application and flag that make a repro fail on a pipeline; None when it does not fail.

    Raises:
        JaceError: it is not one SDFG (callbacks, say, stay with XLA), or does not get as far as an SDFG; or the
            compiler was killed.
        Exception: whatever the program raises under plain JAX.
    """
    with repro.configured():
        prog = traced.trace(repro)
        return bisect(prog, pipeline, jace_build(prog))


#: Verdicts as outcomes of a probe; others stand for themselves.
_OF_VERDICT = {"ok": "right", "ill-conditioned": "right", "mismatch": "wrong", "nondeterministic": "wrong"}


class NeedsOutcomeError(Exception):
    """The outcome of a pipeline must be found out before the search can go on."""

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        super().__init__(f"the outcome of '{pipeline}' is not known")


def bisect_by_outcomes(repro: Repro, pipeline: str, outcomes: Mapping[str, str]) -> Bisected | None:
    """As `bisect_repro` for a program that ends the process it runs in: nothing is compiled or run here.

    Args:
        outcomes: pipeline -> outcome of a verdict, of all pipelines tested so far. Flags are not searched.

    Raises:
        NeedsOutcomeError: test that pipeline and ask again.
    """

    def outcome(tested: str) -> str:
        if tested not in outcomes:
            raise NeedsOutcomeError(tested)
        return _OF_VERDICT.get(outcomes[tested], outcomes[tested])

    with repro.configured():
        prog = traced.trace(repro)
        return _Bisection(prog, pipeline, lambda tested, _: tested, outcome, flags=False).run()


def bisect(prog: TracedProgram, pipeline: str, build: Build) -> Bisected | None:
    """As `bisect_repro`, of a traced program."""
    return _Bisection(prog, pipeline, build, _outcome_of(prog, on_gpu=on_gpu(pipeline))).run()


def _outcome_of(prog: TracedProgram, *, on_gpu: bool) -> Callable[[Executable], str]:
    """A function that runs an executable and says "right" or how it is wrong."""
    expected = xla.run_reference(prog)
    granted = budgets(prog.plain)
    oracle = Oracle(prog.plain, prog.flat, granted)

    def outcome(executable: Executable) -> str:
        done = runs.execute(executable, prog, RACE_SECONDS)
        found = compare(expected, done.outputs, granted)
        if found.structural or done.overwritten is not None:
            return "wrong"
        if stability.unstable(executable, prog, done, agree, on_gpu=on_gpu) is not None:
            return "wrong"
        return "right" if found.within_budget or excused(done.outputs) else "wrong"

    def agree(one: list[np.ndarray[Any, Any]], other: list[np.ndarray[Any, Any]]) -> bool:
        if compare(one, other, granted).within_budget:
            return True
        try:
            return oracle.agree(one, other)
        except Exception:  # an oracle that cannot speak explains nothing
            return False

    def excused(outputs: list[np.ndarray[Any, Any]]) -> bool:
        try:
            return not oracle.assess(outputs).wrong or oracle.agree(outputs, expected)
        except Exception:  # an oracle that cannot speak (of a batched while, say) excuses nothing
            return False

    return outcome


@dataclass
class _Bisection:
    prog: TracedProgram
    pipeline: str
    build: Build
    outcome: Callable[[Any], str]
    compilations: dict[str, int] = field(default_factory=lambda: {"pass": 0, "application": 0, "flags": 0})
    notes: list[str] = field(default_factory=list)
    failure: str = "wrong"
    flags: bool = True  #: whether flags can be searched

    def run(self) -> Bisected | None:
        """The whole bisection."""
        watch = jace.debug.Watch(compare=True)
        try:
            jace.translate_jaxpr(self.prog.closed, self.pipeline, watch=watch)
        except JaceError as error:
            return self._raised(error, watch.runs)
        self.failure = self._try(self.pipeline, None)
        if self.failure == "right":
            return None
        changed = [run for run in watch.runs if run.changed]
        stops = [jace.debug.START, *(run.label for run in changed)]
        turn = self._search("pass", len(changed), lambda k: self._bad(stops[k]), rechecks=RECHECKS)
        self._tell(turn, ["the plain plan", *(run.label for run in changed)])
        flag = self._flag() if self.failure == "wrong" and self.flags else None
        if turn.bad == 0:
            return self._result(Bisected(Culprit(flag=flag)))
        run = changed[turn.bad - 1]
        return self._result(self._application(run, flag))

    def _application(self, run: Any, flag: str | None) -> Bisected:
        """The first guilty application of a guilty run, with the SDFG before and after it."""
        from jace_repro.tester.locate.sdfg_text import difference  # it imports DaCe

        number: int | None = None
        if run.applications:
            turn = self._search(
                "application", len(run.applications), lambda k: self._bad(f"{run.label}:{k}"), good=0
            )
            number = turn.bad
            if not turn.exact:
                self.notes.append(f"applications {turn.good + 1} to {turn.bad} cannot be told apart")
        applied = run.applications[number - 1] if number else None
        after = run.label if number is None else f"{run.label}:{number}"
        before = f"{run.label}:{(number or 1) - 1}"
        old, new = self._program(before, run, (number or 1) - 1), self._program(after, run, number)
        return Bisected(
            _named(run.label, number, applied, flag),
            before=_json(old),
            after=_json(new),
            diff=difference(old.sdfg, new.sdfg),
            scripts=self._scripts(
                old, run.label, number, applied, "InvalidSDFGError" if self.failure == "invalid" else ""
            ),
            good=f"{self.pipeline}@{before}",
            stop=f"{self.pipeline}@{after}",
        )

    def _scripts(
        self, old: Any, label: str, number: int | None, applied: Any, raises: str, *, has_after: bool = True
    ) -> tuple[str, ...]:
        """The finding without JAX, the more telling first: the step taken, and the SDFG after it where it has one."""
        from jace_repro.tester.locate.dace_script import Step, dace_script  # it imports DaCe

        what = f"{label}, application {number} ({applied.name})" if applied is not None else label
        steps = []
        name = label.rpartition("/")[2].partition(".")[0]
        if applied is not None and applied.replay:
            steps.append(Step(what, applied.module, replay=applied.replay, raises=raises))
        if (shipped := jace.pipelines.transformations().get(name)) is not None and shipped["kind"] == "pass":
            steps.append(Step(name, shipped["module"], name, raises=raises))
        if has_after:
            steps.append(Step(what, raises=raises))
        return tuple(filter(None, (dace_script(old, self.prog.flat, step) for step in steps)))

    def _program(self, stop: str, run: Any, number: int | None) -> Any:
        """The program at a stop; says so when what leads to it is not what was watched before."""
        watch = jace.debug.Watch()
        program = jace.translate_jaxpr(self.prog.closed, f"{self.pipeline}@{stop}", watch=watch)
        same = next((r for r in watch.runs if r.label == run.label), None)
        if (
            same is not None
            and number
            and [a.name for a in same.applications] != [a.name for a in run.applications[:number]]
        ):
            self.notes.append(
                f"{run.label} does not do the same twice: the number of the application may be off"
            )
        return program

    def _flag(self) -> str | None:
        """The first guilty flag, when the program is right without any."""
        if self._bad_flags(0):
            return None
        flags = jace.compile_jaxpr(self.prog.closed, pipeline=self.pipeline).deciding_flags()
        turn = self._search("flags", len(flags), self._bad_flags, good=0)
        if not turn.exact:
            self.notes.append(f"flags {' '.join(flags[turn.good : turn.bad])} cannot be told apart")
        return str(flags[turn.bad - 1])

    def _raised(self, error: JaceError, runs: Sequence[Any]) -> Bisected | None:
        """The first pass after which the SDFG is invalid, else the pass that raises: nothing needs compiling."""
        last = next((r for r in reversed(runs) if not r.finished), None)
        if last is None and not isinstance(error, PassError):
            raise error  # what is needed for an SDFG fails: no pass is to blame
        # a step that has come to its end is validated then
        self.notes.append(f"{'the step' if last is None else last.label} raises {str(error).splitlines()[0]}")
        changed = [run for run in runs if run.changed and run is not last]
        self.build, self.outcome, self.failure = self._validated, str, "invalid"
        stops = [jace.debug.START, *(run.label for run in changed)]
        turn = self._search("pass", len(stops), lambda k: self._bad(stops[k]))
        if turn.bad == 0:
            return self._result(Bisected(Culprit()))
        if turn.bad <= len(changed):
            return self._result(self._application(changed[turn.bad - 1], None))
        if last is None:
            raise error  # none of what was watched has left it so
        return self._result(self._raising(last, type(error.__cause__ or error).__name__))

    def _raising(self, run: Any, raises: str) -> Bisected:
        """The run of a pass that raises, at its last application if it has any, with the SDFG before that."""
        applied = run.applications[-1] if run.applications else None
        number = len(run.applications) or None
        before = f"{run.label}:{(number or 1) - 1}"
        named = _named(run.label, number, applied)
        try:
            old = self._program(before, run, (number or 1) - 1)
        except JaceError:  # what comes before raises as well when it is told to end there
            return Bisected(named)
        scripts = self._scripts(old, run.label, number, applied, raises, has_after=False)
        return Bisected(named, before=_json(old), scripts=scripts, good=f"{self.pipeline}@{before}")

    def _validated(self, pipeline: str, _: int | None) -> Any:
        """In place of an executable, whether the SDFG of a pipeline is valid."""
        try:
            jace.translate_jaxpr(self.prog.closed, pipeline).sdfg.validate()
        except Exception:  # DaCe raises several unrelated types; the error itself was told of already
            return "invalid"
        return "right"

    # --- probes ---------------------------------------------------------------------------------------------

    def _search(self, what: str, last: int, probe: Probe, *, good: int = -1, rechecks: int = 0) -> Turn:
        turn = first_bad(last, probe, good=good, rechecks=rechecks)
        if self.failure == "invalid":  # validated, not compiled
            return turn
        self.compilations[what] += turn.probes
        self.compilations["recheck"] = self.compilations.get("recheck", 0) + turn.rechecks
        return turn

    def _bad(self, stop: str) -> bool | None:
        return self._told(self._try(f"{self.pipeline}@{stop}", None))

    def _bad_flags(self, count: int) -> bool | None:
        if count == 0:
            self.compilations["flags"] = 1
        return self._told(self._try(self.pipeline, count))

    def _told(self, outcome: str) -> bool | None:
        return {"right": False, self.failure: True}.get(outcome)

    def _try(self, pipeline: str, first_flags: int | None) -> str:
        """Build and run: "right", "wrong", or the type of jace's error."""
        try:
            return self.outcome(self.build(pipeline, first_flags))
        except CompilerKilledError:
            raise  # of whatever is probed, this says nothing
        except JaceError as error:
            return type(error).__name__

    def _tell(self, turn: Turn, names: Sequence[str]) -> None:
        if not turn.exact:
            self.notes.append(
                f"the passes from {names[turn.good + 1]} to {names[turn.bad]} cannot be told apart: "
                "what lies between does not build"
            )
        if turn.right_again:
            again = ", ".join(names[k] for k in turn.right_again)
            self.notes.append(f"not monotone: the result is right again after {again}, and wrong at the end")

    def _result(self, found: Bisected) -> Bisected:
        return replace(found, compilations=dict(self.compilations), notes=tuple(self.notes))


def _named(label: str, number: int | None, applied: Any, flag: str | None = None) -> Culprit:
    """The run of a pass as the culprit, with its application, if it is known which."""
    if applied is None:
        return Culprit(pass_=label, application=number, flag=flag)
    return Culprit(
        pass_=label, application=number, transformation=applied.name, match=applied.match, flag=flag
    )


def _json(program: Any) -> str:
    """The SDFG, with the C++ that it calls of ours where code can be generated."""
    try:
        sdfg = standing_alone(program)
    except CodegenError:
        sdfg = program.sdfg
    return json.dumps(sdfg.to_json(), default=str)
