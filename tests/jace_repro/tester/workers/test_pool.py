"""Worker processes: whatever a repro does to its worker is its own outcome, and the next one is tested."""

from __future__ import annotations

import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import psutil
import pytest
from places import BACKENDS

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro
from jace_repro.tester import Pool
from jace_repro.tester.views import Wanted
from jace_repro.tester.workers.forkserver import FORKS
from jace_repro.tester.workers.pool import EXPLAIN_SECONDS

X = np.arange(6, dtype=np.float32)


def flat(fun, *args, name="program") -> Repro:
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name=name))


def pool(backend: str, **options) -> Pool:
    return Pool(backend=f"{BACKENDS}:{backend}", **{"timeout": 60.0, **options})


@pytest.fixture(scope="module")
def program() -> Repro:
    return flat(lambda x: jnp.sin(x) * 2, X)


def test_a_spare_worker_starts_while_another_tests(program):
    with pool("honest", jobs=2) as workers:
        workers.begin(compiling=True)
        workers.add_spare()
        wait_for(lambda: len(workers._idle) == 1)
        workers.add_spare()
        wait_for(lambda: len(workers._idle) == 2)
        assert [v.outcome for v in workers.check(program, ["fused"])] == ["ok"]
        assert workers.spawned == 2
    with pool("honest", jobs=1) as workers, workers._slots:
        workers.add_spare()  # there is no place for one
        assert workers.spawned == 0


def test_each_test_may_have_a_worker_of_its_own(program):
    with pool("honest", fresh=True) as workers:
        workers.warm_up()
        for tests in (1, 2, 3):
            assert [v.outcome for v in workers.check(program, ["fused"])] == ["ok"]
            assert workers.spawned == tests


def wait_for(what, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_right_program_is_ok_on_every_pipeline_with_one_warm_worker(program):
    heard: list[str] = []
    with pool("honest") as workers:
        with workers.heard_by(heard.append):
            first = workers.check(program, ["fused", "canonical"])
        second = workers.check(program, ["fused"])
        assert [v.outcome for v in (*first, *second)] == ["ok"] * 3
        assert [v.pipeline for v in first] == ["fused", "canonical"]
        assert workers.spawned == 1
        assert set(first[0].seconds) >= {"xla", "compile", "run"}
    once = ["translate", "compile", "run", "compare"]
    assert [stage for stage in heard if stage in once] == 2 * once, (
        "each stage is told, and not of the second"
    )


def test_a_segfault_is_that_pipelines_outcome_and_costs_one_respawn(program):
    with pool("segfault") as workers:
        crashed, fine = workers.check(program, ["fused", "canonical"])
        assert crashed.outcome == "crash"
        assert crashed.stage == "run"
        assert "SIGSEGV" in crashed.detail
        assert crashed.signature
        assert crashed.is_finding
        assert set(crashed.seconds) >= {"reference", "translate", "run"}
        assert fine.outcome == "ok"
        assert workers.spawned == 2


def test_an_abort_while_compiling_names_the_stage(program):
    with pool("abort_in_compile") as workers:
        (verdict,) = workers.check(program, ["fused"])
        assert (verdict.outcome, verdict.stage) == ("crash", "compile")
        assert "SIGABRT" in verdict.detail


def test_an_endless_loop_is_a_timeout_and_the_rest_goes_on(program):
    with pool("hang", timeout=3.0) as workers:
        hung, fine = workers.check(program, ["fused", "canonical"])
        assert (hung.outcome, hung.stage) == ("timeout", "run")
        assert hung.seconds["run"] >= 3.0 > hung.seconds["translate"] > 0.0
        assert fine.outcome == "ok"


def test_what_took_long_to_build_has_long_to_be_explained():
    with pool("honest") as workers:
        limits = [workers.sanitizing(seconds).timeout for seconds in (0.0, 50.0, 100.0)]
    assert limits == [EXPLAIN_SECONDS, 50.0, 60.0]


def test_less_patience_for_a_while(program):
    with pool("hang") as workers:
        with workers.within(2.0):
            (hung,) = workers.check(program, ["fused"])
        assert (hung.outcome, hung.detail) == ("timeout", "stage 'run' did not finish in 2 s")
        with workers.within(1000.0, {"run": 1.0}):
            (hung,) = workers.check(program, ["fused"])
            assert hung.detail == "stage 'run' did not finish in 1 s"
            assert workers.timeout == 60.0
        assert workers.timeout == 60.0


def test_a_long_script_is_compiled_for_longer(program):
    """The step of a transformer, of 5,000 equations, was said to loop for ever."""
    long = Repro(program.source + "\n" * 12_000, {}, program.header)
    with pool("slow_to_compile", timeout=1.5) as workers:
        (short,) = workers.check(program, ["fused"])
        assert (short.outcome, short.detail) == ("timeout", "stage 'compile' did not finish in 1.5 s")
        (found,) = workers.check(long, ["fused"])
        assert found.outcome == "ok"
    with pool("hang", timeout=1.5) as workers:
        (hung,) = workers.check(long, ["fused"])
        assert (hung.outcome, hung.detail) == ("timeout", "stage 'run' did not finish in 1.5 s")


def test_a_memory_blow_up_is_ended_at_the_limit(program):
    with pool("memory_hog", memory_mb=1000) as workers:
        (verdict,) = workers.check(program, ["fused"])
        assert (verdict.outcome, verdict.stage) == ("memory", "run")


def test_plain_jax_never_ending_is_told_from_dace_never_ending():
    endless = flat(lambda x: jax.lax.while_loop(lambda c: c[0] < 10, jnp.cos, x), X)
    with pool("honest", timeout=3.0) as workers:
        verdicts = workers.check(endless, ["fused", "canonical"])
        assert [(v.outcome, v.stage) for v in verdicts] == [("timeout", "reference")] * 2
        assert "plain JAX" in verdicts[0].detail
        assert workers.spawned == 1


def test_a_program_that_plain_jax_rejects_is_a_reference_error(program):
    broken = Repro(
        program.source.replace("def repro(", "def repro(*_, **__):\n    raise ValueError('no')\ndef old("),
        {},
        program.header,
    )
    with pool("honest") as workers:
        (verdict,) = workers.check(broken, ["fused"])
        assert verdict.outcome == "reference-error"
        assert "ValueError: no" in verdict.detail
        assert not verdict.is_finding


def test_a_program_that_xla_crashes_on_is_a_finding_of_xlas(program):
    def ending(where):
        dies = f"def repro(*_, **__):\n    {where}\ndef old("
        return Repro(program.source.replace("def repro(", dies), {}, program.header)

    runs = ending("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    compiles = ending(
        "import os, signal\n"
        "    def backend_compile(): os.kill(os.getpid(), signal.SIGABRT)\n"
        "    backend_compile()"
    )
    with pool("honest") as workers:
        running, other = workers.check(runs, ["fused", "canonical"])
        (compiling,) = workers.check(compiles, ["fused"])
    assert running.outcome == other.outcome == compiling.outcome == "reference-crash"
    assert running.is_finding
    assert running.who == "XLA"
    assert "SIGSEGV while XLA's code runs, in stage 'reference'" in running.detail
    assert "SIGABRT while XLA compiles, in stage 'reference'" in compiling.detail
    assert running.signature == other.signature != compiling.signature


def test_every_jace_error_has_its_outcome_and_a_signature(program):
    names = ["unsupported", "translate-error", "invalid-sdfg", "pass-error", "codegen-error", "compile-error"]
    with pool("raising") as workers:
        verdicts = workers.check(program, names)
    assert [v.outcome for v in verdicts] == names
    assert len({v.signature for v in verdicts}) == len(names)
    assert verdicts[0].guilty.to_json() == {"primitive": "lgamma", "primitives": ["lgamma", "zeta"]}
    assert verdicts[1].guilty.primitive == "cumsum"
    assert verdicts[3].guilty.to_json() == {"pass": "simplify"}


def test_localization_travels_with_a_repro_of_the_equation_alone():
    program = flat(lambda x: jnp.cumsum(jnp.sin(x) - 3.0) * 2, X)
    with pool("swapped_sub") as workers:
        (verdict,) = workers.check(program, ["fused"])
        found = workers.localize(program, "fused")
        assert verdict.outcome == "mismatch"
        assert verdict.guilty.primitive == "sub"
        assert found is not None
        assert (found.culprit.primitive, found.culprit.confirmed) == ("sub", True)
        (again,) = workers.check(found.repro, ["fused"])
    assert again.signature == verdict.signature


def test_a_crash_while_localizing_leaves_the_mismatch():
    program = flat(lambda x: jnp.sin(x) - 3.0, X)
    with pool("dies_when_localized") as workers:
        (verdict,) = workers.check(program, ["fused"])
    assert verdict.outcome == "mismatch"
    assert verdict.signature
    assert "SIGSEGV" in verdict.detail


def test_a_worker_that_cannot_start_is_a_harness_error(program, tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text("raise RuntimeError('bad rules')")
    with pool("honest", rules=rules) as workers:
        verdicts = workers.check(program, ["fused", "canonical"])
        assert [v.outcome for v in verdicts] == ["harness-error"] * 2
        assert "bad rules" in verdicts[0].detail
        assert workers.spawned == 1


#: A rule that counts on fresh memory being zero, as a block is that was zero when it was given back.
FORGETFUL = """
import jace

@jace.register_rule("neg", override=True)
def negative(params, in_dtypes, out_dtype, x):
    block = "float* volatile {0} = (float*)__builtin_malloc(32);"
    return (
        f"([&] {{ {block.format('p')} for (int i = 0; i < 8; ++i) p[i] = 0; __builtin_free(p); {block.format('q')} "
        f"float was = q[5]; __builtin_free(q); return was * 1e16f - {x}; }}())"
    )
"""


@pytest.mark.cold
def test_small_memory_that_nobody_sets_is_poisoned(tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text(FORGETFUL)
    with Pool(rules=rules) as workers:
        (verdict,) = workers.check(flat(lambda x: -x, X + 1), ["fused"])
    assert verdict.outcome == "nondeterministic"
    assert "memory that nobody has written" in verdict.detail


def test_rules_run_in_the_worker_before_testing(tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text(
        "import jace\n"
        "@jace.register_rule('sub', override=True)\n"
        "def swapped(params, in_dtypes, out_dtype, a, b):\n"
        "    return f'({b} - {a})'\n"
    )
    program = flat(lambda x: jnp.cumsum(jnp.sin(x) - 3.0) * 2, X)
    with Pool(rules=rules) as workers:
        (verdict,) = workers.check(program, ["fused"])
    assert verdict.outcome == "mismatch"
    assert verdict.guilty.primitive == "sub"


def test_many_repros_come_back_in_order(program):
    other = flat(lambda x: x[::-1], X, name="other")
    with pool("honest", jobs=2) as workers:
        answers = list(workers.check_many([program, other, program], ["fused"]))
    assert [v.outcome for (v,) in answers] == ["ok"] * 3


#: A `sub` whose C++ allocates and touches memory for ever.
HUNGRY = """
import jace

@jace.register_rule("sub", override=True)
def hungry(params, in_dtypes, out_dtype, a, b):
    grow = "volatile char *p = (volatile char *)__builtin_malloc(1 << 22);"
    touch = "for (long k = 0; k < (1 << 22); k += 4096) p[k] = 1;"
    return f"({{ for (;;) {{ {grow} {touch} }} {a}; }})"
"""
#: A C++ compiler that knows its version, and allocates for ever when it is to compile a program with "sub" rules.
HUNGRY_COMPILER = """#!{python}
import subprocess, sys

if any(word.endswith("program.cc") and "HUNGRY" in open(word).read() for word in sys.argv):
    held = []
    while True:
        held.append(bytearray(b"x" * (1 << 22)))
sys.exit(subprocess.run(["g++", *sys.argv[1:]]).returncode)
"""
HUNGRY_TEXT = """
import jace

@jace.register_rule("sub", override=True)
def named(params, in_dtypes, out_dtype, a, b):
    return f"({a} - {b} /* HUNGRY */)"
"""


def test_generated_code_that_allocates_without_bound_is_ended_and_costs_one_respawn(tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text(HUNGRY)
    with Pool(rules=rules, memory_mb=1500) as workers:
        hungry = workers.check(flat(lambda x: x - 3.0, X), ["fused", "canonical"])
        (fine,) = workers.check(flat(jnp.sin, X), ["fused"])
        assert [(v.outcome, v.stage) for v in hungry] == [("memory", "run")] * 2
        assert "1500 MB" in hungry[0].detail
        assert fine.outcome == "ok"
        assert workers.spawned == 3  # one for each that was ended


def test_a_compiler_that_allocates_without_bound_is_ended_with_its_worker(tmp_path, monkeypatch):
    rules = tmp_path / "rules.py"
    rules.write_text(HUNGRY_TEXT)
    compiler = tmp_path / "g++"
    compiler.write_text(HUNGRY_COMPILER.format(python=sys.executable))
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    with Pool(rules=rules, memory_mb=1500) as workers:
        (hungry,) = workers.check(flat(lambda x: x - 3.0, X), ["fused"])
        (fine,) = workers.check(flat(jnp.sin, X), ["fused"])
        assert (hungry.outcome, hungry.stage) == ("memory", "compile")
        assert fine.outcome == "ok"
        assert workers.spawned == 2
    assert not [p for p in psutil.process_iter(["cmdline"]) if str(compiler) in (p.info["cmdline"] or [])]


def server(workers):
    """The process that forks the workers of a pool."""
    found = psutil.Process(workers._server._process.pid)
    assert "jace_repro.tester.workers.forkserver" in found.cmdline()
    return found


@pytest.mark.cold
@pytest.mark.skipif(not FORKS, reason="workers are forked on Linux only")
def test_workers_are_forks_of_one_process_without_threads_before_and_after_a_crash(program):
    with pool("segfault", jobs=2) as workers:
        workers.check(program, ["canonical"])
        first = server(workers)
        (before,) = first.children()
        for _ in range(3):
            (crashed,) = workers.check(program, ["fused"])
            assert crashed.outcome == "crash"
        (fine,) = workers.check(program, ["canonical"])
        assert fine.outcome == "ok"
        assert workers.spawned == 4
        assert server(workers) == first
        (after,) = first.children()  # the dead are not left as zombies
        assert after != before
        assert first.num_threads() == 1
    assert not first.is_running()
    assert not after.is_running()


@pytest.mark.cold
@pytest.mark.skipif(not FORKS, reason="workers are forked on Linux only")
def test_the_end_of_the_process_that_forks_is_one_harness_error_and_is_mended(program):
    with pool("segfault") as workers:
        workers.check(program, ["canonical"])
        first = server(workers)
        first.kill()
        first.wait()
        outcomes = [workers.check(program, ["fused"])[0].outcome for _ in range(3)]
        assert set(outcomes) <= {"crash", "memory", "harness-error"}
        assert outcomes[-1] == "crash"


def test_a_fork_server_that_cannot_import_the_tester_is_a_harness_error(program, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise ImportError('a broken installation')")
    workers = pool("honest")
    monkeypatch.setitem(workers._server._env, "PYTHONPATH", str(tmp_path))
    with workers:
        (verdict,) = workers.check(program, ["fused"])
        assert verdict.outcome == "harness-error"
        assert "did not start" in verdict.detail


def test_workers_are_processes_of_their_own_where_nothing_can_be_forked(program, monkeypatch):
    monkeypatch.setattr("jace_repro.tester.workers.forkserver.FORKS", False)
    with pool("segfault") as workers:
        crashed, fine = workers.check(program, ["fused", "canonical"])
        assert (crashed.outcome, fine.outcome) == ("crash", "ok")
        assert "SIGSEGV" in crashed.detail
        assert workers.spawned == 2


def test_what_ends_the_worker_is_a_problem_and_what_came_before_it_is_kept(program):
    with pool("segfault") as workers:
        found = workers.view(program, "fused", Wanted())
        assert found.sdfg is not None
        assert found.code
        assert found.outputs is None
        (problem,) = found.problems
        assert "SIGSEGV in stage 'run'" in problem
        assert workers.view(program, "fused", Wanted(outputs=False)).problems == ()
