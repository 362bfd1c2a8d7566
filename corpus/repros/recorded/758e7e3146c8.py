# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/jax_shard_map.py:22 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "758e7e3146c8e40da4bb147d728b62daecbbd32c58b92fca53c41dd16024b3f2"
# outputs_sha256 = "e82184e8b9201c23c2614dcb37361a37c4181ee1ce3b7dffc1157ea61f4b891a"
# sidecar_sha256 = "cba91939a0f6c474a4e4549a5d9551a40f5f95b2362253e9e44bb9950adfe20e"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (jax_shard_map.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src.core import pvary_p
from jax._src.lax.parallel import psum_invariant_p
from jax._src.mesh import empty_concrete_mesh
from jax._src.pjit import reshard_p
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

f32 = np.dtype("float32")


SIDECAR_SHA256 = "cba91939a0f6c474a4e4549a5d9551a40f5f95b2362253e9e44bb9950adfe20e"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


mesh = jax.make_mesh((1,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
mesh_2 = jax.make_mesh((1,), ("data",), axis_types=(jax.sharding.AxisType.Manual,))


@jax.shard_map(
    mesh=mesh,
    in_specs=(P("data"), P()),
    out_specs=(P("data"), P("data"), P("data"), P()),
    axis_names=frozenset({"data"}),
)
def shard(a, b):
    c = pvary_p.bind(b, axes=("data",))  # f32[3,2]{V:data}  jax_shard_map.py:17
    d = lax.dot_general(  # f32[8,2]{V:data}  jax_shard_map.py:17
        a, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    e = lax.reduce_sum(d, axes=(0, 1))  # f32[]{V:data}  jax_shard_map.py:18
    f = pvary_p.bind(np.float32(16.0), axes=("data",))  # f32[]{V:data}  jax_shard_map.py:18
    g = lax.div(e, f)  # f32[]{V:data}  jax_shard_map.py:18
    h = psum_invariant_p.bind(g, axes=("data",))  # f32[]  jax_shard_map.py:18
    i = lax.div(h, np.float32(1.0))  # f32[]  jax_shard_map.py:18
    j = pvary_p.bind(i, axes=("data",))  # f32[]{V:data}  jax_shard_map.py:19
    k = lax.sub(d, j)  # f32[8,2]{V:data}  jax_shard_map.py:19
    l = lax.integer_pow(d, 2)  # f32[8,2]{V:data}  jax_shard_map.py:19
    m = pvary_p.bind(np.float32(2.0), axes=("data",))  # f32[]{V:data}  jax_shard_map.py:19
    n = lax.mul(m, d)  # f32[8,2]{V:data}  jax_shard_map.py:19
    o = lax.reduce_sum(l, axes=(0, 1))  # f32[]{V:data}  jax_shard_map.py:19
    p = psum_invariant_p.bind(o, axes=("data",))  # f32[]  jax_shard_map.py:19
    q = lax.broadcast_in_dim(f, (1,), ())  # f32[1]{V:data}
    return q, n, k, p


@jax.jit
def normalise(a, b):
    c, d, e, f = shard(a, b)  # f32[1], f32[8,2], f32[8,2], f32[]
    return e, f, c, d


@jax.shard_map(
    mesh=mesh, in_specs=(P("data"), P("data"), P("data")), out_specs=P(), axis_names=frozenset({"data"})
)
def shard_2(a, b, c):
    d = lax.squeeze(c, (0,))  # f32[]{V:data}
    e = lax.neg(a)  # f32[8,2]{V:data}  jax_shard_map.py:19
    f = lax.reduce_sum(e, axes=(0, 1))  # f32[]{V:data}  jax_shard_map.py:19
    g = psum_invariant_p.bind(f, axes=("data",))  # f32[]  jax_shard_map.py:19
    h = lax.div(g, np.float32(1.0))  # f32[]  jax_shard_map.py:18
    i = pvary_p.bind(h, axes=("data",))  # f32[]{V:data}  jax_shard_map.py:18
    j = lax.div(i, d)  # f32[]{V:data}  jax_shard_map.py:18
    k = lax.broadcast_in_dim_p.bind(  # f32[8,2]{V:data}  jax_shard_map.py:18
        j,
        broadcast_dimensions=(),
        shape=(8, 2),
        sharding=jax.sharding.NamedSharding(mesh_2.abstract_mesh, P(None, None)),
    )
    l = primitives.add_jaxvals_p.bind(a, k)  # f32[8,2]{V:data}  jax_shard_map.py:18
    m = lax.dot_general_p.bind(  # f32[2,3]{V:data}  jax_shard_map.py:17
        l,
        b,
        dimension_numbers=(((0,), (0,)), ((), ())),
        out_sharding=jax.sharding.NamedSharding(mesh_2.abstract_mesh, P(None, None)),
        precision=None,
        preferred_element_type=f32,
    )
    n = lax.transpose(m, (1, 0))  # f32[3,2]{V:data}  jax_shard_map.py:17
    o = psum_invariant_p.bind(n, axes=("data",))  # f32[3,2]  jax_shard_map.py:17
    return o


@jax.jit
def normalise_2(a, b, c):
    d = shard_2(c, a, b)  # f32[3,2]
    return d


def inputs():
    return [
        # a = weights: f32[3,2]
        jax.device_put(
            np.array(
                [[0.15675108, -0.18693094], [-2.5167596, -0.5386929], [-0.048500944, 0.11330899]], np.float32
            ),
            jax.sharding.NamedSharding(mesh, P(None, None)),
        ),
        jax.device_put(ARRAYS["x1"], jax.sharding.NamedSharding(mesh, P(None, None))),  # b = x: f32[8,3]
    ]


def repro(a, b):
    c = lax.sharding_constraint_p.bind(  # f32[8,3]  jax_shard_map.py:24
        b,
        context_mesh=empty_concrete_mesh,
        layout=None,
        sharding=jax.sharding.NamedSharding(mesh, P("data")),
        unconstrained_dims=frozenset(),
    )
    d, _, e, _ = normalise(c, a)  # f32[8,2], f32[], f32[1], f32[8,2]  jax_shard_map.py:25
    f = lax.integer_pow(d, 2)  # f32[8,2]  jax_shard_map.py:25
    g = lax.mul(np.float32(2.0), d)  # f32[8,2]  jax_shard_map.py:25
    h = lax.reduce_sum(f, axes=(0, 1))  # f32[]  jax_shard_map.py:25
    i = lax.div(h, np.float32(16.0))  # f32[]  jax_shard_map.py:25
    j = reshard_p.bind(  # f32[]  jax_shard_map.py:25
        np.float32(1.0), concrete_mesh=None, dst_sharding=jax.sharding.NamedSharding(mesh.abstract_mesh, P())
    )
    k = lax.div(j, np.float32(16.0))  # f32[]  jax_shard_map.py:25
    l = lax.broadcast_in_dim_p.bind(  # f32[8,2]  jax_shard_map.py:25
        k,
        broadcast_dimensions=(),
        shape=(8, 2),
        sharding=jax.sharding.NamedSharding(mesh.abstract_mesh, P(None, None)),
    )
    m = lax.mul(l, g)  # f32[8,2]  jax_shard_map.py:25
    n = normalise_2(c, e, m)  # f32[3,2]  jax_shard_map.py:25
    o = lax.mul(np.float32(0.1), n)  # f32[3,2]  jax_shard_map.py:26
    p = lax.sub(a, o)  # f32[3,2]  jax_shard_map.py:26
    q = lax.sharding_constraint_p.bind(  # f32[3,2]  jax_shard_map.py:26
        p,
        context_mesh=empty_concrete_mesh,
        layout=None,
        sharding=jax.sharding.NamedSharding(mesh, P()),
        unconstrained_dims=frozenset(),
    )
    # result[0], result[1]
    return q, i


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
