"""The C++ runtime of compiled programs: header parts, concatenated in a fixed order.

The parts contain no `#include`: a translation unit starts with this text and compiles in milliseconds. Reading it is
still half of what compiling a small program costs, so that parts go in only where the generated code mentions them,
or a later part that goes in does. What XLA means differs in a few corners between releases: `JACE_XLA` is the installed
one's number, 1001 for 0.10.1.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from jace.releases.xla import XLA

#: The parts in order: file -> None (always there), or how what needs the part mentions it.
PARTS: dict[str, str | None] = {
    "types.h": None,
    "libm.h": None,
    "arith.h": None,
    "convert.h": r"\b(convert|saturate|reduce_precision)\b",
    "math.h": (
        r"\b(a?(sin|cos|tan)h?|atan2|expm1|exp2?|log1p|log2?|pow|r?sqrt|cbrt|erfc?|logistic)_\b|\b(tanh_of|flush)\b"
    ),
    "complex.h": r"\b(c64|c128|complex64|complex128|complex|conj_)\b",
    "special.h": r"\b(from_double|chebyshev|(lgamma|erf_inv|digamma|bessel_i[01]e|zeta|polygamma)(_|_of)\b)",
    "incomplete.h": r"jace::(igammac?|betainc)_",
    "order.h": r"\b(sort_compare|sort_less|jace_(add|mul|max|min|and|or|xor))\b",
    "sort.h": r"jace::stable_sort|jace::sort::",
    "external.h": r"\bjace_external\b|jace::lapack::|jace::fft::|jace::blas::",
    "lapack.h": r"jace::lapack::",
    "fft.h": r"jace::fft::",
    "blas.h": r"jace::blas::",
    "random.h": r"jace::random::",
    "small.h": r"jace::(f8_|f4_|[iu][24]\b)",
}

#: Parts that a program for GPUs has another one in the place of.
_CUDA = {"libm.h": "libm_cuda.h"}


@cache
def _part(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def runtime_text(body: str | None = None, *, cuda: bool = False) -> str:
    """The header to be put in front of the generated code `body`; all parts without a body.

    Args:
        cuda: for nvcc: with CUDA's mathematical functions.
    """
    wanted: list[str] = []
    needing = body
    for name, mention in reversed(PARTS.items()):
        if mention is None or needing is None or re.search(mention, needing) is not None:
            wanted.insert(0, _part(_CUDA.get(name, name) if cuda else name))
            needing = None if needing is None else f"{_part(name)}\n{needing}"
    return "\n".join([f"#define JACE_XLA {XLA}", *wanted])
