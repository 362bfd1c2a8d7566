"""The corpus on disk, and comparing an entry with what it promises."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.corpus import store
from jace_repro.corpus.replay import compared, replay
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Verdict

FAILS = Header(name="f", origin="prog.py", pipeline="fused", outcome="mismatch", signature="0123456789ab")
WRONG = Verdict("fused", "mismatch", "0123456789ab")
RIGHT = Verdict("fused", "ok")


def add(root, name, header):
    x = np.ones(3, np.float32)
    path = root / "repros" / name
    emit_flat(jax.make_jaxpr(jnp.sin)(x), (x,), header=header).save(path)
    return store.read(path)


class Pool:
    """Gives one verdict."""

    def __init__(self, verdict):
        self.verdict = verdict

    def check(self, repro, pipelines):
        return [replace(self.verdict, pipeline=pipeline) for pipeline in pipelines]


def test_entries_are_found_by_area_and_name(tmp_path):
    add(tmp_path, "xla/0123456789ab.py", FAILS)
    entry = add(tmp_path, "dace/0123456789ab-second.py", FAILS)
    add(tmp_path, "dace/ffffffffffff.py", replace(FAILS, outcome="ok", signature=None))
    (tmp_path / "xla").mkdir()
    (tmp_path / "xla" / "script.py").write_text("")
    assert [(e.area, e.signature) for e in store.entries(tmp_path)] == [
        ("dace", "0123456789ab"),
        ("dace", "ffffffffffff"),
        ("xla", "0123456789ab"),
    ]
    assert store.known(tmp_path) == {"0123456789ab": entry.path}
    assert store.scripts(tmp_path) == [tmp_path / "xla" / "script.py"]
    assert entry.release == jax.__version__


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("0123456789ab-x.py", {}, None),
        ("0123456789ab.py", {"outcome": "ok", "signature": None}, None),
        ("other.py", {}, "its name other"),
        ("0123456789ab.py", {"pipeline": None}, "no pipeline"),
        ("0123456789ab.py", {"outcome": None}, "the outcome None"),
        ("0123456789ab.py", {"origin": "/home/me/prog.py"}, "one machine"),
    ],
)
def test_an_entry_that_breaks_a_promise_is_told(tmp_path, name, change, fault):
    found = store.faults(add(tmp_path, f"dace/{name}", replace(FAILS, **change)))
    assert found == [] if fault is None else fault in " ".join(found)


@pytest.mark.parametrize(
    ("header", "verdict", "state"),
    [
        (FAILS, WRONG, "as expected"),
        (FAILS, RIGHT, "fixed"),
        (FAILS, replace(WRONG, signature="ffffffffffff"), "another failure"),
        (FAILS, replace(WRONG, outcome="crash"), "another failure"),
        (replace(FAILS, outcome="ok", signature=None), RIGHT, "as expected"),
        (replace(FAILS, outcome="ok", signature=None), WRONG, "another failure"),
        (replace(FAILS, outcome="reference-mismatch"), RIGHT, "fixed"),
    ],
)
def test_an_entry_is_replayed(tmp_path, header, verdict, state):
    entry = add(tmp_path, "dace/0123456789ab.py", header)
    assert replay(entry, Pool(verdict)).state == state


def test_a_bug_of_another_release_of_xla_may_be_gone(tmp_path):
    entry = add(tmp_path, "xla/0123456789ab.py", replace(FAILS, outcome="reference-mismatch"))
    other = replace(entry.repro, source=entry.repro.source.replace(jax.__version__, "0.0.1"))
    entry = replace(entry, repro=other)
    assert entry.release == "0.0.1"
    assert replay(entry, Pool(RIGHT)).state == "as expected"
    assert replay(entry, Pool(WRONG)).state == "another failure"


def test_a_repro_is_compared_on_its_own_pipeline_alone():
    assert compared(FAILS, [replace(WRONG, pipeline="canonical")]) is None
    assert compared(replace(FAILS, outcome=None), [WRONG]) is None
