"""The campaign of clean programs: what it counts, and that its programs are programs."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from alike_programs import alike_inputs, alike_program
from exact_programs import exact_inputs, exact_program
from jax import lax
from script_modules import load_script
from unstable_programs import unstable_inputs, unstable_program

from jace_repro.corpus.store import Known
from jace_repro.repro import load
from jace_repro.tester.numerics.exactness import exact_on


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    return load_script("clean")


def row(name: Any, *, exact: bool, signature: str | None = None) -> dict[str, Any]:
    alarm = {
        "pipeline": "fused", "outcome": "mismatch", "signature": signature, "detail": "2 is not 1", "inputs": None,
    }  # fmt: skip
    return {
        "source": "exact",
        "name": name,
        "outcomes": ["mismatch" if signature else "ok"],
        "compared": True,
        "exact": exact,
        "alarms": [alarm] if signature else [],
    }


def test_a_finding_that_the_corpus_does_not_have_is_a_false_alarm(clean: ModuleType) -> None:
    rows = [
        row(1, exact=True),
        row(2, exact=False),
        row(3, exact=True, signature="known"),
        row(4, exact=True),
    ]
    untested = {"source": "exact", "name": 5, "outcomes": [], "alarms": []}
    known = Known({("known", "fused"): clean.ROOT / "corpus/repros/xla/known.py"})
    told, false = clean.table([*rows, untested], known)
    assert false == 0
    assert told[-2].split() == ["all", "4", "4", "75.0%", "0.0%", "1", "0"]
    assert told[-1] == "known: exact 3: fused: mismatch known on recorded: corpus/repros/xla/known.py"
    told, false = clean.table([*rows, row(6, exact=True, signature="new")], known)
    assert false == 1
    assert told[-1] == "exact 6: fused: mismatch new on recorded: 2 is not 1"


def test_a_known_finding_has_an_entry_in_the_corpus(clean: ModuleType) -> None:
    known = clean.known_findings()
    path = known.entry("dd675ec14506", "reference-mismatch", "fused")
    assert load(path).header.signature == "dd675ec14506"


def test_a_false_alarm_beside_a_known_finding_is_one(clean: ModuleType) -> None:
    both = row(7, exact=True, signature="known")
    both["alarms"] += row(7, exact=True, signature="new")["alarms"]
    told, false = clean.table([both], Known({("known", "fused"): clean.ROOT / "known.py"}))
    assert false == 1
    assert [line.split(":")[0] for line in told[-2:]] == ["known", "exact 7"]


def test_it_goes_on_where_it_was_ended(clean: ModuleType, tmp_path: Path) -> None:
    options = SimpleNamespace(
        out=tmp_path,
        harness=0.0,
        corpus=False,
        random=0,
        exact=3,
        operations=1,
        composed=2,
        unstable=1,
        alike=1,
        first=5,
    )
    done = {source: set() for source in clean.SOURCES} | {"exact": {"1"}}
    *operations, composed, unstable, alike, rest = clean.batches(options, done)
    assert composed == ("composed", ["composed/5/x64", "composed/6"])
    assert (unstable, alike) == (("unstable", [5]), ("alike", [5]))
    assert rest == ("exact", [0, 2])
    assert {source for source, _ in operations} == {"operations"}
    assert {"tan/5/x64", "cholesky/5/x64"} <= {name for _, names in operations for name in names}


def test_a_program_of_the_table_is_written_as_a_repro(clean: ModuleType, tmp_path: Path) -> None:
    written = clean.write("operations", ["reduce_sum/1", "add/2/x64"], tmp_path / "programs")
    assert set(written.values()) == {"reduce_sum/1", "add/2/x64"}
    assert load(tmp_path / "programs" / "add-2-x64.py").header.jax_config == {"jax_enable_x64": True}


def test_a_text_of_doubles_is_written_in_64_bit_mode(
    clean: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(clean.ROOT / "scripts")
    written = clean.write("unstable", [7, 8], tmp_path / "programs")
    assert sorted(written.values()) == [7, 8]
    modes = {
        name: load(Path(path)).header.jax_config.get("jax_enable_x64", False)
        for path, name in written.items()
    }
    assert modes == {7: False, 8: True}


@pytest.mark.parametrize(
    ("maker", "inputs", "distinct"),
    [(unstable_program, unstable_inputs, 60), (alike_program, alike_inputs, 30)],
    ids=["unstable", "alike"],
)
def test_programs_of_bad_conditioning_are_taken_by_jax(maker: Any, inputs: Any, distinct: int) -> None:
    seeds = range(60)
    for seed in seeds:
        assert maker(seed) == maker(seed)
    texts = [maker(seed) for seed in seeds]
    assert len(set(texts)) >= distinct
    traced = load_script("program_sources").traced
    refused = [n for n, text in zip(seeds, texts, strict=True) if traced(text, inputs(n)) is None]
    assert len(refused) <= 0.02 * len(seeds)


@pytest.mark.parametrize(
    "seeds", [range(15), pytest.param(range(15, 60), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_programs_made_at_random_are_taken_by_jax_and_mostly_exact(seeds: range) -> None:
    exact = []
    for seed in seeds:
        space: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": lax}
        exec(exact_program(seed), space)
        inputs = exact_inputs(seed)
        assert exact_program(seed) == exact_program(seed)
        closed = jax.make_jaxpr(space["program"])(*inputs)
        for out in jax.jit(space["program"])(*inputs):
            assert np.size(out)
        exact.append(exact_on(closed, inputs))
    assert sum(exact) >= 0.7 * len(exact)
