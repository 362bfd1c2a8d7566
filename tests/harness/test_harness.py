"""All of JAX's primitive harnesses for CPU, on both pipelines: `pytest -m harness -n 2 tests/harness`.

`scripts/harness.py` runs the same, resumes, and prints a table.
"""

from __future__ import annotations

import pytest
from harness_tests import Workers, complaints, expected

from jace_repro.survey.harnesses import Harness, catalogue

pytestmark = pytest.mark.harness
EXPECTED = expected()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    kept = metafunc.config.cache.mkdir("harness") / "catalogue.json"
    found = catalogue(kept)
    metafunc.parametrize("harness", found, ids=[h.name for h in found])


def test_harness(harness: Harness, workers: Workers) -> None:
    verdicts = workers.check(harness.name, harness.x64)
    assert not complaints(harness.name, verdicts, EXPECTED)
