"""DaCe's configuration as jace needs it, set once, before the first SDFG is built.

Only the settings in memory change: nothing is written to the user's `.dace.conf`.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import dace

#: Held while a setting is another for a while: there is one configuration a process.
lock = threading.RLock()

_SETTINGS: tuple[tuple[tuple[str, ...], Any], ...] = (
    (("compiler", "use_cache"), False),
    (("compiler", "build_type"), "Release"),
    (("compiler", "cpp_standard"), "20"),
    (("compiler", "lineinfo"), "none"),
    (("compiler", "format_code"), False),
    (("compiler", "codegen_lineinfo"), False),
    (("compiler", "codegen_state_struct_suffix"), "_state_t"),
    (("compiler", "default_data_types"), "Python"),
    (("compiler", "cpu", "openmp_sections"), False),
    # Without a limit DaCe uses one that it has not made (corpus/dace/streams_of_a_view.py).
    (("compiler", "cuda", "max_concurrent_streams"), 4),
    (("optimizer", "autooptimize"), False),
    (("optimizer", "visualize_sdfv"), False),
    (("optimizer", "save_intermediate"), False),
    (("instrumentation", "report_each_invocation"), False),
    (("cache",), "name"),
    (("profiling",), False),
    (("progress",), False),
    (("debugprint",), False),
)


#: What DaCe warns of in the expansions of its own library nodes, which nobody can mend here; and that nobody chose a
#: size of blocks, for each kernel.
_WARNINGS = (
    "Using sets for connectors is discouraged",
    ".* maps to unused symbol",
    "No `gpu_block_size` property specified",
)


@functools.cache
def configure() -> None:
    """Set DaCe's configuration. Idempotent and cheap after the first call."""
    for message in _WARNINGS:
        warnings.filterwarnings("ignore", message, UserWarning, "dace")
    for path, value in _SETTINGS:
        dace.Config.set(*path, value=value)


@contextlib.contextmanager
def without_history() -> Iterator[None]:
    """Within, an SDFG keeps no copy of itself as it was before its library nodes are expanded."""
    with lock, dace.config.set_temporary("store_history", value=False):
        yield


@contextlib.contextmanager
def control_flow_as_it_is() -> Iterator[None]:
    """Within, DaCe does not look for loops and branches in the edges between states before it generates code."""
    with lock, dace.config.set_temporary("optimizer", "detect_control_flow", value=False):
        yield


def set_stock_flags(executable: str, args: str, libs: str) -> None:
    """Compiler, flags and libraries of the next `sdfg.compile()` (callers hold `lock`)."""
    dace.Config.set("compiler", "cpu", "executable", value=executable)
    dace.Config.set("compiler", "cpu", "args", value=args)
    dace.Config.set("compiler", "cpu", "libs", value=libs)
