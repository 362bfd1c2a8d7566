"""Fourier transforms, one axis after the other, through NumPy's compiled pocketfft (`jace.build.pocketfft`)."""

from __future__ import annotations

import math

import numpy as np

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO
from jace.plan.literals import cpp_literal
from jace.rules.operations import Transform


def _pass(
    em: Emitter,
    transform: str,
    source: str,
    target: Ref,
    shapes: tuple[tuple[int, ...], ...],
    axis: int,
    factor: float,
) -> None:
    """Emit the transform of one axis from the C++ pointer `source` into `target`.

    Args:
        shapes: of source and target.
        factor: what the result is multiplied by.
    """
    before, after = shapes
    precision = "f32" if target.dtype in (np.float32, np.complex64) else "f64"
    real = np.dtype(np.float32 if precision == "f32" else np.float64)
    name = f"pocketfft/{transform}_{precision}"
    data = f'jace_external("{name}.data")' if transform in ("fft", "ifft") else "nullptr"
    pointer = f"w_{target.buffer.name} + {target.address((ZERO,) * len(after))}"
    sizes = (math.prod(before[:axis]), before[axis], after[axis], math.prod(before[axis + 1 :]))
    em.line(
        f'jace::fft::along(jace_external("{name}"), {data}, {source}, {pointer}, '
        f"{cpp_literal(factor, real)}, {', '.join(map(str, sizes))});"
    )


def transformed(planner: Planner, op: Transform) -> None:
    """A transform; of f32 and complex64 in single precision, as XLA."""
    operand, out = planner.stored(op.operand), planner.output(op.out)
    if 0 in (*operand.shape, *out.shape):
        planner.kernel("fft", out.shape, lambda em, at: _zero(em, out, at), writes=[out], independent=True)
        return
    rank = len(operand.shape)
    *others, last = range(rank - len(op.lengths), rank)
    # the real side of a transform is the last axis: first of all forwards, last of all backwards
    real = {"RFFT": f"rfft_n_{'odd' if op.lengths[-1] % 2 else 'even'}", "IRFFT": "irfft"}.get(op.kind)
    plain = "fft" if op.forward else "ifft"
    steps = [(real or plain, last)]
    along = [(plain, axis) for axis in others]
    steps = [*steps, *along] if op.forward else [*along, *steps]
    between = planner.temp(operand.shape, operand.dtype) if op.kind == "IRFFT" and others else out
    factors = [1.0] * (len(steps) - 1) + [op.factor]

    def body(em: Emitter, index: Index) -> None:
        source = f"{em.pointer(operand.buffer)} + {operand.address((ZERO,) * rank)}"
        shape = operand.shape
        for (transform, axis), factor in zip(steps, factors, strict=True):
            target = out if transform == real or between is out or axis == last else between
            _pass(em, transform, source, target, (shape, target.shape), axis, factor)
            source = f"w_{target.buffer.name} + {target.address((ZERO,) * rank)}"
            shape = target.shape

    written = [out] if between is out else [out, between]
    planner.kernel("fft", (), body, writes=written)


def _zero(em: Emitter, out: Ref, index: Index) -> None:
    em.line(f"w_{out.buffer.name}[{out.address(index)}] = {cpp_literal(0, out.dtype)};")
