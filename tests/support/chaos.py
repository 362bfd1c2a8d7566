"""Chaotic programs: what comes out says nothing after a while; each of their equations is right or wrong all the same.

python tests/support/chaos.py      judges each as it is, and with each of its functions off by a little; prints a table
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import jace
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro

X = np.linspace(0.1, 0.9, 33, dtype=np.float32)
_PI = float(np.pi)


def trajectory(
    step: Callable[..., Any], *start: Callable[[Any], Any], length: int = 200
) -> Callable[[Any], Any]:
    """All that the first number of a state goes through, from `start` of the argument (the argument itself)."""

    def program(x: Any) -> Any:
        state = tuple(f(x) for f in start) or (x,)

        def body(state: Any, _: Any) -> Any:
            after = step(*state)
            after = after if isinstance(after, tuple) else (after,)
            return after, after[0]

        return lax.scan(body, state, None, length=length)[1]

    return program


def _logistic_by_logarithms(c: Any) -> Any:
    return jnp.exp(jnp.log(3.9) + jnp.log(c) + jnp.log(1 - c)) * 0.999 + 1e-4


def _lorenz(a: Any, b: Any, c: Any) -> Any:
    change = 10 * (b - a), a * (28 - c) - b, a * b - 8 * c / 3
    return tuple(v + 0.02 * w for v, w in zip((a, b, c), change, strict=True))


def _double_pendulum(a: Any, b: Any, v: Any, w: Any) -> Any:
    """Of equal masses and lengths, the angles and how fast they change."""
    d = a - b
    below = 3 - jnp.cos(2 * d)
    dv = (
        -3 * 9.8 * jnp.sin(a) - 9.8 * jnp.sin(a - 2 * b) - 2 * jnp.sin(d) * (w * w + v * v * jnp.cos(d))
    ) / below
    dw = 2 * jnp.sin(d) * (2 * v * v + 2 * 9.8 * jnp.cos(a) + w * w * jnp.cos(d)) / below
    v, w = v + 0.02 * dv, w + 0.02 * dw
    return a + 0.02 * v, b + 0.02 * w, v, w


def _three_bodies(x: Any, y: Any, v: Any, w: Any) -> Any:
    """A body between two that are fixed."""

    def pull(px: float, py: float) -> tuple[Any, Any]:
        dx, dy = px - x, py - y
        r = jnp.sqrt(dx * dx + dy * dy + 0.05)
        return dx / (r * r * r), dy / (r * r * r)

    (ax, ay), (bx, by) = pull(1.0, 0.0), pull(-1.0, 0.2)
    v, w = v + 0.03 * (ax + bx), w + 0.03 * (ay + by)
    return x + 0.03 * v, y + 0.03 * w, v, w


def _ikeda(x: Any, y: Any) -> Any:
    t = 0.4 - 6 / (1 + x * x + y * y)
    return 1 + 0.9 * (x * jnp.cos(t) - y * jnp.sin(t)), 0.9 * (x * jnp.sin(t) + y * jnp.cos(t))


def _standard(p: Any, q: Any) -> Any:
    p = p + 2.5 * jnp.sin(q)
    return p - 2 * _PI * jnp.floor(p * (1 / (2 * _PI))), q + p


def _duffing(x: Any, v: Any, t: Any) -> Any:
    v = v + 0.05 * (x - x * x * x - 0.1 * v + 0.35 * jnp.sin(1.4 * t))
    return x + 0.05 * v, v, t + 0.05


def _billiard(x: Any, v: Any) -> Any:
    """Where a ray meets a circle, again and again."""
    root = jnp.sqrt(jnp.maximum(1 - 0.8 * x * x, 0.0) + 0.01)
    return jnp.sin(5 * (x + v * root)), root - v * x


def _exponents(c: Any, s: Any) -> Any:
    return s + jnp.log(jnp.abs(3.9 * (1 - 2 * c)) + 1e-6), 3.9 * c * (1 - c)


def _until_it_has_run(x: Any) -> Any:
    return lax.while_loop(lambda c: c[1] < 300, lambda c: (jnp.exp(jnp.sin(c[0] * 9.0)), c[1] + 1), (x, 0))[0]


def _same(x: Any) -> Any:
    return x


#: Each with the primitives that it is made of.
CHAOTIC: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "sine map": (trajectory(lambda c: jnp.sin(c * 3.1) * jnp.exp(c * -0.01) * 1.2), ("sin", "exp")),
    "until it has run": (_until_it_has_run, ("exp", "sin")),
    "Lorenz": (trajectory(_lorenz, _same, lambda x: x + 1, lambda x: x + 20.0, length=1200), ("div",)),
    "Gauss map": (trajectory(lambda c: 1 / c - jnp.floor(1 / c) + 1e-3), ("div",)),
    "powers": (trajectory(lambda c: 4.0 * c**1.1 * (1 - c**1.3) + 0.01), ("pow",)),
    "logarithms": (trajectory(lambda c: jnp.sin(jnp.log(jnp.abs(c) + 0.01) * 4.3)), ("log", "sin")),
    "roots": (trajectory(lambda c: jnp.sin(jnp.sqrt(jnp.abs(c) + 0.01) * 7.9)), ("sqrt", "sin")),
    "logistic by logarithms": (trajectory(_logistic_by_logarithms), ("exp", "log")),
    "Henon": (
        trajectory(
            lambda a, b: (1 - 1.4 * jnp.abs(a) ** 1.9 + b, a / 3.5), lambda x: x * 0.5, lambda x: x * 0.1
        ),
        ("pow", "div"),
    ),
    "double pendulum": (
        trajectory(
            _double_pendulum, lambda x: x + 2, lambda x: x + 1, jnp.zeros_like, jnp.zeros_like, length=600
        ),
        ("sin", "div"),
    ),
    "three bodies": (
        trajectory(_three_bodies, _same, lambda x: x * 0.5, jnp.zeros_like, lambda x: x * 0.3, length=600),
        ("sqrt", "div"),
    ),
    "tent": (trajectory(lambda c: (1 - 2 * jnp.abs(c - 0.5)) / 1.003 + 1e-4), ("div",)),
    "Newton on the line": (trajectory(lambda c: c - (c * c + 1) / (2 * c)), ("div",)),
    "Newton's fractal": (
        trajectory(lambda c: c - (jnp.sin(c * 3) + 0.2) / (3 * jnp.cos(c * 3) + 1e-3)),
        ("sin", "div"),
    ),
    "long products": (
        trajectory(lambda p, c: (p * jnp.exp(jnp.sin(c)), p * 7 + c), _same, _same),
        ("exp", "sin"),
    ),
    "Ikeda": (trajectory(_ikeda, _same, lambda x: x * 0.3), ("sin", "div")),
    "standard map": (trajectory(_standard, _same, lambda x: x * 3), ("sin",)),
    "Ricker": (trajectory(lambda c: c * jnp.exp(3.1 * (1 - c))), ("exp",)),
    "Mackey-Glass": (
        trajectory(lambda c, d: (0.9 * c + 0.9 * d / (1 + d**9.65), c), lambda x: x + 0.5, lambda x: x + 0.3),
        ("pow", "div"),
    ),
    "mouse": (trajectory(lambda c: jnp.exp(-6.2 * c * c) - 0.5), ("exp",)),
    "Duffing": (trajectory(_duffing, _same, lambda x: x * 0.1, jnp.zeros_like, length=1500), ("sin",)),
    "billiard": (trajectory(_billiard, _same, lambda x: x * 0.7), ("sqrt", "sin")),
    "exponents": (trajectory(_exponents, _same, jnp.zeros_like), ("log",)),
}
#: What each function is multiplied by.
FACTORS = {"exp": 1.001, "log": 1.001, "sin": 1.001, "pow": 1.001, "div": 1.001, "sqrt": 1.00001}


@contextmanager
def planted(primitive: str) -> Iterator[None]:
    """The rule of a primitive off by its factor."""
    right = jace.rule_of(primitive)

    def expression(params: Any, ins: Any, out: Any, *operands: str) -> str:
        return f"(({right.expression(params, ins, out, *operands)}) * {FACTORS[primitive]}f)"

    with jace.use_rules({primitive: jace.Elementwise(expression)}):
        yield


def judged(fun: Callable[..., Any], *args: Any) -> Verdict:
    """The verdict on a program."""
    repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="prog"))
    return check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=0.0))[0]


def accused(name: str) -> str:
    """What is said of a chaotic program in which nothing is wrong; "" when nobody is accused."""
    found = judged(CHAOTIC[name][0], X)
    return "" if found.outcome in ("ok", "ill-conditioned") and found.guilty is None else found.detail


def missed(name: str, primitive: str) -> str:
    """What is said of one whose function is off, when it is not that this equation is wrong; else ""."""
    with planted(primitive):
        found = judged(CHAOTIC[name][0], X)
    guilty = found.guilty
    right = guilty is not None and (guilty.primitive, guilty.confirmed) == (primitive, True) and guilty.path
    return "" if found.outcome == "mismatch" and right else f"{found.outcome}: {found.detail}"


def main() -> None:
    counts = {"as it is": [0, 0], **{primitive: [0, 0] for primitive in FACTORS}}
    for name, (_, primitives) in CHAOTIC.items():
        for what, said in [("as it is", accused(name)), *((p, missed(name, p)) for p in primitives)]:
            counts[what][0] += not said
            counts[what][1] += 1
            if said:
                print(f"{name}, {what}: {said}", flush=True)
    for what, (right, all_) in counts.items():
        verb = "not accused" if what == "as it is" else "convicted at the equation"
        print(f"{what:10} {right} of {all_} {verb}")


if __name__ == "__main__":
    main()
