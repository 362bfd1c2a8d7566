"""The passes on scripts: every module here holds some, which enter themselves in `registry` with their place.

In: a `Program` that fails. Out: a generator of smaller candidates, which is sent back whether each was taken.
"""

from __future__ import annotations

import importlib
import pkgutil

from jace_repro.reducer.loop import Pass
from jace_repro.reducer.source.passes.registry import registered
from jace_repro.reducer.source.program import Program

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)


def source_passes() -> tuple[Pass[Program], ...]:
    """All passes, in the order they are tried."""
    return registered()


__all__ = ["source_passes"]
