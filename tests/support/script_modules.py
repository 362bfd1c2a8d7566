"""Scripts as modules, for tests."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from places import SCRIPTS


def load_script(name: str) -> Any:
    """scripts/NAME.py, executed anew as a module that is not `__main__`."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    sys.path.insert(0, str(SCRIPTS))  # as Python does that runs it: some have parts in one another
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPTS))
    return module
