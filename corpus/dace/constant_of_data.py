"""DaCe 2.0.0b1: ConstantPropagation takes `t[0] == t[0]` for a constant and writes it into tasklets that do not read t.

    t[0] = a[0] + 1
    (on the edge to the next state) number = t[0] == t[0]
    c[0] = t[0] if number else 0

The comparison of a term with itself has no free symbols to SymPy. (It is the test for NaN, and no constant.) In the
tasklet the text names a container: that compiles by chance, as long as the container is a variable of that name. As the
last step of `auto_optimize`, `make_transients_persistent` makes it a member of the state: the C++ does not compile.

    python corpus/dace/constant_of_data.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/auto-optimize`: `where(x == x, x, 1)` after a reduction.
"""

import sys

import dace
from dace.transformation import pass_pipeline
from dace.transformation.passes.constant_propagation import ConstantPropagation


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("constant_of_data")
    sdfg.add_array("a", [1], dace.float64)
    sdfg.add_transient("t", [1], dace.float64)
    sdfg.add_array("c", [1], dace.float64)
    sdfg.add_symbol("number", dace.bool_)
    first = sdfg.add_state(is_start_block=True)
    tasklet = first.add_tasklet("add", {"x"}, {"y"}, "y = x + 1")
    first.add_edge(first.add_read("a"), None, tasklet, "x", dace.Memlet("a[0]"))
    first.add_edge(tasklet, "y", first.add_write("t"), None, dace.Memlet("t[0]"))
    second = sdfg.add_state()
    sdfg.add_edge(first, second, dace.InterstateEdge(assignments={"number": "t[0] == t[0]"}))
    tasklet = second.add_tasklet("choose", {"x"}, {"y"}, "y = x if number else 0")
    second.add_edge(second.add_read("t"), None, tasklet, "x", dace.Memlet("t[0]"))
    second.add_edge(tasklet, "y", second.add_write("c"), None, dace.Memlet("c[0]"))
    sdfg.validate()
    pass_pipeline.Pipeline([ConstantPropagation()]).apply_pass(sdfg, {})
    sdfg.validate()
    print(f"the tasklet has the connectors {sorted(tasklet.in_connectors)} and is: {tasklet.code.as_string}")
    present = "t[0]" in tasklet.code.as_string
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
