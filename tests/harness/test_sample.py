"""A sample of JAX's primitive harnesses, of every group, on both pipelines. `test_harness.py` runs all of them.

One of eight is quick enough for every run of the tests, another one is run with `-m ci`, all others with `-m slow`.
"""

from __future__ import annotations

import pytest
from harness_tests import HERE, Expected, Workers, complaints, expected, sample

from jace_repro.survey import harnesses
from jace_repro.survey.harness_run import PIPELINES
from jace_repro.tester import Verdict

EXPECTED = expected()
SAMPLE = sample()
#: When the k-th of eight is tested; the others with `-m slow`.
WHEN = {0: (), 4: pytest.mark.ci}
CASES = [
    pytest.param(*case, id=case[0], marks=WHEN.get(number % 8, pytest.mark.slow))
    for number, case in enumerate(SAMPLE)
]


@pytest.mark.parametrize(("name", "x64"), CASES)
def test_sample(name: str, x64: bool, workers: Workers) -> None:
    assert not complaints(name, workers.check(name, x64), EXPECTED)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> list[harnesses.Harness]:
    kept = tmp_path_factory.mktemp("harnesses") / "catalogue.json"
    found = harnesses.catalogue(kept)
    assert found == harnesses.catalogue(kept), "what is kept is what was found"
    return found


def test_the_catalogue_is_whole(catalogue: list[harnesses.Harness]) -> None:
    """The figures of jax 0.10.1 and 0.10.2; another release may have others."""
    assert len(catalogue) == len({h.name for h in catalogue}) == 7414
    assert sum(h.x64 for h in catalogue) == 1931
    assert len({h.group for h in catalogue}) == 132


def test_the_committed_sample_is_the_chosen_one(catalogue: list[harnesses.Harness]) -> None:
    """`scripts/harness.py --sample --list > tests/harness/sample.txt` writes it anew."""
    chosen = harnesses.sample(catalogue)
    lines = [f"{'x64' if h.x64 else 'x32'} {h.name}\n" for h in chosen]
    assert (HERE / "sample.txt").read_text() == "".join(lines)
    assert {h.group for h in chosen} == {h.group for h in catalogue}


def test_every_expected_failure_is_of_a_harness_that_exists(catalogue: list[harnesses.Harness]) -> None:
    for entry in EXPECTED:
        assert entry.reason
        assert set(entry.pipelines) <= set(PIPELINES)
        assert any(entry.covers(h.name, entry.pipelines[0]) for h in catalogue), entry.harness


def test_an_expected_failure_that_has_become_ok_fails() -> None:
    fine = Verdict("fused", "ok")
    wrong = Verdict("fused", "mismatch", detail="off")
    vague = Verdict("fused", "ill-conditioned", detail="off")
    known = [Expected("a_*", ("fused",), "mismatch", "why")]
    assert complaints("a_1", [fine], known)
    assert not complaints("a_1", [wrong], known)
    assert complaints("b_1", [wrong], known)
    assert complaints("b_1", [vague], known)
    assert not complaints("b_1", [fine], known)
