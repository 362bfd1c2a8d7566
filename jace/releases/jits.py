"""Inlining of jitted functions: whether or not until jax 0.11, from then on a choice of policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def inline_of(params: Mapping[str, Any]) -> Any:
    """What `jax.jit` was given as `inline`: None for its default, True for inlining while tracing, else the policy."""
    value = params["inline"]
    name = getattr(value, "name", None)
    if name is None:
        return True if value else None
    return {"AUTO": None, "JAX_EARLY": True}.get(name, value)
