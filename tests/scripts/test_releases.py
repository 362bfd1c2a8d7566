"""Which interpreter a pair gets, and that a missing one is said. (The pairs themselves: `.ci/run`.)"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from places import SCRIPTS
from script_modules import load_script

SCRIPT = SCRIPTS / "releases.py"
HERE = "{}.{}".format(*sys.version_info[:2])


@pytest.fixture(scope="module")
def releases() -> Any:
    return load_script("releases")


def test_an_interpreter_is_one_of_the_version_that_was_asked_for(releases: Any) -> None:
    found = releases.find(HERE)
    assert found is not None
    code = "import sys; print(*sys.version_info[:2], sep='.')"
    assert (
        subprocess.run([found, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == HERE
    )
    assert releases.find("2.0") is None


def test_a_missing_interpreter_is_said_and_fails_nothing() -> None:
    command = [sys.executable, str(SCRIPT), "--pair", "2.0", "0.10.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "Python 2.0, jax 0.10.1: not tested, there is no Python 2.0 here\n"
    assert done.returncode == 0


def test_the_quick_tests_are_there(releases: Any) -> None:
    assert [name for name in releases.QUICK if not (SCRIPTS.parent / name).exists()] == []
