"""The reduction passes: every module here holds some, which enter themselves in `registry` with their place.

In: a `Problem` that fails. Out: a generator of smaller candidates, which is sent back whether each was taken.
"""

from __future__ import annotations

import importlib
import pkgutil

from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.equations import Locate, jump
from jace_repro.reducer.passes.registry import registered
from jace_repro.reducer.problem import Problem

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)


def standard_passes(locate: Locate | None = None) -> tuple[Pass[Problem], ...]:
    """All passes, in the order they are tried; the jump to the guilty equation comes first where `locate` tells it."""
    first = () if locate is None else (jump(locate),)
    return (*first, *registered())


__all__ = ["Locate", "standard_passes"]
