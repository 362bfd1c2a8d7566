"""DaCe 2.0.0b1: renaming map parameters breaks C++ tasklets that use them.

Two maps over 0:6 x 0:4 and 0:4 x 0:6 are fused by `auto_optimize`, which swaps the parameters of the second one.
In a C++ tasklet the swap is done by declarations at its top,

    auto __dacesym_i = j;  auto __dacesym_j = i;  auto j = __dacesym_j;  auto i = __dacesym_i;

and the write of the output connector, `out[6*j + i] = __out`, follows in the same block: it sees the new i and j
instead of the map's, so the element goes to the transposed (here also out of bounds) place.

    python corpus/dace/shadowed_map_parameters.py        prints the generated tasklet; exit status 1: bug present

jace's work-around: `Planner.parameters` gives every map of the canonical pipelines parameters of its own, so that
a rename never declares a name that the map itself uses.
"""

import re
import sys

import dace
from dace.codegen import codegen
from dace.transformation.auto.auto_optimize import auto_optimize


def two_maps():
    """y = x.T by a Python tasklet, z = x by a C++ tasklet that uses the map parameters."""
    sdfg = dace.SDFG("shadowed_map_parameters")
    sdfg.add_array("x", [4, 6], dace.float64)
    sdfg.add_array("y", [6, 4], dace.float64)
    sdfg.add_array("z", [4, 6], dace.float64)
    state = sdfg.add_state()
    state.add_mapped_tasklet(
        "transpose",
        {"i": "0:6", "j": "0:4"},
        {"a": dace.Memlet("x[j, i]")},
        "b = a",
        {"b": dace.Memlet("y[i, j]")},
        external_edges=True,
    )
    state.add_mapped_tasklet(
        "copy",
        {"i": "0:4", "j": "0:6"},
        {"a": dace.Memlet("x[0:4, 0:6]")},
        "b = a[6 * i + j];",
        {"b": dace.Memlet("z[i, j]")},
        language=dace.Language.CPP,
        external_edges=True,
    )
    return sdfg


def main():
    print("dace", dace.__version__)
    sdfg = two_maps()
    auto_optimize(sdfg, dace.DeviceType.CPU)
    code = codegen.generate_code(sdfg)[0].clean_code
    tasklet = re.search(r"\{[^{}]*__dacesym_[^{}]*\}", code)
    if tasklet is None:
        print("the maps were not fused with swapped parameters: bug not shown")
        return 0
    print(tasklet.group())
    declared = set(re.findall(r"auto (\w+) = __dacesym_", tasklet.group()))
    store = re.search(r"z\[([^]]*)\] = b", tasklet.group())
    shadowed = declared & set(re.findall(r"\w+", store.group(1))) if store else set()
    print("shadowed in the store:", ", ".join(sorted(shadowed)) or "nothing")
    return 1 if shadowed else 0


if __name__ == "__main__":
    sys.exit(main())
