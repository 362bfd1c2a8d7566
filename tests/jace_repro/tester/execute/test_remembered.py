"""Remembered answers of plain JAX: they save its compilation, and accuse nobody."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, kept
from jace_repro.tester import check
from jace_repro.tester.execute import remembered, traced, xla

X = np.arange(6, dtype=np.float32)


def flat(fun, *args):
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program"))


def program(fun, *args):
    return traced.from_jaxpr(jax.make_jaxpr(fun)(*args), args)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    """How often XLA was asked."""
    asked = []

    def run(prog):
        asked.append(prog)
        return right(prog)

    right = xla.run_reference
    monkeypatch.setattr(xla, "run_reference", run)
    return asked


def verdict_of(repro):
    (verdict,) = check.check_repro(repro, ["fused"], options=check.Options(remember=True))
    return verdict


def answers(cache):
    return [file for file in cache.rglob("references/*/*") if file.is_file()]


def test_a_program_that_was_tested_before_is_not_run_by_xla_again(asked):
    fun = flat(lambda x: jnp.sin(x) * 2, X)
    verdicts = [verdict_of(fun) for _ in range(2)]
    assert [v.outcome for v in verdicts] == ["ok", "ok"]
    assert len(asked) == 1
    assert verdicts[1].ran[0]["calls"] >= 2  # what is remembered is XLA's side only


@pytest.mark.parametrize("dtype", [np.float32, np.bool_, np.complex64, ml_dtypes.bfloat16, ml_dtypes.int4])
def test_every_dtype_and_shape_comes_back_as_it_was(asked, dtype):
    values = np.ones((2, 3), dtype), np.ones((), dtype), np.ones((0, 2), dtype)
    prog = program(lambda *a: a, *values)
    (first, fresh), (again, known) = (remembered.recall(prog) for _ in range(2))
    assert (fresh, known, len(asked)) == (False, True, 1)
    for one, other in zip(first, again, strict=True):
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


def test_other_inputs_other_configuration_and_other_programs_are_asked_for(asked):
    remembered.recall(program(jnp.sin, X))
    remembered.recall(program(jnp.sin, X + 1))
    remembered.recall(program(jnp.cos, X))
    with jax.numpy_rank_promotion("raise"):
        remembered.recall(program(jnp.cos, X))
    assert len(asked) == 4


def test_a_wrong_answer_that_was_remembered_accuses_nobody(cache, asked):
    fun = flat(lambda x: x * 2, X)
    verdict_of(fun)
    (file,) = answers(cache)
    remembered._write(file, [X * 3])
    assert verdict_of(fun).outcome == "ok"
    assert len(asked) == 2


def test_a_damaged_answer_is_a_missing_one(cache, asked):
    prog = program(jnp.sin, X)
    remembered.recall(prog)
    (file,) = answers(cache)
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    _, known = remembered.recall(prog)
    assert not known


def test_what_calls_out_of_the_program_or_is_large_is_not_remembered(cache):
    def calls(x):
        return jax.pure_callback(lambda a: np.asarray(a) + 1, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    remembered.recall(program(calls, X))
    remembered.recall(program(lambda x: jnp.zeros((1 << 18) + 1) + x, X[0]))
    assert answers(cache) == []


def test_nothing_is_remembered_without_a_cache(cache, monkeypatch, asked):
    monkeypatch.setenv("JACE_CACHE", "0")
    prog = program(jnp.sin, X)
    assert [remembered.recall(prog)[1] for _ in range(2)] == [False, False]
    assert answers(cache) == []


def test_the_oldest_answers_go_first(cache):
    for k in range(3):
        remembered.recall(program(jnp.sin, X + k))
    newest = max(answers(cache), key=lambda file: file.stat().st_mtime_ns)
    assert kept.prune(cache / "v1" / "references", keep=1) == 2
    assert answers(cache) == [newest]
