"""Programs: Python loops."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from calltree_programs.base import M, X, Y, normal, program

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
def loop_of_equal_constants(x):
    for _ in range(3):
        x = jnp.sin(x) * np.arange(1, 5, dtype=np.float32)
    return x


@program(X)
def loop_of_one_constant(x):
    row = np.arange(1, 5, dtype=np.float32)
    for _ in range(3):
        x = jnp.sin(x) * row
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
