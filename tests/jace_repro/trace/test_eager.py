"""Calls outside of jit, of functions that take functions: the entries they run have the call for their tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro import record
from jace_repro.repro import load
from jace_repro.selfcheck import self_check_many
from jace_repro.trace import eager
from jace_repro.tracker.recording import RecordedEntry

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)


@jax.jit
def part(v):
    return jnp.sin(v) * v.sum()


def loss(w, x):
    return jnp.mean((part(x * w["b"].sum()) @ w["a"] + w["b"]) ** 2)


W = {"a": np.full((4, 2), 0.25, np.float32), "b": np.array([1.0, 2.0], np.float32)}
PROGRAMS: dict[str, tuple[Callable[[], Any], str]] = {
    "grad": (lambda: jax.grad(lambda v: part(v).sum())(X), "jax.grad("),
    "value_and_grad": (
        lambda: jax.value_and_grad(loss)(W, X),
        'jax.value_and_grad(loss)({"a": w_a, "b": w_b}, x)',
    ),
    "vmap": (lambda: jax.vmap(part)(np.stack([X, X])), "jax.vmap(part)(v)"),
    "jvp": (lambda: jax.jvp(part, (X,), (X + 1,)), "jax.jvp(part, (primals_0,), (tangents_0,))"),
    "vjp": (lambda: jax.vjp(part, X)[0], "jax.vjp(part, "),
    "hessian": (lambda: jax.hessian(loss, argnums=1)(W, X), "jax.hessian(loss, argnums=1)("),
    "linearize": (lambda: jax.linearize(part, X)[0], "jax.linearize(part, "),
    "vmap-of-grad": (
        lambda: jax.vmap(jax.grad(lambda v: part(v).sum()))(np.stack([X, X])),
        "jax.vmap(jax.grad(",
    ),
    "scan": (lambda: lax.scan(lambda c, s: (jnp.sin(c) * s, c.sum()), X, X), "lax.scan("),
    "scan-of-scalar": (lambda: lax.scan(lambda c, s: (c * s, c), 1.0, X), ", 1.0, xs)"),
    "while": (
        lambda: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 2), (0, X)),
        "lax.while_loop(",
    ),
    "fori": (lambda: lax.fori_loop(0, 3, lambda i, a: a * i + 1, X), "lax.fori_loop(0, 3, "),
    "cond": (lambda: lax.cond(X.sum() > 0, jnp.sin, jnp.cos, X), "lax.cond("),
    "map": (lambda: lax.map(part, np.stack([X, X])), "lax.map(part, xs)"),
    "grad-of-scan": (
        lambda: jax.grad(lambda x: lax.scan(lambda c, s: (c * s + jnp.sin(c), None), x.sum(), x)[0])(X),
        "jax.grad(",
    ),
    "jit-that-captures-a-value-of-the-map": (
        lambda: jax.vmap(lambda x: jax.jit(lambda v: v * 2 + x)(x))(X),
        "jax.vmap(",
    ),
    "the-same-array-twice": (lambda: jax.jvp(part, (ONE,), (ONE,)), "jax.jvp(part, ("),
    "pullback": (lambda: call_later(jax.vjp(part, X)[1], X), "jax.vjp(part, "),
    "pullback-of-its-result": (
        lambda: (lambda out, pull: pull(out * 2))(*jax.vjp(part, X)),
        "jax.vjp(part, ",
    ),
    "tangent-map": (lambda: call_later(jax.linearize(part, X)[1], X + 1), "jax.linearize(part, "),
    "a-concrete-value-inside": (
        lambda: jax.grad(lambda v: (part(v) * jnp.cumsum(jnp.ones(4))).sum())(X),
        "jnp.cumsum(jnp.ones(4))",
    ),
}
ONE = jnp.asarray(X)


def call_later(fun: Callable[..., Any], x: Any) -> Any:
    return fun(x)


def own(rec: Any) -> list[RecordedEntry]:
    return [e for e in rec.entries if not e.entry.eager]


#: Of many operations, and made of others that are here: with `-m slow`.
LONG = ("hessian",)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in PROGRAMS]
)
def test_the_call_is_the_tree_of_what_it_runs(name: str, tmp_path: Path) -> None:
    run, text = PROGRAMS[name]
    plain = run()
    jax.clear_caches()
    with record(tmp_path) as rec:
        out = run()
    assert rec.recording.tracker_errors == ()
    assert [np.asarray(a).tobytes() for a in jax.tree.leaves(out)] == [
        np.asarray(a).tobytes() for a in jax.tree.leaves(plain)
    ]
    entries = own(rec)
    assert entries
    assert [e.calltree_note for e in entries] == [None] * len(entries)
    scripts = [tmp_path / e.calltree for e in entries if e.calltree is not None]
    assert any(text in path.read_text() for path in scripts)
    checks = self_check_many(scripts)
    assert [(c.status, c.detail) for c in checks] == [("exact", "")] * len(scripts)
    assert any(load(path).header.eager for path in scripts)


@pytest.mark.parametrize("name", ["scan", "map"])
def test_the_tree_is_written_where_jax_lies_below_the_working_directory(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything lies below /, JAX as in a project with its environment inside."""
    monkeypatch.chdir("/")
    run, text = PROGRAMS[name]
    jax.clear_caches()
    with record(tmp_path) as rec:
        run()
    notes = [e.calltree_note for e in rec.entries if not e.entry.eager]
    assert notes
    assert notes == [None] * len(notes)
    trees = [(tmp_path / e.calltree).read_text() for e in rec.entries if e.calltree is not None]
    assert any(text in tree for tree in trees)


def test_a_wrong_call_is_found_out(tmp_path: Path) -> None:
    """The self-check of an eager script looks for the recorded program, and for the recorded bits."""
    with record(tmp_path) as rec:
        jax.grad(lambda v: part(v).sum())(X)
    (path, *_) = [tmp_path / e.calltree for e in own(rec) if e.calltree is not None]
    source = path.read_text()
    path.write_text(source.replace("jnp.sin", "jnp.cos"))
    assert self_check_many([path])[0].status == "jaxpr-differs"
    path.write_text(source.replace("0.5", "0.75"))
    assert self_check_many([path])[0].status == "failed"


def test_only_calls_that_run_something_new_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    recorded = eager.recorded

    def counted(take: Any, original: Any, *rest: Any) -> Any:
        before = dict(eager._vain)
        out = recorded(take, original, *rest)
        calls.append(eager._vain != before)
        return out

    monkeypatch.setattr(eager, "recorded", counted)
    gradient = None
    with record(tmp_path):
        gradient = jax.grad(lambda v: part(v).sum())
        for _ in range(12):
            gradient(X)
    assert len(calls) == 12
    assert sum(calls) <= 5


def test_an_error_in_the_call_is_the_programs_own(tmp_path: Path) -> None:
    def wrong(v):
        part(v)
        raise ValueError("mine")

    with record(tmp_path) as rec, pytest.raises(ValueError, match="mine"):
        jax.grad(wrong)(X)
    assert rec.recording.tracker_errors == ()
    assert eager.current() is None


def test_a_library_of_jaxs_own_is_no_program(tmp_path: Path) -> None:
    """What JAX's own functions do with transforms inside is not a call of the program's."""
    with record(tmp_path) as rec:
        jnp.apply_along_axis(lambda row: row * 2, 0, X)
        jnp.linalg.eigh(np.eye(3, dtype=np.float32))
    assert rec.recording.tracker_errors == ()


def test_arguments_that_are_no_values_of_jaxs_do_not_break_the_program(tmp_path: Path) -> None:
    """JAX never looks at what is not differentiated."""
    names = np.array(["a", "b"])
    plain = jax.grad(lambda v, names: part(v).sum() * len(names))(X, names)
    with record(tmp_path) as rec:
        out = jax.grad(lambda v, names: part(v).sum() * len(names))(X, names)
    assert np.asarray(out).tobytes() == np.asarray(plain).tobytes()
    assert rec.recording.tracker_errors == ()
    assert all(e.calltree is not None or e.calltree_note for e in own(rec))
