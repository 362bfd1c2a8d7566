# /// jace-repro
# schema = 1
# name = "normalise"
# origin = "scripts/libraries/jax_shard_map.py:14 (normalise)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "3d4ba2def0ab1d4e5d259515fcc2e1417f07a8389aa6188974731e4cda9519e7"
# outputs_sha256 = "04a79d4dbcfe09fa62121a30078b1b680bc72898caf4b1e11411ba2e305a048a"
# sidecar_sha256 = "a24b7eb052d7559ad5564bd5a4daa2079b7b85b2dca775083c84b7a9b174c67d"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""normalise (jax_shard_map.py:14): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src.core import pvary_p
from jax._src.lax.parallel import psum_invariant_p
from jax.sharding import PartitionSpec as P

f32 = np.dtype("float32")


SIDECAR_SHA256 = "a24b7eb052d7559ad5564bd5a4daa2079b7b85b2dca775083c84b7a9b174c67d"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


mesh = jax.make_mesh((1,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))


@jax.shard_map(
    mesh=mesh, in_specs=(P("data"), P()), out_specs=(P("data"), P()), axis_names=frozenset({"data"})
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
    m = lax.reduce_sum(l, axes=(0, 1))  # f32[]{V:data}  jax_shard_map.py:19
    n = psum_invariant_p.bind(m, axes=("data",))  # f32[]  jax_shard_map.py:19
    return k, n


def inputs():
    return [
        jax.device_put(ARRAYS["x0"], jax.sharding.NamedSharding(mesh, P(None, None))),  # a = x: f32[8,3]
        # b = weights: f32[3,2]
        jax.device_put(
            np.array(
                [[0.22760467, -0.18375407], [-1.8819311, -0.44137427], [0.07670941, 0.09896942]], np.float32
            ),
            jax.sharding.NamedSharding(mesh, P(None, None)),
        ),
    ]


def repro(a, b):
    c, d = shard(a, b)  # f32[8,2], f32[]
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
