"""Scripts reduced as text: taken apart and put together, as their author wrote them, and those that do not trace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace import ir
from jace_repro.reducer.source import is_untraceable, reduce_source
from jace_repro.reducer.source.program import program_of
from jace_repro.repro import Repro, load, trace_repro
from jace_repro.tracker.api import record

REPROS = sorted(Path("corpus/repros").rglob("*.py"))


@pytest.mark.parametrize("path", REPROS[5::12], ids=lambda path: path.stem)
def test_taken_apart_and_put_together_it_is_the_same_program(path: Path) -> None:
    repro = load(path)
    program = program_of(repro)
    assert program.problem is not None
    assert ir.fingerprint(program.problem.closed) == ir.fingerprint(trace_repro(repro)[0])
    assert "FINDING" not in program.text


@dataclass(frozen=True)
class Judged:
    """What an oracle says."""

    outcome: str
    signature: str | None


def shows(primitive: str, repro: Repro) -> Judged:
    """Whether an output depends on an equation of a primitive that is not computed from numbers alone."""
    live = ir.live_form(trace_repro(repro)[0])
    there = any(eqn.primitive.name == primitive for _, eqn in ir.walk(live.jaxpr))
    return Judged("mismatch", "s" if there and live.jaxpr.invars else None)


def last(folder: Path, kind: str) -> Repro:
    return load(sorted((folder / kind).glob("*.py"))[-1])


def test_a_call_tree_stays_what_its_author_wrote(tmp_path: Path) -> None:
    def step(c: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        c = jnp.maximum(c, 0) + jax.nn.silu(x)
        return c, jnp.logaddexp(c, x)

    @jax.jit
    def program(x: jax.Array) -> jax.Array:
        y = x / jnp.linalg.norm(x)
        c, ys = lax.scan(step, y[0], y)
        return jnp.sum(ys**2) + c

    with record(tmp_path):
        program(jnp.arange(1.0, 9.0))
    repro = last(tmp_path, "calltrees")
    seen: list[int] = []
    kept: list[Repro] = []
    found = reduce_source(
        repro,
        lambda candidate: shows("log1p", candidate),
        signature="s",
        on_progress=lambda step: seen.append(step.equations),
        keep=lambda better, _: kept.append(better.save(tmp_path / "best.py")),
    )
    assert found.stopped == "fixpoint"
    assert found.elements <= 30
    assert seen[-1] < seen[0]
    calls = [line.strip() for line in found.repro.source.splitlines() if "logaddexp(" in line]
    assert len(calls) == 1
    assert "lax.scan" not in found.repro.source
    assert found.repro.header.signature == "s"
    saved = load(tmp_path / "best.py")
    assert saved.text() == found.repro.text()
    assert trace_repro(saved)[0].out_avals


def test_a_program_that_does_not_trace_is_the_call_that_raises(tmp_path: Path) -> None:
    @jax.jit
    def program(w: jax.Array, x: jax.Array) -> jax.Array:
        h = jnp.tanh(x @ w) + jnp.ones(3)
        if h.sum() > 0:
            h = h * 2
        return h.mean()

    with record(tmp_path), pytest.raises(jax.errors.TracerBoolConversionError):
        program(jnp.ones((4, 3)), jnp.ones((2, 4)))
    repro = last(tmp_path, "entries")
    assert is_untraceable(repro)
    found = reduce_source(repro, None, signature="s", max_calls=1)
    assert found.stopped == "fixpoint"
    assert [line.strip() for line in found.repro.source.splitlines() if "return bool(" in line]
    assert "jnp" not in found.repro.source
    assert [np.shape(value) for value in found.repro.load_inputs()] == [()]
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(found.repro.load_function())(*found.repro.load_inputs())


def test_of_one_that_does_not_trace_another_judge_may_decide(tmp_path: Path) -> None:
    with record(tmp_path), pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(lambda x: jnp.tanh(x) if jnp.sin(x).sum() > 0 else x)(jnp.ones(4))

    def has_sin(candidate: Repro) -> Judged:
        return Judged("mismatch", "s" if "sin(" in candidate.source else None)

    found = reduce_source(last(tmp_path, "entries"), has_sin, signature="s")
    assert found.stopped == "fixpoint"
    assert "    return lax.sin(" in found.repro.source
    assert "bool(" not in found.repro.source


def test_the_same_error_out_of_another_call_is_another_one(tmp_path: Path) -> None:
    def summed(x: jax.Array) -> jax.Array:
        return jnp.concatenate([x, x[:, None]]).sum()

    with record(tmp_path), pytest.raises(TypeError, match="different numbers of dimensions"):
        jax.jit(lambda x: summed(jnp.sin(x)) + x[0])(jnp.ones(4))
    found = reduce_source(last(tmp_path, "entries"), None, signature="s")
    shapes = sorted(np.ndim(value) for value in found.repro.load_inputs())
    assert shapes == [1, 2]  # an error about scalars is not this one
    with pytest.raises(TypeError, match="different numbers of dimensions"):
        trace_repro(found.repro)
