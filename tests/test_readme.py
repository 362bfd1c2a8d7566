"""The README says what is so."""

from __future__ import annotations

import subprocess
import sys

from places import ROOT

from jace_repro.campaign.settings import PIPELINES


def test_the_tables_of_the_readme_are_up_to_date():
    script = ROOT / "scripts" / "update_docs.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check", "README.md"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_ci_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    assert ".venv/bin/pytest -n 2 -q\n" in readme
    assert "\npytest -n 2 -q\n" in ci


def test_the_readme_knows_every_pipeline():
    readme = (ROOT / "README.md").read_text()
    assert all(f"| `{name}` |" in readme for name in PIPELINES)
