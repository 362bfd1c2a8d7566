"""Verdicts in this process: outcomes, signatures that survive reduction, and jace itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends

import jace
import jace.rules
from jace import registry, user_passes
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import OUTCOMES, Options, Verdict, check_repro, localize_repro
from jace_repro.tester.execute import backends, xla
from jace_repro.tester.verdict.oracle import Oracle
from jace_repro.tester.verdict.signature import normalise, signature

X = np.random.default_rng(5).standard_normal((4, 3)).astype(np.float32)


def flat(fun, *args):
    config = {"jax_enable_x64": True} if jax.config.jax_enable_x64 else {}
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program", jax_config=config))


def verdict(backend, fun, *args, **options) -> Verdict:
    (found,) = check_repro(
        flat(fun, *args), ["fused"], backend=backend, options=Options(**{"ffi_share": 0.0, **options})
    )
    return found


def altered(change):
    """A backend that is right but for `change(outputs)`."""

    def backend(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)
        return SimpleNamespace(
            seconds={}, call_direct=lambda *a: change([np.array(o) for o in right.call_direct(*a)])
        )

    return backend


# --- outcomes -----------------------------------------------------------------------------------------------


def test_every_outcome_is_explained_to_the_user():
    assert len(OUTCOMES) == 19
    for name, outcome in OUTCOMES.items():
        assert outcome.name == name
        assert outcome.meaning.endswith(".")
        assert outcome.advice.endswith(".")


def test_a_verdict_survives_strict_json():
    before = Verdict("fused", "mismatch", "ab", "x", float("inf"), float("nan"), 3.0, "value", {"run": 0.5})
    text = json.dumps(before.to_json(), allow_nan=False)
    after = Verdict.from_json(json.loads(text))
    assert after.max_abs == float("inf")
    assert np.isnan(after.max_rel)
    assert (after.signature, after.max_ulp, after.seconds) == ("ab", 3.0, {"run": 0.5})


def test_outputs_that_nobody_writes_are_a_mismatch():
    found = verdict(tester_backends.nothing_written, lambda x: (x * 0, jnp.zeros(300)), X)
    assert found.outcome in ("mismatch", "nondeterministic")


def test_without_comparing_only_how_a_run_ends_is_told(monkeypatch):
    monkeypatch.setattr(xla, "run_reference", lambda prog: pytest.fail("plain JAX ran"))
    found = verdict(tester_backends.nothing_written, jnp.sin, X, compare=False)
    assert (found.outcome, found.stage, found.detail) == ("ok", "run", "it runs to its end")
    assert set(found.seconds) == {"translate", "run"}
    broken = altered(lambda outs: outs[5])
    assert (verdict(broken, jnp.sin, X, compare=False).outcome) == "crash"


def test_an_overwritten_input_is_a_mismatch_even_when_the_outputs_are_right():
    found = verdict(tester_backends.overwrites_input, jnp.sin, X)
    assert (found.outcome, found.difference) == ("mismatch", "input")


def test_what_is_written_outside_of_arrays_is_a_mismatch_of_its_equation():
    """The results are right, as a rule writes them and then an element too many."""

    def too_many(planner, eqn):
        rule.build(planner, eqn)
        out = planner.output(eqn.outvars[0])
        planner.kernel(
            "more", (), lambda em, at: em.line(f"w_{out.buffer.name}[{X.size}] = 0;"), writes=[out]
        )

    rule = registry.lookup("sort")
    assert isinstance(rule, jace.Region)
    repro = flat(lambda x: (jnp.sort(jnp.sin(x)), x * 2), X)
    with jace.use_rules({"sort": jace.Region(too_many)}):
        (found,) = check_repro(repro, ["fused"])
    assert (found.outcome, found.difference) == ("mismatch", "outside")
    assert found.guilty.primitive == "sort"


def test_two_runs_that_differ_are_nondeterministic():
    assert verdict(tester_backends.racing, jnp.sin, X).outcome == "nondeterministic"


def test_a_wrong_shape_or_dtype_needs_no_judge():
    assert verdict(tester_backends.wrong_shape, jnp.sin, X).difference == "shape"
    found = verdict(altered(lambda outs: [o.astype(np.float64) for o in outs]), jnp.sin, X)
    assert (found.outcome, found.difference) == ("mismatch", "dtype")


@pytest.mark.parametrize("bad", [np.nan, np.inf, 5.0])
def test_one_wrong_element_is_convicted_in_its_class(bad):
    def change(outs):
        outs[0][2, 1] = bad
        return outs

    found = verdict(altered(change), lambda x: jnp.sin(x) * 2 + 1, X)
    assert found.outcome == "mismatch"
    assert found.difference == {"nan": "nan", "inf": "inf"}.get(str(bad), "value")


def test_a_flipped_sign_of_zero_is_convicted_only_where_nothing_rounds():
    def change(outs):
        return [np.where(o == 0, -o, o) for o in outs]

    zeros = np.zeros(3, np.float32)
    assert verdict(altered(change), lambda x: x[::-1], zeros).difference == "sign-of-zero"
    assert verdict(altered(change), lambda x: jnp.sin(x) * 2 + x, zeros).outcome == "ok"


def test_rounding_is_ok_and_a_near_tie_ill_conditioned():
    def nudge(outs):
        return [np.nextafter(o, np.float32(9)) for o in outs]

    assert verdict(altered(nudge), lambda x: jnp.exp(x) * 3 + x, X).outcome == "ok"

    def decide(x):
        return (jnp.sin(x) * 3 > jnp.sin(x) * 2 + jnp.sin(x)).astype(jnp.float32)

    def flipped(closed, pipeline, enter):
        how = (
            altered(lambda outs: [1 - o for o in outs])
            if len(closed.jaxpr.eqns) > 4
            else tester_backends.honest
        )
        return how(closed, pipeline, enter)

    found = verdict(flipped, decide, np.ones(2, np.float32))
    assert found.outcome == "ill-conditioned"
    assert "gt" in found.detail


def test_xla_is_convicted_when_it_alone_is_wrong(monkeypatch):
    monkeypatch.setattr(
        xla,
        "run_reference",
        lambda prog: [np.asarray(o) * np.float32(1.5) for o in [np.sin(prog.flat[0]) * 2]],
    )
    found = verdict(tester_backends.honest, lambda x: jnp.sin(x) * 2, X)
    assert found.outcome == "reference-mismatch"
    assert found.is_finding


def test_a_program_that_fails_under_jax_is_a_reference_error():
    repro = flat(jnp.sin, X)
    broken = type(repro)(
        repro.source.replace("def repro(", "def repro(*a):\n    1 / 0\ndef other("), {}, repro.header
    )
    (found,) = check_repro(broken, ["fused"], backend=tester_backends.honest)
    assert found.outcome == "reference-error"
    assert "ZeroDivisionError" in found.detail
    assert "asks for jax" not in found.detail
    older = type(repro)(broken.source.replace(f"jax=={jax.__version__}", "jax==0.1.0"), {}, repro.header)
    (again,) = check_repro(older, ["fused"], backend=tester_backends.honest)
    assert f"(it asks for jax 0.1.0, this is {jax.__version__})" in again.detail
    assert again.signature == found.signature


def test_the_one_equation_of_a_program_that_xla_has_wrong_is_its_culprit():
    """The oracle grants incomplete functions much: that XLA is off shows by the function itself only."""
    large = np.full(3, 1000, np.float32)
    repro = flat(lambda a, b, x: jax.lax.betainc(a, b, x), large, large, np.float32([0.5, 0.499, 0.501]))
    (found,) = check_repro(repro, ["fused"])
    assert found.outcome == "reference-mismatch"
    assert found.guilty.primitive == "regularized_incomplete_beta"
    assert found.guilty.confirmed
    assert next(row for row in found.evidence if not row.agrees_with_xla).agrees_with_dace


def test_an_equation_that_xla_has_wrong_beside_another_is_named():
    """-0.0 + 0.0 is 0.0; XLA leaves the addition out."""
    (found,) = check_repro(flat(lambda x: 1 / (x + 0.0), np.float32([-0.0, 2.0])), ["fused"])
    assert (found.outcome, found.guilty.primitive) == ("reference-mismatch", "add")


def test_a_subnormal_number_is_a_zero_or_none(monkeypatch):
    """LLVM makes these two comparisons a question to the bits, as IEEE 754 has it; elsewhere XLA flushes."""

    def is_either(x):
        return (x == 0) | (x == np.inf)

    xs = np.float32([-6e-39, 1.0, np.inf])
    assert verdict(tester_backends.honest, is_either, xs).outcome == "ok"
    (found,) = check_repro(flat(is_either, xs), ["fused"])
    assert found.outcome == "ok"
    monkeypatch.setattr(xla, "run_reference", lambda prog: [np.array([False, True, True])])
    assert verdict(tester_backends.honest, is_either, xs).outcome == "reference-mismatch"


def test_a_sort_that_may_choose_is_not_what_xla_has_wrong():
    """Beside an update in place that reads what it has written (openxla/xla issue 49176)."""

    def program(keys, places, x):
        chosen = jax.lax.sort([keys, places], is_stable=False)[1]
        return chosen, jax.lax.scan(lambda c, _: (c, x.at[1:].add(x[:-1])), 0, None, length=1)[1]

    operands = np.float32([2, 1] * 20), np.arange(40, dtype=np.int32), np.ones(5, np.int32)
    (found,) = check_repro(flat(program, *operands), ["fused"])
    assert (found.outcome, found.guilty.primitive) == ("reference-mismatch", "scan")


@pytest.mark.parametrize(
    ("option", "fun", "said"),
    [
        ("jax_debug_nans", lambda x: jnp.sum(jnp.log(x - 3)), "jax_debug_nans is set, and log gives a NaN"),
        (
            "jax_debug_infs",
            lambda x: 1 / (x - x) + 2,
            "jax_debug_infs is set, and div gives an infinity",
        ),
    ],
)
def test_where_a_value_appears_that_jax_raises_for_is_told(option, fun, said):
    repro = flat(fun, np.float32([1, 2]))
    assert check_repro(repro, ["fused"], backend=tester_backends.honest)[0].outcome == "ok"
    header = replace(repro.header, jax_config={**repro.header.jax_config, option: True})
    found, shorter = (
        check_repro(replace(one, header=header), ["fused"], backend=tester_backends.honest)[0]
        for one in (repro, flat(fun, np.float32([1])))
    )
    assert found.outcome == "reference-error"
    assert said in found.detail
    assert "f32[2] = " in found.detail
    assert "(repro)" in found.detail
    assert shorter.signature == found.signature  # that of the error, whatever its sizes are


# --- signatures ---------------------------------------------------------------------------------------------


def test_the_signature_of_a_mismatch_is_that_of_its_guilty_equation():
    def long_program(x):
        y = jnp.log(jnp.cumsum(jnp.tanh(x) - 2.0))  # the wrong sign becomes a NaN further on
        return y * 3, y.sum()

    whole = verdict(tester_backends.swapped_sub, long_program, X)
    alone = verdict(tester_backends.swapped_sub, lambda a, b: a - b, np.float32(3.0), np.float32(1.0))
    assert whole.outcome == alone.outcome == "mismatch"
    assert whole.signature == alone.signature
    assert whole.guilty.primitive == "sub"
    in_loop = verdict(
        tester_backends.swapped_sub, lambda x: jax.lax.fori_loop(0, 5, lambda i, c: c * 0.5 - 1, x), X
    )
    assert in_loop.signature == whole.signature


def test_the_window_of_a_contextual_failure_keeps_the_signature():
    repro = flat(lambda x: jnp.exp(-(jnp.sin(x) * 2 + 1)) * 3, X)
    (whole,) = check_repro(repro, ["fused"], backend=tester_backends.bad_fusion)
    found = localize_repro(repro, "fused", backend=tester_backends.bad_fusion)
    window = found.with_repro(repro).repro
    (alone,) = check_repro(window, ["fused"], backend=tester_backends.bad_fusion)
    assert whole.guilty.confirmed is False
    assert alone.signature == whole.signature


def test_signatures_ignore_names_numbers_and_paths():
    texts = [
        "memlet a0003[0:17, 4] of array '__tmp_12' out of range at /home/u/x.py:3",
        "memlet r12[0:9, 1] of array '__tmp_7' out of range at /srv/data/other.py:77",
        "memlet r12[0:9] of array '__tmp_7' out of range at generated.cpp:7",
    ]
    assert len({normalise(text) for text in texts}) == 1
    assert normalise("expected ';'") != normalise("undeclared identifier")
    assert signature("crash", stage="run") != signature("crash", stage="compile")
    assert len(signature("ok")) == 12


# --- jace ---------------------------------------------------------------------------------------------------


def real(fun, *args, pipeline="fused", **options) -> Verdict:
    (found,) = check_repro(flat(fun, *args), [pipeline], options=Options(**{"ffi_share": 1.0, **options}))
    return found


def program(x, y):
    h = jnp.tanh(x @ y.T) - jnp.max(x)
    carry, ys = jax.lax.scan(lambda c, r: (c + jnp.exp(-jnp.abs(r)), c[0] * r), h[0], h)
    return jax.nn.softmax(ys), carry, jnp.argmax(h, 1), jnp.cumsum(h, 0)


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_jace_is_ok_on_a_program_also_through_xla(pipeline):
    found = real(program, X, X + 1, pipeline=pipeline)
    assert (found.outcome, found.detail[:100]) == ("ok", found.detail[:100])
    assert found.seconds["ffi"] > 0


def test_a_users_rule_is_named_where_jace_expands_what_is_wrong_to_its_primitive():
    """A slice of typed keys is a gather of their words."""

    def next_row(em, eqn, index, k):
        operand = eqn.invars[0]
        moved = em.opaque(f"({index[-1]} + 1) % {operand.aval.shape[-1]}", (0, operand.aval.shape[-1]))
        return gather.value(em, eqn, (*index[:-1], moved), k)

    gather = jace.rule_of("gather")
    keys = jax.random.split(jax.random.key(0), 3)
    with jace.use_rules({"gather": jace.IndexMap(next_row, cost=4)}):
        found = real(lambda keys, k: jax.lax.dynamic_slice(keys, (k,), (1,)), keys, np.int32(1))
    assert (found.outcome, found.guilty.primitive, found.who) == ("mismatch", "dynamic_slice", "user rule")
    assert found.guilty.rule.endswith("(next_row)")


def test_a_planted_rule_is_found_named_and_reduced_to_one_equation():
    def swapped(params, in_dtypes, out_dtype, a, b):
        return f"({b} - {a})"

    with jace.use_rules({"sub": jace.registry.Elementwise(swapped)}):
        found = real(program, X, X + 1)
        assert found.outcome == "mismatch"
        assert found.guilty.primitive == "sub"
        assert (found.who, found.guilty.rule.partition(" ")[2]) == ("user rule", "(swapped)")
        assert found.differing
        for output in found.differing:
            assert 0 < len(output.elements) == min(output.count, 16)
            assert all(float(one.expected) != float(one.actual) for one in output.elements)
        heard = {row.oracle: row.agrees_with_dace for row in found.evidence}
        assert heard["DaCe, -O0"] is heard["DaCe, canonical/none"] is True  # as wrong there
        assert heard["higher precision"] is heard["JAX, equation by equation"] is False
        culprit = localize_repro(flat(program, X, X + 1), "fused").with_repro(flat(program, X, X + 1))
        (alone,) = check_repro(culprit.repro, ["fused"])
    assert alone.signature == found.signature
    assert real(program, X, X + 1).outcome == "ok"


def test_a_users_rule_is_named_whose_code_does_not_compile():
    """Each rule with a slip is a finding of its own, with and without DaCe's passes, and none of DaCe's."""

    def misspelt(params, in_dtypes, out_dtype, a):
        return f"jace::no_such_function({a})"

    def misspelt_too(params, in_dtypes, out_dtype, a):
        return f"jace::no_such_function({a})"

    def both(x):
        return jnp.sin(x) * jnp.cos(x)

    slips = {"sin": misspelt, "tanh": misspelt_too}
    with jace.use_rules({name: jace.Elementwise(slip) for name, slip in slips.items()}):
        alone = real(jnp.sin, X)
        among_others, after_a_pass = (real(both, X, pipeline=p) for p in ("fused", "canonical/simplify"))
        another = real(lambda x: jnp.tanh(x) * jnp.cos(x), X)
    for found in (alone, among_others, after_a_pass):
        assert (found.outcome, found.who, found.guilty.primitive) == ("compile-error", "user rule", "sin")
        assert found.guilty.rule.endswith("(misspelt)")
        assert found.signature == alone.signature
    assert another.guilty.primitive == "tanh"
    assert another.guilty.rule.endswith("(misspelt_too)")
    assert another.signature != alone.signature


def test_what_a_pass_breaks_is_one_finding_whatever_the_equation(monkeypatch):
    """A pass that drops what a tasklet reads: the message is the same, and the names in it are DaCe's."""

    def breaking(sdfg):
        for node, _ in sdfg.all_nodes_recursive():
            if isinstance(node, dace.nodes.Tasklet):
                node.code = dace.properties.CodeBlock("nobody_declared_this();", dace.Language.CPP)

    monkeypatch.setattr(user_passes, "_registered", {})
    jace.register_pipeline("breaking", breaking)
    found = [real(fun, X, pipeline="canonical/breaking") for fun in (jnp.sin, jnp.tanh)]
    assert [v.outcome for v in found] == ["compile-error"] * 2
    assert found[0].signature == found[1].signature


def test_an_unsupported_primitive_is_named(monkeypatch):
    monkeypatch.delitem(registry._rules, "eig")
    found = real(lambda x: jax.lax.top_k(jnp.linalg.eigvals(x[:3, :3]).real, 2), X)
    assert found.outcome == "unsupported"
    assert found.guilty.primitive in found.detail


def test_the_verdict_proves_which_code_ran_and_how_often():
    def fun(x):
        return jnp.cumsum(x, axis=0) * 2

    (first, called_by_xla) = (
        verdict(backends.jace_backend, fun, X, ffi_share=share).to_json()["ran"] for share in (0.0, 1.0)
    )
    ((library,), (through_xla,)) = first, called_by_xla
    assert library["file"].endswith(".so")
    assert library["sha256"] == hashlib.sha256(Path(library["file"]).read_bytes()).hexdigest()
    assert library["calls"] == 2
    assert through_xla["calls"] > 3
    assert Verdict.from_json(real(fun, X).to_json()).ran[0]["sha256"] == library["sha256"]


def test_right_outputs_of_code_that_was_not_called_are_no_ok():
    def uncalled(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)
        right.loaded = lambda: [{"file": "x.so", "sha256": "0", "calls": 7}]  # the same before and after
        return right

    found = verdict(uncalled, lambda x: x * 2, X)
    assert found.outcome == "harness-error"
    assert "was called" in found.detail


def test_code_in_a_branch_that_is_not_taken_need_not_be_called():
    def told(x):
        jax.debug.callback(lambda s: None, x.sum())
        return jnp.sin(x) * 2

    found = real(lambda x: jax.lax.cond(x[0, 0] > 100, told, lambda x: x + 1, x) * 3, X)
    assert found.outcome == "ok"
    called = [library["calls"] > 0 for library in found.ran if library["conditional"]]
    assert sorted(called) == [False, True]
    assert all(library["calls"] for library in found.ran if not library["conditional"])


def test_a_compiler_that_is_killed_is_no_finding(tmp_path, monkeypatch):
    path = tmp_path / "g++"
    text = "g++: fatal error: Killed signal terminated program cc1plus"
    path.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "g++ 12" && exit 0\necho "{text}" >&2\nexit 1\n'
    )
    path.chmod(0o755)
    monkeypatch.setenv("JACE_CACHE", "0")
    monkeypatch.setenv("CXX", str(path))
    jace.clear_caches()
    found = verdict(backends.jace_backend, lambda x: jnp.sin(x) * 7 - 3, X)
    assert (found.outcome, found.is_finding, found.signature) == ("harness-error", False, None)
    first = found.detail.splitlines()[0]  # which is what a terminal shows
    assert "was killed" in first
    assert "fewer --jobs" in first


@pytest.mark.parametrize("conditional", [False, True])
def test_what_prints_within_a_loop_is_judged_as_without(conditional):
    """An equation without results ended the oracle, and XLA's word stood alone: rounding was a mismatch."""

    def program(x):
        def body(c, i):
            c = jnp.tanh(c @ c.T) * 1.3
            shown = lambda: jax.debug.print("{} {}", i, c[0, 0])
            jax.lax.cond(i == 39, shown, lambda: None) if conditional else shown()
            return c, c.sum()

        return jax.lax.scan(body, x, jnp.arange(40))

    x = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    (found,) = check_repro(flat(program, x), ["fused"])
    assert found.outcome == "ok"
    assert "no higher-precision evaluation" not in found.detail


def test_random_numbers_in_a_long_loop_are_judged():
    """Bits that depend on no operand were asked of NumPy while the oracle's loop was compiled, and ended the oracle."""

    def program(key, x):
        def body(c, key):
            drawn = jax.vmap(lambda k: jax.random.normal(k, (3,)))(jax.random.split(key, 50)).sum(0)
            return jnp.tanh(c * 0.9 + drawn), c.sum()

        keys = jax.random.split(jax.random.wrap_key_data(key), 1200)
        return jax.lax.scan(body, x, keys)

    (found,) = check_repro(flat(program, np.array([0, 7], np.uint32), X[:3]), ["fused"])
    assert found.outcome == "ok"
    assert "no higher-precision evaluation" not in found.detail


@pytest.mark.parametrize(("factor", "outcome"), [(1.0, "harness-error"), (1.001, "mismatch")])
def test_a_judge_that_fails_accuses_nobody_of_rounding(monkeypatch, factor, outcome):
    def fails(*_):
        raise RuntimeError("no sample")

    monkeypatch.setattr(Oracle, "assess", fails)

    backend = altered(lambda outs: [np.asarray(outs[0] * np.float32(factor * (1 + 2e-6)))])
    found = verdict(backend, lambda x: jnp.cos(x), X)
    assert found.outcome == outcome
    assert "no higher-precision evaluation (RuntimeError: no sample)" in found.detail


def test_nobody_is_accused_of_what_unoptimized_xla_does_as_well(monkeypatch):
    """A recurrence that rounding stops, say: the oracle's samples do not show what that comes to."""

    def program(x):
        return jax.lax.fori_loop(0, 3, lambda _, c: jnp.exp(jnp.tanh(c)), x), jnp.sin(x) * 3

    x = np.linspace(-1, 1, 64, dtype=np.float32)
    off = altered(lambda outs: [outs[0] * np.float32(1 + 2e-3), outs[1]])
    assert verdict(off, program, x).outcome == "mismatch"
    right = [np.array(out) for out in jax.jit(program)(x)]
    monkeypatch.setattr(xla, "run_unoptimized", lambda prog: [right[0] * np.float32(1 - 1e-3), right[1]])
    assert verdict(off, program, x, localize=False).outcome == "ill-conditioned"
    assert verdict(off, program, x).outcome == "ill-conditioned"  # each equation is right


def complain(y):
    raise ValueError(f"out of range: {y}")


def checked(x):
    """A function that checks its values as equinox's `error_if` does."""
    y = jnp.sin(x) * 2
    return jax.lax.cond(jnp.all(y < 3), lambda z: z, lambda z: jax.pure_callback(complain, z, z), jnp.cos(y))


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_what_a_callback_complains_of_is_the_wrong_equation_before_it(pipeline):
    repro = emit_flat(jax.make_jaxpr(checked)(X), (X,), header=Header(name="program"))
    assert check_repro(repro, [pipeline])[0].outcome == "ok"
    sin = jace.Elementwise(lambda params, ins, out, x: f"(std::sin({x}) + 5)")
    with jace.use_rules({"sin": sin}):
        (found,) = check_repro(repro, [pipeline])
        (unasked,) = check_repro(repro, [pipeline], options=Options(localize=False))
    assert (found.outcome, found.guilty.primitive, found.difference) == ("mismatch", "sin", "value")
    assert (
        "given something else than under plain JAX, and raises: NotImplementedError: pure_callback"
        in found.detail
    )
    assert "\n" not in found.detail
    alone = emit_flat(jax.make_jaxpr(jnp.sin)(X), (X,), header=Header(name="alone"))
    with jace.use_rules({"sin": sin}):
        assert check_repro(alone, [pipeline])[0].signature == found.signature
    assert unasked.outcome == "crash"


def test_a_callback_that_raises_though_every_equation_is_right_is_a_crash(monkeypatch):
    repro = emit_flat(jax.make_jaxpr(checked)(X), (X,), header=Header(name="program"))

    def raises_when_run(closed, pipeline, enter):
        built = backends.jace_backend(closed, pipeline, enter)
        if len(closed.jaxpr.eqns) < 3:
            return built
        return SimpleNamespace(seconds={}, call_direct=lambda *args: complain(args), loaded=list)

    (found,) = check_repro(repro, ["fused"], backend=raises_when_run)
    assert (found.outcome, found.stage) == ("crash", "run")
    # where XLA without optimisation raises as well, nobody is to blame
    monkeypatch.setattr(xla, "run_unoptimized", lambda prog: complain(prog))
    (found,) = check_repro(repro, ["fused"], backend=raises_when_run)
    assert found.outcome == "ill-conditioned"
    assert found.detail.endswith("so it does in JAX where XLA does not optimise")
