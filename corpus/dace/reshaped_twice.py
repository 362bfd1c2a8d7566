"""DaCe 2.0.0b1: simplify raises on an array that is reshaped and reshaped back, by views with an axis of one element.

    t = x.reshape(4, 1); y = t.reshape(2, 1, 2)        # x: (2, 1, 2)

`RedundantWriteSlice` (in `ArrayElimination`, which simplify runs) takes the second view for a slice of the first. It
composes their subsets, of two and of three axes.

    ValueError: Dimension mismatch in composition: Subset composed must be either completely stripped of all non-data
    dimensions or be not stripped of latter at all.

    python corpus/dace/reshaped_twice.py        exit status 1: bug present

DaCe issue 1515 (open) has the same error, of a larger SDFG.
Found by `jace-repro fuzz` on `canonical/simplify`. jace's work-around (`bug:reshaped_twice` among the steps of a
pipeline switches it off): a reshape from or to a shape with an axis of one element is a map.
"""

import sys

import dace


def reshaped(shape, between):
    """y = x, by way of an array of another shape; each copy is one of a view."""
    sdfg = dace.SDFG("reshaped")
    sdfg.add_array("x", shape, dace.float64)
    sdfg.add_transient("t", between, dace.float64)
    sdfg.add_array("y", shape, dace.float64)
    sdfg.add_view("v", between, dace.float64)
    sdfg.add_view("w", shape, dace.float64)
    last = None
    for source, view, target in (("x", "v", "t"), ("t", "w", "y")):
        state = sdfg.add_state(is_start_block=last is None)
        if last is not None:
            sdfg.add_edge(last, state, dace.InterstateEdge())
        seen = state.add_access(view)
        of = dace.Memlet.from_array(source, sdfg.arrays[source])
        state.add_edge(state.add_read(source), None, seen, "views", of)
        state.add_edge(
            seen, None, state.add_write(target), None, dace.Memlet.from_array(target, sdfg.arrays[target])
        )
        last = state
    return sdfg


def main():
    print("dace", dace.__version__)
    reshaped([2, 3, 2], [4, 3]).simplify()
    print("(2, 3, 2), (4, 3), (2, 3, 2): simplified")
    try:
        reshaped([2, 1, 2], [4, 1]).simplify()
    except ValueError as error:
        print(f"(2, 1, 2), (4, 1), (2, 1, 2): ValueError: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
