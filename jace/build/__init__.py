"""From an SDFG to a callable library: flags, C++ source, compiler drivers, on-disk cache, loading.

What goes in is a `Program` (an SDFG with its inputs and outputs in call order); what comes out is a `Library`
that runs on buffer pointers, directly (`Library.call_direct`) or from XLA (the FFI handler of the shim).

    program -> codegen (C++ text) -> drivers, compiler (shared library) -> cache -> load -> shim (XLA)

Only `codegen`, `config` and `drivers` need DaCe: a process that finds its programs in the cache never
imports it.
"""

from __future__ import annotations

from jace.build.flags import CompilerOptions
from jace.build.load import Library, Loaded, Signature

__all__ = ["CompilerOptions", "Library", "Loaded", "Signature"]
