"""Wrong flags of the C++ compiler: each lets it change what a program computes."""

from __future__ import annotations

from jace.build import flags
from mutants import Mutant
from mutants.plants import patched

_WRONG = {
    "-ffast-math": "special_numbers",
    "-Ofast": "special_numbers",
    "-ffinite-math-only": "special_numbers",
    "-fno-signed-zeros": "signed_zeros",
    "-funsafe-math-optimizations": "sums_of_large_and_small",
    "-fno-signed-zeros -fassociative-math": "sums_of_large_and_small",
    "-funsafe-math-optimizations -ffinite-math-only": "special_numbers",
}


def _mutant(text: str, program: str) -> Mutant:
    plant = patched(flags, "_FAITHFUL", lambda right: (*right, *text.split()))
    return Mutant(text.lstrip("-").replace(" -", "_"), "flags", text, plant, (f"small:{program}", "small:*"))


MUTANTS = [_mutant(text, program) for text, program in _WRONG.items()]
