"""Fourier transforms against XLA, in the operand's precision."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from jax import lax
from jax.lax import FftType
from together import together

from jace.build import pocketfft

Array = Any


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def _random(shape: tuple[int, ...], dtype: Any) -> Array:
    rng = np.random.default_rng(list(shape))
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


CASES = [((1,), 1), ((2, 3, 13), 1), ((40, 8), 1), ((3, 4, 7), 2), ((2, 3, 4, 6), 3), ((0, 4), 1)]


@together
@pytest.mark.parametrize(("real", "complex_"), [("f4", "c8"), ("f8", "c16")])
def test_all_types_lengths_and_ranks(real: str, complex_: str) -> None:
    operands: list[Array] = []
    programs: list[tuple[FftType, tuple[int, ...]]] = []
    for shape, rank in CASES:
        for kind in FftType:
            half = (*shape[:-1], shape[-1] // 2 + 1)
            operands.append(
                _random(half if kind == FftType.IRFFT else shape, real if kind == FftType.RFFT else complex_)
            )
            programs.append((kind, shape[len(shape) - rank :]))

    def fun(xs: list[Array]) -> Any:
        return [lax.fft(x, kind, lengths) for x, (kind, lengths) in zip(xs, programs, strict=True)]

    check(fun, operands)


@together
def test_inside_of_scan_and_grad() -> None:
    def fun(x: Array) -> Any:
        rows = lax.scan(lambda c, r: (c + 1, jnp.fft.rfft(r * c)), 1.0, x)[1]
        return rows, jax.grad(lambda y: jnp.abs(jnp.fft.fft2(y)).sum())(x)

    check(fun, _random((4, 32), "f8"))


def test_loops_are_recognised() -> None:
    """Each transform has a loop that passes its trial; other names and layouts are refused."""
    assert all(
        pocketfft.address(f"{transform}_{precision}")
        for transform in ("fft", "ifft", "irfft", "rfft_n_even", "rfft_n_odd")
        for precision in ("f32", "f64")
    )
    assert pocketfft.address("fft_f32.data") != pocketfft.address("ifft_f32.data")
    with pytest.raises(KeyError):
        pocketfft.address("dct_f64")


def test_a_changed_numpy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.fft, "fft", lambda x: np.zeros(x.shape))
    with pytest.raises(ImportError, match="does not do what jace knows"):
        pocketfft._loop.__wrapped__("fft_f64")
