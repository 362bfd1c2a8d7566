"""Changing a corpus, and replaying it, by workers that give the verdicts they are told to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.campaign import corpus, replays, report, testing
from jace_repro.campaign.report import EntryReport, ReducedReport, Report
from jace_repro.campaign.settings import Settings
from jace_repro.corpus import store
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro
from jace_repro.repro.entry import Entry
from jace_repro.tester import Options, Verdict

FAILS = Header(name="f", origin="prog.py", pipeline="fused", outcome="mismatch", signature="0123456789ab")
WRONG = Verdict("fused", "mismatch", "0123456789ab", who="DaCe pass")
RIGHT = Verdict("fused", "ok")
ONE = Settings(jobs=1)


def repro(header: Header = FAILS, fun: Callable[..., Any] = jnp.sin) -> Repro:
    x = np.ones(3, np.float32)
    return emit_flat(jax.make_jaxpr(fun)(x), (x,), header=header)


@dataclass
class Pool:
    """Gives the next verdict at each test, on whatever pipelines."""

    verdicts: list[Verdict]
    options: Options = field(default_factory=Options)
    asked: list[bool] = field(default_factory=list)  #: whether blame was asked, of each test

    def check(
        self, repro: Repro, pipelines: Any, options: Any = None, *, explain: bool = True
    ) -> list[Verdict]:
        self.asked.append((options or self.options).blame)
        verdict = self.verdicts.pop(0) if len(self.verdicts) > 1 else self.verdicts[0]
        return [verdict if p == repro.header.pipeline else Verdict(p, "ok") for p in pipelines]

    @contextlib.contextmanager
    def heard_by(self, listener: Any) -> Iterator[None]:
        yield


@pytest.fixture
def giving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Pool]:
    """Has all tests give these verdicts, one after the other; the last one for ever."""

    def give(*verdicts: Verdict) -> Pool:
        pool = Pool(list(verdicts))

        @contextlib.contextmanager
        def opened(settings: Settings, fresh=False) -> Iterator[Pool]:
            yield pool

        for module in (replays, testing):
            monkeypatch.setattr(module, "open_pool", opened)
        return pool

    return give


def found(tmp_path: Path, verdict: Verdict = WRONG) -> Report:
    """The report of a run that reduced one finding."""
    path = tmp_path / "found" / "minimal" / "f-mismatch.py"
    repro().save(path)
    step = path.with_suffix("")
    step.mkdir()
    (step / "before.sdfg").write_text("{}")
    entry = EntryReport(
        Entry("f"),
        repro=path,
        verdicts=(verdict,),
        reduced=ReducedReport(path, 1, 3, 5, 1.0, verdict=verdict),
    )
    return Report("run", (entry,))


def test_what_a_run_found_is_added_with_its_evidence_once(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    (change,) = corpus.add_report(found(tmp_path), root)
    assert (change.done, change.name) == ("added", "dace/0123456789ab")
    (entry,) = store.entries(root)
    assert (entry.state, store.faults(entry)) == ("pending", [])
    told = entry.path.with_suffix(".md").read_text()
    assert "`0123456789ab.py`" in told
    assert "`0123456789ab/before.sdfg`" in told
    assert (entry.path.with_suffix("") / "before.sdfg").is_file()
    assert "pending" in (root / "README.md").read_text()
    (again,) = corpus.add_report(Report("run", found(tmp_path / "again").entries), root)
    assert again.done == "known"
    assert len(store.entries(root)) == 1
    # another program with that signature is another entry, and somebody is to say what it is
    (other,) = corpus.add_files([repro(fun=jnp.cos).save(tmp_path / "other.py").path], root, "dace")
    assert (other.done, other.name) == ("added", "dace/0123456789ab-2")
    assert "same signature as dace/0123456789ab" in other.text


@pytest.mark.parametrize(
    ("who", "area"), [("DaCe pass", "dace"), ("XLA", "xla"), ("jace rule", "jace"), (None, "jace")]
)
def test_the_area_is_whose_bug_it_is(tmp_path: Path, who: str | None, area: str) -> None:
    (change,) = corpus.add_report(found(tmp_path, replace(WRONG, who=who)), tmp_path / "corpus")
    assert change.name == f"{area}/0123456789ab"


def test_files_that_are_no_repros_are_refused_and_the_others_added(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("# /// jace-repro\nno toml\n# ///\n")
    repro(replace(FAILS, outcome="reference-mismatch")).save(tmp_path / "good.py")
    changes = corpus.add_files([tmp_path / "broken.py", tmp_path / "good.py"], tmp_path / "corpus")
    assert [(c.done, Path(c.name).name) for c in changes] == [
        ("refused", "broken.py"),
        ("added", "0123456789ab"),
    ]
    assert changes[1].name == "xla/0123456789ab"


def accepted(tmp_path: Path, header: Header = FAILS) -> corpus.Change:
    root = tmp_path / "corpus"
    entry = store.put(root, "dace", repro(header))
    (change,) = corpus.accept([entry], root, ONE, "seen")
    return change


@pytest.mark.parametrize(
    ("header", "verdicts", "done", "outcome", "state"),
    [
        (FAILS, [WRONG], "accepted", "mismatch", "accepted"),
        (FAILS, [RIGHT], "fixed", "ok", "fixed"),
        (FAILS, [replace(WRONG, signature="ffffffffffff")], "accepted", "mismatch", "accepted"),
        (replace(FAILS, outcome=None, signature=None), [RIGHT], "accepted", "ok", "accepted"),
        (FAILS, [WRONG, WRONG, RIGHT], "refused", "mismatch", "pending"),
        (FAILS, [replace(RIGHT, outcome="harness-error", detail="no")], "refused", "mismatch", "pending"),
    ],
)
def test_what_an_entry_does_three_times_is_what_it_promises(
    giving, tmp_path: Path, header: Header, verdicts: list[Verdict], done: str, outcome: str, state: str
) -> None:
    giving(*verdicts)
    change = accepted(tmp_path, replace(header, state="pending"))
    (entry,) = store.entries(tmp_path / "corpus")
    assert (change.done, entry.header.outcome, entry.state) == (done, outcome, state), change.text
    assert done == "refused" or (entry.header.signature, entry.header.reason) == (
        verdicts[0].signature,
        "seen",
    )
    assert done == "refused" or store.faults(entry) == []
    # what it says when it is run is what it promises
    assert ("jace-repro found a mismatch" in entry.repro.source) == (done == "accepted" and outcome != "ok")


def test_what_was_rejected_stays_until_it_is_pruned(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    entry = store.put(root, "dace", repro())
    kept = store.put(root, "dace", repro(replace(FAILS, signature="ffffffffffff")))
    corpus.reject([entry], root, "invalid", "no bug")
    assert corpus.add_files([repro().save(tmp_path / "f.py").path], root)[0].done == "known"
    assert [c.name for c in corpus.prune(root, remove=False)] == [entry.name]
    assert len(store.entries(root)) == 2
    corpus.prune(root, remove=True)
    assert [e.name for e in store.entries(root)] == [kept.name]
    assert entry.name not in (root / "README.md").read_text()


@pytest.mark.parametrize(
    ("verdicts", "replayed", "code"),
    [
        ([WRONG], "as expected", 0),
        ([RIGHT], "fixed", 1),
        ([replace(WRONG, outcome="crash")], "another failure", 1),
        ([replace(RIGHT, outcome="harness-error")], "another failure", 2),
        ([RIGHT, WRONG], "as expected", 0),  # the worker was to blame
        ([RIGHT, WRONG, RIGHT], "flaky", 0),
    ],
)
def test_a_corpus_is_replayed(
    giving, tmp_path: Path, verdicts: list[Verdict], replayed: str, code: int
) -> None:
    giving(*verdicts)
    entry = store.put(tmp_path, "dace", repro())
    result = replays.replay_entries([entry], ONE)
    assert (result.entries[0].replayed, result.exit_code) == (replayed, code)
    assert bool(result.findings) == (verdicts[0].outcome == "crash")
    report.write(result, tmp_path / "report.json")
    assert f'"replayed": "{replayed}"' in (tmp_path / "report.json").read_text()


def test_who_is_to_blame_is_asked_of_what_nobody_expected(giving, tmp_path: Path) -> None:
    crash = replace(WRONG, outcome="crash", who=None)
    pool = giving(crash, crash, replace(crash, who="DaCe pass"))
    entry = store.put(tmp_path, "dace", repro())
    (result,) = replays.replay_entries([entry], ONE).entries
    assert [verdict.who for verdict in result.verdicts] == ["DaCe pass"]
    assert pool.asked == [False, False, True]


def test_a_corpus_is_replayed_on_further_pipelines(giving, tmp_path: Path) -> None:
    giving(WRONG)
    entry = store.put(tmp_path, "dace", repro())
    (result,) = replays.replay_entries([entry], replace(ONE, pipelines=("canonical", "fused"))).entries
    assert [v.pipeline for v in result.verdicts] == ["fused", "canonical"]
    assert result.replayed == "as expected"


def test_a_replay_ends_at_the_first_failure_that_nobody_expected(giving, tmp_path: Path) -> None:
    giving(replace(WRONG, outcome="crash"))
    entries = [store.put(tmp_path, "dace", repro(fun=fun)) for fun in (jnp.sin, jnp.cos, jnp.tan)]
    result = replays.replay_entries(entries, replace(ONE, max_findings=1))
    assert (result.stopped, result.tested, result.exit_code) == (True, 1, 1)


def test_what_cannot_be_read_is_told_and_the_others_are_there(tmp_path: Path) -> None:
    entry = store.put(tmp_path, "dace", repro())
    (tmp_path / "repros" / "dace" / "broken.py").write_text("# /// jace-repro\n# no toml\n# ///\n")
    opened = replays.opened(tmp_path)
    assert [e.name for e in opened.entries] == [entry.name]
    assert "is not TOML" in opened.errors[0]
