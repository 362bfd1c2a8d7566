"""A sample of JAX's primitive harnesses, of every group, on both pipelines. `test_harness.py` runs all of them.

One of sixteen is quick enough for every run of the tests, three are run with `-m ci`, the others with `-m slow`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness_tests import HERE, Expected, Workers, complaints, expected, sample
from places import ROOT

from jace import pipelines
from jace.releases.xla import XLA
from jace_repro.survey import harnesses
from jace_repro.tester import Verdict

EXPECTED = expected()
SAMPLE = sample()
#: When the k-th of sixteen is tested; the others with `-m slow`.
WHEN = {0: (), 4: pytest.mark.ci, 8: pytest.mark.ci, 12: pytest.mark.ci}
CASES = [
    pytest.param(*case, id=case[0], marks=WHEN.get(number % 16, pytest.mark.slow))
    for number, case in enumerate(SAMPLE)
]


@pytest.mark.parametrize(("name", "x64"), CASES)
def test_sample(name: str, x64: bool, workers: Workers) -> None:
    assert not complaints(name, workers.check(name, x64), EXPECTED)


#: Groups that the release which the sample was drawn from has not.
LATER = set() if XLA < 1100 else {"exp2", "log2"}
#: Prints the group of each harness of a mode: without their jaxprs, which take ten times as long.
GROUPS = """
import json
from jax._src.internal_test_util.test_harnesses import all_harnesses
print(json.dumps({h.fullname: h.group_name for h in all_harnesses if h.filter("cpu")}))
"""


@pytest.fixture(scope="module")
def groups() -> tuple[dict[str, str], dict[str, str]]:
    """Of the harnesses that exist without x64, and of those that exist only with it, by name."""
    x32, x64 = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", GROUPS],
                env={**os.environ, "JAX_ENABLE_X64": mode},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
        )
        for mode in "01"
    )
    return x32, {name: group for name, group in x64.items() if name not in x32}


def test_there_are_as_many_as_known(groups: tuple[dict[str, str], dict[str, str]]) -> None:
    x32, only_x64 = groups
    assert (len(x32) + len(only_x64), len(only_x64)) == ((7414, 1931) if XLA < 1100 else (7421, 1935))
    assert len({*x32.values(), *only_x64.values()}) == 132 + len(LATER)


def test_the_committed_sample_has_every_group(groups: tuple[dict[str, str], dict[str, str]]) -> None:
    known = {groups[x64][name] for name, x64 in SAMPLE}
    assert known | LATER == {*groups[0].values(), *groups[1].values()}


def test_every_expected_failure_is_of_a_harness_that_exists(
    groups: tuple[dict[str, str], dict[str, str]],
) -> None:
    for entry in EXPECTED:
        assert entry.reason
        assert all(pipelines.find(name) for name in entry.pipelines)
        assert any(entry.covers(name, entry.pipelines[0]) for known in groups for name in known), (
            entry.harness
        )


@pytest.mark.parametrize(
    ("kept", "pipelines_of_it"),
    [
        ("harness-passes.json", {"canonical/simplify", "canonical/auto-optimize"}),
        ("harness-expansions.json", {"canonical/expand:pure"}),
    ],
)
def test_what_was_not_ok_on_daces_passes_is_expected(kept: str, pipelines_of_it: set[str]) -> None:
    summary = json.loads((ROOT / "docs" / kept).read_text(encoding="utf-8"))
    assert set(summary["pipelines"]) == pipelines_of_it
    for pipeline, tally in summary["pipelines"].items():
        assert tally["total"] == summary["harnesses"]["total"]
        known = {entry.outcome for entry in EXPECTED if pipeline in entry.pipelines}
        assert set(tally) - {"total", "ok"} <= known


@pytest.mark.slow
def test_the_committed_sample_is_the_chosen_one(
    tmp_path: Path, groups: tuple[dict[str, str], dict[str, str]]
) -> None:
    """`scripts/harness.py --sample --list > tests/harness/sample.txt` writes it anew."""
    kept = tmp_path / "catalogue.json"
    catalogue = harnesses.catalogue(kept)
    assert catalogue == harnesses.catalogue(kept), "what is kept is what was found"
    assert [{h.name: h.group for h in catalogue if h.x64 == x64} for x64 in (False, True)] == [*groups]
    lines = [f"{'x64' if h.x64 else 'x32'} {h.name}\n" for h in harnesses.sample(catalogue)]
    assert (HERE / "sample.txt").read_text() == "".join(lines)


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
