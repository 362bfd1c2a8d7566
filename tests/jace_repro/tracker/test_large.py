"""Large arguments: recorded without a copy, one file for all entries that take the same array."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.repro import large, load
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker.api import LiveRecording, record
from jace_repro.tracker.recording import RecordedEntry

X = np.random.default_rng(0).random(5000).astype(np.float32)


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "LARGE", 4000)


def own(rec: LiveRecording) -> list[RecordedEntry]:
    return [e for e in rec.entries if not e.entry.eager]


def test_one_array_that_five_entries_take_is_stored_once(tmp_path: Path) -> None:
    x = jnp.asarray(X)
    with record(tmp_path) as rec:
        for factor in range(5):
            jax.jit(lambda x, y, factor=factor: x * factor + y)(x, np.arange(100.0)[factor])
    files = sorted(tmp_path.rglob("array-*.npy"))
    assert len(own(rec)) == 5
    assert len({file.stat().st_ino for file in files}) == 1
    scripts = [rec.directory / path for e in own(rec) for path in (e.repros[0], e.calltree)]
    assert all(large.file_of(load(path).load_inputs()[0]) is not None for path in scripts)
    assert [c.status for c in self_check_many(scripts)] == ["exact"] * 10


def test_what_is_donated_or_changed_afterwards_is_kept_as_it_was(tmp_path: Path) -> None:
    buffer = X.copy()
    donated = jnp.asarray(X)
    f = jax.jit(lambda x, y: x + y, donate_argnums=0)
    with record(tmp_path, max_inputs=2) as rec:
        f(donated, buffer)
        buffer += 1
        f(jnp.asarray(buffer), buffer)
    first, second = (load(rec.directory / path).load_inputs() for path in own(rec)[0].repros)
    for value in first:
        np.testing.assert_array_equal(value, X)
    for value in second:
        np.testing.assert_array_equal(value, X + 1)


def test_an_array_that_is_all_the_same_needs_no_file(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        jax.jit(lambda x: x + 1)(np.zeros(5000, np.float32))
    assert not list(tmp_path.rglob("array-*"))
    assert load(rec.directory / own(rec)[0].repros[0]).load_inputs()[0].shape == (5000,)


def test_the_limit_counts_an_array_once(tmp_path: Path) -> None:
    with record(tmp_path, max_disk=60_000) as rec:
        for factor in (2.0, 3.0, 4.0):
            jax.jit(lambda x, factor=factor: x * factor)(X)
        jax.jit(lambda x: x * 5)(np.concatenate([X + 1, X, X]))
    *kept, left_out = own(rec)
    assert [entry.repro is not None for entry in kept] == [True] * 3
    assert left_out.repro is None
    assert "60000 more would exceed it" in (left_out.note or "")
    assert "--max-disk 60000; a larger one keeps them" in rec.recording.tracker_errors[0]
