"""Addresses of the compiled loops behind NumPy's FFT, for generated code (`jace_external("pocketfft/fft_f64")`).

`numpy.fft` is five generalized ufuncs whose inner loops are pocketfft. The struct that a ufunc object is, is public
(`PyUFuncObject` in numpy/ufuncobject.h), and so is the type of a loop (`PyUFuncGenericFunction`):

    void loop(char **args, const intp *dimensions, const intp *steps, void *data)

with args = {input, factor, output}, dimensions = {batch, input length, output length}, steps in bytes = {batch of
input, of factor, of output, element of input, of output}. The result is multiplied by the factor, a real number of
the precision. `data` says whether a complex transform is forward. The loops need no GIL.

Names: fft, ifft, irfft, rfft_n_even, rfft_n_odd (by the number of real points), followed by _f32 or _f64; with
".data" the data pointer of fft and ifft.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from typing import Any

import numpy as np

_PRECISIONS: dict[str, np.dtype[Any]] = {"f32": np.dtype(np.complex64), "f64": np.dtype(np.complex128)}
#: Length of the transform with which a loop is tried.
_TRIAL = {"fft": 4, "ifft": 4, "irfft": 4, "rfft_n_even": 4, "rfft_n_odd": 5}

_LOOP = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.c_void_p,
)


class _UFunc(ctypes.Structure):
    """The head of PyUFuncObject."""

    _fields_ = (
        ("reference_count", ctypes.c_ssize_t),
        ("python_type", ctypes.c_void_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
    )


def address(name: str) -> int:
    """The address that generated code knows as "pocketfft/<name>".

    Raises:
        KeyError: if there is no such name.
        ImportError: if this NumPy's FFT is not what is described above.
    """
    loop, data = _loop(name.removesuffix(".data"))
    return data if name.endswith(".data") else loop


@functools.cache
def _loop(name: str) -> tuple[int, int]:
    """(loop, data pointer or 0), found and tried on a short transform."""
    transform, _, precision = name.rpartition("_")
    dtype = _PRECISIONS[precision]
    length = _TRIAL[transform]
    ufuncs: Any = importlib.import_module("numpy.fft._pocketfft_umath")  # NumPy >= 2.0

    ufunc = getattr(ufuncs, transform)
    struct = _UFunc.from_address(id(ufunc))
    described = (struct.nin, struct.nout, struct.nargs, struct.ntypes)
    if described != (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes) or struct.name != transform.encode():
        raise ImportError(f"NumPy {np.__version__}: ufunc objects are not laid out as jace knows them")
    real = np.dtype(dtype.char.lower())
    first = (real if transform.startswith("rfft") else dtype).char
    last = (real if transform == "irfft" else dtype).char
    position = ufunc.types.index(f"{first}{real.char}->{last}")
    loop = int(struct.functions[position])
    data = int(struct.data[position] or 0) if struct.data else 0
    _try(transform, length, np.dtype(first), np.dtype(last), loop, data)
    return loop, data


def _try(
    transform: str, length: int, first: np.dtype[Any], last: np.dtype[Any], loop: int, data: int
) -> None:
    points = length // 2 + 1 if transform == "irfft" else length
    values = np.array([[1, -2, 4, 8, 3][:points]], first)
    if first.kind == "c":
        values[0, 1] += 5j
    known: dict[str, Any] = {
        "fft": np.fft.fft,
        "ifft": np.fft.ifft,
        "irfft": lambda x: np.fft.irfft(x, length),
    }
    expected = known.get(transform, np.fft.rfft)(values)
    factor = np.ones((), last.char.lower())
    if transform.startswith("i"):
        factor /= length
    result = np.zeros(expected.shape, last)
    _LOOP(loop)(
        (ctypes.c_void_p * 3)(values.ctypes.data, factor.ctypes.data, result.ctypes.data),
        (ctypes.c_ssize_t * 3)(1, values.shape[1], result.shape[1]),
        (ctypes.c_ssize_t * 5)(0, 0, 0, values.itemsize, result.itemsize),
        data,
    )
    if not np.allclose(result, expected, rtol=1e-5):
        raise ImportError(
            f"NumPy {np.__version__}: the loop of {transform} does not do what jace knows it to do"
        )
