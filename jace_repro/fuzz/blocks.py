"""What a block of a composed program is put into: loops, branches, transforms, functions of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

#: A block: arrays -> arrays.
Block = Callable[..., list[Any]]


def is_float(x: Any) -> bool:
    """Whether it is an array of real floating-point numbers."""
    return bool(jnp.issubdtype(x.dtype, jnp.floating))


def next_carry(carry: Sequence[Any], outputs: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """What a loop carries on: for each value an output of its shape and dtype, tamed, or itself; and what is left."""
    left = list(outputs)
    found = []
    for old in carry:
        place = next((k for k, x in enumerate(left) if (x.shape, x.dtype) == (old.shape, old.dtype)), None)
        new = old if place is None else left.pop(place)
        found.append(jnp.tanh(new) if is_float(new) and place is not None else new)
    return found, left


def carrying(block: Block, arrays: Sequence[Any]) -> tuple[list[Any], Callable[[Sequence[Any]], list[Any]]]:
    """What a loop begins with that carries arrays through a block, and one step of it.

    The outputs that are none of the arrays are carried beside them, so that nothing is computed in vain.
    """
    count = len(arrays)

    def step(state: Sequence[Any]) -> list[Any]:
        carry, beside = next_carry(state[:count], block(*state[:count]))
        return [*carry, *beside]

    beside = jax.eval_shape(step, list(arrays))[count:]
    # numbers, not an equation that makes them: nobody would see that one wrong
    return [*arrays, *(np.zeros(x.shape, x.dtype) for x in beside)], step


def _scan(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        def step(carry: list[Any], _: Any) -> tuple[list[Any], list[Any]]:
            outputs = block(*carry)
            return next_carry(carry, outputs)[0], outputs

        last, stacked = lax.scan(step, list(arrays), None, length=trips)
        return [*last, *stacked]

    return run


def _fori(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        start, step = carrying(block, arrays)
        return list(lax.fori_loop(0, trips, lambda _, state: step(state), start))

    return run


def _while(block: Block, trips: int) -> Block:
    """Ends after so many trips, or when a value is large: the largest is given out, too."""

    def run(*arrays: Any) -> list[Any]:
        start, step = carrying(block, arrays)

        def going(state: tuple[Any, Any, list[Any]]) -> Any:
            return (state[0] < trips) & (state[1] < 2)

        def counting(state: tuple[Any, Any, list[Any]]) -> tuple[Any, Any, list[Any]]:
            new = step(state[2])
            return state[0] + 1, _largest(new[: len(arrays)]), new

        count, largest, last = lax.while_loop(going, counting, (jnp.int32(0), jnp.float32(0), start))
        return [count, largest, *last]

    return run


def _largest(arrays: Sequence[Any]) -> Any:
    """The greatest magnitude of the numbers in all of them."""
    found = [jnp.max(jnp.abs(x), initial=0).astype(jnp.float32) for x in arrays if is_float(x)]
    return functools.reduce(jnp.maximum, found, jnp.float32(0))


def _mirrored(block: Block) -> Block:
    return lambda *a: [x[::-1] if x.ndim else x for x in block(*a)]


def _branch(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        predicate = jnp.sum(jnp.real(arrays[0]).astype(jnp.float32)) > trips - 2
        return list(lax.cond(predicate, block, _mirrored(block), *arrays))

    return run


def _switch(block: Block, trips: int) -> Block:
    def run(*arrays: Any) -> list[Any]:
        index = jnp.argmax(jnp.ravel(jnp.abs(arrays[0]))) if arrays[0].size else jnp.int32(trips)
        return list(lax.switch(index % 3, [block, _mirrored(block), lambda *a: block(*a[::1])], *arrays))

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
