"""Programs made at random from operations that round nothing on small integers and dyadic fractions.

A program is the text of ``def program(a, b, i, j, m)``, of two float, two integer and one boolean matrix. Moves,
integers, comparisons, sums and a few products: on `exact` inputs most of them can be compared bit for bit, whatever
executes them. One in `ROUNDING` has an operation that rounds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: One program in so many may round.
ROUNDING = 8

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Value:
    """A variable of a program: its name, its dtype as a letter (f, i, b), its shape."""

    name: str
    letter: str
    shape: Shape


@dataclass(frozen=True)
class Step:
    """One way to make a new value from values there are: the right-hand side, its letter and its shape."""

    text: str
    letter: str
    shape: Shape


class Maker:
    """Draws values and numbers for the steps of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"exact {seed}")
        rows, columns = self.random.choice([(1, 4), (2, 3), (3, 5), (4, 4), (5, 2), (6, 7)])
        letters = {"a": "f", "b": "f", "i": "i", "j": "i", "m": "b"}
        self.values = [Value(name, letter, (rows, columns)) for name, letter in letters.items()]

    def pick(self, letters: str = "fi", rank: int | None = None) -> Value:
        """A value of one of these dtypes, of a rank of at least `rank`; later ones more often."""
        fit = [
            v for v in self.values if v.letter in letters and len(v.shape) >= (rank or 0) and 0 not in v.shape
        ]
        return self.random.choice(fit[-4:] if self.random.random() < 0.7 else fit)

    def like(self, value: Value, letters: str | None = None) -> Value | None:
        """Another value of the same shape."""
        fit = [v for v in self.values if v.shape == value.shape and v.letter in (letters or value.letter)]
        return self.random.choice(fit) if fit else None


def _two(template: str, letters: str = "fi", to: str | None = None) -> Callable[[Maker], Step]:
    def step(maker: Maker) -> Step:
        x = maker.pick(letters)
        y = maker.like(x) or x
        return Step(template.format(x=x.name, y=y.name), to or x.letter, x.shape)

    return step


def _one(template: str, letters: str = "fi", to: str | None = None) -> Callable[[Maker], Step]:
    def step(maker: Maker) -> Step:
        x = maker.pick(letters)
        number = maker.random.randint(1, 3)
        return Step(template.format(x=x.name, n=number, l=-number), to or x.letter, x.shape)

    return step


def _along(
    template: str, shape: Callable[[Shape, int], Shape], letters: str = "fi", to: str | None = None
) -> Any:
    """Of a value of at least one axis, along one of them."""

    def step(maker: Maker) -> Step:
        x = maker.pick(letters, rank=1)
        axis = maker.random.randrange(len(x.shape))
        text = template.format(x=x.name, axis=axis, n=maker.random.randint(1, 2))
        return Step(text, to or x.letter, shape(x.shape, axis))

    return step


def _without(shape: Shape, axis: int) -> Shape:
    return shape[:axis] + shape[axis + 1 :]


def _same(shape: Shape, axis: int) -> Shape:
    return shape


def _longer(by: int) -> Callable[[Shape, int], Shape]:
    return lambda shape, axis: (*shape[:axis], shape[axis] + by, *shape[axis + 1 :])


def _transposed(maker: Maker) -> Step:
    x = maker.pick("fib")
    axes = maker.random.sample(range(len(x.shape)), len(x.shape))
    return Step(f"jnp.transpose({x.name}, {axes})", x.letter, tuple(x.shape[a] for a in axes))


def _reshaped(maker: Maker) -> Step:
    x = maker.pick("fib")
    size = math.prod(x.shape)
    rows = maker.random.choice([d for d in range(1, size + 1) if size % d == 0])
    shape = maker.random.choice([(size,), (rows, size // rows)])
    return Step(f"jnp.reshape({x.name}, {shape})", x.letter, shape)


def _sliced(maker: Maker) -> Step:
    x = maker.pick("fib", rank=1)
    starts = [maker.random.randrange(n) for n in x.shape]
    stops = [maker.random.randint(s + 1, n) for s, n in zip(starts, x.shape, strict=True)]
    index = ", ".join(f"{s}:{e}" for s, e in zip(starts, stops, strict=True))
    return Step(f"{x.name}[{index}]", x.letter, tuple(e - s for s, e in zip(starts, stops, strict=True)))


def _padded(maker: Maker) -> Step:
    x = maker.pick("fi", rank=1)
    widths = [
        tuple(maker.random.choice([(0, 1, 0), (1, 0, 1), (-1, 1, 0), (0, 0, 0), (2, 1, 1)])) for _ in x.shape
    ]
    widths = [w if n + w[0] + w[1] > 0 else (0, 0, 0) for n, w in zip(x.shape, widths, strict=True)]
    shape = tuple(n + w[0] + w[1] + max(n - 1, 0) * w[2] for n, w in zip(x.shape, widths, strict=True))
    return Step(f"lax.pad({x.name}, jnp.zeros((), {x.name}.dtype), {widths})", x.letter, shape)


def _joined(maker: Maker) -> Step:
    x = maker.pick("fib", rank=1)
    y = maker.like(x) or x
    axis = maker.random.randrange(len(x.shape))
    return Step(
        f"jnp.concatenate([{x.name}, {y.name}], {axis})", x.letter, _longer(x.shape[axis])(x.shape, axis)
    )


def _chosen(maker: Maker) -> Step:
    x = maker.pick("fi")
    y, m = maker.like(x) or x, maker.like(x, "b")
    condition = m.name if m else f"{x.name} > 0"
    return Step(f"jnp.where({condition}, {x.name}, {y.name})", x.letter, x.shape)


def _taken(maker: Maker) -> Step:
    """A gather by a row of integers, in range or clamped."""
    x, index = maker.pick("fib", rank=1), maker.pick("i", rank=1)
    axis = maker.random.randrange(len(x.shape))
    mode = maker.random.choice(["clip", "wrap", "fill"])
    where = f"{index.name}.ravel()[:3]"
    count = min(3, math.prod(index.shape))
    fill = ", fill_value=0" if mode == "fill" else ""
    text = f'jnp.take({x.name}, {where}, axis={axis}, mode="{mode}"{fill})'
    return Step(text, x.letter, (*x.shape[:axis], count, *x.shape[axis + 1 :]))


def _updated(maker: Maker) -> Step:
    """A scatter by integers that may be alike, or out of range."""
    x, index = maker.pick("fi", rank=1), maker.pick("i", rank=1)
    method = maker.random.choice(["add", "max", "min"])
    value = maker.random.randint(1, 3)
    return Step(f"{x.name}.at[{index.name}.ravel()[:3]].{method}({value})", x.letter, x.shape)


def _cut(maker: Maker) -> Step:
    x, index = maker.pick("fi", rank=1), maker.pick("i")
    size = maker.random.randint(1, x.shape[0])
    start = f"{index.name}.ravel()[0]"
    return Step(f"lax.dynamic_slice_in_dim({x.name}, {start}, {size})", x.letter, (size, *x.shape[1:]))


def _replaced(maker: Maker) -> Step:
    x, index = maker.pick("fi", rank=1), maker.pick("i")
    start = f"{index.name}.ravel()[0]"
    return Step(f"lax.dynamic_update_slice_in_dim({x.name}, -{x.name}[:1], {start}, 0)", x.letter, x.shape)


def _product(maker: Maker) -> Step:
    x = maker.pick("fi", rank=2)
    if len(x.shape) != 2:
        return _two("{x} + {y}")(maker)
    y = maker.like(x) or x
    return Step(f"{x.name} @ {y.name}.T", x.letter, (x.shape[0], x.shape[0]))


def _scanned(maker: Maker) -> Step:
    x = maker.pick("fi", rank=1)
    body = maker.random.choice(
        ["(c + s, c - s)", "(jnp.maximum(c, s), c + s)", "(s - c, jnp.where(s > 0, c, s))"]
    )
    backwards = ", reverse=True" if maker.random.random() < 0.3 else ""
    return Step(f"lax.scan(lambda c, s: {body}, {x.name}[0], {x.name}{backwards})[1]", x.letter, x.shape)


def _repeated(maker: Maker) -> Step:
    x = maker.pick("fi")
    y = maker.like(x) or x
    body = maker.random.choice(["v + {y}", "jnp.maximum(v - k, {y})", "jnp.where({y} > k, v, -v)"]).format(
        y=y.name
    )
    return Step(
        f"lax.fori_loop(0, {maker.random.randint(1, 4)}, lambda k, v: {body}, {x.name})", x.letter, x.shape
    )


def _until(maker: Maker) -> Step:
    x = maker.pick("fi")
    state = f"lax.while_loop(lambda c: c[0] < {maker.random.randint(2, 5)}, "
    return Step(f"{state}lambda c: (c[0] + 1, c[1] + {x.name}), (0, {x.name}))[1]", x.letter, x.shape)


def _branched(maker: Maker) -> Step:
    x, test = maker.pick("fi"), maker.pick("fi")
    y = maker.like(x) or x
    condition = f"{test.name}.ravel()[0] > 0"
    if maker.random.random() < 0.5:
        return Step(f"lax.cond({condition}, jnp.add, jnp.subtract, {x.name}, {y.name})", x.letter, x.shape)
    number = f"{maker.pick('i').name}.ravel()[0]"
    branches = "[lambda u: u, lambda u: -u, lambda u: u + u]"
    return Step(f"lax.switch({number}, {branches}, {x.name})", x.letter, x.shape)


def _mapped(maker: Maker) -> Step:
    x = maker.pick("fi", rank=1)
    body = maker.random.choice(
        ["v[::-1] + 1", "jnp.sort(v.ravel()).reshape(v.shape)", "v - v.max()", "v * 2"]
    )
    if len(x.shape) < 2:
        body = "v * 2 - 1"
    return Step(f"jax.vmap(lambda v: {body})({x.name})", x.letter, x.shape)


def _differentiated(maker: Maker) -> Step:
    x = maker.pick("f")
    y = maker.like(x) or x
    body = maker.random.choice(
        [
            "(v * {y}).sum()",
            "jnp.where({y} > 0, v * 2, v).sum()",
            "(v * v).sum()",
            "jnp.cumsum(v.ravel())[-1]",
        ]
    ).format(y=y.name)
    return Step(f"jax.grad(lambda v: {body})({x.name})", x.letter, x.shape)


def _called(maker: Maker) -> Step:
    x = maker.pick("fi")
    return Step(f"jax.jit(lambda v: v - {maker.random.randint(1, 3)})({x.name})", x.letter, x.shape)


STEPS: tuple[Callable[[Maker], Step], ...] = (
    *(_two(f"{{x}} {op} {{y}}") for op in "+-"),
    _two("{x} + {y}"),
    _two("{x} * {y}", "i"),
    _one("{x} * 0.5", "f"),
    _one("{x} * {n}"),
    _one("jnp.clip({x}, {l}, {n})"),
    *(_two(f"jnp.{name}({{x}}, {{y}})") for name in ("maximum", "minimum")),
    *(_two(f"{{x}} {op} {{y}}", to="b") for op in (">", "<=", "==", "!=")),
    *(_two(f"{{x}} {op} {{y}}", "ib") for op in "&|^"),
    _one("{x} << {n}", "i"),
    _one("{x} >> {n}", "i"),
    _one("{x} // {n}", "i"),
    _one("{x} % 3", "i"),
    _one("lax.population_count({x})", "i"),
    _one("lax.clz({x})", "i"),
    *(_one(f"jnp.{name}({{x}})") for name in ("abs", "sign", "negative")),
    *(_one(f"jnp.{name}({{x}})", "f") for name in ("floor", "ceil", "round", "trunc")),
    _one("~{x}", "ib"),
    _one("{x}.astype(jnp.int32)", "fb", "i"),
    _one("{x}.astype({x}.dtype).astype(jnp.float32)", "ib", "f"),
    *(_along(f"jnp.{name}({{x}}, axis={{axis}})", _without) for name in ("sum", "max", "min")),
    *(_along(f"jnp.{name}({{x}}, axis={{axis}})", _without, "fib", "b") for name in ("any", "all")),
    *(_along(f"jnp.{name}({{x}}, axis={{axis}})", _without, "fi", "i") for name in ("argmax", "argmin")),
    *(_along(f"jnp.{name}({{x}}, axis={{axis}})", _same) for name in ("cumsum", "sort", "flip")),
    _along("lax.cummax({x}, axis={axis})", _same),
    _along("jnp.argsort({x}, axis={axis}, stable=True)", _same, "fi", "i"),
    _along("jnp.roll({x}, {n}, axis={axis})", _same, "fib"),
    _along("jnp.expand_dims({x}, {axis})", lambda s, axis: (*s[:axis], 1, *s[axis:]), "fib"),
    _along(
        "jnp.repeat({x}, 2, axis={axis})", lambda s, axis: (*s[:axis], 2 * s[axis], *s[axis + 1 :]), "fib"
    ),
    *(_transposed, _reshaped, _sliced, _padded, _joined, _chosen, _taken, _updated, _cut, _replaced),
    *(_product, _scanned, _repeated, _until, _branched, _mapped, _differentiated, _called),
)
ROUNDED = (
    *(_one(f"jnp.{name}({{x}})", "f") for name in ("sin", "tanh", "exp", "arctan", "cosh", "log1p", "sqrt")),
    _two("{x} / {y}", "f"),
)

#: What a value may grow to: the text would compute large arrays for nothing.
_LARGEST, _HIGHEST = 400, 4


def exact_program(seed: int) -> str:
    """The text of a program; the same for the same seed."""
    maker = Maker(seed)
    steps = maker.random.randint(3, 12)
    rounded = maker.random.randrange(ROUNDING) == 0
    lines = []
    for number in range(steps):
        table = ROUNDED if rounded and number == steps // 2 else STEPS
        step = maker.random.choice(table)(maker)
        if math.prod(step.shape) > _LARGEST or len(step.shape) > _HIGHEST or 0 in step.shape:
            continue
        name = f"v{number}"
        lines.append(f"    {name} = {step.text}")
        maker.values.append(Value(name, step.letter, step.shape))
    results = [v.name for v in maker.values[5:]][-3:] or ["a"]
    return "\n".join(["def program(a, b, i, j, m):", *lines, f"    return {', '.join(results)},", ""])


def exact_inputs(seed: int) -> Sequence[np.ndarray[Any, Any]]:
    """The recorded inputs of the program of this seed: small integers, a few of them negative."""
    rng = np.random.default_rng(seed)
    shape = Maker(seed).values[0].shape
    floats = [(rng.integers(-8, 9, shape) / 2).astype(np.float32) for _ in range(2)]
    return [
        *floats,
        *(rng.integers(-3, 6, shape).astype(np.int32) for _ in range(2)),
        rng.random(shape) < 0.5,
    ]
