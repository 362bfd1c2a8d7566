"""The regression corpus, beside its entries, which are tests themselves (`jace_repro.pytest_plugins.corpus`)."""

from __future__ import annotations

import subprocess
import sys

import jax
import pytest
from places import CORPUS

from jace_repro.corpus import store
from jace_repro.tester import check_repro

SCRIPTS = store.scripts(CORPUS)


def name(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.skipif(jax.__version__ != "0.10.1", reason="the pinned release is the one that is right")
def test_jax_39103_is_not_in_the_pinned_release():
    entry = store.read(CORPUS / "repros" / "xla" / "dd675ec14506.py")
    assert entry.release == "0.10.2"
    (verdict,) = check_repro(entry.repro, [entry.header.pipeline])
    assert (verdict.outcome, verdict.exact) == ("ok", True), verdict.detail


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_bug_is_still_there(path, tmp_path):
    """Exit status 1: present. When it is fixed, the work-around named in the script can go."""
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    if done.returncode == 2 and "nvcc is not here" in done.stdout:
        pytest.skip("what is for a GPU is shown with CUDA's compiler (docs/how-to/gpu.md)")
    assert done.returncode == 1, done.stdout + done.stderr
