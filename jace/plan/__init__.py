"""Fusion planning: a flat jaxpr becomes kernels, loops and branches over buffers."""

from __future__ import annotations

from jace.plan.emit import Emitter
from jace.plan.ops import (
    Access,
    Assign,
    Box,
    Branch,
    Buffer,
    Call,
    Copy,
    Kernel,
    Loop,
    Nested,
    Op,
    Plan,
    Ref,
    Span,
)
from jace.plan.planner import Planner, plan
from jace.plan.sharing import with_shared_buffers

__all__ = [
    "Access",
    "Assign",
    "Box",
    "Branch",
    "Buffer",
    "Call",
    "Copy",
    "Emitter",
    "Kernel",
    "Loop",
    "Nested",
    "Op",
    "Plan",
    "Planner",
    "Ref",
    "Span",
    "plan",
    "with_shared_buffers",
]
