"""The reduction passes: every module here holds some, which enter themselves in `registry` with their place.

In: a `Problem` that fails. Out: a generator of smaller candidates, which is sent back whether each was taken.
"""

from __future__ import annotations

import importlib
import pkgutil

from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.equations import Locate, Named, jump, jump_to
from jace_repro.reducer.passes.registry import registered
from jace_repro.reducer.problem import Problem

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)


def standard_passes(locate: Locate | None = None, named: Named | None = None) -> tuple[Pass[Problem], ...]:
    """All passes, in the order they are tried; first the jump to the guilty equation that is located, or named."""
    first = [] if named is None else [jump_to(named)]
    if locate is not None:
        first.append(jump(locate))
    return (*first, *registered())


__all__ = ["Locate", "Named", "standard_passes"]
