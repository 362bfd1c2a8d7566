"""The entries of a corpus are tests where the ini option names it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.corpus import store
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header

PROMISE = Header(name="f", origin="prog.py", pipeline="fused", outcome="ok", fingerprint="a" * 64)
WRONG = replace(PROMISE, outcome="mismatch", signature="0123456789ab")


def run(tmp_path: Path, *words: str) -> str:
    (tmp_path / "pytest.ini").write_text("[pytest]\njace_corpus = corpus\n")
    line = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *words, "corpus"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


def put(tmp_path: Path, header: Header) -> store.CorpusEntry:
    x = np.ones(3, np.float32)
    return store.put(tmp_path / "corpus", "jace", emit_flat(jax.make_jaxpr(jnp.sin)(x), (x,), header=header))


def test_entries_are_collected_without_running_them(tmp_path: Path) -> None:
    entry = put(tmp_path, PROMISE)
    entry.path.write_text(entry.path.read_text() + "\nopen('it-ran', 'w')\n")
    put(tmp_path, replace(WRONG, state="pending"))
    put(tmp_path, replace(WRONG, state="invalid", reason="no bug"))
    assert "corpus/repros/jace/aaaaaaaaaaaa.py::jace/aaaaaaaaaaaa\n\n1 test collected" in run(
        tmp_path, "--collect-only"
    )
    assert not (tmp_path / "it-ran").exists()


@pytest.mark.ci
def test_entries_are_expected_to_do_what_they_promise(tmp_path: Path) -> None:
    put(tmp_path, PROMISE)
    assert "1 passed" in run(tmp_path)
    put(tmp_path, WRONG)
    said = run(tmp_path)
    assert "[XPASS(strict)] mismatch on fused" in said
    assert "1 failed, 1 passed" in said
