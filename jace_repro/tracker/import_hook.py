"""Waiting for the program to import a module. Needs no JAX: that is one of the modules waited for."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any


def when_imported(name: str, action: Callable[[Any], object], *, before: str = "") -> None:
    """Call `action` with a module when its code has run: now, or after the program imports it.

    Args:
        name, action: the module, and what is to be called.
        before: a package that imports the module and that `action` imports: whoever imports a part of it imports the
            module first, since a part that is half imported is of no use to `action`.
    """
    if name in sys.modules:
        action(sys.modules[name])
        return
    _finder.waiting.setdefault(name, []).append(action)
    if before:
        _finder.early[f"{before}."] = name
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


class _Finder:
    """Finds what Python finds, with a loader that calls what waits for the module."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callable[[Any], object]]] = {}
        self.early: dict[str, str] = {}  #: beginning of a module's name -> what is imported before it

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The real spec of a module that something waits for; None for all others."""
        for beginning, first in self.early.items():
            if name.startswith(beginning) and first in self.waiting:
                importlib.import_module(first)
                if name in sys.modules:  # what waited for it has imported this one, too
                    return _Loaded(sys.modules[name]).spec
        actions = self.waiting.pop(name, None)
        if actions is None:
            return None
        if not self.waiting:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def execute_and_act(module: types.ModuleType) -> None:
            del loader.exec_module  # the instance is as it was: the method is the class's
            execute(module)
            for action in actions:
                action(module)

        loader.exec_module = execute_and_act
        return spec


class _Loaded:
    """A loader of a module that there is, for an import that has been looking for it."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module, self._own = module, module.__spec__
        self.spec = copy.copy(self._own)
        assert self.spec is not None
        self.spec.loader = self  # type: ignore[assignment]  # as much of a loader as an import asks for

    def create_module(self, spec: Any) -> types.ModuleType:
        return self._module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self._own


_finder = _Finder()
