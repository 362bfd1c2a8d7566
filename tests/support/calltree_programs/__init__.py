"""Small programs, each of which asks something else of the call tree: what a user writes under ``jax.jit``.

``PROGRAMS`` maps a name to a :class:`Program`.  Nothing here knows the harness: a program is imported, and called,
as it would be in a file of its own.
"""

from __future__ import annotations

import importlib

from calltree_programs.base import PROGRAMS, Program, normal

__all__ = ["PROGRAMS", "Program", "normal"]

# Programs draw their arguments from one stream of numbers, in this order.
for _name in (
    "operators",
    "methods",
    "pytrees",
    "constants",
    "transforms",
    "jits",
    "control_flow",
    "custom_derivatives",
    "random_keys",
    "contexts",
    "names",
    "combinations",
    "arrays",
    "captures",
    "caches",
    "own_primitive",
    "train",
    "python_loops",
):
    importlib.import_module(f"calltree_programs.{_name}")
