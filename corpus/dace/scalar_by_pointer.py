"""DaCe 2.0.0b1: ScalarToSymbolPromotion gives a C++ tasklet that has a scalar by pointer its number as the address.

A tasklet in C++ reads t[0] through a pointer to it. The scalar t, which one statement in Python writes, is promoted to
a symbol, and in the code the connector is replaced by the symbol, whatever its type is: `(const int*)p` becomes
`(const int*)t`, of an int. (Run, it reads at the address a[0] + 1: the code alone is looked at here.)

    python corpus/dace/scalar_by_pointer.py        prints the tasklet before and after; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify`: `jnp.stack([False, x != 0])` ended with SIGSEGV, as a kernel
that reads some of its operands in a branch only has these by pointer. jace's work-around (`bug:scalar_by_pointer` among
the steps of a pipeline switches it off): a tasklet has an array of one element by value.
"""

import sys

import dace
from dace.transformation.pass_pipeline import Pipeline
from dace.transformation.passes.scalar_to_symbol import ScalarToSymbolPromotion


def program():
    """r[0] = t[0], by pointer, for t[0] = a[0] + 1."""
    sdfg = dace.SDFG("scalar_by_pointer")
    sdfg.add_array("a", [1], dace.int32)
    sdfg.add_array("r", [1], dace.int32)
    sdfg.add_transient("t", [1], dace.int32)
    first = sdfg.add_state()
    plus = first.add_tasklet("plus", {"x"}, {"y"}, "y = x + 1")
    first.add_edge(first.add_read("a"), None, plus, "x", dace.Memlet("a[0]"))
    first.add_edge(plus, "y", first.add_write("t"), None, dace.Memlet("t[0]"))
    second = sdfg.add_state_after(first)
    read = second.add_tasklet(
        "read",
        {"p": dace.pointer(dace.int32)},
        {"s": dace.int32},
        "const int* q = (const int*)p; s = q[0];",
        language=dace.Language.CPP,
    )
    second.add_edge(second.add_read("t"), None, read, "p", dace.Memlet(data="t", subset="0", dynamic=True))
    second.add_edge(read, "s", second.add_write("r"), None, dace.Memlet("r[0]"))
    sdfg.validate()
    return sdfg


def code(sdfg):
    """That of the tasklet in C++."""
    tasklets = (n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.Tasklet))
    return next(n.code.as_string for n in tasklets if n.language is dace.Language.CPP)


def main():
    print("dace", dace.__version__)
    sdfg = program()
    print("before:", code(sdfg))
    Pipeline([ScalarToSymbolPromotion()]).apply_pass(sdfg, {})
    sdfg.validate()
    print("after: ", code(sdfg), "where t is", "a symbol" if "t" not in sdfg.arrays else "an array")
    present = "t" not in sdfg.arrays and "(const int*)t" in code(sdfg)
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
