"""Pytrees of every kind through jit: namedtuples, registered dataclasses, custom nodes, None, nested dicts."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import tree_util


class Body(NamedTuple):
    position: jax.Array
    velocity: jax.Array


@tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class World:
    bodies: tuple[Body, ...]
    clock: jax.Array
    gravity: float = dataclasses.field(metadata={"static": True}, default=9.8)


@tree_util.register_pytree_with_keys_class
class Log:
    def __init__(self, entries, title):
        self.entries, self.title = entries, title

    def tree_flatten_with_keys(self):
        return [(tree_util.GetAttrKey("entries"), self.entries)], self.title

    @classmethod
    def tree_unflatten(cls, title, children):
        return cls(children[0], title)


@jax.jit
def step(world, log, dt, wind=None):
    def move(body):
        velocity = body.velocity - dt * jnp.array([0.0, world.gravity])
        if wind is not None:
            velocity = velocity + dt * wind["force"]
        return Body(body.position + dt * velocity, velocity)

    bodies = tuple(move(body) for body in world.bodies)
    entries = {**log.entries, "energy": sum(jnp.sum(b.velocity**2) for b in bodies)}
    return World(bodies, world.clock + dt, world.gravity), Log(entries, log.title)


world = World((Body(jnp.zeros(2), jnp.ones(2)), Body(jnp.ones(2), jnp.zeros(2))), jnp.array(0.0))
log = Log({"energy": jnp.array(0.0), "count": [jnp.array(1), None]}, "run")
for wind in (None, {"force": jnp.array([1.0, 0.0])}, {"force": jnp.array([2.0, 0.0])}):
    world, log = step(world, log, 0.1, wind=wind)
total = tree_util.tree_reduce(lambda total, leaf: total + leaf.sum(), world, 0.0)
paths = tree_util.tree_leaves_with_path(log)
print(float(total), float(log.entries["energy"]), len(paths), log.title)
