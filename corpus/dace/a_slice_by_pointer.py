"""DaCe 2.0.0b1: RedundantSecondArray gives a C++ tasklet a part of an array, with strides that it does not know.

A tasklet reads a contiguous copy of x[:, 0:2] through a pointer. Simplify removes the copy: the memlet becomes
x[0:3, 0:2], and its pointer now points into x, whose rows are four elements apart. The pass compares strides where the
copy is read by a nested SDFG, and not where it is read by a tasklet, whose code cannot be changed.

    python corpus/dace/a_slice_by_pointer.py        prints both results; exit status 1: bug present

Found by a convolution of a slice on `canonical/simplify`, when jace's slices became copies between access nodes.
Work-around: `jace/plan/copies.py` makes maps of copies that a tasklet reads or writes through a pointer.
"""

import sys

import dace
import numpy as np


def sum_of_slice(name):
    """out = the sum of x[:, 0:2] for a 3x4 matrix."""
    sdfg = dace.SDFG(name)
    sdfg.add_array("x", [3, 4], dace.float64)
    sdfg.add_array("out", [1], dace.float64)
    sdfg.add_transient("part", [3, 2], dace.float64)
    state = sdfg.add_state()
    part = state.add_access("part")
    state.add_edge(
        state.add_read("x"),
        None,
        part,
        None,
        dace.Memlet(data="x", subset="0:3, 0:2", other_subset="0:3, 0:2"),
    )
    tasklet = state.add_tasklet(
        "add_up",
        {"p": dace.pointer(dace.float64)},
        {"result": dace.float64},
        "result = 0; for (int i = 0; i < 6; ++i) result += p[i];",
        language=dace.Language.CPP,
    )
    state.add_edge(part, None, tasklet, "p", dace.Memlet(data="part", subset="0:3, 0:2"))
    state.add_edge(tasklet, "result", state.add_write("out"), None, dace.Memlet("out[0]"))
    return sdfg


def main():
    print("dace", dace.__version__)
    x = np.arange(12.0).reshape(3, 4).copy()
    expected = x[:, :2].sum()
    for name in ("before", "after"):
        sdfg, out = sum_of_slice(f"slice_{name}"), np.zeros(1)
        if name == "after":
            sdfg.simplify()
        sdfg(x=x, out=out)
        print(f"{name} simplify: {out[0]}, expected {expected}")
    present = out[0] != expected
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
