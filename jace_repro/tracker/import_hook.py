"""Waiting for the program to import a module. Needs no JAX: that is one of the modules waited for."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any


def when_imported(name: str, action: Callable[[Any], object]) -> None:
    """Call `action` with a module when its code has run: now, or after the program imports it."""
    if name in sys.modules:
        action(sys.modules[name])
        return
    _finder.waiting.setdefault(name, []).append(action)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


class _Finder:
    """Finds what Python finds, with a loader that calls what waits for the module."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callable[[Any], object]]] = {}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The real spec of a module that something waits for; None for all others."""
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


_finder = _Finder()
