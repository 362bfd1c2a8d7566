"""C functions inside of Python extension modules, for generated code that asks for them by name.

Generated code says `jace_external("lapack/dpotrf")`. The names are found in its text and resolved to addresses here
before the library is loaded, in every process anew: an address never reaches the disk. A family of names (what is
before the slash) has a resolver; families are

    lapack/NAME, blas/NAME    SciPy's LAPACK and BLAS (32-bit integers, column-major), as JAX's own CPU path uses
    pocketfft/NAME            inner loops of NumPy's FFT
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import re
from collections.abc import Callable

from jace.errors import CompileError

_MENTION = re.compile(r'\bjace_external\("([\w./-]+)"\)')

# The type of a parameter, when it is an integer other than C's int (a SciPy built on 64-bit LAPACK).
_OTHER_INTEGERS = re.compile(rb"\b(?!int\b)\w*(int|long)\w* \*")

Resolver = Callable[[str], int]

_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def externals_in(source: str) -> tuple[str, ...]:
    """The names that generated code asks for, sorted."""
    return tuple(sorted(set(_MENTION.findall(source))))


def resolve(name: str) -> int:
    """The address of an external function.

    Raises:
        CompileError: if nothing in this Python installation provides it.
    """
    family, _, function = name.partition("/")
    resolver = RESOLVERS.get(family)
    if resolver is None:
        raise CompileError(f"no external functions are called '{family}/...' (asked for '{name}')")
    try:
        return resolver(function)
    except (ImportError, KeyError, AttributeError) as error:
        raise CompileError(f"the external function '{name}' is missing: {error!r}") from error


@functools.cache
def _cython_table(module: str) -> dict[str, object]:
    table: dict[str, object] = importlib.import_module(module).__pyx_capi__
    return table


def _cython_function(module: str) -> Resolver:
    """Functions that a Cython module exports as PyCapsules (`__pyx_capi__`)."""

    def address(function: str) -> int:
        capsule = _cython_table(module)[function]
        signature = _capsule_name(capsule)
        if _OTHER_INTEGERS.search(signature) is not None:
            raise CompileError(f"{module}.{function} does not take 32-bit integers: {signature.decode()}")
        return int(_capsule_pointer(capsule, signature))

    return address


def _pocketfft(function: str) -> int:
    return int(importlib.import_module("jace.build.pocketfft").address(function))


#: family -> function that answers the address of a name of it.
RESOLVERS: dict[str, Resolver] = {
    "lapack": _cython_function("scipy.linalg.cython_lapack"),
    "blas": _cython_function("scipy.linalg.cython_blas"),
    "pocketfft": _pocketfft,
}
