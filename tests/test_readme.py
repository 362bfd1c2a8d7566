"""The README says what is so."""

from __future__ import annotations

import subprocess
import sys

from places import ROOT

from jace_repro.campaign.settings import PIPELINES


def test_the_tables_of_the_readme_and_the_gallery_are_up_to_date():
    script = ROOT / "scripts" / "update_docs.py"
    command = [sys.executable, str(script), "--check", "README.md", "docs/gallery.md"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ci_types_the_commands_of_the_readme():
    """It takes them from there, so that they cannot differ."""
    readme = (ROOT / "README.md").read_text().splitlines()
    ci = (ROOT / ".ci" / "run").read_text()
    start = "python3 -m venv "
    commands = [line for line in readme if line.startswith(start)]
    words = [command.split(" && ")[-1].partition(" ")[0] for command in commands]
    assert words == [".venv/bin/jace-repro", ".venv/bin/pytest"]
    assert all(command not in ci for command in commands)
    assert ci.count(f"grep '^{start}' README.md") == 1
    assert "  guilty    scan at wave_equation.py:31" in readme


def test_the_readme_knows_every_pipeline():
    readme = (ROOT / "README.md").read_text()
    assert all(f"| `{name}` |" in readme for name in PIPELINES)
