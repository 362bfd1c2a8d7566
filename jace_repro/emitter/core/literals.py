"""Values as Python source, exact to the bit.

What goes in: NumPy and JAX arrays, NumPy and Python scalars, typed PRNG keys. What comes out: an
expression that rebuilds the value, in which `np`, `jnp` and `jax` are the usual modules. Floats print
with the fewest digits that read back as the same bits; a NaN with a payload is a view of its integer.
"""

from __future__ import annotations

import struct
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jace.ir import is_key_dtype

#: Arrays of at most this many elements are written out; larger ones go to the sidecar.
SHORT = 16

_KINDS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
_QUIET_NAN = struct.pack("<d", float("nan"))


def is_key(value: Any) -> bool:
    """Whether `value` is an array of typed PRNG keys."""
    dtype = getattr(value, "dtype", None)
    return dtype is not None and is_key_dtype(dtype)


def key_impl(dtype: Any) -> str:
    """The name of the PRNG implementation behind a key dtype, as `jax.random.key(impl=...)` takes it."""
    return str(dtype._impl.name)


def is_numpy_native(dtype: np.dtype[Any]) -> bool:
    """Whether NumPy itself defines the dtype (bfloat16, float8 and int4 come from ml_dtypes)."""
    return dtype.kind in "biufc" and dtype.isbuiltin == 1


def scalar_type(dtype: np.dtype[Any]) -> str:
    """The source of a dtype's scalar type: np.float32, jnp.bfloat16, jax.dtypes.float0."""
    if dtype == jax.dtypes.float0:
        return "jax.dtypes.float0"
    if dtype.kind == "b":
        return "np.bool_"
    return f"np.{dtype.name}" if is_numpy_native(dtype) else f"jnp.{dtype.name}"


def dtype_kind(dtype: np.dtype[Any]) -> str:
    """One of b i u f c, for ml_dtypes too."""
    if dtype.kind in "biufc":
        return dtype.kind
    if jnp.issubdtype(dtype, np.floating):
        return "f"
    return "u" if jnp.issubdtype(dtype, np.unsignedinteger) else "i"


def string(value: str) -> str:
    """Source of a string, in double quotes where that needs no more escapes."""
    text = repr(value)
    if text[0] == '"' or value.count('"') > value.count("'"):
        return text
    inner = text[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{inner}"'


def raw_view(array: np.ndarray) -> np.ndarray:
    """The same bits as unsigned integers of the same width (complex: the bytes in a new last axis)."""
    array = np.asarray(array, order="C")
    width = array.dtype.itemsize
    if width in (1, 2, 4, 8):
        return array.view(f"u{width}")
    return array.reshape(*array.shape, 1).view(np.uint8)


def python_float(value: float) -> str:
    """Source of a Python float with exactly its bits."""
    value = float(value)
    if value != value:
        if struct.pack("<d", value) == _QUIET_NAN:
            return "np.nan"
        if struct.pack("<d", -value) == _QUIET_NAN:
            return "-np.nan"
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return f"float(np.uint64({bits:#x}).view(np.float64))"
    if value in (float("inf"), float("-inf")):
        return "np.inf" if value > 0 else "-np.inf"
    return _spelled(value)


def _spelled(value: float) -> str:
    """A finite float as formatters leave it: 1e38, not 1e+38."""
    return repr(value).replace("e+", "e")


def python_scalar(value: Any) -> str:
    """Source of a Python bool, int, float, complex (or a subclass of them) with exactly its bits."""
    if isinstance(value, bool | np.bool_):
        return repr(bool(value))
    if isinstance(value, int | np.integer):
        return repr(int(value))
    if isinstance(value, float | np.floating):
        return python_float(float(value))
    return f"complex({python_float(value.real)}, {python_float(value.imag)})"


def _float_digits(value: Any, dtype: np.dtype[Any]) -> str | None:
    """Shortest digits of a float of any width that read back as `value`; None for an unusual NaN."""
    if value != value:
        for text, nan in (("np.nan", float("nan")), ("-np.nan", -float("nan"))):
            if np.array(nan, dtype).tobytes() == value.tobytes():
                return text
        return None
    wide = float(value)
    if np.isinf(wide):
        return "np.inf" if wide > 0 else "-np.inf"
    if dtype == np.float64:
        return _spelled(wide)
    digits = _shortest(value, dtype)
    return digits if np.array(float(digits), dtype).tobytes() == value.tobytes() else _spelled(wide)


def _shortest(value: Any, dtype: np.dtype[Any]) -> str:
    if is_numpy_native(dtype):
        return _spelled(float(np.format_float_scientific(value, unique=True)))
    for digits in range(1, 6):
        text = _spelled(float(f"{float(value):.{digits}g}"))
        if np.array(float(text), dtype).tobytes() == value.tobytes():
            return text
    return _spelled(float(value))


def element(value: Any, dtype: np.dtype[Any]) -> str | None:
    """Source of one element, as it stands inside np.array([...], dtype); None if only its bits will do."""
    kind = dtype_kind(dtype)
    if kind in "biu":
        return repr(_KINDS[kind](value))
    if kind == "f":
        return _float_digits(value, dtype)
    part = np.dtype(f"f{dtype.itemsize // 2}")
    parts = [_float_digits(part.type(p), part) for p in (value.real, value.imag)]
    return None if None in parts else f"complex({parts[0]}, {parts[1]})"


def _nested(flat: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return flat[0]
    step = len(flat) // shape[0]
    rows = [_nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
    return f"[{', '.join(rows)}]"


def numpy_array(array: np.ndarray) -> str:
    """Source of a short array (any number of dimensions) with its dtype and exactly its bits."""
    dtype = array.dtype
    if array.size == 0 or dtype == jax.dtypes.float0:
        return f"np.zeros({array.shape}, {scalar_type(dtype)})"
    flat = [element(v, dtype) for v in array.reshape(-1)]
    if any(text is None for text in flat):
        raw = raw_view(array)
        digits = [f"{int(v):#x}" for v in raw.reshape(-1)]
        view = f"np.array({_nested(digits, raw.shape)}, np.{raw.dtype.name}).view({scalar_type(dtype)})"
        return view if raw.shape == array.shape else f"{view}.reshape({array.shape})"
    texts = [text for text in flat if text is not None]
    return f"np.array({_nested(texts, array.shape)}, {scalar_type(dtype)})"


def numpy_scalar(value: Any) -> str:
    """Source of a strongly typed scalar: np.float32(0.5), np.array(0.5, jnp.bfloat16)."""
    array = np.asarray(value)
    text = element(array[()], array.dtype) if array.dtype != jax.dtypes.float0 else None
    if text is None or not is_numpy_native(array.dtype):
        return numpy_array(array)
    return f"{scalar_type(array.dtype)}({text})"


def is_constant(raw: np.ndarray) -> bool:
    """Whether all rows of an array are the first one; what is not is mostly seen at its beginning."""
    starts = range(0, len(raw), _ROWS)
    return all(bool((raw[start : start + _ROWS] == raw[0]).all()) for start in starts)


#: Rows that are looked at together.
_ROWS = 1 << 16


def constant_fill(array: np.ndarray) -> str | None:
    """np.full(...) when every element has the same bits, else None."""
    raw = raw_view(array).reshape(array.size, -1)
    if array.size == 0 or not is_constant(raw):
        return None
    value = element(array.reshape(-1)[0], array.dtype)
    if value is None:
        return None
    if not raw[0].any():
        return f"np.zeros({array.shape}, {scalar_type(array.dtype)})"
    return f"np.full({array.shape}, {value}, {scalar_type(array.dtype)})"
