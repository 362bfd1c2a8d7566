"""Planted bugs: each is found in a program of corpus/programs and reduced to what shows it.

Each file in `planted/` replaces the rule of one primitive by a subtly wrong one. The program is recorded as
`jace-repro record` does it, its repro is tested and reduced as `jace-repro run` does it; only that most of the
tests run in this process, because a worker of its own for each bug would cost more than the rest together.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from places import PLANTED_RULES, PROGRAMS

import jace
from jace import ir
from jace_repro.reducer import Reduced, reduce_repro
from jace_repro.repro import Repro, load, trace_repro
from jace_repro.tester import Localized, Options, Pool, Verdict, check_repro, localize_repro
from jace_repro.tracker.api import Target, record_program

SIZE = 256

#: As `run` judges candidates: whoever is to blame, the signature is the same.
JUDGE = Options(blame=False)

Recorder = Callable[[str], dict[str, Repro]]


class Case(NamedTuple):
    """A planted bug: the rule file, the program and the entry it is to be found in, the guilty primitive."""

    rules: str
    program: str
    entry: str
    primitive: str
    equations: int = 1
    pipeline: str = "fused"


#: With the next one, one of each kind of program: derivatives, integers, a training step. With `-m slow`, loops,
#: branches and the other pipeline. (That bugs are found is also what tests/mutants counts, of many more.)
CASES = [
    Case("exp_flushes_small", "custom_vjp", "curvature", "exp"),
    Case("convert_bool_to_minus_one", "game_of_life", "evolve", "convert_element_type"),
]
#: With `-m ci`.
LONG = [Case("integer_pow_cubes_wrong", "nnx_mlp_adam", "train_step", "integer_pow")]
#: With `-m slow`.
SLOW = [
    Case("convert_bool_to_minus_one", "game_of_life", "evolve", "convert_element_type", 1, "canonical"),
    Case("sub_swaps_operands", "linen_cnn", "loss_and_gradient", "sub"),
    Case("select_n_swaps_cases", "linen_cnn", "loss_and_gradient", "select_n"),
    Case("gather_from_next_row", "linen_cnn", "loss_and_gradient", "gather"),
    Case("rev_forgets", "linen_cnn", "loss_and_gradient", "rev"),
    Case("dynamic_slice_off_by_one", "control_flow", "run", "dynamic_slice"),
    Case("reduce_max_ignores_last", "control_flow", "run", "reduce_max"),
    Case("dot_general_drops_last", "scan_rnn", "train_step", "dot_general"),
    Case("scan_runs_backwards", "scan_rnn", "train_step", "scan", equations=2),
    Case("sub_swaps_operands", "turbulent_kinetic_energy", "integrate_tke", "sub"),
    Case("transpose_mirrors", "attention_remat", "loss_and_gradient", "transpose"),
    # its combiner counts
    Case("scatter_add_overwrites", "isoneutral_mixing", "isoneutral_diffusion", "scatter-add", equations=2),
]
PARAMS = [
    *CASES,
    *(pytest.param(case, marks=pytest.mark.ci) for case in LONG),
    *(pytest.param(case, marks=pytest.mark.slow) for case in SLOW),
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """Records a program of the corpus, once: the repros of its entries by name."""
    known: dict[str, dict[str, Repro]] = {}

    def record(program: str) -> dict[str, Repro]:
        if program not in known:
            out = tmp_path_factory.mktemp(program)
            path = str(PROGRAMS / f"{program}.py")
            recording = record_program(Target("path", path, (str(SIZE),)), out, timeout=120)
            assert recording.exit_code == 0
            known[program] = {
                e.entry.name: load(out / e.repro) for e in recording.entries if e.repro is not None
            }
        return known[program]

    return record


def assert_minimal(reduced: Reduced, case: Case) -> None:
    """At most as many equations as expected, the guilty primitive among them, in fewer than 60 oracle calls."""
    closed, args = trace_repro(reduced.repro)
    assert case.primitive in ir.primitives(closed)
    assert ir.count_equations(closed) == reduced.equations <= case.equations
    assert reduced.oracle_calls < 60
    assert reduced.elements <= 30
    assert (reduced.stopped, reduced.refused is None) == ("fixpoint", False)
    assert sum(getattr(a, "size", 1) for a in args) <= 20


@pytest.mark.parametrize("case", PARAMS, ids=lambda c: f"{c.rules}-{c.program}-{c.pipeline}")
def test_found_and_reduced(case: Case, recorded: Recorder) -> None:
    repro = recorded(case.program)[case.entry]

    def check(candidate: Repro) -> Verdict:
        return check_repro(candidate, [case.pipeline], options=JUDGE)[0]

    def localize(candidate: Repro) -> Localized | None:
        found = localize_repro(candidate, case.pipeline)
        return None if found is None else found.with_repro(candidate)

    with jace.use_rules({}):
        runpy.run_path(str(PLANTED_RULES / f"{case.rules}.py"))
        verdict = check(repro)
        assert verdict.outcome == "mismatch"
        assert verdict.guilty is not None
        assert verdict.guilty.primitive == case.primitive
        assert verdict.signature is not None
        reduced = reduce_repro(repro, check, signature=verdict.signature, localize=localize, max_calls=60)
        again = check(reduced.repro)
    assert_minimal(reduced, case)
    assert again.signature == verdict.signature
    assert check(reduced.repro).outcome == "ok", "without the planted bug the repro must pass"


#: By workers, which are ended when they do not come back: under the second bug a candidate may loop for ever.
BY_WORKERS = [
    pytest.param(Case("concatenate_swaps", "game_of_life", "evolve", "concatenate"), marks=pytest.mark.ci),
    pytest.param(
        Case("while_runs_once_more", "control_flow", "run", "while", equations=3), marks=pytest.mark.slow
    ),
]


@pytest.mark.parametrize("case", BY_WORKERS, ids=lambda case: case.rules)
def test_found_and_reduced_by_workers(case: Case, recorded: Recorder) -> None:
    """The same through worker processes, which execute the rules themselves; as the command line does, below."""
    repro = recorded(case.program)[case.entry]
    with Pool(timeout=10.0, rules=PLANTED_RULES / f"{case.rules}.py") as pool:
        verdict = pool.check(repro, [case.pipeline])[0]
        assert verdict.signature is not None
        reduced = reduce_repro(
            repro,
            lambda candidate: pool.check(candidate, [case.pipeline])[0],
            signature=verdict.signature,
            localize=lambda candidate: pool.localize(candidate, case.pipeline),
            max_calls=60,
        )
    assert_minimal(reduced, case)


CUMULATE = """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def running(x):
    def step(total, row):
        shifted = jnp.cumsum(jnp.tanh(row) * 2 + 1)
        return total + shifted, jnp.max(shifted)
    return jax.lax.scan(step, jnp.zeros_like(x[0]), x)

print(running(np.linspace(0, 1, 480, dtype=np.float32).reshape(4, 120))[1].shape)
"""


def test_the_command_line_finds_a_cumsum_that_loses_an_element(
    jace_repro: Callable[..., Any], program: Callable[[str], str], tmp_path: Path
) -> None:
    """`jace-repro run --rules` on a user's program: the report names the bug, and its minimal repro."""
    rules = PLANTED_RULES / "cumsum_loses_last.py"
    ran = jace_repro("run", "--rules", str(rules), "--pipeline", "fused", "--out", "out", program(CUMULATE))
    assert ran.code == 1, ran.err
    [entry] = [e for e in ran.report["entries"] if e["name"] == "running"]
    assert entry["localized"]["primitive"] == "cumsum"
    assert entry["reduced"]["equations"] == 1
    assert entry["reduced"]["oracle_calls"] < 60
    closed, [argument] = trace_repro(load(tmp_path / entry["reduced"]["repro"]))
    assert ir.primitives(closed) == {"cumsum": 1}
    assert argument.shape == (101,)
