"""A program written as a script and traced again is the same program."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.ad_checkpoint import checkpoint_name

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, current_config, trace_repro

X = np.linspace(-2.0, 2.0, 6, dtype=np.float32).reshape(2, 3)
V = np.array([0.5, -1.25, 3.0], np.float32)
N = np.arange(6, dtype=np.int32).reshape(2, 3)
KEY = jax.random.key(7)
WEAK = jnp.full((20,), 2.0)
TABLE = jnp.asarray(np.arange(20, dtype=np.float32) ** 2)
OTHER = jnp.asarray(np.arange(3, dtype=np.float32))


@jax.custom_jvp
def smooth(x: Any) -> Any:
    return jnp.log1p(jnp.exp(x))


smooth.defjvp(lambda primals, tangents: (smooth(*primals), tangents[0] * jax.nn.sigmoid(primals[0])))


@jax.custom_vjp
def clipped(x: Any, y: Any) -> Any:
    return jnp.minimum(x, y), x * y


clipped.defvjp(lambda x, y: (clipped(x, y), (x, y)), lambda res, ct: (ct[0] * res[1], ct[1] * res[0]))


def newton(x: Any) -> Any:
    return lax.custom_root(
        lambda y: y**3 - x, x, lambda f, y: y - f(y) / 3, lambda g, y: y / g(jnp.ones_like(y))
    )


def remat(policy: Any = None) -> Callable[..., Any]:
    body = lambda x: jnp.sin(checkpoint_name(jnp.cos(x), "inner")) * x
    return jax.grad(lambda x: jax.checkpoint(body, policy=policy)(x).sum())


def nested_control(x: Any) -> Any:
    def outer(carry: Any, row: Any) -> Any:
        inner = lax.fori_loop(0, 3, lambda i, a: a + jnp.sin(a) * i, carry)
        return lax.switch(jnp.int32(inner.sum()) % 3, [jnp.cos, jnp.negative, lambda a: a * row], inner), row

    return lax.scan(outer, x[0], x, reverse=True, unroll=2)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "arithmetic": (lambda x, y: (x + y) * x - y / x**2 % y, (X, V)),
    "scalar literals": (lambda x: 2 * x + 0.1 - np.float32(1 / 3), (X,)),
    "odd literals": (lambda x: (x + np.inf, x * -0.0, jnp.where(x > 0, np.nan, -np.inf)), (X,)),
    "weak scalars": (lambda a, b: (a + 1, a * b, a == 2.5), (3, 2.5)),
    "python scalar inputs": (lambda x, a, b, c: x * a + b - c.real, (X, 2, 1.5, 1 + 2j)),
    "constant output": (lambda x: (x, 1.5, np.int32(3), jnp.zeros(2)), (X,)),
    "identity": (lambda x, y: (y, x, x), (X, V)),
    "no input": (lambda: jnp.arange(4) * 2, ()),
    "captured array": (lambda x: TABLE[:6].reshape(2, 3) + x + TABLE[0], (X,)),
    "captured arrays in a loop": (
        lambda x: lax.scan(lambda c, t: (c * OTHER + t, TABLE.sum()), x[0], x),
        (X,),
    ),
    "captured weak array": (lambda x: x * WEAK.sum() + WEAK[:3], (X,)),
    "weak truth value": (lambda c, x: jnp.where(c, 1, 0.5) + x, (jnp.asarray(0) == jnp.asarray(1), X)),
    "captured key": (lambda x: x + jax.random.normal(KEY, (3,)), (X,)),
    "casts": (lambda x: [x.astype(d) for d in ("float16", "bfloat16", "int8", "uint32", "bool")], (X,)),
    "bits": (lambda n: (n & 3, n | 1, n ^ 5, ~n, n << 1, n >> 1, lax.population_count(n)), (N,)),
    "compare": (lambda x, y: (x < y, x >= y, x != y, jnp.isnan(x), jnp.signbit(y)), (X, V)),
    "unary": (lambda x: [f(x) for f in (jnp.sin, jnp.exp, jnp.tanh, jnp.abs, lax.erf, jnp.floor)], (X,)),
    "rounding": (lambda x: (jnp.round(x), lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO)), (X,)),
    "precision": (lambda x: lax.reduce_precision(x, 5, 10), (X,)),
    "shapes": (lambda x: (x.T, x.reshape(3, 2), x[None], x.ravel(), jnp.squeeze(x[:1], 0)), (X,)),
    "slices": (lambda x: (x[:, ::2], x[::-1], lax.dynamic_slice(x, (0, 1), (2, 2)), x[-1]), (X,)),
    "update": (lambda x: lax.dynamic_update_slice(x, x[:1] * 2, (1, 0)), (X,)),
    "pad and concatenate": (
        lambda x: jnp.concatenate([jnp.pad(x, ((1, 0), (0, 2))), x @ np.ones((3, 5))]),
        (X,),
    ),
    "gather": (lambda x, n: (x[n % 2, n], x[:, n[0]], jnp.take(x, n, mode="clip")), (X, N)),
    "scatter": (lambda x, n: (x.at[n[:, 0]].add(1.0), x.at[0].set(V), x.at[:, 1].max(0.0)), (X, N % 2)),
    "scatter, ranges for dimensions": (  # NumPyro's flows write them so
        lambda x, n: lax.scatter_add(
            x, n[:, :1], V[:2], lax.ScatterDimensionNumbers(range(0), range(2), range(1, 2)), mode="clip"
        ),
        (X, N % 2),
    ),
    "scatter mul": (lambda x: x.at[0, 1:].multiply(3.0, unique_indices=True, mode="drop"), (X,)),
    "dot": (lambda x, y: (x @ y, jnp.einsum("ij,kj->ik", x, x, precision="highest")), (X, V)),
    "convolution": (
        lambda x, w: lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
        (X[..., None], np.ones((2, 1, 4), np.float32)),
    ),
    "reductions": (lambda x: (x.sum(), x.max(0), x.prod(), (x > 0).any(), x.argmin(1), x.var()), (X,)),
    "cumulative": (lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 0, True), lax.cumlogsumexp(x)), (X,)),
    "reduce": (lambda x: lax.reduce(x, np.float32(1), lambda a, b: a * b + a, (0,)), (X,)),
    "reduce pair": (
        lambda x, n: lax.reduce(
            (x, n), (np.float32(0), np.int32(0)), lambda a, b: (a[0] + b[0], a[1] * b[1]), (1,)
        ),
        (X, N),
    ),
    "reduce window": (lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2), (1, 1), "VALID"), (X,)),
    "general window": (
        lambda x: lax.reduce_window(x, np.float32(0), lambda a, b: a * 2 + b, (1, 2), (1, 1), "SAME"),
        (X,),
    ),
    "sort": (
        lambda x, n: (jnp.sort(x), jnp.argsort(x), lax.sort((x, n), num_keys=2), lax.top_k(x, 2)),
        (X, N),
    ),
    "linear algebra": (lambda x: (jnp.linalg.cholesky(x @ x.T + 9), jnp.linalg.solve(x @ x.T + 9, x)), (X,)),
    "fft": (lambda x: (jnp.fft.fft(x), jnp.fft.irfft(jnp.fft.rfft(x))), (X,)),
    "random": (
        lambda k: (jax.random.split(k), jax.random.uniform(k, (3,)), jax.random.fold_in(k, 3)),
        (KEY,),
    ),
    "raw key": (lambda k: jax.random.bits(jax.random.wrap_key_data(k), (2,)), (np.zeros(2, np.uint32),)),
    "unwrap": (lambda k: jax.random.key_data(jax.random.clone(k)), (KEY,)),
    "permutation": (lambda k, x: (jax.random.permutation(k, x), jax.random.gamma(k, 2.0)), (KEY, V)),
    "rbg": (lambda k: jax.random.normal(k, (2,)), (jax.random.key(1, impl="rbg"),)),
    "scan": (lambda x: lax.scan(lambda c, t: (c + t, c * 2), jnp.zeros(3), x, length=2), (X,)),
    "while": (lambda x: lax.while_loop(lambda s: s.sum() < 100, lambda s: s * s + 1, x), (X,)),
    "cond": (lambda x: lax.cond(x[0, 0] > 0, jnp.sin, lambda a: a * 2, x), (X,)),
    "nested control": (nested_control, (X,)),
    "map": (lambda x: lax.map(lambda r: r.sum(), x, batch_size=2), (X,)),
    "associative scan": (lambda x: lax.associative_scan(jnp.add, x, axis=1), (X,)),
    "vmap of grad": (jax.vmap(jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 2))), (X,)),
    "hessian": (jax.hessian(lambda v: jnp.prod(jnp.sin(v))), (V,)),
    "grad of scan": (jax.grad(lambda v: lax.scan(lambda c, t: (jnp.sin(c) * t, c), v, X)[0].sum()), (V,)),
    "grad of while": (jax.jacfwd(lambda v: lax.fori_loop(0, 3, lambda i, a: a * v, v)), (V,)),
    "custom jvp": (lambda x: smooth(x) + smooth(1.0), (X,)),
    "grad of custom jvp": (jax.grad(lambda x: smooth(x).sum()), (X,)),
    "custom vjp": (lambda x: clipped(x, x * 2), (X,)),
    "grad of custom vjp": (jax.grad(lambda x: clipped(x, x * 2)[1].sum()), (X,)),
    "vmap of custom vjp": (jax.vmap(lambda x: clipped(x, 2 * x)), (X,)),
    "custom jvp over a tracer": (lambda x: jax.jit(lambda y: jax.nn.gelu(y) + jax.nn.silu(x))(x), (X,)),
    "custom root": (newton, (V,)),
    "linear solve": (lambda x: jax.scipy.sparse.linalg.cg(lambda v: 3 * v + v[::-1], x)[0], (V,)),
    "gradient of a linear solve": (
        jax.grad(lambda x: jax.scipy.sparse.linalg.cg(lambda v: 3 * v + v[::-1], x)[0].sum()),
        (V,),
    ),
    "checkpoint": (remat(), (X,)),
    "checkpoint of dots": (remat(jax.checkpoint_policies.dots_saveable), (X,)),
    "checkpoint of names": (remat(jax.checkpoint_policies.save_only_these_names("inner", "outer")), (X,)),
    "checkpoint undifferentiated": (jax.checkpoint(lambda x: jnp.sin(x) * 2, prevent_cse=False), (X,)),
    "inner jit": (lambda x: jax.jit(lambda a, b: a * b, donate_argnums=0, keep_unused=True)(x, x + 1), (X,)),
    "equal inner jits": (lambda x: jax.jit(jnp.sin)(x) + jax.jit(jnp.sin)(x * 2), (X,)),
    "barrier": (lambda x: lax.optimization_barrier((x, lax.stop_gradient(x))), (X,)),
    "device put": (lambda x: jax.device_put(x, jax.devices()[0]), (X,)),
    "named scope": (lambda x: jax.named_scope("outer")(jnp.sin)(x), (X,)),
    "linear transpose": (
        lambda x: jax.linear_transpose(lambda v: v @ X.T, jnp.zeros((4, 3)))(x),
        (np.ones((4, 2), np.float32),),
    ),
    "complex": (
        lambda z: (z.conj(), jnp.abs(z), z.real + z.imag, lax.complex(z.real, 1.0 * z.imag)),
        (X * (1 + 2j),),
    ),
    "select and scatter": (
        jax.grad(lambda x: lax.reduce_window(x, -np.inf, lax.max, (2, 2), (1, 1), "SAME").sum()),
        (X,),
    ),
    "vectors of one": (lambda x: x.sum(keepdims=True), (np.ones((1, 1), np.float32),)),
    "empty arrays": (lambda x: (x.sum(0), jnp.concatenate([x, x])), (np.zeros((0, 3), np.float32),)),
    "a partial": (functools.partial(jnp.clip, min=-1.0, max=1.0), (X,)),
    "clamp": (lambda x: lax.clamp(np.float32(-1), x, np.float32(1)), (X,)),
    "iota": (lambda: (lax.broadcasted_iota(np.int32, (2, 3), 1), jnp.eye(3), jnp.tri(2)), ()),
    "platform dependent": (lambda x: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos), (X,)),
    "split": (lambda x: jnp.split(x, 3, axis=1), (X,)),
}


def emit(fun: Callable[..., Any], *args: Any) -> tuple[Any, Repro]:
    """The program and its repro, for flat arguments."""
    closed = jax.make_jaxpr(fun)(*args)
    return closed, emit_flat(closed, args, header=Header(name="program", jax_config=current_config()))


def assert_same(closed: Any, repro: Repro) -> None:
    again, _ = trace_repro(repro)
    before, after = ir.canonical_text(closed).splitlines(), ir.canonical_text(again).splitlines()
    assert before == after, "\n".join([*difflib.unified_diff(before, after, lineterm=""), repro.source])


@pytest.mark.parametrize("name", PROGRAMS)
def test_retraces_to_the_same_program(name: str) -> None:
    fun, args = PROGRAMS[name]
    closed, repro = emit(fun, *args)
    assert_same(closed, repro)
    # Until jax 0.12 custom_root is a loop; there, an operation of a level of its own, which is written as one.
    assert not [note for note in repro.header.notes if not note.startswith("call_hi_primitive was replaced")]
    again, leaves = trace_repro(repro)
    assert [a.str_short() for a in again.in_avals] == [a.str_short() for a in closed.in_avals]
    for given, leaf in zip(args, leaves, strict=True):
        assert bytes_of(given) == bytes_of(leaf)


def bytes_of(value: Any) -> bytes:
    if jnp.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    array = np.asarray(value)
    return array.astype(jax.dtypes.canonicalize_dtype(array.dtype)).tobytes()


@pytest.mark.parametrize("saved", [False, True])
def test_a_repro_of_a_repro_names_the_lines_of_the_program(tmp_path: Path, saved: bool) -> None:
    """What the reducer emits again and again: a scan body's line too, and no line of the file in between."""

    def program(x: Any) -> Any:
        y = jnp.sin(x)
        return lax.scan(lambda c, z: (c * z, c), y[0], y)

    first = emit_flat(jax.make_jaxpr(program)(X), [X], header=Header(origin="", name="program"))
    again = first.save(tmp_path / "e0001_program.py") if saved else first
    closed = jax.make_jaxpr(again.load_function())(*again.load_inputs())
    second = emit_flat(closed, again.load_inputs(), header=again.header)

    def places(repro: Any) -> list[str]:
        return re.findall(r"#.*  (\S+\.py:\d+)$", repro.source, re.MULTILINE)

    assert len(places(first)) >= 3
    assert set(places(second)) == set(places(first))
    assert all(place.startswith("test_flat.py") for place in places(second))
