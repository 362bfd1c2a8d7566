"""A directory as a run leaves it, made without workers: its findings are of the two kinds that a page shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tester_backends import swapped_sub

from jace_repro.campaign import views
from jace_repro.campaign.report import EntryReport, ReducedReport, Report, write
from jace_repro.campaign.stored import read
from jace_repro.emitter import emit_flat
from jace_repro.page import write as write_page
from jace_repro.reducer import Improvement
from jace_repro.repro import Header, load
from jace_repro.repro.entry import Entry
from jace_repro.tester import Crash, Culprit, Evidence, Verdict
from jace_repro.tester.views import Views, Wanted
from jace_repro.tester.views.errors import errors_of
from jace_repro.tester.views.gather import gather

PIPELINE = "canonical/simplify"
#: A name that must be harmless wherever it stands.
NASTY = "f</script><b>\"'&"
WRONG = Verdict(
    PIPELINE,
    "mismatch",
    "0123456789ab",
    "output 0[1]: got 1, expected 2 <i>",
    max_abs=1.0,
    max_ulp=3e6,
    difference="value",
    seconds={"xla": 0.5, "compile": 1.0},
    guilty=Culprit(primitive="sub", equation="c = sub a b", values={"operands": ["float32[2] [1., 2.]"]}),
    who="DaCe pass",
    evidence=[
        Evidence("higher precision", agrees_with_dace=False, agrees_with_xla=True, max_ulp=3e6),
        Evidence("DaCe, -O0", note="no compiler"),
    ],
)
CRASH = Verdict(
    "fused",
    "crash",
    "ffffffffffff",
    "SIGSEGV in stage 'run'",
    stage="run",
    crash=Crash(signal="SIGSEGV", state="s_1"),
)
LOCALIZED = {
    "equation": "c = sub a b",
    "primitive": "sub",
    "pass": "simplify/FuseStates",
    "source": "train.py:14",
    "application": 1,
    "transformation": "StateFusion",
    "match": "first=s_1",
    "good": f"{PIPELINE}@simplify/FuseStates:0",
    "stop": f"{PIPELINE}@simplify/FuseStates:1",
    "notes": ["not monotone"],
}


def _program(x: jax.Array) -> Any:
    return lax.scan(lambda c, a: (c - a, c * a), jnp.float32(1), jnp.sin(x))[1]


def _repro(path: Path, name: str) -> Path:
    x = np.arange(6, dtype=np.float32)
    emit_flat(jax.make_jaxpr(_program)(x), [x], header=Header(name=name)).save(path)
    return path


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """A report with two findings and an entry that is fine, and its directory, without a page."""
    base = tmp_path_factory.mktemp("shown")
    minimal = _repro(base / "minimal/step.py", "step")
    recorded = _repro(base / "entries/step.py", "step")
    steps = (Improvement(0, 300, 5000), Improvement(4, 20, 900, "drop outputs"), Improvement(9, 3, 12, "x"))
    step = EntryReport(
        Entry("step", source="train.py:12", equations=300, primitives={"sub": 3}),
        repro=recorded,
        verdicts=(WRONG, Verdict("fused", "ok", exact=True)),
        localized=LOCALIZED,
        reduced=ReducedReport(minimal, 3, 12, 12, 4.5, "fixpoint", steps, refused=57),
    )
    other = EntryReport(
        Entry("again", source="train.py:30"), verdicts=(replace(WRONG, pipeline="canonical"),)
    )
    crash = EntryReport(Entry(NASTY, source="train.py:40"), verdicts=(CRASH,))
    fine = EntryReport(
        Entry("fine", source="train.py:50", primitives={"tanh": 1}), verdicts=(Verdict("fused", "ok"),)
    )
    eager = EntryReport(Entry("add", eager=True), verdicts=(Verdict("fused", "ill-conditioned"),))
    program = {"command": "python train.py --name '<b>'", "exit_code": 1, "error": None}
    known = Report("run", (step, other, crash, fine, eager), program, ("a worker did not start",))
    write(known, base / "report.json")
    return known, base


@pytest.fixture(scope="session")
def step_views(report: tuple[Report, Path]) -> Views:
    """The views of the first finding's repro, which computes something wrong."""
    _, base = report
    cut = f"{PIPELINE}@simplify/FuseStates"
    wanted = Wanted("simplify/FuseStates", f"{cut}:0", f"{cut}:1")
    found = Views()
    for part in gather(load(base / "minimal/step.py"), PIPELINE, wanted, backend=swapped_sub):
        found = found.with_part(part)
    assert not found.problems
    return found


@pytest.fixture(scope="session")
def shown(report: tuple[Report, Path], step_views: Views) -> Path:
    """The directory with the views of the first finding and with the page."""
    known, base = report
    rng = np.random.default_rng(0)
    right = rng.normal(size=(40, 90)).astype(np.float32)
    wrong = right.copy()
    wrong[10:20, 30:60] *= np.float32(1.001)
    wrong[0, 0] = np.nan
    found = views.FindingViews(step_views, (errors_of(0, right, wrong),))
    views.save(found, known.groups[0], base / views.VIEWS)
    write_page(read(base / "report.json"), base, base / "report.html")
    return base


@pytest.fixture(scope="session")
def page(shown: Path) -> str:
    """The text of the page."""
    return (shown / "report.html").read_text(encoding="utf-8")


@pytest.fixture
def rendered(tmp_path: Path) -> Callable[[Report], str]:
    """``rendered(report)``: the page of a report without views."""

    def render(known: Report) -> str:
        write(known, tmp_path / "report.json")
        write_page(read(tmp_path / "report.json"), tmp_path, tmp_path / "report.html")
        return (tmp_path / "report.html").read_text(encoding="utf-8")

    return render
