"""Integers of 2 and 4 bits, floats of 4 and 8 bits: every code of every dtype, compared with XLA.

Where XLA's own answer is wrong the test says so and takes NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from both_ways import PIPELINES, UNOPTIMISED, on_pipelines
from jax import lax
from together import Later, results, together

import jace
from jace import dtypes

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]
INTEGERS = [dtypes.dtype_named(n) for n in ("int2", "int4", "uint2", "uint4")]
FLOATS = [d for d in dtypes.supported() if d.name.startswith(("float8", "float4"))]
SMALL = [*INTEGERS, *FLOATS]
F4, E8M0 = dtypes.dtype_named("float4_e2m1fn"), dtypes.dtype_named("float8_e8m0fnu")
BF16 = np.dtype(ml_dtypes.bfloat16)
WIDE = [np.dtype(t) for t in ("?", "i1", "i4", "u2", "u8", "f2", "f4", "f8", "c8")] + [BF16]
IDS = [d.name for d in SMALL]
#: What canonical is asked too; of the others with `-m slow`: dtypes that differ in width, sign, infinities and zeros.
CANONICAL = [
    dtypes.dtype_named(n) for n in ("int4", "uint2", "float4_e2m1fn", "float8_e5m2", "float8_e4m3fnuz")
]


def every(dtype: DType) -> Array:
    """All values of a small dtype."""
    return np.arange(2 ** dtypes.bits(dtype), dtype=np.uint8).view(dtype)


def every_pair(dtype: DType, most: int = 4096) -> tuple[Array, Array]:
    """All pairs of values, or a fixed choice of `most` of them."""
    x, y = (m.ravel() for m in np.meshgrid(every(dtype), every(dtype), indexing="ij"))
    keep = np.random.default_rng(0).permutation(x.size)[:most]
    return x[keep], y[keep]


def codes(x: Array) -> Array:
    """Bits that count; all NaN of a dtype are one."""
    if dtypes.kind(x.dtype) == "c":
        return np.stack([codes(x.real.copy()), codes(x.imag.copy())])
    raw = x.view(f"u{x.dtype.itemsize}")
    raw = raw & (2 ** dtypes.bits(x.dtype) - 1) if dtypes.packed(x.dtype) else raw
    wide = x.astype(np.float64)
    return np.where(wide != wide, np.iinfo(raw.dtype).max, raw)


def both(fn: Callable[..., Any], *args: Array, pipelines: tuple[str, ...] = PIPELINES) -> Any:
    """(XLA's results, then ours by each pipeline), all flat lists of NumPy arrays."""
    with jax.enable_x64(True):
        return results(fn, args, pipelines, options=UNOPTIMISED)[:2]


def assert_equal(
    fn: Callable[..., Any],
    *args: Array,
    pipelines: tuple[str, ...] = ("fused",),
    excuse: Callable[[int], Any] = lambda k: False,
) -> None:
    """Assert equal codes, except where `excuse(output)` is true."""
    try:
        reference, ours = both(fn, *args, pipelines=pipelines)
    except Later:
        return
    for pipeline, outputs in zip(pipelines, ours, strict=True):
        for k, (a, b) in enumerate(zip(reference, outputs, strict=True)):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            bad = (codes(a) != codes(b)) & ~np.asarray(excuse(k))
            where = bad[-1] if bad.ndim > a.ndim else bad
            assert not bad.any(), (pipeline, k, a.dtype, a[where][:4], b[where][:4], int(bad.sum()))


# ---- conversions -----------------------------------------------------------------------------------


@together
@pytest.mark.parametrize("dtype", SMALL, ids=IDS)
def test_every_value_converts_to_every_dtype(dtype: DType) -> None:
    targets = [t for t in (*WIDE, *SMALL) if t != dtype]
    x = every(dtype)
    six = np.abs(x.astype(np.float32)) == 6

    def excuse(k: int) -> Any:
        # XLA: float4_e2m1fn 6.0 -> int8 is 127 (it compares with the largest int8 rounded to float4, which is 6)
        return six if dtype == F4 and dtypes.kind(targets[k]) in "iu" else False

    assert_equal(lambda v: [lax.convert_element_type(v, t) for t in targets], x, excuse=excuse)


def boundaries(dtype: DType, source: DType) -> Array:
    """All values, the midpoints between neighbours, what is next to each, and specials, in `source`."""
    finite = np.unique(every(dtype).astype(np.float64))
    finite = finite[np.isfinite(finite)]
    points = np.concatenate([finite, (finite[1:] + finite[:-1]) / 2, finite * 1.5, finite[[-1]] * 1.25])
    with np.errstate(all="ignore"):
        x = points.astype(source)
        near = np.concatenate(
            [x, np.nextafter(x, source.type(np.inf)), np.nextafter(x, source.type(-np.inf))]
        )
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e30, 1e300], np.float64).astype(source)
        return np.concatenate([near, special])


@together
@pytest.mark.parametrize("dtype", SMALL, ids=IDS)
def test_rounding_at_every_boundary(dtype: DType) -> None:
    sources = [boundaries(dtype, np.dtype(t)) for t in ("f2", "f4", "f8")]
    assert_equal(lambda *vs: [lax.convert_element_type(v, dtype) for v in vs], *sources)


def test_rounding_of_f32_is_that_of_ml_dtypes() -> None:
    # independent of XLA: all sign, exponent and leading mantissa bits, with the rest low, in the middle, high
    high = np.arange(1 << 14, dtype=np.uint32) << 18
    x = np.concatenate([high, high | 1, high | (1 << 17), high | (1 << 17) | 1, high | 0x3FFFF]).view(
        np.float32
    )
    x = x[~np.isnan(x)]
    got = by_jace(lambda v: [lax.convert_element_type(v, dtype) for dtype in FLOATS], x, "fused")
    # XLA rounds halves to E8M0 up, ml_dtypes to even; tested against XLA above
    half = (x.view(np.uint32) & 0x7FFFFF) == 1 << 22
    for dtype, ours in zip(FLOATS, got, strict=True):
        keep = ~half if dtype == E8M0 else np.ones_like(half)
        with np.errstate(all="ignore"):
            expected = codes(x[keep].astype(dtype))
        np.testing.assert_array_equal(codes(ours[keep]), expected, err_msg=dtype.name)


@together
@pytest.mark.parametrize("dtype", SMALL, ids=IDS)
def test_integers_convert(dtype: DType) -> None:
    values = [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        12,
        15,
        16,
        17,
        24,
        31,
        33,
        100,
        127,
        200,
        240,
        248,
        449,
        464,
        465,
        65535,
    ]
    x = np.array([*values, *(-v for v in values), 2**24 + 1, 2**31 - 1, -(2**31)], np.int64)
    assert_equal(
        lambda v: [
            lax.convert_element_type(v.astype(t), dtype) for t in ("i1", "u1", "i4", "u4", "i8", "u8", "?")
        ],
        x,
    )


@together
def test_bitcasts() -> None:
    by_width: dict[int, list[DType]] = {}
    for d in [*SMALL, np.dtype("i1"), np.dtype("u1")]:
        by_width.setdefault(dtypes.bits(d), []).append(d)
    for same in by_width.values():
        assert_equal(
            lambda *vs, same=same: [lax.bitcast_convert_type(v, t) for v in vs for t in same],
            *map(every, same),
        )


@together
@pytest.mark.parametrize("narrow", ["int4", "uint4", "int2", "uint2"])
@pytest.mark.parametrize("wide", ["uint8", "int16", "float32"])
def test_bitcasts_between_widths(narrow: str, wide: str) -> None:
    small, large = dtypes.dtype_named(narrow), np.dtype(wide)
    x = np.random.default_rng(0).integers(0, 256, 24, np.uint8).view(large)
    factor = dtypes.bits(large) // dtypes.bits(small)
    assert_equal(lambda v: lax.bitcast_convert_type(v, small), x)
    assert_equal(lambda v: lax.bitcast_convert_type(v, large), np.resize(every(small), (3, factor)))


# ---- arithmetic ------------------------------------------------------------------------------------

_ARITHMETIC = ("add", "sub", "mul", "div", "rem", "max", "min")
_COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")
_BITS = (
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "shift_left",
    "shift_right_logical",
    "shift_right_arithmetic",
)


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(SMALL, CANONICAL))
def test_arithmetic_and_comparison_of_every_pair(dtype: DType, pipelines: tuple[str, ...]) -> None:
    names = [*_ARITHMETIC, *_COMPARE, *(_BITS if dtype in INTEGERS else ())]
    assert_equal(lambda x, y: [getattr(lax, n)(x, y) for n in names], *every_pair(dtype), pipelines=pipelines)


@together
@pytest.mark.parametrize("dtype", SMALL, ids=IDS)
def test_functions_of_every_value(dtype: DType) -> None:
    integral = [
        lax.neg,
        lax.sign,
        lax.bitwise_not,
        lax.population_count,
        lax.clz,
        lambda v: lax.integer_pow(v, 3),
    ]
    exact = [lax.neg, lax.abs, lax.sign, lax.floor, lax.ceil, lax.round, lax.sqrt, lax.is_finite, lax.square]
    functions = integral if dtype in INTEGERS else exact
    assert_equal(lambda v: [f(v) for f in functions], every(dtype))


@together
@pytest.mark.parametrize("dtype", FLOATS, ids=[d.name for d in FLOATS])
def test_transcendental_functions(dtype: DType) -> None:
    # those that XLA CPU computes in f16: its decompositions of the others (asin, logistic, ...) round in each step
    names = ("exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "cbrt", "rsqrt", "erf", "erf_inv")
    reference, (ours,) = both(
        lambda v: [getattr(lax, n)(v) for n in names], every(dtype), pipelines=("fused",)
    )
    for name, a, b in zip(names, reference, ours, strict=True):
        assert (codes(a) != codes(b)).sum() <= 1, name  # a value next to a midpoint


# ---- reductions, products, movement ----------------------------------------------------------------


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(SMALL, CANONICAL))
def test_extremes_sorting_and_movement(dtype: DType, pipelines: tuple[str, ...]) -> None:
    rng = np.random.default_rng(1)
    x = every(dtype)[rng.integers(0, every(dtype).size, (6, 10))]
    # XLA sorts the NaN of the fnuz dtypes first, ours comes last as that of all others
    x = np.where(codes(x) == 255, x[0, 0], x)
    start = np.array([4, -1, 9], np.int32)

    def program(v: Any, i: Any) -> Any:
        chosen = []
        if dtype != E8M0:  # XLA starts from the NaN that infinity becomes
            chosen += [lax.reduce_min_p.bind(v, axes=(1,), out_sharding=None)]
            chosen += [lax.cummax(v, axis=0), lax.cummin(v, axis=1)]
            if dtypes.bits(dtype) != 2:  # XLA CPU has an internal error on argmax of 2 bits
                chosen += [lax.argmax(v, 1, np.int32), lax.argmin(v, 0, np.int32)]
        if dtypes.bits(dtype) != 2:  # and corrupts the heap in sort of 2 bits
            chosen += [lax.sort(v, dimension=1)]
        moved = [v.T, v[::-1, ::2], lax.pad(v, v[0, 0], ((1, 1, 1), (0, -1, 0))), v.at[i].set(v[0]), v[i]]
        moved += [lax.dynamic_slice(v, (i[0], i[1]), (2, 3)), lax.select(v == v, v, v[::-1])]
        return chosen + moved

    assert_equal(program, x, start, pipelines=pipelines)


def by_jace(fun: Callable[..., Any], given: Any, pipeline: str) -> Any:
    """What a pipeline makes of `fun` for a list of operands: one program, many dtypes."""
    with jax.enable_x64(True):
        closed, shape = jax.make_jaxpr(fun, return_shape=True)(given)
        got = jace.compile_jaxpr(closed, pipeline).call_direct(*jax.tree.leaves(given))
    return jax.tree.unflatten(jax.tree.structure(shape), got)


def products(wide: Any) -> Callable[[Any], Any]:
    dims = (((1,), (0,)), ((), ()))
    return lambda given: [
        (lax.dot_general(a, b, dims, preferred_element_type=wide), lax.dot_general(a, b, dims))
        for a, b in given
    ]


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_products_of_matrices(pipeline: str) -> None:
    rng = np.random.default_rng(2)
    given = [
        tuple((rng.integers(1, 5, s) / 2).astype(np.float32).astype(dtype) for s in ((5, 8), (8, 4)))
        for dtype in FLOATS
    ]
    for dtype, (a, b), (wide, narrow) in zip(
        FLOATS, given, by_jace(products(np.float32), given, pipeline), strict=True
    ):
        exact = a.astype(np.float32) @ b.astype(np.float32)
        np.testing.assert_array_equal(wide, exact, err_msg=dtype.name)
        if dtype != E8M0:  # its sum starts from a zero that is NaN
            rounded = np.asarray(lax.convert_element_type(exact, dtype))
            np.testing.assert_array_equal(codes(narrow), codes(rounded), err_msg=dtype.name)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_products_of_integer_matrices_wrap(pipeline: str) -> None:
    # XLA CPU refuses them ("does not support custom element sizes"); ours are the products of int32, wrapped
    rng = np.random.default_rng(3)
    given = [
        tuple(every(dtype)[rng.integers(0, every(dtype).size, s)] for s in ((5, 8), (8, 4)))
        for dtype in INTEGERS
    ]
    for dtype, (a, b), (wide, narrow) in zip(
        INTEGERS, given, by_jace(products(np.int32), given, pipeline), strict=True
    ):
        exact = a.astype(np.int32) @ b.astype(np.int32)
        np.testing.assert_array_equal(wide, exact, err_msg=dtype.name)
        wrapped = exact.astype(dtype).astype(np.int32)
        np.testing.assert_array_equal(narrow.astype(np.int32), wrapped, err_msg=dtype.name)


def test_sums_accumulate_in_f32() -> None:
    # XLA rounds every partial sum to the small dtype, in an order of its own: no reference
    rng = np.random.default_rng(4)
    given = [(rng.integers(1, 4, (4, 50)) / 16).astype(np.float32).astype(dtype) for dtype in FLOATS]
    sums = by_jace(
        lambda xs: [lax.reduce_sum_p.bind(x, axes=(1,), out_sharding=None) for x in xs], given, "fused"
    )
    for dtype, x, got in zip(FLOATS, given, sums, strict=True):
        exact = codes(np.asarray(lax.convert_element_type(x.astype(np.float32).sum(1), dtype)))
        expected = np.full_like(exact, 255) if dtype == E8M0 else exact
        np.testing.assert_array_equal(codes(got), expected, err_msg=dtype.name)


def test_packed_dtypes_through_xla() -> None:
    # XLA packs two int4 into a byte: the custom call must see one each
    given = [every(dtype) for dtype in SMALL]
    fn = lambda xs: [(x[::-1], x, lax.convert_element_type(x, np.float32)) for x in xs]
    for dtype, theirs, ours in zip(SMALL, jax.jit(fn)(given), jace.jit(fn)(given), strict=True):
        for a, b in zip(theirs, ours, strict=True):
            np.testing.assert_array_equal(codes(np.asarray(a)), codes(np.asarray(b)), err_msg=dtype.name)


def test_the_table_of_dtypes_is_complete() -> None:
    named = {n for n in dir(ml_dtypes) if n.startswith(("int", "uint", "float", "bfloat"))}
    known = {d.name for d in dtypes.supported()} | set(dtypes.WITHOUT_TYPE)
    assert named <= known
