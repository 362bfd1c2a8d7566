"""jace: run JAX programs through DaCe.

    import jace

    @jace.jit
    def f(x):
        return jnp.sin(x) * 2

The result is called like `jax.jit`'s and composes with jax.jit, grad, vmap and the rest.
"""

from __future__ import annotations

from typing import Any

from jace.api import jit, register_rule, use_rules
from jace.errors import (
    CodegenError,
    CompileError,
    CompilerKilledError,
    InvalidSDFGError,
    JaceError,
    PassError,
    TranslateError,
    UnsupportedEquation,
    UnsupportedPrimitiveError,
)
from jace.registry import Elementwise, IndexMap, Region
from jace.stages import compile_jaxpr
from jace.translate.unit import clear_caches


def supported_primitives() -> tuple[str, ...]:
    """Names of all primitives that have a rule (calls and `lower_fun` primitives are supported besides)."""
    import jace.rules  # noqa: F401  (rules register at import)
    from jace import registry

    return registry.supported_primitives()


def rule_of(primitive: Any) -> Elementwise | IndexMap | Region | None:
    """The rule in force for a primitive (or its name), or None: what a replacement rule may build on."""
    import jace.rules  # noqa: F401  (rules register at import)
    from jace import registry

    return registry.lookup(primitive if isinstance(primitive, str) else primitive.name)


__all__ = [
    "CodegenError",
    "CompileError",
    "CompilerKilledError",
    "Elementwise",
    "IndexMap",
    "InvalidSDFGError",
    "JaceError",
    "PassError",
    "Region",
    "TranslateError",
    "UnsupportedEquation",
    "UnsupportedPrimitiveError",
    "clear_caches",
    "compile_jaxpr",
    "jit",
    "register_rule",
    "rule_of",
    "supported_primitives",
    "use_rules",
]
