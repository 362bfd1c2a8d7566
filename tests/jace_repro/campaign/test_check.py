"""Testing repro files, with nobody at a terminal."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace_repro
from jace_repro.campaign import check as campaign
from jace_repro.campaign.settings import Settings
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict


class Pool:
    """Says that `floor` is wrong."""

    options = Options()

    def check(self, repro, pipelines, options=None, explain=False):
        wrong = "floor" in repro.source
        return [
            Verdict(p, "mismatch", "0123456789ab", "wrong") if wrong else Verdict(p, "ok") for p in pipelines
        ]


@pytest.fixture
def pool(monkeypatch):
    @contextlib.contextmanager
    def open_pool(settings):
        yield Pool()

    monkeypatch.setattr(campaign, "open_pool", open_pool)


PROGRAMS = {"step": jnp.floor, "wave": jnp.sin, "loss": lambda x: jnp.sin(jnp.floor(x))}


@pytest.fixture(scope="module")
def repros(tmp_path_factory):
    """Repros of functions of src/NAME.py, by name."""
    folder = tmp_path_factory.mktemp("repros")
    x = np.ones(3, np.float32)
    for name, function in PROGRAMS.items():
        header = Header(name=name, origin=f"src/{name}.py:7 ({name})")
        emit_flat(jax.make_jaxpr(function)(x), [x], header=header).save(folder / f"{name}.py")
    return {name: folder / f"{name}.py" for name in PROGRAMS}


@pytest.mark.parametrize(
    ("settings", "tested"),
    [
        (Settings(select=("l*", "step")), ["step", "loss"]),
        (Settings(ignore=("file:loss.py",)), ["step", "wave"]),
        (Settings(select=("primitive:sin",), ignore=("primitive:floor",)), ["wave"]),
        (Settings(max_findings=1), ["step"]),
    ],
)
def test_some_repros_are_tested(pool, repros, settings, tested):
    result = campaign.check_files(list(repros.values()), settings)
    assert [e.name for e in result.entries if e.verdicts] == tested
    assert result.stopped == (settings.max_findings is not None)
    assert len(result.entries) + result.left_out == len(repros)


def test_repros_that_lie_where_they_were_recorded(pool, tmp_path):
    """What a script's header does not say, the journal does."""

    @jax.jit
    def wave(x):
        return jnp.sin(x)

    x = jnp.arange(3.0)
    with jace_repro.record(tmp_path / "out") as live:
        jnp.floor(wave(x))
    paths = [live.recording.path(entry) for entry in live.entries]
    result = campaign.check_files(paths, Settings(eager=False))
    assert [e.name for e in result.entries] == ["wave"]
    assert result.left_out == len(paths) - 1
    assert campaign.check_files(paths, replace(Settings(), select=("primitive:floor",))).left_out == 1
