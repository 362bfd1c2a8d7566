"""Types of arrays (avals) as source, and as JAX takes them for operands."""

from __future__ import annotations

from typing import Any

import jax

from jace_repro.emitter.core import meshes
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script

_struct: Any = jax.ShapeDtypeStruct


def shape_dtype(script: Script, aval: Any) -> str:
    """S(shape, dtype): the type of an operand. Raises EmitError for what is not an array."""
    if type(aval).__name__ != "ShapedArray":
        raise EmitError(f"a value of type {aval}")
    return f"{script.use('S')}{_arguments(script, aval)}"


def shaped_array(script: Script, aval: Any) -> str:
    """The type itself, as a parameter of an equation."""
    return f"jax.core.ShapedArray{_arguments(script, aval)}"


def _arguments(script: Script, aval: Any) -> str:
    weak = ", weak_type=True" if aval.weak_type else ""
    return f"({tuple(aval.shape)}, {script.dtype(aval.dtype)}{weak}{meshes.placement(script, aval)})"


def operand(aval: Any) -> jax.ShapeDtypeStruct:
    """An operand of this shape and dtype, weak or not, to trace a function with."""
    struct: jax.ShapeDtypeStruct = _struct(
        aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False)
    )
    return struct
