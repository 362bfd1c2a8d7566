"""Calls and annotations: whatever wraps a computation without computing."""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.util
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import PIPELINES, check, run
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import compute_on as compute_on_module
from jax.experimental import multihost_utils
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.scheduling_groups import xla_metadata_call
from jax.experimental.xla_metadata import set_xla_metadata
from jax.sharding import PartitionSpec as P
from together import together

import jace
from jace import ir

X = np.linspace(-1.5, 2.0, 6, dtype=np.float32).reshape(2, 3)


@jax.custom_jvp
def cube(x):
    return x**3


cube.defjvps(lambda t, _, x: 30 * t * x)  # deliberately not the derivative


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1, 1)


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (g * x + 7,))


@jax.custom_batching.custom_vmap
def biased(x):
    return x + 1


@biased.def_vmap
def _biased_many(axis_size, in_batched, x):
    return x + 10, True


def linear(x):
    return jax.custom_derivatives.linear_call(
        lambda r, v: v * r, lambda r, ct: ct * r * 2, jnp.float32(3.0), x
    )


@functools.partial(lax.composite, name="jace.test", version=1)
def composite(x, *, scale):
    return jnp.sin(x) * scale


@custom_partitioning
def partitioned(x):
    return x * 2 + 1


partitioned.def_partition(partition=None, sharding_rule="i j -> i j")


def saved(x):
    policy = jax.checkpoint_policies.save_only_these_names("kept")
    named = jax.checkpoint(lambda v: jnp.cos(checkpoint_name(jnp.sin(v), "kept")), policy=policy)
    return jax.grad(lambda v: named(v).sum())(x)


def optimized_remat(x):
    @functools.partial(jax.custom_vjp)
    def f(v):
        return jnp.sin(v) * v

    f.defvjp(lambda v: (f(v), (v, v * 2)), lambda res, g: (g * res[0] + res[1],), optimize_remat=True)
    return (
        jax.grad(lambda v: jax.checkpoint(f)(v).sum())(x),
        f(x),
        jax.value_and_grad(lambda v: f(v).sum())(x),
    )


def computed_on_host(x):
    wrapper: Any = compute_on_module
    if hasattr(wrapper, "compute_on2"):  # until jax 0.11
        on_host = wrapper.compute_on("device_host")
    else:
        on_host = wrapper.compute_on(compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)

    @on_host
    @jax.jit
    def inner(v):
        return v * 3

    return inner(x) + 1


def root(x):
    solve = lambda g, y: y / g(jnp.ones_like(y))
    return lax.custom_root(lambda y: y**3 - x, x, lambda f, y0: jnp.cbrt(x), solve)


def solved(x):
    a = x.T @ x + 3 * jnp.eye(3)
    matvec = functools.partial(jnp.dot, a)
    cg = lambda mv, b: jax.scipy.sparse.linalg.cg(mv, b, maxiter=10)[0]
    return lax.custom_linear_solve(matvec, x[0], cg, symmetric=True)


CALLS = {
    "jit": lambda x: jax.jit(jnp.sin)(x),
    "nested-jit": lambda x: jax.jit(lambda v: jax.jit(jnp.sin)(v) + jax.jit(jnp.sin)(v * 2))(x),
    "custom-jvp": cube,
    "jvp-of-custom-jvp": lambda x: jax.jvp(cube, (x,), (x,)),
    "custom-vjp": clipped,
    "grad-of-custom-vjp": jax.grad(lambda x: clipped(x).sum()),
    "custom-vmap": biased,
    "vmap-of-custom-vmap": jax.vmap(biased),
    "linear-call": linear,
    "transposed-linear-call": jax.grad(lambda x: linear(x).sum()),
    "checkpoint": jax.checkpoint(lambda x: jnp.cos(jnp.sin(x))),
    "grad-of-checkpoint": jax.grad(lambda x: jax.checkpoint(lambda v: jnp.cos(jnp.sin(v)))(x).sum()),
    "checkpoint-policy": saved,
    "optimize-remat": optimized_remat,
    "composite": lambda x: composite(x, scale=np.float32(2.0)),
    "custom-partitioning": partitioned,
    "compute-on": computed_on_host,
    "custom-root": root,
    "grad-of-custom-root": jax.grad(lambda x: root(x + 3).sum()),
    "custom-linear-solve": solved,
    "grad-of-custom-linear-solve": jax.grad(lambda x: solved(x).sum()),
    "closure-convert": lambda x: jax.closure_convert(lambda v: v * x, x)[0](x, x),
    "custom-gradient": jax.grad(lambda x: jax.custom_gradient(lambda v: (v * 2, lambda g: g * v))(x).sum()),
    "jace-in-jace": lambda x: jace.jit(jnp.sin)(x) + jax.jit(jace.jit(jnp.cos))(x),
}

OVERLAP = importlib.util.find_spec("jax.experimental.overlap")  # from jax 0.12 on
if OVERLAP is not None:
    in_order = importlib.import_module(OVERLAP.name).program_order
    CALLS["program-order"] = in_order(lambda x: jnp.sin(x) * jnp.cos(x), enforce=False)
    CALLS["enforced-program-order"] = in_order(lambda x: jnp.sin(x) * jnp.cos(x), enforce=True)


@together
@pytest.mark.parametrize("name", CALLS)
def test_calls_are_their_bodies(name):
    check(CALLS[name], X)


def bind(module: str, primitive: str, **params):
    """A function that binds a primitive of JAX by name."""
    found = getattr(importlib.import_module(module), primitive)
    return lambda *xs: found.bind(*xs, **params)


ANNOTATIONS = {
    "name": lambda x: checkpoint_name(x * 2, "twice"),
    "optimization-barrier": lambda x: lax.optimization_barrier((x * 2, x + 1)),
    "stop-gradient": lambda x: lax.stop_gradient(x) * 2,
    "device-put": lambda x: jax.device_put(x) + 1,
    "stage": lambda x: bind("jax._src.core", "stage_p")(x) + 1,
    "tie": lambda x: bind("jax._src.lax.lax", "tie_p")(x, x + 1),
    "dce-sink": lambda x: (bind("jax._src.lax.lax", "dce_sink_p", prevent_mlir_dce=False)(x * 2), x + 1),
    "metadata": lambda x: set_xla_metadata(x * 2, note="twice"),
    "fresh-memory": lambda x: (
        lax.full_like(x, 0)
        + bind("jax._src.lax.lax", "empty_p", shape=(2, 3), dtype=np.dtype("float32"), out_sharding=None)()
        * 0
    ),
    "named-scope": jax.named_call(jnp.sin, name="sine"),
    "scheduling-group": lambda x: xla_metadata_call(jnp.sin, scheduling_group="a")(x),
    "one-process": lambda x: multihost_utils.global_array_to_host_local_array(
        multihost_utils.host_local_array_to_global_array(x, jax.make_mesh((1,), ("i",)), P("i")) * 2,
        jax.make_mesh((1,), ("i",)),
        P("i"),
    ),
}

#: Until jax 0.11, in the words of jax 0.10.
FIRST_RELEASE = jax.extend.core.Jaxpr is not jax.extend.core.ClosedJaxpr
SHARD_ALIKE = importlib.util.find_spec("jax.experimental.shard_alike")  # until jax 0.11
if SHARD_ALIKE is not None:
    shard_alike = importlib.import_module(SHARD_ALIKE.name).shard_alike
    ANNOTATIONS["shard-alike"] = lambda x: shard_alike(x, x * 2)


@together
@pytest.mark.parametrize("name", ANNOTATIONS)
def test_annotations_compute_nothing(name):
    check(ANNOTATIONS[name], X)


@together
def test_pinned_values_are_values():
    """XLA has no Pin on CPU: a program with it runs under jace only."""
    from jax._src.state.primitives import create_linear, pin, unpin

    def program(x):
        return unpin(pin(x)) * 8, unpin(create_linear(jax.typeof(x))) * 0

    for pipeline in PIPELINES:
        doubled, fresh = run(program, (X,), pipeline)
        np.testing.assert_array_equal(doubled, X * 8)
        np.testing.assert_array_equal(fresh, X * 0)


def test_shardings_over_one_device():
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))
    auto = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    with jax.set_mesh(auto):
        check(lambda x: lax.with_sharding_constraint(x, P("i")) * 2, X)
    with jax.set_mesh(mesh):
        check(lambda x: jax.sharding.reshard(x, P(None, "i")) * 2, X)


@together
def test_tokens_vanish_with_a_pure_program():
    def program(x):
        token = bind("jax._src.lax.lax", "create_token_p")()
        bind("jax._src.lax.lax", "after_all_p")(token)
        return x * 2

    check(program, X)


def test_tables_hold_what_jax_has():
    """Names in the tables are names of primitives: a renamed one does not go unnoticed."""
    modules = ("fused", "compute_on", "custom_partitioning", "scheduling_groups", "multihost_utils")
    added = [name for name, found in (("shard_alike", SHARD_ALIKE), ("overlap", OVERLAP)) if found]
    for module in (*modules, *added):
        importlib.import_module(f"jax.experimental.{module}")
    importlib.import_module("jace.primitive.bind")
    gc.unfreeze()  # what the tests' conftest.py keeps from the collector is listed again
    known = {
        p.name for p in gc.get_objects() if type(p).__name__.endswith("Primitive") and hasattr(p, "name")
    }
    # Names of releases other than this one.
    gone = {"core_call", "checkpoint", "mesh_cast", "call", "unreduced_pmax", "unreduced_pmin"}
    gone |= {"pbroadcast_dynamic", "reduced_vary_cast", "vary_unreduced_cast", "eval_jaxpr"}
    gone |= {"program_order", "relayout"} if OVERLAP is None else set()
    if not FIRST_RELEASE:
        gone |= {"closed_call", "shard_alike", "reduced_vary_cast_p", "vary_unreduced_cast_p"}
        gone |= {n for n in ir.CASTS | set(ir.COLLECTIVES) if n.endswith(("_start", "_done"))}
    assert (set(ir.CALLS) | set(ir.ALIASES) | ir.TOKENS | set(ir.COLLECTIVES) | ir.CASTS) - known <= gone
