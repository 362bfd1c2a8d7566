"""The repro file: one Python script that runs on stock JAX and NumPy.

In: a script's text, its arrays and its header, or a path. Out: a `Repro`, a file, the traced program of either, one
digest of its outputs, and for each line of it the user's line that it was recorded from.
"""

from __future__ import annotations

from jace_repro.repro.digest import digest_outputs
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
from jace_repro.repro.program import trace_repro
from jace_repro.repro.sourcemap import in_user_terms, original_place, user_line

__all__ = [
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
    "sidecar_bytes",
    "trace_repro",
    "user_line",
    "with_header",
    "write_file",
]
