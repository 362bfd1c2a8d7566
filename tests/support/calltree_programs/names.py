"""Programs: names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import M, X, Y, normal, program


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
