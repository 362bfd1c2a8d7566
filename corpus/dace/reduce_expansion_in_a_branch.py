"""DaCe 2.0.0b1: ReduceExpansion raises NodeNotFoundError on a Reduce in a branch or a loop.

It asks the SDFG for the number of the state that the Reduce is in, and a state of a region is not the SDFG's.

    python corpus/dace/reduce_expansion_in_a_branch.py        applies it; exit status 1: bug present

Found by `canonical/xform:ReduceExpansion`: a reduction in a `lax.cond`.
"""

import sys

import dace
from dace.libraries.standard import Reduce
from dace.properties import CodeBlock
from dace.sdfg.state import ConditionalBlock, ControlFlowRegion
from dace.transformation.dataflow.reduce_expansion import ReduceExpansion


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("reduce_expansion_in_a_branch")
    sdfg.add_array("a", [3, 4], dace.float64)
    sdfg.add_array("b", [3], dace.float64)
    sdfg.add_symbol("k", dace.int64)
    branches = ConditionalBlock("branches")
    sdfg.add_node(branches, is_start_block=True)
    region = ControlFlowRegion("taken", sdfg=sdfg)
    branches.add_branch(CodeBlock("k > 0"), region)
    state = region.add_state("inside", is_start_block=True)
    node = Reduce("sum", "lambda x, y: x + y", [1], 0)
    state.add_node(node)
    state.add_edge(state.add_read("a"), None, node, None, dace.Memlet("a[0:3, 0:4]"))
    state.add_edge(node, None, state.add_write("b"), None, dace.Memlet("b[0:3]"))
    sdfg.validate()
    try:
        print(f"applied {sdfg.apply_transformations(ReduceExpansion)} times")
        sdfg.validate()
    except Exception as error:
        print(f"{type(error).__name__}: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
