"""DaCe 2.0.0b1: an IFFT of complex64 gives zeros.

The pure expansion of `IFFT` (`dace/libraries/fft/algorithms/dft.py`) multiplies by the node's `factor`, which is a
double in C++, 1/4 for four numbers:

    b = decltype(b)(cos(exponent), sin(exponent)) * inp * 0.25;

`std::complex<float>` has no product with a double, and `dace/complex.h` has one with an int: the factor is converted to
0. Of complex128 all is right; so is an FFT, whose factor is 1.

    python corpus/dace/ifft_of_single.py        exit status 1: bug present

Found when `canonical` got DaCe's nodes for transforms. jace's work-around (`bug:ifft_of_single` among the steps of a
pipeline switches it off): an inverse transform of complex64 is no IFFT.
"""

import sys
import tempfile

import dace
import numpy as np
from dace.libraries.fft import IFFT


def inverse(dtype):
    """y = the inverse transform of x."""
    sdfg = dace.SDFG(f"ifft_of_{dtype.to_string()}")
    sdfg.add_array("x", [4], dtype)
    sdfg.add_array("y", [4], dtype)
    state = sdfg.add_state()
    node = IFFT("ifft")
    node.factor, node.implementation = 0.25, "pure"
    state.add_node(node)
    state.add_edge(state.add_read("x"), None, node, "_inp", dace.Memlet("x[0:4]"))
    state.add_edge(node, "_out", state.add_write("y"), None, dace.Memlet("y[0:4]"))
    return sdfg


def main():
    print("dace", dace.__version__)
    x = np.array([1, 2j, 3, 4])
    expected, right = np.fft.ifft(x), True
    for dtype, kind in ((dace.complex128, np.complex128), (dace.complex64, np.complex64)):
        y = np.zeros(4, kind)
        sdfg = inverse(dtype)
        with tempfile.TemporaryDirectory() as folder:
            sdfg.build_folder = folder
            sdfg(x=x.astype(kind), y=y)
        right = np.allclose(y, expected, atol=1e-6)
        print(f"{kind.__name__}: {y}, NumPy: {expected}")
    print("bug not shown" if right else "bug present")
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
