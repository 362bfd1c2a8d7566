"""Turned teams: the threads of a parallel region come one after the other, the last one first.

On an idle or a busy machine a race may give the right result a thousand times: the first thread of a team has done its
few iterations before the others wake up. The order of a turned team is the one that no luck survives. It is as legal
as any: code without a race gives the same.

A small library, loaded before the programs, wraps the function by which GCC's code enters a parallel region
(turned.cc). Programs that were loaded before, and those of another compiler, are not affected.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from jace.build.cache import default_cache
from jace.build.compiler import compile_text
from jace.build.flags import toolchain

_FLAGS = ("-O2", "-std=c++17", "-fPIC", "-fvisibility=default")
#: The library, once it is loaded.
_loaded: list[ctypes.CDLL] = []
_lock = threading.Lock()


def load() -> None:
    """Wrap the parallel regions of programs that are loaded after this; no effect elsewhere than on Linux.

    Raises:
        CompileError: there is no C++ compiler, or it rejects the wrapper.
    """
    with _lock:
        if sys.platform == "linux" and not _loaded:
            _loaded.append(_library())


def _library() -> ctypes.CDLL:
    text = Path(__file__).with_name("turned.cc").read_text(encoding="utf-8")
    built = compile_text(text, _FLAGS, ("-ldl", "-lpthread"), toolchain(), default_cache())
    try:
        library = ctypes.CDLL(str(built.path), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    finally:
        if built.scratch is not None:
            shutil.rmtree(built.scratch, ignore_errors=True)
    library.jace_repro_regions.restype = ctypes.c_long
    library.jace_repro_turn.argtypes = [ctypes.c_int]
    return library


def regions() -> int:
    """How many parallel regions this thread has entered so far, of programs that can be turned."""
    return int(_loaded[0].jace_repro_regions()) if _loaded else 0


@contextlib.contextmanager
def turned() -> Iterator[None]:
    """Parallel regions that this thread enters are turned."""
    if not _loaded:
        yield
        return
    _loaded[0].jace_repro_turn(1)
    try:
        yield
    finally:
        _loaded[0].jace_repro_turn(0)
