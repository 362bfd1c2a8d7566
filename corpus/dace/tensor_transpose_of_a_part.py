"""DaCe 2.0.0b1: TensorTranspose takes no part of an array, and simplify gives it one.

The node takes the shapes of its operands from their arrays and not from its memlets. What it writes is copied to a part
of another array here; `RedundantArray` (in simplify) takes the copy away and has the node write that part. Then
validation fails:

    InvalidSDFGNodeError: Node validation failed: The permutation of the input shape does not match the output shape.

    python corpus/dace/tensor_transpose_of_a_part.py        exit status 1: bug present

(`Transpose`, for matrices, looks at its memlets.) Found by `jace-repro fuzz` on `canonical/simplify`: a transposed
array that is concatenated with another. jace's work-around (`bug:tensor_transpose_of_a_part` among the steps of a
pipeline switches it off): a transposition of anything but a matrix is a map.
"""

import contextlib
import sys
import tempfile

import dace
from dace.libraries.linalg import TensorTranspose
from dace.sdfg.validation import InvalidSDFGError


def turned():
    """y[0:2] = x.transpose(0, 2, 1)."""
    sdfg = dace.SDFG("turned")
    sdfg.add_array("x", [2, 3, 4], dace.float64)
    sdfg.add_transient("t", [2, 4, 3], dace.float64)
    sdfg.add_array("y", [5, 4, 3], dace.float64)
    state = sdfg.add_state()
    node = TensorTranspose("turn", axes=[0, 2, 1])
    state.add_node(node)
    copied = state.add_access("t")
    state.add_edge(state.add_read("x"), None, node, "_inp_tensor", dace.Memlet("x[0:2, 0:3, 0:4]"))
    state.add_edge(node, "_out_tensor", copied, None, dace.Memlet("t[0:2, 0:4, 0:3]"))
    part = dace.Memlet("t[0:2, 0:4, 0:3]", other_subset="0:2, 0:4, 0:3")
    state.add_edge(copied, None, state.add_write("y"), None, part)
    return sdfg


def main():
    print("dace", dace.__version__)
    sdfg = turned()
    sdfg.validate()
    print("before simplify: valid")
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):  # DaCe writes what is invalid there
        try:
            sdfg.simplify()
        except InvalidSDFGError as error:
            print(f"simplify: {type(error).__name__}: {str(error).splitlines()[0]}\nbug present")
            return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
