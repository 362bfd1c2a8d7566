"""The programs of the corpus: each runs, records to repros that replay exactly, and is right through DaCe.

Small sizes here, and the large ones on one pipeline; ``-m slow`` runs them all at 2^14 elements on both.
"""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from places import PROGRAMS

from jace_repro.repro import load
from jace_repro.selfcheck import self_check_many
from jace_repro.tester import Pool
from jace_repro.tracker.api import record_program
from jace_repro.tracker.recording import Target

NAMES = sorted(p.stem for p in PROGRAMS.glob("*.py"))
FULL_SIZE = 2**14
SMALL_SIZE = 2**10
#: Programs of so many equations that the canonical pipeline, which makes a map of each, compiles for long.
LARGE = frozenset(
    {
        "attention_remat",
        "equinox_mlp",
        "isoneutral_mixing",
        "linen_cnn",
        "nnx_mlp_adam",
        "turbulent_kinetic_energy",
    }
)
#: What runs with `-m ci`: the programs that take longest.
LONGEST = LARGE | {"cg", "control_flow", "equation_of_state", "random_walk", "scan_rnn", "vmap_grad"}
KERNELS = ("equation_of_state", "isoneutral_mixing", "turbulent_kinetic_energy")
#: The largest difference to XLA that the kernels may have, relative to each output's largest magnitude.
KERNEL_TOLERANCE = 1e-11


@pytest.fixture(scope="module")
def pool():
    """Warm workers for all programs of this module."""
    with Pool(jobs=1, timeout=600) as workers:
        yield workers


def through_the_harness(name, size, pipelines, pool, out):
    """Record a program, self-check every repro, test each: name and verdicts by entry."""
    recorded = record_program(Target("path", str(PROGRAMS / f"{name}.py"), (str(size),)), out, timeout=300)
    assert recorded.error is None, recorded.error
    assert recorded.exit_code == 0
    assert any(not e.entry.eager for e in recorded.entries)
    assert {e.status for e in recorded.entries} == {"completed"}
    paths = [recorded.path(e) for e in recorded.entries]
    checks = self_check_many(paths, timeout=300)
    inexact = {
        e.entry.name: c.detail for e, c in zip(recorded.entries, checks, strict=True) if c.status != "exact"
    }
    assert not inexact
    return {e.id: (e.entry.name, pool.check(load(recorded.path(e)), pipelines)) for e in recorded.entries}


def assert_all_ok(tested):
    wrong = {
        f"{name} on {verdict.pipeline}": f"{verdict.outcome}: {verdict.detail}"
        for name, verdicts in tested.values()
        for verdict in verdicts
        if verdict.outcome != "ok"
    }
    assert not wrong


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.ci if name in LONGEST else ()) for name in NAMES]
)
def test_program_is_right_through_dace(name, pool, tmp_path):
    pipelines = ["fused"] if name in LARGE else ["fused", "canonical"]
    assert_all_ok(through_the_harness(name, SMALL_SIZE, pipelines, pool, tmp_path))


def test_the_large_programs_are_programs():
    assert set(NAMES) > LARGE


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_program_is_right_at_full_size_on_both_pipelines(name, pool, tmp_path):
    assert_all_ok(through_the_harness(name, FULL_SIZE, ["fused", "canonical"], pool, tmp_path))


def load_program(name):
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def x64():
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.ci if name in LARGE else ()) for name in KERNELS]
)
def test_kernels_agree_with_xla_at_2_to_the_14(name, x64):
    import jax

    import jace

    program = load_program(name)
    arguments = program.inputs(FULL_SIZE)
    reference = jax.tree.leaves(jax.jit(program.KERNEL)(*arguments))
    results = jax.tree.leaves(jace.jit(program.KERNEL)(*arguments))
    for theirs, ours in zip(map(np.asarray, reference), map(np.asarray, results), strict=True):
        assert ours.dtype == theirs.dtype == np.float64
        scale = np.abs(theirs).max()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=KERNEL_TOLERANCE * scale)


def test_the_equation_of_state_is_a_derivative(x64):
    """The hand-written derivative is that of the value, whose slope by pressure is 1e4 specific volumes."""
    import jax

    eos = load_program("equation_of_state")
    sa, ct, p = eos.inputs(64)

    def enthalpy(t, q):
        return eos.enthalpy_and_slope(sa, t, q)[0]

    _, slope = eos.enthalpy_and_slope(sa, ct, p)
    _, expected = jax.jvp(lambda t: enthalpy(t, p), (ct,), (np.ones_like(ct),))
    np.testing.assert_allclose(slope, expected, atol=1e-9)
    _, volume = jax.jvp(lambda q: enthalpy(ct, q), (p,), (np.ones_like(p),))
    np.testing.assert_allclose(volume, 1e4 / 1010, rtol=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_programs_say_what_they_are(name):
    text = (PROGRAMS / f"{name}.py").read_text()
    assert text.startswith('"""')
    assert f"python {name}.py [SIZE]" in text
    assert "default 2^14" in text
    assert "np.random.seed" not in text


#: name of a failing program -> its function that is wrong, and the line of the equation that is
FAILING = {"wave_equation": ("vibrate", 31), "savings": ("save", 29)}


# `.ci/run` types the README's command, which reduces one of them, and tests/test_corpus.py replays what both end at.
@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), [("wave_equation", ("16",)), *((name, ()) for name in FAILING)])
def test_the_failing_program_fails_and_is_reduced(name, words, jace_repro, tmp_path):
    """The README's first command (wave_equation): a real bug of DaCe's auto_optimize, down to a few equations."""
    program = PROGRAMS / "failing" / f"{name}.py"
    function, line = FAILING[name]
    ran = jace_repro("run", "--pipeline", "canonical/auto-optimize", str(program), *words, timeout=580)
    assert ran.code == 1, ran.out + ran.err
    (entry,) = [e for e in ran.report["entries"] if e["name"] == function]
    assert entry["self_check"] == "exact"
    assert entry["verdicts"][0]["outcome"] == "mismatch"
    assert entry["localized"]["primitive"] == "scan"
    assert entry["localized"]["source"] == f"{name}.py:{line}"
    assert entry["reduced"]["equations"] <= 3
    assert entry["reduced"]["oracle_calls"] < 60
    again = jace_repro("check", entry["reduced"]["repro"])
    assert again.code == 1
    assert again.report["entries"][0]["verdicts"][0]["signature"] == entry["verdicts"][0]["signature"]
    assert "as its header expects" in again.out


@pytest.mark.parametrize("name", FAILING)
def test_the_failing_program_is_right_otherwise(name, jace_repro):
    program = PROGRAMS / "failing" / f"{name}.py"
    ran = jace_repro("run", str(program), timeout=580)
    assert ran.code == 0, ran.out + ran.err
