"""Programs: methods and indexing."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from calltree_programs.base import M, X, normal, program


@program(M)
def methods(x):
    return (
        x.reshape(2, 6).reshape(-1),
        x.reshape((4, 3)),
        x.transpose(1, 0),
        x.transpose(),
        x.sum(axis=0, keepdims=True),
        x.mean(1),
        x.astype(jnp.int32),
        x.astype("float16"),
        x.max(),
        x.argmax(0),
        x.ravel(),
        x.flatten(),
        x.squeeze(),
        x.clip(-1, 1),
        x.clip(min=0.0),
        x.dot(x.T),
        x.cumsum(axis=1),
        x.std(ddof=1),
        x.var(),
        x.prod(),
        x.any(),
        x.all(axis=1),
        x.round(1),
        x.conj(),
        x.repeat(2, axis=0),
        x.swapaxes(0, 1),
        x.take(jnp.array([0, 2]), axis=0),
        x.trace(),
        x.diagonal(),
        x.sort(axis=0),
        x.argsort(),
        x.view(jnp.int32),
        x.copy(),
        x.nonzero(size=3),
        x.compress(jnp.array([True, False, True]), axis=0, size=2),
        x.min(),
    )


@program(np.array([[1 + 2j, 3 - 1j]], np.complex64), M)
def properties(z, x):
    rows, columns = x.shape
    return (
        z.real,
        z.imag,
        z.T.real + z.imag.T,
        z.conj().T,
        x.T,
        x * x.ndim + x.size,
        x / rows - columns,
        x.astype(z.dtype),
        jnp.zeros_like(x, dtype=x.dtype) + x.itemsize + x.nbytes,
        z.real.astype(x.dtype),
    )


@program(normal(4, 5, 6), np.int32(2), np.array([1, 0, -1], np.int32))
def indexing(x, i, rows):
    return (
        x[0],
        x[-1, 2],
        x[1:3],
        x[::2, ::-1],
        x[:, None, :, 1],
        x[..., 0],
        x[None],
        x[..., None],
        x[1:, :-1, 2::2],
        x[i],
        x[i, :, 3],
        x[rows],
        x[rows, rows],
        x[:, rows, None],
        x[0, rows],
        x[rows][:, 0],
        x[(0, 1)],
        x[1, ...],
        x[()],
        x[jnp.array([0, 2])],
        x[np.array([3, 1])],
        x[np.array([True, False, True, True])],
        x[x.shape[0] - 1],
        x[:, 1:2][0],
        x[-3:-1, 0, ::-2],
        x[4:1:-1],
        x[i - 1][i + 1],
        x[slice(1, 3)],
        x[1:3, ..., rows],
        x[jnp.newaxis, 0],
        x[0, 0, 0],
    )


@program(M, np.int32(1), np.array([2, 0, 9], np.int32))
def updates(x, i, rows):
    return (
        x.at[0].set(1.0),
        x.at[i].add(2),
        x.at[rows].multiply(3.0, mode="drop"),
        x.at[rows, 1].get(mode="fill", fill_value=-7.0),
        x.at[rows].get(mode="clip"),
        x.at[1:, ::2].set(0.0),
        x.at[:, 0].add(x[:, 1]),
        x.at[rows, rows].max(0.5),
        x.at[..., -1].min(x[..., 0]),
        x.at[0].power(2.0),
        x.at[0].divide(2.0),
        x.at[0].subtract(2.0),
        x.at[i, i].apply(jnp.sin),
        x.at[rows].add(1.0, unique_indices=True, indices_are_sorted=False),
        x.at[0].set(1.0).at[1].set(x[0]),
        (x + 1).at[0].set(x[1] * 2),
        x.at[None, 0].mul(2.0),
    )


@program(normal(3), M)
def unpacking(v, m):
    a, b, c = v
    first, *rest = m
    (p, q, _, _), *_ = m
    total = 0.0
    for row in m:
        total = total + row[0]
    for k, row in enumerate(m):
        total += k * row.sum()
    listed = list(v)
    x, y = (a + b, b - c)
    return a - b * c, first, rest, p + q, total, listed[0] * listed[2], x / y, [*m[0]][1], tuple(v)


@program(X, kwargs={"scale": np.float32(2.0), "shift": normal(4)})
def keywords(x, *, scale, shift=None):
    return jnp.sum(a=x * scale, axis=0, keepdims=True) + shift, jnp.clip(x, min=0.0, max=scale)


@program(X)
def default_values(x, scale=2.0, shift=None, *, mode="plain"):
    return x * scale if shift is None and mode == "plain" else x
