"""The C++ runtime of compiled programs: header parts, concatenated in a fixed order.

The parts contain no `#include`: a translation unit starts with this text and compiles in milliseconds.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

PARTS = ("types.h", "libm.h", "arith.h", "convert.h", "math.h", "complex.h", "special.h", "order.h", "sort.h")


@cache
def runtime_text() -> str:
    """The whole header as one text, to be put in front of generated code."""
    folder = Path(__file__).parent
    return "\n".join((folder / part).read_text(encoding="utf-8") for part in PARTS)
