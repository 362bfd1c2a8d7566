"""Programs: pytrees."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree

from calltree_programs.base import M, X, Y, normal, program


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
