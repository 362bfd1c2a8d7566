"""The views of a finding are kept, and made anew when what they show has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.campaign import views
from jace_repro.campaign.report import EntryReport, Group, ReducedReport, Report
from jace_repro.campaign.settings import Settings
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.repro.entry import Entry
from jace_repro.tester import Verdict
from jace_repro.tester.views import Line, Views
from jace_repro.tester.views.errors import errors_of

WRONG = Verdict("canonical/simplify", "mismatch", "0123456789ab", max_abs=1.0)
ERRORS = (errors_of(0, np.zeros(2), np.ones(2)),)


class Pool:
    """Notes what it is asked for."""

    def __init__(self):
        self.asked = []

    def view(self, repro, pipeline, wanted):
        self.asked.append((repro.header.name, wanted))
        return Views(jaxpr=(Line("a", (1,)),), outputs=ERRORS if wanted.outputs else None)


@pytest.fixture
def pool() -> Any:
    return Pool()


@pytest.fixture
def group(tmp_path: Path) -> Group:
    x = np.ones(2, np.float32)
    for name in ("recorded", "minimal"):
        emit_flat(jax.make_jaxpr(jnp.sin)(x), [x], header=Header(name=name)).save(tmp_path / f"{name}.py")
    entry = EntryReport(
        Entry("f"),
        repro=tmp_path / "recorded.py",
        verdicts=(WRONG,),
        reduced=ReducedReport(tmp_path / "minimal.py", 1, 2, 3, 4.0),
    )
    return Report("run", (entry,)).groups[0]


def of(group: Group, **changes: Any) -> Group:
    """The group with another entry."""
    entry = replace(group.entry, **changes)
    return Group(group.verdict, entry, (entry,))


def test_the_minimal_repro_is_viewed_and_the_recorded_one_compared(group, pool, tmp_path):
    found = views.make(group, pool)
    assert [(name, wanted.levels) for name, wanted in pool.asked] == [("minimal", True), ("recorded", False)]
    assert found.recorded == ERRORS
    views.save(found, group, tmp_path / "views")
    assert views.stored(group, tmp_path / "views") == found


def test_what_changed_is_made_anew(group, tmp_path):
    folder = tmp_path / "views"
    assert views.stored(group, folder) is None
    views.save(views.FindingViews(Views()), group, folder)
    assert views.stored(group, folder) is not None
    assert views.stored(of(group, localized={"pass": "simplify"}), folder) is None
    script = tmp_path / "minimal.py"
    text = script.read_text()
    script.write_text(text + "# more\n")
    assert views.stored(group, folder) is None
    script.write_text(text)
    assert views.stored(group, folder) is not None
    (kept,) = folder.iterdir()
    kept.write_text(kept.read_text()[:-20])
    assert views.stored(group, folder) is None


@pytest.mark.parametrize(
    ("found", "before", "after"),
    [
        (None, "", ""),
        ({"pass": None}, "", ""),
        ({"pass": "simplify"}, "simplify:0", "simplify"),
        ({"pass": "simplify/Fuse.2"}, "simplify/Fuse.2:0", "simplify/Fuse.2"),
        ({"pass": "simplify/Fuse.2", "application": 3}, "simplify/Fuse.2:2", "simplify/Fuse.2:3"),
    ],
)
def test_the_pipeline_is_cut_around_the_culprit(group, pool, found, before, after):
    views.make(of(group, localized=found), pool)
    wanted = pool.asked[0][1]
    cuts = tuple(cut and f"canonical/simplify@{cut}" for cut in (before, after))
    assert (wanted.before, wanted.after) == cuts


def test_what_was_not_compared_is_not_run(group, pool):
    found = views.make(replace(group, verdict=Verdict("fused", "crash", "0123456789ab")), pool)
    assert [wanted.outputs for _, wanted in pool.asked] == [False]
    assert found.recorded is None


def test_a_repro_that_is_gone_is_a_problem(group, pool, tmp_path):
    (tmp_path / "minimal.py").unlink()
    assert "minimal.py" in views.make(group, pool).repro.problems[0]
    assert views.make(of(group, repro=None, reduced=None), pool).repro.problems == ("there is no repro",)


def test_no_worker_is_started_for_what_is_there(group, tmp_path, monkeypatch):
    monkeypatch.setattr(views, "open_pool", lambda settings: pytest.fail("a worker was started"))
    views.save(views.FindingViews(Views()), group, tmp_path / views.VIEWS)
    views.make_missing(Report("run", (group.entry,)), tmp_path, Settings())
    views.make_missing(Report("run"), tmp_path, Settings())
