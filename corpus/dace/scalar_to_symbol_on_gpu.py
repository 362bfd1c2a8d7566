"""DaCe 2.0.0b1: simplify makes a symbol of an element of an array of a GPU's, which the host then cannot read.

    u = x[2]; y[k] = u, with x and u in the memory of a GPU

`ScalarToSymbolPromotion` takes `u`, of shape (1,), for a scalar and the copy for an assignment between states,
`u = gpu_x[2]`. It asks that both are stored alike, and not that the host may read them. `validate` refuses the result:

    InvalidSDFGInterstateEdgeError: Trying to read an inaccessible data container "gpu_x" (Storage:
    StorageType.GPU_Global) in host code interstate edge

`apply_gpu_transformations` ends with `simplify`, so that it raises for such programs unless it is told not to. No GPU
and no compiler is needed to see it.

    python corpus/dace/scalar_to_symbol_on_gpu.py        exit status 1: bug present

Found by `canonical/gpu` on programs of the fuzzer. The step `gpu` does without that `simplify`; with it, as
`canonical/gpu+simplify`, programs meet the bug.
"""

import contextlib
import sys
import tempfile

import dace
from dace.sdfg.validation import InvalidSDFGError


def element():
    """y = x[2], by a transient of one element."""
    sdfg = dace.SDFG("element")
    for name in "xy":
        sdfg.add_array(name, [4], dace.int64)
    sdfg.add_transient("u", [1], dace.int64)
    first = sdfg.add_state()
    first.add_nedge(first.add_read("x"), first.add_write("u"), dace.Memlet("x[2]"))
    second = sdfg.add_state_after(first)
    second.add_mapped_tasklet(
        "spread",
        {"k": "0:4"},
        {"a": dace.Memlet("u[0]")},
        "b = a",
        {"b": dace.Memlet("y[k]")},
        external_edges=True,
    )
    return sdfg


def said(*, simplify):
    """What validation says of the SDFG for a GPU; "" when it is valid."""
    sdfg = element()
    try:
        sdfg.apply_gpu_transformations(simplify=simplify)
        sdfg.validate()
    except InvalidSDFGError as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def main():
    print("dace", dace.__version__)
    # DaCe writes what is invalid below
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        without, with_it = said(simplify=False), said(simplify=True)
    print(f"without simplify: {without or 'valid'}")
    print(f"with simplify: {with_it or 'valid'}")
    bug = bool(with_it) and not without
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
