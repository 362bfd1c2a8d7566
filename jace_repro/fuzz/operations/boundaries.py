"""What lies beside a program: other devices, of which there is one here, and Python, which it calls back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import PartitionSpec

from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.operations.registry import operation

_AXIS = "devices"
#: Collectives of an array of two axes, the first of them spread over the devices.
_COLLECTIVES: dict[str, Callable[[Any], Any]] = {
    "psum": lambda x: lax.psum(x, _AXIS),
    "psum of a tree": lambda x: sum(lax.psum((x, x * 2), _AXIS)),
    "pmean": lambda x: lax.pmean(x, _AXIS),
    "pmax": lambda x: lax.pmax(x, _AXIS),
    "pmin": lambda x: lax.pmin(x, _AXIS),
    "all_gather": lambda x: lax.all_gather(x, _AXIS, axis=1),
    "all_gather tiled": lambda x: lax.all_gather(x, _AXIS, axis=1, tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x[None], _AXIS, 0, 2),
    "all_to_all tiled": lambda x: lax.all_to_all(x, _AXIS, 0, 1, tiled=True),
    "psum_scatter": lambda x: lax.psum_scatter(x[None], _AXIS),
    "psum_scatter tiled": lambda x: lax.psum_scatter(x, _AXIS, tiled=True, scatter_dimension=1),
    "ppermute": lambda x: lax.ppermute(x, _AXIS, [(0, 0)]),
    "ppermute from nobody": lambda x: lax.ppermute(x, _AXIS, []),
    "axis_index": lambda x: x + lax.axis_index(_AXIS).astype(x.dtype),
    "axis_size": lambda x: x + lax.axis_size(_AXIS),
}


@operation
def _collective(d: Draw) -> Callable[..., Any]:
    """Collectives among one device: they move nothing, and change shapes."""
    d.array("fi", rank=2, least=1, domain="plain")
    names = [d.pick("collective", tuple(_COLLECTIVES)) for _ in range(d.whole(1, 2))]
    looped = d.flag("in a loop")
    mesh = jax.make_mesh((1,), (_AXIS,), axis_types=(jax.sharding.AxisType.Auto,))

    def local(x: Any) -> Any:
        if looped:
            return lax.scan(lambda c, row: (c + lax.psum(row, _AXIS), c), x[0], x)[1]
        return [_COLLECTIVES[name](x * 2 + 1) for name in names]

    spread = PartitionSpec(_AXIS)

    def run(x: Any) -> Any:
        made = jax.shard_map(local, mesh=mesh, in_specs=spread, out_specs=spread, check_vma=False)(x)
        return jax.tree.map(lambda y: y - 1, made)

    return run


@operation
def _many_arrays(d: Draw) -> Callable[..., Any]:
    """More inputs, or more outputs, than a call has room for at once."""
    inputs, outputs = d.pick("inputs", (1, 2, 31, 66)), d.pick("outputs", (1, 33, 63, 64, 65, 130))
    x = d.array("fi", rank=1, least=1, domain="plain")
    for _ in range(inputs - 1):
        d.like(x)
    sums = d.flag("of two")

    def run(*arrays: Any) -> Any:
        for k in range(outputs):
            one, other = arrays[k % inputs], arrays[-1 - k % inputs]
            yield (one - other if sums else one) + x.dtype.type(k % 100)

    return lambda *arrays: list(run(*arrays))


@operation
def _callback(d: Draw) -> Callable[..., Any]:
    """Python in the middle of a program: between regions, in a loop, in a branch; it gives what has another shape."""
    d.array("f", rank=d.pick("rank", (1, 2)), least=1, domain="plain")
    where = d.pick("where", ("between", "twice", "loop", "branch"))

    def called(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct(x.shape[::-1], x.dtype)
        back = jax.pure_callback(lambda y: np.asarray(y).T.copy() * 2, shape, x, vmap_method="sequential")
        return back.T + x

    def run(x: Any) -> Any:
        weights = np.linspace(0.5, 2, x.shape[-1]).astype(x.dtype)  # a constant that a region has to be given
        x, rest = x * 2 + 1, x.sum(0)
        if where == "loop":
            found = lax.scan(lambda c, row: (called(c) - row.sum(), c.sum()), x, x)[0]
        elif where == "branch":
            found = lax.cond(x.sum() > 0, called, lambda x: x - 1, x)
        else:
            found = called(called(x) - rest) if where == "twice" else called(x)
        return found * weights + rest, rest

    return run


@operation
def _ordered_callbacks(d: Draw) -> Callable[..., Any]:
    """Python that is called in an order which nothing but their effect asks for: each says who came before it.

    Some wait for what is computed of what another one said, others need not: who is called as soon as he can be is
    called too early.
    """
    d.array("f", rank=1, least=1, domain="plain")
    computed = [d.flag("of what is computed") for _ in range(d.pick("calls", (2, 3, 4)))]
    called: list[int] = []

    def note(number: int) -> Callable[[Any], Any]:
        def call(y: Any) -> Any:
            if number == 0:
                called.clear()
            called.append(number)
            return np.float32(
                sum((k + 1) * 10.0**place for place, k in enumerate(called)) + np.asarray(y).shape[0]
            )

        return call

    def run(x: Any) -> Any:
        told, found, later = jax.ShapeDtypeStruct((), np.float32), [], x
        for number, waits in enumerate(computed):
            found.append(io_callback(note(number), told, later if waits else x, ordered=True))
            later = lax.sin(x + found[-1].astype(x.dtype))
        return later, *found

    return run
