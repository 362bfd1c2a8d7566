"""DaCe 2.0.0b1: LoopToMap makes a map of a loop that reads, in each step, a sum which it is adding up.

    c = 0
    for i in range(4):
        c += x[i]        # write-conflict resolution
        out[i] = c       # a running sum

Steps of the loop may not run in any order, or at once: each reads what all the steps before it have added. The pass
(`auto_optimize` runs it) takes a write with a resolution for one that does not matter to the order, and does not look
for reads of the same array.

    python corpus/dace/loop_to_map_reads_resolution.py        prints both results; exit status 1: bug present

Found by `cumsum` on `canonical/auto-optimize`, when jace's SDFG of it had a resolution. Work-around: cumulative
operations read, combine and write their carry (`jace/rules/nodes/reductions.py`), which LoopToMap leaves alone.
"""

import sys

import dace
import numpy as np
from dace.sdfg.state import LoopRegion
from dace.transformation.interstate import LoopToMap

#: The threads of a map may happen to run one after the other, on a busy machine.
TRIES = 1000


def running_sum(name):
    """out[i] = x[0] + ... + x[i], of four numbers."""
    sdfg = dace.SDFG(name)
    sdfg.add_array("x", [4], dace.float64)
    sdfg.add_array("out", [4], dace.float64)
    sdfg.add_transient("c", [1], dace.float64)
    fill = sdfg.add_state("fill", is_start_block=True)
    zero = fill.add_tasklet("zero", {}, {"result": None}, "result = 0")
    fill.add_edge(zero, "result", fill.add_write("c"), None, dace.Memlet("c[0]"))
    loop = LoopRegion("loop", "i < 4", "i", "i = 0", "i = i + 1")
    sdfg.add_node(loop)
    sdfg.add_edge(fill, loop, dace.InterstateEdge())
    add = loop.add_state("add", is_start_block=True)
    store = loop.add_state_after(add, "store")
    steps = ((add, "x[i]", "c[0]", "lambda a, b: a + b"), (store, "c[0]", "out[i]", None))
    for state, source, target, wcr in steps:
        tasklet = state.add_tasklet("copy", {"value": None}, {"result": None}, "result = value")
        read, write = dace.Memlet(source), dace.Memlet(target, wcr=wcr)
        state.add_edge(state.add_read(read.data), None, tasklet, "value", read)
        state.add_edge(tasklet, "result", state.add_write(write.data), None, write)
    return sdfg


def main():
    print("dace", dace.__version__)
    x = np.arange(1.0, 5.0)
    results = []
    for name in ("before", "after"):
        sdfg, out = running_sum(f"running_sum_{name}"), np.zeros(4)
        applied = sdfg.apply_transformations(LoopToMap) if name == "after" else 0
        compiled = sdfg.compile()
        for _ in range(TRIES):
            compiled(x=x, out=out)
            if not np.array_equal(out, np.cumsum(x)):
                break
        results.append(out)
        print(f"{name}: applied {applied} times, out = {out}")
    present = not np.array_equal(results[1], np.cumsum(x))
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
