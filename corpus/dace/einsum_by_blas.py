"""DaCe 2.0.0b1: an Einsum that BLAS computes is an invalid SDFG once it is expanded.

The expansion of `Einsum` makes an SDFG with arrays `_a`, `_b`, `_c` and a `Gemm` in it. `Gemm`'s expansions for
OpenBLAS and MKL make a tasklet with connectors of the same names, which `validate` refuses:

    InvalidSDFGNodeError: Connector name '_b' is already used as a symbol, constant, or array name

So `auto_optimize`, which expands library nodes by the BLAS that is installed and validates then, raises for every
Einsum where there is one. No library is needed to see it: nothing is compiled here. (By the pure expansion all is
right.)

    python corpus/dace/einsum_by_blas.py        exit status 1: bug present

Found by `canonical/expand:OpenBLAS` on `jnp.einsum("ij,kj->ik", x, x)`. jace's work-around (`bug:einsum_by_blas` among
the steps of a pipeline switches it off): such a product is expanded by `pure`.
"""

import contextlib
import sys
import tempfile

import dace
from dace.libraries.blas.nodes.einsum import Einsum
from dace.sdfg.validation import InvalidSDFGError


def product():
    """c = a b^T."""
    sdfg = dace.SDFG("product")
    for name in "abc":
        sdfg.add_array(name, [4, 4], dace.float64)
    state = sdfg.add_state()
    node = Einsum("einsum")
    node.einsum_str = "ij,kj->ik"
    state.add_node(node)
    for name in "ab":
        node.add_in_connector(f"_{name}")
        state.add_edge(state.add_read(name), None, node, f"_{name}", dace.Memlet(f"{name}[0:4, 0:4]"))
    node.add_out_connector("_c")
    state.add_edge(node, "_c", state.add_write("c"), None, dace.Memlet("c[0:4, 0:4]"))
    return sdfg


def expanded(implementation):
    """What validation says of the SDFG without library nodes; "" when it is valid."""
    sdfg = product()
    while nodes := [n for n in sdfg.all_nodes_recursive() if isinstance(n[0], dace.nodes.LibraryNode)]:
        for node, state in nodes:
            if implementation in node.implementations:
                node.implementation = implementation
            node.expand(state)
    try:
        sdfg.validate()
    except InvalidSDFGError as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def main():
    print("dace", dace.__version__)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):  # DaCe writes what is invalid below
        said = {name: expanded(name) for name in ("pure", "OpenBLAS")}
    for name, text in said.items():
        print(f"{name}: {text or 'valid'}")
    bug = bool(said["OpenBLAS"]) and not said["pure"]
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
