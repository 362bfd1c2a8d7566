"""Localisation: the first diverging equation, through loops and branches; failures that need their context."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends

import jace
from jace.errors import TranslateError
from jace.ir import inline_calls
from jace_repro.tester.execute.backends import jace_backend, no_stages
from jace_repro.tester.execute.traced import without_calls
from jace_repro.tester.locate.localize import localize
from jace_repro.tester.locate.side_by_side import instances_of

X = np.random.default_rng(3).standard_normal((4, 3)).astype(np.float32)


class Counting:
    """Builds with a backend and counts."""

    def __init__(self, backend):
        self.backend = backend
        self.count = 0

    def __call__(self, closed):
        self.count += 1
        return self.backend(closed, "fused", no_stages)


def located(backend, fun, *args, **options):
    build = Counting(backend)
    found = localize(inline_calls(jax.make_jaxpr(fun)(*args)), args, build, **options)
    return found, build.count


def test_the_first_of_several_guilty_equations_is_found_in_two_compilations():
    def program(x):
        for _ in range(20):
            x = jnp.sin(x) * 0.5 + jnp.cos(x)
        y = x - 0.25
        return jnp.exp(y) - x

    found, compilations = located(tester_backends.swapped_sub, program, X)
    assert found.culprit.primitive == "sub"
    assert found.culprit.confirmed
    assert found.culprit.index == 80
    assert found.culprit.difference == "value"
    assert "test_localize.py" in found.culprit.source
    assert compilations == 2
    (value,) = found.operands
    assert np.allclose(found.expected[0], np.asarray(value) - 0.25)
    assert np.allclose(found.got[0], 0.25 - np.asarray(value))


def test_an_equation_by_itself_gives_what_the_program_reads_of_it():
    """DaCe's LoopToMap makes a map of a loop whose counter nobody reads, and of no other."""

    def program(x, rest):
        counted, x = jax.lax.scan(lambda c, _: ((c[0] + 1, jnp.sin(c[1])), None), (0, x), length=3)[0]
        return jnp.exp(x) + (counted if rest else 0)

    found, _ = located(tester_backends.scan_of_one_result, lambda x: program(x, False), X)
    assert found.culprit.primitive == "scan"
    assert found.culprit.confirmed
    assert len(found.expected) == len(found.jaxpr.jaxpr.outvars) == 1
    right, _ = located(tester_backends.scan_of_one_result, lambda x: program(x, True), X)
    assert right is None


def test_what_is_as_xla_has_it_is_no_culprit():
    """NumPy's sort is stable; XLA's, and with it DaCe's, leaves equal elements in any order."""

    def program(keys, values, x):
        _, order = jax.lax.sort((keys, values), is_stable=False, num_keys=1)
        return order, x - 0.25

    values = np.arange(17, dtype=np.float32)
    found, _ = located(tester_backends.swapped_sub, program, np.zeros(17, np.float32), values, X)
    assert found.culprit.primitive == "sub"
    right, _ = located(tester_backends.honest, program, np.zeros(17, np.float32), values, X)
    assert right is None


def test_a_right_program_has_no_culprit():
    found, _ = located(tester_backends.honest, lambda x: jnp.sum(jnp.sin(x) - x), X)
    assert found is None


def test_scan_is_descended_into_and_the_iteration_named():
    def program(x):
        def body(carry, row):
            # equal operands for the first rows: swapping them shows only from the third iteration on
            return carry + (row - jnp.minimum(row, carry)), carry

        return jax.lax.scan(
            body, jnp.full(3, 10.0, np.float32), jnp.asarray([[1.0] * 3, [2.0] * 3, [40.0] * 3])
        )

    found, _ = located(tester_backends.swapped_sub, lambda x: program(x), X)
    assert found.culprit.primitive == "sub"
    assert found.culprit.path == ("scan.jaxpr[2]",)


def test_a_reverse_scan_counts_iterations_as_they_run():
    def program(x):
        return jax.lax.scan(lambda c, r: (c - r, c), jnp.zeros(3, np.float32), x, reverse=True)

    found, _ = located(
        tester_backends.swapped_sub, program, np.array([[0] * 3, [7] * 3, [0] * 3], np.float32)
    )
    assert found.culprit.path == ("scan.jaxpr[1]",)
    assert np.array_equal(np.asarray(found.operands[1]), [7, 7, 7])


def test_while_and_cond_are_descended_into():
    def program(x):
        def body(state):
            i, y = state
            return i + 1, jax.lax.cond(i == 2, lambda y: y - 1, lambda y: y * 2, y)

        return jax.lax.while_loop(lambda s: s[0] < 4, body, (0, x))

    found, _ = located(tester_backends.swapped_sub, program, X)
    assert found.culprit.primitive == "sub"
    assert found.culprit.path == ("while.body_jaxpr[2]", "cond.branches[1]")
    assert found.culprit.index == 0


def test_the_condition_of_a_while_is_looked_at_too():
    def program(x):
        return jax.lax.while_loop(lambda s: jnp.sum(s) - 1000 < 0, lambda s: s * 2, jnp.abs(x))

    found, _ = located(tester_backends.swapped_sub, program, X)
    assert found.culprit.primitive == "sub"
    assert found.culprit.path[0].startswith("while.cond_jaxpr[")


def test_a_failure_that_needs_its_context_gives_the_smallest_window():
    def program(x):
        y = jnp.sin(x) * 2 + 1
        z = jnp.exp(-y)
        return z * 3 + y

    found, _ = located(tester_backends.bad_fusion, program, X)
    assert not found.culprit.confirmed
    assert found.culprit.primitive == "exp"
    assert [e.primitive.name for e in found.jaxpr.jaxpr.eqns] == ["neg", "exp"]
    assert "none of them alone" in found.culprit.note


def test_equations_that_do_not_build_are_passed_over():
    def backend(closed, pipeline, enter):
        if any(e.primitive.name == "tanh" for e in closed.jaxpr.eqns):
            raise TranslateError("no tanh today")
        return tester_backends.swapped_sub(closed, pipeline, enter)

    found, _ = located(backend, lambda x: jnp.tanh(x) - jnp.cos(x), X)
    assert found.culprit.primitive == "sub"


def test_the_number_of_compilations_is_limited():
    found, compilations = located(
        tester_backends.swapped_sub, lambda x: jnp.sin(x) - x, X, max_compilations=1
    )
    assert found is None
    assert compilations == 1


def test_random_keys_pass_through():
    def program(key, x):
        return jax.random.normal(key, (4, 3)) - x

    found, _ = located(tester_backends.swapped_sub, program, jax.random.key(1), X)
    assert found.culprit.primitive == "sub"


@pytest.mark.parametrize("dtype", [np.float16, np.complex64, np.int32])
def test_other_dtypes(dtype):
    found, _ = located(tester_backends.swapped_sub, lambda x: (x * 3 - x[::-1]) * 2, (X * 10).astype(dtype))
    assert found.culprit.primitive == "sub"


# --- planted in rules, in every context -------------------------------------------------------------------


def _top(op, x):
    return jnp.flip(op(jnp.cumsum(x))) - 0.25


def _scan(op, x):
    return jax.lax.scan(lambda c, row: (jnp.maximum(op(c), row), c), jnp.abs(x[0]), jnp.abs(x) + 0.5)


def _while(op, x):
    def step(state):
        i, y = state
        return i + 1, jnp.minimum(op(y), 3.0) + 0.125

    return jax.lax.while_loop(lambda state: state[0] < 4, step, (0, jnp.abs(x) + 0.25))


def _cond(op, x):
    return jax.lax.cond(jnp.max(x) > 100, lambda y: y, lambda y: op(jnp.abs(y) + 0.5), x)


def _cond_in_scan(op, x):
    def body(c, row):
        return jax.lax.cond(c[0] > 0.75, lambda y: op(y), lambda y: y + row, c), c

    return jax.lax.scan(body, jnp.full(3, 0.25, x.dtype), jnp.abs(x) + 0.25)


def _nested_calls(op, x):
    inner = jax.jit(lambda y: op(jnp.abs(y) + 1.0))
    return jax.jit(lambda y: jnp.flip(inner(y)) - y)(x)


CONTEXTS = {
    "top": (_top, ()),
    "scan": (_scan, ("scan.jaxpr",)),
    "while": (_while, ("while.body_jaxpr",)),
    "cond": (_cond, ("cond.branches",)),
    "cond-in-scan": (_cond_in_scan, ("scan.jaxpr", "cond.branches")),
    "nested-calls": (_nested_calls, ()),
}
OPERATIONS = {
    "sin": jnp.sin,
    "tanh": jnp.tanh,
    "exp": lambda y: jnp.exp(y * 0.25),
    "log": jnp.log,
    "sqrt": jnp.sqrt,
    "logistic": jax.nn.sigmoid,
    "mul": lambda y: y * y,
    "div": lambda y: 1.5 / y,
    "rsqrt": jax.lax.rsqrt,
    "atan2": lambda y: jnp.arctan2(y, y + 1.0),
    "square": jax.lax.square,
    "erf": jax.lax.erf,
}
QUICK = [("sin", "top"), ("div", "scan"), ("tanh", "while"), ("sqrt", "cond"), ("mul", "cond-in-scan")]
ALL = [(name, context) for name in OPERATIONS for context in CONTEXTS]


@pytest.mark.parametrize(
    ("primitive", "context"),
    [pytest.param(*c, marks=() if c in QUICK else pytest.mark.slow, id="-".join(c)) for c in ALL],
)
def test_a_rule_that_is_wrong_for_some_values_is_named_in_every_context(primitive, context):
    """Wrong above a threshold only: in loops, not in the first iteration."""
    fun, path = CONTEXTS[context]
    right = jace.rule_of(primitive)

    def expression(params, ins, out, *operands):
        text = right.expression(params, ins, out, *operands)
        return f"(({text}) * (({operands[0]}) > 0.125 ? 1.5f : 1.0f))"

    build = Counting(jace_backend)
    closed = inline_calls(jax.make_jaxpr(lambda x: fun(OPERATIONS[primitive], x))(X))
    with jace.use_rules({primitive: jace.Elementwise(expression)}):
        found = localize(closed, (X,), build)
    assert found is not None
    assert found.culprit.primitive == primitive
    assert found.culprit.confirmed
    assert tuple(step.partition("[")[0] for step in found.culprit.path) == path
    assert build.count <= 8
    # it is told with operands that it fails on
    assert max(np.max(np.asarray(o)) for o in found.operands) > 0.125


def test_what_is_inside_of_a_shard_map_is_looked_at():
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    def on_each(x):
        return jax.lax.scan(lambda c, r: (c + jax.lax.psum(r, "i"), c), x[0], x)[1]

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    inside = without_calls(jax.make_jaxpr(lambda x: jnp.sin(on_each(x)))(x))
    names = [instance.eqn.primitive.name for instance in instances_of(inside, [x])]
    assert "scan" in names
    assert "shard_map" not in names
