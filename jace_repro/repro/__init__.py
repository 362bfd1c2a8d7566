"""The repro file: one Python script that runs on stock JAX and NumPy.

In: a script's text, its arrays and its header, or a path. Out: a `Repro`, a file, the traced program of either, one
digest of its outputs, and for each line of it the user's line that it was recorded from. `Entry` is the record of a
program that a script is of.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.repro.digest import digest_outputs
    from jace_repro.repro.entry import CallOptions, Entry
    from jace_repro.repro.file import (
        Header,
        Repro,
        ReproError,
        current_config,
        jax_configuration,
        load,
        parse_header,
        sidecar_bytes,
        with_header,
        write_file,
    )
    from jace_repro.repro.jaxpr_text import save_jaxpr, saved_jaxpr
    from jace_repro.repro.program import trace_repro
    from jace_repro.repro.sourcemap import in_user_terms, original_place, user_line

__all__ = [
    "CallOptions",
    "Entry",
    "Header",
    "Repro",
    "ReproError",
    "current_config",
    "digest_outputs",
    "in_user_terms",
    "jax_configuration",
    "load",
    "original_place",
    "parse_header",
    "save_jaxpr",
    "saved_jaxpr",
    "sidecar_bytes",
    "trace_repro",
    "user_line",
    "with_header",
    "write_file",
]

_MODULES = {
    "CallOptions": "entry",
    "Entry": "entry",
    "digest_outputs": "digest",
    "in_user_terms": "sourcemap",
    "original_place": "sourcemap",
    "save_jaxpr": "jaxpr_text",
    "saved_jaxpr": "jaxpr_text",
    "trace_repro": "program",
    "user_line": "sourcemap",
}


def __getattr__(name: str) -> Any:
    # Imported on first use: `entry` is read before JAX may be imported, and all but `sourcemap` of the rest need it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES.get(name, 'file')}"), name)
