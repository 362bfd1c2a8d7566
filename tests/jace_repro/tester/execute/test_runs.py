"""What a run finds in the memory of its outputs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.build.load import aligned_empty
from jace_repro.tester.execute.runs import POISONS, execute
from jace_repro.tester.execute.traced import from_jaxpr


class Forgetful:
    """An executable that writes none of its outputs, in memory as a `Library` has it."""

    def __init__(self, outputs: list[np.ndarray[Any, Any]]) -> None:
        self.outputs = outputs

    def call_direct(self, *inputs: Any) -> list[np.ndarray[Any, Any]]:
        return [aligned_empty(out.shape, out.dtype) for out in self.outputs]


SHAPES = ((), (1,), (3, 5), (40,), (2000,))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.int8], ids=lambda d: d.__name__)
def test_an_output_that_nobody_writes_is_a_pattern_whatever_was_there_before(dtype: Any) -> None:
    closed = jax.make_jaxpr(lambda x: [jnp.full(shape, x) for shape in SHAPES])(jnp.ones((), dtype))
    prog = from_jaxpr(closed, [np.ones((), dtype)])
    right = [np.ones(shape, dtype) for shape in SHAPES]
    for _ in range(8):  # right results of a run before, given back: NumPy keeps small blocks
        for out in Forgetful(right).call_direct():
            out.fill(1)
    ran = execute(Forgetful(right), prog)
    for outputs, pattern in zip((ran.outputs, *ran.others), POISONS, strict=True):
        for out in outputs:
            assert set(np.atleast_1d(out).view(np.uint8).ravel().tolist()) == {pattern}
    assert len(ran.differing) == 1
