"""What an operation is put into: a transform, a loop, a branch, other operations before and after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw

Function = Callable[..., Any]


@dataclass(frozen=True)
class Context:
    """One way to use an operation.

    Attributes:
        make: of the draw (whose operands it may change) and the function: the function that uses it.
        fits: whether it means something for these operands.
    """

    make: Callable[[Draw, Function], Function]
    fits: Callable[[Draw], bool] = lambda d: bool(d.operands)


def _arrays(out: Any) -> list[Any]:
    return [leaf for leaf in jax.tree.leaves(out) if hasattr(leaf, "dtype")]


def _is_real(x: Any) -> bool:
    return bool(jnp.issubdtype(x.dtype, jnp.floating))


def _differentiable(d: Draw) -> bool:
    return any(_is_real(o) and o.dtype.itemsize >= 2 for o in d.operands)


def _small(d: Draw) -> bool:
    return bool(d.operands) and sum(o.size for o in d.operands) < 2000


def _vmapped(d: Draw, function: Function) -> Function:
    """Some operands get a batch axis, at any place; the others are shared."""
    lanes = d.pick("lanes", (1, 2, 3))
    axes: list[int | None] = []
    for k, operand in enumerate(d.operands):
        if axes and any(a is not None for a in axes) and d.rarely(3):
            axes.append(None)
            continue
        place = d.whole(0, operand.rank)
        d.operands[k] = replace(operand, shape=(*operand.shape[:place], lanes, *operand.shape[place:]))
        if operand.domain in _MATRICES:  # a matrix is one only in its last two axes
            place = 0
            d.operands[k] = replace(operand, shape=(lanes, *operand.shape))
        axes.append(place)
    return jax.vmap(function, in_axes=tuple(axes), out_axes=0)


_MATRICES = frozenset({"well conditioned", "positive definite", "indefinite", "singular", "triangular"})


def _floats_only(d: Draw, function: Function) -> tuple[list[int], Function]:
    """The places of differentiable operands, and the function's float results as a function of all operands."""
    places = [k for k, o in enumerate(d.operands) if _is_real(o) and o.dtype.itemsize >= 2]
    for k, operand in enumerate(d.operands):
        if operand.domain == "critical":  # at a pole of a function its derivative says nothing
            d.operands[k] = replace(operand, domain="positive" if d.flag("positive") else "plain")

    def results(*arrays: Any) -> list[Any]:
        found = [x for x in _arrays(function(*arrays)) if _is_real(x) and x.dtype.itemsize >= 2]
        if not found:
            raise TypeError("nothing to differentiate")
        return found

    return places, results


def _forward(d: Draw, function: Function) -> Function:
    places, results = _floats_only(d, function)

    def run(*arrays: Any) -> Any:
        def of(*some: Any) -> Any:
            return results(*(some[places.index(k)] if k in places else x for k, x in enumerate(arrays)))

        primals = [arrays[k] for k in places]
        return jax.jvp(of, primals, [x * 0 + x.dtype.type(0.5) for x in primals])

    return run


def _backward(d: Draw, function: Function) -> Function:
    places, results = _floats_only(d, function)

    def run(*arrays: Any) -> Any:
        def of(*some: Any) -> Any:
            return results(*(some[places.index(k)] if k in places else x for k, x in enumerate(arrays)))

        outputs, back = jax.vjp(of, *(arrays[k] for k in places))
        return back([jnp.full_like(x, 0.5) for x in outputs])

    return run


def _in_loop(d: Draw, function: Function) -> Function:
    """Run twice in a loop, on parts of stacks or on what the loop carries, rotated: results are stacked."""
    if _small(d) and d.flag("of stacks"):
        d.operands[:] = [replace(o, shape=(2, *o.shape)) for o in d.operands]
        return lambda *arrays: lax.map(lambda parts: _arrays(function(*parts)), arrays)

    def run(*arrays: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            return [x[::-1] if x.ndim else x for x in carry], _arrays(function(*carry))

        return lax.scan(step, list(arrays), None, length=2)[1]

    return run


def _in_branch(d: Draw, function: Function) -> Function:
    taken = d.flag("taken")

    def run(*arrays: Any) -> Any:
        predicate = lax.optimization_barrier(jnp.asarray(taken))
        return lax.cond(
            predicate,
            lambda *a: _arrays(function(*a)),
            lambda *a: [jnp.zeros_like(x) for x in _arrays(function(*a))],
            *arrays,
        )

    return run


def _more(x: Any) -> Any:
    """An array with a row and a column more in front and behind, of which another is a part."""
    if not x.ndim or 0 in x.shape:
        return x
    x = jnp.concatenate([x, lax.slice_in_dim(x, 0, 1, axis=-1)], -1)
    return jnp.concatenate([lax.slice_in_dim(x, 0, 1, axis=0), x], 0)


def _part(x: Any, shape: tuple[int, ...]) -> Any:
    """The part of what `_more` gave."""
    if x.shape == shape:
        return x
    return lax.slice(x, [1, *[0] * (x.ndim - 1)], [1 + shape[0], *shape[1:]])


def _between(d: Draw, function: Function) -> Function:
    """Exact operations before and after it, which a planner may join with it."""
    before = d.pick("before", ("nothing", "reversed", "selected", "copied", "a part"))
    after = d.pick("after", ("reversed", "selected", "summed up", "used twice", "a part"))

    def prepared(x: Any) -> Any:
        if before == "reversed" and x.ndim:
            return jnp.flip(
                jnp.flip(x, 0) if x.ndim == 1 else jnp.swapaxes(jnp.swapaxes(x, 0, -1), 0, -1), ()
            )
        if before == "selected":
            return jnp.where(jnp.ones(x.shape, bool), x, jnp.zeros_like(x))
        if before == "a part":
            return _part(_more(x), x.shape)
        return lax.optimization_barrier(x) if before == "copied" else x

    def finished(x: Any) -> Any:
        if after == "reversed":
            return x[::-1] if x.ndim else x
        if after == "selected":
            return jnp.where(x == x, x, jnp.ones_like(x))
        if after == "summed up":
            return (x, jnp.max(x)) if x.size and not jnp.iscomplexobj(x) else x
        if after == "a part":
            return _more(x)
        return x, x.T, jnp.ravel(x)

    return lambda *arrays: [finished(x) for x in _arrays(function(*map(prepared, arrays)))]


#: Ways to use an operation, by name.
CONTEXTS: dict[str, Context] = {
    "plain": Context(lambda d, f: f, lambda d: True),
    "jit": Context(lambda d, f: lambda *a: (jax.jit(f)(*a), jax.jit(f)(*a))),
    "vmap": Context(_vmapped, _small),
    "vmap twice": Context(
        lambda d, f: _vmapped(d, _vmapped(d, f)), lambda d: _small(d) and len(d.operands) < 4
    ),
    "jvp": Context(_forward, _differentiable),
    "vjp": Context(_backward, _differentiable),
    "loop": Context(_in_loop),
    "branch": Context(_in_branch),
    "between": Context(_between),
}
