"""Bugs of DaCe's that the SDFGs of `canonical` go round, so that everything else can be tested in spite of them.

Each is shown without jace by `corpus/dace/NAME.py`. A pipeline with the step `bug:NAME` does not go round it: its SDFGs
are what they would be if DaCe had no such bug. So whoever mends it has programs to try, and nobody goes round it longer
than there is need.
"""

from __future__ import annotations

from collections.abc import Mapping

#: NAME -> (what DaCe does wrong, what is built instead).
GONE_ROUND: Mapping[str, tuple[str, str]] = {
    "a_slice_by_pointer": (
        "simplify lets a tasklet have a part of an array by pointer, with strides that it does not know",
        "a copy of what a tasklet has a pointer to is a map",
    ),
    "argmax_of_infinite": (
        "ArgMax and ArgMin answer an index that there is not where all numbers are infinite",
        "the place of an extreme of floating-point numbers is two reductions",
    ),
    "compared_truth": (
        "simplify raises where a number that was compared is compared with a name: (a < 0) != d",
        "a comparison of truths is C++",
    ),
    "dead_pointer": (
        "simplify leaves a tasklet with a pointer to nowhere where nobody reads what it writes",
        "a routine has memory of its own for results that nobody reads",
    ),
    "einsum_by_blas": (
        "a product in an Einsum is an invalid SDFG once it is expanded for OpenBLAS or MKL",
        "such a product is expanded by `pure`",
    ),
    "einsum_of_a_part": (
        "Einsum reads and writes a part of an array as if its elements lay side by side",
        "a copy of what an Einsum reads or writes is a map",
    ),
    "einsum_on_gpu": (
        "no code is generated for a GPU where there is an Einsum",
        "an Einsum is expanded before an SDFG is taken to a GPU",
    ),
    "einsum_order": (
        "Einsum takes dimensions of one role as one, in whatever order they stand",
        "a contraction whose dimensions stand in another order is a map",
    ),
    "ifft_of_single": (
        "the pure expansion of IFFT multiplies numbers of complex64 by an int, which is 0",
        "an inverse transform of complex64 is a routine",
    ),
    "inlined_temporaries": (
        "simplify inlines what a map calls, and its temporaries are shared by the map's threads then",
        "what is accessed within a map alone belongs to an iteration, after each of DaCe's steps",
    ),
    "loop_to_map_reads_resolution": (
        "LoopToMap makes a map of a loop that reads what it adds to by write-conflict resolution",
        "a cumulative operation reads its carry, combines and writes it",
    ),
    "move_loop_of_a_view": (
        "MoveLoopIntoMap takes a view into a map without what it is a view of",
        "a reshape in a loop or a branch is a map",
    ),
    "reshaped_twice": (
        "simplify raises where a view with an axis of one element is reshaped back by another",
        "a reshape from or to a shape with an axis of one element is a map",
    ),
    "scalar_by_pointer": (
        "simplify makes a symbol of a scalar that a C++ tasklet has by pointer, which is then an address",
        "a tasklet has an array of one element by value",
    ),
    "shadowed_map_parameters": (
        "fusing maps renames parameters by declarations that shadow those of the output memlet",
        "no two maps have parameters of one name",
    ),
    "squeezed_copy": (
        "simplify raises where an array is copied to one without its axes of one element",
        "what takes away or adds such axes, and does nothing else, is a map",
    ),
    "tensor_transpose_of_a_part": (
        "simplify lets TensorTranspose write a part of an array, and it takes the shape of all of that array",
        "a transposition is a map, but of matrices: Transpose takes parts",
    ),
    "view_without_strides": (
        "simplify makes what a Reduce writes, or has axes of one element, a view of a part of another array, with its "
        "own strides",
        "a copy of what a Reduce writes, or of an array with such axes into one of another rank, is a map",
    ),
}


def goes_round(bug: str, met: frozenset[str]) -> bool:
    """Whether an SDFG is to go round a bug of the table; not when it is one of those that are to be `met`."""
    assert bug in GONE_ROUND, bug
    return bug not in met
