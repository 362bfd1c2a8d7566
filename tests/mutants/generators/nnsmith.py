"""NNSmith's models (ASPLOS 2023; https://github.com/ise-uiuc/nnsmith, on PyPI as nnsmith) as programs of JAX.

NNSmith makes graphs of its abstract operators, with shapes and parameters that a solver finds, for PyTorch, TensorFlow
and ONNX; it has no JAX. What its operators mean is said here in jax.numpy, from its own realisation of them. Its
defaults are kept: five nodes, `symbolic-cinit`, no operator of a limited domain. Left out is interpolation. Its solver
has a limit in time, so the same seed need not be the same models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from nnsmith.abstract import op as ops
from nnsmith.error import ConstraintError, InternalError
from nnsmith.graph_gen import model_gen

from mutants.generators import Made, numbered

_NODES, _ELEMENTS = 5, 2**16
#: What NNSmith raises where it does not find a model.
_NOT_FOUND = (ConstraintError, InternalError, AssertionError, KeyError, IndexError)


def _clip(x: Any) -> Any:
    end = 1.5 if jnp.issubdtype(x.dtype, jnp.floating) else 1
    return jnp.clip(x, -end, end)


def _pool(op: Any, x: Any) -> Any:
    window = (1, 1, op.kernel_h_size, op.kernel_w_size)
    edges = ((0, 0), (0, 0), *[(op.padding, op.padding)] * 2)
    steps = (1, 1, op.stride, op.stride)
    if isinstance(op, ops.MaxPool2d):
        least = np.array(-np.inf, x.dtype)
        return lax.reduce_window(x, least, lax.max, window, steps, edges)
    total = lax.reduce_window(x, np.zeros((), x.dtype), lax.add, window, steps, edges)
    return total / np.array(op.kernel_h_size * op.kernel_w_size, x.dtype)


def _slice(op: Any, x: Any) -> Any:
    end = None if op.end == ops.Slice.INT_MAX else op.end
    where = slice(op.start, end, op.step)
    axis = op.extra_attrs["axis"]
    return x[tuple(where if k == axis else slice(None) for k in range(x.ndim))]


def _pad(op: Any, x: Any) -> Any:
    widths = [(0, 0)] * x.ndim
    for k in range(len(op.padding_list) // 2):
        widths[-1 - k] = (op.padding_list[2 * k], op.padding_list[2 * k + 1])
    if op.extra_attrs["type"] == "constant":
        return lax.pad(x, np.array(0.5, x.dtype), [(low, high, 0) for low, high in widths])
    kept = tuple(
        slice(max(0, -low), n - max(0, -high)) for n, (low, high) in zip(x.shape, widths, strict=True)
    )
    grown = [(max(0, low), max(0, high)) for low, high in widths]
    return jnp.pad(x[kept], grown, mode={"replicate": "edge", "reflect": "reflect"}[op.extra_attrs["type"]])


def _conv(op: Any, x: Any, weights: Callable[..., Any]) -> Any:
    flat = isinstance(op, ops.Conv1d)
    size = (op.kernel_size,) if flat else (op.kernel_h_size, op.kernel_w_size)
    dilation = (op.dilation,) if flat else (op.dilation_h, op.dilation_w)
    kernel = weights((op.out_channels, op.in_channels, *size), x.dtype)
    bias = weights((op.out_channels, *[1] * len(size)), x.dtype)
    steps, edges = (op.stride,) * len(size), ((op.padding, op.padding),) * len(size)
    return lax.conv_general_dilated(x, kernel, steps, edges, rhs_dilation=dilation) + bias


def _batch_norm(op: Any, x: Any) -> Any:
    mean = x.mean((0, 2, 3), keepdims=True)
    return (x - mean) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + np.float32(1e-5))


def _axis(op: Any) -> Any:
    return op.extra_attrs["reduce_dim"]


def _divide(x: Any, y: Any) -> Any:
    return jnp.floor_divide(x, y) if jnp.issubdtype(x.dtype, jnp.integer) else x / y


#: What an operator means, of its parameters and operands.
_MEANS: dict[Any, Callable[..., Any]] = {
    ops.Where: lambda op, c, x, y: jnp.where(c, x, y),
    ops.Add: lambda op, x, y: x + y,
    ops.Sub: lambda op, x, y: x - y,
    ops.Mul: lambda op, x, y: x * y,
    ops.Div: lambda op, x, y: _divide(x, y),
    ops.Max: lambda op, x, y: jnp.maximum(x, y),
    ops.Min: lambda op, x, y: jnp.minimum(x, y),
    ops.Equal: lambda op, x, y: x == y,
    ops.Greater: lambda op, x, y: x > y,
    ops.Less: lambda op, x, y: x < y,
    ops.And: lambda op, x, y: jnp.logical_and(x, y),
    ops.Or: lambda op, x, y: jnp.logical_or(x, y),
    ops.Xor: lambda op, x, y: jnp.logical_xor(x, y),
    ops.GELU: lambda op, x: jax.nn.gelu(x, approximate=False),
    ops.LeakyReLU: lambda op, x: jax.nn.leaky_relu(x, 0.01),
    ops.PReLU: lambda op, x: jax.nn.leaky_relu(x, 0.25),
    ops.Sigmoid: lambda op, x: jax.nn.sigmoid(x),
    ops.Sin: lambda op, x: jnp.sin(x),
    ops.Cos: lambda op, x: jnp.cos(x),
    ops.Tan: lambda op, x: jnp.tan(x),
    ops.Atan: lambda op, x: jnp.arctan(x),
    ops.Abs: lambda op, x: jnp.abs(x),
    ops.ReLU: lambda op, x: jax.nn.relu(x),
    ops.Ceil: lambda op, x: jnp.ceil(x),
    ops.Floor: lambda op, x: jnp.floor(x),
    ops.Clip: lambda op, x: _clip(x),
    ops.Round: lambda op, x: jnp.round(x),
    ops.Neg: lambda op, x: -x,
    ops.Softmax: lambda op, x: jax.nn.softmax(x, axis=op.dim),
    ops.MaxPool2d: _pool,
    ops.AvgPool2d: _pool,
    ops.Slice: _slice,
    ops.ConstPad: _pad,
    ops.ReplicatePad: _pad,
    ops.ReflectPad: _pad,
    ops.BatchNorm2d: _batch_norm,
    ops.Reshape: lambda op, x: x.reshape(op.target_shape),
    ops.Transpose: lambda op, x: jnp.swapaxes(x, op.extra_attrs["dim0"], op.extra_attrs["dim1"]),
    ops.Squeeze: lambda op, x: x if _axis(op) is None else jnp.squeeze(x, _axis(op)),
    ops.ReduceSum: lambda op, x: jnp.sum(x, _axis(op), dtype=x.dtype),
    ops.ReduceMin: lambda op, x: jnp.min(x, _axis(op)),
    ops.ReduceMax: lambda op, x: jnp.max(x, _axis(op)),
    ops.ReduceMean: lambda op, x: jnp.mean(x, _axis(op)),
    ops.ReduceProd: lambda op, x: jnp.prod(x, _axis(op), dtype=x.dtype),
    ops.ArgMin: lambda op, x: jnp.argmin(x, _axis(op)),
    ops.ArgMax: lambda op, x: jnp.argmax(x, _axis(op)),
    ops.Tril: lambda op, x: jnp.tril(x, op.diagonal),
    ops.Triu: lambda op, x: jnp.triu(x, op.diagonal),
    **{kind: lambda op, x: jnp.broadcast_to(x, op.output_like[0].shape) for kind in (
        ops.ExpandLast1, ops.ExpandLast2, ops.ExpandLast3, ops.ExpandLast4)},
    **{kind: lambda op, *xs: jnp.concatenate(xs, op.extra_attrs["axis"]) for kind in (
        ops.Concat1, ops.Concat2, ops.Concat3, ops.Concat4, ops.Concat5)},
    **{kind: lambda op, x: x.astype(op.extra_attrs["to"].numpy()) for kind in (
        ops.CastF32, ops.CastF64, ops.CastI32, ops.CastI64, ops.CastBool)},
    ops.MatMul: lambda op, x, y: jnp.matmul(x, y),
}  # fmt: skip
#: Operators that have weights.
_WEIGHED = (ops.Conv1d, ops.NCHWConv2d)


def programs(seed: int) -> Iterator[Made]:
    """Models that NNSmith finds, in JAX's 64-bit mode: its dtypes are of 64 bits as often as of 32."""
    operators = [*_MEANS, *_WEIGHED]
    for number in numbered(seed):
        try:
            found = model_gen(
                operators,
                method="symbolic-cinit",
                max_nodes=_NODES,
                seed=number % 2**32,
                max_elem_per_tensor=_ELEMENTS,
            )
            yield _made(found.make_concrete(), number)
        except _NOT_FOUND:
            continue


def _made(graph: Any, seed: int) -> Made:
    drawn = np.random.default_rng(seed)

    def values(shape: Any, dtype: Any) -> Any:
        dtype, shape = np.dtype(dtype), tuple(int(n) for n in shape)
        if dtype.kind == "b":
            return drawn.random(shape) < 0.5
        if dtype.kind in "iu":
            return drawn.integers(1 if dtype.kind == "u" else -8, 9, shape).astype(dtype)
        real = drawn.standard_normal(shape)
        return (real + 1j * drawn.standard_normal(shape) if dtype.kind == "c" else real).astype(dtype)

    given = {
        inst.retval(): values(inst.iexpr.op.abs_tensor.shape, inst.iexpr.op.abs_tensor.dtype.numpy())
        for inst in graph.insts
        if isinstance(inst.iexpr.op, ops.Input | ops.Constant)
    }
    weights: dict[Any, Any] = {}

    def function(*arrays: Any) -> tuple[Any, ...]:
        known = dict(zip(given, arrays, strict=True))
        for inst in graph.insts:
            op = inst.iexpr.op
            if inst.retval() in known:
                continue
            operands = [known[name] for name in inst.iexpr.args]
            if isinstance(op, _WEIGHED):
                kept = weights.setdefault(inst.retval(), {})
                known[inst.retval()] = _conv(
                    op,
                    *operands,
                    lambda shape, dtype, kept=kept: kept.setdefault(shape, values(shape, dtype)),
                )
            else:
                known[inst.retval()] = _MEANS[type(op)](op, *operands)
        return tuple(known[name] for name in graph.leaf_var())

    return Made(function, list(given.values()), x64=True)
