"""Schedules: the threads of a parallel region come one after the other, the last one first, or all at once.

On an idle or a busy machine a race may give the right result a thousand times: the first thread of a team has done its
few iterations before the others wake up. The reverse order is the one that no luck survives: every iteration
misses what those before it did. Where any order would do, if only one iteration were over before the next begins,
threads that begin at once show the race in some of a few dozen runs. All of this is as legal as any order: code without
a race gives the same.

A small library, loaded before the programs, wraps the function by which GCC's code enters a parallel region
(schedules.cc). Programs that were loaded before, and those of another compiler, are not affected.
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

from jace.build import compile_text, default_cache, toolchain

_FLAGS = ("-O2", "-std=c++17", "-fPIC", "-fvisibility=default")
#: Schedules of the threads of a team, as schedules.cc numbers them.
IN_TURN, AT_ONCE = 1, 2
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
    text = Path(__file__).with_name("schedules.cc").read_text(encoding="utf-8")
    built = compile_text(text, _FLAGS, ("-ldl", "-lpthread"), toolchain(), default_cache())
    try:
        library = ctypes.CDLL(str(built.path), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    finally:
        if built.scratch is not None:
            shutil.rmtree(built.scratch, ignore_errors=True)
    library.jace_repro_regions.restype = ctypes.c_long
    library.jace_repro_order.argtypes = [ctypes.c_int]
    return library


def regions() -> int:
    """How many parallel regions this thread has entered so far, of programs whose threads can be scheduled."""
    return int(_loaded[0].jace_repro_regions()) if _loaded else 0


@contextlib.contextmanager
def ordered(schedule: int) -> Iterator[None]:
    """In parallel regions that this thread enters, the others come `IN_TURN` or `AT_ONCE`."""
    if not _loaded:
        yield
        return
    _loaded[0].jace_repro_order(schedule)
    try:
        yield
    finally:
        _loaded[0].jace_repro_order(0)
