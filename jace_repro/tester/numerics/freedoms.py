"""What an implementation may choose, in one table: the noisy evaluations (`precision`) explore it.

How far each operation rounds is in `errormodel` and `absolute_noise`; here is what may be infinite, or not, besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jace_repro.tester.numerics.noise import module_of

_Value = Any

#: A sample takes a choice or not by a bit of its salt: of six samples each is taken by three, and all pairs occur.
CHOICES: Mapping[str, str] = {
    "contracts": "a product and the addition after it round once: the product need not overflow (FMA); what is below "
    "the smallest normal number stays",
    "keeps_wide": "what 16-bit operations give stays in f32 until it is stored, and overflows no sooner (fusion, where "
    "the processor has no arithmetic of the type)",
    "orders": "a sum or a product has any order, and is made in its own type: it may overflow or underflow on its way "
    "(vectors, AVX512-FP16, prefix sums by halves; `overflow`)",
}


def takes(choice: str, salt: _Value) -> _Value:
    """Whether the sample of a salt takes a choice."""
    return ((module_of(salt).asarray(salt) >> list(CHOICES).index(choice)) & 1) == 1
