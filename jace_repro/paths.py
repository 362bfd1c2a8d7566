"""Where this package lies: every path inside it is made from here. Needs nothing but Python."""

from __future__ import annotations

from pathlib import Path

#: The folder `jace_repro`.
PACKAGE_ROOT = Path(__file__).resolve().parent
#: The folder that holds `jace` and `jace_repro`: what goes on the search path of a child process.
SOURCE_ROOT = PACKAGE_ROOT.parent
