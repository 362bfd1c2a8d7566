"""From an SDFG to a callable library: flags, C++ source, compiler drivers, on-disk cache, loading.

What goes in is a `Program` (an SDFG with its inputs and outputs in call order); what comes out is a `Library`
that runs on buffer pointers, directly (`Library.call_direct`) or from XLA (the FFI handler of the shim).

    program -> codegen (C++ text), parts -> drivers, compiler (shared library) -> cache -> load -> shim (XLA)

Only `codegen`, `config` and `drivers` need DaCe: a process that finds its programs in the cache never
imports it. The compiler (`toolchain`, `compile_text`) and the cache need JAX no more than DaCe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jace.build.cache import Cache, cache_dir, default_cache, digest
from jace.build.compiler import Built, compile_text
from jace.build.disk import is_full
from jace.build.flags import CompilerOptions, Toolchain, toolchain
from jace.build.gpu import capability, nvcc

if TYPE_CHECKING:
    from jace.build.codegen import generate, standing_alone
    from jace.build.load import Library, Loaded, Signature, has_sanitizer, placing
else:
    from jace import lazy

    __getattr__ = lazy.attributes(
        __name__,
        {
            "jace.build.codegen": ("generate", "standing_alone"),
            "jace.build.load": ("Library", "Loaded", "Signature", "has_sanitizer", "placing"),
        },
    )

__all__ = [
    "Built",
    "Cache",
    "CompilerOptions",
    "Library",
    "Loaded",
    "Signature",
    "Toolchain",
    "cache_dir",
    "capability",
    "compile_text",
    "default_cache",
    "digest",
    "generate",
    "has_sanitizer",
    "is_full",
    "nvcc",
    "placing",
    "standing_alone",
    "toolchain",
]
