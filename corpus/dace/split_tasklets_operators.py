"""DaCe 2.0.0b1: SplitTasklets raises KeyError on a tasklet with a bitwise operator.

    c = (a & b) | 1         KeyError: <class 'ast.BitAnd'>

The pass looks the operators of a tasklet up in a table that has arithmetic and comparisons only.

    python corpus/dace/split_tasklets_operators.py        applies it; exit status 1: bug present

Found by `canonical/xform:SplitTasklets` on programs with `&`, `|`, `^` and shifts of integers.
"""

import sys

import dace
from dace.transformation.passes.split_tasklets import SplitTasklets


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("split_tasklets_operators")
    for name in "abc":
        sdfg.add_array(name, [1], dace.int32)
    state = sdfg.add_state()
    tasklet = state.add_tasklet("bits", {"x", "y"}, {"z"}, "z = (x & y) | 1")
    for array, connector in (("a", "x"), ("b", "y")):
        state.add_edge(state.add_read(array), None, tasklet, connector, dace.Memlet(f"{array}[0]"))
    state.add_edge(tasklet, "z", state.add_write("c"), None, dace.Memlet("c[0]"))
    sdfg.validate()
    try:
        SplitTasklets().apply_pass(sdfg, {})
        sdfg.validate()
    except KeyError as error:
        print(f"SplitTasklets raises KeyError: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
