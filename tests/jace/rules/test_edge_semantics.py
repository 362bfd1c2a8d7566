"""XLA's edge semantics, each pinned against jax.jit on both pipelines, bit for bit unless a test says otherwise.

Every case has at least 8 elements a row: XLA CPU computes the remainder of a vectorised loop with other functions,
and eager evaluation with other programs; what a jitted program does to a whole vector is what counts here.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from agreement import settled
from both_ways import PIPELINES, UNOPTIMISED, on_pipelines, run
from jax import lax
from together import Later, results, together

import jace
from jace import dtypes

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]
Pipelines = Sequence[str]
SIGNED = [np.dtype(t) for t in ("i1", "i2", "i4", "i8")]
INTS = SIGNED + [np.dtype(t) for t in ("u1", "u2", "u4", "u8")]
BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8")]
WIDE = FLOATS[2:]
COMPLEX = [np.dtype("c8"), np.dtype("c16")]
#: What canonical is asked too; of the others with `-m slow`.
CANONICAL = [np.dtype(t) for t in ("i4", "f4", "c8")]


def integers(dtype: DType) -> Array:
    """Limits, neighbours of zero and of powers of two, shift amounts around the width."""
    info = np.iinfo(dtype)
    values = [
        0,
        1,
        2,
        3,
        5,
        7,
        8,
        9,
        15,
        16,
        31,
        32,
        33,
        63,
        64,
        65,
        100,
        info.max,
        info.max - 1,
        info.max // 2 + 1,
    ]
    values += [-1, -2, -3, -7, -8, -31, -64, -100, info.min, info.min + 1, info.min // 2]
    return np.array(sorted({v for v in values if info.min <= v <= info.max}), dtype)


def floats(dtype: DType) -> Array:
    """Zeros, infinities, NaN, subnormals, limits, halves, powers of two around the integer types' limits."""
    info = ml_dtypes.finfo(dtype)
    values = [
        0,
        1,
        0.5,
        1.5,
        2.5,
        3.5,
        0.49999997,
        1e-3,
        2,
        3,
        7,
        100.25,
        127,
        128,
        127.9,
        255.5,
        256,
        32767.5,
        32768,
    ]
    values += [
        65535.5,
        2**31 - 128,
        2.0**31,
        2.0**32,
        2.0**53 + 2,
        2.0**63,
        2.0**64,
        1e30,
        np.inf,
        float(info.max),
    ]
    values += [float(info.tiny), float(info.tiny) / 2, float(info.smallest_subnormal), float(info.tiny) * 1.5]
    with np.errstate(all="ignore"):
        positive = np.array(values, np.float64).astype(dtype)
    return np.concatenate([positive, -positive, np.array([np.nan, -np.nan], dtype)])


def pairs(values: Array) -> tuple[Array, Array]:
    """Every value with every other."""
    x, y = np.meshgrid(values, values, indexing="ij")
    return x.ravel(), y.ravel()


def same(a: Array, b: Array) -> Array:
    """Elementwise: equal bits, or NaN in both."""
    if a.dtype.kind == "c":
        return same(a.real.copy(), b.real.copy()) & same(a.imag.copy(), b.imag.copy())
    if dtypes.kind(a.dtype) in "iub":
        return a == b
    bits = f"u{a.dtype.itemsize}"
    return (a.view(bits) == b.view(bits)) | ((a != a) & (b != b))


def pin(
    pipelines: Pipelines,
    fn: Callable[..., Any],
    *args: Any,
    equal: Callable[[Array, Array], Array] = same,
    options: Mapping[str, Any] = UNOPTIMISED,
) -> None:
    """Assert that the pipelines give what jax.jit gives; `fn` answers a dict of named results."""
    with jax.enable_x64(True), contextlib.suppress(Later):
        expected, by_pipeline, tree = results(fn, args, pipelines, options=options)
        flat = [np.asarray(a) for a in jax.tree.leaves(args)]
        for pipeline, got in zip(pipelines, by_pipeline, strict=True):
            for name, reference in tree.unflatten(expected).items():
                ours = tree.unflatten(got)[name]
                assert (reference.dtype, reference.shape) == (ours.dtype, ours.shape), name
                bad = ~equal(reference, ours)
                rows = [
                    (
                        tuple(a[bad][:3] for a in flat if a.shape == bad.shape),
                        reference[bad][:3],
                        ours[bad][:3],
                    )
                ]
                assert not bad.any(), (
                    f"{name} on {pipeline}: {bad.sum()} differ: {rows} (arguments, XLA, ours)"
                )


def table(names: tuple[str, ...]) -> Callable[..., dict[str, Any]]:
    """The function that applies every lax function of `names`."""
    return lambda *xs: {name: getattr(lax, name)(*xs) for name in names}


# ---- integers --------------------------------------------------------------------------------------


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(INTS, CANONICAL))
def test_integer_division_and_remainder(dtype: DType, pipelines: Pipelines) -> None:
    """x / 0 is -1 (all ones), x rem 0 is x, MIN / -1 is MIN, MIN rem -1 is 0."""
    x, y = pairs(integers(dtype))
    pin(pipelines, table(("div", "rem")), x, y)
    info = np.iinfo(dtype)
    with jax.enable_x64(True):
        quotient, remainder = run(table(("div", "rem")), (x, y), "fused")
    by_zero, overflow = y == 0, (x == info.min) & (y == dtype.type(-1) if dtype.kind == "i" else False)
    assert (quotient[by_zero] == (-1 if dtype.kind == "i" else info.max)).all()
    assert (remainder[by_zero] == x[by_zero]).all()
    assert (quotient[overflow] == info.min).all()
    assert (remainder[overflow] == 0).all()


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(INTS, CANONICAL))
def test_shifts_past_the_width_and_by_negative_amounts(dtype: DType, pipelines: Pipelines) -> None:
    pin(
        pipelines,
        table(("shift_left", "shift_right_logical", "shift_right_arithmetic")),
        *pairs(integers(dtype)),
    )


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(INTS, CANONICAL))
def test_integers_wrap(dtype: DType, pipelines: Pipelines) -> None:
    x, y = pairs(integers(dtype))
    pin(pipelines, table(("add", "sub", "mul", "max", "min", "bitwise_xor")), x, y)
    unary = ["neg", "sign", "population_count", "clz", "bitwise_not", *(["abs"] if dtype.kind == "i" else [])]
    pin(
        pipelines,
        lambda v: {
            **table(tuple(unary))(v),
            **{f"integer_pow_{n}": lax.integer_pow(v, n) for n in (0, 1, 2, 3, 7)},
            **{f"to_{t}": lax.convert_element_type(v, t) for t in (*INTS, np.dtype("?"), *FLOATS)},
        },
        integers(dtype),
    )


@pytest.mark.parametrize("dtype", INTS[2:4] + INTS[6:], ids=str)
def test_high_half_of_a_product(dtype: DType) -> None:
    x, y = pairs(integers(dtype))
    if hasattr(lax, "mulhi"):
        pin(PIPELINES, table(("mulhi",)), x, y)
    rule = jace.rule_of("mulhi")
    assert rule is not None  # (its C++ is tested against Python's integers in test_runtime.py)


# ---- floats: casts, order, rounding ----------------------------------------------------------------


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(FLOATS, CANONICAL))
def test_casts_saturate_and_nan_becomes_zero(dtype: DType, pipelines: Pipelines) -> None:
    targets = [*INTS, np.dtype("?"), *(t for t in FLOATS if t != dtype)]
    pin(pipelines, lambda v: {f"to_{t}": lax.convert_element_type(v, t) for t in targets}, floats(dtype))
    with jax.enable_x64(True):
        x = np.array([np.nan, np.inf, -np.inf, 1e4, -1e4, -0.9, 0.9, 127.5], dtype)
        (got,) = run(lambda v: v.astype(np.int8), (x,), "fused")
    assert got.tolist() == [0, 127, -128, 127, -128, 0, 0, 127]


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(FLOATS, CANONICAL))
def test_nan_and_signed_zero_in_extremes(dtype: DType, pipelines: Pipelines) -> None:
    """max and min hand on NaN and order -0 < +0."""
    x, y = pairs(floats(dtype))
    pin(
        pipelines,
        lambda a, b: {
            **table(("max", "min", "eq", "ne", "lt", "le", "gt", "ge"))(a, b),
            "clamp": lax.clamp(a, b, a[::-1]),
            "clamp_scalar": lax.clamp(a[3], b, a[9]),
            "nextafter": lax.nextafter(a, b),
        },
        x,
        y,
        equal=lambda a, b: same(settled(a), settled(b)),
    )


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(FLOATS, CANONICAL))
def test_total_order(dtype: DType, pipelines: Pipelines) -> None:
    from jax._src.lax import lax as internal

    x, y = pairs(floats(dtype))
    pin(
        pipelines,
        lambda a, b: {n: getattr(internal, f"{n}_p").bind(a, b) for n in ("eq_to", "lt_to", "le_to")},
        x,
        y,
    )


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(FLOATS, CANONICAL))
def test_signs_rounding_and_precision(dtype: DType, pipelines: Pipelines) -> None:
    def program(v: Any) -> dict[str, Any]:
        rounded = {f"round_{m.name}": lax.round(v, m) for m in lax.RoundingMethod}
        reduced = {
            f"precision_{e}_{m}": lax.reduce_precision(v, e, m) for e, m in ((5, 10), (8, 7), (4, 3), (11, 3))
        }
        powers = {f"integer_pow_{n}": lax.integer_pow(v, n) for n in (0, 2, 3, -1, -2)}
        return {
            **table(("sign", "neg", "abs", "floor", "ceil", "is_finite", "sqrt", "square"))(v),
            **rounded,
            **reduced,
            **powers,
        }

    pin(pipelines, program, floats(dtype))


@together
@pytest.mark.parametrize(
    ("dtype", "pipelines"),
    on_pipelines([np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8"), np.dtype("i4")], CANONICAL),
)
def test_nan_and_zeros_in_reductions(dtype: DType, pipelines: Pipelines) -> None:
    """argmax takes the first NaN, sort puts NaN last and keeps equal elements (-0 == 0) in order."""
    values = integers(dtype) if dtype.kind == "i" else floats(dtype)
    rng = np.random.default_rng(0)
    x = values[rng.integers(0, values.size, (24, 16))]
    if dtype.kind != "i":
        x[:4] = np.array([0.0, -0.0] * 8, dtype)
        x[4:8] = np.abs(x[4:8])
        x[8:12] = np.where(np.isnan(x[8:12].astype(np.float64)), dtype.type(1), x[8:12])

    def program(v: Any) -> dict[str, Any]:
        position = lax.broadcasted_iota(np.int32, v.shape, 1)
        key, order = lax.sort((v, position), dimension=1, num_keys=1)
        return {
            "argmax": lax.argmax(v, 1, np.int32),
            "argmin": lax.argmin(v, 1, np.int32),
            "argmax0": lax.argmax(v, 0, np.int64),
            "max": v.max(1),
            "min": v.min(1),
            "cummax": lax.cummax(v, axis=1),
            "cummin": lax.cummin(v, axis=1, reverse=True),
            "sort": key,
            "order": order,
            "top_k": lax.top_k(v, 5)[1],
        }

    def equal(a: Array, b: Array) -> Array:
        # which zero a reduction over zeros (and subnormals) of both signs gives depends on XLA's order of combining
        if dtypes.kind(a.dtype) != "f":
            return a == b
        tiny = float(ml_dtypes.finfo(dtype).tiny)
        return same(a, b) | ((np.abs(a.astype(np.float64)) < tiny) & (np.abs(b.astype(np.float64)) < tiny))

    pin(pipelines, program, x, equal=equal)


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(WIDE, CANONICAL))
def test_subnormals_are_flushed(dtype: DType, pipelines: Pipelines) -> None:
    """Arithmetic takes a subnormal for a zero of its sign and gives zeros for subnormal results; moves keep them."""
    info = np.finfo(dtype)
    small = np.array(
        [info.smallest_subnormal, info.tiny / 2, info.tiny, info.tiny * 1.5, 0.0, 1.0, 2.0, np.inf], dtype
    )
    x, y = pairs(np.concatenate([small, -small]))

    def program(a: Any, b: Any) -> dict[str, Any]:
        binary = table(("add", "sub", "mul", "div", "max", "min", "eq", "lt", "rem", "atan2"))(a, b)
        unary = table(("neg", "abs", "sign", "sqrt", "is_finite", "floor", "ceil", "square"))(a)
        moved = {
            "reverse": a[::-1],
            "where": jnp.where(b > 0, a, b),
            "bits": lax.bitcast_convert_type(a, f"u{dtype.itemsize}"),
        }
        return (
            binary | unary | moved | {"half": a * dtype.type(0.5), "sum": (a + b) - b, "bool": a.astype(bool)}
        )

    pin(pipelines, program, x, y)


# ---- indexing --------------------------------------------------------------------------------------

_INDEX = np.array([0, 4, -1, -5, -6, 5, 6, 2**31 - 1, -(2**31), 2, 2, 3], np.int32)


@together
@pytest.mark.parametrize(
    ("dtype", "pipelines"),
    on_pipelines([np.dtype("f4"), np.dtype("i2"), np.dtype("u4"), np.dtype("?"), np.dtype("c8")], CANONICAL),
)
def test_gather_out_of_bounds_in_every_mode(dtype: DType, pipelines: Pipelines) -> None:
    x = (np.arange(30).reshape(5, 6) - 7).astype(dtype)

    def program(v: Any, i: Any) -> dict[str, Any]:
        modes = {m: v.at[i].get(mode=m) for m in ("clip", "fill")}
        filled = v.at[:, i].get(mode="fill", fill_value=3)
        raw = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
        windows = lax.GatherDimensionNumbers(
            offset_dims=(1, 2), collapsed_slice_dims=(), start_index_map=(0, 1)
        )
        starts = jnp.stack([i, i[::-1]], 1)
        return {
            **modes,
            "filled": filled,
            "take": jnp.take(v, i, axis=1),
            "inside": v.at[i % 5].get(mode="promise_in_bounds"),
            **{
                f"raw_{m.name}": lax.gather(v, i[:, None], raw, (1, 6), mode=m)
                for m in (lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP)
            },
            **{
                f"window_{m.name}": lax.gather(v, starts, windows, (2, 3), mode=m)
                for m in (lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP)
            },
        }

    pin(pipelines, program, x, _INDEX)


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines([np.dtype("f4"), np.dtype("i2")], CANONICAL))
def test_scatter_out_of_bounds_and_duplicates(dtype: DType, pipelines: Pipelines) -> None:
    """Out of bounds: dropped, or clamped with mode clip. Duplicates: the last set wins, add adds each."""
    x = (np.arange(30).reshape(5, 6) - 7).astype(dtype)
    rows = (np.arange(72).reshape(12, 6) % 11 - 3).astype(dtype)

    def program(v: Any, i: Any, u: Any) -> dict[str, Any]:
        out = {}
        for mode in ("drop", "clip"):
            at = v.at[i]
            for name in ("set", "add", "multiply", "max", "min"):
                out[f"{name}_{mode}"] = getattr(at, name)(u, mode=mode)
        windows = lax.ScatterDimensionNumbers(
            update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(0, 1)
        )
        starts = jnp.stack([i, i[::-1]], 1)
        update = jnp.broadcast_to(u[:, None, :3], (12, 2, 3))
        for mode in (lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP):
            out[f"window_set_{mode.name}"] = lax.scatter(v, starts, update, windows, mode=mode)
            out[f"window_add_{mode.name}"] = lax.scatter_add(v, starts, update, windows, mode=mode)
        return out

    pin(pipelines, program, x, _INDEX, rows)


@together
def test_scatter_extremes_hand_on_nan() -> None:
    x = np.array([1, np.nan, -0.0, 0.0, np.inf, -np.inf, 2, 3], np.float32)
    u = np.array([np.nan, 1, 0.0, -0.0, 5, 6, np.nan, 0, 7, -7, 1, 2], np.float32)
    i = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 0, 9], np.int32)
    pin(PIPELINES, lambda v, k, w: {"max": v.at[k].max(w), "min": v.at[k].min(w)}, x, i, u)


@together
def test_dynamic_slices_clamp() -> None:
    x = np.arange(40, dtype=np.float32).reshape(5, 8)
    starts = list(itertools.product((-9, -1, 0, 3, 4, 99), (-3, 0, 6, 8)))

    def program(v: Any, s: Any) -> dict[str, Any]:
        def at(start: Any) -> Any:
            update = lax.dynamic_update_slice(v, v[:2, :3] * 2, (start[0], start[1]))
            return lax.dynamic_slice(v, (start[0], start[1]), (2, 3)), update

        slices, updates = lax.map(at, s)  # a loop: 48 operations in a row are one another's copies
        return {
            **{f"slice_{k}": slices[k] for k in range(len(starts))},
            **{f"update_{k}": updates[k] for k in range(len(starts))},
            "slice_alone": at(s[-1])[0],
            "update_alone": at(s[-1])[1],
            "index": lax.dynamic_index_in_dim(v, s[0, 0], 0),
            "unsigned": v[s[:, 0].astype(np.uint8)],
        }

    pin(PIPELINES, program, x, np.array(starts, np.int32))


@together
@pytest.mark.parametrize("value", [-5, 0, 1, 2, 3, 100])
def test_switch_clamps_its_index(value: int) -> None:
    branches = [lambda v, k=k: v + k for k in range(3)]
    pin(
        PIPELINES,
        lambda i, v: {"out": lax.switch(i, branches, v)},
        np.int32(value),
        np.arange(8.0, dtype=np.float32),
    )


# ---- powers and functions --------------------------------------------------------------------------


def kinds(x: Array) -> Array:
    """NaN, infinity, zero (or subnormal) or ordinary, with its sign."""
    y = x.astype(np.float64)
    zero = np.abs(y) < float(ml_dtypes.finfo(x.dtype).tiny)
    kind = np.where(zero, 1, np.where(np.isinf(y), 3, 2)) * np.where(np.signbit(y), -1, 1)
    return np.where(np.isnan(y), 9, kind)


def close(ulps: int) -> Callable[[Array, Array], Array]:
    """Equal kinds, and within `ulps` where ordinary."""

    def equal(a: Array, b: Array) -> Array:
        if a.dtype.kind == "c":  # finite numbers by their distance: XLA's cos(pi / 2) is not zero
            parts = equal(a.real.copy(), b.real.copy()) & equal(a.imag.copy(), b.imag.copy())
            with np.errstate(all="ignore"):
                distance = np.abs(a.astype(np.complex128) - b.astype(np.complex128))
                return parts | (distance <= ulps * np.finfo(a.dtype).eps * np.abs(a.astype(np.complex128)))
        eps = float(ml_dtypes.finfo(a.dtype).eps)
        with np.errstate(all="ignore"):
            near = np.isclose(
                a.astype(np.float64), b.astype(np.float64), rtol=ulps * eps, atol=0, equal_nan=True
            )
        return (kinds(a) == kinds(b)) & (near | (np.abs(kinds(a)) != 2))

    return equal


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(FLOATS, CANONICAL))
def test_power_special_cases(dtype: DType, pipelines: Pipelines) -> None:
    """x^0 and 1^y are 1 (also for NaN); a negative base has a value at integers only; zeros and infinities as in C."""
    special = [0.0, 0.5, 1.0, 2.0, 3.0, 2.5, 0.3, np.inf, 1e4, 7.0]
    x, y = pairs(np.array([*special, *(-v for v in special), np.nan], np.float64).astype(dtype))
    pin(pipelines, table(("pow",)), x, y, equal=close(6))
    integral = np.array([0, 1, 2, 3, 5, -1, -2, -3], np.int32)
    base, exponent = (m.ravel() for m in np.meshgrid(np.unique(np.nan_to_num(x)), integral, indexing="ij"))
    pin(pipelines, table(("pow",)), base, exponent, equal=close(6))


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(WIDE, CANONICAL))
def test_functions_of_special_values(dtype: DType, pipelines: Pipelines) -> None:
    names = (
        "exp",
        "exp2",
        "expm1",
        "log",
        "log1p",
        "sin",
        "cos",
        "tan",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
    )
    names += ("asinh", "acosh", "atanh", "cbrt", "rsqrt", "logistic", "erf", "erfc", "erf_inv", "digamma")
    names += ("bessel_i0e", "bessel_i1e", "lgamma")
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e4, -1e4, 89], dtype)

    def equal(a: Array, b: Array) -> Array:  # XLA's lgamma(1) and lgamma(2) are not zero but about 1e-7
        tiny = 1e-6 if a.dtype == np.float32 else 1e-14
        return (kinds(a) == kinds(b)) | ((np.abs(a) < tiny) & (np.abs(b) < tiny))

    pin(pipelines, table(names), x, equal=equal)


@together
def test_special_functions_of_two_and_three_operands() -> None:
    values = np.array([0.0, -0.0, 0.5, 1, 2, 3.5, 10, 100, -1, -0.5, np.inf, -np.inf, np.nan], np.float64)
    x, y = pairs(values)
    pin(
        PIPELINES,
        table(("igamma", "igammac")),
        x,
        y,
        equal=lambda a, b: np.isclose(a, b, rtol=1e-10, atol=1e-300, equal_nan=True),
    )
    a, b, u = (
        m.ravel() for m in np.meshgrid(values, values, np.array([-1, 0, 0.3, 1, 2, np.nan]), indexing="ij")
    )
    pin(
        PIPELINES,
        table(("betainc",)),
        a,
        b,
        u,
        equal=lambda p, q: np.isclose(p, q, rtol=1e-10, atol=1e-300, equal_nan=True),
    )
    order, q = (
        m.ravel() for m in np.meshgrid(np.array([-1, 0, 0.5, 1, 2, 3, np.nan]), values, indexing="ij")
    )
    keep = np.isfinite(q) | np.isnan(q)  # XLA's zeta of an infinity is NaN, and so is polygamma's
    near = lambda s, t: np.isclose(s, t, rtol=1e-10, equal_nan=True)
    pin(PIPELINES, table(("zeta", "polygamma")), order[keep], q[keep], equal=near)
    # its sign has no limit
    pin(PIPELINES, table(("polygamma",)), np.full(3, np.inf), np.array([0.5, 1.0, 2.0]), equal=near)


# ---- complex numbers -------------------------------------------------------------------------------


def corners(dtype: DType, axis: tuple[float, ...]) -> Array:
    """Every pair of axis values as a complex number."""
    re, im = (m.ravel() for m in np.meshgrid(np.array(axis), np.array(axis), indexing="ij"))
    out = np.empty(re.size, dtype)
    out.real, out.imag = re, im
    return out


_AXIS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 2.5, -0.3)
#: Where the special cases are those of XLA in full: signs of zeros, infinities, NaN.
COMPLEX_FUNCTIONS = (
    "abs", "sign", "neg", "conj", "real", "imag", "exp", "exp2", "log", "sqrt", "sin", "cos", "tan", "tanh", "expm1",
    "log1p", "logistic", "square", "asin", "acos", "asinh", "acosh", "atan", "atanh", "sinh", "cosh", "rsqrt",
)  # fmt: skip


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(COMPLEX, CANONICAL))
@pytest.mark.parametrize("name", COMPLEX_FUNCTIONS)
def test_complex_functions_at_corners(name: str, dtype: DType, pipelines: Pipelines) -> None:
    pin(pipelines, table((name,)), corners(dtype, _AXIS), equal=close(32))


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(COMPLEX, CANONICAL))
def test_complex_arithmetic_at_corners(dtype: DType, pipelines: Pipelines) -> None:
    z = corners(dtype, (0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 1e30))
    x, y = pairs(z)
    # with all of LLVM's optimisations: it contracts the products of complex numbers
    pin(pipelines, table(("add", "sub", "mul", "eq", "ne", "max", "min")), x, y, options={})
    pin(pipelines, table(("div",)), x, y, equal=close(8), options={})


@together
@pytest.mark.parametrize(("dtype", "pipelines"), on_pipelines(COMPLEX, CANONICAL))
def test_complex_powers_at_corners(dtype: DType, pipelines: Pipelines) -> None:
    x, y = pairs(corners(dtype, (0.0, -0.0, 1.0, -2.0, np.inf, np.nan)))
    pin(pipelines, table(("pow",)), x, y, equal=close(32))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_the_angle_of_complex_numbers_beyond_the_range_of_their_squares_is_as_xla_has_it(dtype) -> None:
    """NaN, of which XLA's product of -i and an infinity is made; found by a program that hypothesis drew."""
    large = np.sqrt(np.finfo(dtype).max) * 4
    parts = np.array([0, 1, -large, large, np.inf], np.finfo(dtype).dtype)
    x = (parts[:, None] + 1j * parts).astype(dtype).ravel()
    y, x = np.repeat(x, x.size), np.tile(x, x.size)
    with jax.enable_x64(dtype is np.complex128):
        expected, got = (np.asarray(f(lax.atan2)(y, x)) for f in (jax.jit, jace.jit))
    np.testing.assert_array_equal(np.isnan(got.real), np.isnan(expected.real))
    np.testing.assert_array_equal(np.isnan(got.imag), np.isnan(expected.imag))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_squares_of_complex_numbers_neither_overflow_nor_cancel_where_xlas_do_not(dtype) -> None:
    """Found by a program of the fuzzer's: the real part beside a diagonal was wrong by a tenth."""
    real = np.finfo(dtype).dtype
    large = np.sqrt(np.finfo(dtype).max) * 4
    parts = np.array(
        [0, -0.0, 1, np.nextafter(real.type(1), real.type(2)), -large, large, np.inf, np.nan], real
    )
    x = np.empty((parts.size, parts.size), dtype)
    x.real, x.imag = parts[:, None], parts
    with jax.enable_x64(dtype is np.complex128):
        expected = np.asarray(jax.jit(lax.square)(x))
        for pipeline in ("fused", "canonical"):
            got = np.asarray(jace.jit(lax.square, pipeline=pipeline)(x))
            np.testing.assert_array_equal(got.view(real), expected.view(real))
