"""The C++ runtime of compiled programs: header parts, concatenated in a fixed order.

The parts contain no `#include`: a translation unit starts with this text and compiles in milliseconds. Parts that
few programs need go in only where the generated code mentions them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

#: The parts in order: file -> None (always there), or what the generated code mentions when it needs the part.
PARTS: dict[str, str | None] = {
    "types.h": None,
    "libm.h": None,
    "arith.h": None,
    "convert.h": None,
    "math.h": None,
    "complex.h": None,
    "special.h": None,
    "incomplete.h": r"jace::(igammac?|betainc)_",
    "order.h": None,
    "sort.h": r"jace::stable_sort|jace::sort::",
    "external.h": r"\bjace_external\b|jace::lapack::|jace::fft::|jace::blas::",
    "lapack.h": r"jace::lapack::",
    "fft.h": r"jace::fft::",
    "blas.h": r"jace::blas::",
    "random.h": r"jace::random::",
    "small.h": r"jace::(f8_|f4_|[iu][24]\b)",
}


@cache
def _part(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def runtime_text(body: str | None = None) -> str:
    """The header to be put in front of the generated code `body`; all parts without a body."""
    wanted = (
        name
        for name, mention in PARTS.items()
        if mention is None or body is None or re.search(mention, body) is not None
    )
    return "\n".join(_part(name) for name in wanted)
