"""Making the views of a repro, one after the other: what comes later may end the process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jace
from jace.debug import Watch
from jace_repro.repro import Repro
from jace_repro.tester.check.options import Report, silent
from jace_repro.tester.execute import runs, traced, xla
from jace_repro.tester.execute.backends import Backend, jace_backend, no_stages
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.views.errors import errors_of
from jace_repro.tester.views.levels import code_lines, jaxpr_lines, passes_of, sdfg_json
from jace_repro.tester.views.views import Views, Wanted


def gather(
    repro: Repro, pipeline: str, wanted: Wanted, *, backend: Backend = jace_backend, report: Report = silent
) -> Iterator[Views]:
    """The views of a repro in parts, each with what the ones before it lack, or with a problem."""
    with repro.configured():
        report("reference", None)
        try:
            prog = traced.trace(repro)
        except Exception as error:  # whatever the user's program raises
            yield _problem("the jaxpr", error)
            return
        script = str(repro.namespace()["__file__"])
        for what, make in _parts(prog, script, pipeline, wanted, backend, report):
            try:
                yield make()
            except Exception as error:  # the pipeline's own failure may be the finding
                yield _problem(what, error)


def _parts(
    prog: TracedProgram, script: str, pipeline: str, wanted: Wanted, backend: Backend, report: Report
) -> Iterator[tuple[str, Callable[[], Views]]]:
    """Each part by what it is for people; they are made in this order."""
    watch = Watch()
    programs: list[Any] = []  # the one, once it is translated: without it nothing follows

    def cut(place: str) -> dict[str, Any]:
        report("translate", None)
        return sdfg_json(jace.translate_jaxpr(prog.closed, place, annotate=True).sdfg, script)

    def sdfg() -> Views:
        report("translate", None)
        programs.append(jace.translate_jaxpr(prog.closed, pipeline, watch=watch, annotate=True))
        return Views(sdfg=sdfg_json(programs[0].sdfg, script), passes=passes_of(watch, wanted.guilty))

    def outputs() -> Views:
        report("run", None)
        executable = backend(prog.closed, pipeline, no_stages)
        dace = runs.run_once(executable, prog, runs.POISONS[0], runs.THREADS[0]).outputs
        return Views(outputs=tuple(map(errors_of, range(len(dace)), xla.run_reference(prog), dace)))

    if not wanted.levels:
        yield "the outputs", outputs
        return
    yield "the jaxpr", lambda: Views(jaxpr=jaxpr_lines(prog.closed, script))
    yield "the SDFG", sdfg
    if wanted.before:
        yield "the SDFG before", lambda: Views(before=cut(wanted.before))
    if wanted.after:
        yield "the SDFG after", lambda: Views(after=cut(wanted.after))
    if programs:
        yield "the C++", lambda: Views(code=code_lines(programs[0], script))
        if wanted.outputs:
            yield "the outputs", outputs


def _problem(what: str, error: Exception) -> Views:
    text = str(error).strip()
    return Views(problems=(f"{what}: {type(error).__name__}: {text.splitlines()[0] if text else ''}",))
