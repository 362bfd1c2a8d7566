# /// jace-repro
# schema = 1
# name = "composed/731000082"
# origin = "jace-repro fuzz: composed/731000082"
# pipeline = "canonical/auto-optimize"
# outcome = "mismatch"
# signature = "edb6e0a04233"
# fingerprint = "11e9c4744d3a9eefc656cfc4cc8bdb6b287a5831b02f13bdc6559dab4041ae7e"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""composed/731000082 (731000082): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

S = jax.ShapeDtypeStruct
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


mesh = jax.make_mesh((1,), ("devices",), axis_types=(jax.sharding.AxisType.Auto,))


def body(a, b):
    c = lax.psum_p.bind(b, axes=("devices",), axis_index_groups=None)  # i32[4]  731000082 76039339>:44
    d = lax.add(a, c)  # i32[4]  731000082 76039339>:45
    return d, a


@jax.shard_map(
    mesh=mesh,
    in_specs=(P("devices"),),
    out_specs=P("devices"),
    axis_names=frozenset({"devices"}),
    check_vma=False,
)
def shard(a):
    b = lax.slice(a, (0, 0), (1, 4))  # i32[1,4]  731000082 76039339>:57
    c = lax.squeeze(b, (0,))  # i32[4]  731000082 76039339>:58
    _, d = lax.scan_p.bind(  # i32[4], i32[5,4]  731000082 76039339>:59
        c,
        a,
        jaxpr=J(body, S((4,), i32), S((4,), i32)),
        length=5,
        num_carry=1,
        num_consts=0,
        reverse=False,
        unroll=1,
    )
    return d


def inputs():
    return [
        np.full((5, 4), 1, np.int32),  # a: i32[5,4]
    ]


def repro(a):
    b = shard(a)  # i32[5,4]  731000082 76039339>:79
    return b


FINDING = """\
Above is what XLA computes, and it is right.
jace-repro found a mismatch on pipeline canonical/auto-optimize. DaCe's outputs are wrong: they
differ from XLA's and from a higher-precision evaluation by more than rounding explains.
  output 0[0, 0]: expected 1, got 2
  output 0[0, 1]: expected 1, got 2
  output 0[0, 2]: expected 1, got 2
  output 0[0, 3]: expected 1, got 2
  output 0[1, 0]: expected 2, got 3
  output 0[1, 1]: expected 2, got 3
  output 0[1, 2]: expected 2, got 3
  output 0[1, 3]: expected 2, got 3
  ... 20 elements of output 0 are wrong
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
