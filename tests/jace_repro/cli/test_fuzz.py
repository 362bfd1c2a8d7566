"""`jace-repro fuzz` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

#: Rules with a bug: the larger of two numbers is the smaller one.
RULES = """
import jace

least = jace.rule_of("min")


@jace.register_rule("max", override=True)
def maximum(params, in_dtypes, out_dtype, x, y):
    return least.expression(params, in_dtypes, out_dtype, x, y)
"""


@pytest.mark.slow
def test_a_planted_bug_is_found_and_reduced_and_a_campaign_goes_on(jace_repro, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    command = [
        "--pipeline",
        "fused",
        "-o",
        "found",
        "--rules",
        "rules.py",
        "--max-findings",
        "1",
        "--jobs",
        "2",
    ]
    ran = jace_repro("fuzz", "-n", "64", *command)
    assert ran.code == 1, ran.out + ran.err
    assert "Finding 1: mismatch on fused" in ran.out
    assert "rules.py" in ran.out
    assert ran.report is not None
    tested = ran.report["fuzz"]["programs"]
    assert 0 < tested <= 64
    minimal = list((tmp_path / "found" / "minimal").glob("*.py"))
    assert any("max" in path.read_text() for path in minimal)
    assert (tmp_path / "found" / "report.html").is_file()
    again = jace_repro("fuzz", *command, "--resume", "-n", str(tested))
    assert (again.code, again.report["fuzz"]["programs"]) == (1, tested)
    lines = (tmp_path / "found" / "tested.jsonl").read_text().split("\n")
    assert len([json.loads(line) for line in lines if line]) == tested


def test_a_directory_with_a_campaign_is_not_begun_anew(jace_repro, tmp_path: Path) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "campaign.json").write_text('{"schema": 1, "seed": 3, "pipelines": ["fused"]}')
    ran = jace_repro("fuzz", "-o", "found")
    assert (ran.code, "found holds a campaign already: go on with it (--resume)" in ran.err) == (2, True)
    ran = jace_repro("fuzz", "-o", "found", "--resume", "--seed", "4")
    assert ran.code == 2
    assert "found holds the campaign of seed 3 on fused: go on with these" in ran.err.replace("\n", " ")


def test_where_there_is_no_campaign_to_go_on_with_one_begins(jace_repro, tmp_path: Path) -> None:
    ran = jace_repro("fuzz", "--resume", "-o", "nightly", "--seconds", "0", "--pipeline", "fused")
    assert (ran.code, "0 programs of seed 0 so far" in ran.out) == (0, True)
    ran = jace_repro("fuzz", "--resume", "-o", "nightly", "--seconds", "0", "--seed", "0")
    assert ran.code == 0
    about = json.loads((tmp_path / "nightly" / "campaign.json").read_text())
    assert (about["seed"], about["pipelines"]) == (0, ["fused"])


def test_there_must_be_something_to_go_on_with(jace_repro) -> None:
    ran = jace_repro("fuzz", "--resume")
    assert (ran.code, "--resume goes with --out DIR" in ran.err) == (2, True)


def test_a_guided_campaign_has_its_page_from_the_start(jace_repro, tmp_path: Path) -> None:
    ran = jace_repro("fuzz", "--guided", "-o", "guided", "--seconds", "0", "--pipeline", "fused")
    assert ran.code == 0
    assert "They reach 0 of " in ran.out
    assert (tmp_path / "guided" / "reached.html").is_file()
    ran = jace_repro("fuzz", "-o", "guided", "--resume", "--scheduler", "tcp://nobody:1")
    assert ran.code == 2
    assert "--guided and --scheduler do not go together" in ran.err.replace("\n", " ")


@pytest.mark.ci
def test_a_guided_campaign_says_what_its_programs_reach(jace_repro, tmp_path: Path) -> None:
    command = ["--guided", "-o", "guided", "--pipeline", "canonical/simplify", "--jobs", "2"]
    ran = jace_repro("fuzz", *command, "-n", "24", "--seed", "5")
    assert ran.code in (0, 1), ran.out + ran.err
    reached = ran.report["fuzz"]["reached"]
    assert reached["branches"] > reached["branch"] > 100
    assert reached["pass"] > 3
    assert reached["seeds"] > 3
    page = (tmp_path / "guided" / "reached.html").read_text()
    assert "<code>StateFusion</code>" in page
    assert ran.report["fuzz"]["invalid"] == 0
