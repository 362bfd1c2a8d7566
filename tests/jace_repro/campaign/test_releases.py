"""Testing a repro with other releases: one environment each, and the first bad one is named."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import jax
import numpy as np
import pytest
from click.testing import CliRunner

from jace_repro.campaign import releases
from jace_repro.campaign.interpreters import find, is_of
from jace_repro.campaign.releases import Environment, Release, ReleaseError, parse
from jace_repro.cli.commands import check
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Verdict

HERE = Release("jax", jax.__version__)
PYTHON = "{}.{}".format(*sys.version_info)


def of(*pins):
    """An environment of ("jax", "0.10.1") and others."""
    return Environment(tuple(Release(*pin) for pin in pins))


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

    def install(python, words):
        asked.append(words)
        if "jax==9.9" in words:
            raise subprocess.CalledProcessError(1, "pip", stderr="noise\nno jax==9.9 in the registry\n")

    monkeypatch.setattr(releases, "_install", install)
    return asked


def test_releases_are_read():
    assert parse("jax==0.10.1, jax==0.10.2") == (of(("jax", "0.10.1")), of(("jax", "0.10.2")))
    assert parse("python==3.13+jax==0.12.0") == (of(("python", "3.13"), ("jax", "0.12.0")),)
    assert str(parse("jax==0.12.0 + python==3.13")[0]) == "jax==0.12.0+python==3.13"
    assert of(("python", "3.13"), ("jax", "0.10.1")).requirements == ("jax==0.10.1", "jaxlib==0.10.1")
    for text in ("jax", "", "jax>=1", "torch==1.0", "jax==0.10.1;rm", "jax==1+jax==2", "jax==1+"):
        with pytest.raises(ReleaseError):
            parse(text)


def test_a_python_is_found_by_its_version():
    assert find(PYTHON) is not None
    assert find("2.99") is None
    assert is_of("3.13.0", "3.13")
    assert not is_of("3.1.2", "3.13")
    assert not is_of("3.13.1", "3.13.0")


@pytest.mark.ci
def test_an_environment_is_made_once_and_one_that_failed_leaves_nothing(offline):
    python = releases.interpreter(of(("jax", "0.1")))
    told = subprocess.run(
        [python, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True
    )
    assert Path(told.stdout.strip()) == python.parents[1]
    assert releases.interpreter(of(("jax", "0.1"))) == python
    assert offline == [["--no-deps", "jax==0.1", "jaxlib==0.1"]]
    with pytest.raises(
        ReleaseError, match=r"no environment with jax==9\.9 \(Python 3\.\d+\.\d+\): no jax==9\.9 in"
    ):
        releases.interpreter(of(("jax", "9.9")))
    (python.parents[1] / "ready").write_text("")  # as an earlier version left it
    assert releases.interpreter(of(("jax", "0.1"))) == python
    assert len(offline) == 3
    with pytest.raises(ReleaseError, match=r"there is no Python 2\.99 here"):
        releases.interpreter(of(("python", "2.99")))
    assert [p.name for p in python.parents[2].iterdir()] == [python.parents[1].name]


@pytest.mark.ci
def test_an_environment_has_our_packages_as_they_are_now_and_what_is_pinned_before_what_is_here(
    offline, monkeypatch, tmp_path
):
    """As where jace-repro is installed: its folder has packages in it that are to be others there."""
    installed = tmp_path / "installed"
    for name in ("jace", "jace_repro"):
        shutil.copytree(releases.SOURCE_ROOT / name, installed / name)
    (installed / "jax").mkdir()
    (installed / "jax" / "__init__.py").write_text("raise ImportError('this is the one that is here')")
    monkeypatch.setattr(releases, "SOURCE_ROOT", installed)
    (installed / "jace" / "left.py").write_text("")
    python = releases.interpreter(of(("jax", jax.__version__)))  # not installed: it is behind
    code = "import jace_repro.paths, jax, jace; print(jax.__version__, jace_repro.paths.SOURCE_ROOT)"
    command = [python, "-c", code]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    found, root = told.stdout.split()
    assert found == jax.__version__
    assert Path(root).is_relative_to(python.parents[1])
    assert (Path(root) / "jace" / "left.py").exists()
    (installed / "jace" / "left.py").unlink()
    assert releases.interpreter(of(("jax", jax.__version__))) == python
    assert not (Path(root) / "jace" / "left.py").exists()


@pytest.mark.ci
def test_another_python_gets_what_is_needed_in_the_releases_that_are_here(offline):
    environment = of(("python", PYTHON), ("jax", "0.1"))
    python = releases.interpreter(environment)
    (words,) = offline
    constraints = Path(words[words.index("-c") + 1]).read_text().split()
    assert f"numpy=={np.__version__}" in constraints
    assert not [line for line in constraints if line.startswith(("jax==", "jaxlib=="))]
    assert words[-2:] == ["jax==0.1", "jaxlib==0.1"]
    assert [text for text in words if text.startswith("dace")]
    assert not [text for text in words if "extra" in text]
    told = subprocess.run(
        [python, "-c", "from importlib.metadata import version; print(version('jace-repro'))"],
        **{"capture_output": True, "text": True, "check": True},
    )
    assert told.stdout.strip() == version("jace-repro")


@pytest.mark.ci
def test_an_environment_that_has_another_release_is_not_believed(monkeypatch, repro):
    monkeypatch.setattr(releases, "interpreter", lambda environment: Path(sys.executable))
    arguments = [str(repro), "--pipeline", "fused"]
    found = releases.report_of(Environment((HERE, Release("python", PYTHON))), arguments)
    assert [v["outcome"] for v in found["entries"][0]["verdicts"]] == ["ok"]
    with pytest.raises(ReleaseError, match=f"its environment has jax {HERE.version}"):
        releases.report_of(of(("jax", "0.0.1")), arguments)
    with pytest.raises(ReleaseError, match=f"its environment has python {PYTHON}"):
        releases.report_of(of(("python", "2.99")), arguments)


def fake_report(environment, arguments):
    """What two releases answer: the second one is wrong."""
    (release,) = environment.releases
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
