"""Small programs, each of which asks something else of the call tree: what a user writes under ``jax.jit``.

``PROGRAMS`` maps a name to a :class:`Program`.  Nothing here knows the harness: a program is imported, and called,
as it would be in a file of its own.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify
from jax.extend.core import Primitive
from jax.flatten_util import ravel_pytree
from jax.interpreters import ad, batching, mlir
from jax.scipy.special import logsumexp


@dataclasses.dataclass(frozen=True)
class Program:
    """A function, its arguments, and how it is jitted."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    jit: Mapping[str, Any]

    def run(self) -> Any:
        """What the program computes; it is traced anew each time."""
        return self.jitted()(*self.args, **self.kwargs)

    def jitted(self) -> Any:
        """The jitted function."""
        return jax.jit(self.fun, **self.jit)


PROGRAMS: dict[str, Program] = {}


def program(*args: Any, name: str = "", kwargs: Any = None, jit: Any = None) -> Callable[..., Any]:
    """Registers a function with the arguments it is called with."""

    def register(fun: Callable[..., Any]) -> Callable[..., Any]:
        key = name or fun.__name__
        assert key not in PROGRAMS, key
        PROGRAMS[key] = Program(fun, args, dict(kwargs or {}), dict(jit or {}))
        return fun

    return register


_random = np.random.RandomState(0)


def normal(*shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return _random.randn(*shape).astype(np.float32)


X, Y = normal(4), normal(4)
M = normal(3, 4)
INTEGERS = np.array([3, -2, 7, 5], np.int32)
POSITIVE = np.array([2, 3, 2, 4], np.int32)

# ---------------------------------------------------------------------------------------------- operators


@program(X, Y, normal(4))
def associativity(a, b, c):
    return (
        a - (b - c),
        (a - b) - c,
        a - b - c,
        a / (b / c),
        a / b / c,
        a * (b / c),
        a * b / c,
        (a + b) * c,
        a + b * c,
        a - (b + c),
        a - -b,
        a // (b // c),
        a % (b % c),
        a % b * c,
        a % (b * c),
    )


@program(X, np.float32(3.0))
def powers_and_signs(x, y):
    return (
        -(x**2),
        (-x) ** 2,
        2.0**-x,
        2**-x,
        -(2.0**x),
        (-2) ** POSITIVE,
        x ** (y**x),
        (x**y) ** 2,
        x**-y,
        -x * y,
        -(x * y),
        (-x) * -y,
        +x,
        -(-x),  # noqa: B002
        -x.sum(),
        (-x).sum(),
        (x + y).sum(),
        (2.0 - x) ** 0.5,
        1 / x,
        1 - x,
        3 % x,
        (-1.5) * x,
        x - (-1.5),
        x**-1.5,
        x**2**2,
        (x**2) ** 2,
        (x * 2)[0],
        -x[0],
        (-x)[0],
    )


@program(X, Y, normal(4))
def comparisons(a, b, c):
    return (
        (a < b) == (b < c),
        (a < b) & (b < c),
        (a < b) | ~(b >= c),
        ((a < b) < (b < c)),
        a < (b + c),
        (a == b) != (b == c),
        (a != b) ^ (a > c),
        1.0 < a,  # noqa: SIM300
        1 >= b,  # noqa: SIM300
        ((a > 0) == (b > 0)) == (c > 0),
        (a <= b) + 1,
        ~(a < b) & True,
        (a < b) == True,  # noqa: E712
    )


@program(INTEGERS, POSITIVE)
def integers(i, j):
    return (
        i << j,
        i >> j,
        (i << 1) + j,
        i << (1 + j),
        i & j | i ^ j,
        i & (j | i) ^ j,
        (i | j) ^ (i & j),
        ~i,
        ~(i + j),
        -~i,
        ~-i,
        divmod(i, j),
        divmod(i, 3),
        divmod(7, j),
        i // j,
        i % j,
        i**2,
        2**j,
        7 // j,
        7 % j,
        1 << j,
        256 >> j,
        5 & i,
        5 | i,
        5 ^ i,
        abs(i),
        abs(-i) - abs(i),
        i / j,
    )


@program(X)
def builtins(x):
    quotient, rest = divmod(x, 0.5)
    return quotient, rest, round(x), round(x, 1), abs(x - 1), abs(x) ** 2, sum(x), max(0, 1) * x, len(x) + x


@program(M, normal(5, 4), X)
def matrices(x, y, v):
    return (
        x @ y.T,
        (x @ y.T).T,
        x @ v,
        x.T @ x,
        x @ (y.T @ y),
        x @ y.T @ y,
        x.T @ x @ v,
        x.T @ (x @ v),
        -x @ v,
        2 * x @ v,
        x @ v * 2,
        x @ (v * 2),
        np.ones((2, 3), np.float32) @ x,
        x.mT,
        x.at[0, 0].set(1.0) @ v,
    )


# ----------------------------------------------------------------------------------- methods and indexing


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


# ------------------------------------------------------------------------------------------------- pytrees


class Pair(NamedTuple):
    """A pair."""

    left: Any
    right: Any


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    """A registered dataclass with a field that is no leaf."""

    kernel: Any
    bias: Any
    activation: str = dataclasses.field(default="tanh", metadata={"static": True})

    def __call__(self, x):
        return getattr(jnp, self.activation)(x @ self.kernel + self.bias)


@jax.tree_util.register_pytree_node_class
class Ring:
    """A class of the user's own, of children without names."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def tree_flatten(self):
        return self.items, None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def turned(self):
        return Ring(*self.items[1:], self.items[0])


Point = collections.namedtuple("Point", ["x", "y"])


@program({"w": M, "b": normal(3)}, X)
def dictionaries(params, x):
    new = {"w": params["w"] * 2, **{"b": params["b"] - 1}}
    inner = jax.vmap(lambda p, s: p["b"] * s["k"]["v"], in_axes=({"w": None, "b": 0}, None))(
        new, {"k": {"v": x[0]}}
    )
    return {"z": inner, "a": new, "m": params}


@program({"not an identifier": X, "class": Y, "jnp": X, "a'b\"c\\d\n": Y, "": X, "é": Y})
def strange_keys(d):
    return {k + "!": v * 2 for k, v in d.items()}, jax.tree.map(jnp.sin, d)


@program({2: X, 0: Y}, {(1, "a"): X})
def other_keys(d, e):
    return {k: v + k for k, v in d.items()}, e[(1, "a")] * 2


@program([X, (Y, [M])], ({"a": X},))
def nested_lists(lists, tuples):
    a, (b, [m]) = lists
    return [a, (b, [m * 2]), []], (tuples[0]["a"],), ()


@program(Pair(X, Pair(Y, M)), Point(np.float32(1), np.float32(2)))
def named_tuples(pair, point):
    left, (inner, matrix) = pair
    moved = point._replace(x=point.x + 1)
    loss = jax.grad(lambda p: (p.left**2).sum() + p.right.left.sum())(pair)
    return Pair(left + inner, matrix), moved, loss, pair.right.right.T


@program(Layer(normal(4, 3), normal(3)), X)
def data_classes(layer, x):
    gradient = jax.grad(lambda one: one(x).sum())(layer)
    twice = dataclasses.replace(layer, kernel=layer.kernel * 2)
    return layer(x), gradient, twice


@program(Ring(X, Y, M))
def registered_classes(ring):
    turned = ring.turned()
    doubled = jax.tree.map(lambda v: v * 2, turned)
    return doubled, jax.grad(lambda r: sum(jnp.sum(v**2) for v in r.items))(ring)


@program((X, None, {"a": None, "b": Y}), None)
def none_leaves(tree, nothing):
    result = jax.vmap(lambda t: (t[0] * 2, t[1], t[2]))(tree)
    carry, _ = lax.scan(lambda c, _: ((c[0] + 1, None), None), (tree[0], None), None, length=3)
    return result, nothing, carry, jnp.sum(tree[0], axis=None)


@program(collections.OrderedDict([("z", X), ("a", Y)]), collections.defaultdict(list, {"k": X}))
def other_mappings(ordered, default):
    return collections.OrderedDict(b=ordered["z"], a=ordered["a"] * 2), default["k"] + 1


@program(X)
def containers_in_closures(x):
    state = {"scale": x * 2, "pair": Pair(x + 1, [x - 1])}
    layer = Layer(jnp.ones((4, 2)), x[:2])

    def use(v):
        return v * state["scale"].sum() + state["pair"].right[0][0] - layer.bias[0]

    return jax.vmap(use)(x), lax.map(lambda v: layer(v * x), x)


@program({"a": X, "b": [Y, M]})
def tree_functions(tree):
    leaves, structure = jax.tree.flatten(tree)
    total = sum(jnp.sum(leaf) for leaf in leaves)
    again = jax.tree.unflatten(structure, [leaf + 1 for leaf in leaves])
    named = jax.tree_util.tree_map_with_path(lambda path, leaf: leaf * len(path), tree)
    flat, unravel = ravel_pytree(tree)
    return total, again, named, jax.tree.reduce(lambda a, b: a + b.sum(), tree, 0.0), unravel(flat * 2)


# ------------------------------------------------------------------------------------- jnp and constants


@program(M)
def literals(x):
    return (
        jnp.zeros((2, 3)),
        jnp.ones(3, dtype=jnp.int8),
        jnp.full((2,), 1.5, "float16"),
        jnp.arange(5),
        jnp.arange(1.0, 2.0, 0.25, dtype=jnp.float32),
        jnp.linspace(0, 1, 5),
        jnp.linspace(0, 1, num=4, endpoint=False, retstep=True),
        jnp.eye(3, k=1, dtype=bool),
        jnp.array([1, 2.5, 3]),
        jnp.array([[1, 2], [3, 4]], dtype=jnp.uint8),
        jnp.asarray(3),
        jnp.array([x[0, 0], 1.0, x[1, 1]]),
        jnp.stack([x, x * 2], axis=-1),
        jnp.concatenate((x, x), 0),
        jnp.where(x > jnp.inf, jnp.nan, x),
        jnp.where(x < -np.inf, 1e-30, -0.0),
        jnp.einsum("ij,kj->ik", x, x),
        jnp.einsum("ij->j", x, precision=lax.Precision.HIGHEST),
        jnp.pad(x, ((0, 1), (2, 0)), mode="edge"),
        jnp.sum(x, axis=(0, 1), dtype=jnp.float16),
        jnp.float32(3) * x,
        jnp.int32(x[0, 0]),
        jnp.bfloat16(1.5) + jnp.bfloat16(x),
        jnp.finfo(x.dtype).eps * x,
        x * np.pi + np.float32(1e-8),
        x + 1e300 * 0 + 123456789.123,
        x * True,
        x + 1j,
    )


CONSTANT = normal(3, 4)
JAX_CONSTANT = jnp.arange(4) * jnp.float32(0.5)
WEAK = jnp.asarray(2.5)
BIG = normal(40, 30)


@program(X)
def constants(x):
    local = np.arange(4, dtype=np.int8)
    weak = jnp.add(1, 2)
    return (
        x + CONSTANT,
        CONSTANT @ x,
        x * JAX_CONSTANT,
        JAX_CONSTANT * 2,
        x * WEAK,
        WEAK + 1,
        x + local,
        local * WEAK,
        x + np.float64(0.1),
        x.astype(jnp.float16) * WEAK,
        x.astype(jnp.float16) * weak,
        BIG[:, :4] @ x,
        jnp.asarray(BIG).sum() + x,
        np.bool_(True) & (x > 0),
        x + np.array(2),
        x * np.array([], np.float32).sum(),
    )


@program(X)
def constants_in_functions(x):
    table = np.linspace(0, 1, 4, dtype=np.float32)
    moved = jnp.asarray(table) * 2

    def body(c, k):
        return c * table + moved * k, (c + CONSTANT[0]).sum()

    return (
        lax.scan(body, x, jnp.arange(3.0)),
        jax.vmap(lambda v: v * table)(x),
        jax.grad(lambda v: (v * JAX_CONSTANT * WEAK).sum())(x),
    )


@program(M, X)
def library_functions(x, v):
    return (
        jax.nn.relu(x),
        jax.nn.softmax(x, axis=-1),
        jax.nn.gelu(x, approximate=False),
        jax.nn.one_hot(jnp.array([0, 2]), 4),
        jax.nn.silu(v),
        jax.nn.log_softmax(x),
        jax.scipy.special.logsumexp(x, axis=0),
        logsumexp(v, b=jnp.ones(4)),
        jax.scipy.stats.norm.logpdf(v),
        jnp.linalg.norm(x, axis=1),
        jnp.linalg.solve(x @ x.T + jnp.eye(3), x[:, 0]),
        jnp.fft.fft(v),
        jnp.fft.rfft(v, n=6),
        lax.dot_general(x, x, (((1,), (1,)), ((), ()))),
        lax.dynamic_slice(x, (0, 1), (2, 2)),
        lax.conv(x[None, None], jnp.ones((1, 1, 2, 2)), (1, 1), "SAME"),
        lax.top_k(v, 2),
        lax.rsqrt(jnp.abs(v)),
        lax.stop_gradient(v) * v,
        lax.reduce(v, 0.0, lax.add, (0,)),
        lax.select(v > 0, v, -v),
        jax.image.resize(x, (6, 8), "bilinear"),
        jax.ops.segment_sum(v, jnp.array([0, 0, 1, 1]), num_segments=2),
        jnp.unique(v, size=4, return_counts=True),
        jnp.histogram(v, bins=3),
        jnp.interp(v, jnp.arange(4.0), v),
        jnp.convolve(v, jnp.ones(2)),
        jnp.vander(v, 3),
        jnp.polyfit(jnp.arange(4.0), v, 1),
        jnp.select([v > 0, v < -1], [v, -v], 0.5),
        jnp.piecewise(v, [v > 0], [lambda t: t * 2, lambda t: -t]),
        jnp.apply_along_axis(jnp.sum, 0, x),
        jnp.frompyfunc(lambda a, b: a * b + 1, 2, 1)(v, v),
        jnp.add.reduce(x, axis=0),
        jnp.add.accumulate(v),
        jnp.multiply.outer(v, v),
        jnp.vectorize(lambda a: a * 2)(v),
        jnp.searchsorted(jnp.sort(v), 0.5),
        jnp.percentile(v, 30.0),
        jnp.divmod(v, 2.0),
        jnp.modf(v),
    )


# ------------------------------------------------------------------------------------------- transforms


@program({"w": M, "b": normal(3)}, X)
def gradients(params, x):
    def loss(params, x):
        return jnp.sum(jnp.tanh(params["w"] @ x + params["b"]) ** 2)

    def with_aux(params, x, scale=1.0):
        value = loss(params, x) * scale
        return value, {"value": value, "x": x * 2}

    return (
        jax.grad(loss)(params, x),
        jax.grad(loss, argnums=1)(params, x),
        jax.grad(loss, (0, 1))(params, x),
        jax.value_and_grad(loss)(params, x),
        jax.value_and_grad(with_aux, has_aux=True)(params, x),
        jax.grad(with_aux, argnums=(1,), has_aux=True)(params, x, scale=3.0),
        jax.grad(jax.grad(lambda v: v**3))(x[0]),
        jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(x[1]),
    )


@program(M, X, {"a": normal(3), "b": normal(3, 2)})
def mapped(m, v, tree):
    return (
        jax.vmap(jnp.sum)(m),
        jax.vmap(lambda row: row * v)(m),
        jax.vmap(lambda row, t: row.sum() * t["b"] + t["a"], in_axes=(0, {"a": None, "b": 0}), out_axes=0)(
            m, {"a": v[0], "b": tree["b"]}
        ),
        jax.vmap(lambda column, s: (column * s, s), in_axes=(1, None), out_axes=(1, None))(m, 2.0),
        jax.vmap(lambda t: t["a"] * t["b"].sum(), in_axes=0)(tree),
        jax.vmap(jax.vmap(lambda a, b: a * b, (None, 0)), (0, None))(v, v),
        jax.vmap(lambda a: lax.psum(a, "rows"), axis_name="rows")(m),
        jax.vmap(lambda a: a - lax.pmean(a, "i") + lax.axis_index("i"), axis_name="i", axis_size=3)(m),
        jax.vmap(lambda _: v * 2)(v),
        jax.vmap(lambda row, *, k: row * k)(m, k=m),
    )


@program(X, Y)
def forward_and_reverse(x, y):
    def f(a, b):
        return jnp.sin(a) * b, (a * b).sum()

    primals, tangents = jax.jvp(f, (x, y), (y, x))
    outs, pullback = jax.vjp(f, x, y)
    back = pullback((jnp.ones(4), 2.0))
    again = pullback((x, 0.0))
    out, pull, aux = jax.vjp(lambda a: (a**2, {"n": a.sum()}), x, has_aux=True)
    value, push = jax.linearize(lambda a: jnp.exp(a) * y, x)
    return (
        primals,
        tangents,
        outs,
        back,
        again,
        out,
        pull(y),
        aux,
        value,
        push(x),
        push(y),
        jax.jvp(jnp.tanh, [x], [y]),
    )


@program(X)
def second_derivatives(x):
    def f(v):
        return jnp.sum(v**3) * v[0]

    def g(v):
        return jnp.stack([v[0] * v[1], jnp.sin(v[2]), v.sum()])

    return (
        jax.hessian(f)(x),
        jax.jacfwd(g)(x),
        jax.jacrev(g)(x),
        jax.jacfwd(jax.jacrev(f))(x),
        jax.jacrev(lambda a, b: a * b, argnums=(0, 1))(x, 2.0),
        jax.jacfwd(lambda v: (v * 2, {"s": v.sum()}), has_aux=True)(x),
        jax.jvp(jax.grad(f), (x,), (jnp.ones(4),)),
        jax.vmap(jax.grad(lambda v: v**2))(x),
        jax.linear_transpose(lambda v: 3.0 * v, x)(x),
    )


@program(X, Y)
def rematerialisation(x, y):
    def block(a, b):
        return jnp.sin(jnp.sin(a) @ jnp.cos(b))

    policy = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
    saved = jax.checkpoint(block, policy=jax.checkpoint_policies.everything_saveable)

    @functools.partial(jax.checkpoint, policy=policy, prevent_cse=False)
    def decorated(a):
        return jnp.sin(a * y).sum()

    @jax.remat
    def plain(a):
        return jnp.tanh(a) * 2

    static = jax.checkpoint(lambda a, n: a * n if n > 1 else a, static_argnums=(1,))
    return (
        jax.grad(jax.checkpoint(block))(x, y),
        jax.grad(saved, argnums=1)(x, y),
        jax.value_and_grad(decorated)(x),
        plain(x),
        static(x, 2),
        jax.grad(lambda a: plain(plain(a)).sum())(x),
    )


@program(X)
def named_calls(x):
    @functools.partial(jax.named_call, name="my block")
    def block(v):
        return v * 2

    with jax.named_scope("outer scope"):
        y = block(x)
    return y, jax.named_call(jnp.sin)(x), jax.grad(lambda v: block(v).sum())(x)


class Keeper:
    """Keeps what it computes, as the modules of some libraries do."""

    def __call__(self, v):
        self.kept = jnp.sin(v)
        return self.kept * 2


@program(X)
def named_calls_of_objects(x):
    layer, other = Keeper(), Keeper()
    y = jax.named_call(layer.__call__, name="layer")(x)
    z = jax.named_call(Keeper.__call__)(other, x)
    third = jax.named_call(lambda v: Keeper())(x)
    return y + layer.kept, z * other.kept, third(x)


# --------------------------------------------------------------------------------------------------- jit


@functools.partial(jax.jit, static_argnums=(1,), static_argnames=("mode",))
def with_static(x, n, *, mode="up"):
    for _ in range(n):
        x = x * 2 if mode == "up" else x / 2
    return x


@jax.jit
def plain_jit(x, y=1.0):
    return jnp.sin(x) * y


@functools.partial(jax.jit, inline=True)
def inlined(x):
    return x * 3 - 1


@functools.partial(jax.jit, donate_argnums=(0,))
def donated(x, y):
    return x + y


@program(X, M)
def nested_jit(x, m):
    anonymous = jax.jit(lambda v: v * 2 + x.sum())

    @jax.jit
    def local(v, w):
        return {"s": v + w, "p": plain_jit(v)}

    return (
        plain_jit(x),
        plain_jit(x),
        plain_jit(m, y=2.0),
        plain_jit(x, x),
        plain_jit(y=x, x=x),
        with_static(x, 2),
        with_static(x, 3, mode="down"),
        with_static(m, 1),
        inlined(x) + inlined(m),
        donated(x + 0, x),
        anonymous(x),
        anonymous(m),
        local(x, 1),
        local(m[0], w=x),
        jax.jit(jnp.sin)(x),
        jax.jit(plain_jit)(x),
        jax.vmap(plain_jit)(m),
        jax.grad(lambda v: plain_jit(v).sum())(x),
        jax.jit(jax.grad(lambda v: plain_jit(v).sum()))(x),
        jax.jit(jax.vmap(lambda v: v * 2))(m),
    )


@program(np.float32(2.0), (3, "down"), X, name="static_arguments", jit={"static_argnums": (1,)})
def main_with_static(a, how, x):
    n, mode = how
    return with_static(x * a, n, mode=mode)


@program(X, jit={"static_argnames": ("axis", "reverse")}, kwargs={"axis": 0, "reverse": True})
def static_keywords(x, axis, reverse):
    return jnp.flip(jnp.cumsum(x, axis), axis) if reverse else x


@program(X.copy(), Y, jit={"donate_argnums": (0,)})
def donated_arguments(x, y):
    return x * y


@program(X, Y, jit={"keep_unused": True})
def unused_arguments(x, y):
    return x * 2


@program(X, Y)
def dropped_arguments(x, y):
    return y * 2


# ------------------------------------------------------------------------------------------ control flow


@program(X, M, np.int32(3))
def scans(x, m, n):
    scale = x * 2

    def cell(carry, row):
        h, count = carry
        h = jnp.tanh(h * scale + row)
        return (h, count + 1), {"h": h, "n": count * n}

    return (
        lax.scan(cell, (x, 0), m),
        lax.scan(cell, (x, 0), m, reverse=True, unroll=2),
        lax.scan(lambda c, _: (c * 0.5, None), x, None, length=4),
        lax.scan(lambda c, s: (c, s[0] * s[1]["a"]), 0.0, (m, {"a": m})),
        lax.scan(f=lambda c, s: (c + s, c), init=jnp.zeros(4), xs=m),
        lax.map(lambda row: row @ x, m),
        lax.map(lambda row: row * scale, m, batch_size=2),
        lax.associative_scan(jnp.add, m),
        lax.associative_scan(lambda a, b: a * b + a, m, reverse=True, axis=1),
        jax.grad(lambda v: lax.scan(lambda c, s: (c * s + v, c), v, m)[0].sum())(x),
    )


@program(X, np.int32(3))
def loops(x, n):
    limit = x.sum() + 100

    return (
        lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2 + limit), (0, x)),
        lax.fori_loop(0, 4, lambda i, a: a.at[i].add(i), x),
        lax.fori_loop(0, n, lambda i, a: a * x + i, x),
        lax.fori_loop(1, 3, lambda i, a: lax.fori_loop(0, i, lambda j, b: b + j * x[0], a), x),
        lax.while_loop(cond_fun=lambda v: v < limit, body_fun=lambda v: v * 2 + 1, init_val=1.0),
        lax.fori_loop(0, 3, lambda _, c: (c[1], c[0] + c[1]), (1, 1), unroll=True),
    )


@program(np.int32(1), X)
def branches(i, x):
    y = x * 2

    def positive(v):
        return v + y

    def negative(v):
        return v - y

    return (
        lax.cond(i > 0, positive, negative, x),
        lax.cond(i > 0, lambda: y, lambda: x),
        lax.cond(x[0] > 0, lambda a, b: a * b, lambda a, b: a - b, x, y),
        lax.switch(i, [jnp.sin, jnp.cos, positive], x),
        lax.switch(i, (lambda v: v, lambda v: y * v, negative), x),
        lax.cond(i > 0, positive, positive, x),
        lax.cond(True, positive, negative, x),
        lax.select(i > 0, x, y),
        jax.vmap(lambda p, v: lax.cond(p > 0, jnp.sin, jnp.cos, v))(x, x),
        lax.cond(i > 0, lambda t: {"a": t[0]}, lambda t: {"a": t[1]}, (x, y)),
        lax.cond(i > 0, lambda v: lax.cond(v[0] > 0, lambda: v + y, lambda: v), lambda v: -v, x),
    )


@program(X)
def branches_with_operands_of_their_own(x):
    return lax.cond(x.sum() > 0, x, lambda v: v + 1, (x, 2.0), lambda pair: pair[0] * pair[1])


@program(X, M)
def python_loops(x, m):
    history = []
    for k in range(3):
        x = x * m[k] + k
        history.append(x)
        if x.ndim == 1 and k % 2:
            x = x - 1
    total = 0
    for h in history:
        total += h
    functions = [lambda v, k=k: v * k for k in range(3)]
    made = [jax.vmap(lambda v, k=k: v + k)(x) for k in range(2)]
    return (
        x,
        total,
        [f(x) for f in functions],
        made,
        {k: jax.grad(lambda v, k=k: (v * k).sum())(x) for k in (1, 2)},
    )


# --------------------------------------------------------------------------------------- custom derivatives


@jax.custom_jvp
def custom_sin(x):
    return jnp.sin(x)


@custom_sin.defjvp
def custom_sin_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return custom_sin(x), jnp.cos(x) * t * 2


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 2))
def apply_twice(f, x, n):
    return f(f(x)) * n


@apply_twice.defjvp
def apply_twice_jvp(f, n, primals, tangents):
    (x,), (t,) = primals, tangents
    return f(f(x)) * n, t * n


@jax.custom_vjp
def clipped(x, limit):
    return x * limit


def clipped_fwd(x, limit):
    return clipped(x, limit), (x, limit)


def clipped_bwd(saved, g):
    x, limit = saved
    return jnp.clip(g, -1, 1) * limit, (g * x).sum()


clipped.defvjp(clipped_fwd, clipped_bwd)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, k):
    return x * k


scaled.defvjp(lambda x, k: (x * k, None), lambda k, _, g: (g * k * 10,))


@program(X)
def custom_jvps(x):
    local_scale = x.sum()

    @jax.custom_jvp
    def local(v):
        return v * local_scale

    local.defjvp(lambda p, t: (local(p[0]), t[0] * 3))

    @jax.custom_jvp
    def pair(a, b):
        return a * b

    pair.defjvps(lambda g, ans, a, b: g * b, lambda g, ans, a, b: g * ans)
    return (
        custom_sin(x),
        jax.jvp(custom_sin, (x,), (x,)),
        jax.grad(lambda v: custom_sin(custom_sin(v)).sum())(x),
        jax.vmap(custom_sin)(x),
        apply_twice(jnp.sin, x, 2),
        jax.grad(lambda v: apply_twice(jnp.sin, v, 2).sum())(x),
        jax.grad(lambda v: apply_twice(lambda u: u * 2, v, 3).sum())(x),
        jax.grad(lambda v: pair(v, x).sum())(x),
        jax.jit(custom_sin)(x),
        local(x),
    )


@program(X)
def custom_vjps(x):
    return (
        clipped(x, 2.0),
        jax.grad(lambda v: clipped(v, 3.0).sum())(x),
        jax.grad(lambda v: clipped(v, v[0]).sum())(x),
        scaled(x, 2.0),
        jax.grad(lambda v: scaled(v, 2.0).sum())(x),
        jax.grad(lambda v: scaled(v, 5.0).sum() + scaled(v, 7.0).sum())(x),
        jax.vmap(jax.grad(lambda v: clipped(v, 1.0)))(x),
        jax.value_and_grad(lambda v: clipped(v, 1.0).sum())(x),
    )


@program(X)
def custom_with_symbolic_zeros(x):
    @jax.custom_jvp
    def f(a, b):
        return a * b

    @functools.partial(f.defjvp, symbolic_zeros=True)
    def f_jvp(primals, tangents):
        a, b = primals
        da, db = tangents
        zero = jax.custom_derivatives.SymbolicZero
        out = jnp.zeros_like(a)
        if type(da) is not zero:
            out = out + da * b
        if type(db) is not zero:
            out = out + db * a
        return f(a, b), out

    return jax.jvp(f, (x, x), (x, x)), jax.grad(lambda v: f(v, 2.0 * jnp.ones(4)).sum())(x), f(x, x)


@program(X)
def custom_vjp_with_symbolic_zeros(x):
    """Its forward rule gets values in boxes, which are no containers to JAX."""
    zero = jax.custom_derivatives.SymbolicZero

    @jax.custom_vjp
    def f(pair, c):
        return pair["a"] * c, pair["b"] + 1

    def forward(pair, c):
        kept = pair["a"].value if c.perturbed else None, c.value
        return f({name: box.value for name, box in pair.items()}, c.value), kept

    def backward(kept, g):
        a, c = kept
        assert type(g[1]) is zero
        b = zero.from_primal_value(a if a is not None else c)
        return {"a": g[0] * c, "b": b}, b if a is None else 3 * g[0] * a

    f.defvjp(forward, backward, symbolic_zeros=True)
    first = jax.grad(lambda v: f({"a": v, "b": v}, v)[0].sum())(x)
    return first, jax.grad(lambda v: f({"a": v, "b": v}, x)[0].sum())(x)


@program(X)
def custom_vmaps(x):
    @jax.custom_batching.custom_vmap
    def f(a, b):
        return a + b

    @f.def_vmap
    def rule(axis_size, in_batched, a, b):
        return (a * b if all(in_batched) else a - b), True

    return f(x, x), jax.vmap(f)(x, x), jax.vmap(lambda v: f(v, 2.0))(x)


@program(normal(3, 3), normal(3))
def custom_solvers(a, b):
    matrix = a @ a.T + 3 * jnp.eye(3)

    def matvec(v):
        return matrix @ v

    def solve(matvec, rhs):
        return lax.fori_loop(0, 10, lambda _, v: v + 0.05 * (rhs - matvec(v)), rhs)

    def root(c):
        def equation(v):
            return v**3 - c

        return lax.custom_root(
            equation,
            1.0,
            lambda f, start: lax.fori_loop(0, 9, lambda _, v: v - f(v) / (3 * v**2), start),
            lambda g, y: y / g(1.0),
        )

    return (
        lax.custom_linear_solve(matvec, b, solve, symmetric=True),
        jax.grad(lambda v: lax.custom_linear_solve(matvec, v, solve, symmetric=True).sum())(b),
        root(2.0 + b[0] ** 2),
        jax.grad(root)(3.0 + b[0] ** 2),
        jax.scipy.sparse.linalg.cg(matvec, b, maxiter=5)[0],
    )


@program(M, X)
def vectorized(m, v):
    dot = jnp.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")

    @functools.partial(jnp.vectorize, signature="(k)->(k)")
    def shifted(a):
        return a - a.mean() + v[0]

    return dot(m, v), shifted(m), jnp.vectorize(lambda a, b: a * b + v[1])(m, v)


@program(X)
def checked(x):
    def f(v):
        checkify.check(v[0] > -100, "too small: {}", v[0])
        return jnp.log(v**2)

    _, value = checkify.checkify(f)(x)
    _, other = checkify.checkify(lambda v: v / v, errors=checkify.float_checks)(x)
    return value, other


@program(X)
def closures_converted(x):
    def integrand(v):
        return v * x.sum()

    converted, consts = jax.closure_convert(integrand, x)
    shapes = jax.eval_shape(lambda v: jnp.outer(v, v), x)
    return converted(x, *consts), jnp.zeros(shapes.shape, shapes.dtype)


# --------------------------------------------------------------------------------------------------- random


@program(jax.random.key(3))
def new_keys(key):
    first, second = jax.random.split(key)
    many = jax.random.split(second, 3)
    return (
        jax.random.normal(first, (3,)),
        jax.random.uniform(second, (2, 2), minval=-1.0, maxval=1.0),
        jax.vmap(lambda k: jax.random.bits(k, (2,)))(many),
        jax.random.fold_in(key, 7),
        jax.random.key_data(many),
        jax.random.randint(key, (4,), 0, 10),
        jax.random.permutation(first, jnp.arange(5)),
        lax.scan(lambda k, _: (jax.random.split(k)[0], jax.random.normal(k)), key, None, length=2)[1],
        jax.random.key(5),
        jax.random.normal(jax.random.key(1)),
    )


@program(np.array([0, 42], np.uint32), X)
def old_keys(key, x):
    key, sub = jax.random.split(key)
    keep = jax.random.bernoulli(sub, 0.5, x.shape)
    other = jax.random.PRNGKey(11)
    return (
        jnp.where(keep, x / 0.5, 0),
        jax.random.normal(key, (2,), dtype=jnp.float16),
        jax.random.categorical(other, x),
        jax.random.choice(key, 5, (2,), replace=False),
        jax.random.gumbel(key, (3,)),
        jax.random.truncated_normal(sub, -1.0, 1.0, (2,)),
        jax.random.orthogonal(key, 2),
    )


# ------------------------------------------------------------------------------------------------- contexts


@program(M)
def matmul_precision(x):
    with jax.default_matmul_precision("float32"):
        a = x @ x.T
        b = jax.vmap(lambda row: row @ x.T)(x)
    with jax.default_matmul_precision("bfloat16"):
        a = a + x @ x.T
    return a, b, x @ x.T


@program(X)
def dtype_promotion(x):
    y = x + np.ones(4, np.int32)
    with jax.numpy_dtype_promotion("strict"):
        z = y * 2 + x
        w = jnp.sin(z).sum()
    return w + y


@program(X)
def wide_types(x):
    with jax.enable_x64(True):
        y = jnp.arange(3.0) * 0.1
        total = y.sum() + jnp.float64(2)
    return x * 2, total, y


@program(X)
def context_in_a_function(x):
    def f(v):
        with jax.default_matmul_precision("float32"):
            return jax.grad(lambda u: u @ u)(v)

    @jax.default_matmul_precision("tensorfloat32")
    def decorated(v):
        return v @ v

    with jax.default_matmul_precision("bfloat16"):
        a = lax.scan(lambda c, _: (c * (c @ x), None), x, None, length=2)[0]
    return f(x), decorated(x), a, lax.map(lambda v: v * decorated(x), x)


@program(X)
def rank_promotion(x):
    with jax.numpy_rank_promotion("allow"):
        y = x + jnp.ones((2, 4))
    with jax.debug_nans(False), jax.named_scope("here"):
        return y * 2


# ---------------------------------------------------------------------------------------------------- names


@program(X, Y)
def variables_named_like_modules(inputs, repro):
    import jax.numpy as numpy_of_jax

    jax_, np_ = inputs * 2, repro * 3
    lax = jax_ + np_
    jnp = lax - inputs
    np = jnp * repro
    jax = np + 1
    main = numpy_of_jax.sin(jax)
    ARRAYS = main * 2
    __name__ = ARRAYS + 1
    return lax, jnp, np, jax, main, ARRAYS, __name__, numpy_of_jax.cos(jnp)


def _named(name: str) -> Callable[..., Any]:
    space: dict[str, Any] = {"other": jnp}
    exec(f"def {name}({name}_argument, x):\n    return other.sin({name}_argument) * x", space)
    return space[name]


for trap in (
    "f",
    "g",
    "jnp",
    "lax",
    "np",
    "jax",
    "inputs",
    "repro",
    "main",
    "jit",
    "x",
    "print",
    "match",
    "_",
    "é",
):
    program(X, Y, name=f"a_function_called_{trap}")(_named(trap))
program(X, name="a_lambda")(lambda x: x * 2 - jnp.sin(x))
program(X, name="a_partial")(functools.partial(lambda scale, x, shift: x * scale + shift, 2.0, shift=X))


@program(X)
def parameters_called_like_modules(jnp_):
    def inner(jnp, lax, np=2.0):
        return jnp * lax + np

    return inner(jnp_, 3.0), jax.vmap(inner)(jnp_, jnp_), jax.grad(lambda jax: (jax * jax).sum())(jnp_)


@program(X)
def rebound(x):
    x = x + 1
    y = x
    x = jnp.sin(x) * y
    x, y = y, x
    old = x
    x = x * 2
    for _ in range(2):
        x = x + old
    x += y
    del old
    return x, y


@program(X)
def shadowing(x):
    def f(x):
        x = x * 2

        def f(x):
            x = x + 1
            return x

        y = f(x)
        return y * x

    y = jax.vmap(f)(x)

    def g(y):
        def g(x):
            return x * y.sum()

        return jax.vmap(g)(y)

    return y, g(x), jax.vmap(lambda x: jax.vmap(lambda x: x + 1)(x[None] * x))(x)


@program(X)
def function_named_like_a_variable(x):
    def scale(v):
        return v * 2

    out = jax.vmap(scale)(x)
    scale = out.sum()

    def out(v):
        return v * scale

    body = jax.vmap(out)(x)
    return body + scale, scale


def _walk(depth, x):
    def walk(v):
        return v * depth if depth == 0 else _walk(depth - 1, v) + jnp.sin(v)

    return jax.vmap(walk)(x) if x.ndim else walk(x)


@program(M)
def recursion(x):
    def descend(n, v):
        return jax.checkpoint(lambda u: descend(n - 1, u * 2))(v) if n else v

    return _walk(2, x), descend(3, x)


@program(X)
def same_names(x):
    def make(k):
        def inner(v):
            return v * k

        return inner

    one, two = make(2.0), make(x[0])
    return jax.vmap(one)(x), jax.vmap(two)(x), jax.vmap(lambda v: one(v) + two(v))(x), jax.vmap(make(2.0))(x)


@program(X)
def captured_from_far(x):
    a = x * 2

    def one(v):
        b = v + a.sum()

        def two(u):
            c = u * b

            def three(w):
                return w + a[0] * b - c

            return jax.grad(three)(u) + lax.cond(u > 0, lambda: a[1] + b + c, lambda: c)

        return jax.vmap(two)(a)

    return jax.vmap(one)(x), lax.scan(lambda s, v: (s + one(v).sum(), v * a), 0.0, x)


@program(X, M)
def one_function_two_transforms(x, m):
    def f(v):
        return jnp.sum(jnp.sin(v) * x)

    g = jax.grad(f)
    return (
        f(x),
        g(x),
        g(x * 2),
        jax.vmap(f)(m),
        jax.vmap(g)(m),
        jax.jit(f)(x),
        jax.value_and_grad(f)(x),
        lax.map(f, m),
    )


class Model:
    """Callable objects, bound methods, class methods."""

    scale = 3.0

    def __init__(self, weights: Any) -> None:
        self.weights = weights

    def __call__(self, x):
        return x @ self.weights

    def method(self, x, factor=1.0):
        return self(x) * self.scale * factor

    @staticmethod
    def static(x):
        return x * 2

    @classmethod
    def of_class(cls, x):
        return x * cls.scale

    @functools.partial(jax.jit, static_argnums=0)
    def jitted(self, x):
        return self.method(x) + 1


@program(X, M)
def methods_and_partials(x, m):
    model = Model(normal_constant)
    traced = Model(x)
    return (
        jax.vmap(model)(m),
        jax.vmap(model.method)(m),
        jax.vmap(traced)(m),
        jax.vmap(traced.method)(m),
        jax.grad(model.method)(x),
        jax.vmap(Model.static)(m),
        jax.vmap(Model.of_class)(m),
        model.jitted(x),
        jax.vmap(functools.partial(jnp.multiply, x))(m),
        jax.vmap(functools.partial(model.method, factor=2.0))(m),
        jax.vmap(functools.partial(lambda a, b, c: a * b - c, x, c=x))(m),
        jax.jit(functools.partial(jnp.multiply, 2.0))(x),
        jax.jit(functools.partial(lambda a, b: a * b, x))(x),
        jax.grad(functools.partial(lambda k, v: (v**k).sum(), 3))(x),
        jax.tree_util.Partial(lambda a, b: a * b, x)(x),
        jax.vmap(jax.tree_util.Partial(lambda a, b: a * b, 2.0))(x),
    )


normal_constant = normal(4)


@program(X)
def variadic(x):
    def f(*args, **kwargs):
        return sum(args) * kwargs.get("scale", 1.0)

    return jax.vmap(f)(x, x, x), jax.vmap(f)(x, scale=x), jax.grad(lambda *a: f(*a).sum(), (0, 1))(x, x)


@program(X)
def generators_and_comprehensions(x):
    rows = [x * k for k in range(3)]
    stacked = jnp.stack([r for r in rows if r.ndim])
    total = sum(v * w for v, w in zip(rows, stacked, strict=True))
    if (y := total * 2).ndim == 1:
        total = y - 1
    a = b = total + 1
    return total, y, a, b, [*map(jnp.sin, rows)], (lambda v: v if v is x else v * 2)(x)


@program(X)
def decorated_functions(x):
    def logged(f):
        @functools.wraps(f)
        def wrapper(*args):
            return f(*args) * 2

        return wrapper

    @logged
    def inner(v):
        return v + x[0]

    @functools.cache
    def remembered(n):
        return n * 2.0

    return jax.vmap(inner)(x), jax.vmap(logged(jnp.sin))(x), jax.vmap(lambda v: v * remembered(3))(x)


@program(X)
def returns_what_it_got(x):
    y, z = jax.vmap(lambda v: (v, v))(x)
    return (
        x,
        x,
        y,
        z,
        jax.vmap(lambda v: 1.0)(x),
        2,
        jax.jit(lambda v: (v, 3))(x),
        lax.cond(True, lambda: x, lambda: x),
    )


@program()
def no_arguments():
    return jnp.arange(3) * 2, 1.0


@program(X)
def effects(x):
    jax.debug.print("x = {}", x[0] * 0)
    jax.debug.callback(lambda v: None, x.sum())
    y = lax.optimization_barrier(x)
    return y * 2


@program(2, 1.5, True, 1j, np.float16(1), np.int16(3))
def scalar_arguments(i, f, b, c, h, s):
    return i + 1, f * 2, b | True, c * 2, h + i, s * f, i / 2


@program(X)
def mutated_numpy(x):
    # JAX takes the array itself for a constant: what it holds in the end is what all have seen
    buffer = np.zeros(4, np.float32)
    a = x + buffer
    buffer[:] = 1
    b = x + buffer
    buffer += 1
    return a, b, x * buffer


@program(X)
def long_lines(x):
    a_variable_with_a_rather_long_name = jnp.sin(x) * 2
    another_variable_with_a_rather_long_name = jnp.cos(x) + a_variable_with_a_rather_long_name
    the_third_variable_with_a_rather_long_name = (
        a_variable_with_a_rather_long_name * another_variable_with_a_rather_long_name
        + a_variable_with_a_rather_long_name / another_variable_with_a_rather_long_name
        - a_variable_with_a_rather_long_name**2 * another_variable_with_a_rather_long_name
    )
    return jnp.concatenate(
        [
            a_variable_with_a_rather_long_name,
            another_variable_with_a_rather_long_name,
            the_third_variable_with_a_rather_long_name,
        ]
    )


def order_of_evaluation(x):
    a = jnp.sin(x)
    b = jnp.cos(x)
    return b - a, (x + 1) * (x - 1), [x * 3, a][0], jnp.add(jnp.exp(x), jnp.tanh(a))


program(X)(order_of_evaluation)


# ---------------------------------------------------------------------------------------- combinations


@program(X, M)
def walrus_and_conditionals(x, m):
    y = (z := jnp.sin(x)) + 1 if x.ndim == 1 else x
    w = z * y if m.ndim == 2 else z
    return [v * 2 for v in (y, z, w)], {f"k{i}": v for i, v in enumerate((y, z))}


@program(X)
def try_finally_with(x):
    try:
        y = jnp.sin(x)
        raise KeyError
    except KeyError:
        y = jnp.cos(x)
    finally:
        z = x * 2
    with jax.named_scope("a"):
        y = y + z
    return y


@program(X)
def global_state(x):
    cache = {}

    def get(k, make):
        if k not in cache:
            cache[k] = make()
        return cache[k]

    a = get("s", lambda: jnp.sin(x))
    b = get("s", lambda: jnp.sin(x))
    return a + b


@program(X, M)
def leaked_between_functions(x, m):
    # a value made inside of one function and used in a later step of the same trace
    kept = []

    def f(v):
        kept.append(x * 2)
        return v + 1

    y = f(x)
    return y + kept[0]


@program(X)
def jit_with_closure(x):
    y = x * 2

    @jax.jit
    def inner(v):
        return v + y

    z = inner(x)

    @jax.jit
    def inner2(v):
        return inner(v) + z

    return inner2(y)


@program(X, M)
def scan_of_scan(x, m):
    def outer(c, row):
        def inner(d, e):
            return d * e + c.sum(), d + row[0]

        d, ys = lax.scan(inner, row[1], row)
        return c + d, (ys, c)

    return lax.scan(outer, x, m)


@program(X)
def carry_trees(x):
    def body(carry):
        (i, tree) = carry
        return i + 1, {"a": tree["b"] * 2, "b": tree["a"] + i, "n": (tree["n"][1], tree["n"][0])}

    return lax.while_loop(lambda c: c[0] < 5, body, (0, {"a": x, "b": x * 2, "n": (1.0, 2.0)}))


@program(Pair(X, Y))
def namedtuple_carry(p):
    def body(c, _):
        return Pair(c.right, c.left + c.right), c.left

    return lax.scan(body, p, None, length=3)


@program(Layer(normal(4, 4), normal(4)), X)
def dataclass_carry(layer, x):
    def body(c, s):
        return dataclasses.replace(c, bias=c.bias + s), c(x)

    return lax.scan(body, layer, x)


@program(Layer(normal(4, 4), normal(4)), X)
def dataclass_closure_grad(layer, x):
    def loss(params):
        return jnp.sum(params(x) ** 2)

    g = jax.grad(loss)(layer)
    new = jax.tree.map(lambda p, q: p - 0.1 * q, layer, g)
    return new, loss(new)


@program(X)
def key_path_and_static(x):
    def f(v, n, flag):
        return v * n if flag else v

    return (
        jax.vmap(f, in_axes=(0, None, None))(x, 2, True),
        jax.grad(lambda v, n: (v * n).sum())(x, 3),
        jax.vmap(lambda v, t: v * t["k"][1], (0, None))(x, {"k": (1, 2.5)}),
    )


@program(X)
def functions_as_results(x):
    def make():
        y = x * 2
        return lambda v: v + y

    f = make()
    outs, g = jax.vjp(lambda v: jnp.sin(v), x)

    def use(h, v):
        return h(v)

    return use(f, x), use(g, outs), [h(x) for h in (jnp.sin, jax.jit(f), jax.vmap(f))]


@program(X)
def vjp_inside_scan(x):
    def cell(c, s):
        out, pull = jax.vjp(lambda v: v * s, c)
        return pull(out)[0], out

    return lax.scan(cell, x, x)


@program(X)
def pullback_used_in_inner(x):
    _, pull = jax.vjp(lambda v: jnp.sin(v), x)
    return jax.vmap(lambda t: pull(t)[0])(jnp.eye(4)), lax.map(lambda t: pull(t)[0], jnp.eye(4))


@program(X)
def linearized_in_inner(x):
    out, push = jax.linearize(lambda v: jnp.sin(v), x)
    return jax.vmap(push)(jnp.eye(4)), jax.linear_transpose(push, x)(out)


@program(X)
def grad_of_vmap_of_grad(x):
    return jax.grad(lambda v: jax.vmap(jax.grad(lambda u: u**3))(v).sum())(x)


@program(X, Y)
def hvp(x, y):
    def f(v):
        return jnp.sum(v**3)

    return (
        jax.jvp(jax.grad(f), (x,), (y,))[1],
        jax.grad(lambda v: jnp.vdot(jax.grad(f)(v), y))(x),
        jax.vjp(jax.grad(f), x)[1](y),
    )


@program(X)
def inner_function_uses_outer_grad_value(x):
    def outer(a):
        def inner(b):
            return jnp.sum(a * b * jnp.sin(x))

        return inner(a) + jnp.sum(jax.grad(inner)(a * 2))

    return jax.grad(outer)(x)


@program(X)
def checkpoint_closure(x):
    y = x * 2

    def f(v):
        return jnp.sin(v * y)

    return jax.grad(lambda v: jax.checkpoint(f)(v).sum())(x), jax.checkpoint(lambda: y * 2)()


@program(X)
def cond_in_grad_with_closure(x):
    def f(v):
        w = v * 2
        return lax.cond(v[0] > 0, lambda: w.sum(), lambda: v.sum())

    return jax.grad(f)(x)


@program(X)
def custom_vjp_closure_traced(x):
    scale = x[0]

    @jax.custom_vjp
    def f(v):
        return v * scale

    f.defvjp(lambda v: (f(v), v), lambda r, g: (g * r * scale,))
    return f(x)


@program(X)
def custom_jvp_in_scan(x):
    return lax.scan(lambda c, s: (custom_sin(c) + s, custom_sin(s)), x, x[None]), jax.grad(
        lambda v: lax.scan(lambda c, s: (custom_sin(c) * s, None), v[0], v)[0]
    )(x)


@program(X)
def custom_with_kwargs(x):
    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def f(v, mode="a"):
        return v * 2 if mode == "a" else v * 3

    f.defjvp(lambda mode, p, t: (f(p[0], mode), t[0] * (5 if mode == "a" else 7)))
    return (
        f(x),
        f(x, mode="b"),
        f(v=x, mode="a"),
        jax.grad(lambda v: f(v, "b").sum())(x),
        jax.grad(lambda v: f(v).sum())(x),
    )


@program(X)
def custom_tree_args(x):
    @jax.custom_vjp
    def f(tree, scale):
        return {"out": tree["a"] * scale, "n": tree["b"][0]}

    def fwd(tree, scale):
        return f(tree, scale), (tree, scale)

    def bwd(res, g):
        tree, scale = res
        return {"a": g["out"] * scale, "b": (g["n"],)}, (g["out"] * tree["a"]).sum()

    f.defvjp(fwd, bwd)
    return jax.grad(lambda t: f(t, t["a"][0])["out"].sum())({"a": x, "b": (x * 2,)})


@program(X)
def closure_over_loop_variable(x):
    outs = []
    for k in range(3):

        def f(v, k=k):
            return v * k + x[k]

        outs.append(jax.vmap(f)(x))
    return outs


@program(X)
def functools_things(x):
    return (
        functools.reduce(lambda a, b: a * b + 1, [x, x * 2, x * 3]),
        functools.reduce(operator.add, [x, x]),
        sum(map(jnp.sum, [x, x])),
        math.prod([2, 3]) * x,
        operator.itemgetter(0)(x),
        list(itertools.accumulate([x, x])),
    )


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


@program(X)
def pending_captured(x):
    def helper(v):
        return v[::-1]

    z = helper(x)
    return jax.grad(lambda u: (u * z).sum())(x)


@program(X)
def grad_in_grad(x):
    return jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(x[1])


@program(X)
def grad_in_grad_named(x):
    y = x[1]
    return jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(y)


@program(X)
def kwarg_and_captured_root(x):
    def outer(c):
        @jax.jit
        def body(v, c_):
            return c["a"] * c_ + v

        @jax.jit
        def body2(v, c):
            return c * v * d

        d = c["a"]
        return body(c["a"], c_=x), body2(d, c=x)

    return lax.map(outer, {"a": x})


@program(X)
def kwarg_and_captured_root2(x):
    def outer(c):
        d = c

        @jax.jit
        def body2(v, c):
            return c * v * d["a"]

        return body2(d["a"], c=x)

    return lax.map(outer, {"a": x})


@program(X)
def two_levels_of_jit(x):
    @jax.jit
    def out(x):
        return x * 2

    out = jax.jit(out)(x)
    return out


@program(X)
def local_custom_in_two_scopes(x):
    y = x * 2

    @jax.custom_jvp
    def body(v):
        return v * y

    body.defjvp(lambda p, t: (body(p[0]), t[0]))
    return (
        lax.map(body, x[None]),
        lax.cond(x[0] > 0, body, jnp.sin, x),
        lax.scan(lambda c, s: (body(c), s), x, x),
        body(x),
    )


@program(X)
def local_custom_in_rule(x):
    y = x * 2

    @jax.custom_jvp
    def inner(v):
        return v * y

    inner.defjvp(lambda p, t: (inner(p[0]), t[0]))

    @jax.custom_jvp
    def outer(v):
        return inner(v) + v

    outer.defjvp(lambda p, t: (outer(p[0]), inner(t[0])))
    return jax.vmap(lambda v: outer(v))(x[None]), jax.vmap(lambda v: inner(v))(x[None])


# -------------------------------------------------------------------------- what JAX does not trace again


@program(X, M)
def cached_trace_checkpoint(x, m):
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v)

    g = jax.checkpoint(f)
    return g(x), g(m), g(x), jax.checkpoint(f)(m), jax.checkpoint(f)(x)


@program(X, M)
def cached_trace_scan(x, m):
    def cell(c, s):
        return (c + s.sum(), c) if s.ndim == 0 else (c + s.mean(), s * 2)

    return lax.scan(cell, 0.0, x), lax.scan(cell, 0.0, m), lax.scan(cell, 0.0, x), lax.scan(cell, 0.0, m)


@program(X, M)
def cached_trace_cond(x, m):
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).mean()

    return (
        [lax.cond(x[0] > 0, f, jnp.sum, v) for v in (x, m, x, m)],
        [lax.while_loop(lambda c: c[0] < 2, lambda c, v=v: (c[0] + 1, f(v)), (0, 0.0)) for v in (x, m, x)],
        [lax.map(f, v) for v in (m, m[None], m)],
    )


@program(X, M)
def cached_trace_jit(x, m):
    @jax.jit
    def f(v, n=2):
        return v.sum() * n if v.ndim == 1 else jnp.sin(v)

    return [f(v) for v in (x, m, x, m)], f(x, n=3), f(m, 4), f(x)


@program(X, M)
def cached_trace_custom(x, m):
    @jax.custom_vjp
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).sum()

    f.defvjp(lambda v: (f(v), v), lambda r, g: (g * r if r.ndim == 1 else r * 2,))

    @jax.custom_jvp
    def h(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).sum()

    h.defjvp(lambda p, t: (h(p[0]), t[0].sum()))
    return (
        [f(v) for v in (x, m, x)],
        [jax.grad(f)(v) for v in (x, m, x)],
        [h(v) for v in (x, m, x)],
        [jax.grad(h)(v) for v in (x, m, x)],
    )


@program(X, M)
def cached_dtype(x, m):
    def f(v):
        return v * 2 if v.dtype == jnp.float32 else v + 1

    return [jax.checkpoint(f)(v) for v in (x, x.astype(int), x)], [
        jax.checkpoint(lambda v, n: v * n if isinstance(n, int) else v - n)(x, n) for n in (2, 2.0, 2)
    ]


@program(X)
def cached_kwargs(x):
    @jax.checkpoint
    def f(a, b=1.0):
        return a * b

    return f(x), f(x, b=x), f(x, x), f(b=x, a=x), f(x)


@program(X)
def config_dependent(x):
    def f(v):
        return v @ v

    out = [jax.checkpoint(f)(x)]
    with jax.default_matmul_precision("float32"):
        out.append(jax.checkpoint(f)(x))
    out.append(jax.checkpoint(f)(x))
    return out


# ----------------------------------------------------------------------------- a primitive of somebody's own


def _both(x, y):
    """What the primitive computes; its rules say other things, so that it shows who answered."""
    return [x * 2.0, jnp.cos(y)]


def _both_jvp(primals, tangents):
    x, y = primals
    dx, dy = tangents
    dx = jnp.zeros_like(x) if type(dx) is ad.Zero else dx
    out = both_p.bind(x, y)
    tangent = linear_p.bind(dx, y) * 3.0
    return out, [tangent, ad.Zero(jax.typeof(out[1])) if type(dy) is ad.Zero else dy * 5.0]


def _both_batch(axis, args, dims):
    full = [
        a if d == 0 else jnp.broadcast_to(a, (axis.size, *a.shape)) for a, d in zip(args, dims, strict=True)
    ]
    return [v + 1.0 for v in both_p.bind(*full)], [0, 0]


def _linear_transpose(cotangent, x, y):
    assert ad.is_undefined_primal(x)
    return [cotangent * 7.0 + y, None]


both_p, linear_p = Primitive("both"), Primitive("linear")
both_p.multiple_results = True
both_p.def_impl(_both)
both_p.def_abstract_eval(lambda x, y: [x, y])
linear_p.def_impl(lambda x, y: x + 0.0 * y)
linear_p.def_abstract_eval(lambda x, y: x)
mlir.register_lowering(both_p, mlir.lower_fun(_both, multiple_results=True))
mlir.register_lowering(linear_p, mlir.lower_fun(linear_p.impl, multiple_results=False))
ad.primitive_jvps[both_p] = _both_jvp
ad.primitive_transposes[linear_p] = _linear_transpose
batching.fancy_primitive_batchers[both_p] = _both_batch


@program(X)
def primitives_with_rules(x):
    def f(a, b):
        return both_p.bind(a, b)[0].sum()

    def g(a):
        return lax.scan(lambda c, _: (both_p.bind(c, x)[0], None), a, length=2)[0].sum()

    return f(x, x), jax.grad(f, (0, 1))(x, x), jax.grad(f)(x, x), jax.grad(g)(x)


@program(X)
def mapped_primitives_with_rules(x):
    m = jnp.outer(x, x)
    return jax.vmap(both_p.bind, in_axes=(0, None))(m, x), jax.vmap(lambda v: both_p.bind(x, v)[1])(m)


# ---------------------------------------------------------------------------------------------- a real one


def dense(params, x):
    return x @ params["kernel"] + params["bias"]


def predict(params, x):
    hidden = jax.nn.relu(dense(params["hidden"], x))
    return dense(params["out"], hidden)


def mean_squared_error(params, batch):
    error = predict(params, batch["x"]) - batch["y"]
    return jnp.mean(error**2)


@program(
    {
        "hidden": {"kernel": normal(4, 8), "bias": np.zeros(8, np.float32)},
        "out": {"kernel": normal(8, 2), "bias": np.zeros(2, np.float32)},
    },
    {"x": normal(16, 4), "y": normal(16, 2)},
    0.1,
)
def train_step(params, batch, learning_rate):
    loss, gradient = jax.value_and_grad(mean_squared_error)(params, batch)
    params = jax.tree.map(lambda p, g: p - learning_rate * g, params, gradient)
    return params, loss


@program(X)
def names_only(x):
    a = jnp.sin(x)
    b = jnp.cos(a) + a
    c = (b - 1) * (b + 1) / 2
    d = c.sum(axis=0)
    return a, {"b": b, "d": d}


class Flag(enum.IntEnum):
    SET = 3


@program(X)
def numbers_with_names(x):
    return x * jnp.array(Flag.SET, jnp.int8), x.sum(axis=Flag.SET - 3)


@program(X)
def maps_that_answer_what_they_capture(x):
    def step(v, _):
        tree = {"a": None, "b": v}
        tree = jax.tree.map(lambda leaf: x if leaf is None else leaf, tree, is_leaf=lambda leaf: leaf is None)
        return jax.grad(lambda w: (w * tree["a"] + tree["b"]).sum())(v), None

    return lax.scan(step, x, length=2)


@program(X)
def maps_over_constants(x):
    tree = {"a": jnp.asarray(2.0), "b": jax.random.key(3), "c": x}
    same = jax.tree.map(lambda leaf: leaf, tree)
    return jax.tree.map(lambda leaf: leaf * 2, {"a": same["a"], "c": same["c"]}), same["b"]


# ------------------------------------------------------------------------------------------- Python loops


EYES = [np.eye(4, dtype=np.float32) * (k + 1) for k in range(4)]
STACK = normal(5, 4)


@program(X)
def loop_of_one_value(x):
    for _ in range(5):
        x = jnp.sin(x) * 2
    return x


@program([X + i for i in range(5)], X)
def loop_that_makes_nothing(xs, y):
    values = [jnp.asarray(x) for x in xs]
    return values[1] * y + values[3] - values[0] * values[4]


@program([{"w": w, "b": X} for w in EYES], X)
def loop_over_layers(layers, x):
    for layer in layers:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x.sum()


@program({f"Dense_{i}": {"kernel": EYES[i], "bias": X} for i in range(4)}, X)
def loop_over_named_layers(params, x):
    for i in range(4):
        x = jax.nn.relu(x @ params[f"Dense_{i}"]["kernel"] + params[f"Dense_{i}"]["bias"])
    return x


@program(X, Y)
def loop_of_leapfrog_steps(q, p):
    def energy(q):
        return (q**2).sum()

    for _ in range(10):
        p = p - 0.05 * jax.grad(energy)(q)
        q = q + 0.1 * p
        p = p - 0.05 * jax.grad(energy)(q)
    return q, p


@program(EYES[1], STACK)
def loop_of_a_recurrent_network(w, xs):
    h, hs = jnp.zeros(4), []
    for t in range(xs.shape[0]):
        h = jnp.tanh(w @ h + xs[t])
        hs.append(h)
    return jnp.stack(hs), h


@program({"w": M, "b": normal(3)}, X)
def loop_of_gradient_descent(params, x):
    def loss(p):
        return ((p["w"] @ x + p["b"]) ** 2).sum()

    for _ in range(4):
        gradient = jax.grad(loss)(params)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)
    return params


@program(np.array([0, 7], np.uint32), X)
def loop_that_splits_keys(key, x):
    for _ in range(3):
        key, sub = jax.random.split(key)
        x = x + jax.random.normal(sub, x.shape)
    return x


@program(X)
def loop_that_needs_its_first_value(x):
    y = x
    for _ in range(4):
        y = y + jnp.sin(x) * y
    return y + x


@program(X)
def loop_of_a_series(x):
    total = 0.0
    for n in range(6):
        total = total + x**n / (n + 1)
    return total


@program(X, Y, X + 1, Y + 1)
def loop_over_what_has_no_rule(a, b, c, x):
    for w, s in ((a, 0.5), (b, 0.25), (c, 2.0)):
        x = jnp.sin(w * x) * s
    return x


@program(X)
def loop_in_a_list(x):
    return jnp.stack([jnp.sin(x[i]) * 2 for i in range(4)])


@program(X)
def loop_in_a_loop(x):
    for i in range(3):
        for j in range(4):
            x = jnp.sin(x) * (j + 1)
        x = x + i
    return x


@program(X, Y)
def loop_of_two_terms(x, y):
    for _ in range(6):
        x, y = y, jnp.sin(x) + y
    return x, y


@program(X)
def loop_with_two_ends(x):
    first, sizes = x, []
    for k in range(3, 0, -1):
        x = x[-1] * x - k
        sizes.append((x**k).sum())
    return first, x, sizes[0], sizes[2]


@program([normal(4) for _ in range(4)], X)
def loop_that_unrolls_a_transform(points, x):
    return sum(jax.vmap(lambda v, p=p: v * p.sum())(x).sum() for p in points)


@program(X)
def loop_of_other_constants(x):
    for k in range(3):
        x = x * np.arange(k, k + 4, dtype=np.float32)
    return x


@program(X)
def loop_of_other_functions(x):
    for scale in (2.0, 3.0, 5.0):
        x = jax.vmap(lambda v, s=scale: jnp.sin(v) * s)(x)
    return x


@program(X)
def loop_of_other_shapes(x):
    for k in range(3):
        x = jnp.concatenate([x, x[: k + 1]])
    return x


@program(X)
def loop_with_a_rule(x):
    out = x
    for k in range(3):

        @jax.custom_vjp
        def scaled(v):
            return v * x * k  # noqa: B023

        scaled.defvjp(lambda v, k=k: (v * x * k, v), lambda saved, g, k=k: (g * k,))
        out = out + scaled(out)
    return out


@program(X)
def loop_that_reads_far_back(x):
    xs = [x, x + 1, x + 2]
    for _ in range(5):
        xs.append(xs[-1] + jnp.sin(xs[-3]))
    return xs


@program((X, {"a": Y}))
def loop_over_a_state(state):
    for _ in range(3):
        x, inner = state
        state = (x + inner["a"], {"a": jnp.cos(inner["a"]) * x})
    return state
