"""What a block of a composed program is put into: loops, branches, transforms, functions of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

#: A block: arrays -> arrays.
Block = Callable[..., list[Any]]


def is_float(x: Any) -> bool:
    """Whether it is an array of real floating-point numbers."""
    return bool(jnp.issubdtype(x.dtype, jnp.floating))


def next_carry(carry: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """What a loop carries on: for each value an output of its shape and dtype, tamed, or itself."""
    left = list(outputs)
    found = []
    for old in carry:
        place = next((k for k, x in enumerate(left) if (x.shape, x.dtype) == (old.shape, old.dtype)), None)
        new = old if place is None else left.pop(place)
        found.append(jnp.tanh(new) if is_float(new) and place is not None else new)
    return found


def _scan(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        def step(carry: list[Any], _: Any) -> tuple[list[Any], list[Any]]:
            outputs = block(*carry)
            return next_carry(carry, outputs), outputs

        last, stacked = lax.scan(step, list(arrays), None, length=trips)
        return [*last, *stacked]

    return run


def _fori(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        return list(lax.fori_loop(0, trips, lambda _, carry: next_carry(carry, block(*carry)), list(arrays)))

    return run


def _while(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        def going(state: tuple[Any, list[Any]]) -> Any:
            small = [jnp.all(jnp.abs(x) < 2) for x in state[1] if is_float(x)]
            return (state[0] < trips) & jnp.all(jnp.array([True, *small]))

        def step(state: tuple[Any, list[Any]]) -> tuple[Any, list[Any]]:
            return state[0] + 1, next_carry(state[1], block(*state[1]))

        count, last = lax.while_loop(going, step, (jnp.int32(0), list(arrays)))
        return [count, *last]

    return run


def _branch(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        predicate = jnp.sum(jnp.real(arrays[0]).astype(jnp.float32)) > trips - 2
        return list(
            lax.cond(predicate, block, lambda *a: [jnp.zeros(x.shape, x.dtype) for x in block(*a)], *arrays)
        )

    return run


def _switch(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        index = jnp.argmax(jnp.ravel(jnp.abs(arrays[0]))) if arrays[0].size else jnp.int32(trips)
        branches = [
            block,
            lambda *a: [x[::-1] if x.ndim else x for x in block(*a)],
            lambda *a: block(*a[::1]),
        ]
        return list(lax.switch(index % 3, branches, *arrays))

    return run


def _vmap(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        lanes = [jnp.stack([x] + [jnp.roll(x, k) for k in range(1, trips)]) for x in arrays]
        return list(jax.vmap(lambda *a: tuple(block(*a)))(*lanes))

    return run


def _gradient(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        places = [k for k, x in enumerate(arrays) if is_float(x)]

        def total(*some: Any) -> Any:
            outputs = block(*(some[places.index(k)] if k in places else x for k, x in enumerate(arrays)))
            floats = [jnp.sum(x.astype(jnp.float32)) for x in outputs if is_float(x)]
            if not floats:
                raise TypeError("nothing to differentiate")
            return sum(floats)

        return list(jax.grad(total, argnums=tuple(range(len(places))))(*(arrays[k] for k in places)))

    return run


def _tangent(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        places = [k for k, x in enumerate(arrays) if is_float(x)]

        def floats(*some: Any) -> tuple[Any, ...]:
            outputs = block(*(some[places.index(k)] if k in places else x for k, x in enumerate(arrays)))
            return tuple(x for x in outputs if is_float(x))

        primals = [arrays[k] for k in places]
        outputs, tangents = jax.jvp(floats, primals, [jnp.ones_like(x) for x in primals])
        return [*outputs, *tangents]

    return run


#: Ways to use a block, by name: of the block and a small number, trips or lanes.
BLOCKS: dict[str, Callable[[Block, int], Block]] = {
    "jit": lambda block, trips: lambda *a: list(jax.jit(lambda *b: tuple(block(*b)))(*a)),
    "checkpoint": lambda block, trips: lambda *a: list(jax.checkpoint(lambda *b: tuple(block(*b)))(*a)),
    "scan": _scan,
    "fori_loop": _fori,
    "while_loop": _while,
    "cond": _branch,
    "switch": _switch,
    "vmap": _vmap,
    "grad": _gradient,
    "jvp": _tangent,
}
