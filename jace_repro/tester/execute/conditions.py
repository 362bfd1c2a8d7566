"""What is set for one run of compiled code: how many threads it takes, what it finds in fresh memory."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator, Mapping
from typing import Any

#: glibc's name of what fills new memory.
_M_PERTURB = -6


@contextlib.contextmanager
def threads(count: int) -> Iterator[None]:
    """OpenMP regions of this thread take so many threads, while entered; no effect where no libgomp is loaded."""
    library = _openmp()
    if library is None:
        yield
        return
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(count)
    try:
        yield
    finally:
        library.omp_set_num_threads(before)


def _openmp() -> Any:
    """GCC's OpenMP runtime if this process has loaded it: loading it for nothing would say nothing."""
    try:
        return ctypes.CDLL("libgomp.so.1", mode=getattr(os, "RTLD_NOLOAD", 0) | ctypes.DEFAULT_MODE)
    except OSError:
        return None  # not loaded: then no generated code uses it


def poisonable(environment: Mapping[str, str]) -> dict[str, str]:
    """What a process needs in its environment for `poisoned` to reach small memory, too.

    glibc keeps freed blocks of up to 1032 bytes for each thread and hands them out again as they are.
    """
    own = environment.get("GLIBC_TUNABLES")
    return {"GLIBC_TUNABLES": ":".join(filter(None, [own, "glibc.malloc.tcache_count=0"]))}


@contextlib.contextmanager
def poisoned(pattern: int) -> Iterator[None]:
    """While entered, the C allocator fills new memory with a pattern (glibc's M_PERTURB; elsewhere no effect).

    Blocks of up to 1032 bytes only in a process that is `poisonable`.
    """
    _perturb(pattern ^ 0xFF)  # malloc fills with the complement
    try:
        yield
    finally:
        _perturb(0)


def _perturb(value: int) -> None:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_PERTURB, value)
