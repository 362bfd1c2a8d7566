"""What a finding hides is found, too."""

from __future__ import annotations

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import FloorIsWrong

import jace_repro
from jace_repro.campaign import beside, smallest
from jace_repro.campaign import run as campaign
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.stored import read
from jace_repro.campaign.text import summary_lines
from jace_repro.repro import load
from jace_repro.repro.entry import Entry
from jace_repro.tester import Verdict
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tracker.recording import Target

TARGET = Target("path", "prog.py")
X = np.ones(4, np.float32)


class Several(FloorIsWrong):
    """Finds the first of these wrong that a program has."""

    wrong = ("sin", "tanh", "exp")

    def check(self, repro, pipelines, options=None, explain=True):
        self.requests.append(repro.header.name)
        name = next((p for p in self.wrong if f"lax.{p}(" in repro.source), None)
        if name is None:
            return [Verdict(p, "ok") for p in pipelines]
        guilty = Culprit(name, confirmed=True)
        return [Verdict(p, "mismatch", f"{name:0<12}", "wrong", guilty=guilty) for p in pipelines]


@pytest.fixture
def recorded(tmp_path_factory):
    @jax.jit
    def step(x):
        return jnp.sin(x) + jnp.tanh(jnp.sin(x)) * jnp.exp(x), jnp.floor(x)

    with jace_repro.record(tmp_path_factory.mktemp("recording") / "out") as live:
        step(X)
    return live.recording


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setenv("JACE_CACHE", "0")
    return Several()


def test_each_bug_of_a_program_is_a_finding(recorded, pool, tmp_path):
    result = campaign.run(TARGET, recorded, tmp_path, Settings(("fused",), self_check=False), pool)
    found = {e.name: e for e in result.entries if e.findings}
    assert [(name, e.beside) for name, e in found.items()] == [
        ("step", None),
        ("step without sin", "step"),
        ("step without sin without tanh", "step without sin"),
    ]
    assert [e.findings[0].guilty.primitive for e in found.values()] == ["sin", "tanh", "exp"]
    assert all(e.reduced is not None and e.reduced.equations == 1 for e in found.values())
    assert len(result.groups) == 3
    rest = load(found["step without sin"].repro)
    assert (rest.header.outcome, rest.header.signature) == ("mismatch", "tanh00000000")
    assert "lax.sin(" not in rest.source
    text = "\n".join(line.text for line in summary_lines(result))
    assert "  beside    another finding of step, whose guilty equation is an input here" in text
    written = json.loads((tmp_path / "report.json").read_text())
    assert [e["beside"] for e in written["entries"] if e["verdicts"][0]["outcome"] != "ok"] == [
        e.beside for e in found.values()
    ]
    assert [e.beside for e in read(tmp_path / "report.json").report.entries if e.findings][1] == "step"


def test_who_wants_one_finding_is_told_of_no_more(recorded, pool, tmp_path):
    settings = Settings(("fused",), self_check=False, max_findings=1)
    result = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    assert len(result.groups) == 1


def test_a_run_that_goes_on_finds_what_it_had_found(recorded, pool, tmp_path):
    settings = Settings(("fused",), self_check=False)
    first = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    pool.requests.clear()
    again = campaign.run(TARGET, recorded, tmp_path, settings, pool)
    assert [g.verdict.signature for g in again.groups] == [g.verdict.signature for g in first.groups]
    assert [g.entry.reduced.repro for g in again.groups] == [g.entry.reduced.repro for g in first.groups]
    assert pool.requests == []


def entry_of(fun, tmp_path, verdict):
    repro = jace_repro.emitter.emit_flat(
        jax.make_jaxpr(fun)(X), [X], header=jace_repro.repro.Header(name="f")
    )
    path = tmp_path / "f.py"
    repro.save(path)
    return EntryReport(Entry("f"), repro=path, verdicts=(verdict,))


def test_what_shows_the_same_elsewhere_is_no_news(pool, tmp_path):
    pool.wrong = ("sin", "cos")
    shown = Verdict("fused", "mismatch", "sin000000000", guilty=Culprit("sin", confirmed=True))
    entry = entry_of(lambda x: jnp.sin(x) + jnp.cos(x), tmp_path, shown)
    settings = Settings(("fused",))
    assert beside.beside(entry, pool, settings, {"sin000000000", "cos000000000"}) is None
    found = beside.beside(entry, pool, settings, {"sin000000000"})
    assert (found.name, found.findings[0].signature) == ("f without sin", "cos000000000")


def test_a_crash_of_xla_is_not_evaluated_here(pool, tmp_path):
    crash = Verdict("fused", "reference-crash", "ab", guilty=Culprit("sin", confirmed=True))
    entry = entry_of(lambda x: jnp.sin(x) + jnp.exp(x), tmp_path, crash)
    assert beside.beside(entry, pool, Settings(("fused",)), {"ab"}) is None
    assert not pool.requests


def test_a_finding_stands_though_nobody_could_look_beside_it(recorded, pool, tmp_path, monkeypatch):
    def fails(*_):
        raise RuntimeError("no values")

    monkeypatch.setattr(campaign, "beside", fails)
    result = campaign.run(TARGET, recorded, tmp_path, Settings(("fused",), self_check=False), pool)
    (group,) = result.groups
    assert group.entry.reduced is not None
    assert group.entry.error == "not looked beside it: RuntimeError: no values"


class TwoWays(FloorIsWrong):
    """Floor is wrong, and what has a sine, without floor and exp, is no valid SDFG."""

    def check(self, repro, pipelines, options=None, explain=True):
        self.requests.append(repro.header.name)
        outcome, sign = ("ok", None)
        if "lax.floor(" in repro.source:
            outcome, sign = "mismatch", "f" * 12
        elif "lax.sin(" in repro.source and "lax.exp(" not in repro.source:
            outcome, sign = "invalid-sdfg", "s" * 12
        return [Verdict(p, outcome, sign, "wrong") for p in pipelines]


def test_a_part_that_fails_in_another_way_is_a_finding_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("JACE_CACHE", "0")

    @jax.jit
    def step(x):
        return jnp.floor(x), jnp.sin(jnp.exp(x)) * 2

    with jace_repro.record(tmp_path / "out") as live:
        step(X)
    settings = Settings(("fused",), self_check=False)
    result = campaign.run(TARGET, live.recording, tmp_path / "out", settings, TwoWays())
    found = {e.name: e for e in result.entries if e.findings}
    assert [(name, e.beside, e.cut) for name, e in found.items()] == [
        ("step", None, False),
        ("step, part of it", "step", True),
    ]
    part = found["step, part of it"]
    assert part.findings[0].outcome == "invalid-sdfg"
    assert part.reduced is not None
    assert part.reduced.equations == 1
    assert found["step"].met == (part.repro,)
    said = load(part.repro)
    assert (said.header.outcome, said.header.signature) == ("invalid-sdfg", "s" * 12)
    text = "\n".join(line.text for line in summary_lines(result))
    assert "  beside    another finding of step, out of whose program this was cut" in text
    again = read(tmp_path / "out" / "report.json").report.entries
    assert [e.cut for e in again if e.findings] == [False, True]
    assert [e.met for e in again if e.findings] == [e.met for e in found.values()]


def test_what_promises_something_of_its_indices_is_not_kept(tmp_path):
    """An edit may break the promise, and then it fails by that alone."""

    def program(x):
        return jnp.floor(x[0]), jnp.sin(x)[np.arange(2)]

    repro = entry_of(program, tmp_path, Verdict("fused", "mismatch", "f" * 12)).repro
    found = smallest.smallest(load(repro), Verdict("fused", "mismatch", "f" * 12), TwoWays())
    assert found.met
    assert all("promise_in_bounds" not in script.source for script, _ in found.met)
    assert all(verdict.outcome == "invalid-sdfg" for _, verdict in found.met)
