"""What has no call tree: the recording says why, and has the flat script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calltree_checks import own, scripts_of
from jax.experimental import checkify

from jace_repro import record
from jace_repro.repro import digest_outputs, load
from jace_repro.selfcheck import self_check_many

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)


def without_tree(run: Callable[[], Any], directory: Path) -> str:
    """Why the one entry of a program has no call tree; its flat script is the program nevertheless."""
    with record(directory) as rec:
        run()
    assert rec.recording.tracker_errors == ()
    (entry,) = own(rec)
    assert entry.calltree is None
    assert not (directory / "calltrees").exists() or not any((directory / "calltrees").iterdir())
    flat = load(rec.recording.path(entry))
    with flat.configured():
        found = jax.tree.leaves(jax.jit(flat.load_function())(*flat.load_inputs()))
    assert digest_outputs(found) == entry.outputs_sha256
    return entry.calltree_note or ""


def test_a_transform_made_before_the_recording(tmp_path: Path) -> None:
    """What it was given is not known; the recording says so and has the flat form.

    (Of a gradient there may be a tree: jax 0.10.2 makes it with `jax.vjp`, which is seen.)
    """
    rows = jax.vmap(lambda v: (v**2).sum())

    @jax.jit
    def late(x):
        return rows(x) + 1

    note = without_tree(lambda: late(X), tmp_path)
    assert "test_no_calltree.py:" in note
    assert "no recorded call has made" in note


@pytest.mark.parametrize("name", ["transformed", "checked"])
def test_a_jitted_function_of_the_programs_own_whose_code_is_jaxs(name: str, tmp_path: Path) -> None:
    """What transforms make of JAX's functions, or of the program's, may have its code in JAX."""
    made = {
        "transformed": lambda: jax.vmap(jax.grad(jax.nn.relu)),
        "checked": lambda: checkify.checkify(lambda x: jnp.sin(x)),
    }
    _, (script,) = scripts_of(lambda: jax.jit(made[name]())(X), tmp_path)
    assert {"transformed": "jax.grad(jax.nn.relu)", "checked": "checkify.checkify("}[name] in script.source
    (check,) = self_check_many(
        [tmp_path / "calltrees" / path.name for path in (tmp_path / "calltrees").glob("*.py")]
    )
    assert check.status == "exact"


@pytest.mark.parametrize("kind", ["sharding", "reference"])
def test_what_cannot_be_written_has_a_reason(kind: str, tmp_path: Path) -> None:
    """And the flat script instead."""

    def sharded(x):
        one = jax.sharding.SingleDeviceSharding(jax.devices()[0])
        return jax.jit(lambda v: v * 2, out_shardings=one)(x)

    def reference(x):
        ref = jax.new_ref(x)
        ref[...] = ref[...] * 2
        return ref[...]

    note = without_tree(lambda: jax.jit({"sharding": sharded, "reference": reference}[kind])(X), tmp_path)
    assert kind in note
    assert "test_no_calltree.py:" in note  # where the program is, not where it is written


def test_a_body_that_could_not_be_followed_has_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault while the calls of a function are noted is told, and the program does not notice."""
    from jace_repro.trace import callsite

    def broken(*_: Any) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(callsite, "names_for", broken)
    note = without_tree(lambda: jax.jit(lambda x: jnp.sin(x) + 1)(X), tmp_path)
    assert "planted" in note
