"""DaCe 2.0.0b1: LoopOverwriteElimination drops the iterations of a loop that writes where the data says.

    for i in 0:3: k = place[i]; out[k] = 1        becomes        k = place[2]; out[k] = 1

It asks whether the place of a write depends on the loop's variable through symbols, and not through data: `k` is set to
an element of a container that is computed from `place[i]`.

    python corpus/dace/loop_overwrite_by_data.py        runs both; exit status 1: bug present

Found by `canonical/simplify+xform:LoopOverwriteElimination`: only the last update of a scatter is made.
"""

import copy
import sys

import dace
import numpy as np
from dace.sdfg.state import LoopRegion
from dace.transformation.interstate.loop_overwrite_elimination import LoopOverwriteElimination


def scattering():
    sdfg = dace.SDFG("loop_overwrite_by_data")
    sdfg.add_array("place", [3], dace.int64)
    sdfg.add_array("out", [3], dace.int64)
    sdfg.add_transient("t", [1], dace.int64)
    sdfg.add_symbol("k", dace.int64)
    loop = LoopRegion("loop", "i < 3", "i", "i = 0", "i = i + 1")
    sdfg.add_node(loop, is_start_block=True)
    reads, writes = loop.add_state("reads", is_start_block=True), loop.add_state("writes")
    tasklet = reads.add_tasklet("look", {"x"}, {"y"}, "y = x")
    reads.add_edge(reads.add_read("place"), None, tasklet, "x", dace.Memlet("place[i]"))
    reads.add_edge(tasklet, "y", reads.add_write("t"), None, dace.Memlet("t[0]"))
    loop.add_edge(reads, writes, dace.InterstateEdge(assignments={"k": "t[0]"}))
    tasklet = writes.add_tasklet("set", {}, {"y"}, "y = 1")
    writes.add_edge(tasklet, "y", writes.add_write("out"), None, dace.Memlet("out[k]"))
    sdfg.validate()
    return sdfg


def computed(sdfg, name):
    sdfg = copy.deepcopy(sdfg)
    sdfg.name += f"_{name}"
    out = np.zeros(3, np.int64)
    sdfg(place=np.array([2, 0, 1]), out=out)
    return out


def main():
    print("dace", dace.__version__)
    sdfg = scattering()
    before = computed(sdfg, "before")
    applied = sdfg.apply_transformations(LoopOverwriteElimination)
    after = computed(sdfg, "after")
    print(f"before: {before}\nafter:  {after} (applied {applied} times)")
    present = not np.array_equal(before, after)
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
