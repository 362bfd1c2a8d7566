"""Small programs, by family of primitives, that the tests of rules and pipelines share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src.lax.windowed_reductions import _select_and_scatter

_random = np.random.RandomState(0)


def _normal(*shape: int) -> np.ndarray:
    return _random.randn(*shape).astype(np.float32)


def elementwise(x, y):
    return jnp.sin(x) * y + 1, (x[1:] - x[:-1]).sum(), jnp.where(x > 0, x, y)


def trailing_one(x):
    # one linear index runs over arrays with a trailing extent of 1
    return x**2, jnp.exp(x) - x


def movement(x):
    return (
        x.reshape(6, 4).T.reshape(3, 8),
        x.reshape(2, 2, 6)[::-1],
        jnp.concatenate([x, x * 2], 0),
        jnp.tile(x, (2, 3)),
        jnp.stack([x, x + 1], 1),
        jnp.split(x, 3, axis=1)[1],
        lax.rev(x, (0, 1)),
        jnp.swapaxes(x[None], 0, 2),
    )


def padding(x):
    return (
        jnp.pad(x, ((1, 2), (0, 1))),
        lax.pad(x, 7.0, ((-1, 2, 0), (1, -2, 2))),
        lax.pad(x, 7.0, ((2, -1, 1), (-1, 0, 3))),
    )


def reductions(x):
    return (
        x.max(0),
        x.min(1),
        x.prod(),
        jnp.any(x > 1),
        jnp.all(x > -9, axis=0),
        x.mean(),
        x.std(0),
        jnp.argmax(x, 1),
        jnp.argmin(x, 0),
        jax.nn.softmax(x),
        jax.nn.logsumexp(x, axis=1),
    )


def cumulative(x):
    return (
        jnp.cumsum(x, 0),
        jnp.cumprod(x[::-1], 1),
        lax.cummax(x, 0, reverse=True),
        lax.cummin(x, 1),
        lax.cumlogsumexp(x, 1),
    )


def gathers(x, i):
    return (
        x[i],
        x[:, i % 3],
        x.at[i].get(mode="fill"),
        x.at[i].get(mode="clip"),
        jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
        lax.dynamic_slice(x, (i[0], -3), (2, 3)),
    )


def scatters(x, i):
    return (
        x.at[i].add(1.0),
        x.at[i, 0].set(jnp.arange(5.0)),
        x.at[i].max(0.5, mode="drop"),
        x.at[1:3].multiply(2.0),
        x.at[:, 2].set(9.0),
        lax.dynamic_update_slice(x, x[:2, :2] * 3, (i[1], 1)),
        jnp.zeros((3, 3)).at[jnp.arange(3), jnp.arange(3)].set(1.0),
    )


def updates_in_place(x):
    # a chain of updates of one buffer, with reads of old values in between
    y = jnp.zeros_like(x).at[1:].set(x[:-1])
    z = y.at[0].add(y[1])
    return z.at[:, 0].set(z[:, 1] + y[:, 0]), y


def contractions(x, y):
    return (
        x @ y,
        jnp.einsum("ij,kj->ik", x, y.T),
        x @ y[:, 0],
        x[None] @ y[None],
        jnp.tensordot(x, y, 1),
        jnp.outer(x[0], y[:, 0]),
        jnp.einsum("bij,bjk->bik", jnp.stack([x, x]), jnp.stack([y, -y])),
    )


def sorts(x):
    return (
        jnp.sort(x, 0),
        jnp.argsort(x, 1),
        lax.top_k(x, 3),
        jnp.median(x),
        lax.sort((jnp.round(x), x), dimension=0, num_keys=2),
    )


def scans(x):
    def cell(carry, row):
        new = jnp.tanh(carry * 0.9 + row)
        return new, (carry, new * row)

    def swap(carry, row):
        return (carry[1], carry[0] + row.sum()), carry[0]

    return lax.scan(cell, jnp.zeros(6), x), lax.scan(swap, (0.0, 1.0), x, reverse=True)


def whiles(x):
    doubled = lax.while_loop(
        lambda c: (c[0] < 10) & (c[1].sum() < 100), lambda c: (c[0] + 1, c[1] * 1.5), (0, x)
    )
    return doubled, lax.fori_loop(0, 7, lambda i, a: a.at[i % 4].add(i), x)


def carries_in_place(x):
    """The new carry reads, at other indices, an update that took over the old carry's buffer."""

    def transposed(k, a):
        a = a.at[k].set(a[0])
        return a - a.T

    return lax.fori_loop(0, 3, transposed, x), lax.fori_loop(
        0, 3, lambda k, a: a.at[k].set(a[0]).at[0].add(1), x
    )


def batched_while(x):
    return jax.vmap(
        lambda v: lax.while_loop(lambda c: c[0] < 10.0, lambda c: (c[0] * 2 + 1, c[1] + 1), (v, 0))
    )(x)


def conds(i, x):
    return (
        lax.cond(i > 1, lambda v: v * 2, lambda v: v - 1, x),
        lax.switch(i, [jnp.sin, jnp.cos, lambda v: v.sum() + v * 0], x),
        lax.switch(i - 9, [jnp.sin, jnp.cos], x),
    )


def nested_control(x):
    def body(carry, v):
        inner = lax.while_loop(lambda c: c[1] < 3, lambda c: (c[0] * 0.5 + v, c[1] + 1), (carry, 0))[0]
        return lax.cond(inner > 0, lambda u: u, lambda u: -u, inner), inner

    return lax.scan(body, 1.0, x)


def gradients(w, x):
    return jax.grad(lambda w: (jnp.tanh(x @ w) ** 2).sum())(w), jax.hessian(lambda v: (v**3).sum())(w[:, 0])


def gradient_of_scan(x):
    return jax.grad(lambda v: lax.scan(lambda c, a: (c * a + jnp.sin(c), c), 1.0, v)[1].sum())(x)


def convolution(x, k):
    def loss(x, k):
        out = lax.conv_general_dilated(
            x, k, (2, 1), ((1, 1), (2, 1)), lhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        return (out**2).sum()

    return jax.grad(loss, (0, 1))(x, k)


def pooling(x):
    def loss(x):
        top = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return (top**2).sum() + lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME").sum()

    return jax.grad(loss)(x)


def selected_windows(x):
    """What JAX's own maxima and minima are special cases of: any comparison chooses, any function combines."""
    where = ((1, 0), (0, 2))
    return (
        _select_and_scatter(
            x, lax.ge_p.bind, (2, 3), (2, 3), ((0, 0), (0, 0)), x[:2, :2] * 3, 2.0, lambda a, b: a * 2 - b
        ),
        _select_and_scatter(
            x, lax.le_p.bind, (2, 2), (1, 1), where, jnp.pad(x, ((0, 0), (0, 1))), 0.5, lambda a, b: a + b
        ),
    )


def custom_rules(x):
    @jax.custom_vjp
    def clip(v):
        return jnp.clip(v, -1, 1)

    clip.defvjp(lambda v: (clip(v), v), lambda v, g: (g * (jnp.abs(v) < 2),))
    return jax.grad(lambda v: clip(v).sum())(x), jax.checkpoint(jnp.sin)(x), jax.nn.relu(x)


def linear_solver(a, b):
    return jax.scipy.sparse.linalg.cg(lambda v: a @ v + 20 * v, b)[0]


def dtypes(x, y):
    i, j = x.astype(jnp.int8), y.astype(jnp.int8)
    return (
        i // j,
        i % j,
        (x * 1j).conj(),
        x.astype(jnp.bfloat16) * 3,
        x.astype(jnp.float16) + y.astype(jnp.float16),
        jnp.abs(x + 1j * y),
        x.astype(jnp.uint8) >> 1,
        (x > 0) & (y > 0),
        x.astype(jnp.float16) @ y.T.astype(jnp.float16),
        lax.bitcast_convert_type(x, jnp.uint8),
        lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.uint16), jnp.float32),
    )


def corner_shapes(x):
    return (
        x + 1,
        x[None],
        jnp.zeros((0, 3)) + x,
        jnp.sum(jnp.zeros((0,))) + x,
        jnp.ones((3,)),
        jnp.concatenate([jnp.zeros((0,)), x[None]]),
        x,
    )


def random_numbers(key):
    a, b = jax.random.split(key)
    return (
        jax.random.uniform(b, (3, 2)),
        jax.random.randint(jax.random.fold_in(a, 3), (4,), 0, 10),
        jax.random.permutation(b, 6),
        jax.random.bernoulli(a, 0.3, (5,)),
        jax.random.categorical(b, jnp.ones(4)),
        jax.random.key_data(jax.random.split(jax.random.wrap_key_data(key), (2, 3))[1]),
        jax.random.normal(a, (5,)),
    )


def parts_in_loops(x):
    """Routines that are given a part of an array by its address: in a loop, in a branch, outside of both."""

    def step(carry, row):
        part = lax.sort(lax.slice(carry, (1, 0), (4, 3)), dimension=0)
        return carry * 0.5 + row, (part, lax.sort(lax.slice(row, (1,), (5,))))

    branch = lambda z: lax.sort(lax.slice(z, (0, 2), (5, 5)), dimension=1)
    return (
        lax.scan(step, x, x),
        lax.cond(x[0, 0] > 0, branch, lambda z: lax.slice(z, (0, 1), (5, 4)), x * 2),
        lax.sort(lax.slice(x + 1, (1, 1), (4, 5)), dimension=0),
    )


def narrow_types_come_in(*arrays):
    """What XLA packs, and other types of few bits, are inputs, and none of them is an output."""
    return [a.astype(jnp.float32) * 2 for a in arrays]


def narrow_types_go_out(x):
    """They are outputs, and none of them is an input."""
    return [(x + 1).astype(dtype) for dtype in _NARROW]


def long_chains(x):
    """More operations one after another than one expression has, with movements among them."""
    for k in range(40):
        x = (x * 0.75 + k).T
    return x


def of_nothing(x, y):
    """Arrays without elements, where an operation may have a result all the same."""
    none, nowhere = x[:, :0], jnp.zeros((0,), jnp.int32)
    return (
        (none @ none.T, none.T @ y, jnp.einsum("ab,cb->ac", none + 1j * none, none)),
        (none.sum(1), none.prod(1), (none + 1j * none).sum(1), none.sum(), jnp.any(none > 0, 1)),
        (x[:0].reshape(3, 0) * 2).sum(1),
        (x[nowhere], x[:, nowhere], none[jnp.array([0, 3])], jnp.take_along_axis(x, x[:0].astype(int), 0)),
        (x.at[nowhere].add(1.0), x.at[:, :0].set(3.0), none.at[0].add(1.0), x.at[nowhere].max(y[nowhere])),
        (jnp.sort(none, 1), jnp.cumsum(none, 1), jnp.argsort(none, 0), none[::-1]),
        (
            lax.linalg.cholesky(none.T @ none),
            jnp.linalg.solve(none.T @ none, none.T),
            lax.linalg.eigh(none.T @ none),
        ),
        lax.scan(lambda c, row: (c + 1, row * 2), x[0], x[:0]),
        lax.cond(y.sum() > 0, lambda z: z * 2, lambda z: z - 1, none),
    )


def factors_of_nothing(x, square):
    """Factorisations and solves of matrices without rows or columns, and of one without its vectors."""
    none, empty = x[:, :0], x[:0, :0]
    return (
        [lax.linalg.svd(m, full_matrices=full) for m in (none, none.T) for full in (False, True)],
        [lax.linalg.qr(m, full_matrices=True) for m in (none, none.T)],
        [lax.linalg.lu(m) for m in (none, none.T)],
        lax.linalg.triangular_solve(square, none, left_side=True, lower=True),
        lax.linalg.tridiagonal_solve(square[0], square[1] + 4, square[2], none),
        (lax.linalg.eig(empty), lax.linalg.schur(empty)),
        lax.linalg.schur(square, compute_schur_vectors=False)[0],
        lax.linalg.householder_product(none, none[0]),
    )


def places_that_are_known(x, z):
    """Indices that are constants, in bounds and out of them; places of which there is one; what is of no elements."""
    nothing = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    none = (np.zeros((0, 1), np.int32), np.zeros((0, x.shape[1]), np.float32))
    far = np.array([[1], [9]], np.int32)
    return (
        [x.at[k].add(1.0, mode="drop") for k in (2, 9, -9)],
        [
            lax.scatter_add(x, far[k], x[0] * 2, lax.ScatterDimensionNumbers((0,), (0,), (0,)))
            for k in range(2)
        ],
        lax.scatter_add(x, none[0], none[1], nothing),
        lax.scatter_mul(x, far, x[:2], nothing, mode="drop"),
        (jnp.stack([x]), lax.broadcasted_iota(np.float32, (1, 5), 0) + x[:1, :5], jnp.sort(x[:, :1], 1)),
        lax.atan2(z, z[::-1] + 2),
        lax.cond(jnp.bool_(True), lambda v: v + 1, lambda v: v, x),
        (jnp.stack([x, x * 2])[1] * 3, (lax.iota(np.float32, 6) * x)[:, 4:5] + 1),
    )


def contractions_by_blas(x, y):
    """Products that are large enough for a BLAS, of matrices as they lie in memory and as they do not."""
    return (
        *(jnp.einsum(how, x, y) for how in ("abk,kj->abj", "akb,kj->abj", "kab,kj->abj", "kab,kj->baj")),
        *(jnp.einsum(how, x, y) for how in ("abk,jk->jab", "akb,jk->abj", "abk,jk->baj")),
        *(y.T @ y, y @ y.T, y[:, ::2] @ y[::2], y[:, 1:17] @ y[:16]),
        *(jnp.einsum("abk,abj->akj", x[:, :, :24], x), jnp.einsum("abk,bck->kac", x, x)),
    )


def incomplete_at_ends(a, b, x):
    """Incomplete gamma and beta functions of what is zero, infinite, negative or one."""
    return lax.betainc(a, b, x), lax.igamma(a, x * 2), lax.igammac(b, x * 2)


def integer_ends(x, y):
    return (
        lax.div(x, y),
        lax.rem(x, y),
        lax.sign(x),
        lax.abs(x),
        lax.div(x.astype(jnp.int8), y.astype(jnp.int8)),
        [x.astype(t).astype(jnp.float32) for t in (jnp.float8_e8m0fnu, jnp.float8_e5m2, jnp.float8_e4m3fn)],
    )


def exponents(x):
    """Types and precisions with another range of exponents: halves, and both ends."""
    return (
        x.astype(jnp.float8_e8m0fnu).astype(jnp.float32),
        lax.reduce_precision(x, 5, 10),
        lax.reduce_precision(x, 4, 3),
        lax.reduce_precision(x, 8, 7),
        lax.reduce_precision(x.astype(jnp.bfloat16), 4, 3),
        lax.reduce_precision(x.astype(jnp.float16), 4, 20),
    )


def pivots(lower, middle, upper, b):
    """Tridiagonal systems whose rows change places or not, are apart, or have no pivot."""
    return lax.linalg.tridiagonal_solve(lower, middle, upper, b, perturb_singular=True)


def steps_of_stacks(x, z, m, i):
    """Operations on what a loop takes of a stack in each step, as it lies there."""

    def step(part):
        x, z, m, i = part
        return (
            (jnp.fft.fft(z), jnp.fft.rfft(x), jnp.fft.ifft2(z.reshape(2, 3))),
            (
                jnp.sort(x, 0),
                lax.top_k(x, 2),
                jnp.argmax(x, 1),
                jnp.cumsum(x, 1),
                lax.cummax(x, 0, reverse=True),
            ),
            (x.T, x[::-1], jnp.pad(x, 1), jnp.roll(x, 1, 1), x[i], x.at[i].add(1.0)),
            (x.sum(0), x.max(), x @ x.T, jnp.tensordot(x, m, ((0,), (1,))), jnp.convolve(x[0], m[0])),
            (jnp.linalg.cholesky(m), jnp.linalg.solve(m, x), jnp.linalg.eigvalsh(m)),
        )

    return lax.map(step, (x, z, m, i))


def constants_alike(x, n):
    """Constants of which one is nearly another: a sign of a zero apart, a digit, a type, an element."""
    zeros, same = np.zeros(5, np.float32), np.full(5, 0.1, np.float32)
    signed, almost = zeros.copy(), same.copy()
    signed[3], almost[3] = -0.0, np.nextafter(np.float32(0.1), np.float32(1))
    return (
        (x * 0.0, x * -0.0, jnp.where(n > 0, 0.0, -0.0), 1 / (x * zeros), 1 / (jnp.abs(x) * signed)),
        (x - same, x - almost, x - 16777215.0, x - 16777216.0, x + 1.1754944e-38, x * np.float32(np.nan)),
        (n + 1, n * 2**30, n - 2**30, n & -(2**31), n ^ (2**31 - 1), n + jnp.int32(True), x + jnp.float32(1)),
    )


def transforms(x, z):
    """Each kind of transform, of one axis and of two, of even and odd lengths."""
    real, other = x[:, :5], z[:, :5]
    return (
        [jnp.fft.fft(z), jnp.fft.ifft(other), jnp.fft.rfft(x), jnp.fft.rfft(real)],
        [jnp.fft.irfft(z, 6), jnp.fft.irfft(z, 7), jnp.fft.fft(z, axis=0), jnp.fft.ifft(z, axis=0)],
        [jnp.fft.fft2(z), jnp.fft.ifft2(other), jnp.fft.rfft2(x), jnp.fft.rfft2(real)],
        [jnp.fft.irfft2(z, (3, 6)), jnp.fft.irfft2(z, (4, 5)), jnp.fft.ifftn(z[None])],
    )


def known_integers(x):
    """Integers that are known while a program is translated, as values and as places."""
    i, two = jnp.arange(-4, 5), jnp.full(9, 2)
    found = [
        i // two,
        lax.div(i, two),
        lax.rem(i, two),
        i % -two,
        i >> 1,
        i << 2,
        lax.shift_right_logical(i, two),
    ]
    found += [
        jnp.abs(i),
        jnp.sign(i),
        i**2,
        jnp.clip(i, -2, 3),
        i ^ 5,
        ~i,
        jnp.minimum(i, -i),
        lax.div(i, i - 1),
    ]
    places = [k % 5 for k in found]
    return (
        [k + x[0].astype(jnp.int32) for k in found],
        [x[k] for k in places],
        jnp.cumsum(i)[::2],
        i.astype(jnp.uint8),
    )


def typed_keys(seed):
    """What may be done with keys besides making numbers of them."""
    key = jax.random.key(seed)
    keys = jnp.stack(
        [jax.random.key(1), jax.random.key(2), key, jax.random.fold_in(key, 1), jax.random.clone(key)]
    )
    moved = jnp.concatenate([keys[::-1], keys[1:3]]).at[0].set(keys[1])
    chosen = jnp.where(keys == key, keys[0], moved[:5])
    return keys == keys[:, None], keys != key, jax.random.key_data(moved), jax.random.key_data(chosen)


_ENDS = np.array([0, 1, 0.5, np.inf, -1, np.nan, 0.25, 30], np.float32)
_THREE = [a.ravel() for a in np.meshgrid(_ENDS, _ENDS, np.append(_ENDS, np.float32(400)))]
_INTEGERS = np.array([-(2**31), 2**31 - 1, -1, 0, 1, 7, -128, 127], np.int32)
_NARROW = tuple(
    np.dtype(getattr(ml_dtypes, name, name))
    for name in ("int4", "uint4", "bool", "int8", "float8_e4m3fn", "float8_e5m2", "bfloat16", "float16")
)
_POWERS = np.concatenate([[1, 1.5, 1.25, 1.75, 3, 0, np.nan, np.inf, 6e4, 65520, 1e-8, 250, 3.4e38], _ENDS])
_SCALES = np.array([1, 2.0**-126, 2.0**127, -1, 2.0**-14, 2.0**-7, 2.0**15], np.float32)
with np.errstate(over="ignore"):
    _SCALED = np.outer(_POWERS, _SCALES).astype(np.float32)
_DIAGONALS = [np.array(d, np.float32) for d in (
    [[0, 0, 2, 1, 5], [0, 1, 1, 1, 1], [0, 3, 0, 1e-3, 2]],
    [[4, 1, 0, 3, 1], [0, 1, 1, 1, 1], [1e-3, 1, 2, 1, 0]],
    [[1, 5, 2, 1, 0], [1, 1, 1, 1, 0], [1, 2, 1, 4, 0]],
)]  # fmt: skip


#: name -> (function, arguments)
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    fun.__name__: (fun, args)
    for fun, args in [
        (elementwise, (_normal(4, 5), _normal(4, 5))),
        (trailing_one, (_normal(32, 1),)),
        (movement, (_normal(4, 6),)),
        (padding, (_normal(4, 6),)),
        (reductions, (_normal(4, 6),)),
        (cumulative, (_normal(4, 6),)),
        (gathers, (_normal(5, 6), np.array([4, -1, 2, 2, 9], np.int32))),
        (scatters, (_normal(5, 6), np.array([4, -1, 2, 2, 9], np.int32))),
        (updates_in_place, (_normal(5, 6),)),
        (contractions, (_normal(5, 6), _normal(6, 7))),
        (sorts, (_normal(5, 6),)),
        (scans, (_normal(5, 6),)),
        (whiles, (np.abs(_normal(4)),)),
        (carries_in_place, (_normal(5, 5),)),
        (batched_while, (np.abs(_normal(4)),)),
        (conds, (np.int32(2), _normal(4))),
        (nested_control, (_normal(5),)),
        (gradients, (_normal(6, 3), _normal(4, 6))),
        (gradient_of_scan, (_normal(7),)),
        (convolution, (_normal(2, 8, 8, 3), _normal(3, 3, 3, 4))),
        (pooling, (_normal(2, 8, 8, 3),)),
        (custom_rules, (_normal(5),)),
        (linear_solver, ((lambda a: a @ a.T)(_normal(6, 6)), _normal(6))),
        (dtypes, (_normal(4, 3) * 10, _normal(4, 3) * 10)),
        (corner_shapes, (np.float32(1.5),)),
        (parts_in_loops, (_normal(5, 6),)),
        (of_nothing, (_normal(4, 5), _normal(4, 5))),
        (factors_of_nothing, (_normal(4, 5), np.tril(_normal(4, 4)) + 3 * np.eye(4, dtype=np.float32))),
        (places_that_are_known, (_normal(5, 6), (_normal(7) + 1j * _normal(7)).astype(np.complex64))),
        (contractions_by_blas, (_normal(32, 32, 32), _normal(32, 32))),
        (incomplete_at_ends, tuple(_THREE)),
        (integer_ends, tuple(a.ravel() for a in np.meshgrid(_INTEGERS, _INTEGERS))),
        (exponents, (_SCALED,)),
        (pivots, (*_DIAGONALS, _normal(3, 5, 2))),
        (random_numbers, (np.array([3, 4], np.uint32),)),
        (selected_windows, (_normal(4, 7),)),
        (transforms, (_normal(4, 6), (_normal(4, 4) + 1j * _normal(4, 4)).astype(np.complex64))),
        (known_integers, (_normal(5) * 10,)),
        (typed_keys, (np.uint32(1),)),
        (constants_alike, (_normal(5), np.array([0, 1, -1, 2**31 - 1, -(2**31)], np.int32))),
        (
            steps_of_stacks,
            (
                _normal(3, 4, 5),
                (_normal(3, 6) + 1j * _normal(3, 6)).astype(np.complex64),
                (lambda a: a @ a.swapaxes(1, 2) + np.eye(4, dtype=np.float32))(_normal(3, 4, 4)),
                np.array([[0, 3], [2, 2], [-1, 9]], np.int32),
            ),
        ),
        (long_chains, (_normal(3, 3),)),
        (narrow_types_come_in, tuple(np.array([1, -3, 5, -8, 7]).astype(dtype) for dtype in _NARROW)),
        (narrow_types_go_out, (np.array([0, 1, 2, 1.5, 0.25], np.float32),)),
    ]
}
