"""DaCe 2.0.0b1: no code is generated for a GPU where there is an Einsum.

    c = einsum("ij,jk->ik", a, b)

`apply_gpu_transformations` schedules the Einsum for the GPU. It becomes an SDFG of its own, outside of any kernel,
whose maps are then taken for the threads of one (GPU_ThreadBlock), whatever is contracted:

    TypeError: Cannot schedule ScheduleType.GPU_ThreadBlock directly from non-GPU code

Expanded before the SDFG is taken to the GPU it is right, and so is a MatMul. No GPU and no compiler is needed to see
it.

    python corpus/dace/einsum_on_gpu.py        exit status 1: bug present

Found by `canonical/gpu` on a contraction of all dimensions (`dot_general/5` of the fuzzer's sample). jace's work-around
(`bug:einsum_on_gpu` among the steps of a pipeline switches it off): the step `gpu` expands each Einsum first.
"""

import sys
import warnings

import dace
from dace.codegen import codegen
from dace.libraries.blas.nodes.einsum import Einsum


def product():
    """c = a b."""
    sdfg = dace.SDFG("product")
    for name in "abc":
        sdfg.add_array(name, [4, 4], dace.float32)
    state = sdfg.add_state()
    node = Einsum("einsum")
    node.einsum_str = "ij,jk->ik"
    state.add_node(node)
    for name in "ab":
        node.add_in_connector(f"_{name}")
        state.add_edge(state.add_read(name), None, node, f"_{name}", dace.Memlet(f"{name}[0:4, 0:4]"))
    node.add_out_connector("_c")
    state.add_edge(node, "_c", state.add_write("c"), None, dace.Memlet("c[0:4, 0:4]"))
    return sdfg, node, state


def said(*, expanded):
    """What code generation says for a GPU; "" when there is code."""
    sdfg, node, state = product()
    if expanded:
        node.expand(state)
    sdfg.apply_gpu_transformations()
    try:
        codegen.generate_code(sdfg)
    except TypeError as error:
        return f"TypeError: {error}"
    return ""


def main():
    warnings.simplefilter("ignore")  # of the size of blocks, which nobody chose
    print("dace", dace.__version__)
    before, after = said(expanded=True), said(expanded=False)
    print(f"expanded before: {before or 'generated'}")
    print(f"expanded after: {after or 'generated'}")
    bug = bool(after) and not before
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
