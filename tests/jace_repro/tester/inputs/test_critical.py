"""The table of critical points has the points, in every dtype."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from jace_repro.fuzz.draw import CLASSES, Operand, dtype_of
from jace_repro.fuzz.operations import OPERATIONS
from jace_repro.fuzz.values import values_of
from jace_repro.tester.inputs import critical


@pytest.mark.parametrize("name", CLASSES["f"])
@pytest.mark.parametrize("about", [*sorted(critical.POINTS)])
def test_points_are_distinct_and_none_is_subnormal(about: str, name: str) -> None:
    dtype = dtype_of(name)
    found = critical.floats(about, dtype)
    assert found.dtype == dtype
    assert len(np.unique(found.view(f"u{dtype.itemsize}"))) == len(found) > 20
    wide = np.abs(found.astype(np.float64))
    assert not np.any((wide > 0) & (wide < float(ml_dtypes.finfo(dtype).tiny)))
    assert {math.inf, -math.inf, 0.0, 1.0} <= set(found.astype(np.float64)[~np.isnan(wide)].tolist())
    assert np.signbit(found[found == 0]).any()


def test_both_sides_of_where_exp_overflows() -> None:
    with np.errstate(over="ignore"):
        values = np.exp(critical.floats("exp", np.dtype(np.float32)))
    finite = np.isfinite(values)
    assert values[finite].max() > 3.3e38
    assert np.isinf(values).sum() > 3


def test_both_neighbours_of_the_branch_point() -> None:
    found = critical.floats("asin", np.dtype(np.float64))
    assert any(1 < x < 1 + 1e-15 for x in found)
    assert any(1 - 1e-15 < x < 1 for x in found)


def test_ends_and_widths_of_integers() -> None:
    assert {0, 1, -1, -128, -127, 127, 126, 8, 7, 9} <= set(critical.integers(np.dtype(np.int8)).tolist())
    assert {0, 1, 2**64 - 1, 2**63, 64, 63} <= set(critical.integers(np.dtype(np.uint64)).tolist())


def test_a_large_operand_has_all_points_of_its_primitive() -> None:
    operand = Operand((4096,), np.dtype(np.float32), "critical", "erf_inv")
    wanted = critical.floats("erf_inv", np.dtype(np.float32))
    found = set(values_of(operand, "seed").view(np.uint32).tolist())
    assert set(wanted[~np.isnan(wanted)].view(np.uint32).tolist()) <= found


def test_points_are_about_operations_that_there_are() -> None:
    of_jax = {"regularized_incomplete_beta", "pow"}
    assert not {*critical.POINTS, *critical.LIMITS} - set(OPERATIONS) - of_jax
