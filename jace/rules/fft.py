"""Fourier transforms."""

from __future__ import annotations

from jax.extend.core import JaxprEqn

from jace.rules.operations import Transform
from jace.rules.structured import computes


@computes(Transform, "fft")
def _transform(eqn: JaxprEqn) -> Transform:
    return Transform(eqn, eqn.params["fft_type"].name, eqn.invars[0], tuple(eqn.params["fft_lengths"]))
