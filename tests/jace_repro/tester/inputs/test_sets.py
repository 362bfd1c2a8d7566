"""Generated inputs: what each kind asks, when it is left out, and what a verdict on them says."""

from __future__ import annotations

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends
from jax import lax
from places import BACKENDS

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, trace_repro
from jace_repro.tester import Options, Pool, check_repro
from jace_repro.tester.execute import backends, traced, xla
from jace_repro.tester.inputs.generated import UnknownInputsError, generated, with_generated
from jace_repro.tester.inputs.indices import index_uses
from jace_repro.tester.inputs.sets import KINDS, input_sets

X = np.random.default_rng(5).standard_normal(12).astype(np.float32)
INDEX = np.array([1, 2, 3], np.int32)


def test_random_values_between_the_ends_of_a_type_are_finite():
    """The ends of f64 are further apart than a number of f64 says."""
    x = np.array([-np.finfo(np.float64).max, np.finfo(np.float64).max, *range(30)])
    with jax.enable_x64(True):
        (values,) = sets(lambda x: jnp.maximum(x, 1.0), x)["random"]
    assert np.isfinite(values).all()
    assert values.min() < 0 < values.max()


def sets(fun, *args, **options):
    found = input_sets(jax.make_jaxpr(fun)(*args), [np.asarray(a) for a in args], **options)
    return {inputs.name: inputs.values for inputs in found}


def kinds(fun, *args):
    return {name.partition("-")[0] if name != "out-of-range" else name for name in sets(fun, *args)}


def flat(fun, *args):
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program"))


def verdict(backend, fun, *args, inputs=None, **options):
    options = Options(ffi_share=0.0, inputs=inputs, **options)
    (found,) = check_repro(flat(fun, *args), ["fused"], backend=backend, options=options)
    return found


def wrong_where(condition):
    """A backend that adds one to its first output where `condition(inputs)` holds."""

    def backend(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)

        def call(*args):
            outs = [np.array(out) for out in right.call_direct(*args)]
            return [outs[0] + outs[0].dtype.type(1), *outs[1:]] if condition(args) else outs

        return SimpleNamespace(seconds={}, call_direct=call)

    return backend


# --- which inputs ---------------------------------------------------------------------------------------------


def test_the_same_sets_wherever_they_are_made():
    def fun(x, i):
        return jnp.sort(x)[i] * 2

    one, two = sets(fun, X, INDEX), sets(fun, X, INDEX)
    assert list(one) == list(two)
    for name in one:
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one[name], two[name], strict=True))
    others = sets(lambda x, i: jnp.sort(x)[i] * 3, X, INDEX)
    assert others["random"][0].tobytes() != one["random"][0].tobytes()


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "int8", "uint32", "bool", "complex64"]
)
def test_values_have_the_types_of_the_recorded_ones(dtype):
    with jax.enable_x64(True):
        x = np.asarray(jnp.ones((3, 4), dtype))
        found = sets(lambda x: (x == x[0, 0], x & x if x.dtype.kind in "biu" else x * x), x)
    assert found
    assert all((v.dtype, v.shape) == (x.dtype, x.shape) for values in found.values() for v in values)


def test_kinds_are_left_out_where_the_program_cannot_tell():
    assert kinds(lambda x: x.reshape(3, 4).T, X) == {"exact"}
    assert kinds(lambda x: x + 1, X) == {"exact", "special", "aimed", "large", "random"}
    assert kinds(jnp.exp, X) == {"special", "aimed", "large", "random"}  # never exact
    assert kinds(jnp.sort, X) == {"exact", "special", "ties", "large", "random"}
    assert kinds(lambda i: i + 1, np.arange(12, dtype=np.int32)) == {"exact", "special", "random"}
    moved = sets(lambda i, x: (i + 1, x), INDEX, X, kinds=("special",))
    assert moved
    assert all((x == X).all() for _, x in moved.values())
    assert kinds(lambda x: x.astype(jnp.int32), X) == {"exact", "special", "random"}  # too large is undefined


def test_only_the_wanted_kinds_in_the_wanted_order():
    assert list(sets(jnp.sort, X, kinds=("random", "exact"))) == ["random", "exact"]
    assert list(dict.fromkeys(name.split("-")[0] for name in sets(jnp.sort, X))) == [
        kind for kind in KINDS if kind not in ("out-of-range", "aimed")
    ]


def test_exact_values_are_short_dyadic_fractions_in_the_recorded_sign():
    (signed,) = sets(lambda x: x * x, X)["exact"]
    assert np.all(signed * 4 == np.rint(signed * 4))
    assert np.abs(signed).max() <= 4
    assert (signed < 0).any()
    (positive,) = sets(lambda x: x * x, np.abs(X) + 1)["exact"]
    assert (positive > 0).all()
    (rates,) = sets(lambda x: x * x, np.linspace(0.1, 0.9, 12, dtype=np.float32)[::-1].copy())["exact"]
    assert (rates > 0).all()
    assert (rates < 1).all()
    (divided,) = sets(lambda x: 1 / x, X)["exact"]
    assert set(np.abs(divided)) <= {0.25, 1.0, 4.0}


def test_special_values_are_put_among_the_recorded_ones():
    found = sets(lambda x: x * 2, X)
    assert np.isnan(found["special-3"][0]).any()
    assert not np.isnan(found["special-3"][0]).all()
    assert np.isinf(found["special-2"][0]).any()
    assert np.isfinite(found["special"][0]).all()
    assert (found["special"][0] == 0).any()
    limits = np.iinfo(np.int32)
    many = np.arange(24, dtype=np.int32)
    assert {limits.min, limits.max} <= set(sets(lambda i: i * 2, many)["special"][0].tolist())


def test_subnormal_numbers_are_left_out_where_flushing_them_changes_much():
    def smallest(fun):
        (values,) = sets(fun, np.linspace(1, 2, 64, dtype=np.float32))["special"]
        return np.abs(values[values != 0]).min()

    assert smallest(lambda x: x + x) < np.finfo(np.float32).tiny
    assert smallest(lambda x: 1 / x) == np.finfo(np.float32).tiny


def test_no_values_on_which_implementations_may_differ():
    def worst(fun, x=X):
        values = np.concatenate([v[0] for name, v in sets(fun, x).items() if name.startswith("special")])
        return (
            np.isnan(values).any(),
            np.isinf(values).any(),
            np.nanmax(np.where(np.isinf(values), 0, np.abs(values))),
        )

    top = np.finfo(np.float32).max
    assert worst(lambda x: x * 2) == (True, True, top)
    assert worst(jnp.sum) == (True, True, np.abs(X).max())  # partial sums overflow in one order only
    assert worst(lambda x: x * 2 * 3)[:2] == (True, False)  # or x * 6 at once
    with_pivots = worst(jnp.linalg.inv, np.eye(4, dtype=np.float32) * 2)
    assert with_pivots[:2] == (False, False)
    assert worst(lambda x: x * x, X.astype(np.complex64))[:2] == (False, False)
    assert kinds(lambda x: jnp.floor(jax.lax.lgamma(x)), np.abs(X)) == {
        "large",
        "random",
    }  # it has a root at 1


def test_one_nan_does_not_hide_everything_else():
    found = sets(lambda x, y: x * y, X, np.float32(2))
    (x, y), (same, nan) = found["special-3"], found["special-6"]
    assert np.isnan(x).any()
    assert y == 2
    assert (same == X).all()
    assert np.isnan(nan)


def test_ties_and_duplicates():
    (values,) = sets(jnp.floor, X)["ties"]
    assert len(np.unique(values)) <= 4
    index = sets(lambda x, i: x.at[i].add(1.0), X, INDEX)["ties"][1]
    assert len(set(index.tolist())) < 3


def test_sorted_and_symmetric_inputs_stay_so():
    table = np.sort(X)
    found = sets(jnp.searchsorted, table, np.float32(0.5))
    assert (np.diff(found["random"][0]) >= 0).all()
    assert (np.diff(found["exact"][0]) >= 0).all()
    matrix = (np.eye(3) * 3 + 1).astype(np.float32)
    (random,) = sets(jnp.linalg.cholesky, matrix)["random"]
    assert (random == random.T).all()
    assert (np.linalg.eigvalsh(random) > 0).all()


# --- indices ---------------------------------------------------------------------------------------------------


def uses(fun, *args):
    return index_uses(jax.make_jaxpr(fun)(*args))


def test_out_of_range_values_go_to_indices_only():
    found = sets(lambda x, i, n: jnp.take(x, i, mode="clip") * n, X, INDEX, np.int32(4))
    x, i, n = found["out-of-range"]
    assert (x == X).all()
    assert n == 4
    assert ((i < 0) | (i >= 12)).any()
    many = sets(lambda x, i: jnp.take(x, i, mode="fill"), X, np.zeros(64, np.int32))["out-of-range"][1]
    assert {-1, 12, -13} <= set(many.tolist())


def test_an_index_is_followed_through_arithmetic_loops_branches_and_calls():
    def fun(x, i, j, k, n):
        def body(carry, step):
            at, total = carry
            return (at + 1, total + lax.dynamic_index_in_dim(x, at + step, keepdims=False)), total

        (_, total), _ = lax.scan(body, (i, 0.0), j)
        chosen = lax.cond(
            n > 0, lambda a: jax.jit(lambda b: lax.dynamic_slice(x, (b,), (2,)))(a), lambda a: x[:2], k
        )
        return total, chosen

    i, j, k, n = np.int32(1), np.arange(3, dtype=np.int32), np.int32(2), np.int32(5)
    assert uses(fun, X, i, j, k, n).lengths == {1: (12,), 2: (12,), 3: (12,)}

    def until(x, i):
        return lax.while_loop(lambda s: s[1] < 3, lambda s: (x[s[0]].astype(int), s[1] + 1), (i, 0))[0]

    assert 1 in uses(until, X, i).lengths


def test_what_may_not_be_another_value_is_left_as_it_is():
    def promised(x, i):
        return x.at[i].get(mode="promise_in_bounds") * 2

    assert uses(promised, X, INDEX).frozen == {1}
    assert all((values[1] == INDEX).all() for values in sets(promised, X, INDEX).values())

    def unique(x, i):
        return x.at[i].set(1.0, unique_indices=True)

    assert uses(unique, X, INDEX).frozen == {1}
    # the indices of the largest or of the sorted elements are in range whatever the elements are
    assert not uses(lambda x: x.at[jnp.argsort(x)].get(mode="promise_in_bounds"), X).frozen


# --- programs on them --------------------------------------------------------------------------------------------


def programs(fun, *args, limit=None):
    prog = traced.trace(flat(fun, *args))
    return list(generated(prog, xla.run_reference(prog), limit, lambda p: (xla.run_reference(p), False)))


def test_the_reference_stays_finite_where_it_was():
    found = {
        one.name: one for one in programs(lambda x: jnp.log(x) + jnp.sqrt(x), np.float32(0.0) + np.abs(X))
    }
    assert np.isfinite(found["random"].outputs[0]).all()
    assert not np.isfinite(found["special-3"].outputs[0]).all()
    # zeros may be samples of something positive: then positive ones are tried
    zeros = {one.name: one for one in programs(lambda x: jnp.sqrt(x) * 2, np.zeros(12, np.float32))}
    assert (zeros["random"].prog.flat[0] >= 0).all()
    assert zeros["random"].prog.flat[0].any()
    assert "large" not in {one.name for one in programs(jnp.exp, np.abs(X) + 1)}  # overflows


def test_zeros_may_be_divided_by_where_nothing_can_be_rearranged():
    recorded = np.linspace(1, 2, 64, dtype=np.float32)
    divided = {one.name: one.outputs[0] for one in programs(lambda x: 1 / x, recorded)}
    assert np.isinf(divided["special"]).any()
    names = {one.name for one in programs(lambda x: jnp.exp(x) / x * 3, recorded)}
    assert "special" not in names
    assert "special-3" in names


def test_zero_pivots_are_kept_from_solvers():
    matrix = np.float16(np.triu(np.linspace(1, 2, 16).reshape(4, 4)) + np.eye(4))
    solve = lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=False)
    found = programs(solve, matrix, np.ones((4, 1), np.float16))
    assert found
    assert all(np.isfinite(one.outputs[0]).all() for one in found)


def test_endless_loops_are_not_entered():
    def fun(n):
        return lax.while_loop(
            lambda s: s[0] != n, lambda s: (s[0] + 1, s[1] * 2), (jnp.int32(0), jnp.float32(1))
        )[1]

    found = programs(fun, np.int32(5))
    assert found
    assert all(0 <= int(one.prog.flat[0]) <= 5 for one in found)


def test_a_limit():
    assert len(programs(jnp.sort, X, limit=2)) == 2 < len(programs(jnp.sort, X))


# --- verdicts -----------------------------------------------------------------------------------------------------


def test_only_recorded_inputs_unless_asked():
    backend = wrong_where(lambda args: np.isnan(args[0]).any())
    assert verdict(backend, lambda x: x * 2, X, inputs=0).outcome == "ok"
    found = verdict(backend, lambda x: x * 2, X)
    assert (found.outcome, found.inputs) == ("mismatch", "special-3")
    assert verdict(backend, lambda x: x * 2, X, inputs=1).outcome == "ok"  # NaN is not in the first set
    assert verdict(tester_backends.honest, lambda x: x * 2, X).inputs is None


def test_the_recorded_inputs_come_first_and_are_not_named():
    found = verdict(tester_backends.swapped_sub, lambda x, y: x - y, X, X[::-1].copy())
    assert (found.outcome, found.inputs) == ("mismatch", None)


def test_exact_inputs_convict_by_a_bit():
    def backend(closed, pipeline, enter):
        right = tester_backends.honest(closed, pipeline, enter)
        return SimpleNamespace(
            seconds={},
            call_direct=lambda *a: [np.nextafter(o, np.float32(np.inf)) for o in right.call_direct(*a)],
        )

    assert verdict(backend, lambda x: jnp.sum(x * x + x), X, inputs=0).outcome == "ok"  # rounding
    found = verdict(backend, lambda x: jnp.sum(x * x + x), X)
    assert (found.outcome, found.inputs, found.exact) == ("mismatch", "exact", True)


def test_rounding_on_values_that_look_exact_is_no_finding():
    def backend(size):
        def build(closed, pipeline, enter):
            right = tester_backends.honest(closed, pipeline, enter)

            def call(*args):
                (out,) = right.call_direct(*args)
                return [out + out.dtype.type(size) * (args[0] == 1)]

            return SimpleNamespace(seconds={}, call_direct=call)

        return build

    def fun(x):  # the oracle takes the zero at 1 for exact
        return (x - 1) * jnp.exp(x)

    recorded = np.linspace(2, 3, 64, dtype=np.float32)
    assert verdict(backend(1e-6), fun, recorded).outcome == "ok"
    assert verdict(backend(1e-2), fun, recorded).inputs == "special"


def test_a_program_is_built_once_for_all_inputs():
    built = []

    def backend(closed, pipeline, enter):
        built.append(pipeline)
        return tester_backends.honest(closed, pipeline, enter)

    found = check_repro(
        flat(lambda x: jnp.sort(x) * 2, X),
        ["fused", "canonical"],
        backend=backend,
        options=Options(inputs=None),
    )
    assert [v.outcome for v in found] == ["ok", "ok"]
    assert built == ["fused", "canonical"]


def test_the_repro_carries_the_inputs_that_failed():
    backend = wrong_where(lambda args: np.isnan(args[0]).any())
    repro = flat(lambda x, y: x * y, X, 2.0)
    (found,) = check_repro(repro, ["fused"], backend=backend, options=Options(ffi_share=0.0, inputs=None))
    changed = with_generated(repro, found.inputs)
    (again,) = check_repro(changed, ["fused"], backend=backend, options=Options(ffi_share=0.0))
    assert (again.outcome, again.inputs, again.signature) == ("mismatch", None, found.signature)
    assert str(trace_repro(changed)[0]) == str(trace_repro(repro)[0])  # weak types are kept
    with pytest.raises(UnknownInputsError, match="nonsense"):
        with_generated(repro, "nonsense")


def test_dying_on_generated_inputs_names_them(tmp_path):
    backend = tmp_path / "backend.py"
    backend.write_text(
        "import os, signal\nfrom types import SimpleNamespace\nimport jax, numpy as np\n"
        "from jax.extend.core import jaxpr_as_fun\n"
        "def dies(closed, pipeline, enter):\n"
        "    fun = jax.jit(jaxpr_as_fun(closed))\n"
        "    def call(*args):\n"
        "        if np.isnan(args[0]).any():\n"
        "            os.kill(os.getpid(), signal.SIGSEGV)\n"
        "        return [np.asarray(out) for out in fun(*args)]\n"
        "    return SimpleNamespace(seconds={}, call_direct=call)\n"
    )
    with Pool(jobs=1, timeout=60, backend=f"{backend}:dies", options=Options(inputs=None)) as pool:
        died, recorded = pool.check(flat(lambda x: x * 2, X), ["fused", "canonical"])
    assert (died.outcome, died.stage, died.inputs) == ("crash", "run", "special-3")
    assert recorded.inputs == "special-3"


def test_a_reference_that_hangs_on_generated_inputs_leaves_the_verdicts_on_the_recorded_ones(tmp_path):
    rules = tmp_path / "slow.py"
    rules.write_text(
        "import time\nimport numpy as np\nfrom jace_repro.tester.execute import xla\n"
        "right = xla.run_reference\n"
        "def run(prog):\n"
        "    while np.isnan(prog.flat[0]).any():\n"
        "        time.sleep(1)\n"
        "    return right(prog)\n"
        "xla.run_reference = run\n"
    )
    backend = f"{BACKENDS}:hang"  # on pipeline "fused"
    with Pool(jobs=1, timeout=5, rules=rules, backend=backend, options=Options(inputs=None)) as pool:
        right, hangs = pool.check(flat(lambda x: x * 2, X), ["canonical", "fused"])
    assert (right.outcome, right.inputs) == ("ok", None)
    assert "stage 'reference' did not finish" in right.detail
    assert (hangs.outcome, hangs.stage, hangs.inputs) == ("timeout", "run", None)


def test_a_reference_on_generated_inputs_is_told_with_what_is_known():
    repro = flat(lambda x: x * 2, X)
    stages = []
    check_repro(
        repro,
        ["fused"],
        backend=tester_backends.honest,
        report=lambda stage, provisional, inputs=None: stages.append((stage, provisional, inputs)),
        options=Options(inputs=1),
    )
    provisional = [p for stage, p, inputs in stages if stage == "reference" and p is not None]
    assert provisional
    assert {p.outcome for p in provisional} == {"ok"}
    assert ("run", None, "exact") in stages


def test_what_xla_rearranges_to_be_finite_is_no_finding_on_inputs_nobody_gave():
    """(x * 1e30) * 1e-30 is x to XLA; where x * 1e30 overflows, JAX equation by equation and DaCe say infinity."""
    program = lambda x: (x * np.float32(1e30)) * np.float32(1e-30)
    x = np.linspace(1, 2, 34, dtype=np.float32)
    huge = np.full(34, 1e20, np.float32)
    if np.array_equal(jax.jit(program)(huge), program(huge)):
        pytest.skip("this XLA (from 0.12 on) computes what is written")
    assert verdict(backends.jace_backend, program, x).outcome == "ok"
    given = verdict(backends.jace_backend, program, huge, inputs=0)
    assert (given.outcome, given.inputs, given.who) == ("reference-mismatch", None, "XLA")
