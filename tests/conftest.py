"""Fixtures for all tests: the command line as a user types it, and caches that tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Ran:
    """What a command did. `report` is its machine report, when it was asked for one and wrote it."""

    code: int
    out: str
    err: str
    report: dict[str, Any] | None


@pytest.fixture(scope="session", autouse=True)
def private_caches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled programs are kept for the session only: no test passes for what an earlier run left behind."""
    os.environ["JACE_CACHE_DIR"] = str(tmp_path_factory.getbasetemp() / "jace-cache")


@pytest.fixture
def jace_repro(tmp_path: Path) -> Callable[..., Ran]:
    """``jace_repro("run", "prog.py", ...)``: the command in a directory of its own, with ``--json``."""

    def call(command: str, *words: str, env: dict[str, str] | None = None, timeout: float = 500) -> Ran:
        path = tmp_path / "report-of-test.json"
        done = subprocess.run(
            [sys.executable, "-m", "jace_repro", command, "--json", str(path), *words],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        report = json.loads(path.read_text()) if path.exists() else None
        return Ran(done.returncode, done.stdout, done.stderr, report)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes the text of a program to a file of the test's directory and answers its name."""

    def write(text: str, name: str = "prog.py") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write
