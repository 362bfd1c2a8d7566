"""Pairs of forms that a program may be given and that mean the same: a batch and a loop, forward and backward.

Both forms of a pair are one program, whose outputs are those of the first form and then those of the second. Run
through XLA and through DaCe they are compared as any program's outputs are; that XLA gives the same for both is asked
besides (`jace_repro.tester.check.relation`), which needs no second compiler: it also shows where a transformation of
JAX's own is wrong, of which both compilers are given the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.blocks import carrying, is_float
from jace_repro.fuzz.draw import Draw

_Array = np.ndarray[Any, Any]
#: Arrays -> arrays.
Form = Callable[..., list[Any]]

#: Operations that give something else in a batch than one by one, as JAX documents it.
NOT_BATCHED = {
    "rng_bit_generator": "its bits depend on the shape that is asked for",
    "rng_uniform": "it draws anew at every call",
}
#: What a number is multiplied by in each lane of a batch: it stays as definite, and as well conditioned, as it was.
_FACTORS = (1.0, 0.5, 0.25, 0.75)


@dataclass(frozen=True)
class Pair:
    """Two forms of one program.

    Attributes:
        says: what is said to be the same, "vmap = a loop".
        left, right: the forms.
        arrays: the inputs of both.
    """

    says: str
    left: Form
    right: Form
    arrays: Sequence[_Array]

    def both(self, *arrays: Any) -> list[Any]:
        """The outputs of the first form, then those of the second."""
        return [*self.left(*arrays), *self.right(*arrays)]


def pair(draw: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """A pair of forms of a function of these arrays.

    Raises:
        TypeError, ValueError: the function has no such forms.
    """
    name = draw.pick("relation", tuple(RELATIONS))
    return RELATIONS[name](draw, function, arrays)


def _lanes(array: _Array, count: int) -> _Array:
    """A batch of arrays like this one, each of them another."""
    if is_float(array) or array.dtype.kind == "c":
        factors = [np.asarray(factor).astype(array.dtype) for factor in _FACTORS[:count]]
        with np.errstate(all="ignore"):
            return np.stack([(array * factor).astype(array.dtype) for factor in factors])
    return np.stack([np.roll(array, k, 0) if array.ndim else array for k in range(count)])


def _batch(arrays: Sequence[_Array], count: int) -> list[_Array]:
    if not arrays:
        raise ValueError("nothing to batch")
    return [_lanes(array, count) for array in arrays]


def _one_by_one(function: Form, count: int) -> Form:
    """The function of each lane, unrolled; results stacked."""

    def run(*arrays: Any) -> list[Any]:
        rows = [function(*(x[k] for x in arrays)) for k in range(count)]
        return [jnp.stack(column) for column in zip(*rows, strict=True)]

    return run


def _vmap_is_a_loop(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    count = d.pick("lanes", (1, 2, 3))
    return Pair(
        "vmap = a loop", jax.vmap(function), _one_by_one(function, count), _batch(arrays, count)
    )  # fmt: skip


def _map_is_a_loop(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    count = d.pick("lanes", (1, 2, 3))

    def mapped(*xs: Any) -> list[Any]:
        return lax.map(lambda row: function(*row), xs)

    return Pair("lax.map = a loop", mapped, _one_by_one(function, count), _batch(arrays, count))


def _last_axis(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """The batch axis last, or first and moved there by transpositions."""
    count = d.pick("lanes", (2, 3))

    def moved(*xs: Any) -> list[Any]:
        found = jax.vmap(function)(*(jnp.moveaxis(x, -1, 0) for x in xs))
        return [jnp.moveaxis(x, 0, -1) for x in found]

    batch = [np.ascontiguousarray(np.moveaxis(x, 0, -1)) for x in _batch(arrays, count)]
    return Pair(
        "vmap of the last axis = of the first", jax.vmap(function, in_axes=-1, out_axes=-1), moved, batch
    )


def _shared(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """Some operands shared by all lanes, or a copy for each."""
    if len(arrays) < 2:
        raise ValueError("nothing to share")
    count = d.pick("lanes", (2, 3))
    shared = [d.flag("shared") for _ in arrays]
    batched, alike = d.random.sample(range(len(arrays)), 2)
    shared[batched], shared[alike] = False, True
    axes = tuple(None if one else 0 for one in shared)

    def copied(*xs: Any) -> list[Any]:
        each = (
            jnp.broadcast_to(x, (count, *x.shape)) if one else x for x, one in zip(xs, shared, strict=True)
        )
        return jax.vmap(function)(*each)

    lanes = [
        array if one else lane for array, lane, one in zip(arrays, _batch(arrays, count), shared, strict=True)
    ]
    return Pair(
        "vmap with shared operands = with copies", jax.vmap(function, in_axes=axes, out_axes=0), copied, lanes
    )


def _split(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    count, first = 4, d.whole(1, 3)

    def parts(*xs: Any) -> list[Any]:
        head = jax.vmap(function)(*(x[:first] for x in xs))
        tail = jax.vmap(function)(*(x[first:] for x in xs))
        return [jnp.concatenate(two) for two in zip(head, tail, strict=True)]

    return Pair("a batch = its two parts", jax.vmap(function), parts, _batch(arrays, count))


def _padded(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    count, more = d.pick("lanes", (1, 2, 3)), d.whole(1, 3)

    def padded(*xs: Any) -> list[Any]:
        found = jax.vmap(function)(*(jnp.concatenate([x, *[x[:1]] * more]) for x in xs))
        return [x[:count] for x in found]

    return Pair("a batch = a longer one's beginning", jax.vmap(function), padded, _batch(arrays, count))


def _steps_unrolled(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """A loop that carries what the function gives, as a scan and unrolled."""
    trips = d.whole(0, 3)
    if not arrays:
        raise ValueError("nothing to carry")

    def rolled(*xs: Any) -> list[Any]:
        start, step = carrying(function, xs)
        return lax.scan(lambda state, _: (step(state), None), start, None, length=trips)[0]

    def unrolled(*xs: Any) -> list[Any]:
        state, step = carrying(function, xs)
        for _ in range(trips):
            state = step(state)
        return state

    return Pair("scan = unrolled", rolled, unrolled, arrays)


def _counted(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """A while loop that counts, and a scan of its length."""
    trips = d.whole(0, 3)
    if not arrays:
        raise ValueError("nothing to carry")

    def counting(*xs: Any) -> list[Any]:
        start, step = carrying(function, xs)

        def following(state: tuple[Any, list[Any]]) -> tuple[Any, list[Any]]:
            return state[0] + 1, step(state[1])

        return lax.while_loop(lambda state: state[0] < trips, following, (jnp.int32(0), start))[1]

    def scanned(*xs: Any) -> list[Any]:
        start, step = carrying(function, xs)
        return lax.scan(lambda state, _: (step(state), None), start, None, length=trips)[0]

    return Pair("while = scan", counting, scanned, arrays)


def _nested(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    def jitted(*xs: Any) -> list[Any]:
        return list(jax.jit(lambda *inner: tuple(jax.jit(function)(*inner)))(*xs))

    return Pair("jit in jit = none", jitted, function, arrays)


def _branches(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    which = d.whole(0, 2)

    def switched(*xs: Any) -> list[Any]:
        index = lax.optimization_barrier(jnp.int32(which))
        others = [lambda *a: [jnp.zeros_like(x) for x in function(*a)] for _ in range(3)]
        others[which] = function
        return list(lax.switch(index, others, *xs))

    return Pair("switch = its branch", switched, function, arrays)


def _of_floats(function: Form, arrays: Sequence[_Array]) -> tuple[list[int], Callable[..., Form]]:
    """The places of differentiable inputs, and of all inputs the function's float results as a function of those."""
    places = [k for k, x in enumerate(arrays) if is_float(x) and x.dtype.itemsize >= 2]

    def of(*xs: Any) -> Form:
        def results(*some: Any) -> list[Any]:
            found = function(*(some[places.index(k)] if k in places else x for k, x in enumerate(xs)))
            return [x for x in found if is_float(x) and x.dtype.itemsize >= 2]

        return results

    if not places or not jax.eval_shape(of(*arrays), *(arrays[k] for k in places)):
        raise TypeError("nothing to differentiate")
    return places, of


def _weights(xs: Sequence[Any]) -> list[Any]:
    """Cotangents, or tangents, that are no two the same."""
    return [jnp.linspace(0.5, 1.5, max(x.size, 1))[: x.size].reshape(x.shape).astype(x.dtype) for x in xs]


def _inner(xs: Sequence[Any], ys: Sequence[Any]) -> Any:
    wide = jnp.float64 if jax.config.jax_enable_x64 else jnp.float32
    return sum(jnp.sum(x.astype(wide) * y.astype(wide)) for x, y in zip(xs, ys, strict=True))


def _forward_and_backward(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """The derivative along one direction, seen from one weight: by jvp, and by vjp."""
    places, of = _of_floats(function, arrays)

    def forward(*xs: Any) -> list[Any]:
        primals = [xs[k] for k in places]
        outputs, tangents = jax.jvp(of(*xs), primals, _weights(primals))
        return [_inner(_weights(outputs), tangents)]

    def backward(*xs: Any) -> list[Any]:
        primals = [xs[k] for k in places]
        outputs, back = jax.vjp(of(*xs), *primals)
        return [_inner(back(_weights(outputs)), _weights(primals))]

    return Pair("jvp = vjp", forward, backward, arrays)


def _remembered(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """A gradient whose steps are computed again, and one whose steps are kept."""
    places, of = _of_floats(function, arrays)

    def gradient(*xs: Any, again: bool) -> list[Any]:
        results = jax.checkpoint(of(*xs)) if again else of(*xs)
        outputs, back = jax.vjp(results, *(xs[k] for k in places))
        return [*outputs, *back(_weights(outputs))]

    def recomputed(*xs: Any) -> list[Any]:
        return gradient(*xs, again=True)

    def kept(*xs: Any) -> list[Any]:
        return gradient(*xs, again=False)

    return Pair("vjp of a checkpoint = vjp", recomputed, kept, arrays)


def _linear(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    places, of = _of_floats(function, arrays)

    def linearized(*xs: Any) -> list[Any]:
        primals = [xs[k] for k in places]
        outputs, tangent = jax.linearize(of(*xs), *primals)
        return [*outputs, *tangent(*_weights(primals))]

    def forward(*xs: Any) -> list[Any]:
        primals = [xs[k] for k in places]
        outputs, tangents = jax.jvp(of(*xs), primals, _weights(primals))
        return [*outputs, *tangents]

    return Pair("linearize = jvp", linearized, forward, arrays)


def _batched_derivative(d: Draw, function: Form, arrays: Sequence[_Array]) -> Pair:
    """Derivatives of a batch, and a batch of derivatives."""
    _of_floats(function, arrays)
    count = d.pick("lanes", (1, 2))
    batch = _batch(arrays, count)
    places, of = _of_floats(jax.vmap(function), batch)
    one, of_one = _of_floats(function, arrays)

    def of_the_batch(*xs: Any) -> list[Any]:
        outputs, back = jax.vjp(of(*xs), *(xs[k] for k in places))
        return back([jnp.ones_like(x) for x in outputs])

    def of_each(*xs: Any) -> list[Any]:
        def derived(*row: Any) -> list[Any]:
            outputs, back = jax.vjp(of_one(*row), *(row[k] for k in one))
            return back([jnp.ones_like(x) for x in outputs])

        return jax.vmap(derived)(*xs)

    return Pair("vjp of vmap = vmap of vjp", of_the_batch, of_each, batch)


#: Pairs of forms, by name.
RELATIONS: dict[str, Callable[[Draw, Form, Sequence[_Array]], Pair]] = {
    "vmap": _vmap_is_a_loop,
    "map": _map_is_a_loop,
    "last axis": _last_axis,
    "shared": _shared,
    "split": _split,
    "padded": _padded,
    "unrolled": _steps_unrolled,
    "counted": _counted,
    "nested": _nested,
    "branches": _branches,
    "jvp and vjp": _forward_and_backward,
    "checkpoint": _remembered,
    "linearize": _linear,
    "batched derivative": _batched_derivative,
}
