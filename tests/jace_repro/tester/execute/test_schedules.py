"""Schedules of threads: a race of few iterations always shows, and nothing else does."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.build.compiler import compile_text
from jace.build.flags import toolchain
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro
from jace_repro.tester.execute import backends, runs, schedules, stability, traced, xla

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="schedules are for Linux")

ROUNDS = 25
X = np.random.default_rng(3).standard_normal(6).astype(np.float32)

#: Each takes an input and an output of so many numbers.
CODE = r"""
#include <cstddef>
extern "C" {
void sums(const float *in, float *out, int n) {  // a loop that is not parallel: a prefix sum
  for (int i = 0; i < n; ++i) out[i] = in[i];
  #pragma omp parallel for
  for (int i = 1; i < n; ++i) out[i] += out[i - 1];
}
void doubled(const float *in, float *out, int n) {
  #pragma omp parallel for
  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i];
}
void total(const float *in, float *out, int n) {  // rounded as the threads share it out
  float all = 0;
  #pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < n; ++i) all += in[i];
  out[0] = all;
}
void meets(const float *in, float *out, int n) {  // its threads wait for one another
  #pragma omp parallel
  {
    #pragma omp for
    for (int i = 0; i < n; ++i) out[i] = in[i];
    #pragma omp for
    for (int i = 0; i < n; ++i) out[i] += out[n - 1 - i] * 0 + in[n - 1 - i];
  }
}
void often(const float *in, float *out, int n) {
  for (int round = 0; round < 1200; ++round) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) out[i] = in[i] + round;
  }
}
void mirrored(const float *in, float *out, int n) {  // four steps, each the same: any order of them will do
  for (int i = 0; i < n; ++i) out[i] = in[i];
  #pragma omp parallel for
  for (int step = 0; step < 4; ++step) {
    float row[64];
    for (int i = 0; i < n; ++i) row[i] = out[n - 1 - i] - out[i];
    for (volatile int spin = 0; spin < 20000; ++spin) {}  // long enough to meet another on any machine
    for (int i = 0; i < n; ++i) out[i] = row[i];
  }
}
void plain(const float *in, float *out, int n) { for (int i = 0; i < n; ++i) out[i] = in[i]; }
}
"""


@pytest.fixture(scope="module")
def code() -> ctypes.CDLL:
    """The functions, loaded after what schedules their threads."""
    schedules.load()
    flags = ("-O1", "-std=c++17", "-fPIC", "-fopenmp")
    built = compile_text(CODE, flags, (), toolchain(), None)
    return ctypes.CDLL(str(built.path))


def backend(code: ctypes.CDLL, name: str) -> Callable[..., Any]:
    """A stand-in for jace that runs one of the functions."""
    function = getattr(code, name)

    def build(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        (aval,) = closed.out_avals

        def call(x: np.ndarray) -> list[np.ndarray]:
            out = np.empty(aval.shape, aval.dtype)
            function(x.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p), x.size)
            return [out]

        return SimpleNamespace(seconds={}, call_direct=call)

    return build


def mirrored(x: Any) -> Any:
    for _ in range(4):
        x = x[::-1] - x
    return x


def checked(code: ctypes.CDLL, name: str, fun: Callable[..., Any], x: np.ndarray = X) -> Verdict:
    repro = emit_flat(jax.make_jaxpr(fun)(x), [x], header=Header(name=name))
    options = Options(localize=False, blame=False)
    (found,) = check_repro(repro, ["fused"], backend=backend(code, name), options=options)
    return found


def executed(code: ctypes.CDLL, name: str, fun: Callable[..., Any], x: np.ndarray = X) -> runs.Execution:
    prog = traced.from_jaxpr(jax.make_jaxpr(fun)(x), [x])
    return runs.execute(backend(code, name)(prog.closed, "", backends.no_stages), prog)


def test_a_race_of_six_iterations_shows_every_time(code: ctypes.CDLL) -> None:
    for _ in range(ROUNDS):
        assert checked(code, "sums", jnp.cumsum).outcome == "nondeterministic"


def test_a_race_that_never_shows_among_two_threads_is_said_to_be_one(
    code: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "THREADS", (1, 1))  # right each time, whatever the machine is at
    found = checked(code, "sums", jnp.cumsum)
    assert found.outcome == "nondeterministic"
    assert stability.CAUSES["order"] in found.detail
    assert found.evidence is not None
    assert [row.agrees_with_dace for row in found.evidence][:4] == [True, True, True, False]


@pytest.mark.parametrize(
    ("name", "fun"),
    [
        ("doubled", lambda x: x + x),
        ("meets", lambda x: x + x[::-1]),
        ("often", lambda x: x + 1199.0),
        ("plain", lambda x: x + 0.0),
    ],
)
def test_what_has_no_race_gives_the_same_in_any_order(
    code: ctypes.CDLL, name: str, fun: Callable[..., Any]
) -> None:
    assert executed(code, name, fun).differing == []


def test_a_program_without_threads_runs_twice_and_another_three_times(code: ctypes.CDLL) -> None:
    assert len(executed(code, "plain", lambda x: x + 0.0).others) == 1
    assert len(executed(code, "doubled", lambda x: x + x).others) == 2


def test_a_race_that_any_order_hides_shows_when_threads_begin_at_once(
    code: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "AT_ONCE_SECONDS", 20.0)
    prog = traced.from_jaxpr(jax.make_jaxpr(mirrored)(X), [X])
    run = backend(code, "mirrored")(prog.closed, "", backends.no_stages)
    (right,) = xla.run_reference(prog)
    assert np.allclose(runs.run_in_turn(run, prog).outputs[0], right)
    assert executed(code, "mirrored", mirrored).differing


def test_a_sum_that_threads_in_turn_share_out_may_round_differently(
    code: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "THREADS", (1, 1))  # only threads in turn round otherwise
    many = np.random.default_rng(1).standard_normal(997).astype(np.float32)

    def total(x: Any) -> Any:
        return jnp.sum(x)[None]

    assert executed(code, "total", total, many).differing
    assert checked(code, "total", total, many).outcome == "ok"


def test_threads_come_as_they_do_once_it_is_over(code: ctypes.CDLL) -> None:
    prog = traced.from_jaxpr(jax.make_jaxpr(jnp.cumsum)(X), [X])
    run = backend(code, "sums")(prog.closed, "", backends.no_stages)
    runs.run_in_turn(run, prog)
    (right,) = xla.run_reference(prog)
    (got,) = runs.run_once(run, prog, 0, 1).outputs
    assert np.allclose(got, right)
