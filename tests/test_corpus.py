"""The regression corpus: every repro still has the outcome that its header records."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import jax
import pytest
from processor import instruction_sets

from jace_repro import repro as repro_file
from jace_repro.tester import Pool, check_repro

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
REPROS = sorted(CORPUS.glob("repros/*/*.py"))


@pytest.mark.parametrize("path", REPROS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_repro_has_its_recorded_outcome(path):
    repro = repro_file.load(path)
    with Pool(jobs=1, timeout=120) as pool:
        (verdict,) = pool.check(repro, [repro.header.pipeline])
    assert path.stem.partition("-")[0] == repro.header.signature
    if repro.header.outcome == "reference-mismatch" and release(repro) != jax.__version__:
        assert verdict.outcome in ("ok", repro.header.outcome), verdict.detail  # another release of XLA
        return
    if repro.header.cpu is not None and repro.header.cpu not in instruction_sets():
        assert verdict.outcome == "ok", verdict.detail  # XLA does not use the instructions that show it
        return
    if repro.header.outcome != "ok" and verdict.outcome == "ok":
        pytest.fail(f"fixed: {path.name} is ok now; promote it: set its outcome to ok")
    assert (verdict.outcome, verdict.signature) == (repro.header.outcome, repro.header.signature), (
        verdict.detail
    )


@pytest.mark.skipif(jax.__version__ != "0.10.1", reason="the pinned release is the one that is right")
def test_jax_39103_is_not_in_the_pinned_release():
    repro = repro_file.load(CORPUS / "repros" / "xla" / "dd675ec14506.py")
    assert release(repro) == "0.10.2"
    (verdict,) = check_repro(repro, [repro.header.pipeline])
    assert (verdict.outcome, verdict.exact) == ("ok", True), verdict.detail


def release(repro):
    """The release of jax that the script asks for."""
    return re.search(r'"jax==([\w.]+)"', repro.source)[1]


def test_repros_name_no_machine():
    for path in REPROS:
        assert not repro_file.load(path).header.origin.startswith("/")


SCRIPTS = sorted([*CORPUS.glob("dace/*.py"), *CORPUS.glob("xla/*.py")])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_bug_is_still_there(path, tmp_path):
    """Exit status 1: present. When it is fixed, the work-around named in the script can go."""
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1, done.stdout + done.stderr
