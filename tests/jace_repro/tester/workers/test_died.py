"""How the end of a worker is told: what large arrays take is not the program's fault."""

from __future__ import annotations

import pytest

from jace_repro.tester.workers.died import out_of_memory


@pytest.mark.parametrize(("given", "outcome"), [(0, "memory"), (100, "memory"), (1000, "harness-error")])
def test_memory_that_a_test_of_large_arrays_takes_is_no_finding(given: int, outcome: str) -> None:
    died = out_of_memory("limit", given, 8000, "compare", "stage 'compare' used 8001 MB", None)
    verdict = died.verdict("fused")
    assert (verdict.outcome, verdict.is_finding) == (outcome, outcome == "memory")
    assert ("With fewer --jobs" in verdict.detail) == (outcome == "harness-error")
