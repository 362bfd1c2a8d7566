"""The Pythons of this machine: those on the search path, and those that pyenv and uv have installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

_VERSION = "import platform; print(platform.python_version())"


def find(version: str) -> Path | None:
    """A Python of a version, as "3.13" or "3.13.0"; None where there is none."""
    return next((path for path in _candidates(version) if _is(path, version)), None)


def _candidates(version: str) -> Iterator[Path]:
    series = ".".join(version.split(".")[:2])
    found = shutil.which(f"python{series}")
    yield from [Path(found)] if found is not None else []
    home, data = Path.home(), os.environ.get("XDG_DATA_HOME")
    installed = {
        Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions": f"{series}*",
        Path(data or home / ".local" / "share") / "uv" / "python": f"cpython-{series}*",
    }
    for folder, pattern in installed.items():
        yield from sorted(folder.glob(f"{pattern}/bin/python"))


def _is(path: Path, version: str) -> bool:
    """Whether it answers, with this version: a shim on the search path may have nothing behind it."""
    done = subprocess.run([path, "-c", _VERSION], capture_output=True, text=True, check=False)
    return done.returncode == 0 and is_of(done.stdout.strip(), version)


def is_of(found: str, version: str) -> bool:
    """Whether a Python's version, "3.13.0", is of a version that may leave its end open, "3.13"."""
    wanted = version.split(".")
    return found.split(".")[: len(wanted)] == wanted
