"""`jace-repro corpus` as it is typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.corpus import store
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header

PROGRAM = """
import jax
import numpy as np

jax.jit(lambda x: jax.numpy.floor(x) * 2)(np.array([-1.5, 2.0], np.float32))
"""
#: It is right, and says that it is wrong.
FIXED = Header(name="f", origin="prog.py", pipeline="fused", outcome="mismatch", signature="0123456789ab")


def put(root: Path, header: Header, area: str = "jace") -> store.CorpusEntry:
    x = np.ones(3, np.float32)
    return store.put(root, area, emit_flat(jax.make_jaxpr(jnp.sin)(x), (x,), header=header))


@pytest.mark.ci
def test_from_a_finding_to_a_corpus(jace_repro, program, wrong_floor, tmp_path: Path) -> None:
    run = jace_repro(
        "run", "--pipeline", "fused", "--rules", str(wrong_floor), "-o", "found", program(PROGRAM)
    )
    assert run.code == 1, run.out + run.err
    added = jace_repro("corpus add", "found")
    assert added.code == 0
    name = added.report["changes"][0]["entry"]
    assert name.startswith("own/")  # the rule is the user's
    assert jace_repro("corpus run").out.endswith("0 entries replayed: none.\n")  # it is pending
    accepted = jace_repro("corpus accept")
    assert (accepted.code, accepted.report["changes"][0]["done"]) == (0, "accepted"), accepted.out
    replayed = jace_repro("corpus run", "--pipeline", "canonical/none", "--junit", "junit.xml")
    # the rule is wrong on all pipelines, and only on one of them that is known
    assert (replayed.code, replayed.report["entries"][0]["replayed"]) == (1, "another failure")
    replayed = jace_repro("corpus run", "--junit", "junit.xml")
    assert (replayed.code, replayed.report["entries"][0]["replayed"]) == (0, "as expected")
    assert "1 entry replayed: 1 as expected." in replayed.out
    assert 'failures="0"' in (tmp_path / "junit.xml").read_text()


@pytest.mark.ci
def test_what_is_fixed_is_told_and_stays_so(jace_repro, tmp_path: Path) -> None:
    entry = put(tmp_path / "corpus", FIXED)
    ran = jace_repro("corpus run", "--github")
    assert ran.code == 1
    assert f"{entry.name} is fixed. It is to stay so: " in ran.out
    assert "::error title=jace-repro corpus::jace/0123456789ab is fixed" in ran.out
    accepted = jace_repro("corpus accept", entry.name)
    assert (accepted.code, "fixed     jace/0123456789ab: ok on fused" in accepted.out) == (0, True)
    ran = jace_repro("corpus run")
    assert (ran.code, ran.report["entries"][0]["replayed"]) == (0, "as expected")


def test_a_corpus_is_read_without_running_it(jace_repro, tmp_path: Path) -> None:
    entry = put(tmp_path / "corpus", replace(FIXED, state="pending", reason="why not"))
    runs = "\nopen('it-ran', 'w')\n"
    entry.path.write_text(entry.path.read_text() + runs)
    listed = jace_repro("corpus list")
    assert listed.code == 0
    assert (
        "jace/0123456789ab  pending  mismatch  fused  prog.py\n1 entry in corpus: 1 pending.\n" in listed.out
    )
    assert listed.report["corpus"][0]["reason"] == "why not"
    assert "0 entries in corpus." in jace_repro("corpus list", "--state", "accepted").out
    shown = jace_repro("corpus show", "0123").out
    assert "expects   mismatch on fused\n" in shown
    assert "def repro(" in shown
    rejected = jace_repro("corpus reject", entry.name, "--as", "invalid", "--reason", "it is right")
    assert rejected.code == 0
    assert "can go  jace/0123456789ab: invalid: it is right" in jace_repro("corpus prune").out
    assert entry.path.exists()
    assert jace_repro("corpus prune", "--yes").code == 0
    assert not entry.path.exists()
    assert not (tmp_path / "it-ran").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["corpus list", "--corpus-dir", "nowhere"], "nowhere is no corpus (it has no repros/)"),
        (["corpus show", "ffff"], "'ffff' means no entry of corpus"),
        (["corpus show", "jace/"], "'jace/' means several entries: jace/0123456789ab, jace/0123456789ab-2"),
        (["corpus add", "--area", "../x", "corpus"], "--area ../x: a name, not a path"),
        (["corpus reject", "0123", "--as", "accepted", "--reason", "x"], "'accepted' is not one of"),
    ],
)
def test_what_cannot_be_meant_is_told(jace_repro, tmp_path: Path, words: list[str], said: str) -> None:
    put(tmp_path / "corpus", FIXED)
    put(tmp_path / "corpus", replace(FIXED, pipeline="canonical"))
    ran = jace_repro(*words)
    assert ran.code == 2
    assert said in ran.err


def test_a_broken_corpus_is_told_and_not_changed(jace_repro, tmp_path: Path) -> None:
    entry = put(tmp_path / "corpus", FIXED)
    (entry.path.parent / "broken.py").write_text("# /// jace-repro\n# no toml\n# ///\n")
    listed = jace_repro("corpus list")
    assert (listed.code, "broken.py" in listed.err) == (2, True)
    assert "1 entry in corpus: 1 accepted." in listed.out
    assert "broken.py" in jace_repro("corpus prune", "--yes").err
    assert entry.path.exists()
