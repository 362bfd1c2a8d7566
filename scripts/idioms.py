"""What the SDFGs of `canonical` are made of: DaCe's own nodes, or C++ of ours that none of its passes can read.

    python scripts/idioms.py [--names FILE] [--pipeline NAME]

Translates a sample of JAX's harnesses (tests/harness/sample.txt, or lines of "x32 NAME" and "x64 NAME") and prints the
kinds of nodes, and by group of harnesses how many programs hold a tasklet with a loop in C++, or with more than one
store. What a library node becomes when it is expanded does not count: passes see the node.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

LOOP = re.compile(r"\b(for|while)\s*\(")
STORE = re.compile(r"jace::store\(|\bw_\w+\[[^;]*\]\s*=[^=]")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--names", type=Path, default=ROOT / "tests" / "harness" / "sample.txt")
    parser.add_argument("--pipeline", default="canonical")
    parser.add_argument("--mode", choices=("x32", "x64"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = [line.split(" ", 1) for line in options.names.read_text().splitlines()]
    if options.mode:
        for mode, name in names:
            if mode == options.mode:
                print(json.dumps(_looked_at(name, options.pipeline, options.mode == "x64")), flush=True)
        return 0
    programs = [found for mode in ("x32", "x64") for found in _of_mode(mode, options)]
    print("\n".join(_table(programs)))
    return 0


def _of_mode(mode, options):
    command = [
        sys.executable,
        __file__,
        "--names",
        options.names,
        "--pipeline",
        options.pipeline,
        "--mode",
        mode,
    ]
    environment = {**os.environ, "JAX_ENABLE_X64": "1" if mode == "x64" else "0"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _looked_at(name, pipeline, x64):
    from jace.errors import JaceError
    from jace.translate import passes
    from jace_repro.survey import harnesses

    closed, _ = (harnesses.make_x64 if x64 else harnesses.make_x32)(name)
    found = {
        "name": name,
        "group": name.split("_")[0],
        "nodes": {},
        "loop": False,
        "stores": False,
        "error": "",
    }
    try:
        sdfg = passes.translate(closed, pipeline).sdfg
    except JaceError as error:
        return {**found, "error": type(error).__name__}
    kinds = Counter(_kinds(sdfg))
    code = [n.code.as_string for n in _tasklets(sdfg) if n.language.name == "CPP"]
    loop, stores = any(map(LOOP.search, code)), any(len(STORE.findall(text)) > 1 for text in code)
    return {**found, "nodes": kinds, "loop": loop, "stores": stores}


def _tasklets(sdfg):
    import dace

    return [n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.Tasklet)]


def _kinds(sdfg):
    """Names of what the SDFG is made of: nodes, regions, copies, views, conflicts resolved, memlets not affine."""
    import dace
    from dace.sdfg.state import ControlFlowBlock, SDFGState

    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.Tasklet):
            yield f"{node.language.name.lower()} tasklet"
        elif not isinstance(node, dace.nodes.ExitNode):
            yield type(node).__name__
    for edge, parent in sdfg.all_edges_recursive():
        if isinstance(parent, SDFGState) and edge.data.data is not None:
            ends = [isinstance(n, dace.nodes.AccessNode) for n in (edge.src, edge.dst)]
            if all(ends):
                yield "view" if edge.dst_conn == "views" else "copy"
            if edge.data.wcr is not None:
                yield "write-conflict resolution"
            if any(str(s).startswith("l") for s in edge.data.free_symbols):
                yield "symbolic memlet"
            into = isinstance(edge.dst, dace.nodes.Tasklet)
            if into and edge.data.volume == 1 and edge.data.subset.num_elements() > 1:
                yield "indirect memlet"
        elif not isinstance(parent, SDFGState | ControlFlowBlock) and edge.data.assignments:
            yield "assignment"


def _table(programs):
    kinds = Counter()
    groups = defaultdict(list)
    for one in programs:
        kinds.update(one["nodes"].keys())
        groups[one["group"]].append(one)
    good = [one for one in programs if not one["error"]]
    yield f"{len(programs)} programs, {len(programs) - len(good)} not translated"
    yield from (f"  {count:5} programs have {kind}" for kind, count in kinds.most_common())
    opaque = [one for one in good if one["loop"] or one["stores"]]
    yield f"{len(opaque)} of {len(good)} ({len(opaque) / len(good):.1%}) have C++ with a loop or more than one store"
    for group, ones in sorted(groups.items()):
        count = sum(one["loop"] or one["stores"] for one in ones)
        if count:
            yield f"  {group:40} {count} of {len(ones)}"


if __name__ == "__main__":
    sys.exit(main())
