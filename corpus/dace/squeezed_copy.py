"""DaCe 2.0.0b1: simplify raises where an array is copied to one without its axes of one element.

    t = x[0, :, 0]; y = 2 t

`RedundantSecondArray` (in `ArrayElimination`, which simplify runs) is to have the map read `x` instead of `t`.
`find_dims_to_pop2` answers the axes that have gone from the first to the last, and `pop_dims` takes them out of the
subset in that order: of the axes 0 and 2 the second is not there any more when it is asked for. (Other callers give
them from the last to the first.)

    IndexError: pop index out of range

    python corpus/dace/squeezed_copy.py        exit status 1: bug present

Found by `canonical/simplify` on `x[1, :, None, 0]`. jace's work-around (`bug:squeezed_copy` among the steps of a
pipeline switches it off): what takes away or adds axes of one element, and does nothing else, is a map.
"""

import sys

import dace


def doubled(axes):
    """y = 2 x, by way of a copy of x without its axes of one element; these come first, or stand around the other."""
    shape, subset = ([1, 2, 1], "0, 0:2, 0") if axes == "around" else ([1, 1, 2], "0, 0, 0:2")
    sdfg = dace.SDFG(f"doubled_{axes}")
    sdfg.add_array("x", shape, dace.float64)
    sdfg.add_transient("t", [2], dace.float64)
    sdfg.add_array("y", [2], dace.float64)
    first, second = sdfg.add_state(), sdfg.add_state()
    sdfg.add_edge(first, second, dace.InterstateEdge())
    copy = dace.Memlet(data="x", subset=subset, other_subset="0:2")
    first.add_edge(first.add_read("x"), None, first.add_write("t"), None, copy)
    second.add_mapped_tasklet(
        "double",
        {"i": "0:2"},
        {"a": dace.Memlet("t[i]")},
        "b = 2 * a",
        {"b": dace.Memlet("y[i]")},
        external_edges=True,
    )
    return sdfg


def main():
    print("dace", dace.__version__)
    doubled("first").simplify()
    print("axes first: simplified")
    try:
        doubled("around").simplify()
    except IndexError as error:
        print(f"axes around: IndexError: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
