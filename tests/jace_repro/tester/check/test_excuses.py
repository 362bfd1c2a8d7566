"""What makes a difference no finding though the oracle does not explain it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from oracles import oracle

from jace_repro.tester.check import excuses
from jace_repro.tester.numerics.compare import compare


def test_one_may_overflow_just_before_the_other() -> None:
    x = np.array([1.0, 89.4], np.float32)
    expected = [np.array([3.8e36, np.inf], np.float32)]
    reference = SimpleNamespace(outputs=expected, oracle=oracle(lambda x: x * 3.8e36, x))
    for top, fine in ((3.4e38, True), (2e38, False), (-3.4e38, False)):
        got = [np.array([3.8e36, top], np.float32)]
        found = compare(expected, got, reference.oracle.granted)
        assert excuses.well_conditioned(reference, got, found) == fine
