"""DaCe 2.0.0b1: LiftEinsum makes an Einsum of a map with an axis of one element, whose operand has lost that axis.

    for i in 0:2, j in 0:1: c[i, j] = a[i, j] * b[i, j]

The subscripts are those of the tasklet's memlets, "ij,ij->ij"; the memlets into the node are those of the map, of which
the axis of one element is squeezed. The expansion of the node then raises.

    python corpus/dace/lift_einsum_axis_of_one.py        applies and expands it; exit status 1: bug present

Found by `canonical/xform:LiftEinsum`: a product of arrays of shape (2, 1).
"""

import sys

import dace
from dace.transformation.dataflow.lift_einsum import LiftEinsum


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("lift_einsum_axis_of_one")
    for name in "abc":
        sdfg.add_array(name, [2, 1], dace.float64)
    state = sdfg.add_state()
    state.add_mapped_tasklet(
        "product",
        {"i": "0:2", "j": "0:1"},
        {"x": dace.Memlet("a[i, j]"), "y": dace.Memlet("b[i, j]")},
        "z = x * y",
        {"z": dace.Memlet("c[i, j]")},
        external_edges=True,
    )
    sdfg.validate()
    applied = sdfg.apply_transformations(LiftEinsum)
    print(f"applied {applied} times: {[str(node) for node in state.nodes()]}")
    try:
        sdfg.expand_library_nodes()
        sdfg.validate()
    except Exception as error:
        print(f"{type(error).__name__}: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
