"""The evaluation that is independent of XLA gives XLA's bits wherever XLA is right, and knows what rounds."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from jace_repro.tester.execute import traced, xla
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import bits_equal
from jace_repro.tester.numerics.exactness import exact_on

RNG = np.random.default_rng(11)
INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
FLOATS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)
#: By default the narrow and the wide ones and the usual one; those between with `-m slow`.
BETWEEN = (np.int16, np.uint16, np.uint32)
SOME_INTEGERS = [pytest.param(t, marks=pytest.mark.slow if t in BETWEEN else ()) for t in INTEGERS]


def integers(dtype):
    """Pairs of interesting numbers."""
    info = np.iinfo(dtype)
    picked = [info.min, info.max, 0, 1, 2, 7, info.max // 3, info.bits - 1, info.bits, info.bits + 1]
    picked += [-1, -3, -8] if info.min < 0 else [3]
    values = np.array(picked, dtype)
    return tuple(np.array(np.meshgrid(values, values), dtype).reshape(2, -1))


def floats(dtype):
    info = ml_dtypes.finfo(dtype)
    picked = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.5,
        np.nan,
        np.inf,
        -np.inf,
        float(info.max),
        float(info.tiny),
        0.1,
        -3.0,
    ]
    values = np.array(picked, dtype)
    return tuple(np.array(np.meshgrid(values, values)).reshape(2, -1).astype(dtype))


def assert_same(fun, *args):
    """What is evaluated without JAX is what XLA gives."""
    with jax.enable_x64(True):
        closed = jax.make_jaxpr(fun)(*args)
        prog = traced.from_jaxpr(closed, args)
        for want, have in zip(xla.run_reference(prog), native.evaluate(prog.plain, prog.flat), strict=True):
            assert bits_equal(want, have), (prog.plain, args, want, have)


@pytest.fixture(autouse=True)
def _only_numpy(monkeypatch):
    """An equation that is left to JAX fails the test."""

    def forbidden(eqn, invals):
        raise AssertionError(f"{eqn.primitive.name} was left to JAX")

    monkeypatch.setattr(native, "eval_equation", forbidden)


@pytest.mark.parametrize("dtype", SOME_INTEGERS)
def test_integers_wrap_divide_and_shift_as_xla(dtype):
    a, b = integers(dtype)
    binary = [lax.add, lax.sub, lax.mul, lax.div, lax.rem, lax.max, lax.min, lax.bitwise_and, lax.bitwise_xor]
    binary += [lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic, lax.eq, lax.lt, lax.ge]
    assert_same(lambda a, b: [f(a, b) for f in binary], a, b)
    unary = [lax.neg, lax.sign, lax.bitwise_not, lax.population_count, lax.clz, lax.square]
    unary += [lax.abs] if np.iinfo(dtype).min < 0 else []
    assert_same(lambda a: [f(a) for f in unary] + [lax.integer_pow(a, 3), lax.clamp(a[0], a, a[3])], a)


@pytest.mark.parametrize("dtype", SOME_INTEGERS)
def test_integers_are_reduced_as_by_xla(dtype):
    x = RNG.integers(0, 100, (4, 5)).astype(dtype)
    wide = np.promote_types(dtype, np.int32) if dtype != np.uint64 else dtype

    def reductions(x):
        sums = [lax.reduce_sum_p.bind(x, axes=(1,), out_sharding=None), lax.cumsum(x, 1), lax.cumprod(x, 0)]
        return [
            *sums,
            lax.reduce_prod_p.bind(x, axes=(0, 1), out_sharding=None),
            jnp.max(x, 0),
            jnp.min(x[:, :0], 1, initial=3),
            lax.argmax(x, 1, np.int32),
            lax.sort(x, dimension=0),
            lax.top_k(x, 3, axis=0),
            lax.dot_general(x, x, (((1,), (1,)), ((), ())), preferred_element_type=wide),
            lax.cummax(x, 1, reverse=True),
            jnp.bitwise_or.reduce(x, 0),
        ]

    assert_same(reductions, x)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_are_compared_ordered_and_rounded_as_by_xla(dtype):
    a, b = floats(dtype)
    binary = [lax.add, lax.sub, lax.mul, lax.div, lax.max, lax.min, lax.eq, lax.ne, lax.lt, lax.ge]
    assert_same(lambda a, b: [f(a, b) for f in binary], a, b)
    unary = [lax.neg, lax.abs, lax.sign, lax.floor, lax.ceil, lax.round, lax.is_finite, lax.sqrt]
    assert_same(lambda a: [f(a) for f in unary], a)
    x = np.asarray(a).reshape(12, 12)
    assert_same(
        lambda x: [lax.sort(x, dimension=1), lax.argmax(x, 1, np.int32), lax.argmin(x, 0, np.int64)], x
    )
    assert_same(lambda x: [lax.top_k(x, 9, axis=axis) for axis in (0, 1)], x)
    assert_same(lambda a, b: lax.sort((a, b), num_keys=1, dimension=0), a, b)
    assert_same(lambda a, b: lax.sort((a, b), num_keys=2, dimension=0), a, b)


@pytest.mark.parametrize(
    ("dtype", "root"), [("float32", 6.4e-20), ("float64", 1.2e-154), ("bfloat16", 6.4e-20)]
)
def test_the_inverse_of_a_power_that_xla_takes_for_zero_is_infinite(dtype: str, root: float) -> None:
    x = np.array([root, -root, 2 * root, 0.5, np.inf], jnp.dtype(dtype))
    assert_same(lambda x: lax.integer_pow(x, -2), x)


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", [*INTEGERS, np.bool_])
def test_conversions_to_integers_saturate(source, target):
    values = np.array([np.nan, np.inf, -np.inf, 0.9, -0.9, 127.5, 6e4, -6e4, 300.0, -300.0, -1.0], source)
    assert_same(lambda x: lax.convert_element_type(x, target), values)


@pytest.mark.parametrize("source", [np.int8, np.int32, np.int64, np.uint32, np.uint64, np.bool_])
@pytest.mark.parametrize("target", [np.int8, np.uint16, np.int64, np.float32, np.float64])
def test_conversions_from_integers_wrap_or_round(source, target):
    info = None if source == np.bool_ else np.iinfo(source)
    values = [0, 1] if info is None else [info.min, info.max, 0, 1, 77, info.max // 2 + 1]
    assert_same(lambda x: lax.convert_element_type(x, target), np.array(values, source))


MODES = [lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_indices_out_of_bounds_are_clamped_filled_or_dropped(mode, dtype):
    x = np.arange(24).reshape(4, 6).astype(dtype)
    rows = np.array([0, 3, 4, -1, 2, 2], np.int32)
    assert_same(lambda x, i: x.at[i].get(mode=mode), x, rows)
    assert_same(lambda x, i: x.at[:, i].get(mode=mode), x, rows)
    assert_same(lambda x, i, j: x.at[i, j].get(mode=mode), x, rows, rows[::-1])
    assert_same(lambda x, i: x.at[i].set(jnp.arange(6)[:, None].astype(x.dtype) + 100, mode=mode), x, rows)
    for update in ("add", "multiply", "min", "max"):
        assert_same(lambda x, i, update=update: getattr(x.at[i, i + 1], update)(2, mode=mode), x, rows)
    assert_same(lambda x, i: jax.vmap(lambda r, k: r.at[k].set(7, mode=mode))(x, i[:4]), x, rows)
    assert_same(lambda x, i: jax.vmap(lambda r, k: lax.dynamic_slice(r, (k,), (3,)))(x, i[:4] * 3), x, rows)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_an_index_out_of_bounds_is_so_in_all_of_its_bits(dtype: type, shape: tuple[int, ...]) -> None:
    """NumPy's: JAX cuts it to int32 (corpus/repros/xla/29e47c667acd.py), and was asked where the result is a number."""
    index = np.full(shape, 2**32 + 1, dtype)

    with jax.enable_x64(True):
        closed = jax.make_jaxpr(lambda x, i: jnp.take(x, i, mode="fill", fill_value=7))(np.arange(3.0), index)
        (found,) = native.evaluate(closed, [np.arange(3.0), index])
    np.testing.assert_array_equal(found, np.full(shape, 7.0))


def test_slices_and_paddings_are_xlas():
    x = np.arange(20, dtype=np.int32).reshape(4, 5)
    assert_same(lambda x, i: lax.dynamic_slice(x, (i, i), (2, 3)), x, np.int32(9))
    assert_same(lambda x, i: lax.dynamic_update_slice(x, x[:2, :2] * 10, (i, -i)), x, np.int32(3))
    assert_same(lambda x: lax.pad(x, np.int32(7), ((-1, 2, 1), (3, -2, 0))), x)
    assert_same(lambda x: [*lax.split(x, (1, 4), 1), jnp.stack([x, x], 1), lax.rev(x, (0,)), x[::2, 1:]], x)
    assert_same(lambda x: lax.bitcast_convert_type(x, np.uint8), x)
    assert_same(lambda x: lax.bitcast_convert_type(x.astype(np.float32), np.int32), x)


def test_loops_and_branches_are_walked():
    x = np.arange(6, dtype=np.int32)

    def program(x):
        carry, ys = lax.scan(lambda c, v: (c * 3 + v, c), jnp.int32(1), x, reverse=True)
        last = lax.while_loop(lambda c: c < 1000, lambda c: c * 7 + 1, carry)
        return ys, last, lax.switch(x[5], [lambda a: a, lambda a: a + 1, lambda a: a * 2], carry)

    assert_same(program, x)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_largest_numbers_are_told_by_their_bits(dtype):
    """Subnormal numbers too, which XLA takes for zeros in bfloat16 on some CPUs."""
    smallest = float(ml_dtypes.finfo(dtype).smallest_subnormal)
    x = np.array([0.0, smallest, -0.0, -np.inf, np.nan, -smallest, 0.0, np.inf, -np.nan], dtype)
    with jax.enable_x64(True):
        closed = jax.make_jaxpr(lambda x: lax.top_k(x, 9))(x)
        _, where = native.evaluate(closed, [x])
    assert where.tolist() == [4, 7, 1, 0, 6, 2, 5, 3, 8]


def test_types_that_xla_has_wrong_are_right():
    """XLA sorts int2 wrongly and converts float4 to 127: NumPy does not ask it."""
    closed = jax.make_jaxpr(lambda x: lax.sort(x))(np.array([0, -1], jnp.int2))
    assert native.evaluate(closed, [np.array([0, -1], jnp.int2)])[0].astype(int).tolist() == [-1, 0]
    six = np.array([6.0], jnp.float4_e2m1fn)
    closed = jax.make_jaxpr(lambda x: lax.convert_element_type(x, np.int8))(six)
    assert native.evaluate(closed, [six])[0].tolist() == [6]


# --- what rounds --------------------------------------------------------------------------------------------

WHOLE = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
ROUGH = RNG.standard_normal((3, 4)).astype(np.float32)


def exact(fun, *args) -> bool:
    prog = traced.from_jaxpr(jax.make_jaxpr(fun)(*args), args)
    return exact_on(prog.plain, prog.flat)


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: x @ x.T + 3,
        lambda x: jnp.mean(x, axis=1),  # four numbers: the divisor is a power of two
        lambda x: lax.scan(lambda c, r: (c + r * 2, c - r), x[0], x),
        lambda x: jax.grad(lambda v: jnp.sum((v @ v.T) ** 2))(x),
        lambda x: jnp.cumprod(x[:, :3], axis=0),
        lambda x: jnp.where(x > 2, x * 0.5, -0.25).at[jnp.array([0, 0])].add(1.5),
        lambda x: jnp.convolve(x[0], x[1]),
        lambda x: jnp.sqrt(x * x),
    ],
)
def test_small_integers_and_dyadic_fractions_stay_exact(fun):
    # convolutions are JAX's
    with pytest.MonkeyPatch.context() as patch:
        from jace.ir import eval_equation

        patch.setattr(native, "eval_equation", eval_equation)
        assert exact(fun, WHOLE)


@pytest.mark.parametrize(
    ("fun", "x"),
    [
        (lambda x: x @ x.T, ROUGH),
        (lambda x: x + 1, ROUGH),
        (lambda x: jnp.mean(x), WHOLE),  # divided by twelve
        (jnp.exp, np.zeros(3, np.float32)),
        (lambda x: x * np.float32(2**23) + np.float32(0.25), WHOLE),
        (lambda x: jnp.sum(x) + 0, np.array([2.0**24, 1.0, -(2.0**24)], np.float32)),  # the order decides
        (lambda x: x * x, np.array([1e-25], np.float32)),  # subnormal
        (lambda x: x * x, np.array([1e25], np.float32)),  # overflows
        (lambda x: x.astype(np.float16), np.array([0.1], np.float32)),
        (lambda x: lax.scan(lambda c, v: (c * 0.3, v), x[0, 0], x), WHOLE),
    ],
)
def test_what_rounds_is_not_exact(fun, x):
    assert not exact(fun, x)


def test_moving_deciding_and_one_rounding_less_is_exact_on_any_input():
    assert exact(lambda x: [jnp.sort(x), x.T, jnp.argmax(x), x > 0.5, jnp.floor(x), -x, jnp.abs(x)], ROUGH)
