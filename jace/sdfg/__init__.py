"""From plans to SDFGs."""

from __future__ import annotations

from jace.sdfg.builder import build_sdfg

__all__ = ["build_sdfg"]
