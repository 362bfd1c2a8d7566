"""Operands as source: the literals and constants of equations, inputs of the program, arrays of any size."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from jace_repro.emitter.core import literals, meshes
from jace_repro.emitter.core.script import Script


def literal(script: Script, value: Any, aval: Any) -> str:
    """A scalar of the type `aval`: a Python scalar where the type is weak, else a NumPy scalar."""
    plain = isinstance(value, bool | int | float | complex)
    if plain and is_default(script, aval.dtype):
        return literals.python_scalar(value)
    array = np.asarray(value)
    if aval.weak_type:
        return _weak(script, literals.python_scalar(array[()]), aval.dtype)
    return script.with_imports(literals.numpy_scalar(array.astype(aval.dtype, copy=False)))


def array(script: Script, value: Any, name: str) -> str:
    """An array of any size, or of typed keys; `name` is its name in the sidecar, should it go there."""
    if literals.is_key(value):
        data = array(script, np.asarray(jax.random.key_data(value)), name)
        return f"jax.random.wrap_key_data({data}, impl={literals.string(literals.key_impl(value.dtype))})"
    value = np.asarray(value)
    if value.size <= literals.SHORT or value.dtype == jax.dtypes.float0:
        return script.with_imports(
            literals.numpy_array(value) if value.ndim else literals.numpy_scalar(value)
        )
    filled = literals.constant_fill(value)
    if filled is not None:
        return script.with_imports(filled)
    if literals.is_numpy_native(value.dtype):
        script.arrays[name] = value
        return f'ARRAYS["{name}"]'
    script.arrays[name] = literals.raw_view(value)
    return script.with_imports(f'ARRAYS["{name}"].view({literals.scalar_type(value.dtype)})')


def leaf(script: Script, value: Any, aval: Any, name: str) -> str:
    """One input of the program, of exactly the type `aval`. Raises EmitError: it is on several devices."""
    return meshes.placed(script, _leaf(script, value, aval, name), aval)


def _leaf(script: Script, value: Any, aval: Any, name: str) -> str:
    if literals.is_key(value):
        return array(script, value, name)
    value = np.asarray(value)
    if value.dtype != aval.dtype:
        value = value.astype(aval.dtype)
    if not getattr(aval, "weak_type", False):
        return array(script, value, name)
    if value.ndim == 0 and value.dtype.kind != "b" and is_default(script, aval.dtype):
        text = literals.element(value[()], value.dtype)
        if text is not None:
            return text
    return _weak(script, array(script, value, name), aval.dtype)


def const(script: Script, value: Any) -> str:
    """The name of a module-level constant with this value; the same object is the same constant."""
    if id(value) not in script.consts:
        name = f"C{len(script.consts)}"
        text = array(script, value, f"c{len(script.consts)}")
        weak = getattr(value, "weak_type", False)
        if weak and value.ndim == 0 and value.dtype.kind != "b" and is_default(script, value.dtype):
            scalar = literals.python_scalar(np.asarray(value)[()])
            text = script.with_imports(f"jnp.asarray({scalar})")
        elif isinstance(value, jax.Array) and not literals.is_key(value):
            text = script.with_imports(f"jnp.asarray({text})")
            if weak:
                text = _weak(script, text, value.dtype)
        script.consts[id(value)] = (value, name)
        script.const_lines.append(f"{name} = {text}")
    return script.consts[id(value)][1]


def _weak(script: Script, value: str, dtype: Any) -> str:
    return f"{script.use('weak')}({value}, {script.dtype(dtype)})"


def is_default(script: Script, dtype: Any) -> bool:
    """Whether a Python scalar has this dtype by itself, under the script's configuration."""
    width = 8 if script.x64 else 4
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return True
    return dtype.kind in "ifc" and dtype.itemsize == (2 * width if dtype.kind == "c" else width)
