"""Every family of primitives agrees with XLA on every pipeline."""

from __future__ import annotations

import ctypes.util
import subprocess
import sys

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_same
from both_ways import check, run
from dace.sdfg.validation import InvalidSDFGError
from jax.extend.core import Primitive
from small_programs import PROGRAMS
from together import together

import jace
from jace import ir, pipelines
from jace.plan.ops import Kernel
from jace.translate import passes

#: DaCe's auto-optimize crosses the two middle dimensions of this program: corpus/repros has the reduced case.
KNOWN_DACE_BUGS = {("movement", "canonical/auto-optimize")}


@together
@pytest.mark.parametrize(
    "pipeline", ["fused", pytest.param("canonical/none", marks=pytest.mark.slow), "canonical/simplify"]
)
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_xla(name, pipeline):
    """canonical/simplify goes on from what canonical/none makes, which the tests of rules run."""
    fun, args = PROGRAMS[name]
    check(fun, *args, pipelines=[pipeline])


@pytest.mark.cold
def test_the_first_sdfg_of_a_process_names_the_users_lines_alone(tmp_path):
    """DaCe was told to leave its own lines out (and the Python stack unread) when the first code was generated only."""
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nimport jace\n"
        "lowered = jace.jit(lambda x: (x * 2).sum(), pipeline='canonical/auto-optimize').lower(np.ones(8))\n"
        "nodes = [node for node, _ in lowered.as_sdfg().all_nodes_recursive()]\n"
        "places = [node.debuginfo for node in nodes if getattr(node, 'debuginfo', None)]\n"
        "print({place.filename for place in places})\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{ {str(script)} }\n"


def test_unsupported_equations_are_all_reported_with_their_source():
    def unknown(name):
        primitive = Primitive(name)
        primitive.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
        return primitive.bind

    one, other = unknown("one_unknown"), unknown("another_unknown")

    def program(x):
        return one(x), jax.lax.cond(x[0, 0] > 0, lambda y: other(y), jnp.sin, x)

    closed = jax.make_jaxpr(program)(np.eye(3, dtype=np.float32))
    with pytest.raises(jace.UnsupportedPrimitiveError) as caught:
        jace.compile_jaxpr(closed)
    assert caught.value.primitives == ("another_unknown", "one_unknown")
    assert str(caught.value).count("test_pipelines.py") >= 2


def test_symbolic_extents_are_refused_with_what_to_do():
    (rows,) = jax.export.symbolic_shape("rows")
    closed = jax.make_jaxpr(lambda x: jnp.tanh(x) + 1)(jax.ShapeDtypeStruct((rows, 4), jnp.float32))
    with pytest.raises(jace.UnsupportedPrimitiveError, match=r"\[rows,4\] has a symbolic extent") as caught:
        jace.translate_jaxpr(closed, pipeline="canonical")
    assert caught.value.primitives == ("add", "tanh")
    assert "canonical/sizes:symbols" in str(caught.value)


def test_an_error_of_daces_that_cannot_be_printed_is_a_pass_error(monkeypatch):
    """Its errors look their places up in the SDFG, where they may be gone."""

    def fails(sdfg, device):
        raise InvalidSDFGError("what it says", sdfg, 99)

    monkeypatch.setattr("dace.transformation.auto.auto_optimize.auto_optimize", fails)
    closed = jax.make_jaxpr(jnp.sin)(1.0)
    with pytest.raises(jace.PassError, match="InvalidSDFGError: what it says"):
        passes.translate(closed, "canonical/auto-optimize")


def test_unknown_pipeline_is_refused():
    closed = jax.make_jaxpr(jnp.sin)(1.0)
    with pytest.raises(ValueError, match="canonical/simplify"):
        passes.translate(closed, "canonical/typo")


def test_a_failing_rule_names_the_equation_and_its_line():
    def broken(params, in_dtypes, out_dtype, x):
        raise ZeroDivisionError("oops")

    closed = jax.make_jaxpr(lambda x: jnp.tan(x))(1.0)
    with jace.use_rules({"tan": jace.Elementwise(broken)}), pytest.raises(jace.TranslateError) as caught:
        passes.translate(closed, "fused")
    assert caught.value.primitive == "tan"
    assert "tan" in str(caught.value.equation)
    assert "test_pipelines.py" in str(caught.value.source)


def test_a_failing_rule_is_named_when_another_equation_pulls_it_in():
    def broken(params, in_dtypes, out_dtype, x):
        raise ZeroDivisionError("oops")

    closed = jax.make_jaxpr(lambda x: jnp.tan(x) + 1)(1.0)
    with jace.use_rules({"tan": jace.Elementwise(broken)}), pytest.raises(jace.TranslateError) as caught:
        passes.translate(closed, "fused")
    assert caught.value.primitive == "tan"
    assert "add" not in str(caught.value.equation)


def test_a_replacement_may_build_on_the_rule_in_force():
    old = jace.rule_of("sin")
    twice = jace.Elementwise(lambda *a: f"(2 * {old.expression(*a)})")
    x = np.float32([0.5, 1.0])
    with jace.use_rules({"sin": twice}):
        np.testing.assert_allclose(run(jnp.sin, (x,), "fused")[0], 2 * np.sin(x), rtol=1e-6)


def test_replaced_rules_take_effect_and_go_away():
    wrong = jace.Elementwise(lambda params, ins, out, a, b: f"({b} - {a})")
    x, y = np.float32([5, 6]), np.float32([1, 2])
    with jace.use_rules({"sub": wrong}):
        np.testing.assert_array_equal(run(lambda a, b: a - b, (x, y), "fused")[0], y - x)
    np.testing.assert_array_equal(run(lambda a, b: a - b, (x, y), "fused")[0], x - y)


def test_elementwise_chains_become_one_kernel():
    def chain(x, y):
        for _ in range(20):
            x = jnp.sin(x) * y + x
        return x

    closed = jax.make_jaxpr(chain)(*np.ones((2, 64), np.float32))
    seen = {}
    passes.translate(closed, "fused", observe=lambda name, state: seen.setdefault(name, state))
    (kernel,) = seen["plan"].plan.ops
    assert isinstance(kernel, Kernel)
    assert not seen["plan"].plan.temps


def test_an_expensive_value_read_at_several_offsets_is_computed_once():
    def stencil(x):
        y = jnp.exp(jnp.sin(x))
        return y[2:] - 2 * y[1:-1] + y[:-2]

    closed = jax.make_jaxpr(stencil)(np.ones(64, np.float32))
    seen = {}
    passes.translate(closed, "fused", observe=lambda name, state: seen.setdefault(name, state))
    code = "\n".join(op.code for op in seen["plan"].plan.ops)
    assert code.count("exp_") == 1


def test_updates_in_a_loop_do_not_copy_the_array():
    def fill(x):
        return jax.lax.fori_loop(0, 100, lambda i, a: a.at[i].set(a[i] + i), x)

    closed = jax.make_jaxpr(fill)(np.ones(100, np.float32))
    seen = {}
    passes.translate(closed, "fused", observe=lambda name, state: seen.setdefault(name, state))
    loop = next(op for op in seen["plan"].plan.ops if not isinstance(op, Kernel))
    sizes = [np.prod([extent for _, extent in op.ranges], dtype=int) for op in loop.body]
    assert max(sizes) == 1
    assert_same(jax.jit(fill)(np.ones(100, np.float32)), run(fill, (np.ones(100, np.float32),), "fused"))


def test_every_canonical_sdfg_is_valid_and_fused_ones_too():
    for fun, args in PROGRAMS.values():
        closed = jax.make_jaxpr(fun)(*args)
        passes.translate(closed, "fused").sdfg.validate()


def test_fingerprint_ignores_names_and_sees_values():
    a = jax.make_jaxpr(lambda x: x * 2.0)(1.0)
    b = jax.make_jaxpr(lambda other: other * 2.0)(3.0)
    c = jax.make_jaxpr(lambda x: x * 2.5)(1.0)
    assert ir.fingerprint(a) == ir.fingerprint(b) != ir.fingerprint(c)


def test_the_names_that_jit_accepts_are_those_that_exist():
    assert {pipelines.find(name).name for name in pipelines.NAMES} == set(pipelines.PIPELINES)


def test_dace_looks_for_libraries_once(monkeypatch):
    asked = []
    find = ctypes.util.find_library
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: asked.append(name) or find(name))
    for factor in (2.5, 3.5):
        jace.jit(lambda x, f=factor: jnp.sin(x) * f, pipeline="canonical/auto-optimize")(jnp.ones(3))
    assert len(asked) == len(set(asked))
