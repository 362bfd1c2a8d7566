"""A small program for each primitive, by dtype: what the coverage page tries to translate.

A probe answers, for a dtype, a function and abstract arguments such that the function's jaxpr contains the
primitive. JAX refuses some dtypes (the FFT of integers, say); those are no part of the primitive.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from jace_repro.survey.primitives import all_primitives

_jax: Any = jax  # parts of it are not annotated

Program = tuple[Callable[..., Any], tuple[Any, ...]]
Probe = Callable[[Any], Program]

#: What a probe is tried with unless it has dtypes of its own.
DTYPES: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(getattr(ml_dtypes, name, name))
    for name in (
        *("bool", "int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64"),
        *("float8_e4m3fn", "bfloat16", "float16", "float32", "float64"),
        *("complex64", "complex128"),
    )
)


_F32, _I32, _BOOL = np.dtype(np.float32), np.dtype(np.int32), np.dtype(bool)


def spec(dtype: Any, *shape: int) -> Any:
    """An operand of this type."""
    return jax.ShapeDtypeStruct(shape, dtype)


def vector(fun: Callable[..., Any], operands: int = 1) -> Probe:
    """The probe of a function of vectors, 4 long."""
    return lambda d: (fun, (spec(d, 4),) * operands)


def matrix(fun: Callable[..., Any], operands: int = 1) -> Probe:
    """The probe of a function of 3 x 3 matrices."""
    return lambda d: (fun, (spec(d, 3, 3),) * operands)


def bind(primitive: str, **params: Any) -> Callable[..., Any]:
    """What binds a primitive that no public function of JAX stands for."""
    return lambda *operands: all_primitives()[primitive].primitive.bind(*operands, **params)


def defined_with(primitive: str) -> Any:
    """The module that defines a primitive, for the functions beside it that JAX does not publish."""
    return sys.modules[all_primitives()[primitive].module]


def _lax(names: str, make: Callable[..., Probe], *args: Any) -> dict[str, Probe]:
    return {name: make(getattr(lax, name.removesuffix("_")), *args) for name in names.split()}


_ELEMENTWISE: dict[str, Probe] = {
    **_lax(
        "abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e cbrt ceil clz conj cos cosh digamma erf erf_inv "
        "erfc exp exp2 expm1 floor imag is_finite lgamma log log1p logistic neg population_count real round rsqrt "
        "sign sin sinh sqrt square tan tanh",
        vector,
    ),
    **_lax(
        "add atan2 complex div eq ge gt igamma igamma_grad_a igammac le lt max min mul ne nextafter polygamma pow "
        "rem shift_left shift_right_arithmetic shift_right_logical sub zeta",
        vector,
        2,
    ),
    "and": vector(lax.bitwise_and, 2),
    "or": vector(lax.bitwise_or, 2),
    "xor": vector(lax.bitwise_xor, 2),
    "not": vector(lax.bitwise_not),
    "mulhi": vector(bind("mulhi"), 2),
    "log2": vector(lambda x: _jax.lax.log2(x)),
    "one_minus_square": vector(lambda x: _jax.lax.one_minus_square(x)),
    "polynomial": vector(lambda x: _jax.lax.polynomial(x, [x[0], x[1], x[2]])),
    "eq_to": vector(bind("eq_to"), 2),
    "le_to": vector(bind("le_to"), 2),
    "lt_to": vector(bind("lt_to"), 2),
    "add_any": vector(bind("add_any"), 2),
    "clamp": vector(lax.clamp, 3),
    "regularized_incomplete_beta": vector(lax.betainc, 3),
    "convert_element_type": vector(lambda x: (x.astype(np.float64), x.astype(np.int16))),
    "bitcast_convert_type": lambda d: (
        lambda x: lax.bitcast_convert_type(
            x, {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}[d.itemsize]
        ),
        (spec(d, 4),),
    ),
    "integer_pow": vector(lambda x: lax.integer_pow(x, 3)),
    "reduce_precision": vector(lambda x: lax.reduce_precision(x, 4, 3)),
    "select_n": lambda d: (lax.select_n, (spec(_BOOL, 4), spec(d, 4), spec(d, 4))),
    "copy": vector(bind("copy")),
    "name": vector(lambda x: _jax.ad_checkpoint.checkpoint_name(x, "a")),
    "stop_gradient": vector(bind("stop_gradient")),
    "optimization_barrier": vector(lax.optimization_barrier),
}

_MOVES: dict[str, Probe] = {
    "broadcast_in_dim": vector(lambda x: lax.broadcast_in_dim(x, (3, 4), (1,))),
    "concatenate": vector(lambda x, y: lax.concatenate([x, y], 0), 2),
    "dynamic_slice": lambda d: (lambda x, i: lax.dynamic_slice(x, (i,), (2,)), (spec(d, 4), spec(_I32))),
    "dynamic_update_slice": lambda d: (
        lambda x, y, i: lax.dynamic_update_slice(x, y, (i,)),
        (spec(d, 4), spec(d, 2), spec(_I32)),
    ),
    "empty": lambda d: (bind("empty", shape=(3,), dtype=d, out_sharding=None), ()),
    "empty2": lambda d: (bind("empty2", dtype=d, memory_space=_jax.memory.Space.Device), ()),
    "gather": lambda d: (lambda x, i: x.at[i].get(mode="fill"), (spec(d, 4, 2), spec(_I32, 3))),
    "iota": lambda d: (lambda: lax.broadcasted_iota(d, (2, 3), 1), ()),
    "pad": vector(lambda x: lax.pad(x, jnp.zeros((), x.dtype), [(1, -1, 2)])),
    "reshape": vector(lambda x: lax.reshape(x, (2, 2))),
    "rev": vector(lambda x: lax.rev(x, (0,))),
    "scatter": lambda d: (lambda x, i, y: x.at[i].set(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "scatter-add": lambda d: (lambda x, i, y: x.at[i].add(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "scatter-sub": lambda d: (lambda x, i, y: x.at[i].subtract(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "scatter-mul": lambda d: (lambda x, i, y: x.at[i].multiply(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "scatter-max": lambda d: (lambda x, i, y: x.at[i].max(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "scatter-min": lambda d: (lambda x, i, y: x.at[i].min(y), (spec(d, 4), spec(_I32, 3), spec(d, 3))),
    "slice": vector(lambda x: lax.slice(x, (1,), (4,), (2,))),
    "split": vector(lambda x: lax.split(x, (1, 3))),
    "squeeze": lambda d: (lambda x: lax.squeeze(x, (0,)), (spec(d, 1, 3),)),
    "stack": vector(lambda x, y: bind("stack", axis=0)(x, y), 2),
    "unstack": matrix(bind("unstack", axis=1)),
    "tile": matrix(lambda x: lax.tile(x, (2, 3))),
    "transpose": matrix(lambda x: lax.transpose(x, (1, 0))),
    "broadcast_to": vector(bind("broadcast_to", shape=(3, 4))),
}


def _reducer(name: str) -> Probe:
    return matrix(bind(name, axes=(0,), **({"out_sharding": None} if name == "reduce_sum" else {})))


_WINDOW: dict[str, Any] = {
    "window_dimensions": (2,),
    "window_strides": (2,),
    "padding": ((0, 0),),
    "base_dilation": (1,),
    "window_dilation": (1,),
}
_CHANNELS = {"window_strides": (1,), "padding": "SAME", "dimension_numbers": ("NCH", "OIH", "NCH")}

_REDUCTIONS: dict[str, Probe] = {
    **{
        f"reduce_{name}": _reducer(f"reduce_{name}") for name in ("sum", "prod", "max", "min", "or", "and", "xor")
    },
    "argmax": matrix(lambda x: lax.argmax(x, 1, np.int32)),
    "argmin": matrix(lambda x: lax.argmin(x, 1, np.int32)),
    **_lax("cumsum cumprod cummax cummin cumlogsumexp", vector),
    "reduce": lambda d: (
        lambda x, y: lax.reduce((x, y), (x[0], y[0]), lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])), (0,)),
        (spec(d, 4), spec(d, 4)),
    ),
    "reduce_window": vector(
        lambda x: lax.reduce_window(x, x[0], lambda a, b: a * b + a, (2,), (1,), "VALID"),
    ),
    "reduce_window_sum": vector(bind("reduce_window_sum", **_WINDOW)),
    "reduce_window_max": vector(bind("reduce_window_max", **_WINDOW)),
    "reduce_window_min": vector(bind("reduce_window_min", **_WINDOW)),
    "select_and_gather_add": vector(bind("select_and_gather_add", select_prim=lax.ge_p, **_WINDOW), 2),
    "select_and_scatter_add": lambda d: (
        bind(
            "select_and_scatter_add",
            select_prim=lax.ge_p,
            **{k: v for k, v in _WINDOW.items() if "dilation" not in k},
        ),
        (spec(d, 2), spec(d, 4)),
    ),
    "select_and_scatter": lambda d: (_select_and_scatter(d), (spec(d, 4), spec(d, 2))),
    "dot_general": matrix(lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ()))), 2),
    "ragged_dot_general": lambda d: (lax.ragged_dot, (spec(d, 4, 3), spec(d, 2, 3, 5), spec(_I32, 2))),
    "scaled_dot": lambda d: (
        bind(
            "scaled_dot", dimension_numbers=(((2,), (2,)), ((0,), (0,))), preferred_element_type=_F32
        ),
        (spec(d, 1, 4, 64), spec(d, 1, 4, 64), spec(d, 1, 4, 2), spec(d, 1, 4, 2)),
    ),
    "conv_general_dilated": lambda d: (
        lambda x, w: lax.conv_general_dilated(x, w, **_CHANNELS),
        (spec(d, 1, 2, 5), spec(d, 3, 2, 3)),
    ),
    "sort": vector(lambda x: lax.sort(x)),
    "top_k": vector(lambda x: lax.top_k(x, 2)),
    "approx_top_k": vector(lambda x: lax.approx_max_k(x, 2)),
    "fft": lambda d: (
        lambda x: jnp.fft.fft(x) if d.kind == "c" else lax.fft(x, lax.FftType.RFFT, 4),
        (spec(d, 4),),
    ),
}  # fmt: skip


def _select_and_scatter(dtype: Any) -> Callable[..., Any]:
    def closed(fun: Callable[..., Any]) -> Any:
        return jax.make_jaxpr(fun)(spec(dtype), spec(dtype))

    select, scatter = closed(lambda a, b: a >= b), closed(lambda a, b: a + b)
    window = {k: v for k, v in _WINDOW.items() if "dilation" not in k}
    params = {
        "select_jaxpr": select.jaxpr,
        "select_consts": (),
        "scatter_jaxpr": scatter.jaxpr,
        "scatter_consts": (),
    }
    return lambda x, y: bind("select_and_scatter", **params, **window)(x, y, x[0])


_LINALG: dict[str, Probe] = {
    "cholesky": matrix(lax.linalg.cholesky),
    "cholesky_update": lambda d: (lax.linalg.cholesky_update, (spec(d, 3, 3), spec(d, 3))),
    "eig": matrix(lax.linalg.eig),
    "eigh": matrix(lax.linalg.eigh),
    "geqp3": matrix(lambda x: bind("geqp3", use_magma=None)(x, jnp.zeros(3, np.int32))),
    "geqrf": matrix(bind("geqrf")),
    "hessenberg": matrix(lax.linalg.hessenberg),
    "householder_product": lambda d: (lax.linalg.householder_product, (spec(d, 3, 3), spec(d, 3))),
    "lu": matrix(lax.linalg.lu),
    "lu_pivots_to_permutation": lambda d: (
        lambda x: lax.linalg.lu_pivots_to_permutation(x, 4),
        (spec(d, 3),),
    ),
    "ormqr": lambda d: (
        bind("ormqr", left=True, transpose=False),
        (spec(d, 3, 3), spec(d, 3), spec(d, 3, 3)),
    ),
    "qr": matrix(lax.linalg.qr),
    "schur": matrix(lax.linalg.schur),
    "svd": matrix(lax.linalg.svd),
    "symmetric_product": matrix(lax.linalg.symmetric_product, 2),
    "triangular_solve": matrix(lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True), 2),
    "tridiagonal": matrix(lax.linalg.tridiagonal),
    "tridiagonal_solve": lambda d: (lax.linalg.tridiagonal_solve, (spec(d, 3),) * 3 + (spec(d, 3, 2),)),
}


#: Primitives on arrays.
ARRAYS: Mapping[str, Probe] = {**_ELEMENTWISE, **_MOVES, **_REDUCTIONS, **_LINALG}
