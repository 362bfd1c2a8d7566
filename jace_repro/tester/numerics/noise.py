"""Rounding-sized noise: how a wide result is perturbed and confined to the range of its native dtype.

Everything works on NumPy arrays and on JAX tracers alike (`xp` is the module to use).
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

_Value = Any


def module_of(*values: _Value) -> Any:
    """numpy, or jax.numpy when one of the values is a tracer."""
    return jnp if any(isinstance(v, jax.core.Tracer) for v in values) else np


@functools.cache
def real_dtype(native: Any) -> np.dtype[Any]:
    """The dtype of the parts of a complex dtype; others unchanged."""
    native = np.dtype(native)
    parts: dict[str, np.dtype[Any]] = {"complex64": np.dtype(np.float32), "complex128": np.dtype(np.float64)}
    return parts.get(native.name, native)


def complex_of(re: _Value, im: _Value) -> _Value:
    """The complex numbers of these parts, f64: `re + 1j * im` is NaN where `im` is infinite."""
    if module_of(re, im) is not np:
        return lax.complex(re, im)
    made = np.empty(np.broadcast_shapes(np.shape(re), np.shape(im)), np.complex128)
    made.real, made.imag = re, im
    return made


@functools.cache
def limits_of(native: Any) -> Any:
    """The `finfo` of the (real part of the) dtype, the ml_dtypes ones included."""
    finfo: Any = ml_dtypes.finfo
    return finfo(real_dtype(native))


@functools.cache
def eps_of(native: Any) -> float:
    """Distance from 1 to the next number of the (real part of the) dtype."""
    return float(limits_of(native).eps)


def settle(
    y: _Value,
    magnitude: _Value,
    native: Any,
    ulps: float,
    salt: _Value | None,
    *,
    stream: int = 0,
    rounds: bool = False,
    keeps_wide: _Value = False,
    keeps_small: _Value = False,
) -> _Value:
    """A wide result as an execution in the native dtype might have it.

    Args:
        y: the wide result, f64 or c128.
        magnitude: absolute noise, a scalar or of y's shape.
        native: the dtype the program has.
        ulps: relative noise in ULP of the native dtype, not given to a result that was not rounded...
        salt: None for no noise.
        stream: 0, equal values get equal noise; otherwise it differs by stream and by element.
        rounds: ...unless the operation always rounds: tanh(40) is 1 here and may be a little less elsewhere.
        keeps_wide: whether a 16-bit result has the range of f32.
        keeps_small: whether what is below the smallest normal number stays.
    """
    xp = module_of(y, magnitude, salt)
    real = real_dtype(native)
    relative = ulps * eps_of(native)
    with np.errstate(all="ignore"):
        if np.dtype(native).kind == "c":
            parts = [xp.asarray(y).real, xp.asarray(y).imag]
            if salt is not None:
                scale = relative * xp.maximum(xp.abs(parts[0]), xp.abs(parts[1]))
                parts = [
                    _perturb(xp, p, xp.maximum(magnitude, scale), salt, stream + k)
                    for k, p in enumerate(parts)
                ]
            parts = [confine(part, real) for part in parts]
            return complex_of(*parts)
        y = xp.asarray(y)
        if salt is not None:
            own = relative * xp.abs(y)
            own = own if rounds else xp.where(is_short(y, real), 0.0, own)
            y = _perturb(xp, y, xp.maximum(magnitude, own), salt, stream)
        return confine(y, real, keeps_wide, keeps_small)


def _bits(xp: Any, y: _Value) -> _Value:
    if xp is np:
        return np.ascontiguousarray(y, np.float64).reshape(np.shape(y)).view(np.uint64)
    return lax.bitcast_convert_type(y, jnp.uint64)


def _positions(xp: Any, shape: tuple[int, ...]) -> _Value:
    return xp.arange(1, int(np.prod(shape, dtype=np.int64)) + 1, dtype=xp.uint64).reshape(shape)


def _perturb(xp: Any, y: _Value, amplitude: _Value, salt: _Value, stream: int) -> _Value:
    """`y` plus uniform noise within the amplitude: a hash of its bits."""
    # splitmix64: every bit of the value, the salt and the stream reaches every bit of the hash
    h = _bits(xp, y) ^ (xp.asarray(salt).astype(xp.uint64) << xp.uint64(32))
    if stream:
        h = (h ^ xp.uint64(stream << 7)) + xp.uint64(0x9E3779B97F4A7C15) * _positions(xp, np.shape(y))
    h = (h ^ (h >> xp.uint64(30))) * xp.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> xp.uint64(27))) * xp.uint64(0x94D049BB133111EB)
    h = h ^ (h >> xp.uint64(31))
    unit = (h >> xp.uint64(11)).astype(xp.float64) * 2.0**-52 - 1.0
    usable = xp.isfinite(y) & xp.isfinite(amplitude)
    return xp.where(usable, y + unit * amplitude, y)


def is_short(y: _Value, native: Any) -> _Value:
    """Whether a wide result has so few significant bits that it cannot have been rounded.

    f64: 24 trailing zero bits; narrower types: it is a value of the native type. Complex: never known.
    """
    xp = module_of(y)
    if np.dtype(native).kind == "c":
        return xp.zeros(np.shape(y), bool)
    if np.dtype(native) == np.float64:
        return (_bits(xp, y) & xp.uint64(0xFFFFFF)) == 0
    with np.errstate(all="ignore"):
        return xp.asarray(y).astype(native).astype(xp.float64) == y


def confine(y: _Value, native: Any, keeps_wide: _Value = False, keeps_small: _Value = False) -> _Value:
    """Overflow and flush to zero where the native dtype does (f16 keeps its subnormals).

    Args:
        y: a wide real result.
        native: the dtype.
        keeps_wide: whether a 16-bit type has the range of f32 here.
        keeps_small: whether there is no flush to zero here.
    """
    xp = module_of(y, keeps_wide, keeps_small)
    narrow = _confined(xp, y, native, keeps_small)
    if keeps_wide is False or np.dtype(native).itemsize != 2:
        return narrow
    return xp.where(keeps_wide, _confined(xp, y, np.float32, keeps_small), narrow)


def _confined(xp: Any, y: _Value, native: Any, keeps_small: _Value) -> _Value:
    info = limits_of(native)
    wide = np.dtype(native) == np.float64
    top = float(info.max) * (1.0 if wide else 1.0 + float(info.eps) / 4.0)
    y = xp.where(xp.abs(y) > top, xp.copysign(xp.inf, y), y)
    if np.dtype(native) != np.float16:
        flushed = xp.abs(y) < float(info.tiny)
        if keeps_small is not False:
            flushed = flushed & ~xp.asarray(keeps_small)
        y = xp.where(flushed, xp.copysign(0.0, y), y)
    return y
