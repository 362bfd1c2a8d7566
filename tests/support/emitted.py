"""Scripts of the flat emitter that are the program they were written from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, trace_repro


def written(fun: Callable[..., Any], args: tuple[Any, ...]) -> Repro:
    """The repro of fun(*args), after checking that it retraces to the same program."""
    closed = jax.make_jaxpr(fun)(*args)
    repro = emit_flat(closed, args, header=Header())
    again, _ = trace_repro(repro)
    assert ir.canonical_text(again) == ir.canonical_text(closed)
    return repro
