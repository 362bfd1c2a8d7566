"""DaCe 2.0.0b1: ArgMax and ArgMin answer an index that there is not where all numbers are infinite.

The expansion of the nodes (`dace/libraries/standard/nodes/argminmax.py`), "numpy argmin / argmax", begins with the
least finite number (`dtypes.min_value`) as the largest so far, and with the number of elements as its index. Of
minus infinity alone nothing is larger than that and nothing equals it, and the index stays: 2 of two elements. They
pass over a NaN, too, which NumPy takes for the extreme.

    python corpus/dace/argmax_of_infinite.py        exit status 1: bug present

Found when `canonical` got DaCe's nodes for places of extremes, by reading. jace's work-around (`bug:argmax_of_infinite`
among the steps of a pipeline switches it off): only integers have the node.
"""

import sys
import tempfile

import dace
import numpy as np
from dace.libraries.standard import ArgMax, ArgMin


def place(node):
    """index[0] = where the extreme of x is."""
    sdfg = dace.SDFG(f"place_by_{type(node).__name__}")
    sdfg.add_array("x", [2], dace.float32)
    sdfg.add_array("index", [1], dace.int64)
    state = sdfg.add_state()
    state.add_node(node)
    state.add_edge(state.add_read("x"), None, node, "_x", dace.Memlet("x[0:2]"))
    state.add_edge(node, "_idx", state.add_write("index"), None, dace.Memlet("index[0]"))
    return sdfg


def main():
    print("dace", dace.__version__)
    right = True
    for node, function, values in (
        (ArgMax, np.argmax, [-np.inf, -np.inf]),
        (ArgMin, np.argmin, [np.inf, np.inf]),
        (ArgMax, np.argmax, [np.nan, 1.0]),
        (ArgMax, np.argmax, [1.0, 2.0]),
    ):
        x, index = np.array(values, np.float32), np.zeros(1, np.int64)
        sdfg = place(node("extreme", one_based=False, dim=1))
        with tempfile.TemporaryDirectory() as folder:
            sdfg.build_folder = folder
            sdfg(x=x, index=index)
        right &= int(index[0]) == function(x)
        print(f"{node.__name__} of {values}: {index[0]}, NumPy: {function(x)}")
    print("bug not shown" if right else "bug present")
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
