"""DaCe 2.0.0b1: RedundantArray makes a view of a part of an array with the strides of the array that it replaces.

A Reduce writes t, which is copied to the first two columns of y. `RedundantArray` (in simplify) cannot have the node
write to y, whose strides are others, and makes t a view of that part; but the view keeps the strides that t had when it
was an array of its own, and the rows of the sums are written side by side.

    python corpus/dace/view_without_strides.py        exit status 1: bug present

(`RedundantSecondArray` sets the strides of such a view since DaCe PR 2188, which says of `RedundantArray`: "a possible
other bug ... but was unable to find a reproducer".) Found by jace on `canonical/simplify`: a sum that is concatenated
with something else. jace's work-around (`bug:view_without_strides` among the steps of a pipeline switches it off): a
copy of what a Reduce writes is a map.
"""

import contextlib
import sys
import tempfile

import dace
import numpy as np


def sums(name):
    """y[i, k] = sum over j of x[i, j, k], for k < 2."""
    sdfg = dace.SDFG(name)
    sdfg.add_array("x", [2, 3, 2], dace.float64)
    sdfg.add_array("y", [2, 3], dace.float64)
    sdfg.add_transient("t", [2, 2], dace.float64)
    state = sdfg.add_state()
    node = state.add_reduce("lambda a, b: a + b", [1], 0)
    summed = state.add_access("t")
    state.add_edge(state.add_read("x"), None, node, None, dace.Memlet("x[0:2, 0:3, 0:2]"))
    state.add_edge(node, None, summed, None, dace.Memlet("t[0:2, 0:2]"))
    state.add_edge(
        summed, None, state.add_write("y"), None, dace.Memlet("t[0:2, 0:2]", other_subset="0:2, 0:2")
    )
    sdfg.validate()
    return sdfg


def main():
    print("dace", dace.__version__)
    x = np.arange(12.0).reshape(2, 3, 2)
    found = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in ("as_it_is", "simplified"):
            sdfg, y = sums(name), np.zeros((2, 3))
            if name == "simplified":
                sdfg.simplify()
                told = {k: (type(d).__name__, d.strides) for k, d in sdfg.arrays.items() if k != "x"}
                print(f"after simplify: {told}")
            sdfg(x=x.copy(), y=y)
            found[name] = y
    expected = np.pad(x.sum(1), ((0, 0), (0, 1)))
    print(f"NumPy:\n{expected}\nas it is:\n{found['as_it_is']}\nsimplified:\n{found['simplified']}")
    bug = np.array_equal(found["as_it_is"], expected) and not np.array_equal(found["simplified"], expected)
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
