"""DaCe 2.0.0b1: threads share the temporaries of an SDFG that is inlined into a parallel map.

    for i: t = 2 * x[i]; y[i] = t + 1, where t lives as long as its SDFG

`LoopToMap` makes a map of the loop, whose body is a nested SDFG with a `t` of its own: allocated "throughout the
innermost SDFG", so once an iteration. `simplify` inlines it (`InlineSDFG`), and `t` is "throughout" the outer one then:
it is allocated before the map, and all threads write to it.

    python corpus/dace/inlined_temporaries.py        generates code, and says where t is declared; exit status 1: bug
                                                     present

Found by a test of `canonical/auto-optimize` that failed once in a thousand runs (`lax.map(lax.linalg.lu, x)`); the
tester convicts it each time (`nondeterministic`). jace's work-around (`bug:inlined_temporaries` among the steps of a
pipeline switches it off): after each of DaCe's steps, what is accessed within a map alone has its scope's lifetime.
"""

import sys

import dace
from dace.codegen import codegen
from dace.sdfg.state import LoopRegion
from dace.transformation.interstate import LoopToMap


def doubled():
    """y = 2 x + 1, row by row."""
    sdfg = dace.SDFG("doubled")
    for name in "xy":
        sdfg.add_array(name, [8, 4], dace.float64)
    sdfg.add_transient("t", [4], dace.float64, lifetime=dace.AllocationLifetime.SDFG)
    loop = LoopRegion("rows", "i < 8", "i", "i = 0", "i = i + 1")
    sdfg.add_node(loop, is_start_block=True)
    state = loop.add_state("row", is_start_block=True)
    kept = state.add_access("t")
    code = "for (int k = 0; k < 4; ++k) b[k] = {};"
    pointers = {name: dace.pointer(dace.float64) for name in "ab"}
    for label, source, text, target in (
        ("double", state.add_read("x"), "2 * a[k]", kept),
        ("add", kept, "a[k] + 1", state.add_write("y")),
    ):
        tasklet = state.add_tasklet(
            label, {"a": pointers["a"]}, {"b": pointers["b"]}, code.format(text), dace.Language.CPP
        )
        for node, is_read in ((source, True), (target, False)):
            memlet = dace.Memlet("t[0:4]" if node is kept else f"{node.data}[i, 0:4]")
            state.add_edge(*((node, None, tasklet, "a") if is_read else (tasklet, "b", node, None)), memlet)
    return sdfg


def shared(sdfg):
    """Whether t is declared before the parallel loop, in the function that has it."""
    code = next(made.clean_code for made in codegen.generate_code(sdfg) if made.linkable)
    loop = code.index("#pragma omp parallel for")
    before = code[code.rindex("void ", 0, loop) : loop]
    return "double *t;" in before or "double t[4]" in before


def main():
    print("dace", dace.__version__)
    said = {}
    for name in ("nested", "inlined"):
        sdfg = doubled()
        assert sdfg.apply_transformations(LoopToMap) == 1
        if name == "inlined":
            sdfg.simplify()
        said[name] = shared(sdfg)
    for name, is_shared in said.items():
        print(f"{name}: t is declared {'before the parallel loop' if is_shared else 'for each iteration'}")
    bug = said["inlined"] and not said["nested"]
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
