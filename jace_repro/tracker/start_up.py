"""What a Python process runs before its program when ``JACE_REPRO`` is set: see `jace_repro.tracker.switch`.

Executed by its path, from the line that ``jace-repro hook install`` puts into the environment (`tracker.hook_line`):
the package need not be on the search path yet.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import types

_NAME = "jace_repro.tracker.start_up"
#: The folder `jace_repro`.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def begin() -> None:
    """Turn the switch. The program goes on without it when that fails."""
    try:
        if "jace_repro" not in sys.modules:
            spec = importlib.util.spec_from_file_location("jace_repro", os.path.join(_PACKAGE, "__init__.py"))
            assert spec is not None
            assert spec.loader is not None
            sys.modules["jace_repro"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules["jace_repro"])
        from jace_repro.tracker.switch import turn

        turn(os.environ)
    except Exception as error:
        print(f"jace-repro: this process is not recorded: {error}", file=sys.stderr)


if _NAME not in sys.modules:  # Python reads the packages of a virtual environment twice
    sys.modules[_NAME] = types.ModuleType(_NAME)
    begin()
