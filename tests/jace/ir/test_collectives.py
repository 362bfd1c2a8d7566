"""Collectives over a mesh of one device; over more devices a clear error."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from jax import lax
from jax._src.lax import parallel
from jax.sharding import AxisType, PartitionSpec
from together import together

import jace
from jace import ir
from jace.translate import passes

MESH = jax.make_mesh((1, 1), ("i", "j"), axis_types=(AxisType.Auto, AxisType.Auto))
X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def on_mesh(fun, *, check_vma=False):
    spec = PartitionSpec(None, "i")
    return jax.shard_map(fun, mesh=MESH, in_specs=spec, out_specs=spec, check_vma=check_vma)


def ragged(x):
    """Two rows of the operand, from the second on, replace the first two of the output."""
    at = lambda n: jnp.array([n], jnp.int32)
    return lax.ragged_all_to_all(x, x * 100, at(1), at(2), at(0), at(2), axis_name="i")


COLLECTIVES = {
    "psum": lambda x: lax.psum(x, "i"),
    "psum-two-axes": lambda x: lax.psum(x, ("i", "j")),
    "psum-of-bool": lambda x: lax.psum(x > 0, "i"),
    "psum-of-tree": lambda x: sum(lax.psum((x, x * 2), "i")),
    "psum-groups": lambda x: lax.psum(x, "i", axis_index_groups=[[0]]),
    "pmean": lambda x: lax.pmean(x, "i"),
    "pmax": lambda x: lax.pmax(x, "i"),
    "pmin": lambda x: lax.pmin(x.astype(jnp.int32), "i"),
    "all-gather": lambda x: lax.all_gather(x, "i", axis=1)[:, 0],
    "all-gather-tiled": lambda x: lax.all_gather(x, "i", tiled=True, axis=1),
    "all-to-all": lambda x: lax.all_to_all(x[None], "i", 0, 2)[..., 0],
    "all-to-all-tiled": lambda x: lax.all_to_all(x, "i", 0, 1, tiled=True),
    "psum-scatter": lambda x: lax.psum_scatter(x[None], "i"),
    "psum-scatter-tiled": lambda x: lax.psum_scatter(x, "i", tiled=True, scatter_dimension=1),
    "ppermute": lambda x: lax.ppermute(x, "i", [(0, 0)]),
    "ppermute-from-nobody": lambda x: lax.ppermute(x, "i", []),
    "pshuffle": lambda x: lax.pshuffle(x, "i", [0]),
    "axis-index": lambda x: x + lax.axis_index("i"),
    "axis-size": lambda x: x + lax.axis_size("i"),
    "inside-a-scan": lambda x: lax.scan(lambda c, r: (c + lax.psum(r, "i"), c), x[0], x)[1],
    "gradient": jax.grad(lambda x: (lax.psum(x, "i") ** 2).sum()),
    "vmapped": jax.vmap(lambda r: lax.all_gather(r, "i", tiled=True)),
}


@together
@pytest.mark.parametrize("name", COLLECTIVES)
def test_one_device_moves_nothing(name):
    check(on_mesh(COLLECTIVES[name]), X)


@together
def test_casts_of_the_type_system():
    def varying(x):
        total = lax.psum(x, "i")
        return x + lax.pcast(total, ("i",), to="varying")

    check(on_mesh(varying, check_vma=True), X)
    check(jax.grad(lambda x: on_mesh(varying, check_vma=True)(x).sum()), X)


def test_collectives_that_xla_lacks_on_cpu():
    """Their meaning is the same as on other platforms; XLA has no code for them on CPU."""
    for fun, expected in [(ragged, np.concatenate([X[1:], X[2:] * 100])), (broadcast, X), (begun, X * 2)]:
        closed = jax.make_jaxpr(on_mesh(fun))(X)
        for pipeline in ("fused", "canonical"):
            np.testing.assert_array_equal(jace.compile_jaxpr(closed, pipeline).call_direct(X)[0], expected)


def broadcast(x):
    return lax.pbroadcast(x, "i", 0)


def begun(x):
    """The two halves of an asynchronous sum, with work in between."""
    future = parallel.psum_start(x, "i")
    between = x * 2
    return (future.done() if hasattr(future, "done") else future) * 0 + between  # a value from jax 0.11 on


@together
def test_pmap_over_one_device():
    check(jax.pmap(lambda x: lax.psum(x, "p") + lax.axis_index("p"), axis_name="p"), X[None])


def test_jit_inside_of_a_shard_map():
    run = on_mesh(jace.jit(lambda x: lax.psum(x * 2, "i")))
    np.testing.assert_array_equal(run(X), X * 2)


def test_named_axes_of_vmap_are_gone_before_compilation():
    fun = jace.jit(lambda x: x - lax.pmean(x, "batch") + lax.axis_index("batch"))
    plain = lambda x: x - lax.pmean(x, "batch") + lax.axis_index("batch")
    np.testing.assert_allclose(
        jax.vmap(fun, axis_name="batch")(X), jax.vmap(plain, axis_name="batch")(X), rtol=1e-6
    )


def test_more_devices_are_refused_by_name_and_line():
    mesh = jax.sharding.AbstractMesh((2,), ("rows",), axis_types=(AxisType.Auto,))
    fun = lambda x: lax.psum(x, "rows")
    spec = PartitionSpec(None, "rows")
    closed = jax.make_jaxpr(jax.shard_map(fun, mesh=mesh, in_specs=spec, out_specs=PartitionSpec()))(X)
    with pytest.raises(jace.UnsupportedPrimitiveError) as caught:
        passes.translate(closed)
    message = str(caught.value)
    assert "axis 'rows' has size 2" in message
    assert "test_collectives.py" in message
    assert set(caught.value.primitives) == {"psum_invariant", "shard_map"}


def test_every_collective_says_what_it_does_on_one_device():
    names = {name for name in vars(parallel) if name.endswith("_p")}
    primitives = {vars(parallel)[n].name for n in names if hasattr(vars(parallel)[n], "abstract_eval")}
    # point-to-point messages exist on GPU only: JAX refuses them on CPU
    assert primitives - set(ir.COLLECTIVES) - ir.CASTS <= {"psend", "precv"}


def test_a_loop_whose_collectives_are_gone_has_no_effects():
    closed = jax.make_jaxpr(on_mesh(COLLECTIVES["inside-a-scan"]))(X)
    opened = ir.splice(closed, ir.expand_collective)
    (scan,) = [eqn for eqn in opened.jaxpr.eqns if eqn.primitive.name == "scan"]
    assert not scan.effects
    assert not opened.effects


def test_effects_that_a_loop_still_has_stay_its_own():
    def step(carry, row):
        jax.debug.print("{}", row)
        return carry + lax.psum(row, "i"), carry

    closed = jax.make_jaxpr(on_mesh(lambda x: lax.scan(step, x[0], x)[1]))(X)
    opened = ir.splice(closed, ir.expand_collective)
    (scan,) = [eqn for eqn in opened.jaxpr.eqns if eqn.primitive.name == "scan"]
    assert [type(effect).__name__ for effect in scan.effects] == ["DebugEffect"]
    assert opened.effects == scan.effects
