"""DaCe 2.0.0b1: Einsum takes dimensions of one role as one, in whatever order the operands have them.

    ij,ji->         both are summed over: sum of a[i, j] * b[j, i]
    ba,ab->ab       both are batch dimensions

The expansion to a (batched) matrix product multiplies the extents of all dimensions of a role, and never compares
their order in the operands and the result: what it computes is `ij,ij->` and the like.

    python corpus/dace/einsum_order.py        prints both results; exit status 1: bug present

Found by random contractions (`lax.dot_general`) on `canonical`. Work-around: `_Subscripts.is_einsum` in
`jace/rules/nodes/products.py` takes Einsum only where dimensions of one role stand together and in one order.
"""

import sys

import dace
import numpy as np
from dace.libraries.blas.nodes.einsum import Einsum


def contraction(number, subscripts, a, b, out):
    """An SDFG of one Einsum node."""
    sdfg = dace.SDFG(f"einsum_order_{number}")
    state = sdfg.add_state()
    node = Einsum("einsum")
    node.einsum_str = subscripts
    state.add_node(node)
    for name, shape in {"_a": a.shape, "_b": b.shape, "_c": out.shape or (1,)}.items():
        array = name.strip("_")
        sdfg.add_array(array, shape, dace.float64)
        memlet = dace.Memlet.from_array(array, sdfg.arrays[array])
        if name == "_c":
            node.add_out_connector(name)
            state.add_edge(node, name, state.add_write(array), None, memlet)
        else:
            node.add_in_connector(name)
            state.add_edge(state.add_read(array), None, node, name, memlet)
    return sdfg


def main():
    print("dace", dace.__version__)
    rng = np.random.default_rng(0)
    present = False
    for number, (subscripts, shapes) in enumerate(
        {"ij,ji->": ((2, 3), (3, 2)), "ba,ab->ab": ((3, 2), (2, 3))}.items()
    ):
        a, b = (rng.integers(0, 9, shape).astype(np.float64) for shape in shapes)
        expected = np.einsum(subscripts, a, b)
        out = np.zeros(expected.shape or (1,))
        contraction(number, subscripts, a, b, expected)(a=a, b=b, c=out)
        right = np.array_equal(out.reshape(expected.shape), expected)
        print(f"{subscripts}: {'right' if right else 'wrong'}\n{out}\nexpected\n{expected}")
        present |= not right
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
