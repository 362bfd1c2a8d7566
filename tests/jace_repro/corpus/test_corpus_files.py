"""The corpus on disk, and comparing an entry with what it promises."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.corpus import index, processor, store
from jace_repro.corpus.coverage import redundant
from jace_repro.corpus.replay import compared, replayed
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
    known = store.known(tmp_path)
    assert known.first("0123456789ab") == entry.path
    assert known.first("ffffffffffff") is None
    assert store.scripts(tmp_path) == [tmp_path / "xla" / "script.py"]
    assert entry.release == jax.__version__


def test_what_dace_has_wrong_on_a_pipeline_is_known_there_and_what_xla_has_wrong_everywhere(tmp_path):
    on_dace = add(tmp_path, "dace/0123456789ab.py", replace(FAILS, pipeline="canonical/auto-optimize"))
    of_xla = replace(FAILS, outcome="reference-mismatch", signature="aaaaaaaaaaaa")
    on_xla = add(tmp_path, "xla/aaaaaaaaaaaa.py", of_xla)
    known = store.known(tmp_path)
    assert known.entry("0123456789ab", FAILS.outcome, "canonical/auto-optimize") == on_dace.path
    assert known.entry("0123456789ab", FAILS.outcome, "fused") is None  # a bug of jace's, say
    assert known.entry("aaaaaaaaaaaa", "reference-mismatch", "canonical") == on_xla.path
    assert known.entry("aaaaaaaaaaaa", "mismatch", "fused") is None
    assert known.entry(None, "timeout", "fused") is None


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("0123456789ab-x.py", {}, None),
        ("0123456789ab.py", {"outcome": "ok", "signature": None}, None),
        ("other.py", {}, "its name other"),
        ("0123456789ab.py", {"pipeline": None}, "no pipeline"),
        ("0123456789ab.py", {"outcome": None}, "the outcome None"),
        ("0123456789ab.py", {"outcome": None, "pipeline": None, "state": "pending"}, None),
        ("0123456789ab.py", {"state": "wanted"}, "the state wanted"),
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
    assert replayed(entry, [verdict]).state == state


def test_a_bug_of_another_release_of_xla_may_be_gone(tmp_path):
    entry = add(tmp_path, "xla/0123456789ab.py", replace(FAILS, outcome="reference-mismatch"))
    other = replace(entry.repro, source=entry.repro.source.replace(jax.__version__, "0.0.1"))
    entry = replace(entry, repro=other)
    assert entry.release == "0.0.1"
    assert replayed(entry, [RIGHT]).state == "as expected"
    assert replayed(entry, [WRONG]).state == "another failure"


def test_a_repro_is_compared_on_its_own_pipeline_alone():
    assert compared(FAILS, [replace(WRONG, pipeline="canonical")]) is None
    assert compared(replace(FAILS, outcome=None), [WRONG]) is None


@pytest.mark.parametrize(
    ("outcome", "elsewhere", "state"),
    [
        ("mismatch", "ok", "as expected"),
        ("mismatch", "mismatch", "another failure"),
        ("mismatch", "harness-error", "another failure"),
        ("reference-mismatch", "reference-mismatch", "as expected"),
        ("reference-mismatch", "ok", "as expected"),
        ("ok", "ill-conditioned", "as expected"),
        ("ok", "crash", "another failure"),
    ],
)
def test_on_other_pipelines_an_entry_is_right_unless_xla_is_wrong(tmp_path, outcome, elsewhere, state):
    signature = None if outcome == "ok" else FAILS.signature
    entry = add(tmp_path, "dace/0123456789ab.py", replace(FAILS, outcome=outcome, signature=signature))
    verdicts = [Verdict("fused", outcome, signature), Verdict("canonical", elsewhere)]
    assert replayed(entry, verdicts).state == state


def test_what_is_put_into_a_corpus_is_named_and_found_again(tmp_path):
    made = add(
        tmp_path / "elsewhere", "dace/0123456789ab.py", replace(FAILS, origin="/home/me/prog.py:3 (f)")
    )
    entry = store.put(tmp_path, "dace", made.repro)
    assert (entry.name, entry.header.origin, store.faults(entry)) == (
        "dace/0123456789ab",
        "prog.py:3 (f)",
        [],
    )
    assert store.twin(made.repro, store.entries(tmp_path)) is not None
    other = replace(made.repro, header=replace(made.header, pipeline="canonical"))
    assert store.twin(other, store.entries(tmp_path)) is None
    assert store.put(tmp_path, "dace", other).name == "dace/0123456789ab-2"


def test_an_entry_that_fails_in_another_way_is_named_after_that(tmp_path):
    entry = add(tmp_path, "dace/0123456789ab.py", FAILS)
    entry.path.with_suffix(".md").write_text("of the first")
    kept = store.rewrite(entry, replace(FAILS, signature="ffffffffffff"))
    assert [e.name for e in store.entries(tmp_path)] == [kept.name] == ["dace/ffffffffffff"]
    assert sorted(path.name for path in kept.path.parent.iterdir()) == ["ffffffffffff.py"]


def covering(root, name, fun, outcome="ok", **header):
    x = np.ones((2, 3), np.float32)
    signature = None if outcome == "ok" else FAILS.signature
    path = root / "repros" / "jace" / f"{name}.py"
    promised = replace(FAILS, outcome=outcome, signature=signature, **header)
    emit_flat(jax.make_jaxpr(fun)(x), (x,), header=promised).save(path)
    return store.read(path)


def test_a_right_entry_that_covers_nothing_of_its_own_can_go(tmp_path):
    sin = covering(tmp_path, "sin", jnp.sin)
    entries = [
        sin,
        covering(tmp_path, "sin_of_cos", lambda x: jnp.sin(jnp.cos(x))),
        covering(tmp_path, "on_another_pipeline", jnp.sin, pipeline="canonical"),
        covering(tmp_path, "sum", lambda x: jnp.sum(x, axis=1)),
        covering(tmp_path, "fails", jnp.sin, outcome="mismatch"),
        covering(tmp_path, "fixed", jnp.cos, state="fixed"),
    ]
    assert redundant(entries) == [sin]  # what shows a failure covers it
    assert redundant([sin, entries[1]]) == []  # the small one is kept first, the pair is new
    again = covering(tmp_path, "sin_again", lambda x: jnp.sin(jnp.sin(jnp.sin(x))))
    more = covering(tmp_path, "more", lambda x: jnp.sin(jnp.sin(jnp.sin(jnp.sin(x)))))
    assert redundant([again, more]) == [more]


def test_the_table_is_written_between_its_marks(tmp_path):
    add(tmp_path, "dace/0123456789ab.py", replace(FAILS, reason="a | b"))
    index.update(tmp_path)
    page = tmp_path / "README.md"
    first = page.read_text()
    assert "| accepted | mismatch | fused | prog.py | a \\| b |" in first
    page.write_text("before\n" + first + "after\n")
    add(tmp_path, "dace/ffffffffffff.py", replace(FAILS, signature="ffffffffffff", state="pending"))
    index.update(tmp_path)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert text.count("| [`dace/") == 2
    page.write_text("# Mine\n")
    index.update(tmp_path)
    assert page.read_text() == f"# Mine\n\n{index.table(store.entries(tmp_path))}\n"


def test_the_table_counts_what_was_always_right(tmp_path):
    right = replace(FAILS, outcome="ok", signature=None, state="accepted")
    for name, header in {
        "recorded/000000000001": right,
        "recorded/000000000002": right,
        "harness/000000000003": right,
        "dace/000000000004": replace(right, state="fixed"),
        "dace/000000000005": FAILS,
    }.items():
        add(tmp_path, f"{name}.py", header)
    rows = [line for line in index.table(store.entries(tmp_path)).splitlines() if line.startswith("| ")][1:]
    assert [row.split(" | ")[0] for row in rows] == [
        "| [`dace/000000000004`](repros/dace/000000000004.py)",
        "| [`dace/000000000005`](repros/dace/000000000005.py)",
        "| `repros/harness/*`",
        "| `repros/recorded/*`",
    ]
    assert "| 1 program |" in rows[2]
    assert "| 2 programs |" in rows[3]


@pytest.mark.parametrize(
    ("cpu", "state"),
    [
        (None, "fixed"),
        ("here", "fixed"),
        ("-elsewhere", "fixed"),
        ("elsewhere", "as expected"),
        ("-here", "as expected"),
    ],
)
def test_what_shows_on_other_processors_only_may_be_right_here(cpu, state, tmp_path, monkeypatch):
    """The double rounding of float64 to float16 is not there where the processor converts in one instruction."""
    monkeypatch.setattr(processor, "instruction_sets", lambda: frozenset({"here"}))
    entry = add(tmp_path, "xla/0123456789ab.py", replace(FAILS, cpu=cpu))
    assert entry.header.cpu == cpu
    assert replayed(entry, [RIGHT]).state == state
    assert replayed(entry, [WRONG]).state == "as expected"
