"""DaCe 2.0.0b1: DeadDataflowElimination raises NotImplementedError where a map is dead whose tasklet is C++.

    for i in 0:9:  t[i] = 0        (a tasklet in C++; nobody reads t)
    c[0] = a[0] + 1

The access node is taken out first, and an empty memlet connects the tasklet to the map's exit, from no connector. Then
the exit is taken out: the type of the connector None is asked for, and is not to be had. A tasklet in Python passes.

    python corpus/dace/dead_map_of_cpp.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/auto-optimize`: a convolution of integers whose sums are initialised in a
map, which the convolution no longer reads once it is one map with what follows.
"""

import sys

import dace
from dace.transformation import pass_pipeline
from dace.transformation.passes.dead_dataflow_elimination import DeadDataflowElimination


def program(language):
    sdfg = dace.SDFG("dead_map")
    sdfg.add_array("a", [1], dace.float64)
    sdfg.add_array("c", [1], dace.float64)
    sdfg.add_transient("t", [9], dace.float64)
    state = sdfg.add_state(is_start_block=True)
    code = "y = 0;" if language is dace.Language.CPP else "y = 0"
    state.add_mapped_tasklet(
        "fill", {"i": "0:9"}, {}, code, {"y": dace.Memlet("t[i]")}, language=language, external_edges=True
    )
    tasklet = state.add_tasklet("add", {"x"}, {"y"}, "y = x + 1")
    state.add_edge(state.add_read("a"), None, tasklet, "x", dace.Memlet("a[0]"))
    state.add_edge(tasklet, "y", state.add_write("c"), None, dace.Memlet("c[0]"))
    sdfg.validate()
    return sdfg


def main():
    print("dace", dace.__version__)
    present = False
    for language in (dace.Language.Python, dace.Language.CPP):
        sdfg = program(language)
        try:
            pass_pipeline.Pipeline([DeadDataflowElimination()]).apply_pass(sdfg, {})
            sdfg.validate()
            print(f"{language.name}: {len(sdfg.start_state.nodes())} nodes are left")
        except NotImplementedError as error:
            print(f"{language.name}: NotImplementedError: {error}")
            present = True
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
