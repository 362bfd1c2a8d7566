"""Whose rule translates a primitive: jace's own, or one that a user registered."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from jax.extend.core import ClosedJaxpr

import jace

_OWN = Path(jace.__file__).parent


def place_of_users_rule(primitive: str | None) -> str | None:
    """Where the rule in force for a primitive is, "file:line (name)", when it was registered from outside jace."""
    rule = jace.rule_of(primitive) if primitive else None
    match rule:
        case jace.Elementwise():
            written: Any = rule.expression
        case jace.IndexMap():
            written = rule.value
        case jace.Region():
            written = rule.build
        case None:
            return None
    while isinstance(written, functools.partial):
        written = written.func
    code = getattr(written, "__code__", None)
    if code is None or Path(code.co_filename).is_relative_to(_OWN):
        return None
    return f"{code.co_filename}:{code.co_firstlineno} ({written.__name__})"


def place_of_users_rules(closed: ClosedJaxpr) -> str | None:
    """The same of the first such primitive in a program, once jace has expanded what it has no rule for."""
    return next(filter(None, map(place_of_users_rule, jace.translated_primitives(closed))), None)
