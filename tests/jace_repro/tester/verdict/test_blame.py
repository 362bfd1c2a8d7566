"""Who is wrong, and on what evidence; what two runs may differ in."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends

import jace
from jace_repro.campaign.reduction import reduce_one
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.text import finding_lines
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.repro.entry import Entry
from jace_repro.tester import OUTCOMES, Options, Verdict, check_repro, localize_repro
from jace_repro.tester.execute import stability, traced, xla
from jace_repro.tester.verdict.blame import PARTIES, RULES, Facts, decide

X = np.random.default_rng(3).standard_normal((4, 3)).astype(np.float32)
CANONICAL = ("canonical/none", "canonical/simplify", "canonical/auto-optimize")


def flat(fun, *args):
    config = {"jax_enable_x64": True} if jax.config.jax_enable_x64 else {}
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program", jax_config=config))


def check(backend, fun, *args, pipeline="fused", **options) -> Verdict:
    how = Options(**{"ffi_share": 0.0, "localize": False, **options})
    (found,) = check_repro(flat(fun, *args), [pipeline], backend=backend, options=how)
    return found


def row(verdict, oracle):
    (found,) = [r for r in verdict.evidence if r.oracle == oracle]
    return found.agrees_with_dace, found.agrees_with_xla


# --- who ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "pipeline", "who", "guilty_pass"),
    [
        (("fused",), "fused", "jace fusion", None),
        (("fused", *CANONICAL), "fused", "jace rule", None),
        (CANONICAL, "canonical/none", "jace rule", None),
        (CANONICAL, "canonical/auto-optimize", "jace rule", None),
        (CANONICAL[1:], "canonical/simplify", "DaCe pass", "simplify"),
        (CANONICAL[1:], "canonical/auto-optimize", "DaCe pass", "simplify"),
        (CANONICAL[2:], "canonical/auto-optimize", "DaCe pass", "auto-optimize"),
    ],
)
def test_the_ways_that_are_right_name_the_culprit(wrong, pipeline, who, guilty_pass):
    found = check(tester_backends.wrong_on(*wrong), jnp.tanh, X, pipeline=pipeline)
    assert (found.outcome, found.who) == ("mismatch", who)
    assert (found.guilty.pass_ if found.guilty else None) == guilty_pass
    assert row(found, "higher precision") == (False, True)
    assert row(found, "JAX, equation by equation") == (False, True)
    assert row(found, "XLA at optimization level 0") == (False, True)


def test_a_program_that_is_right_at_o0_is_the_compilers_fault():
    found = check(tester_backends.wrong_when_optimized, jnp.tanh, X)
    assert (found.outcome, found.who) == ("mismatch", "C++ compiler")
    assert row(found, "DaCe, -O0") == (False, True)


def test_what_fails_only_together_without_fusion_and_passes_is_the_code_generators_fault():
    found = check(
        tester_backends.bad_fusion, lambda x: jnp.exp(-x), X, pipeline="canonical/none", localize=True
    )
    assert (found.outcome, found.who) == ("mismatch", "DaCe code generation")
    assert found.guilty.confirmed is False


@pytest.mark.parametrize(
    ("outcome", "who"),
    [
        ("unsupported", "jace rule"),
        ("translate-error", "jace rule"),
        ("invalid-sdfg", "jace rule"),
        ("pass-error", "DaCe pass"),
        ("codegen-error", "DaCe code generation"),
    ],
)
def test_an_error_names_its_owner(outcome, who):
    found = check(tester_backends.raising, jnp.tanh, X, pipeline=f"canonical/simplify@{outcome}")
    assert (found.outcome, found.who) == (outcome, who)


def test_a_call_from_xla_that_alone_is_wrong_is_the_calls_fault():
    def wrong_call(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)
        return SimpleNamespace(
            seconds={},
            call_direct=right.call_direct,
            call_ffi=lambda *a: [o + 1 for o in right.call_direct(*a)],
        )

    found = check(wrong_call, jnp.tanh, X, ffi_share=1.0)
    assert (found.outcome, found.who, found.stage) == ("mismatch", "jace call", "ffi")
    assert found.evidence is None


def test_xla_is_named_when_all_others_agree_against_it(monkeypatch):
    true = xla.run_reference
    monkeypatch.setattr(xla, "run_reference", lambda prog: [out + 1 for out in true(prog)])
    found = check(tester_backends.honest, jnp.tanh, X)
    assert (found.outcome, found.who) == ("reference-mismatch", "XLA")
    assert row(found, "higher precision") == (True, False)
    assert row(found, "JAX, equation by equation") == (True, False)
    assert "JAX, equation by equation agrees with DaCe" in [witness.summary for witness in found.evidence]


def test_an_ill_conditioned_program_is_to_blame_itself():
    def decide(x):
        return (jnp.sin(x) * 3 > jnp.sin(x) * 2 + jnp.sin(x)).astype(jnp.float32)

    def flipped(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)
        return tester_backends._executable(lambda *args: [1 - out for out in right.call_direct(*args)])

    assert check(flipped, decide, np.ones(2, np.float32)).who == "program"


def test_nobody_is_blamed_without_a_finding_or_without_being_asked():
    fine = check(tester_backends.honest, jnp.tanh, X)
    assert (fine.outcome, fine.who, fine.evidence) == ("ok", None, None)
    silent = check(tester_backends.wrong_on("fused"), jnp.tanh, X, blame=False)
    assert (silent.outcome, silent.who, silent.evidence) == ("mismatch", None, None)


def test_the_table_names_only_known_culprits_and_outcomes():
    for outcomes, _, who in RULES:
        assert who in PARTIES
        assert outcomes <= set(OUTCOMES)
    # of two forms that differ their comparison says who is wrong (tester.check.relation)
    assert {who for _, _, who in RULES} == set(PARTIES) - {"JAX"}
    assert decide(Facts(Verdict("fused", "ok"))) is None


def test_the_evidence_survives_strict_json():
    def endless(closed, pipeline, enter):
        return tester_backends._executable(
            lambda *args: [np.full(a.shape, np.inf, a.dtype) for a in closed.out_avals]
        )

    found = check(endless, jnp.tanh, X)
    again = Verdict.from_json(json.loads(json.dumps(found.to_json(), allow_nan=False)))
    assert again.who == found.who
    assert [r.oracle for r in again.evidence] == [r.oracle for r in found.evidence]
    assert again.to_json() == found.to_json()


# --- XLA's own faults ---------------------------------------------------------------------------------------


def test_a_judge_that_cannot_speak_leaves_the_word_to_the_witnesses(monkeypatch):
    from jace_repro.tester.verdict.oracle import Oracle

    def mute(self, outputs):
        raise NotImplementedError("no such evaluation")

    true = xla.run_reference
    monkeypatch.setattr(Oracle, "assess", mute)
    monkeypatch.setattr(xla, "run_reference", lambda prog: [out + 1 for out in true(prog)])
    assert check(tester_backends.honest, jnp.tanh, X).outcome == "reference-mismatch"
    monkeypatch.setattr(xla, "run_reference", true)
    assert check(tester_backends.wrong_on("fused"), jnp.tanh, X).outcome == "mismatch"


def test_a_fault_of_xla_is_localised_in_its_equation():
    def program(x):
        return x.astype(jnp.float4_e2m1fn).astype(jnp.int8).astype(jnp.int32) + 1

    def right(closed, pipeline, enter):
        from jace_repro.tester.numerics import native

        prog = closed
        return tester_backends._executable(
            lambda *args: native.evaluate(traced.from_jaxpr(prog, args).plain, args)
        )

    x = np.array([6, 1], np.float32)  # 6.0 becomes 127
    found = check(right, program, x, localize=True)
    assert (found.outcome, found.who, found.exact) == ("reference-mismatch", "XLA", True)
    assert (found.guilty.primitive, found.guilty.confirmed) == ("convert_element_type", True)
    localized = localize_repro(flat(program, x), "fused", backend=right)
    assert localized.culprit.primitive == "convert_element_type"
    alone = localized.with_repro(flat(program, x)).repro
    (again,) = check_repro(alone, ["fused"], backend=right)
    assert again.signature == found.signature


# --- what two runs may differ in ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "cause"),
    [
        (tester_backends.racing, stability.CAUSES["race"]),
        (tester_backends.reads_memory, stability.CAUSES["memory"]),
        (tester_backends.counts_threads, stability.CAUSES["threads"]),
    ],
)
def test_nondeterminism_is_named(backend, cause):
    found = check(backend, jnp.tanh, X)
    assert found.outcome == "nondeterministic"
    assert cause in found.detail
    assert any(r.agrees_with_dace is False for r in found.evidence)


def test_a_sum_that_threads_share_out_may_round_differently():
    assert check(tester_backends.rounds_by_threads, lambda x: jnp.exp(x) * 3 + x, X).outcome == "ok"
    # where nothing rounds it may not
    whole = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert check(tester_backends.rounds_by_threads, lambda x: x * 2 + 1, whole).outcome == "nondeterministic"


# --- zero tolerance -----------------------------------------------------------------------------------------


def test_one_wrong_bit_convicts_where_nothing_rounds():
    whole = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    found = check(tester_backends.last_bit, lambda x: (x @ x.T) * 0.5 + 3, whole)
    assert (found.outcome, found.exact) == ("mismatch", True)
    rounded = check(tester_backends.last_bit, lambda x: (x @ x.T) * 0.5 + 3, X)
    assert (rounded.outcome, rounded.exact) == ("ok", False)


def test_the_verdict_of_a_program_that_is_right_says_whether_bits_were_demanded():
    whole = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    assert check(tester_backends.honest, lambda x: x @ x.T, whole).exact is True
    assert check(tester_backends.honest, lambda x: x @ x.T, X).exact is False
    assert check(tester_backends.raising, jnp.tanh, X, pipeline="fused@codegen-error").exact is None


def test_one_wrong_bit_is_localised_where_nothing_rounds():
    whole = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    found = check(
        tester_backends.last_bit_of_mul,
        lambda x: jnp.sum((x + 1) * x - x, 0) * 0.5,
        whole,
        localize=True,
        blame=False,
    )
    assert (found.outcome, found.exact) == ("mismatch", True)
    assert (found.guilty.primitive, found.guilty.confirmed) == ("mul", True)


# --- what people and the reducer get ------------------------------------------------------------------------


def test_the_summary_says_who_is_to_blame_and_counts_exact_comparisons(monkeypatch):
    true = xla.run_reference
    monkeypatch.setattr(xla, "run_reference", lambda prog: [out + 1 for out in true(prog)])
    found = check(tester_backends.honest, jnp.tanh, X)
    (group,) = Report("check", (EntryReport(Entry("program"), verdicts=(found,)),)).groups
    lines = list(finding_lines(1, group))
    assert any(line.startswith("  to blame  XLA: the reference") for line in lines)
    assert "            higher precision agrees with DaCe" in lines
    monkeypatch.setattr(xla, "run_reference", true)
    exact = check(tester_backends.honest, lambda x: x[::-1], X)
    failed = check(tester_backends.raising, jnp.tanh, X, pipeline="fused@codegen-error")
    told = Report("check", (EntryReport(Entry("program"), verdicts=(found, exact, failed)),)).to_json(Path())[
        "summary"
    ]
    assert (told["compared"], told["compared_exactly"]) == (2, 1)


def test_candidates_of_a_reduction_are_not_looked_into(tmp_path):
    asked = []

    class Fake:
        options = Options(localize_compilations=7)
        jobs = 1
        timeout = 180.0

        def within(self, seconds, limits=None):
            return contextlib.nullcontext()

        def heard_by(self, listener):
            return contextlib.nullcontext()

        def check(self, candidate, pipelines, options=None, explain=True):
            asked.append(options)
            return [wrong]

        def localize(self, candidate, pipeline):
            return None

    wrong = Verdict("fused", "mismatch", "ab")
    found = reduce_one(flat(jnp.tanh, X), wrong, Fake(), Settings(), tmp_path / "m.py", max_calls=3)
    *candidates, minimal = asked
    assert candidates
    assert {(o.blame, o.localize_compilations) for o in candidates} == {(False, 7)}
    assert (minimal.blame, found.doubt, found.verdict) == (True, None, wrong)


def test_a_rule_is_wrong_on_every_pipeline_and_looked_into_once():
    """What another pipeline was found guilty of, and is not the pipeline's, needs no second inquiry."""

    def swapped(params, ins, out, a, b):
        return f"({b} - {a})"

    with jace.use_rules({"sub": jace.Elementwise(swapped)}):
        fused, canonical = check_repro(flat(lambda x, y: x - y, X, X + 1), ["fused", "canonical"])
    assert fused.signature == canonical.signature
    assert (fused.who, canonical.who) == ("user rule", "user rule")
    assert canonical.evidence is fused.evidence
    assert fused.seconds["blame"] > 0
    assert "blame" not in canonical.seconds
