"""Which Python functions a program calls back: its fingerprint does not say, for a jaxpr holds only objects."""

from __future__ import annotations

import functools
import hashlib
import types
from collections.abc import Iterator
from typing import Any

from jace import ir
from jace_repro.trace.frames import is_jax_file


def callbacks_digest(closed: Any) -> str:
    """A hash of the code of the Python callbacks of a program, the same in every process; "" where there are none.

    Functions that are made anew whenever a program is traced have the same code, whatever they close over.
    """
    callbacks = [eqn.params["callback"] for _, eqn in ir.walk(closed) if "callback" in eqn.params]
    if not callbacks:
        return ""
    parts = [part for callback in callbacks for part in _parts(callback)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _parts(value: Any) -> Iterator[str]:
    """What tells a callback from others; of a function of JAX that wraps one of the program, that one."""
    if isinstance(value, functools.partial):
        yield from _parts(value.func)
    elif isinstance(value, types.MethodType):
        yield from _parts(value.__func__)
    elif hasattr(value, "callback_func"):  # JAX's wrapper of pure and io callbacks
        yield from _parts(value.callback_func)
    elif isinstance(value, types.CodeType):
        yield f"{value.co_filename}:{value.co_firstlineno} {value.co_qualname} {value.co_names} {value.co_code.hex()}"
        for constant in value.co_consts:
            yield from _parts(constant) if isinstance(constant, types.CodeType) else (repr(constant),)
    elif not isinstance(value, types.FunctionType):  # an object that can be called, or a function in C
        yield getattr(value, "__qualname__", type(value).__qualname__)
    elif is_jax_file(value.__code__.co_filename):
        inner = [cell.cell_contents for cell in value.__closure__ or ()]
        yield from (part for function in inner if callable(function) for part in _parts(function))
    else:
        yield from _parts(value.__code__)
