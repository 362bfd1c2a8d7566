"""Whether scripts are written as a formatter writes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jace_repro.emitter.core.layout import WIDTH


def formatting_of(directory: Path) -> str:
    """What `ruff format` would change in the scripts under a directory, which has some; "" for nothing."""
    files = sorted(map(str, directory.rglob("*.py")))
    assert files
    command = [Path(sys.executable).with_name("ruff"), "format", "--isolated", "--no-cache"]
    done = subprocess.run(
        [*command, "--line-length", str(WIDTH), "--diff", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout
