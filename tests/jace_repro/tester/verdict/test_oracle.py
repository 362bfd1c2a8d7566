"""The oracle: rounding is explained, a wrong operand or a lost element never is."""

from __future__ import annotations

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend.core import jaxpr_as_fun
from oracles import oracle

from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.numerics.precision import evaluate
from jace_repro.tester.verdict.oracle import FAR, MANY, SAMPLES, Oracle

RNG = np.random.default_rng(7)


def test_zeros_without_bytes_are_no_numbers():
    """The tangents of integers, which a jaxpr may hold as literals."""
    x = np.linspace(-2, 2, 7, dtype=np.float32)

    def scaled(x):
        shifted, moved = jax.jvp(lambda x: jnp.ldexp(x, jnp.floor(x).astype(jnp.int32)), (x,), (x,))
        return shifted, moved

    right = outputs(scaled, x)
    assert not oracle(scaled, x).assess(right).wrong
    assert oracle(scaled, x).assess([right[0], right[1] * np.float32(1.001)]).wrong


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
def test_sums_of_narrow_products_are_rounded_also_where_their_magnitudes_add_up_to_a_short_number(dtype):
    """Which happens by chance; whole numbers add up exactly, in any order."""

    def product(a, b):
        return jax.lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)

    rng = np.random.default_rng(1655229758)
    for _ in range(10):
        a, b = (rng.standard_normal(shape).astype(dtype) for shape in ((12, 12), (12, 9)))
        exact = a.astype(np.float64) @ b.astype(np.float64)
        rounding = np.finfo(np.float32).eps * (abs(a).astype(np.float64) @ abs(b).astype(np.float64))
        assert not oracle(product, a, b).assess([(exact + rounding).astype(np.float32)]).wrong
        assert oracle(product, a, b).assess([(exact + 100 * rounding).astype(np.float32)]).wrong
    a, b = (np.rint(4 * rng.standard_normal(shape)).astype(dtype) for shape in ((12, 12), (12, 9)))
    right = a.astype(np.float32) @ b.astype(np.float32)
    assert not oracle(product, a, b).assess([right]).wrong
    assert oracle(product, a, b).assess([np.nextafter(right, np.float32(np.inf))]).wrong


def outputs(fun, *args):
    return [np.asarray(out) for out in jax.tree.leaves(jax.jit(fun)(*args))]


def rows(shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


def cancelling(x):
    return jnp.sum(x * 1e4, axis=1) - 1e4 * jnp.sum(x, axis=1)


def loops(x):
    carry, ys = jax.lax.scan(lambda c, row: (jnp.tanh(c + row), c * row), x[0], x)
    return carry, ys, jax.lax.while_loop(lambda c: jnp.sum(c) > 1, lambda c: c / 2, jnp.abs(x))


def branches(x):
    return jax.lax.switch(1, [jnp.sin, jnp.cos, jnp.tan], x), jax.lax.cond(x[0, 0] > 0, jnp.exp, jnp.exp2, x)


def linear(x):
    return jnp.linalg.solve(x.T @ x + 3 * jnp.eye(x.shape[1], dtype=x.dtype), x.T)


def scattered(x):
    return x.at[jnp.array([1, 1, 2])].add(0.1), jnp.cumsum(x, 0), jnp.cumprod(x, 1), jax.nn.softmax(x)


def moved(x):
    return jax.lax.reshape(jnp.tanh(x), (x.shape[1], x.shape[0]), (1, 0)), jax.lax.rev(jnp.exp(x), (1,))


@pytest.mark.parametrize("fun", [cancelling, loops, branches, linear, scattered, moved])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_xla_jitted_and_equation_by_equation_are_within_the_bounds(fun, dtype):
    if fun is linear and dtype == np.float16:
        dtype = np.float32  # LAPACK has no half precision
    with jax.enable_x64(True):
        x = rows((16, 8), dtype)
        one = oracle(fun, x)
        assert not one.assess(outputs(fun, x)).wrong
        assert not one.assess(one.native).wrong


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [101, 4096, 65536])
def test_a_cumsum_that_drops_its_last_element_is_convicted(dtype, count):
    with jax.enable_x64(True):
        x = np.random.default_rng(count).random(count).astype(dtype)
        x[-1] = 1  # a third of that is what adding in order may lose of 65536
        one = oracle(jnp.cumsum, x)
        (right,) = outputs(jnp.cumsum, x)
        assert not one.assess([right]).wrong
        wrong = right.copy()
        wrong[-1] = wrong[-2]
        assert one.assess([wrong]).kind == "value"


def test_sums_that_round_the_same_way_every_time_are_explained():
    x = np.full(1 << 16, 0.1, np.float32)
    one = oracle(jnp.sum, x)
    sequential = np.cumsum(x)[-1]
    assert abs(sequential - 6553.6) > 0.5
    assert not one.assess([sequential]).wrong


ALIKE = {
    "sum": lambda x: x.sum(),
    "dot": lambda x: x @ jnp.ones(x.shape[0], x.dtype),
    "two axes": lambda x: jnp.tensordot(x.reshape(-1, 2), jnp.ones((x.shape[0] // 2, 2), x.dtype), 2),
    "convolution": lambda x: jnp.convolve(x, jnp.ones(x.shape[0], x.dtype), mode="valid")[0],
    "scatter": lambda x: jnp.zeros(2, x.dtype).at[jnp.zeros(x.shape[0], jnp.int32)].add(x)[0],
    "complex": lambda x: x.astype(jnp.complex64).sum().real,
    "in a loop": lambda x: jax.lax.fori_loop(0, 3, lambda _, c: x @ jnp.ones(x.shape[0], x.dtype), 0.0),
}


def worst_in_order(count, seed):
    """So many equal numbers: of a thousand the one whose sum in order is the farthest off."""
    numbers = np.random.default_rng(seed).uniform(1, 2, 1000).astype(np.float32)
    off = np.abs(np.cumsum(np.tile(numbers, (count, 1)), axis=0)[-1] - count * numbers.astype(np.float64))
    return np.full(count, numbers[np.argmax(off / numbers)])


@pytest.mark.parametrize("count", [48, 228, 3000])
@pytest.mark.parametrize("name", ALIKE)
def test_terms_that_are_alike_may_be_added_in_order_whatever_adds_them(name, count):
    """Of equal ones, what 0.1 % of all numbers come to at worst: n/8 units, where sqrt(n)/4 were granted."""
    x = worst_in_order(count, seed=count)
    one = oracle(ALIKE[name], x)
    in_order = np.cumsum(x)[-1]
    assert abs(in_order / (count * np.float64(x[0])) - 1) > 0.1 * count * np.finfo(np.float32).eps
    assert not one.assess([in_order]).wrong
    assert not one.assess(outputs(ALIKE[name], x)).wrong
    assert one.assess([np.cumsum(x)[-2]]).kind == "value"  # one is lost


@pytest.mark.parametrize("seed", [83, 103, 158, 169])
def test_the_worst_case_is_granted_however_its_noise_falls(seed):
    """Of 400 seeds these were convicted: the samples of the noise stayed within half of its width."""
    x = worst_in_order(228, seed)
    assert not oracle(ALIKE["scatter"], x).assess([np.cumsum(x)[-1]]).wrong


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_swapped_operands_of_sub_are_convicted_even_deep_in_a_program(dtype):
    with jax.enable_x64(True):
        x = rows((12, 12), dtype)

        def program(x, swap=False):
            y = jnp.tanh(x @ x.T)
            z = (x - y) if swap else (y - x)
            return jax.nn.softmax(z) @ x, jnp.sum(jnp.exp(z))

        one = oracle(program, x)
        assert not one.assess(outputs(program, x)).wrong
        assert one.assess(outputs(lambda x: program(x, swap=True), x)).kind == "value"


def test_a_loss_of_all_digits_is_explained_but_nothing_more():
    def lossy(x):
        return (x + 1e8) - 1e8

    x = rows((64,))
    one = oracle(lossy, x)
    assert not one.assess(outputs(lossy, x)).wrong
    assert one.assess([np.asarray(outputs(lossy, x)[0]) + 100]).wrong


def test_fma_contraction_of_a_cancelling_product_is_explained():
    a, b = rows((256,)), rows((256,))

    def determinant(a, b):
        return a * b - b * a

    one = oracle(determinant, a, b)
    fused = (a.astype(np.float64) * b - (a * b)).astype(np.float32)
    assert np.any(fused != 0)
    assert not one.assess([fused]).wrong
    assert one.assess([fused + np.float32(1e-5)]).wrong


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    "fun",
    [
        lambda a, c: a * 2 - c,
        lambda a, c: c - jnp.reshape(2 * a, (2, 2)).ravel(),
        lambda a, c: jnp.sum(jnp.stack([a / 2, a]) * jnp.array([[-2], [2]], a.dtype), 0),
        lambda a, c: jax.lax.fori_loop(0, 3, lambda i, x: x * 2 - x, a),
        lambda a, c: jax.lax.fori_loop(0, 5000, lambda i, x: x * 2 - x, a),  # too long to be walked in Python
    ],
)
def test_a_contracted_product_need_not_overflow(fun, dtype):
    """XLA contracts products of f32 and f64 on every CPU, of f16 where that is native: the difference is finite."""
    with jax.enable_x64(True):
        most = np.finfo(dtype).max
        a = np.array([0.6, 0.7, -0.6, 0.25], dtype) * most
        one = oracle(fun, a, a)
        assert not one.assess(outputs(fun, a, a)).wrong
        assert not one.assess(one.best).wrong
        assert one.assess([out * dtype(0.9) for out in outputs(fun, a, a)]).wrong


def test_a_product_that_overflows_is_infinite_where_nothing_is_added():
    a = np.array([2e38, -2e38], np.float32)
    for fun in (lambda a: a * 2, lambda a: jnp.sqrt(a * 2) * 2 - a):
        one = oracle(fun, a)
        assert not one.assess(one.best).wrong
        assert one.assess([a]).wrong


def test_near_ties_are_undecided_and_clear_decisions_are_not():
    x = np.array([1.0, 0.3], np.float32)

    def decide(x):
        return jnp.sin(x) * 3 > jnp.sin(x) * 2 + jnp.sin(x), jnp.sin(x) > 0.5

    one = oracle(decide, x)
    right = outputs(decide, x)
    assert not one.assess([~right[0], right[1]]).wrong
    assert one.assess([right[0], ~right[1]]).wrong
    assert "gt" in one.near_ties


def test_equal_values_may_be_rounded_differently_by_a_vector_loop_and_its_remainder():
    """exp(-1) in two places of one array, in the second an ULP larger: a stable sort by it has another order."""
    x = np.array([-1.0, 0.5, 0.7, -1.0], np.float32)
    one = oracle(lambda x: jnp.argsort(jnp.exp(-x), stable=True), x)
    assert not one.assess([np.array([2, 1, 3, 0], np.int32)]).wrong
    assert one.assess([np.array([1, 2, 0, 3], np.int32)]).wrong


def test_exact_decisions_are_not_forgiven():
    x = np.arange(8, dtype=np.float32)

    def count(x):
        return jnp.floor(x * 3 / 1.0 + 0.0), jnp.argmax(x * 2 + 1)

    one = oracle(count, x)
    right = outputs(count, x)
    assert not one.assess(right).wrong
    assert one.assess([right[0] - 1, right[1]]).wrong
    assert one.assess([right[0], right[1] * 0]).wrong


def test_nan_and_infinity_must_be_where_they_belong():
    x = np.array([-1.0, 0.0, 1.0], np.float32)

    def logs(x):
        return jnp.log(x) * 2

    one = oracle(logs, x)
    (right,) = outputs(logs, x)
    assert not one.assess([right]).wrong
    assert one.assess([np.nan_to_num(right, nan=0.0)]).kind == "nan"
    assert one.assess([np.where(np.isinf(right), np.float32(-3e38), right)]).kind == "inf"


def test_overflow_and_flush_to_zero_follow_the_native_dtype():
    x = np.array([3e38, 1e-30], np.float32)

    def extreme(x):
        return x * 4, x * 1e-10

    big, small = evaluate(jax.make_jaxpr(extreme)(x), [x])
    assert np.isinf(big[0])
    assert small[1] == 0
    assert not oracle(extreme, x).assess(outputs(extreme, x)).wrong


def test_long_products_of_factors_near_one_err_to_one_side():
    """XLA's, in its order, by 1e-3, a tenth of what rounding may do at the worst; one in fifty is no rounding."""
    x = (1 + np.random.default_rng(0).standard_normal(1 << 18) * 1e-4).astype(np.float32)
    out = outputs(jnp.prod, x)
    assert abs(out[0] / np.prod(x, dtype=np.float64) - 1) > 1e-3
    one = oracle(jnp.prod, x)
    assert not one.assess(out).wrong
    assert one.assess([out[0] * np.float32(1.02)]).wrong


def test_complex_products_are_judged_by_modulus():
    x = (rows((32,)) + 1j * rows((32,))).astype(np.complex64)

    def square(x):
        return x * x * jnp.exp(x)

    one = oracle(square, x)
    (right,) = outputs(square, x)
    assert not one.assess([right]).wrong
    assert one.assess([right.conj()]).wrong


def test_noise_is_reproducible_and_salt_zero_has_none():
    x = rows((5,))
    closed = jax.make_jaxpr(lambda x: jnp.exp(x) / 3)(x)
    true, again = evaluate(closed, [x]), evaluate(closed, [x])
    noisy, same = evaluate(closed, [x], 3), evaluate(closed, [x], 3)
    assert true[0].tobytes() == again[0].tobytes()
    assert noisy[0].tobytes() == same[0].tobytes() != true[0].tobytes()
    assert np.allclose(noisy[0], true[0], rtol=1e-5)
    assert np.allclose(true[0], np.exp(x.astype(np.float64)) / 3, rtol=1e-12)


def test_xla_wrong_is_seen_when_the_candidate_agrees_with_the_precise_result():
    x = RNG.random((100,)).astype(np.float32)
    one = oracle(lambda x: jnp.sum(x * x), x)
    reference = [np.asarray(out) for out in jax.jit(jaxpr_as_fun(one.closed))(x)]
    assert one.assess([reference[0] * np.float32(1.01)]).wrong
    assert not one.assess(reference).wrong


def exactly(fun, *rows):
    """A sum of products in rational arithmetic, rounded once."""
    return float(sum((fun(*map(Fraction, row)) for row in zip(*rows, strict=True)), Fraction(0)))


@pytest.mark.parametrize("count", [1000, 20000])
def test_the_centre_of_a_f64_program_is_better_than_f64(count):
    worse = 0
    for seed in range(4):  # its own numbers, whatever was tested before: not every sum loses a bit in f64
        rng = np.random.default_rng(seed)
        with jax.enable_x64(True):
            x = rng.standard_normal(count) * 10.0 ** rng.integers(0, 12, count)
            y = rng.standard_normal(count)
            one = oracle(lambda x, y: (jnp.sum(x * y), x @ y), x, y)
            true = exactly(lambda a, b: a * b, x, y)
            held_in_f64 = evaluate(one.closed, one.args)
            for centre, plain in zip(one.precise, held_in_f64, strict=True):
                assert abs(float(centre) - true) <= 2 * np.spacing(abs(true))
                assert centre.dtype == plain.dtype == np.float64
            worse += sum(abs(float(plain) - true) > 2 * np.spacing(abs(true)) for plain in held_in_f64)
    assert worse


def test_loops_special_functions_and_conversions_of_f64_have_a_centre():
    def program(x):
        y, ys = jax.lax.scan(lambda c, r: (c * 0.5 + jnp.exp(r), jax.scipy.special.erf(r)), x[0], x)
        z = jnp.linalg.solve(x.T @ x + 3 * jnp.eye(3), y)
        return ys, z, jnp.sort(x, axis=0), x.astype(jnp.float32) * 3, jnp.floor(x * 3).astype(jnp.int32)

    with jax.enable_x64(True):
        x = rows((5, 3), np.float64)
        one = oracle(program, x)
        assert not one.assess(outputs(program, x)).wrong
        for centre, out in zip(one.best, outputs(program, x), strict=True):
            assert (centre.shape, centre.dtype) == (out.shape, out.dtype)


def test_only_a_decision_that_noise_turns_is_a_near_tie():
    x = np.array([1.0, 0.3], np.float32)

    def decide(x):
        near = jnp.sin(x) * 3 > jnp.sin(x) * 2 + jnp.sin(x)
        return near, jnp.floor(jnp.sin(x) * 10 + 0.37), jnp.argmax(jnp.cos(x))

    assert oracle(decide, x).near_ties == ["gt"]
    taken = lambda x: jax.lax.cond(jnp.bool_(True) == (x.size > 1), jnp.sin, jnp.cos, x)
    assert oracle(taken, x).near_ties == []  # between Booleans nothing is near
    assert oracle(lambda x: jnp.argmax(jnp.sin(x) * 2), x).near_ties == []
    tied = np.array([0.7, 0.7], np.float32)
    assert oracle(
        lambda x: jnp.argmax(jnp.stack([jnp.sin(x) + 1, jnp.cos(x - np.pi / 2) + 1]), 0), tied
    ).near_ties == ["argmax"]


@pytest.mark.parametrize("limit", [10.0, 1e30])
def test_a_while_over_a_batch_goes_on_for_the_rows_that_run(limit):
    """Eagerly, and longer than that: each row stops when it is done."""
    start = np.array([0.5, 3.0, limit * 2, 9.0], np.float32)
    rate = 2.0 if limit == 10.0 else 1.02

    def program(x):
        step = lambda c: (c[0] * rate + 0.125, c[1] + 1)
        return jax.vmap(lambda v: jax.lax.while_loop(lambda c: c[0] < limit, step, (v, 0)))(x)

    one = oracle(program, start)
    out = outputs(program, start)
    assert not one.assess(out).wrong
    np.testing.assert_array_equal(one.centre[1], out[1])
    late = [out[0], out[1] + np.array([0, 1, 0, 0], np.int32)]
    assert one.assess(late).wrong


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_number_is_not_infinite_where_nothing_rounds(sign):
    x = np.full(4, sign * np.finfo(np.float32).max)
    wrong = [np.asarray(sign * np.inf, np.float32)]
    assert oracle(jnp.max, x).assess(wrong).kind == "inf"
    assert not oracle(lambda x: jnp.sum(x[:1] * 1.0000001), x).assess(wrong).wrong  # where it does, it may be


def smooth(x):
    return jnp.sum(jnp.sin(x) * x, axis=1) / 3 + 10


@pytest.fixture
def salts(monkeypatch):
    """The salts of the noisy evaluations that an oracle makes."""
    made = []

    def counted(closed, args, salt=0):
        made.append(salt)
        return evaluate(closed, args, salt)

    monkeypatch.setattr("jace_repro.tester.verdict.oracle.evaluate", counted)
    return made


@pytest.mark.parametrize(
    ("fun", "off", "taken"),
    [
        (smooth, 0.0, 0),  # within the least that is granted
        (smooth, 1e-2, FAR[0][0]),  # far beyond what two samples explain
        (smooth, 1e-3, FAR[1][0]),  # what three do
        (smooth, 1e-5, SAMPLES),  # beyond what all of them explain, not by far
        (lambda x: jnp.maximum(smooth(x), 0.0), 1e-2, SAMPLES),  # noise may not show in a corner
        (lambda x: smooth(x) + (x[:, 0] > 0.5), 1e-2, SAMPLES),  # noise may turn a decision
        (lambda x: smooth(x) + x[:, 0].astype(jnp.int32), 1e-2, SAMPLES),
        (lambda x: jnp.floor(smooth(x) * 8) / 8, 1e-2, SAMPLES),
    ],
)
def test_as_few_samples_are_taken_as_will_say_so(fun, off, taken, salts):
    x = rows((17, 5))
    got = [out * np.float32(1 + off) for out in outputs(fun, x)]
    assert oracle(fun, x).assess(got).wrong == bool(off)
    assert [salt for salt in salts if salt] == list(range(1, taken + 1))


@pytest.mark.parametrize("off", [1e-6, 1e-4, 1e-2, 1.0])
def test_what_few_samples_convict_all_samples_convict(off):
    for seed in range(25):
        x = np.random.default_rng(seed).normal(size=(8, 8)).astype(np.float32)
        got = [out + np.float32(off) for out in outputs(cancelling, x)]
        early, patient = oracle(cancelling, x), oracle(cancelling, x)
        patient.bound(0)  # known: all samples are taken
        assert early.assess(got).wrong == patient.assess(got).wrong


def test_noise_that_is_multiplied_on_its_way_explains_orders_of_magnitude():
    """Of a product of thousands of factors that are nothing but noise, the samples show a few."""

    def fun(x):
        chaotic = jax.lax.scan(lambda c, _: (3.9 * c * (1 - c),) * 2, x, None, length=300)[1]
        return jnp.cumprod(jnp.exp(4 * chaotic - 2), axis=0)

    x = np.linspace(0.1, 0.9, 33, dtype=np.float32)
    closed = jax.make_jaxpr(fun)(x)
    oracle = Oracle(closed, [x], budgets(closed))
    (right,) = (out.astype(np.float32) for out in evaluate(closed, [x], salt=99))
    assert not oracle.assess([right]).wrong


def test_a_logarithm_of_a_sum_is_rounded_beside_the_exponents():
    """-0.672 + 0.6796: what is left is 1e-16 off when the logarithm is rounded the other way."""
    with jax.enable_x64(True):
        x = np.array([[-0.6994330057671352, -0.6721298326260572], [-np.inf, -3.0], [-np.inf, -np.inf]])
        one = oracle(lambda x: jax.lax.cumlogsumexp(x, axis=1), x)
        (right,) = outputs(lambda x: jax.lax.cumlogsumexp(x, axis=1), x)
        other = right.copy()
        other[0, 1] = 0.007458941377087913
        assert right[0, 1] != other[0, 1]
        assert not one.assess([right]).wrong
        assert not one.assess([other]).wrong
        other[0, 1] += 1e-14
        assert one.assess([other]).wrong
        other[:] = right
        other[2, 0] = -1e300
        assert one.assess([other]).wrong


def test_a_window_over_two_operands_is_evaluated():
    """Each output has noise of its own."""

    def both(x, y):
        first, second = jax.lax.reduce_window(
            (x, y),
            (np.float32(1.0), np.float32(0.0)),
            lambda a, b: (a[0] * b[0], a[1] + b[1]),
            (3,),
            (1,),
            "VALID",
        )
        return jnp.sin(first), jnp.tanh(second)

    x, y = rows((9,)), rows((9,))
    one = oracle(both, x, y)
    first, second = outputs(both, x, y)
    assert not one.assess([first, second]).wrong
    assert one.assess([first, second + np.float32(1e-3)]).wrong


def test_a_number_of_which_one_part_overflows_has_the_other_part():
    """`re + 1j * im` is NaN where `im` is infinite: sinh(100 + 1j) is (inf, inf) in complex64, 7e42 + 1e43j before."""
    x = np.array([100 + 1j, -700 - 5j], np.complex64)
    one = oracle(jnp.sinh, x)
    assert np.isinf(one.centre[0]).all()
    assert not one.assess([np.array([complex(np.inf, np.inf), complex(-np.inf, np.inf)], np.complex64)]).wrong
    assert one.assess([np.array([complex(np.nan, np.inf), complex(-np.inf, np.inf)], np.complex64)]).wrong


def test_where_two_executions_have_the_same_bits_neither_is_wrong():
    x = np.array([0.5, 1.5, 2.5], np.float32)
    one = oracle(jnp.sin, x)
    (right,) = outputs(jnp.sin, x)
    ours, theirs = right.copy(), right.copy()
    ours[0] = theirs[0] = 7.0  # whatever the truth is, the two agree on it
    theirs[1] = -7.0
    assert one.assess([ours]).wrong
    assert not one.assess([ours], [theirs]).wrong
    assert one.assess([theirs], [ours]).differences[0].index == (1,)
    ours[2] = theirs[2] = np.nan
    assert not one.assess([ours], [theirs]).wrong
    ours[2] = 0.0
    assert one.assess([ours], [theirs]).wrong


def test_two_functions_of_one_value_err_each_by_itself():
    """i0e and i1e are equal far out: infinity times their difference is infinite or NaN, as they happen to err."""

    def difference(x, y):
        return y * (jax.lax.bessel_i1e(x) - jax.lax.bessel_i0e(x)), y * (jnp.exp(x - x) - jnp.cos(x - x) * 1)

    x = np.float32([3.4028235e38, 3.4028235e38, 1.0])
    y = np.float32([np.inf, np.inf, 2.0])
    judge = oracle(difference, x, y)
    exact = judge.precise
    assert np.isnan(exact[0][:2]).all()
    right = [exact[0].astype(np.float32), np.float32([np.nan, np.nan, 0])]
    erring = [np.float32([np.inf, -np.inf, exact[0][2]]), right[1]]
    assert not judge.assess(right).wrong
    assert not judge.assess(erring).wrong
    assert judge.assess([np.float32([np.nan, np.nan, exact[0][2] * 1.01]), right[1]]).wrong


def exponentials(x):
    return jnp.exp(jnp.tanh(x) * 20), jnp.sin(x) * 3


def beyond(one, output, times, where=0):
    """XLA's outputs but for one element, which is so many times as far off as rounding explains."""
    moved = [np.array(out) for out in one.best]
    moved[output][where] = one.centre[output][where] + times * one.bound(output)[where]
    return moved


def test_of_thousands_of_elements_of_a_loop_one_may_be_some_more_off_than_six_samples_show():
    looped = lambda x: jax.lax.fori_loop(0, 3, lambda _, c: jnp.sin(c) * 3, x)
    many, few = oracle(looped, RNG.normal(size=2000).astype(np.float32)), oracle(looped, rows((200,)))
    assert not many.assess(beyond(many, 0, 2.5)).wrong
    assert many.assess(beyond(many, 0, 6.0)).kind == "value"
    assert few.assess(beyond(few, 0, 2.5)).kind == "value"
    straight = oracle(jnp.sin, RNG.normal(size=2000).astype(np.float32))
    assert straight.assess(beyond(straight, 0, 2.5)).kind == "value"


def test_an_execution_is_like_another_in_the_whole_program():
    """How far beyond the samples rounding goes, one output of the other may say for all."""
    one = oracle(exponentials, rows((50,)))
    other = beyond(one, 0, 5.0)
    assert one.alike(beyond(one, 0, 3.0), other)
    assert one.alike(beyond(one, 1, 12.0), other)
    assert not one.alike(beyond(one, 1, 50.0), other)
    assert not one.alike(beyond(one, 1, 12.0), one.best)
    spread = beyond(one, 1, 12.0)
    for k in range(20):
        spread[1][k] = one.centre[1][k] + 12.0 * one.bound(1)[k]
    assert not one.alike(spread, other)  # in far more elements


def test_what_two_executions_have_in_common_makes_them_no_less_alike():
    """An unstable sort may move the values of equal keys as it likes: which way is known of nobody."""
    order = np.int32([2, 2, 1, 1])
    both = lambda x, keys, values: (jnp.exp(jnp.tanh(x) * 20), *jax.lax.sort((keys, values), is_stable=False))
    one = oracle(both, rows((50,)), order, np.arange(4, dtype=np.int32))
    swapped, dropped = np.int32([3, 2, 1, 0]), np.int32([3, 2, 1, 3])
    ours, theirs = beyond(one, 0, 3.0), beyond(one, 0, 5.0)
    assert not np.array_equal(ours[2], swapped)
    assert one.alike([*ours[:2], swapped], [*theirs[:2], swapped])
    assert not one.alike([*ours[:2], dropped], [*theirs[:2], swapped])
    assert not one.alike([*ours[:2], swapped], theirs)


def test_a_decision_that_the_first_samples_have_alike_by_chance_convicts_nobody() -> None:
    """Found by a campaign: an argmax in a loop, whose predicate fell one way in six samples of six."""
    x = np.linspace(0.1, 1.4, 60, dtype=np.float32)
    c = (np.sin(x.astype(np.float64)) + np.linspace(-2e-7, 2e-7, 60)).astype(np.float32)
    closed = jax.make_jaxpr(lambda x, c: jnp.sin(x) > c)(x, c)
    of_some = Oracle(closed, [x, c], budgets(closed))
    agreed = np.all([sample[0] == of_some.centre[0] for sample in of_some.samples()], axis=0)
    later = [sample[0] for sample in of_some.samples(MANY)[SAMPLES:]]
    other = max(later, key=lambda out: np.sum(agreed & (out != of_some.centre[0]))).astype(bool)
    assert np.any(agreed & (other != of_some.centre[0]))
    assert not Oracle(closed, [x, c], budgets(closed)).assess([other]).wrong
    wrong = ~np.asarray(of_some.centre[0], bool)  # everywhere, also where nothing is near
    assert Oracle(closed, [x, c], budgets(closed)).assess([wrong]).wrong
