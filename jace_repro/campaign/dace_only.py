"""A finding as a script of DaCe and NumPy alone, tried where there is no JAX before anybody is given it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

NAME = "dace_only.py"
#: Seconds that DaCe's own build, of two SDFGs, and their runs may take.
SECONDS = 300.0
#: Runs a script where neither JAX nor we can be imported.
_ALONE = """\
import runpy, sys
sys.modules.update(dict.fromkeys(("jax", "jaxlib", "jace", "jace_repro")))
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def write_one(scripts: Sequence[str], folder: Path) -> Path | None:
    """Write the first of the scripts that shows the finding by itself; None when none does.

    Args:
        scripts: in the order in which they are tried.
        folder: where the SDFGs lie that they read.

    Raises OSError.
    """
    path = folder / NAME
    for script in scripts:
        path.write_text(script, encoding="utf-8")
        if _shows(path):
            return path
    path.unlink(missing_ok=True)
    return None


def _shows(script: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="jace-repro-") as scratch:  # DaCe builds in the working directory
        try:
            done = subprocess.run(
                [sys.executable, "-c", _ALONE, script.resolve()],
                cwd=scratch,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 1 and done.stdout.rstrip().endswith("bug present")
