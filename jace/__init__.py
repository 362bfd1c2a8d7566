"""jace: run JAX programs through DaCe.

    import jace

    @jace.jit
    def f(x):
        return jnp.sin(x) * 2

The result is called like `jax.jit`'s and composes with jax.jit, grad, vmap and the rest.

What is public: this module, `jace.errors`, `jace.pipelines` (the ways through DaCe, by name), `jace.registry` (rules),
`jace.ir` (jaxprs as data), `jace.build` (compiler and cache) and `jace.debug` (passes as steps, notes in generated
C++). They import what they need when it is first used: `jace.pipelines` neither JAX nor DaCe, a program that is found
in the cache no DaCe.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace import build, debug, errors, ir, pipelines, registry
    from jace.api import jit, preload, register_rule, rule_of, supported_primitives, use_rules
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
    "build",
    "clear_caches",
    "compile_jaxpr",
    "debug",
    "errors",
    "ir",
    "jit",
    "pipelines",
    "preload",
    "register_rule",
    "registry",
    "rule_of",
    "supported_primitives",
    "use_rules",
]

_DOORS = ("build", "debug", "errors", "ir", "pipelines", "registry")
_MODULES = {
    "jace.api": ("jit", "preload", "register_rule", "rule_of", "supported_primitives", "use_rules"),
    "jace.registry": ("Elementwise", "IndexMap", "Region"),
    "jace.stages": ("compile_jaxpr",),
    "jace.translate.unit": ("clear_caches",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return importlib.import_module(f"jace.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES.get(name, "jace.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
