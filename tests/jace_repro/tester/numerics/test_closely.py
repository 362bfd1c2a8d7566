"""Functions and sums that are off by more than a good implementation is are convicted, whatever others are off by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import mpmath
import numpy as np
import pytest
import tester_backends
from jax import lax
from scipy import special

import jace
from jace.releases.xla import XLA
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro
from jace_repro.tester.execute.backends import jace_backend
from jace_repro.tester.numerics import closely
from jace_repro.tester.numerics.exact_functions import EXACT, measured
from jace_repro.tester.numerics.numpy_ops import polygamma


def grid(low: float, high: float, size: int = 64, seed: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, size).astype(np.float32)


FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "zeta": (lax.zeta, (grid(1.5, 9), grid(0.5, 20, seed=5))),
    "polygamma": (lax.polygamma, (np.rint(grid(1, 5)), grid(0.5, 20, seed=5))),
    "igamma": (lax.igamma, (grid(0.5, 9), grid(0.5, 9, seed=5))),
    "igammac": (lax.igammac, (grid(0.5, 9), grid(0.5, 9, seed=5))),
    "erf_inv": (lax.erf_inv, (grid(-0.9, 0.9),)),
    "lgamma": (lax.lgamma, (grid(3, 30),)),
    "digamma": (lax.digamma, (grid(2, 30),)),
    "bessel_i0e": (lax.bessel_i0e, (grid(-9, 9),)),
    "bessel_i1e": (lax.bessel_i1e, (grid(1, 9),)),
}
LARGE = ("zeta", "polygamma", "igamma", "igammac")


@contextmanager
def planted(primitive: str, factor: float) -> Iterator[None]:
    """The rule of a primitive off by a factor."""
    right = jace.rule_of(primitive)

    def expression(params: Any, ins: Any, out: Any, *operands: str) -> str:
        return f"(({right.expression(params, ins, out, *operands)}) * {factor}f)"

    with jace.use_rules({primitive: jace.Elementwise(expression)}):
        yield


def judged(fun: Callable[..., Any], *args: Any, backend: Any = None, **options: Any) -> Verdict:
    repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="prog"))
    how = {} if backend is None else {"backend": backend}
    return check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=0.0, **options), **how)[0]


@pytest.mark.parametrize(
    "name", ["zeta", "erf_inv", *(pytest.param(n, marks=pytest.mark.ci) for n in FUNCTIONS)]
)
def test_a_function_that_is_off_by_little_is_convicted(name: str) -> None:
    fun, args = FUNCTIONS[name]
    with planted(name, 1.0001 if name in LARGE else 1.00001):
        alone = judged(fun, *args)
        within = judged(lambda *xs: jnp.cumsum(fun(*xs) * 2), *args)
    assert alone.outcome == within.outcome == "mismatch", (alone.detail, within.detail)
    assert within.guilty is not None
    assert (within.guilty.primitive, within.guilty.confirmed) == (name, True)
    assert judged(fun, *args).outcome == "ok"


def _one_by_one(dtype: Any) -> Callable[..., Any]:
    """A backend that is right but for sums of rows, which it makes one term after the other in a type."""

    def backend(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        right = tester_backends.honest(closed, pipeline, enter)
        alone = closed.jaxpr.eqns[0].primitive.name if len(closed.jaxpr.eqns) == 1 else ""

        def call(*args: np.ndarray) -> list[np.ndarray]:
            outs = right.call_direct(*args)
            if alone not in ("reduce_sum", "dot_general"):
                return outs
            terms = args[0] if alone == "reduce_sum" else args[0] * args[1]
            total = np.zeros(terms.shape[0], dtype)
            for column in terms.T:
                total = (total + column.astype(dtype)).astype(dtype)
            return [total.astype(outs[0].dtype)]

        return SimpleNamespace(seconds={}, call_direct=call)

    return backend


def _sum(x: Any) -> Any:
    return lax.reduce_sum_p.bind(x, axes=(1,), out_sharding=None)


def _rows_by_rows(x: Any, y: Any) -> Any:
    return lax.dot_general(x, y, (((1,), (1,)), ((0,), (0,))))


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16])
def test_a_16_bit_sum_is_not_accumulated_in_16_bits(dtype: Any) -> None:
    x, y = (np.random.default_rng(k).random((4, 3000)).astype(dtype) for k in (1, 2))
    for fun, args in ((_sum, (x,)), (_rows_by_rows, (x, y))):
        assert judged(fun, *args, backend=_one_by_one(dtype)).outcome == "mismatch"
        assert judged(fun, *args, backend=_one_by_one(np.float32)).outcome == "ok"
        assert judged(fun, *args).outcome == "ok"


def test_what_jace_was_measured_at_is_known_for_every_function() -> None:
    """`python scripts/bench_accuracy.py --table` writes it."""
    assert set(measured()) == set(EXACT)
    assert all(0 < error < 50 for column in measured().values() for error in column.values())


#: Where XLA has lost digits of a function of 64 bits until 0.11: nothing wider can be asked, but mpmath.
LOST: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "tan": (lax.tan, (np.array([-1.570796326794897 + 1.1102230246251563e-16j, 0.3 + 0.1j]),)),
    "log": (lax.log, (np.array([0.7752146300026783 + 9.999999999999999e-09j, 2 - 1j]),)),
}


@pytest.mark.parametrize("name", LOST)
def test_what_xla_has_lost_is_not_daces_fault(name: str) -> None:
    fun, args = LOST[name]
    with jax.enable_x64(True):
        header = Header(name="prog", jax_config={"jax_enable_x64": True})
        repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=header)
    options = Options(blame=False, ffi_share=0.0)
    found = check_repro(repro, ["fused"], options=options)[0]
    assert found.outcome == ("reference-mismatch" if XLA < 1100 else "ok"), found.detail

    def off(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        right = jace_backend(closed, pipeline, enter)
        return SimpleNamespace(
            seconds={}, call_direct=lambda *a: [x * (1 + 1e-6) for x in right.call_direct(*a)]
        )

    assert check_repro(repro, ["fused"], backend=off, options=options)[0].outcome == "mismatch"


def test_who_is_right_where_xla_is_not_is_acquitted() -> None:
    z = np.array([0.3 + 0.1j, 2 - 1j, 0.5 + 3j])
    x = np.array([0.4, 2.5, 7.0])
    with jax.enable_x64(True):
        for fun, args, right in ((lax.log, [z], np.log(z)), (lax.igamma, [x, x], jace.jit(lax.igamma)(x, x))):
            closed = jax.make_jaxpr(fun)(*args)
            true, off = np.asarray(right), np.asarray(right) * (1 + 1e-9)
            assert closely.acquits(closed, args, [true], [off])
            assert not closely.acquits(closed, args, [off], [true])
            assert not closely.acquits(closed, args, [off], [true * (1 + 2e-9)])
            assert not closely.acquits(closed, args, [np.full_like(true, np.nan)], [off])
            assert not closely.acquits(closed, args, [true], [true])  # nothing to be acquitted of


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16])
def test_many_clean_arguments_accuse_nobody(name: str, dtype: Any) -> None:
    fun, args = FUNCTIONS[name]
    random = np.random.default_rng(len(name))
    many = [random.uniform(a.min() / 2, a.max() * 1.05, 100_000) for a in args]
    many[0] = np.rint(many[0]) if name == "polygamma" else many[0]
    with jax.enable_x64(dtype == np.float64):
        given = [m.astype(dtype) for m in many]
        config = {"jax_enable_x64": True} if dtype == np.float64 else {}
        repro = emit_flat(jax.make_jaxpr(fun)(*given), given, header=Header(name="prog", jax_config=config))
    found = check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=0.0))[0]
    assert found.outcome in ("ok", "reference-mismatch"), found.detail


@pytest.mark.parametrize(
    ("name", "operands", "true"),
    [
        ("igamma", (1.797e308, 3.0), 0.0),
        ("igamma", (2e4, 5e4), 1.0),
        ("igamma", (1e70, 1e70), None),
        ("igamma", (np.inf, np.inf), None),
        ("igamma", (5.0, -1e9), None),
        ("igammac", (np.inf, 3.0), 1.0),
        ("igammac", (1e9, 1e12), 0.0),
        ("zeta", (65440.0, 1.721), 0.0),
        ("zeta", (300.0, 1.0), 1.0),
        ("zeta", (np.inf, 1.0), 1.0),
        ("zeta", (np.inf, 0.5), np.inf),
        ("zeta", (np.inf, 2.5), 0.0),
        ("zeta", (300.0, -1.0), None),
        ("polygamma", (65504.0, 1.0), -np.inf),
        ("polygamma", (65505.0, 1.0), np.inf),
        ("polygamma", (65505.5, 1.0), None),
        ("polygamma", (np.inf, 1.0), None),
    ],
)
def test_far_out_functions_are_what_they_come_to(
    name: str, operands: tuple[float, ...], true: float | None
) -> None:
    value = EXACT[name].at(operands)
    assert true is None if value is None else float(value) == true


@pytest.mark.parametrize(
    ("a", "x"), [(1500, 1400), (1500, 1500), (1500, 1700), (1200, 700), (4e7, 4e7), (1e12, 1e12 + 3e6)]
)
def test_gamma_functions_of_a_large_order_are_known_about_the_mean(a: float, x: float) -> None:
    below, above = (EXACT[name].at((a, x)) for name in ("igamma", "igammac"))
    assert below + above == 1
    assert float(below) == pytest.approx(special.gammainc(a, x), rel=1e-11)
    if a < 5000:
        with mpmath.workdps(40):
            assert mpmath.almosteq(below, mpmath.gammainc(a, 0, x, regularized=True), 1e-20)


def test_nobody_but_xla_is_accused_of_its_gamma_function_of_a_large_order() -> None:
    a = np.array([4.2949672e7, 4.2949672e9, 4.2949672e11], np.float32)
    repro = emit_flat(jax.make_jaxpr(lax.igamma)(a, a), [a, a], header=Header(name="prog"))
    found = check_repro(repro, ["fused"], options=Options(blame=False, ffi_share=0.0))[0]
    assert found.outcome == "reference-mismatch", found.detail


def test_beyond_the_domain_they_go_on_as_in_it() -> None:
    for order in (200, 201):
        at_edge, inside = (float(mpmath.log(abs(EXACT["polygamma"].at((n, 1.5))))) for n in (order, order))
        assert at_edge == pytest.approx(float(mpmath.log(abs(mpmath.psi(order, 1.5)))), rel=1e-12)
        assert inside == at_edge
    assert EXACT["zeta"].at((200.5, 1.5)) == pytest.approx(mpmath.zeta(200.5, 1.5), rel=1e-12)
    assert EXACT["igamma"].at((1e4, 5e3)) == pytest.approx(
        float(mpmath.gammainc(1e4, 0, 5e3, regularized=True))
    )


@pytest.mark.parametrize(
    ("function", "operands", "right"),
    [
        (lax.igamma, (np.float64(1.797e308), np.float64(3.0)), 0.0),
        (lax.polygamma, (np.float16(65504), np.float16(1)), -np.inf),
        (lax.zeta, (np.float32(np.inf), np.float32(0.5)), np.inf),
    ],
)
def test_who_says_nan_where_there_is_a_value_acquits_who_has_it(
    function: Any, operands: Any, right: float
) -> None:
    with jax.enable_x64(operands[0].dtype == np.float64):
        args = [np.full(3, x) for x in operands]
        closed = jax.make_jaxpr(function)(*args)
        true, nan = (np.full(3, x, args[0].dtype) for x in (right, np.nan))
        assert closely.acquits(closed, args, [true], [nan])
        assert not closely.acquits(closed, args, [nan], [true])
        assert not closely.acquits(closed, args, [np.full_like(true, 0.5)], [nan])
        assert not closely.acquits(
            closed, args, [np.full_like(true, -np.inf if right > 0 else np.inf)], [nan]
        )


def test_the_oracle_does_not_take_xlas_word_for_polygamma() -> None:
    """Of a negative argument XLA's is wrong, as its zeta is: (n, x) with what mpmath says."""
    points = [(10.0, -9.25), (10.0, -4.25), (3.0, 2.5), (1.0, 0.3), (0.0, 1.5), (2.0, -0.5)]
    n, x = (np.array(column) for column in zip(*points, strict=True))
    with mpmath.workdps(60):
        true = [float(mpmath.psi(int(order), at)) for order, at in points]
    np.testing.assert_allclose(polygamma(n, x), true, rtol=1e-10)
    nowhere = polygamma(np.array([-1.0, 0.5, np.inf, np.nan]), np.ones(4))
    assert np.isnan(nowhere).all()


def test_polygamma_of_an_even_order_has_no_value_at_its_poles():
    """XLA says the same, but where n + 1 is rounded to an even number: 38654705664 at -3006477056 is -inf in f32."""
    n, x = (
        np.array([1.0, 2.0, 3.0, 4.0, 38654705664.0, 0.0]),
        np.array([-3.0, -3.0, 0.0, 0.0, -3006477056.0, 2.0]),
    )
    found = polygamma(n, x)
    assert np.array_equal(found[:5], [np.inf, np.nan, np.inf, np.nan, np.nan], equal_nan=True)
    assert found[5] == pytest.approx(0.42278433509846713)
    small = jax.jit(lax.polygamma)(n[:4].astype(np.float32), x[:4].astype(np.float32))
    assert np.array_equal(small, found[:4], equal_nan=True)
