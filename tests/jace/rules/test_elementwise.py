"""Every elementwise rule against XLA: one C++ loop for each (primitive, dtype), many in a translation unit.

Exact where arithmetic, data movement or an edge case is concerned; for transcendental functions the error
against 50-digit arithmetic is at most ULP_BOUND, or XLA's own where that is larger.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import ml_dtypes
import mpmath
import numpy as np
import pytest
import scipy.special
from agreement import settled
from both_ways import UNOPTIMISED
from jax import lax
from jax._src.lax import lax as lax_internal

import jace.rules  # noqa: F401  (registers the rules)
from jace import registry
from jace.build.runtime import runtime_text
from jace.dtypes import ctype

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]

BOOL = np.dtype(bool)
BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8")]
WIDE = FLOATS[2:]
INTS = [np.dtype(code) for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
COMPLEX = [np.dtype("c8"), np.dtype("c16")]
SOME_INTS = [np.dtype(code) for code in ("i1", "i8", "u2", "u4")]


@dataclass(frozen=True)
class Case:
    """`fn` traces to one equation of lax; `args` are one-dimensional."""

    name: str
    fn: Callable[..., Any]
    args: tuple[Array, ...]


def special_values(dtype: DType) -> Array:
    """Signed zeros, infinities, NaN, subnormals, limits, edges of the integer types, ordinary values."""
    if dtype == BOOL:
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, info.max, info.max - 1, info.max // 2]
        values += [-1, -2, -3, -8, -64, -100, info.min, info.min + 1, info.min // 2]
        return np.array([v for v in values if info.min <= v <= info.max], dtype)
    info = ml_dtypes.finfo(dtype)
    values = [0, 1, 0.5, 1.5, 2, 2.5, 3, 0.1, 1e-3, 7, 100, np.pi, 1e4, 0.49999997, 0.99999, np.inf]
    values += [127, 128, 255, 256, 32767, 32768, 65535, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 2147483520.0]
    values += [float(info.max), float(info.tiny), float(info.tiny) / 2, float(info.smallest_subnormal)]
    with np.errstate(all="ignore"):
        positive = np.array(values, np.float64).astype(dtype)
    return np.concatenate([positive, -positive, np.array([np.nan], dtype)])


def values(dtype: DType, seed: int = 0) -> Array:
    """Special values and random ones."""
    rng = np.random.default_rng(seed)
    if dtype == BOOL:
        return np.array([False, True] * 8)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.concatenate(
            [special_values(dtype), rng.integers(info.min, info.max, 100, dtype, endpoint=True)]
        )
    if dtype.kind == "c":
        re, im = grid(real_of(dtype), real_of(dtype))
        return joined(re, im, dtype)
    scale = np.exp(rng.uniform(-30, 30, 60))
    random = np.concatenate([rng.normal(size=60), rng.normal(size=60) * 100, scale, -scale])
    with np.errstate(all="ignore"):
        return np.concatenate([special_values(dtype), random.astype(dtype)])


def real_of(dtype: DType) -> DType:
    return np.dtype(f"f{dtype.itemsize // 2}")


def joined(re: Array, im: Array, dtype: DType) -> Array:
    out = np.empty(re.size, dtype)
    out.real, out.imag = re, im
    return out


def grid(first: DType, second: DType) -> tuple[Array, Array]:
    """Every special value with every other."""
    x, y = np.meshgrid(special_values(first), special_values(second), indexing="ij")
    return x.ravel(), y.ravel()


def pairs(dtype: DType) -> tuple[Array, Array]:
    """All pairs of special values (complex: random pairs of them) and some random ones."""
    if dtype.kind == "c":
        return tuple(picked(values(dtype), 2, 3000))  # type: ignore[return-value]
    x, y = grid(dtype, dtype)
    a, b = values(dtype, 1)[-60:], values(dtype, 2)[-60:]
    return np.concatenate([x, a]), np.concatenate([y, b])


def picked(pool: Array, count: int, size: int) -> Iterator[Array]:
    rng = np.random.default_rng(7)
    return (pool[rng.integers(0, pool.size, size)].copy() for _ in range(count))


def bind(name: str, **params: Any) -> Callable[..., Any]:
    primitive = getattr(lax_internal, f"{name}_p")
    return lambda *args: primitive.bind(*args, **params)


def convert_to(dtype: DType) -> Callable[..., Any]:
    return bind("convert_element_type", new_dtype=dtype, weak_type=False, sharding=None)


_BINARY: list[tuple[str, list[DType]]] = [
    *((name, FLOATS + INTS) for name in ("add", "sub", "mul", "div", "rem", "max", "min")),
    *((name, FLOATS + SOME_INTS + [BOOL]) for name in ("eq", "ne", "lt", "le", "gt", "ge")),
    *((name, FLOATS + SOME_INTS + [BOOL]) for name in ("eq_to", "le_to", "lt_to")),
    *((name, [BOOL]) for name in ("max", "min")),
    *((name, COMPLEX) for name in ("add", "sub", "eq", "ne", "max", "min")),
    *((name, [*INTS, BOOL]) for name in ("and", "or", "xor")),
    *((name, INTS) for name in ("shift_left", "shift_right_arithmetic", "shift_right_logical")),
    ("nextafter", FLOATS),
]
_UNARY: list[tuple[str, list[DType]]] = [
    ("neg", FLOATS + INTS + COMPLEX), ("sign", FLOATS + INTS), ("abs", FLOATS + INTS[:4]),
    ("square", FLOATS + INTS), ("not", [*INTS, BOOL]), ("population_count", INTS), ("clz", INTS),
    ("floor", FLOATS), ("ceil", FLOATS), ("is_finite", FLOATS), ("real", COMPLEX), ("imag", COMPLEX),
]  # fmt: skip
_PLAIN_PARAMS: dict[str, dict[str, Any]] = {"mul": {"out_dtype": None}, "sqrt": {"accuracy": None}}


def exact_cases() -> list[Case]:
    """Where ours must be XLA's bit for bit (any NaN for a NaN)."""
    cases = []

    def add(name: str, fn: Callable[..., Any], *args: Array) -> None:
        cases.append(Case(name, fn, args))

    for name, dtypes in _BINARY:
        for d in dtypes:
            add(f"{name}-{d}", bind(name, **_PLAIN_PARAMS.get(name, {})), *pairs(d))
    for name, dtypes in _UNARY:
        for d in dtypes:
            add(f"{name}-{d}", bind(name), values(d))
    for d in FLOATS:
        add(f"sqrt-{d}", bind("sqrt", accuracy=None), values(d))
        for method in lax.RoundingMethod:
            add(f"round-{method.name}-{d}", bind("round", rounding_method=method), values(d))
        for e, m in [(5, 10), (8, 7), (3, 0), (11, 3)]:
            add(
                f"reduce_precision-{e}-{m}-{d}",
                bind("reduce_precision", exponent_bits=e, mantissa_bits=m),
                values(d),
            )
    for d in FLOATS + INTS:
        for y in (0, 2, 3, 10) if d.kind in "iu" else (0, 2, 3, 10, -1, -3):
            add(f"integer_pow-{y}-{d}", bind("integer_pow", y=y), values(d))
        add(f"clamp-{d}", bind("clamp"), *picked(values(d), 3, 2000))
    for d in [*FLOATS, *INTS, BOOL, COMPLEX[0]]:
        x, y, z = picked(values(d), 3, 500)
        which = np.random.default_rng(3).integers(-2, 6, 500).astype(np.int32)
        add(f"select_n-2-{d}", bind("select_n"), which > 1, x, y)
        add(f"select_n-3-{d}", bind("select_n"), which, x, y, z)
    every = [BOOL, *INTS, *FLOATS, *COMPLEX]
    for d in every:
        for to in every:
            if d != to and (d not in INTS or to not in INTS or {d, to} <= set(SOME_INTS)):
                add(f"convert-{d}-{to}", convert_to(to), values(d))
    for d in COMPLEX:
        re, im = grid(real_of(d), real_of(d))
        add(f"complex-{d}", bind("complex"), re, im)
        add(f"conj-{d}", bind("conj", input_dtype=d), values(d))
        add(f"conj-{real_of(d)}", bind("conj", input_dtype=real_of(d)), re)
    add("copy-f4", bind("copy"), values(np.dtype("f4")))
    return cases


# Largest error in ULP that is accepted where XLA's own is smaller (libmvec promises 4).
ULP_BOUND = 4.0

TRANSCENDENTAL = (
    "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "cbrt", "rsqrt", "logistic", "erf", "erfc", "erf_inv", "lgamma",
    "digamma", "bessel_i0e", "bessel_i1e", "pow", "atan2",
)  # fmt: skip


def sample(name: str, dtype: DType, size: int = 40) -> tuple[Array, ...]:
    """Operands inside the domain of a function, spread over its regimes."""
    rng = np.random.default_rng(11)
    if name == "pow":
        return np.exp(rng.uniform(-30, 30, 4 * size)).astype(dtype), (rng.normal(size=4 * size) * 2).astype(
            dtype
        )
    if name == "atan2":
        return rng.normal(size=4 * size).astype(dtype), rng.normal(size=4 * size).astype(dtype)
    sign = rng.choice([-1, 1], size)
    middle, small, near_one = (
        rng.normal(size=size) * 4,
        rng.uniform(-1, 1, size),
        1 + rng.normal(size=size) * 1e-3,
    )
    tiny = np.exp(rng.uniform(-80, -5, size)) * sign
    large = np.exp(rng.uniform(np.log(1e-6), np.log(1e4), size)) * sign
    exponents = rng.uniform(-86, 86, size) * (1 if dtype.itemsize == 4 else 8)
    growing, positive = [middle, small, tiny, exponents], [abs(middle), abs(small), near_one, abs(large)]
    unit, gamma = [small, np.tanh(middle), tiny], [abs(middle), abs(large), middle * 5]
    parts: dict[str, list[Array]] = {
        **dict.fromkeys(("exp", "expm1", "sinh", "cosh", "logistic"), growing),
        **{f: [*positive, np.exp(exponents)] for f in ("log", "rsqrt")},
        **dict.fromkeys(("asin", "acos", "atanh", "erf_inv"), unit),
        "lgamma": gamma,
        "digamma": [
            x[abs(scipy.special.digamma(x)) > 0.3] for x in gamma
        ],  # relative error is lost at its roots
        "exp2": [middle, small, tiny, exponents * 1.4],
        "log1p": [abs(large), small, tiny],
        "acosh": [1 + abs(np.concatenate([middle, small, large, tiny]))],
        "erfc": [middle, small, tiny, rng.uniform(0, 9 if dtype.itemsize == 4 else 26, size)],
    }
    x = np.concatenate(parts.get(name, [middle, small, near_one, large, tiny])).astype(dtype)
    return (x[abs(x) < 1] if name in ("atanh", "erf_inv") else x,)


def equation_of(case: Case) -> Any:
    """The single equation that the case traces to.

    Raises:
        ValueError: it does not trace to one equation of its arguments in order.
    """
    closed = jax.make_jaxpr(case.fn)(*case.args)
    if len(closed.jaxpr.eqns) != 1 or list(closed.jaxpr.eqns[0].invars) != list(closed.jaxpr.invars):
        raise ValueError(f"{case.name} is not one equation: {closed}")
    return closed.jaxpr.eqns[0]


# ---- running a set of cases both ways ------------------------------------------------------------

FLAGS = (
    "-O3",
    "-std=c++20",
    "-march=native",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-mprefer-vector-width=512",
)
MORE_FLAGS = ("-fopenmp-simd", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function")


def loop_source(name: str, case: Case) -> str:
    """A C++ function `name(operands..., out, n)` that applies the case's rule to every element."""
    eqn = equation_of(case)
    dtypes = tuple(np.dtype(v.aval.dtype) for v in eqn.invars)
    out = np.dtype(eqn.outvars[0].aval.dtype)
    rule = registry.lookup(eqn.primitive.name)
    if not isinstance(rule, registry.Elementwise):
        raise TypeError(f"{eqn.primitive.name} has no elementwise rule")
    names = [f"x{k}" for k in range(len(dtypes))]
    value = rule.expression(eqn.params, dtypes, out, *names)
    parameters = "".join(f"const {ctype(d)}* p{k}, " for k, d in enumerate(dtypes))
    loads = " ".join(
        f"const {ctype(d)} x{k} = jace::load<{ctype(d)}>(p{k}[i]);" for k, d in enumerate(dtypes)
    )
    return (
        f'extern "C" void {name}({parameters}{ctype(out)}* __restrict__ out, long n) {{\n'
        f"  jace::ftz_scope ftz;\n"
        f"#pragma GCC ivdep\n  for (long i = 0; i < n; ++i) {{ {loads} out[i] = {value}; }}\n}}\n"
    )


def run_ours(cases: list[Case], folder: Path, flags: tuple[str, ...] = FLAGS) -> list[Array]:
    source, library = folder / "loops.cpp", folder / "loops.so"
    loops = [loop_source(f"loop{k}", case) for k, case in enumerate(cases)]
    source.write_text("\n".join([runtime_text(), *loops]), encoding="utf-8")
    compiler = shutil.which("g++")
    assert compiler, "the tests of the C++ runtime need g++"
    command = [compiler, *flags, *MORE_FLAGS, str(source), "-o", str(library), "-lmvec", "-lm"]
    subprocess.run(command, check=True, timeout=300)
    loaded = ctypes.CDLL(str(library))
    outputs = []
    for k, case in enumerate(cases):
        out = np.empty(case.args[0].shape, equation_of(case).outvars[0].aval.dtype)
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*case.args, out)]
        getattr(loaded, f"loop{k}")(*pointers, ctypes.c_long(out.size))
        outputs.append(out)
    return outputs


def run_xla(cases: list[Case], options: dict[str, Any]) -> list[Array]:
    every = jax.jit(
        lambda operands: [c.fn(*args) for c, args in zip(cases, operands, strict=True)],
        compiler_options=options,
    )
    return [np.asarray(r) for r in every([c.args for c in cases])]


Results = dict[str, tuple[Case, Array, Array]]


def run_both(cases: list[Case], folder: Path, options: dict[str, Any]) -> Results:
    """Both results of each case; XLA's with its `options`."""
    with jax.enable_x64(True):
        ours, xla = run_ours(cases, folder), run_xla(cases, options)
    return {c.name: (c, a, b) for c, a, b in zip(cases, ours, xla, strict=True)}


def run_sets(sets: Sequence[list[Case]], folder: Path) -> list[Results]:
    """The results of several sets of cases. A function that is in more than one is compiled once, for all operands."""
    named: dict[str, list[Case]] = {}
    for case in itertools.chain(*sets):
        named.setdefault(case.name, []).append(case)
    joint = [
        Case(
            name, cases[0].fn, tuple(np.concatenate(xs) for xs in zip(*(c.args for c in cases), strict=True))
        )
        for name, cases in named.items()
    ]
    found, start = run_both(joint, folder, {}), dict.fromkeys(named, 0)
    out: list[Results] = []
    for cases in sets:
        out.append({})
        for case in cases:
            _, ours, xla = found[case.name]
            part = slice(start[case.name], start[case.name] + case.args[0].size)
            start[case.name] = part.stop
            out[-1][case.name] = case, ours[part], xla[part]
    return out


def same_bits(a: Array, b: Array) -> Array:
    """Elementwise: equal bits, or NaN in both."""
    if a.dtype.kind == "c":
        return same_bits(a.real.copy(), b.real.copy()) & same_bits(a.imag.copy(), b.imag.copy())
    bits = np.dtype(f"u{a.dtype.itemsize}")
    equal = a.view(bits) == b.view(bits)
    return equal if a.dtype.kind in "biu" else equal | ((a != a) & (b != b))


def differing(case: Case, ours: Array, xla: Array, bad: Array) -> str:
    rows = [f"{[x[i] for x in case.args]}: ours {ours[i]!r}, XLA {xla[i]!r}" for i in np.flatnonzero(bad)[:5]]
    return f"{case.name}: {int(bad.sum())} of {bad.size} differ\n" + "\n".join(rows)


# ---- exact ---------------------------------------------------------------------------------------


def _named(make: Callable[[], list[Case]]) -> list[str]:
    with jax.enable_x64(True):
        return [c.name for c in make()]


#: Tested of all integers, by pairs of edges, in test_edge_semantics.py: here of SOME_INTS, and of all with `-m slow`.
IN_EDGE_SEMANTICS = frozenset(
    {
        "add", "sub", "mul", "div", "rem", "max", "min", "xor", "shift_left", "shift_right_arithmetic",
        "shift_right_logical", "neg", "sign", "abs", "not", "population_count", "clz", "integer_pow",
    }
)  # fmt: skip
OTHER_INTS = frozenset(str(d) for d in INTS if d not in SOME_INTS)


def other_integers(case: Case) -> bool:
    function, *_, dtype = case.name.split("-")
    return function in IN_EDGE_SEMANTICS and dtype in OTHER_INTS


def most_exact_cases() -> list[Case]:
    return [case for case in exact_cases() if not other_integers(case)]


def other_exact_cases() -> list[Case]:
    return [case for case in exact_cases() if other_integers(case)]


def assert_bitwise_equal(case: Case, ours: Array, xla: Array) -> None:
    extreme = case.name.partition("-")[0] in ("max", "min", "clamp")
    same = same_bits(settled(ours), settled(xla)) if extreme else same_bits(ours, xla)
    assert same.all(), differing(case, ours, xla, ~same)


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Results:
    with jax.enable_x64(True):
        return run_both(most_exact_cases(), tmp_path_factory.mktemp("exact"), UNOPTIMISED)


@pytest.mark.parametrize("name", _named(most_exact_cases))
def test_bitwise_equal_to_xla(exact: Results, name: str) -> None:
    assert_bitwise_equal(*exact[name])


@pytest.mark.slow
def test_bitwise_equal_to_xla_in_all_other_integers(tmp_path: Path) -> None:
    with jax.enable_x64(True):
        cases = other_exact_cases()
    for case, ours, xla in run_both(cases, tmp_path, UNOPTIMISED).values():
        assert_bitwise_equal(case, ours, xla)


# ---- transcendental ------------------------------------------------------------------------------

REFERENCE: dict[str, Callable[..., Any]] = {
    "exp2": lambda x: mpmath.power(2, x),
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "digamma": lambda x: mpmath.psi(0, x),
    "erf_inv": mpmath.erfinv,
    "bessel_i0e": lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)),
    "bessel_i1e": lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)),
    "pow": mpmath.power,
}


def ulp_errors(name: str, args: tuple[Array, ...], got: Array) -> Array:
    """Error of each element in units in the last place; 0 where the true value is not a normal number."""
    info = np.finfo(got.dtype)
    exact_function = REFERENCE.get(name) or getattr(mpmath, name)
    errors = np.zeros(got.shape)
    with mpmath.workdps(50):
        for i, y in enumerate(got):
            true = exact_function(*(mpmath.mpf(float(x[i])) for x in args))
            if float(info.tiny) <= abs(true) <= float(info.max):
                unit = mpmath.power(2, mpmath.floor(mpmath.log(abs(true), 2)) - info.nmant)
                errors[i] = float(abs(mpmath.mpf(float(y)) - true) / unit) if np.isfinite(y) else np.inf
    return errors


def accuracy_cases() -> list[Case]:
    return [Case(f"{n}-{d}", getattr(lax, n), sample(n, d)) for n in TRANSCENDENTAL for d in WIDE]


def edge_cases() -> list[Case]:
    cases = [
        Case(f"{n}-{d}", getattr(lax, n), (special_values(d),)) for n in TRANSCENDENTAL[:-2] for d in FLOATS
    ]
    return cases + [
        Case(f"{n}-{d}", getattr(lax, n), grid(d, d)) for n in TRANSCENDENTAL[-2:] for d in FLOATS
    ]


@pytest.fixture(scope="module")
def accuracy(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_both(accuracy_cases(), tmp_path_factory.mktemp("accuracy"), {})


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_both(edge_cases(), tmp_path_factory.mktemp("edges"), {})


@pytest.mark.parametrize("name", _named(accuracy_cases))
def test_accuracy_against_many_digits(accuracy: Results, name: str) -> None:
    case, ours, xla = accuracy[name]
    which = name.split("-")[0]
    ours_error, xla_error = ulp_errors(which, case.args, ours), ulp_errors(which, case.args, xla)
    worst = int(ours_error.argmax())
    bound = max(ULP_BOUND, float(xla_error.max()))
    assert ours_error[worst] <= bound, f"{ours_error[worst]} ULP at {[x[worst] for x in case.args]}"


def kinds(x: Array) -> Array:
    """NaN, infinity, zero or ordinary, with its sign; a subnormal is a zero."""
    y = x.astype(np.float64)
    zero = np.abs(y) < float(ml_dtypes.finfo(x.dtype).tiny)
    kind = np.where(zero, 1, np.where(np.isinf(y), 3, 2)) * np.where(np.signbit(y), -1, 1)
    return np.where(np.isnan(y), 9, kind)


def excused(name: str, args: tuple[Array, ...]) -> Array:
    """Edges where XLA is wrong (or flushes a subnormal operand in its own way) and ours is right."""
    with np.errstate(all="ignore"):
        sizes = [np.abs(a.astype(np.float64)) for a in args]
    tiny = float(ml_dtypes.finfo(args[0].dtype).tiny)
    subnormal = functools.reduce(np.logical_or, [(s < tiny) & (s > 0) for s in sizes])
    if name == "asin":  # XLA: asin of the smallest normal number is 0
        return subnormal | (sizes[0] == tiny)
    if name == "tan":  # without AVX-512 ours of the smallest normal number is just below it: a zero here
        return subnormal | (sizes[0] == tiny)
    if name == "lgamma":  # XLA: lgamma(1) = 4.8e-7 in f32
        return subnormal | (sizes[0] == 1)
    return subnormal


@pytest.mark.parametrize("name", _named(edge_cases))
def test_edges_as_in_xla(edges: Results, name: str) -> None:
    case, ours, xla = edges[name]
    bad = kinds(ours) != kinds(xla)
    bad &= ~excused(name.split("-")[0], case.args)
    assert not bad.any(), differing(case, ours, xla, bad)


# ---- complex functions ---------------------------------------------------------------------------

COMPLEX_FUNCTIONS = (
    "abs", "sign", "exp", "exp2", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "expm1", "log1p", "asin", "acos", "atan", "asinh", "acosh", "atanh", "logistic", "square",
)  # fmt: skip


def complex_plane(dtype: DType, edge: bool) -> Array:
    """Ordinary points (and points on the axes), or all pairs of edge values."""
    real = real_of(dtype)
    if edge:
        axis = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 2.5, -0.3, 100, 89], real)
        re, im = np.meshgrid(axis, axis)
        return joined(re.ravel(), im.ravel(), dtype)
    rng = np.random.default_rng(5)
    z = (rng.normal(size=60) * 2 + 1j * rng.normal(size=60) * 2).astype(dtype)
    z[:10].imag, z[10:20].real = 0, 0
    return z


def complex_cases(edge: bool) -> list[Case]:
    cases = []
    for d in COMPLEX:
        z = complex_plane(d, edge)
        cases += [Case(f"{n}-{d}", getattr(lax, n), (z,)) for n in COMPLEX_FUNCTIONS]
        for n in ("mul", "div", "pow", "atan2"):
            pool = z[20:] if n == "atan2" and not edge else z  # XLA's own branch on the axes
            cases.append(Case(f"{n}-{d}", getattr(lax, n), tuple(picked(pool, 2, 500))))
    return cases


@pytest.fixture(scope="module")
def both_complex(tmp_path_factory: pytest.TempPathFactory) -> list[Results]:
    return run_sets([complex_cases(False), complex_cases(True)], tmp_path_factory.mktemp("complex"))


@pytest.fixture(scope="module")
def complex_results(both_complex: list[Results]) -> Results:
    return both_complex[0]


@pytest.fixture(scope="module")
def complex_edges(both_complex: list[Results]) -> Results:
    return both_complex[1]


@pytest.mark.parametrize("name", _named(lambda: complex_cases(False)))
def test_complex_values(complex_results: Results, name: str) -> None:
    _, ours, xla = complex_results[name]
    eps = float(np.finfo(ours.dtype).eps)
    bad = ~np.isclose(ours, xla, rtol=200 * eps, atol=20 * eps, equal_nan=True)
    assert not bad.any(), differing(*complex_results[name], bad)


# Where XLA's special cases are met in full: branch cuts (the sign of a zero), infinities, NaN.
COMPLEX_EXACT_EDGES = (
    "abs", "sign", "exp", "exp2", "log", "sqrt", "sin", "cos", "tan", "tanh", "expm1", "log1p", "logistic",
    "div",
)  # fmt: skip


@pytest.mark.parametrize("name", [f"{n}-{d}" for n in COMPLEX_EXACT_EDGES for d in COMPLEX])
def test_complex_edges_as_in_xla(complex_edges: Results, name: str) -> None:
    case, ours, xla = complex_edges[name]
    bad = (kinds(ours.real) != kinds(xla.real)) | (kinds(ours.imag) != kinds(xla.imag))
    assert not bad.any(), differing(case, ours, xla, bad)


# ---- the table -----------------------------------------------------------------------------------

#: Not binds of the pinned jax, identities, or tested in test_accuracy.py.
ELSEWHERE = {"mulhi", "log2", "name", "stop_gradient", "copy_p", "add_any"}
ELSEWHERE |= {"zeta", "polygamma", "igamma", "igammac", "regularized_incomplete_beta"}


def test_every_elementwise_rule_has_a_case() -> None:
    with jax.enable_x64(True):
        cases = exact_cases() + accuracy_cases() + complex_cases(False)
        tested = {equation_of(c).primitive.name for c in cases}
    rules = {
        n for n in registry.supported_primitives() if isinstance(registry.lookup(n), registry.Elementwise)
    }
    assert rules - tested - ELSEWHERE == set()


@pytest.mark.parametrize(
    ("name", "dtype", "text"),
    [
        ("add", "f8", "(a + b)"), ("add", "i4", "jace::add(a, b)"), ("mul", "u4", "(a * b)"),
        ("div", "u4", "jace::div(a, b)"), ("sub", "f2", "jace::sub(a, b)"),
        ("add_any", "c8", "(a + b)"), ("lt", "f4", "(a < b)"),
    ],
)  # fmt: skip
def test_plain_operators_where_they_mean_the_same(name: str, dtype: str, text: str) -> None:
    rule = registry.lookup(name)
    assert isinstance(rule, registry.Elementwise)
    d = np.dtype(dtype)
    assert rule.expression({}, (d, d), d, "a", "b") == text
