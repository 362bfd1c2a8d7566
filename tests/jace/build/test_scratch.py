"""Folders that programs are built in: what the compiler rejects leaves its source, and not for ever."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import jax.numpy as jnp
import pytest

import jace
from jace.build import scratch


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The folders that builds have left, by name."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return lambda: sorted(path.name for path in tmp_path.glob("jace-build-*"))


def test_a_rejected_program_leaves_one_folder_with_the_source_that_is_named(folders):
    jace_sin = jace.Elementwise(lambda params, ins, out, x: f"nobody_declared({x})")
    with jace.use_rules({"sin": jace_sin}), pytest.raises(jace.CompileError) as caught:
        jace.jit(jnp.sin)(1.5)
    (name,) = folders()
    assert Path(caught.value.source_file).parent.name == name
    assert "nobody_declared" in Path(caught.value.source_file).read_text(encoding="utf-8")
    assert caught.value.source_file in str(caught.value)


def test_a_program_that_compiles_leaves_none(folders):
    assert jace.jit(lambda x: x * 8.125)(2.0) == 16.25
    assert folders() == []


def test_the_newest_are_kept_and_those_that_may_be_at_work(folders, monkeypatch):
    monkeypatch.setattr(scratch, "_KEPT", 2)
    made = [scratch.scratch_dir() for _ in range(5)]
    for age, folder in enumerate(made):
        (folder / "program.cc").write_text("int x;")
        used = time.time() - 3000.0 * age
        os.utime(folder, (used, used))
    scratch.forget_old()
    assert folders() == sorted(folder.name for folder in made[:2])
    monkeypatch.setattr(scratch, "_KEPT", 0)
    scratch.forget_old()
    assert folders() == sorted(folder.name for folder in made[:2])  # not an hour old
