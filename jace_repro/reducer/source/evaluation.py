"""What the statements of `repro` compute, by plain JAX."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jace.ir import is_key_dtype
from jace_repro.emitter import EmitError
from jace_repro.reducer.source.program import Program


def values_after(program: Program, number: int, texts: Sequence[str]) -> list[Any] | None:
    """The values of expressions after so many statements of `repro`; None where JAX fails, or one is no array."""
    body = program.entry.body
    code = program.code
    edits = [code.removing(node) for node in body[number:-1]]
    edits.append(code.replacing_rows(body[-1], [f"return [{', '.join(texts)}]"]))
    before = program.edited(code.edited(edits), "")
    try:
        script = before.repro
    except EmitError:
        return None
    with script.configured(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = jax.jit(script.load_function())(*script.load_inputs())
        except Exception:  # whatever the program raises: then there are no values
            return None
    return list(map(_host, values)) if all(isinstance(value, jax.Array) for value in values) else None


def _host(value: jax.Array) -> Any:
    """An array of NumPy's where it is no array of keys and has no weak type, which NumPy's have not."""
    kept = is_key_dtype(value.dtype) or getattr(value, "weak_type", False)
    return value if kept else np.asarray(value)
