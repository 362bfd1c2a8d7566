"""jace: run JAX programs through DaCe.

    import jace

    @jace.jit
    def f(x):
        return jnp.sin(x) * 2

The result is called like `jax.jit`'s and composes with jax.jit, grad, vmap and the rest.

What is public: this module, `jace.errors`, `jace.pipelines` (the ways through DaCe, by name), `jace.registry`
(rules), `jace.user_passes` (passes of a user's own), `jace.ir` (jaxprs as data), `jace.build` (compiler and cache)
and `jace.debug` (passes as steps, notes in generated C++). They import what they need when it is first used:
`jace.pipelines` neither JAX nor DaCe, a program that is found in the cache no DaCe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jace import errors, registry
from jace.errors import (
    CodegenError,
    CompileError,
    CompilerKilledError,
    InvalidSDFGError,
    JaceError,
    NoGPUError,
    PassError,
    TranslateError,
    UnsupportedEquation,
    UnsupportedPrimitiveError,
)
from jace.registry import Elementwise, IndexMap, Region

if TYPE_CHECKING:
    from jace import build, debug, ir, pipelines
    from jace.api import (
        jit,
        preload,
        register_pipeline,
        register_rule,
        rule_of,
        supported_primitives,
        translated_primitives,
        use_rules,
    )
    from jace.stages import Compiled, Lowered, Traced, Wrapped, compile_jaxpr, translate_jaxpr
    from jace.translate.passes import Program, plannable
    from jace.translate.support import LEFT_TO_XLA
    from jace.translate.unit import clear_caches
else:
    from jace import lazy

    __getattr__ = lazy.attributes(
        __name__,
        {
            **{f"{__name__}.{door}": () for door in ("build", "debug", "ir", "pipelines")},
            "jace.api": [
                "jit",
                "preload",
                "register_pipeline",
                "register_rule",
                "rule_of",
                "supported_primitives",
                "translated_primitives",
                "use_rules",
            ],
            "jace.stages": ["Compiled", "Lowered", "Traced", "Wrapped", "compile_jaxpr", "translate_jaxpr"],
            "jace.translate.passes": ["Program", "plannable"],
            "jace.translate.support": ["LEFT_TO_XLA"],
            "jace.translate.unit": ["clear_caches"],
        },
    )

__all__ = [
    "LEFT_TO_XLA",
    "CodegenError",
    "CompileError",
    "Compiled",
    "CompilerKilledError",
    "Elementwise",
    "IndexMap",
    "InvalidSDFGError",
    "JaceError",
    "Lowered",
    "NoGPUError",
    "PassError",
    "Program",
    "Region",
    "Traced",
    "TranslateError",
    "UnsupportedEquation",
    "UnsupportedPrimitiveError",
    "Wrapped",
    "build",
    "clear_caches",
    "compile_jaxpr",
    "debug",
    "errors",
    "ir",
    "jit",
    "pipelines",
    "plannable",
    "preload",
    "register_pipeline",
    "register_rule",
    "registry",
    "rule_of",
    "supported_primitives",
    "translate_jaxpr",
    "translated_primitives",
    "use_rules",
]
