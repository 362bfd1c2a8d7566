"""Programs: a real one."""

from __future__ import annotations

import enum

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import X, normal, program


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
