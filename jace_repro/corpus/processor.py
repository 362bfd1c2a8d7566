"""What XLA makes of this machine's CPU: results may differ with the instructions that it uses."""

from __future__ import annotations

import functools
import re

import jax
import numpy as np


@functools.cache
def instruction_sets() -> frozenset[str]:
    """The instruction sets that XLA compiles for, by LLVM's names ("avx512bf16"), as it notes in what it compiles.

    `XLA_FLAGS=--xla_cpu_max_isa=AVX2` takes some away.
    """
    program = jax.jit(lambda x: x + 1).lower(np.float32(1)).compile().runtime_executable().serialize()
    features = max(re.findall(rb"[+-][\w.-]+(?:,[+-][\w.-]+)+", program), key=len).decode()
    return frozenset(feature[1:] for feature in features.split(",") if feature.startswith("+"))


def may_show(cpu: str | None) -> bool:
    """Whether XLA compiles here for what an entry shows with: "avx512bf16", or without: "-avx512fp16"."""
    if cpu is None:
        return True
    return (cpu.removeprefix("-") in instruction_sets()) is not cpu.startswith("-")
