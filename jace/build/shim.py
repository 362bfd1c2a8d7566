"""The FFI shim: compiled once, loaded once, registered with XLA as the CPU target "jace_call"."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jax

from jace.build.cache import default_cache
from jace.build.compiler import compile_text
from jace.build.externals import resolve
from jace.build.flags import toolchain
from jace.errors import CompileError

TARGET = "jace_call"
_FLAGS = ("-O2", "-std=c++17", "-fPIC", "-w", "-fvisibility=hidden")
_lock = threading.Lock()


@functools.cache
def _shim() -> ctypes.PyDLL | ctypes.CDLL:
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    text = (Path(__file__).parent / "ffi_shim.cc").read_text(encoding="utf-8")
    # The header is pasted in, so that the cache key covers it.
    text = text.replace('#include "xla/ffi/api/c_api.h"', header.read_text(encoding="utf-8"))
    built = compile_text(text, _FLAGS, (), toolchain(), default_cache())
    try:
        # Global: programs find libstdc++ through it.
        dll = ctypes.CDLL(str(built.path), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    except OSError as error:
        raise CompileError(f"the FFI shim cannot be loaded: {error}") from error
    finally:
        if built.scratch is not None:
            shutil.rmtree(built.scratch, ignore_errors=True)
    dll.jace_register.argtypes = [ctypes.c_uint64, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64]
    dll.jace_execute.argtypes = [ctypes.c_uint64, ctypes.c_void_p]
    dll.jace_trim.argtypes = [ctypes.c_uint64]
    dll.jace_calls.argtypes, dll.jace_calls.restype = [ctypes.c_uint64], ctypes.c_uint64
    dll.jace_provide.argtypes, dll.jace_provide.restype = [ctypes.c_char_p, ctypes.c_void_p], None
    ffi: Any = jax.ffi
    ffi.register_ffi_target(TARGET, ffi.pycapsule(dll.jace_ffi_call), platform="cpu")
    return dll


def load() -> Any:
    """The loaded shim, registered with XLA.

    Raises:
        CompileError: if it cannot be compiled or loaded.
    """
    with _lock:
        return _shim()


def register(key: int, call: Any, init: Any, exit_: Any, n_inputs: int, n_outputs: int) -> None:
    """Make a loaded program callable under a 64-bit content key."""
    pointers = [ctypes.cast(f, ctypes.c_void_p) for f in (call, init, exit_)]
    load().jace_register(key, *pointers, n_inputs, n_outputs)


def provide(names: Iterable[str]) -> None:
    """Make external C functions known to programs that are loaded after this.

    Raises:
        CompileError: if one is not there.
    """
    for name in names:
        _provide(name)


@functools.cache
def _provide(name: str) -> None:
    load().jace_provide(name.encode(), resolve(name))


def execute(key: int, pointers: Any) -> int:
    """Run a registered program on pointers to inputs, then outputs. Returns 0 or a status of the shim."""
    return int(load().jace_execute(key, pointers))


def calls(key: int) -> int:
    """How often a registered program was called, directly or from XLA, and came back."""
    return int(load().jace_calls(key))


def trim(key: int) -> int:
    """Free the idle handles of a program, hence its persistent temporaries. Returns how many."""
    return int(load().jace_trim(key))
