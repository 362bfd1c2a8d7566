"""DaCe 2.0.0b1: Einsum reads a part of an array as if its elements lay side by side.

The node is given the first column of a matrix by its memlet, and computes `b,bf->f` with it. The SDFG that it expands
to has an array of the right strides for that, and in it a product whose operands have strides of their own, made of the
letters and lengths alone (`create_batch_gemm_sdfg` in dace/frontend/common/einsum.py): the first two elements of the
matrix are read in the place of its first column.

    python corpus/dace/einsum_of_a_part.py        exit status 1: bug present

`RedundantSecondArray` (in simplify) gives the node such a part where it was given a copy. Found by a program of the
sample, on `canonical/auto-optimize`: the product of a slice with the array that it is of. jace's work-around
(`bug:einsum_of_a_part` among the steps of a pipeline switches it off): a copy of what an Einsum reads or writes is a
map.
"""

import contextlib
import sys
import tempfile

import dace
import numpy as np
from dace.libraries.blas.nodes.einsum import Einsum


def product(part):
    """c[f] = sum over b of x[b, 0] * x[b, f]; by way of a copy of the column, or of a part of x."""
    sdfg = dace.SDFG("of_a_part" if part else "of_a_copy")
    sdfg.add_array("x", [2, 2], dace.float64)
    sdfg.add_array("c", [2], dace.float64)
    sdfg.add_transient("column", [2], dace.float64)
    state = sdfg.add_state()
    node = Einsum("einsum")
    node.einsum_str = "b,bf->f"
    state.add_node(node)
    read = state.add_read("x")
    for name in ("_a", "_b"):
        node.add_in_connector(name)
    node.add_out_connector("_c")
    if part:
        state.add_edge(read, None, node, "_a", dace.Memlet("x[0:2, 0]"))
    else:
        copied = state.add_access("column")
        state.add_edge(read, None, copied, None, dace.Memlet("x[0:2, 0]", other_subset="0:2"))
        state.add_edge(copied, None, node, "_a", dace.Memlet("column[0:2]"))
    state.add_edge(read, None, node, "_b", dace.Memlet("x[0:2, 0:2]"))
    state.add_edge(node, "_c", state.add_write("c"), None, dace.Memlet("c[0:2]"))
    sdfg.validate()
    return sdfg


def main():
    print("dace", dace.__version__)
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for part in (False, True):
            c = np.zeros(2)
            product(part)(x=x.copy(), c=c)
            found[part] = c
    expected = np.einsum("b,bf->f", x[:, 0], x)
    print(f"NumPy: {expected}; a copy of the column: {found[False]}; a part of x: {found[True]}")
    bug = np.array_equal(found[False], expected) and not np.array_equal(found[True], expected)
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
