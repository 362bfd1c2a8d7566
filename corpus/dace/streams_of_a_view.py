"""DaCe 2.0.0b1: code for a GPU uses a stream that it has not made where a state begins with a view.

    z[i] = 1, and y = x by a view of x: two kernels of one state, each with a stream of its own

`_compute_cudastreams` gives the view of the second the next stream, and does not count it. The program makes one stream
(`new dace::cuda::Context(1, 1)`) and launches the second kernel in `streams[1]`, which it reads behind the end of an
array: a stream by chance, or an error of CUDA's. Without the view it makes two. No GPU and no compiler is needed to see
it.

    python corpus/dace/streams_of_a_view.py        exit status 1: bug present

Found by `canonical/simplify+gpu` on an H200, as an error of CUDA's, where a nested SDFG begins with a copy of an array
of another shape (`factors_of_what_is_not_finite/4/x64` of the fuzzer's sample). jace's work-around: DaCe's
`compiler.cuda.max_concurrent_streams` is 4, with which there are always as many.
"""

import re
import sys
import warnings

import dace
from dace.codegen import codegen

GPU = dace.StorageType.GPU_Global


def two_kernels(*, view):
    """z = 1; y = x, for arrays of a GPU."""
    sdfg = dace.SDFG("two_kernels")
    for name, shape in (("x", [4]), ("y", [2, 2]), ("z", [4])):
        sdfg.add_array(name, shape, dace.float64, storage=GPU)
    state = sdfg.add_state()
    on_gpu = {"external_edges": True, "schedule": dace.ScheduleType.GPU_Device}
    state.add_mapped_tasklet("ones", {"i": "0:4"}, {}, "o = 1", {"o": dace.Memlet("z[i]")}, **on_gpu)
    read, source = state.add_read("x"), "x[2 * i + j]"
    if view:
        sdfg.add_view("v", [2, 2], dace.float64, storage=GPU)
        viewed = state.add_access("v")
        state.add_edge(read, None, viewed, "views", dace.Memlet("x[0:4]"))
        read, source = viewed, "v[i, j]"
    state.add_mapped_tasklet(
        "copied",
        {"i": "0:2", "j": "0:2"},
        {"a": dace.Memlet(source)},
        "o = a",
        {"o": dace.Memlet("y[i, j]")},
        input_nodes={read.data: read},
        **on_gpu,
    )
    return sdfg


def streams(sdfg):
    """How many streams the code makes, and how many it uses."""
    made = codegen.generate_code(sdfg)
    code = "\n".join(part.clean_code for part in made if part.linkable)
    (count,) = set(re.findall(r"new dace::cuda::Context\((\d+),", code))
    return int(count), 1 + max(map(int, re.findall(r"->streams\[(\d+)\]", code)))


def main():
    warnings.simplefilter("ignore")  # of the size of blocks, which nobody chose
    print("dace", dace.__version__)
    bug = False
    for view in (False, True):
        made, used = streams(two_kernels(view=view))
        print(f"{'with' if view else 'without'} a view: {made} made, {used} used")
        bug = bug or used > made
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
