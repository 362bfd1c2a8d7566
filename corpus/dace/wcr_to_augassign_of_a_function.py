"""DaCe 2.0.0b1: WCRToAugAssign matches a resolution that calls a function, and raises NotImplementedError when applied.

`can_be_applied` looks for a write-conflict resolution of any kind; `apply` knows binary operators, `min` and `max`.

    python corpus/dace/wcr_to_augassign_of_a_function.py        applies it; exit status 1: bug present

Found by `canonical/xform:WCRToAugAssign`: a maximum that passes NaN on, as XLA's does, is a function of its own.
"""

import sys

import dace
from dace.transformation.dataflow.wcr_conversion import WCRToAugAssign


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("wcr_to_augassign_of_a_function")
    sdfg.add_array("a", [4], dace.float64)
    sdfg.add_array("b", [1], dace.float64)
    state = sdfg.add_state()
    state.add_mapped_tasklet(
        "largest",
        {"i": "0:4"},
        {"x": dace.Memlet("a[i]")},
        "y = x",
        {"y": dace.Memlet("b[0]", wcr="lambda p, q: my_maximum(p, q)")},
        external_edges=True,
    )
    sdfg.validate()
    try:
        print(f"applied {sdfg.apply_transformations(WCRToAugAssign)} times")
    except NotImplementedError as error:
        print(f"NotImplementedError: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
