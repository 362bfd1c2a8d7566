"""What a run finds in the memory of its outputs, and what it does around them."""

from __future__ import annotations

import ctypes
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.build.load import aligned_empty
from jace_repro.tester.execute.runs import POISONS, execute
from jace_repro.tester.execute.surroundings import Overwritten
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


class Outside:
    """An executable that writes a byte at some distance from its output, or reads one there."""

    def __init__(self, distance: int, *, of_input: bool = False, writes: bool = True) -> None:
        self.distance, self.of_input, self.writes = distance, of_input, writes

    def call_direct(self, x: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        out = aligned_empty(x.shape, x.dtype)
        out[...] = x
        place = (x if self.of_input else out).ctypes.data + self.distance
        if self.writes:
            ctypes.memset(place, 7, 1)
        else:
            out[0] += ctypes.string_at(place, 1)[0]
        return [out]


@pytest.fixture
def prog():
    x = np.arange(5, dtype=np.int32)
    return from_jaxpr(jax.make_jaxpr(lambda x: x + 0)(x), [x])


@pytest.mark.parametrize(
    ("distance", "of_input", "said"),
    [
        (20, False, "memory behind an output of 20 bytes was overwritten"),
        (-1, False, "memory before an output of 20 bytes was overwritten"),
        (900, True, "memory behind input 0 was overwritten"),
    ],
)
def test_what_is_written_outside_of_arrays_is_told(prog, distance, of_input, said):
    ran = execute(Outside(distance, of_input=of_input), prog)
    assert ran.overwritten == Overwritten("outside", said)
    np.testing.assert_array_equal(ran.outputs[0], np.arange(5))


def test_what_is_read_outside_of_arrays_differs_from_run_to_run(prog):
    assert execute(Outside(20, of_input=True, writes=False), prog).differing
    right = execute(Outside(4, of_input=True, writes=False), prog)
    assert not right.differing
    assert right.overwritten is None


def test_an_input_that_is_overwritten_is_told_first(prog):
    assert execute(Outside(3, of_input=True), prog).overwritten == Overwritten(
        "input", "input 0 was overwritten"
    )
