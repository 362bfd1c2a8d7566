"""How outputs differ, in a map, a histogram and a table of bounded size."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jace_repro.tester.views.errors import MAX_CELLS, MAX_ELEMENTS, OutputErrors, errors_of


def test_elements_that_differ_are_told_and_counted():
    xla = np.array([1, 2, np.nan, np.inf, 0.0, 5], np.float32)
    dace = np.array([1, np.nextafter(np.float32(2), np.float32(3)), np.nan, 7, -0.0, np.nan], np.float32)
    found = errors_of(2, xla, dace)
    assert (found.output, found.size, found.count, found.unmatched) == (2, 6, 4, 3)
    assert (found.unit, found.largest) == ("ULP", 1.0)
    assert found.map == ((0.0, 1.0, 0.0, None, None, None),)
    assert found.histogram == (2, 1)
    assert found.elements[0] == {"index": [1], "xla": "2.0", "dace": "2.0000002", "apart": 1.0}
    assert [e["apart"] for e in found.elements[1:]] == [None] * 3
    assert OutputErrors.from_json(json.loads(json.dumps(found.__dict__))) == found


def test_a_large_output_is_told_in_few_cells_and_elements():
    xla = np.zeros((3, 100, 1000), np.float32)
    dace = xla.copy()
    dace[1, 50, 700:] = 1e-3
    dace[2, 99, 3] = 1.0
    found = errors_of(0, xla, dace)
    assert (found.rows, found.columns) == (300, 1000)
    assert len(found.map) <= MAX_CELLS
    assert all(len(row) <= MAX_CELLS for row in found.map)
    assert len(found.elements) == MAX_ELEMENTS
    assert {"index": [2, 99, 3], "xla": "0.0", "dace": "1.0", "apart": 1065353216.0} in found.elements
    assert sum(found.histogram) == xla.size
    worst = max(value for row in found.map for value in row)
    assert worst == pytest.approx(found.largest, rel=1e-3)


def test_a_long_vector_is_wrapped_and_filled_up():
    found = errors_of(0, np.arange(1000), np.arange(1000))
    assert found.rows * found.columns >= 1000
    assert -1.0 in found.map[-1]
    assert found.count == 0


@pytest.mark.parametrize(
    ("xla", "dace", "largest"),
    [
        (np.array([1, 2], np.int32), np.array([1, -2], np.int32), 4.0),
        (np.array([True, False]), np.array([True, True]), 1.0),
        (np.array([2**63 - 1], np.uint64), np.array([2**63 - 2], np.uint64), 1.0),
    ],
)
def test_integers_differ_by_numbers(xla, dace, largest):
    found = errors_of(0, xla, dace)
    assert (found.unit, found.count, found.largest) == ("difference", 1, largest)


def test_a_complex_number_is_as_far_as_its_worse_part():
    found = errors_of(0, np.array([1 + 1j], np.complex64), np.array([1 + 1.0000001j], np.complex64))
    assert (found.unit, found.largest, found.map) == ("ULP", 1.0, ((1.0,),))


def test_scalars_and_nothing_at_all():
    assert errors_of(0, np.array(1.0), np.array(2.0)).elements[0]["index"] == []
    assert errors_of(0, np.zeros((0, 3)), np.zeros((0, 3))).map == ()


def test_another_shape_is_told_in_words():
    found = errors_of(0, np.zeros(3, np.float32), np.zeros(4, np.float32))
    assert found.mismatch == "XLA gives float32[3], DaCe float32[4]"
    assert found.map == ()
