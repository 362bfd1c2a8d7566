"""A campaign of programs made by seed: what is kept of it, when it ends, and that it goes on where it was ended."""

from __future__ import annotations

import json
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import FloorIsWrong
from planted_programs import plant, write, write_or_not

from jace_repro.campaign.command_lines import shown
from jace_repro.campaign.fuzz import state
from jace_repro.campaign.fuzz.campaign import Budget, fuzz
from jace_repro.campaign.fuzz.here import BATCH
from jace_repro.campaign.fuzz.state import TESTED
from jace_repro.campaign.observer import Observer
from jace_repro.campaign.settings import Settings, SettingsError
from jace_repro.corpus import store
from jace_repro.corpus.store import Known
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import writing
from jace_repro.fuzz.writing import Wanted, Written, name_at, wanted_at
from jace_repro.repro import Header, load
from jace_repro.tester import Verdict

SETTINGS = Settings(("fused",))


@pytest.fixture(autouse=True)
def planted(monkeypatch):
    plant(monkeypatch)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / TESTED).read_text().splitlines() if line]


def test_what_shows_something_is_kept_and_reduced_once(tmp_path):
    result = fuzz(tmp_path, Budget(programs=20), SETTINGS)
    assert [entry.name for entry in result.entries] == ["program/4", "program/14"]
    assert (result.tested, result.exit_code) == (18, 1)
    about = result.extra["fuzz"]
    assert (about["programs"], about["invalid"], about["outcomes"]) == (20, 2, {"ok": 16, "mismatch": 2})
    assert about["reasons"] == ["program/7: ValueError: it cannot be made"]
    assert sorted(p.name for p in (tmp_path / "programs").iterdir()) == ["program-14.py", "program-4.py"]
    first, second = result.entries
    assert first.reduced is not None
    assert first.reduced.equations == 1
    assert second.same_as == "program/4"
    assert [one["program"] for one in lines(tmp_path)].count("program/4") == 1


def test_only_files_that_are_there_are_named(tmp_path, monkeypatch):
    told: list[str] = []

    def tested(entry, remark):
        told.append(entry.source)

    monkeypatch.setattr(state, "MOST_KEPT", 1)
    fuzz(tmp_path, Budget(programs=20), Settings(("fused",), reduce=False), Observer(tested=tested))
    named = [Path(source) for source in told if source]
    assert len(named) == 1 < len(told)
    assert all(path.exists() for path in named)


def test_a_campaign_that_was_ended_goes_on_where_it_was(tmp_path, monkeypatch):
    def stop(entry, remark):
        raise KeyboardInterrupt

    ended = fuzz(tmp_path, Budget(programs=20), SETTINGS, Observer(tested=stop))
    assert (ended.interrupted, ended.exit_code) == (True, 130)
    with (tmp_path / TESTED).open("a") as file:
        file.write('\n{"program": "torn')  # and by kill -9 in the middle of a line
    again = fuzz(tmp_path, Budget(programs=20), SETTINGS)
    whole = fuzz(tmp_path / "whole", Budget(programs=20), SETTINGS)
    assert sorted(one["number"] for one in lines_of(tmp_path)) == list(range(20))
    assert [e.name for e in again.entries] == [e.name for e in whole.entries]
    assert again.extra["fuzz"]["outcomes"] == whole.extra["fuzz"]["outcomes"]
    tested: list[str] = []
    monkeypatch.setattr(FloorIsWrong, "check", lambda self, repro, *_, **__: tested.append(repro.header.name))
    assert fuzz(tmp_path, Budget(programs=20), Settings(("fused",), reduce=False)).tested == whole.tested
    assert tested == []


def test_programs_that_could_not_be_tested_are_told_and_asked_again(tmp_path, monkeypatch):
    """A campaign of these alone ended with "No findings", and exit status 0."""

    def unable(self, repro, pipelines, options=None, explain=True):
        return [
            Verdict(p, "harness-error", detail="NoGPUError: nvcc is not on PATH\nmore") for p in pipelines
        ]

    with monkeypatch.context() as without:
        without.setattr(FloorIsWrong, "check", unable)
        report = fuzz(tmp_path, Budget(programs=3), SETTINGS)
    assert (report.exit_code, report.tested) == (2, 0)
    assert report.errors == ("3 programs could not be tested: NoGPUError: nvcc is not on PATH",)
    again = fuzz(tmp_path, Budget(programs=3), SETTINGS)
    assert (again.exit_code, again.tested, again.errors) == (0, 3, ())


def test_what_the_corpus_has_is_counted_and_not_found_again(tmp_path):
    first = fuzz(tmp_path / "one", Budget(programs=10), SETTINGS)
    reduced = first.entries[0].reduced
    assert reduced is not None
    entry = store.put(tmp_path / "corpus", "jace", load(reduced.repro))
    second = fuzz(tmp_path / "two", Budget(programs=20), SETTINGS, corpus=tmp_path / "corpus")
    assert (second.entries, second.tested, second.exit_code) == ((), 18, 0)
    assert list((tmp_path / "two" / "programs").iterdir()) == []
    known = {first.groups[0].verdict.signature: {"entry": shown(entry.path), "programs": 2}}
    assert second.extra["fuzz"]["known"] == known
    # it goes on: what is known by now, and was not when it was found, is counted like the rest
    on = fuzz(tmp_path / "one", Budget(programs=20), SETTINGS, corpus=tmp_path / "corpus")
    assert (on.entries, on.extra["fuzz"]["known"]) == ((), known)
    assert list((tmp_path / "one" / "programs").iterdir()) == []


def test_of_what_a_program_shows_only_what_is_not_known_is_a_finding(tmp_path):
    both = Settings(("fused", "canonical"), reduce=False)
    (entry,) = fuzz(tmp_path, Budget(programs=10), both).entries
    one, other = entry.verdicts
    assert one.signature is not None
    assert one.signature == other.signature  # a bug of one name on another pipeline
    assert one.pipeline == "fused"
    corpus = Known({(one.signature, "fused"): tmp_path / "known.py"})
    known = state.State(0, both.pipelines, corpus)
    assert state.sort(entry, known) == {one.signature: tmp_path / "known.py"}
    assert [verdict.pipeline for found in known.found for verdict in found.findings] == ["canonical"]


def test_a_bug_of_a_pass_is_known_on_sdfgs_that_are_built_in_another_way(tmp_path):
    corpus = Known({("aa", "canonical/simplify"): tmp_path / "known.py"})
    built = ("sizes:symbols", "calls:nested", "calls:nested+sizes:symbols")
    for name in ("canonical/simplify", *(f"canonical/simplify+{way}" for way in built)):
        assert corpus.entry("aa", "pass-error", name) == tmp_path / "known.py"
    for name in ("canonical/auto-optimize", "canonical/sizes:symbols", "canonical/simplify+bug:dead_pointer"):
        assert corpus.entry("aa", "pass-error", name) is None
    assert corpus.entry(None, "pass-error", "canonical/simplify") is None


def test_of_a_finding_some_programs_are_kept_and_the_others_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "MOST_KEPT", 2)
    result = fuzz(tmp_path, Budget(programs=50), Settings(("fused",), reduce=False))
    assert [entry.name for entry in result.entries] == ["program/4", "program/14"]
    assert list(result.extra["fuzz"]["again"].values()) == [3]
    assert result.extra["fuzz"]["outcomes"]["mismatch"] == 5
    assert len(list((tmp_path / "programs").iterdir())) == 2
    # it goes on with what it knows
    on = fuzz(tmp_path, Budget(programs=60), Settings(("fused",), reduce=False))
    assert (len(on.entries), list(on.extra["fuzz"]["again"].values())) == (2, [4])
    assert result.tested == 45
    assert on.tested == 54


def test_a_corpus_that_cannot_be_read_ends_it(tmp_path):
    (tmp_path / "corpus" / "repros" / "dace").mkdir(parents=True)
    (tmp_path / "corpus" / "repros" / "dace" / "torn.py").write_text("# /// jace-repro\n# no toml\n# ///\n")
    with pytest.raises(SettingsError, match=r"the corpus cannot be read: .*torn"):
        fuzz(tmp_path / "out", Budget(programs=1), SETTINGS, corpus=tmp_path / "corpus")


def lines_of(out: Path) -> list[dict[str, Any]]:
    return list(state.lines(out / TESTED))


def test_it_ends_when_there_are_findings_enough(tmp_path):
    result = fuzz(tmp_path, Budget(programs=200), Settings(("fused",), max_findings=1, reduce=False))
    assert result.extra["fuzz"]["programs"] == BATCH


def test_it_ends_when_the_time_is_spent(tmp_path):
    assert fuzz(tmp_path, Budget(seconds=0), SETTINGS).tested == 0


def test_a_directory_is_of_one_campaign(tmp_path):
    fuzz(tmp_path, Budget(seed=1, programs=1), SETTINGS)
    with pytest.raises(SettingsError, match="the campaign of seed 1 on fused: go on with these"):
        fuzz(tmp_path, Budget(seed=2, programs=1), SETTINGS)
    with pytest.raises(SettingsError, match="the campaign of seed 1 on fused: go on with these"):
        fuzz(tmp_path, Budget(programs=1), Settings(("canonical",)))
    assert fuzz(tmp_path, Budget(programs=2), Settings(reduce=False)).extra["fuzz"]["seed"] == 1


def test_names_are_those_of_the_seed_and_no_others():
    names = [name_at(3, number) for number in range(600)]
    assert names == [name_at(3, number) for number in range(600)]
    assert not set(names) & {name_at(4, number) for number in range(600)}
    assert len(set(names)) == 600
    assert sum(name.startswith("composed/") for name in names) == 300
    assert sum(name.startswith("related/") for name in names) == 75
    assert sum(name.endswith("/x64") for name in names) == 200
    mutating = [name_at(3, number, mutating=True) for number in range(600)]
    assert mutating[1::2] == names[1::2]
    assert all(name.startswith("mutated/") for name in mutating[::2])


def test_programs_that_cannot_be_made_are_told(tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(writing, "name_at", lambda seed, number, mutating: ["tanh/1", "nothing/2"][number])
    good, bad = (writing.write(wanted_at(0, number), tmp_path) for number in range(2))
    assert good.path is not None
    assert good.path.is_file()
    assert good.equations > 0
    assert (bad.path, bad.why) == (None, "KeyError: 'nothing'")


def mutable(folder: Path) -> Path:
    """A repro of two equations that can be mutated, and one that cannot."""
    for name, function in (("two", lambda x: jnp.cumsum(x) * 2), ("one", jnp.sin)):
        closed = jax.make_jaxpr(function)(np.ones(3, np.float32))
        header = Header(name=name, pipeline="fused", outcome="mismatch", signature="0" * 12)
        emit_flat(closed, [np.ones(3, np.float32)], header=header).save(folder / f"{name}.py")
    return folder


def test_a_campaign_keeps_what_it_mutates(tmp_path, monkeypatch):
    given: list[Any] = []

    def writing_of(wanted: Wanted, folder: Path) -> Any:
        given.append(wanted.sources)
        return write(wanted, folder)

    monkeypatch.setattr(writing, "write", writing_of)
    out = tmp_path / "out"
    repros = mutable(tmp_path / "repros")
    fuzz(out, Budget(programs=4), SETTINGS, mutate=[repros])
    (kept,) = (out / "sources").glob("*.py")
    assert kept.name == "00000-two.py"
    # nothing of what it shows: that is about another program than the mutants
    assert load(kept).header == Header(name="two", origin="")
    for file in repros.iterdir():
        file.unlink()
    fuzz(out, Budget(programs=8), SETTINGS)
    assert given == [(kept,)] * 8
    with pytest.raises(SettingsError, match="what it mutates is what it began with"):
        fuzz(out, Budget(programs=8), SETTINGS, mutate=[repros])


def test_where_nothing_can_be_mutated_it_says_what_is_wanted(tmp_path):
    repros = mutable(tmp_path / "repros")
    (repros / "two.py").unlink()
    with pytest.raises(
        SettingsError, match=r"nothing to mutate in .*repros: .* of at most 300 equations.*1 are there"
    ):
        fuzz(tmp_path / "out", Budget(programs=4), SETTINGS, mutate=[repros])
    assert not (tmp_path / "out" / "campaign.json").exists()


def test_mutants_are_written_with_what_they_were_made_of(tmp_path, monkeypatch):
    monkeypatch.undo()
    source = mutable(tmp_path / "repros") / "two.py"
    written = writing.write(wanted_at(5, 0, [source]), tmp_path / "out")
    assert written.name == "mutated/5000000"
    assert written.path is not None, written.why
    assert load(written.path).header.origin.startswith("jace-repro fuzz: mutated/5000000 of two: ")


def test_pairs_of_forms_are_written_with_what_is_to_be_the_same(tmp_path, monkeypatch):
    monkeypatch.undo()
    written = writing.write(wanted_at(5, 7), tmp_path)
    assert written.name.startswith("related/")
    assert written.path is not None, written.why
    header = load(written.path).header
    assert " = " in str(header.relation)


def test_a_program_that_is_never_written_keeps_nobody(tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(writing, "write", write_or_not)
    monkeypatch.setattr(writing, "SECONDS", 20.0)  # a process begins by importing JAX
    with writing.writer(1) as processes:
        written = writing.write_all(processes, [wanted_at(5, k) for k in range(4)], tmp_path)()
    assert [one.number for one in written if one.path is not None] == [0, 3]
    assert written[1].why == "it took more than 20 s"
    assert written[2].why.startswith("the process that made it ended: ")
    assert [one.name for one in written[1:3]] == [name_at(5, 1), name_at(5, 2)]


class Breaking:
    """In place of `writing.Writer`: its processes end so many times before they write."""

    def __init__(self, times: int) -> None:
        self.times = times

    def begin(self, task: Any, wanted: Wanted, folder: Path) -> Future[Written]:
        future: Future[Written] = Future()
        self.times -= 1
        if self.times >= 0:
            future.set_exception(BrokenProcessPool("All workers expired"))
        else:
            future.set_result(Written(wanted.number, "made", folder))
        return future


def test_a_program_is_written_again_where_the_processes_ended_for_another(tmp_path):
    (written,) = writing.write_all(Breaking(2), [wanted_at(5, 1)], tmp_path)()
    assert written.path == tmp_path
    (written,) = writing.write_all(Breaking(3), [wanted_at(5, 1)], tmp_path)()
    assert (written.path, written.why) == (None, "the process that made it ended: All workers expired")
