"""pytest --jace-repro: failing tests leave repros, all others nothing."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from jace_repro import repro as repro_file

TESTS = """
import jax
import jax.numpy as jnp
import numpy as np
import pytest

@jax.jit
def double(x):
    return jnp.sin(x) * 2

def test_good():
    double(np.ones(3, np.float32))

@pytest.mark.parametrize("n", [3, 4])
def test_bad(n):
    assert double(np.full(n, 0.25, np.float32)).sum() < 0

def test_without_jax():
    assert False

@pytest.fixture
def broken():
    double(np.ones(7, np.float32))
    raise RuntimeError("no")

def test_fixture(broken):
    pass

@pytest.mark.xfail
def test_expected():
    assert double(np.ones(9, np.float32)).sum() < 0

def test_skipped():
    pytest.skip("not here")

def test_error_in_tracing():
    jax.jit(lambda x: jnp.dot(x, jnp.ones(5)))(np.ones(3, np.float32))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_it.py").write_text(textwrap.dedent(TESTS))
    return tmp_path


def run(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=150)


def directories(found: Path) -> dict[str, Path]:
    """Name of a test without the hash -> the directory of its recording."""
    return {re.sub(r"-[0-9a-f]{8}$", "", path.name): path for path in found.iterdir()}


FAILING = {
    "test_it.py_test_bad_3",
    "test_it.py_test_bad_4",
    "test_it.py_test_fixture",
    "test_it.py_test_error_in_tracing",
}


def test_failing_tests_leave_repros(project: Path) -> None:
    done = run(project, "--jace-repro")
    assert "4 failed, 1 passed, 1 skipped, 1 xfailed, 1 error" in done.stdout
    found = directories(project / "jace-repro-out" / "pytest")
    assert set(found) == FAILING
    (path,) = (p for p in (found["test_it.py_test_bad_4"] / "entries").glob("*.py") if "double" in p.name)
    repro = repro_file.load(path)
    (x,) = repro.load_inputs()
    assert x.tolist() == [0.25] * 4
    assert "test_it.py" in repro.header.origin
    assert "test_it.py::test_bad[4]: 1 function, " in done.stdout
    assert (
        f"jace-repro check {Path('jace-repro-out/pytest') / found['test_it.py_test_bad_4'].name}"
        in done.stdout
    )
    assert "test_it.py::test_without_jax: the test let JAX trace nothing" in done.stdout
    (failed,) = (found["test_it.py_test_error_in_tracing"] / "entries").glob("*lambda*.py")
    assert repro_file.load(failed).header.expected_error == "TypeError"

    run(project, "--jace-repro", "-k", "test_good")
    assert [path.name for path in (project / "jace-repro-out").iterdir()] == ["pytest"]


@pytest.mark.ci
def test_workers_of_xdist_record_into_the_chosen_directory(project: Path) -> None:
    done = run(project, "-n", "2", "--jace-repro-dir", "found")
    assert set(directories(project / "found")) == FAILING
    assert done.stdout.count("jace-repro check found/") == len(FAILING)
    again = run(project, "--jace-repro-dir", "found")
    assert again.returncode == pytest.ExitCode.USAGE_ERROR
    assert "found is not empty" in again.stderr


def test_without_the_option_nothing_happens(project: Path) -> None:
    done = run(project, "-k", "test_without_jax")
    assert "jace-repro" not in done.stdout
    assert [path.name for path in project.iterdir() if path.name != "__pycache__"] == ["test_it.py"]


CHECKING = """
import os
import pathlib
import jax.numpy as jnp
import numpy as np
import pytest
from jace_repro import api

RULES = pathlib.Path(__file__).with_name("rules.py")

def test_right(jace_check):
    assert [v.outcome for v in jace_check(jnp.sin, np.ones(3, np.float32))] == ["ok", "ok"]

def test_wrong(jace_check, tmp_path):
    def step(x):
        return jnp.floor(x) * 2
    jace_check(step, np.ones(3, np.float32), rules=RULES)

def test_afterwards(jace_check):
    jace_check(jnp.sin, np.ones(4, np.float32))
    assert [pool.spawned for _, pool in api._pools] == [1, 1]

def test_refused(jace_check):
    jace_check(jnp.sin, np.ones(3, np.float32), inputs="some")
"""


@pytest.mark.ci
def test_the_fixture_leaves_a_repro_and_a_bug_report_of_a_failing_test(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(CHECKING)
    (tmp_path / "rules.py").write_text(
        "import jace.rules\nfrom jace import registry\n\ndel registry._rules['floor']\n"
    )
    done = run(tmp_path, "--basetemp", "temp")
    assert "2 failed, 2 passed" in done.stdout
    assert "step does not agree with its DaCe translation" in done.stdout
    folder = tmp_path / "temp" / "test_wrong0-jace-repro"
    repro = repro_file.load(folder / "step.py")
    assert repro.header.outcome == "unsupported"
    assert "# `floor` is not supported" in (folder / "step.md").read_text()
    assert "Captured jace-repro call" in done.stdout
    assert re.search(
        r"^next: \S*jace-repro localize temp/test_wrong0-jace-repro/step.py$", done.stdout, re.MULTILINE
    )
    assert "raise DisagreementError" not in done.stdout  # the frames of the harness are left out
    assert sorted(path.name for path in (tmp_path / "temp").iterdir() if path.name.endswith("repro")) == [
        "test_wrong0-jace-repro"
    ]
