"""Jitted functions of a script: which equations are one, and the decorator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jace_repro.emitter.core import literals, params
from jace_repro.emitter.core.script import Script


def is_plain(given: Mapping[str, Any]) -> bool:
    """Whether a jit equation with these parameters has neither shardings nor layouts nor compiler options."""
    shardings = (*given["in_shardings"], *given["out_shardings"])
    return (
        all(type(s).__name__ == "UnspecifiedValue" for s in shardings)
        and not any(x is not None for x in (*given["in_layouts"], *given["out_layouts"]))
        and given["ctx_mesh"].empty
        and not given["compiler_options_kvs"]
    )


def decorator(script: Script, name: str | None, options: Mapping[str, Any]) -> str:
    """The line above a jitted function; `name` is what JAX calls it where that is not its name in the script."""
    given = [f"{k}={params.param(script, v, params.no_jaxpr)}" for k, v in options.items()]
    if name is not None:
        given.insert(0, literals.string(name))
    return f"@{script.use('jit')}({', '.join(given)})" if given else "@jax.jit"
