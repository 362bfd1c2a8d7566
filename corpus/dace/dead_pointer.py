"""DaCe 2.0.0b1: DeadDataflowElimination leaves a C++ tasklet with a pointer to nowhere.

A tasklet writes one element through a connector that is a pointer, and nobody reads the element. The pass (it is one of
simplify's) removes the memlet and the connector, and declares a variable of the connector's type in the tasklet:

    double* work;        // points nowhere
    work[0] = 2 * in;    // and is written through

Its check for pointers (`l.data.volume > 1`) lets an access of one element pass. With two elements all is right.

    python corpus/dace/dead_pointer.py        prints the tasklet before and after; exit status 1: bug present

Found by the campaign of clean programs: `jnp.linalg.cholesky` of a 1x1 matrix crashes on `canonical/simplify` and
`canonical/auto-optimize` (its work area has one element). jace's work-around (`bug:dead_pointer` among the steps of a
pipeline switches it off): a routine has memory of its own for what nobody reads.
"""

import sys

import dace
from dace.transformation.pass_pipeline import Pipeline
from dace.transformation.passes.dead_dataflow_elimination import DeadDataflowElimination


def one_tasklet(elements):
    """y = 4 x by a C++ tasklet that keeps 2 x in a work area of so many elements."""
    sdfg = dace.SDFG(f"dead_pointer_{elements}")
    sdfg.add_array("x", [1], dace.float64)
    sdfg.add_array("y", [1], dace.float64)
    sdfg.add_transient("w", [elements], dace.float64)
    state = sdfg.add_state()
    pointer = dace.pointer(dace.float64)
    tasklet = state.add_tasklet(
        "twice",
        {"value"},
        {"work": pointer, "result": pointer},
        "work[0] = 2 * value; result[0] = 2 * work[0];",
        language=dace.Language.CPP,
    )
    state.add_edge(state.add_read("x"), None, tasklet, "value", dace.Memlet("x[0]"))
    for connector, data, size in (("work", "w", elements), ("result", "y", 1)):
        memlet = dace.Memlet(data=data, subset=f"0:{size}", dynamic=True)
        state.add_edge(tasklet, connector, state.add_write(data), None, memlet)
    return sdfg, tasklet


def main():
    print("dace", dace.__version__)
    present = False
    for elements in (2, 1):
        sdfg, tasklet = one_tasklet(elements)
        before = tasklet.code.as_string
        Pipeline([DeadDataflowElimination()]).apply_pass(sdfg, {})
        after = tasklet.code.as_string
        print(f"\nwork area of {elements}, before:\n{before}\nafter:\n{after}")
        present = "work" not in tasklet.out_connectors
    print("\nbug present" if present else "\nbug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
