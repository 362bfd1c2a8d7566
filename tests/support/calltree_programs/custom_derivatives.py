"""Programs: custom derivatives."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify

from calltree_programs.base import M, X, normal, program


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
