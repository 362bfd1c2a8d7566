"""Programs: what arrays are asked, by jax.numpy and by lax."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import M, X, program


@program(X)
def numpy_on_tracers(x):
    return (
        np.float32(2) * x,
        np.pi * x,
        np.array([1, 2, 3, 4]) * x,
        np.sqrt(2) * x,
        x[np.newaxis],
        x.reshape(np.array([2, 2])),
        jnp.sum(x, axis=np.int64(0)),
        x[np.int64(1)],
        x.astype(np.dtype("int32")),
        jnp.zeros(np.array([2, 1])),
        jnp.zeros(x.shape, x.dtype),
    )


@program(X, M)
def einsums_and_named(x, m):
    return (
        jnp.einsum("i,ji->j", x, m),
        jnp.einsum("i,ji", x, m, optimize=True),
        jnp.tensordot(m, x, axes=1),
        jnp.inner(x, x),
        jnp.outer(x, x),
        jnp.matmul(m, x),
        jnp.vdot(x, x),
        lax.dot(m, x),
        m.dot(x),
        jnp.kron(x, x),
        jnp.cross(x[:3], x[1:]),
    )


@program(X)
def dtypes_of_all_kinds(x):
    return (
        [
            x.astype(d)
            for d in (
                jnp.bfloat16,
                jnp.float16,
                "int8",
                np.uint32,
                bool,
                complex,
                int,
                float,
                jnp.float8_e4m3fn,
            )
        ],
        jnp.asarray([1, 2], jnp.uint8),
        lax.convert_element_type(x, jnp.int16),
        jnp.result_type(x, 1) == x.dtype,
        jnp.issubdtype(x.dtype, jnp.floating),
    )


@program(X)
def sort_and_friends(x):
    return (
        jnp.sort(x, descending=True),
        jnp.argsort(x, stable=True),
        lax.sort((x, -x), num_keys=1),
        lax.sort(x),
        jnp.lexsort((x, -x)),
        lax.top_k(x, k=2),
        jnp.partition(x, 2),
        jnp.argmax(x),
        jnp.nanmax(x),
        jnp.median(x),
        jnp.quantile(x, jnp.array([0.2, 0.5])),
    )


@program(M)
def shapes(m):
    return (
        jnp.expand_dims(m, (0, 2)),
        jnp.broadcast_to(m, (2, 3, 4)),
        jnp.tile(m, (1, 2)),
        jnp.roll(m, 1, axis=1),
        jnp.flip(m),
        jnp.moveaxis(m, 0, -1),
        jnp.split(m, 2, axis=1),
        jnp.array_split(m, 3),
        jnp.hsplit(m, [1, 3]),
        jnp.meshgrid(m[0], m[:, 0], indexing="ij"),
        jnp.tril(m),
        jnp.triu(m, k=1),
        jnp.diag(m[0]),
        jnp.rot90(m),
        jnp.squeeze(m[None], axis=0),
        jnp.atleast_3d(m),
        jnp.block([[m, m], [m, m]]),
        jnp.vstack((m, m)),
        jnp.column_stack([m[0], m[1]]),
        jnp.ravel(m),
        jnp.r_[m[0], m[1]],
        jnp.c_[m[0], m[1]],
        jnp.ix_(jnp.arange(2), jnp.arange(3)),
        m[jnp.ix_(jnp.arange(2), jnp.arange(3))],
        jnp.mgrid[0:2, 0:3],
        jnp.ogrid[0:2],
        m[jnp.s_[1:2]],
        m[jnp.index_exp[0, 1]],
    )


@program(M)
def lax_low(m):
    return (
        lax.slice(m, (0, 1), (2, 3)),
        lax.slice_in_dim(m, 0, 2, axis=1),
        lax.dynamic_update_slice(m, m[:1, :2], (1, 1)),
        lax.dynamic_index_in_dim(m, 1, keepdims=False),
        lax.broadcast(m, (2,)),
        lax.broadcast_in_dim(m, (2, 3, 4), (1, 2)),
        lax.reshape(m, (4, 3)),
        lax.transpose(m, (1, 0)),
        lax.reduce_max(m, (0,)),
        lax.cumsum(m, 1, reverse=True),
        lax.pad(m, 0.0, ((0, 1, 0), (1, 0, 1))),
        lax.iota(jnp.int32, 4),
        lax.full((2,), 3.0),
        lax.full_like(m, 1),
        lax.clamp(-1.0, m, 1.0),
        lax.rev(m, (0,)),
        lax.expand_dims(m, (1,)),
        lax.integer_pow(m, 3),
        lax.erf(m),
        lax.bitcast_convert_type(m, jnp.int32),
        lax.concatenate((m, m), 0),
        lax.gather(
            m,
            jnp.array([[0], [2]]),
            lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)),
            slice_sizes=(1, 4),
        ),
        lax.scatter_add(
            m,
            jnp.array([[0]]),
            m[:1],
            lax.ScatterDimensionNumbers(
                update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
            ),
        ),
        lax.reduce_window(m, -jnp.inf, lax.max, (2, 2), (1, 1), "VALID"),
        lax.reduce_precision(m, 5, 10),
        lax.select_n(m > 0, m, -m),
        lax.argmax(m, 0, jnp.int32),
        lax.approx_max_k(m, 2),
        lax.dot_general(m, m, (((0,), (0,)), ((), ())), preferred_element_type=jnp.float32),
        lax.conv_general_dilated(
            m[None, None], m[None, None, :2, :2], (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")
        ),
        lax.ragged_dot(m, jnp.ones((2, 4, 5)), jnp.array([1, 2])),
        lax.linalg.cholesky(m @ m.T + jnp.eye(3)),
        lax.linalg.qr(m),
        lax.reduce(m, jnp.inf, lax.min, (1,)),
        lax.reduce(m, 0.0, lambda a, b: a * 1.0 + b, (0,)),
        lax.exp2(m),
        lax.nextafter(m, m),
        lax.population_count(lax.iota(jnp.uint32, 3)),
        lax.stop_gradient(m),
    )
