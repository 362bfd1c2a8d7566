"""Largest error of each elementwise function in units in the last place, ours beside XLA's, as a table.

    python scripts/bench_accuracy.py [--points N] [--only NAME,...] [--dtypes f32,f64] [--pipeline P]
                                     [--json FILE] [--table]

Every function is evaluated by jace.jit and by jax.jit on the same points and judged against mpmath: random values
of every binade, values spread over the function's regimes, and neighbourhoods of its roots, poles, switches and
overflow thresholds; the seeds are fixed. A function passes when our largest error is at most XLA's or 4 ULP,
whichever is larger. Exit status 1 if any fails. With --table our errors of the functions that the tester looks at
closely are written to jace_repro/tester/numerics/accuracy.json: `--points 3000 --table` makes it as it is.

How an error is counted:
* the unit is the spacing of the dtype's numbers at the true value;
* where the true value is subnormal, the result must be at most the smallest normal number (both flush to zero);
* where it overflows, the result must be infinite of the right sign, or within 4 units below the largest number;
* lgamma and digamma: an absolute error of at most 4 eps (1 + log(1 + |x|)) counts as none: they have a root between
  each two negative poles, where the reflection formula subtracts numbers of about log|x|.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import mpmath
import numpy as np
from jax import lax

import jace
from jace_repro.tester.numerics import exact_functions
from jace_repro.tester.numerics.exact_functions import EXACT

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]
BOUND = 4.0  # ULP; libmvec promises it
DTYPES = {"f32": np.dtype("f4"), "f64": np.dtype("f8")}


@dataclass(frozen=True)
class Function:
    """One elementwise function.

    Attributes:
        fn: the lax function, of arrays.
        exact: the same of mpmath numbers.
        domain: closed interval of each operand; points outside are dropped.
        spread: ranges over which points are spread uniformly.
        near: points whose neighbourhoods are sampled densely.
        absolute: an absolute error that counts as none, in eps.
        share: this function's share of the points (slow references).
        digits: working precision of the reference.
        whole: the first operand is rounded to a whole number.
    """

    fn: Callable[..., Any]
    exact: Callable[..., Any]
    domain: tuple[tuple[float, float], ...] = ((-np.inf, np.inf),)
    spread: tuple[tuple[float, float], ...] = ((-1, 1), (-10, 10))
    near: tuple[float, ...] = ()
    absolute: float = 0.0
    share: float = 1.0
    digits: int = 40
    whole: bool = False


_PI = float(np.pi)
_QUARTERS = tuple(k * _PI / 4 for k in range(1, 17)) + tuple(k * _PI / 2 for k in (101, 1000, 65537, 10**6))
_LGAMMA_ROOTS = (1, 2, -2.4570247382208005, -2.7476826467274127, -3.1435808883499797, -3.955294284858598)
_DIGAMMA_ROOTS = (1.4616321449683623, -0.5040830082644554, -1.5734984731623904, -2.610720868444144)
_POSITIVE = ((0.0, np.inf),)
_UNIT = ((-1.0, 1.0),)
_EXPONENT = ((-2000.0, 2000.0),)  # beyond, everything is 0, 1 or infinite
_OVERFLOW = (88.0, 88.72, 89.0, -87.3, -88.0, -103.9, 709.78, -708.4, -745.0, 710.47, 89.4)


def _cbrt(x: Any) -> Any:
    return mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)


def _logistic(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


FUNCTIONS: dict[str, Function] = {
    "exp": Function(
        lax.exp, mpmath.exp, _EXPONENT, near=(*_OVERFLOW, 0.5, 1.0), spread=((-1, 1), (-90, 90), (-720, 720))
    ),
    "exp2": Function(
        lax.exp2,
        EXACT["exp2"].of,
        _EXPONENT,
        near=(127, 128, -126, -149, 1023, 1024, -1022, -1074),
        spread=((-1, 1), (-130, 130), (-1080, 1080)),
    ),
    "expm1": Function(
        lax.expm1,
        mpmath.expm1,
        _EXPONENT,
        near=(*_OVERFLOW, -0.5, 0.5, -1.0, -20.0, -40.0),
        spread=((-1, 1), (-90, 90), (-720, 720)),
    ),
    "log": Function(
        lax.log,
        mpmath.log,
        _POSITIVE,
        near=(1.0, 0.5, 0.7071067811865476, 1.4142135623730951, 2.0),
        spread=((0, 2), (0, 100)),
    ),
    "log1p": Function(
        lax.log1p,
        EXACT["log1p"].of,
        ((-1, np.inf),),
        near=(-0.5, -1.0, 1.0, -0.2928932188134524, 0.41421356237309515),
        spread=((-1, 1), (0, 100)),
    ),
    "sin": Function(
        lax.sin, mpmath.sin, near=_QUARTERS, spread=((-1, 1), (-10, 10), (-1e4, 1e4), (-1e7, 1e7))
    ),
    "cos": Function(
        lax.cos, mpmath.cos, near=_QUARTERS, spread=((-1, 1), (-10, 10), (-1e4, 1e4), (-1e7, 1e7))
    ),
    "tan": Function(
        lax.tan, mpmath.tan, near=_QUARTERS, spread=((-1, 1), (-10, 10), (-1e4, 1e4), (-1e7, 1e7))
    ),
    "asin": Function(lax.asin, mpmath.asin, _UNIT, near=(0.5, -0.5, 1.0, -1.0), spread=((-1, 1),)),
    "acos": Function(lax.acos, mpmath.acos, _UNIT, near=(0.5, -0.5, 1.0, -1.0), spread=((-1, 1),)),
    "atan": Function(
        lax.atan, mpmath.atan, near=(1, 0.4375, 0.6875, 1.1875, 2.4375, 0.414213562373, 2.414213562373)
    ),
    "sinh": Function(
        lax.sinh,
        EXACT["sinh"].of,
        _EXPONENT,
        near=(*_OVERFLOW, 1, 22, 0.5),
        spread=((-1, 1), (-90, 90), (-720, 720)),
    ),
    "cosh": Function(
        lax.cosh,
        EXACT["cosh"].of,
        _EXPONENT,
        near=(*_OVERFLOW, 1, 22, 0.5),
        spread=((-1, 1), (-90, 90), (-720, 720)),
    ),
    "tanh": Function(
        lax.tanh,
        mpmath.tanh,
        _EXPONENT,
        near=(0.625, 0.55, 9, 22, 19, 0.0004),
        spread=((-1, 1), (-10, 10), (-25, 25)),
    ),
    "asinh": Function(lax.asinh, mpmath.asinh, near=(1, 0.5, 2, 1e-4)),
    "acosh": Function(lax.acosh, mpmath.acosh, ((1, np.inf),), near=(1, 2, 1.5), spread=((1, 2), (1, 100))),
    "atanh": Function(lax.atanh, EXACT["atanh"].of, _UNIT, near=(0.5, -0.5, 1.0, -1.0), spread=((-1, 1),)),
    "cbrt": Function(lax.cbrt, _cbrt, near=(1, 2, 8, 27)),
    "sqrt": Function(lax.sqrt, mpmath.sqrt, _POSITIVE, near=(1, 2, 4)),
    "rsqrt": Function(lax.rsqrt, lambda x: 1 / mpmath.sqrt(x), _POSITIVE, near=(1, 2, 4)),
    "logistic": Function(
        lax.logistic, _logistic, _EXPONENT, near=(*_OVERFLOW, 0), spread=((-1, 1), (-90, 90), (-720, 720))
    ),
    "erf": Function(
        lax.erf, mpmath.erf, _EXPONENT, near=(0.84375, 1, 1.25, 2.857, 4, 6, 0.5), spread=((-1, 1), (-7, 7))
    ),
    "erfc": Function(
        lax.erfc,
        EXACT["erfc"].of,
        _EXPONENT,
        near=(0.84375, 1, 1.25, 2.857, 4, 6, 9.19, 10, 26.5, 0.5, 28),
        spread=((-1, 1), (-7, 7), (0, 10), (0, 28)),
    ),
    "erf_inv": Function(
        lax.erf_inv, EXACT["erf_inv"].of, _UNIT, near=(1, -1, 0.5, 0.99, 0.9966), spread=((-1, 1),), share=0.3
    ),
    "lgamma": Function(
        lax.lgamma,
        EXACT["lgamma"].of,
        near=(*_LGAMMA_ROOTS, -1, -2, -3, 0.5, 7.5, 8, 1e-3),
        spread=((-1, 1), (-10, 10), (0, 3), (0, 200), (-170, 0)),
        absolute=4,
        share=0.5,
        digits=60,
    ),
    "digamma": Function(
        lax.digamma,
        EXACT["digamma"].of,
        ((-1e6, np.inf),),
        near=(*_DIGAMMA_ROOTS, 0.5, 1, 2, 10, -1, -2),
        spread=((-1, 1), (-10, 10), (0, 3), (0, 200), (-170, 0)),
        absolute=4,
        share=0.4,
        digits=40,
    ),
    "bessel_i0e": Function(
        lax.bessel_i0e,
        EXACT["bessel_i0e"].of,
        near=(8, -8),
        spread=((-1, 1), (-10, 10), (0, 100)),
        share=0.2,
    ),
    "bessel_i1e": Function(
        lax.bessel_i1e,
        EXACT["bessel_i1e"].of,
        near=(8, -8),
        spread=((-1, 1), (-10, 10), (0, 100)),
        share=0.2,
    ),
    "square": Function(lax.square, lambda x: x * x),
    "integer_pow_3": Function(lambda x: lax.integer_pow(x, 3), lambda x: x**3),
    "integer_pow_10": Function(lambda x: lax.integer_pow(x, 10), lambda x: x**10),
    "integer_pow_-2": Function(lambda x: lax.integer_pow(x, -2), lambda x: 1 / x**2),
    "add": Function(lax.add, lambda x, y: x + y, ((-np.inf, np.inf),) * 2),
    "sub": Function(lax.sub, lambda x, y: x - y, ((-np.inf, np.inf),) * 2),
    "mul": Function(lax.mul, lambda x, y: x * y, ((-np.inf, np.inf),) * 2),
    "div": Function(lax.div, lambda x, y: x / y, ((-np.inf, np.inf),) * 2),
    "rem": Function(
        lax.rem,
        lambda x, y: mpmath.sign(x) * mpmath.fmod(abs(x), abs(y)),
        ((-np.inf, np.inf),) * 2,
        digits=700,
        share=0.5,
    ),
    "atan2": Function(lax.atan2, mpmath.atan2, ((-np.inf, np.inf),) * 2, near=(1, -1)),
    "pow": Function(
        lax.pow,
        mpmath.power,
        ((0, np.inf), (-np.inf, np.inf)),
        near=(1, 2, 0.5),
        spread=((0, 2), (-20, 20), (-100, 100)),
    ),
    "zeta": Function(
        lax.zeta,
        EXACT["zeta"].of,
        ((1.0, 200.0), (1e-3, 1e6)),
        spread=((1, 3), (1, 50)),
        share=0.03,
        digits=200,
    ),
    "polygamma": Function(
        lax.polygamma,
        EXACT["polygamma"].of,
        ((0.0, 30.0), (1e-3, 1e4)),
        spread=((1, 3), (0, 50)),
        share=0.03,
        digits=200,
        whole=True,
    ),
    "igamma": Function(
        lax.igamma,
        EXACT["igamma"].of,
        ((1e-2, 1e3), (1e-3, 2e3)),
        spread=((0, 2), (0, 30)),
        share=0.03,
    ),
    "igammac": Function(
        lax.igammac,
        EXACT["igammac"].of,
        ((1e-2, 1e3), (1e-3, 2e3)),
        spread=((0, 2), (0, 30)),
        share=0.03,
    ),
    "regularized_incomplete_beta": Function(
        lax.betainc,
        EXACT["regularized_incomplete_beta"].of,
        ((1e-2, 50.0), (1e-2, 50.0), (1e-6, 1.0)),
        spread=((0, 1), (0, 30)),
        share=0.03,
    ),
}


def spaced(rng: np.random.Generator, dtype: DType, count: int) -> Array:
    """`count` values, every binade of normal numbers as likely, both signs."""
    info = np.finfo(dtype)
    exponent = rng.integers(info.minexp, info.maxexp, count)
    return (np.ldexp(1 + rng.random(count), exponent) * rng.choice([-1, 1], count)).astype(dtype)


def around(rng: np.random.Generator, points: Sequence[float], dtype: DType, count: int) -> Array:
    """Values near the points: relative distances from one eps to 1/10, evenly over the scales."""
    centre = rng.choice(np.array([*points, *(-p for p in points)]), count)
    distance = np.exp(rng.uniform(np.log(np.finfo(dtype).eps), np.log(0.1), count))
    return (centre * (1 + distance * rng.choice([-1, 1], count))).astype(dtype)


def operand(
    rng: np.random.Generator, function: Function, dtype: DType, count: int, domain: tuple[float, float]
) -> Array:
    """`count` values inside of the domain: a third of every binade, a third spread, a third near points."""
    found = np.empty(0, dtype)
    while found.size < count:
        parts = [spaced(rng, dtype, count), np.exp(rng.uniform(-12, 7, count)) * rng.choice([-1, 1], count)]
        parts += [rng.uniform(*limits, count) for limits in function.spread]
        weights = [1, 1] + [1] * len(function.spread)
        if function.near:
            parts += [around(rng, function.near, dtype, count)]
            weights += [2]
        which = rng.choice(len(parts), count, p=np.array(weights) / sum(weights))
        with np.errstate(all="ignore"):
            x = np.choose(which, [p.astype(np.float64) for p in parts]).astype(dtype)
        low, high = domain
        keep = np.isfinite(x) & (x >= low) & (x <= high) & ((abs(x) >= np.finfo(dtype).tiny) | (x == 0))
        found = np.concatenate([found, x[keep]])
    return found[:count]


def sample(name: str, dtype: DType, points: int) -> tuple[Array, ...]:
    """The operands of a function: the same for the same arguments."""
    function = FUNCTIONS[name]
    rng = np.random.default_rng([points, *name.encode(), dtype.itemsize])
    count = max(64, int(points * function.share))
    first, *rest = (operand(rng, function, dtype, count, d) for d in function.domain)
    return (np.rint(first) if function.whole else first, *rest)


@dataclass(frozen=True)
class Truth:
    """The true value of a function at a point, the unit of the errors there, and the error that counts as none."""

    value: Any
    unit: Any
    slack: float


def truths(name: str, args: tuple[Array, ...], dtype: DType) -> list[Truth | None]:
    """Those of a function at some points; None at a pole."""
    function, info = FUNCTIONS[name], np.finfo(dtype)
    mp = mpmath.mpf
    tiny, digits = mp(float(info.tiny)), info.nmant
    found: list[Truth | None] = []
    with mpmath.workdps(function.digits):
        for point in zip(*args, strict=True):
            try:
                true = function.exact(*(mp(float(x)) for x in point))
            except (ZeroDivisionError, ValueError):
                true = mpmath.nan  # a pole: what stands there is an edge case, tested elsewhere
            if isinstance(true, mpmath.mpc) or not mpmath.isfinite(true):
                found.append(None)
                continue
            size = abs(true)
            slack = function.absolute * float(info.eps) * (1 + np.log1p(abs(float(point[0]))))
            unit = mpmath.ldexp(1, int(mpmath.floor(mpmath.log(size, 2))) - digits) if size > tiny else tiny
            found.append(Truth(true, unit, slack))
    return found


def errors(name: str, known: Sequence[Truth | None], result: Array) -> Array:
    """ULP errors of the result of a function."""
    info = np.finfo(result.dtype)
    tiny, top = mpmath.mpf(float(info.tiny)), mpmath.mpf(float(info.max))
    with mpmath.workdps(FUNCTIONS[name].digits):
        return np.array(
            [
                0.0 if t is None else _error(float(got), t.value, t.unit, tiny, top, t.slack)
                for got, t in zip(result, known, strict=True)
            ]
        )


def _error(got: float, true: Any, unit: Any, tiny: Any, top: Any, slack: Any) -> float:
    if got != got:
        return float("inf")
    if abs(true) < tiny:
        return 0.0 if abs(got) <= tiny else float("inf")
    if abs(got) == float("inf"):
        return 0.0 if abs(true) >= top - 4 * unit and (got > 0) == (true > 0) else float("inf")
    gap = abs(mpmath.mpf(got) - true)
    if abs(true) < tiny * (1 + 4 * mpmath.mpf(2) ** -20) and got == 0:
        return 0.0  # rounds to a subnormal, which is flushed
    return 0.0 if gap <= slack else float(gap / unit)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    dtype: str
    points: int
    ours: float
    xla: float
    worst: list[float]
    passed: bool


def run(
    names: Sequence[str], dtype_name: str, points: int, pipeline: str = "fused", *, whole: bool = True
) -> list[Row]:
    """Measure functions in one dtype; one program of all of them on each side.

    Unless `whole`, XLA is measured only where our error is above BOUND, and has to be larger there.
    """
    dtype = DTYPES[dtype_name]
    with jax.enable_x64(True):
        operands = {name: sample(name, dtype, points) for name in names}

        def program(given: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
            return {name: FUNCTIONS[name].fn(*args) for name, args in given.items()}

        ours = {k: np.asarray(v) for k, v in jace.jit(program, pipeline=pipeline)(operands).items()}
        known = {name: truths(name, operands[name], dtype) for name in names}
        mine = {name: errors(name, known[name], ours[name]) for name in names}
        asked = {name: operands[name] for name in names if whole or mine[name].max() > BOUND}
        xla = {k: errors(k, known[k], np.asarray(v)) for k, v in jax.jit(program)(asked).items()}
    rows = []
    for name in names:
        worst = int(mine[name].argmax())
        largest, theirs = float(mine[name].max()), float(xla[name].max()) if name in xla else float("nan")
        where = [float(a[worst]) for a in operands[name]]
        passed = largest <= BOUND or largest <= theirs
        rows.append(Row(name, dtype_name, mine[name].size, largest, theirs, where, passed))
    return rows


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    print(f"{'function':<28}{'dtype':<6}{'points':>8}{'ours':>12}{'XLA':>12}  ours is worst at")
    for r in rows:
        where, verdict = ", ".join(map(repr, r.worst)), "PASS" if r.passed else "FAIL"
        print(f"{r.name:<28}{r.dtype:<6}{r.points:>8}{r.ours:>12.4g}{r.xla:>12.4g}  {where:<48}{verdict}")


def write_table(rows: Sequence[Row]) -> None:
    """Our errors of the functions that `jace_repro.tester.numerics.closely` looks at."""
    table: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.name in EXACT:
            table.setdefault(row.name, {})[row.dtype] = float(f"{row.ours:.4g}")
    path = Path(exact_functions.__file__).parent / "accuracy.json"
    path.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--points", type=int, default=20000)
    parser.add_argument("--only", default="", help="names, comma-separated")
    parser.add_argument("--dtypes", default="f32,f64")
    parser.add_argument("--pipeline", default="fused")
    parser.add_argument("--json", default="")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(FUNCTIONS)
    rows = [
        row
        for dtype in options.dtypes.split(",")
        for row in run(names, dtype, options.points, options.pipeline)
    ]
    show(rows)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([vars(row) for row in rows], file, indent=1)
    if options.table:
        write_table(rows)
    failed = [row for row in rows if not row.passed]
    print(f"{len(rows) - len(failed)} of {len(rows)} pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
