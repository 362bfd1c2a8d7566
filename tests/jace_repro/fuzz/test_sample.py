"""The sample that gates: every program in which something of jace is seen that no other shows is `ok`, both ways.

`scripts/choose_programs.py` chooses it. What is not `ok` is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jace_repro.fuzz import named
from jace_repro.fuzz.operations import OPERATIONS
from jace_repro.tester import Options, Pool

NAMES = Path(__file__).with_name("sample.txt").read_text(encoding="utf-8").split()
PIPELINES = ("fused", "canonical")
#: Programs that are not `ok`: {name: (outcome, why)}.
KNOWN: dict[str, tuple[str, str]] = {}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(1, 120.0, options=Options(localize=False, blame=False)) as found:
        yield found


def test_the_sample_is_of_operations_that_there_are() -> None:
    assert {name.partition("/")[0] for name in NAMES} == set(OPERATIONS)
    assert len(NAMES) == len(set(NAMES))
    assert set(KNOWN) <= set(NAMES)


@pytest.mark.ci
@pytest.mark.parametrize("name", NAMES)
def test_program(name: str, pool: Pool) -> None:
    verdicts = pool.check(named(name), list(PIPELINES))
    outcome, _ = KNOWN.get(name, ("ok", ""))
    assert {v.outcome for v in verdicts} == {outcome}, [v.detail for v in verdicts]
