"""`dot_general` and `conv_general_dilated`.

`ragged_dot_general` and `scaled_dot` are expanded to the first, their CPU lowerings being Python.
"""

from __future__ import annotations

from jax.extend.core import JaxprEqn

from jace.rules.operations import Contraction, Convolution, Windows
from jace.rules.structured import computes


@computes(Contraction, "dot_general")
def _contraction(eqn: JaxprEqn) -> Contraction:
    left, right = eqn.invars
    (summed_l, summed_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    summed, batch = (tuple(summed_l), tuple(summed_r)), (tuple(batch_l), tuple(batch_r))
    return Contraction(eqn, left, right, summed, batch)


@computes(Convolution, "conv_general_dilated")
def _convolution(eqn: JaxprEqn) -> Convolution:
    p = eqn.params
    images, kernels = eqn.invars
    dims = p["dimension_numbers"]
    windows = Windows(
        tuple(kernels.aval.shape[d] for d in dims.rhs_spec[2:]),
        tuple(p["window_strides"]),
        tuple((low, high) for low, high in p["padding"]),
        tuple(p["rhs_dilation"]),
        tuple(p["lhs_dilation"]),
    )
    return Convolution(eqn, images, kernels, dims, windows, p["feature_group_count"], p["batch_group_count"])
