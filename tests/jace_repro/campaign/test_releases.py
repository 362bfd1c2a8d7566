"""Testing a repro with other releases: one environment each, and the first bad one is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from click.testing import CliRunner

from jace_repro.campaign import releases
from jace_repro.campaign.releases import Release, ReleaseError, parse
from jace_repro.cli.commands import check
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Verdict

HERE = Release("jax", jax.__version__)


@pytest.fixture
def repro(tmp_path):
    path = tmp_path / "adds.py"
    x = np.arange(3, dtype=np.float32)
    emit_flat(jax.make_jaxpr(lambda x: x + 1)(x), (x,), header=Header(name="adds")).save(path)
    return path


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No registry: what would be installed is noted, the environments are otherwise real."""
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    asked = []

    def install(python, release):
        asked.append(release.requirements)
        if release.version == "9.9":
            raise subprocess.CalledProcessError(1, "pip", stderr="noise\nno jax==9.9 in the registry\n")

    monkeypatch.setattr(releases, "_install", install)
    return asked


def test_releases_are_read():
    assert parse("jax==0.10.1, jax==0.10.2") == (Release("jax", "0.10.1"), Release("jax", "0.10.2"))
    assert Release("jax", "0.10.1").requirements == ("jax==0.10.1", "jaxlib==0.10.1")
    for text in ("jax", "", "jax>=1", "torch==1.0", "jax==0.10.1;rm"):
        with pytest.raises(ReleaseError):
            parse(text)


@pytest.mark.ci
def test_an_environment_is_made_once_and_one_that_failed_leaves_nothing(offline):
    python = releases.interpreter(Release("jax", "0.1"))
    told = subprocess.run(
        [python, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True
    )
    assert Path(told.stdout.strip()) == python.parents[1]
    assert releases.interpreter(Release("jax", "0.1")) == python
    assert offline == [("jax==0.1", "jaxlib==0.1")]
    with pytest.raises(ReleaseError, match=r"no environment with jax==9\.9: no jax==9\.9 in the registry"):
        releases.interpreter(Release("jax", "9.9"))
    assert [p.name for p in python.parents[2].iterdir()] == [python.parents[1].name]


@pytest.mark.ci
def test_an_environment_that_has_another_release_is_not_believed(monkeypatch, repro):
    monkeypatch.setattr(releases, "interpreter", lambda release: Path(sys.executable))
    found = releases.report_of(HERE, [str(repro), "--pipeline", "fused"])
    assert [v["outcome"] for v in found["entries"][0]["verdicts"]] == ["ok"]
    with pytest.raises(ReleaseError, match=f"its environment has jax {HERE.version}"):
        releases.report_of(Release("jax", "0.0.1"), [str(repro), "--pipeline", "fused"])


def fake_report(release, arguments):
    """What two releases answer: the second one is wrong."""
    wrong = release.version == "2"
    verdict = Verdict("fused", "reference-mismatch" if wrong else "ok", "ab" if wrong else None)
    entry = {"name": "adds", "source": arguments[0], "verdicts": [verdict.to_json()]}
    if release.version == "9":
        raise ReleaseError("no environment with jax==9")
    return {"entries": [entry], "summary": {"errors": []}}


@pytest.mark.parametrize(
    ("versions", "code", "told", "first"),
    [
        ("jax==1,jax==2,jax==3", 1, "The first bad version is jax==2.", "jax==2"),
        ("jax==1,jax==3", 0, "No version is bad.", None),
        ("jax==1,jax==9", 2, "no environment with jax==9", None),
        ("torch==1", 2, "is no release", "unwritten"),
    ],
)
def test_the_first_bad_version_is_named(monkeypatch, repro, tmp_path, versions, code, told, first):
    monkeypatch.setattr(releases, "report_of", fake_report)
    report = tmp_path / "report.json"
    done = CliRunner().invoke(check.command, ["--versions", versions, "--json", str(report), str(repro)])
    assert done.exit_code == code, done.output
    assert told in done.output
    if first != "unwritten":
        written = json.loads(report.read_text())
        assert written["first_bad_version"] == first
        assert written["entries"][0]["name"] == "adds with jax==1"
