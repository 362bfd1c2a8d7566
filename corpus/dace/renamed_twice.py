"""DaCe 2.0.0b1: OTFMapFusion renames a map's parameters in C++ tasklets by a declaration each time: two are no C++.

    for i in 0:4: b[i] = a[i] + i            (in C++)
    for i in 0:4: c[i] = b[i] * 2            (in C++)
    for i in 0:4: d[i] = c[i] - 3            (in C++)

The first tasklet is copied into the second map and with it into the third; both times the parameter that it reads is
renamed to the same name and on from there: `auto _i0 = ...; auto _i0 = ...;`.

    python corpus/dace/renamed_twice.py        applies it twice; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:OTFMapFusion`: `(c + pad(a)[1:2, 2:4]) * 0`.
"""

import re
import sys
from collections import Counter

import dace
from dace.transformation.dataflow.otf_map_fusion import OTFMapFusion


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("renamed_twice")
    for name in "abcd":
        sdfg.add_array(name, [4], dace.float64, transient=name in "bc")
    state = sdfg.add_state()
    nodes = {name: state.add_access(name) for name in "abcd"}
    for source, target, text in (
        ("a", "b", "y = x + i;"),
        ("b", "c", "y = x * 2;"),
        ("c", "d", "y = x - 3;"),
    ):
        state.add_mapped_tasklet(
            f"to_{target}",
            {"i": "0:4"},
            {"x": dace.Memlet(f"{source}[i]")},
            text,
            {"y": dace.Memlet(f"{target}[i]")},
            language=dace.Language.CPP,
            external_edges=True,
            input_nodes=nodes,
            output_nodes=nodes,
        )
    sdfg.validate()
    print(f"applied {sdfg.apply_transformations_repeated(OTFMapFusion)} times")
    sdfg.validate()
    present = False
    for node in state.nodes():
        if isinstance(node, dace.nodes.Tasklet):
            print(f"{node}: {node.code.as_string!r}")
            declared = Counter(re.findall(r"auto (\w+) =", node.code.as_string))
            present |= any(count > 1 for count in declared.values())
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
