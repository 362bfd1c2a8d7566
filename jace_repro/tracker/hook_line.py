"""The start-up hook of an environment: a file in site-packages whose one line Python executes whenever it starts.

While ``JACE_REPRO`` is not set the line looks for that name in ``os.environ``, which Python has by then, and imports
nothing.
"""

from __future__ import annotations

import sysconfig
from pathlib import Path

from jace_repro.paths import PACKAGE_ROOT

NAME = "jace_repro_start_up.pth"
_LINE = 'import os; "JACE_REPRO" in os.environ and exec(open({path!r}).read(), {{"__file__": {path!r}}})\n'


def default_folder() -> Path:
    """Where this environment has its packages."""
    return Path(sysconfig.get_path("purelib"))


def line() -> str:
    """What the file holds: it starts this copy of jace-repro."""
    return _LINE.format(path=str(PACKAGE_ROOT / "tracker" / "start_up.py"))


def installed(folder: Path) -> str | None:
    """What the file in a folder holds; None where there is none. Raises OSError."""
    path = folder / NAME
    return path.read_text(encoding="utf-8") if path.exists() else None


def install(folder: Path) -> Path:
    """Put the file there. Raises OSError."""
    path = folder / NAME
    path.write_text(line(), encoding="utf-8")
    return path


def remove(folder: Path) -> bool:
    """Take the file away, if it is there; whether it was. Raises OSError."""
    path = folder / NAME
    found = path.exists()
    path.unlink(missing_ok=True)
    return found
