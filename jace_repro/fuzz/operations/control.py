"""Loops, branches, and functions with rules of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.draw import Draw, dtype_of
from jace_repro.fuzz.operations.registry import operation

#: Steps of a loop: (carry, element) -> (carry, result); each keeps values near where they were.
STEPS: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "accumulate": lambda c, x: (c + x, c),
    "swap": lambda c, x: (x - c, c + x),
    "smooth": lambda c, x: (c * c.dtype.type(0.5) + x, jnp.sin(c)),
    "mirror": lambda c, x: (c[::-1] - x if c.ndim else -c, c * 2),
    "sum": lambda c, x: (jnp.tanh(c + x.sum()), x.sum()),
    "constant": lambda c, x: (c, x * x),
    "no result": lambda c, x: (c * c.dtype.type(0.25) + 1, ()),
    "update": lambda c, x: (c.at[0].set(x.sum()) if c.ndim else x, c),
    "select": lambda c, x: (jnp.where(x > c, x, c), x > c),
}
#: Branches, of one array: the shape and dtype stay.
BRANCHES: tuple[Callable[[Any], Any], ...] = (
    lambda x: x + 1,
    lambda x: -x,
    lambda x: jnp.sin(x),
    lambda x: x * x - x,
    lambda x: x[::-1] if x.ndim else x,
    lambda x: x,
    lambda x: jnp.zeros_like(x),
)


#: What is made of a vector of integers that the program knows; none of them changes its length.
_OF_CONSTANTS: tuple[Callable[[Any], Any], ...] = (
    lambda c: c * 3 - 4,
    lambda c: c[::-1],
    lambda c: jnp.concatenate([c[::2], c[1::2]]),
    lambda c: jnp.minimum(c, 3),
    lambda c: jnp.where(c > 1, c, -c),
    lambda c: (c & 5) | 2,
    lambda c: ~c,
    lambda c: c.astype(jnp.int8).astype(c.dtype),
    lambda c: jnp.broadcast_to(c[:, None], (c.size, 2)).reshape(-1)[: c.size],
    lambda c: jnp.broadcast_to(c, (2, c.size)).T.reshape(-1)[c.size :],
    lambda c: lax.slice(c, (1,), (c.size,), (2,)).sum() + c,
    lambda c: jnp.maximum(c, -c) + (c != 2),
)


@operation
def _constant_expressions(d: Draw) -> Callable[..., Any]:
    """Integers that follow from constants alone: as the predicate of a branch, as indices, as a result."""
    d.array("f", rank=d.pick("rank", (1, 2)), least=1, domain="plain")
    length, start = d.pick("length", (4, 6)), d.pick("start", (-2, 0, 1))
    steps = [d.pick("step", _OF_CONSTANTS) for _ in range(d.pick("steps", (0, 1, 2, 3)))]
    branches = [d.pick("branch", BRANCHES) for _ in range(d.pick("branches", (2, 2, 3)))]
    of_two = len(branches) == 2

    def run(x: Any) -> Any:
        c = jnp.arange(length, dtype=jnp.int32) + start
        for step in steps:
            c = step(c)
        which = lax.squeeze(lax.slice(c, (1,), (2,)), (0,))
        taken = lax.cond(which > 0, *branches, x) if of_two else lax.switch(which, branches, x)
        return taken, x[jnp.clip(c, 0, x.shape[0] - 1)], c

    return run


@operation
def _scan(d: Draw) -> Callable[..., Any]:
    length = d.pick("length", (0, 1, 2, 3, 5, 8, 17))
    shape = d.shape(d.pick("rank", (0, 1, 1, 2)), large=False)
    x = d.array("f", (length, *shape), domain="plain")
    d.array(shape=shape, dtype=x.dtype, domain="plain")
    step = STEPS[d.pick("step", tuple(STEPS))]
    reverse, unroll = d.flag("reverse"), d.pick("unroll", (1, 1, 2, 3))
    return lambda x, c: lax.scan(step, c, x, reverse=reverse, unroll=unroll)


@operation
def _scan_of_several(d: Draw) -> Callable[..., Any]:
    """Carries of several dtypes that change places, a counter, and a constant that the body captures."""
    length = d.pick("length", (1, 2, 4, 7))
    x = d.array("f", (length, d.length(1)), domain="plain")
    d.array(shape=x.shape[1:], dtype=x.dtype, domain="plain")
    order = d.pick("order", ("kept", "swapped"))
    nested = d.flag("nested")

    def run(xs: Any, table: Any) -> Any:
        def step(carry: Any, x: Any) -> Any:
            n, a, b, flag = carry
            new = a * a.dtype.type(0.5) + x
            if nested:
                new = lax.fori_loop(
                    0, 3, lambda i, v: v * v.dtype.type(0.5) + table[0] * i.astype(v.dtype), new
                )
            pair = (b + table, new) if order == "swapped" else (new, b - table)
            return (n + 1, *pair, flag ^ (x.sum() > 0)), (a[0], n)

        first = (jnp.int32(0), table, xs[0] * 0, jnp.bool_(False))
        return lax.scan(step, first, xs)

    return run


@operation
def _while_loop(d: Draw) -> Callable[..., Any]:
    d.array("f", d.shape(d.pick("rank", (0, 1, 2)), least=1, large=False), domain="unit")
    limit = d.pick("limit", (0, 1, 3, 10))
    body = d.pick("body", ("halve", "rotate", "mix"))

    def run(x: Any) -> Any:
        def step(c: Any) -> Any:
            i, v = c
            new = {
                "halve": v * v.dtype.type(0.5),
                "rotate": jnp.roll(v, 1) + 1,
                "mix": jnp.sin(v) + i.astype(v.dtype),
            }[body]
            return i + 1, new

        return lax.while_loop(
            lambda c: (c[0] < limit) & (jnp.sum(jnp.abs(c[1])) < 1e4), step, (jnp.int32(0), x)
        )

    return run


@operation
def _batched_while(d: Draw) -> Callable[..., Any]:
    """Lanes that end at different times."""
    lanes = d.pick("lanes", (0, 1, 2, 5))
    d.array("f", (lanes, d.length(1)), domain="unit")
    d.array(shape=(lanes,), dtype=dtype_of("int32"), domain="indices", bounds=(0, 6))
    both = d.flag("predicate of the values")

    def lane(x: Any, n: Any) -> Any:
        def going(c: Any) -> Any:
            return (c[0] < n) & (c[1].sum() < 50) if both else c[0] < n

        return lax.while_loop(going, lambda c: (c[0] + 1, c[1] * x.dtype.type(1.5) + 1), (jnp.int32(0), x))

    return jax.vmap(lane)


@operation
def _batched_updates(d: Draw) -> Callable[..., Any]:
    """Lanes that end at different times, and write an element of what they carry in each step."""
    lanes, length = d.pick("lanes", (1, 2, 5)), d.length(3)
    x = d.array("fi", (lanes, length), domain="plain")
    d.array(shape=(lanes,), dtype=dtype_of("int32"), domain="indices", bounds=(0, length - 1))
    update = d.pick("update", ("set", "add", "max", "slice"))

    def step(i: Any, c: Any) -> Any:
        value = (i + 1).astype(x.dtype)
        if update != "set":
            value = (c[(i + 1) % length] + value) * x.dtype.type(2)
        if update == "slice":
            return lax.dynamic_update_slice(c, value[None], (i,))
        return getattr(c.at[i], update)(value)

    def lane(x: Any, n: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, step(*c)), (jnp.int32(0), x))

    return jax.vmap(lane)


#: How a vector is written by a step of a loop, given a row and the number of the step.
_WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "set": lambda c, row, i: c.at[0].set(row[1]),
    "add": lambda c, row, i: c.at[1:].add(row[:-1]),
    "slice": lambda c, row, i: lax.dynamic_update_slice(c, row[:1], (i,)),
    "cond": lambda c, row, i: lax.cond(row[0] > 0, lambda v: v.at[0].set(7), lambda v: v - 2, c),
    "switch": lambda c, row, i: lax.switch(
        i % 3, [lambda v: v.at[1].set(row[0]), lambda v: v, lambda v: v[::-1]], c
    ),
    "fori": lambda c, row, i: lax.fori_loop(0, 2, lambda k, v: v.at[k].add(row[k]), c),
    "while": lambda c, row, i: lax.while_loop(
        lambda s: s[0] < 2, lambda s: (s[0] + 1, s[1].at[s[0]].set(row[s[0]])), (jnp.int32(0), c)
    )[1],
    "scan": lambda c, row, i: lax.scan(lambda v, r: (v.at[0].add(r), v[1]), c, row)[0],
}
#: What is made of it afterwards, and carried on.
_CARRIED: dict[str, Callable[[Any], Any]] = {
    "kept": lambda b: b,
    "sorted": lax.sort,
    "sums": jnp.cumsum,
    "backwards": lambda b: b[::-1],
    "differences": lambda b: b - jnp.roll(b, 1),
    "selected": lambda b: b[jnp.argsort(b)],
}
#: What is read of it: as it was before, as it was written, as it is carried on, and nothing.
_READ: dict[str, Callable[[Any, Any, Any], Any]] = {
    "before": lambda c, b, new: c - b.sum(),
    "after": lambda c, b, new: jnp.cumsum(b),
    "carried": lambda c, b, new: new * 2,
    "nothing": lambda c, b, new: (),
}


@operation
def _carries_written_and_read(d: Draw) -> Callable[..., Any]:
    """Carries that are written in place, also by branches and loops; what they were or become is still read."""
    length, width = d.pick("length", (1, 2, 2, 4)), d.length(2)
    x = d.array("fi", (length, width), domain="plain")
    d.array(shape=(width,), dtype=x.dtype, domain="plain")
    ways = [
        (_WRITES[d.pick("write", tuple(_WRITES))], _CARRIED[d.pick("carried", tuple(_CARRIED))],
         _READ[d.pick("read", tuple(_READ))], d.pick("joined", (False, False, True)))
        for _ in range(d.pick("carries", (1, 4, 4)))
    ]  # fmt: skip

    def step(state: Any, row: Any) -> Any:
        i, carries = state
        done, found = [], []
        for (write, carried, read, joined), c in zip(ways, carries, strict=True):
            b = write(c, row, i)
            new = carried(b)
            found.append(read(c, b, new))
            done.append(new + c if joined else new)
        return (i + 1, done), found

    def run(xs: Any, first: Any) -> Any:
        return lax.scan(step, (jnp.int32(0), [first + x.dtype.type(k) for k in range(len(ways))]), xs)

    return run


@operation
def _cond(d: Draw) -> Callable[..., Any]:
    x = d.array("fi", domain="plain")
    d.array(shape=(), dtype=dtype_of("bool"))
    yes, no = d.pick("yes", BRANCHES[:6]), d.pick("no", BRANCHES[:6])
    if x.dtype.kind == "i":
        yes, no = BRANCHES[0], BRANCHES[1]
    return lambda x, p: lax.cond(p, yes, no, x)


@operation
def _switch(d: Draw) -> Callable[..., Any]:
    x = d.array("f", domain="plain")
    count = d.pick("branches", (1, 2, 3, 5))
    branches = [d.pick("branch", BRANCHES) for _ in range(count)]
    if d.flag("batched") and x.rank and x.shape[0]:
        d.array(shape=x.shape[:1], dtype=dtype_of("int32"), domain="indices beyond", bounds=(0, count - 1))
        return lambda x, i: jax.vmap(lambda row, k: lax.switch(k, branches, row))(x, i)
    d.array(shape=(), dtype=dtype_of("int32"), domain="indices beyond", bounds=(0, count - 1))
    return lambda x, i: lax.switch(i, branches, x)


@operation
def _fori_loop(d: Draw) -> Callable[..., Any]:
    d.array("f", d.shape(d.pick("rank", (1, 2)), least=2, large=False), domain="unit")
    low, count = d.pick("from", (0, 1, -2)), d.pick("trips", (0, 1, 2, 5, 9))
    how = d.pick("body", ("update", "slice", "stencil", "all", "matrix"))
    dynamic = d.flag("dynamic bound")
    if dynamic:
        d.array(shape=(), dtype=dtype_of("int32"), domain="indices", bounds=(low, low + count))

    def body(i: Any, v: Any) -> Any:
        half = v.dtype.type(0.5)
        if how == "update":
            return v.at[i % v.shape[0]].add(half * v[(i + 1) % v.shape[0]])
        if how == "slice":
            return lax.dynamic_update_slice_in_dim(v, lax.dynamic_slice_in_dim(v, i, 1) * half + 1, i + 1, 0)
        if how == "stencil":
            return v.at[1:-1].set((v[:-2] + v[2:]) * half) if v.shape[0] > 2 else v * half
        return jnp.tanh(v @ v.T @ v) if how == "matrix" and v.ndim == 2 else v * half + i.astype(v.dtype)

    return lambda x, *bound: lax.fori_loop(low, bound[0] if dynamic else low + count, body, x)


@operation
def _platform_dependent(d: Draw) -> Callable[..., Any]:
    """What is meant for this platform, what is meant for others, and what is meant for any."""
    d.array("f", domain="plain")
    here, others = d.pick("here", BRANCHES[:6]), d.pick("others", BRANCHES[:6])
    named = d.flag("named")
    first = {"tpu": others, "cpu": here} if named else {"tpu": others, "cuda": others}
    return lambda x: lax.platform_dependent(x, default=others if named else here, **first)


@operation
def _map(d: Draw) -> Callable[..., Any]:
    d.array("f", domain="plain", rank=d.pick("rank", (1, 2, 3)))
    branch = d.pick("function", BRANCHES)
    size = d.pick("batch size", (None, 2, 3))
    return lambda x: lax.map(lambda row: (branch(row), row.sum()), x, batch_size=size)


@operation
def _associative_scan(d: Draw) -> Callable[..., Any]:
    x = d.array("fi", domain="near one", rank=d.pick("rank", (1, 2)), least=1)
    axis, reverse = d.axis(x), d.flag("reverse")
    combine = d.pick("combine", (jnp.add, jnp.maximum, jnp.multiply))
    return lambda x: lax.associative_scan(combine, x, reverse=reverse, axis=axis)


@operation
def _custom_rules(d: Draw) -> Callable[..., Any]:
    d.array("f", domain="plain")
    how = d.pick("rule", ("custom_jvp", "custom_vjp", "checkpoint", "jit", "linear_solve"))

    def plain(x: Any) -> Any:
        return jnp.sin(x) * x + 1

    made: Any = {"checkpoint": jax.checkpoint, "jit": jax.jit}.get(how, lambda f: f)(plain)
    if how == "custom_jvp":
        made = jax.custom_jvp(plain)
        made.defjvp(lambda p, t: (plain(p[0]), t[0] * 3))
    elif how == "custom_vjp":
        made = jax.custom_vjp(plain)
        made.defvjp(lambda x: (plain(x), x), lambda x, g: (g * jnp.cos(x),))
    elif how == "linear_solve":
        return lambda b: lax.custom_linear_solve(lambda x: x * 4, b, lambda _, y: y / 4, symmetric=True)
    if d.flag("gradient"):
        return lambda x: (made(x), jax.vjp(made, x)[1](x)[0])
    return lambda x: (made(x), made(made(x)))


@operation
def _stencil(d: Draw) -> Callable[..., Any]:
    """Sweeps over a grid, as explicit schemes are written."""
    n, m, sweeps = d.length(3), d.length(3), d.pick("sweeps", (1, 2, 4))
    x = d.array("f", (n, m), domain="plain")
    edge = d.pick("edge", ("kept", "wrapped", "padded"))
    quarter = np.array(0.25, x.dtype)

    def sweep(_: Any, v: Any) -> Any:
        if edge == "kept":
            inner = (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]) * quarter
            return v.at[1:-1, 1:-1].set(inner)
        if edge == "wrapped":
            return (jnp.roll(v, 1, 0) + jnp.roll(v, -1, 0) + jnp.roll(v, 1, 1) + jnp.roll(v, -1, 1)) * quarter
        w = jnp.pad(v, 1)
        return (w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:]) * quarter

    return lambda x: lax.fori_loop(0, sweeps, sweep, x)
