"""The programs in which mutants are looked for.

They are the sample of JAX's harnesses (tests/harness/sample.txt) and small programs of several equations
(tests/support/small_programs.py and `PROGRAMS` here), each also with special numbers as its inputs: NaN, infinities,
zeros of both signs, ties, the ends of an integer's range. A program's name says which and how:

    harness:NAME, small:NAME           with its own inputs
    special0:..., special1:...         with special numbers; 1: every input another turn of them

A program counts in JAX's default mode, and harnesses that need it in 64-bit mode ("x64" in `Program`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace.dtypes import highest, kind, lowest
from jace.ir import CALL_PRIMITIVES, walk
from jace.jax_internals import is_key_dtype
from jace_repro.tester.execute.named import NamedProgram

SAMPLE = Path(__file__).parents[1] / "harness" / "sample.txt"
#: What special inputs go through, in turn; no subnormals: XLA flushes them, and nothing is said about them.
FLOATS = (
    1.0,
    -0.0,
    2.5,
    np.nan,
    -1.5,
    np.inf,
    0.0,
    -2.5,
    0.5,
    -np.inf,
    300.0,
    -3.0,
    1e-3,
    1.0,
    -700.0,
    0.25,
    2.0,
)


def special_numbers(x, y):
    """What a compiler that takes all numbers for finite gets wrong."""
    return x * 0, x - x, jnp.where(x != x, 7.0, x * 2), x / x, jnp.isinf(x), jnp.sqrt(x), x / y, x > y


def comparisons(x, y):
    """Equal, unequal and incomparable."""
    return x == y, x != y, x < y, x <= y, x > y, x >= y, x == x, jnp.maximum(x, y), jnp.minimum(x, y)


def signed_zeros(x, y):
    """What a compiler that knows one zero gets wrong."""
    return x + 0.0, 0.0 - x, -(x - y), -(x + y), 1 / (x + 0.0), jnp.where(x == 0, x, 1.0), -(x - x)


def sums_of_large_and_small(x, y):
    """What a compiler that reorders additions gets wrong."""
    return (x + 3e7) - 3e7, (y - 2e9) + 2e9, (x * 1e30) * 1e-30, x + (y - x)


def mirrored_differences(x):
    """Maps one after the other, each of which reads elements that the one before computes elsewhere."""
    y = jnp.sin(x) + x
    z = y[::-1] - y
    w = z[:, ::-1] * z
    return y + w.T, (y * 2).T - w


def constants(x):
    """Constant arrays, and numbers that need all their digits."""
    table = np.arange(25, dtype=np.float32).reshape(5, 5)
    return x * table, table.T + x, x * np.float32(np.pi), x + np.float32(1.2345678), x * np.float32(-0.0)


def carries(x):
    """Carries that change places, are read late, and are stacked."""

    def step(c, row):
        a, b, n = c
        return (b + row, a, n + 1), (a - b, row * n)

    (a, b, n), (d, e) = lax.scan(step, (x[0], x[1], jnp.int32(0)), x)
    return a, b, n, d, e


def mirrored_steps(x):
    """A loop whose steps read elements of the carry that they write elsewhere."""
    return lax.fori_loop(0, 4, lambda k, a: a[::-1] - a, x)


def counted_rows(x):
    """A loop that computes a number beside the rows, which have nothing to do with it."""
    return lax.scan(lambda n, row: (n * 3 + 1, row * 2), jnp.int32(0), x)


def ties(x):
    """Equal elements: the first counts."""
    y = jnp.round(x)
    return jnp.argmax(y, 1), jnp.argmin(-jnp.abs(y), 0), lax.top_k(y, 3)[1], jnp.argsort(y, 1)


def negative(x):
    """Maxima, minima and products of numbers far below zero and above."""
    y = -jnp.abs(x) - 1
    return (
        y.max(0),
        y.max(1),
        (-y).min(),
        jnp.prod(y / 4, 1),
        lax.cummax(y, 0),
        jnp.all(y < 0, 1),
        jnp.any(y > 0, 1),
    )


def halves(x):
    """Sums that 16 bits cannot hold on the way: they are accumulated in 32."""
    y, z = x.astype(jnp.float16), x.astype(jnp.bfloat16)
    sums = [f(v) for v in (y, z) for f in (lambda v: lax.cumsum(v, 0)[-1], lambda v: lax.dot(v, v))]
    return *sums, lax.reduce_sum(y, (0,)), lax.reduce_sum(z, (0,))


def windows(x):
    """Windows that reach into the padding."""
    wide = ((1, 1), (2, 0))
    return (
        lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 1), wide),
        lax.reduce_window(x, -jnp.inf, lax.max, (3, 2), (2, 1), wide, window_dilation=(1, 2)),
    )


def unsigned(x):
    """Integers beyond a byte, shifted, counted and summed up."""
    y = x.astype(jnp.uint32) * 977
    return (
        y.astype(jnp.float32),
        y.sum(0),
        y << 3,
        y >> 2,
        (-x.astype(jnp.int32)) >> 1,
        lax.population_count(y),
        ~y,
        y.prod(1),
    )


_GRID = np.linspace(-3, 5, 25, dtype=np.float32).reshape(5, 5)
PROGRAMS = {
    fun.__name__: (fun, args)
    for fun, args in [
        (
            special_numbers,
            (np.resize(np.float32(FLOATS), 34), np.resize(np.float32(FLOATS), 34)[::-1].copy()),
        ),
        (comparisons, (np.resize(np.float32(FLOATS), 34), np.repeat(np.float32(FLOATS), 2))),
        (signed_zeros, (np.float32([0.0, -0.0, 1.0, -1.0] * 8), np.float32([0.0, 0.0, 1.0, -0.0] * 8))),
        (sums_of_large_and_small, (np.linspace(0.1, 9, 32, dtype=np.float32),) * 2),
        (mirrored_differences, (_GRID,)),
        (constants, (_GRID,)),
        (carries, (_GRID,)),
        (mirrored_steps, (_GRID,)),
        (counted_rows, (_GRID,)),
        (ties, (_GRID,)),
        (negative, (_GRID,)),
        (halves, (np.ones(3000, np.float32),)),
        (windows, (_GRID,)),
        (unsigned, (np.arange(40, dtype=np.int32).reshape(5, 8),)),
    ]
}


@dataclass(frozen=True)
class Program:
    """A program of the sample: its name, how many numbers it takes, the primitives it uses, whether it needs x64."""

    name: str
    elements: int
    primitives: tuple[str, ...]
    x64: bool = False

    @property
    def named(self) -> NamedProgram:
        return named(self.name, self.x64)


def named(name: str, x64: bool = False) -> NamedProgram:
    """What to give to a `Pool`."""
    return NamedProgram(f"{__name__}:make", name, {"jax_enable_x64": True} if x64 else {})


def make(name: str) -> tuple[Any, list[Any]]:
    """The jaxpr and the inputs of a program; in a worker."""
    how, _, rest = name.partition(":")
    if how.startswith("special"):
        closed, args = make(rest)
        return closed, [_special(a, int(how[-1]) * k) for k, a in enumerate(args)]
    if how == "harness":
        from jace_repro.survey import harnesses

        make_harness = harnesses.make_x64 if jax.config.jax_enable_x64 else harnesses.make_x32
        return make_harness(rest)
    fun, args = {**_small(), **PROGRAMS}[rest]
    return jax.make_jaxpr(fun)(*args), jax.tree.leaves(args)


def _small() -> dict[str, Any]:
    from small_programs import PROGRAMS as shared

    return shared


def _special(value: Any, turn: int) -> Any:
    """An array of special numbers in the place of another; keys stay."""
    if is_key_dtype(getattr(value, "dtype", None)):
        return value
    array = np.asarray(value)
    of = kind(array.dtype)
    if of in "iu":
        low, high = lowest(array.dtype), highest(array.dtype)
        numbers: Sequence[Any] = [0, 1, high, low, 3, high - 1, 2, low + 1, 5, 31, 32, 0]
    elif of in "fc":
        numbers = FLOATS
    else:
        return value
    numbers = [*numbers[turn % len(numbers) :], *numbers[: turn % len(numbers)]]
    with np.errstate(all="ignore"):
        made = np.array(numbers).astype(array.dtype)
    if of == "c":
        made = (made.real + 1j * np.roll(made.real, 1)).astype(array.dtype)
    return np.resize(made, array.shape)


# --- which there are ----------------------------------------------------------------------------------------


def programs(cache: Path | None = None) -> list[Program]:
    """All programs with their own inputs; asks a process of each mode, unless `cache` has the answer."""
    here = Path(__file__)
    made_of = (SAMPLE, here, here.parents[1] / "support" / "small_programs.py")
    key = " ".join([jax.__version__, *(str(path.stat().st_mtime_ns) for path in made_of)])
    if cache is not None and cache.exists():
        kept = json.loads(cache.read_text())
        if kept["key"] == key:
            return [Program(n, e, tuple(p), x) for n, e, p, x in kept["programs"]]
    rows = [row for x64 in ("0", "1") for row in json.loads(_listed(x64))]
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps({"key": key, "programs": rows}))
    return [Program(n, e, tuple(p), x) for n, e, p, x in rows]


def _listed(x64: str) -> str:
    env = {**os.environ, "JAX_ENABLE_X64": x64, "JAX_PLATFORMS": "cpu"}
    root = Path(__file__).parents[2]
    paths = [root, root / "tests", root / "tests" / "support"]
    env["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    command = [sys.executable, "-m", "mutants.samples"]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True, text=True).stdout


def _list() -> list[list[Any]]:
    """The programs of this process's mode."""
    mode = bool(jax.config.jax_enable_x64)
    lines = [line.split(maxsplit=1) for line in SAMPLE.read_text().splitlines()]
    names = [f"harness:{name}" for kind_of, name in lines if (kind_of == "x64") == mode]
    if not mode:
        names += [f"small:{name}" for name in (*PROGRAMS, *_small())]
    rows = []
    for name in names:
        closed, args = make(name)
        used = {e.primitive.name for _, e in walk(closed)} - set(CALL_PRIMITIVES)
        size = sum(int(np.size(a)) for a in args if not is_key_dtype(getattr(a, "dtype", None)))
        rows.append([name, size, sorted(used), mode])
    return rows


if __name__ == "__main__":
    json.dump(_list(), sys.stdout)
