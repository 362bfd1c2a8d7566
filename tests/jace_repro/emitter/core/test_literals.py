"""Literals are exact to the bit, for every dtype."""

from __future__ import annotations

import struct
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jace_repro.emitter.core import literals, operands
from jace_repro.emitter.core.script import Script

SPACE = {"np": np, "jnp": jnp, "jax": jax}
FLOATS = [
    np.float16,
    ml_dtypes.bfloat16,
    np.float32,
    np.float64,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
]
INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, ml_dtypes.int4]


def same(before: Any, after: Any) -> bool:
    before, after = np.asarray(before), np.asarray(after)
    same_type = before.dtype == after.dtype and before.shape == after.shape
    return same_type and before.tobytes() == after.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats(dtype: Any) -> None:
    width = np.dtype(dtype).itemsize
    rng = np.random.default_rng(1)
    patterns = rng.integers(0, 256, (40, width), dtype=np.uint8).view(f"u{width}").reshape(-1)
    special = np.array([0.0, -0.0, 1.0, 0.1, -1 / 3, 1e-30, 300.0, np.inf, -np.inf, np.nan, -np.nan]).astype(
        dtype
    )
    for value in [*patterns.view(dtype), *special]:
        array = np.asarray(value, dtype)
        assert same(eval(literals.numpy_array(array), SPACE), array)
        assert same(eval(literals.numpy_scalar(array), SPACE), array)


@pytest.mark.parametrize("dtype", INTS)
def test_integers(dtype: Any) -> None:
    info = jnp.iinfo(dtype)
    array = np.array([int(info.min), 0, 1, 5, int(info.max)], dtype)
    assert same(eval(literals.numpy_array(array), SPACE), array)


def test_shortest_digits() -> None:
    assert literals.numpy_scalar(np.float32(0.1)) == "np.float32(0.1)"
    assert literals.numpy_scalar(np.float32(1e-10)) == "np.float32(1e-10)"
    assert literals.numpy_scalar(np.float16(3)) == "np.float16(3.0)"
    assert literals.numpy_array(np.array(0.1, ml_dtypes.bfloat16)) == "np.array(0.1, jnp.bfloat16)"
    assert literals.numpy_array(np.array([[True], [False]])) == "np.array([[True], [False]], np.bool_)"


def test_unusual_nans() -> None:
    array = np.array([0x7FC00001, 0xFFC00000], np.uint32).view(np.float32)
    text = literals.numpy_array(array)
    assert text == "np.array([0x7fc00001, 0xffc00000], np.uint32).view(np.float32)"
    assert same(eval(text, SPACE), array)
    quiet = np.array([np.nan, 1.0], np.float32)
    assert literals.numpy_array(quiet) == "np.array([np.nan, 1.0], np.float32)"


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex(dtype: Any) -> None:
    parts = [0.0, -0.0, 0.1, np.inf, -np.inf, np.nan, -np.nan]
    array = np.array([complex(a, b) for a in parts for b in parts], dtype).reshape(7, 7)
    assert same(eval(literals.numpy_array(array), SPACE), array)
    payload = np.array([0x7FF80001, 0, 1, 0x7FF80001], np.uint32).view(dtype)
    assert same(eval(literals.numpy_array(payload), SPACE), payload)


@pytest.mark.parametrize(
    "value", [True, 3, -(2**40), 0.1, -0.0, float("inf"), 1e300, 2 - 0.5j, complex(-0.0, -0.0)]
)
def test_python_scalars(value: Any) -> None:
    again = eval(literals.python_scalar(value), SPACE)
    assert type(again) is type(value)
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    "bits", [0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000005, 0xFFF8000000000005]
)
def test_python_nans(bits: int) -> None:
    value = struct.unpack("<d", struct.pack("<Q", bits))[0]
    assert struct.pack("<d", eval(literals.python_float(value), SPACE)) == struct.pack("<d", value)


@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (1, 1), (2, 3), ()])
def test_shapes(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
    assert same(eval(literals.numpy_array(array), SPACE), array)


def test_where_arrays_go() -> None:
    script = Script(x64=False)
    assert operands.array(script, np.zeros((30, 2), np.float32), "a") == "np.zeros((30, 2), np.float32)"
    assert operands.array(script, np.full(17, -0.0), "b") == "np.full((17,), -0.0, np.float64)"
    assert operands.array(script, np.full(17, True), "c") == "np.full((17,), True, np.bool_)"
    assert operands.array(script, np.arange(17), "d") == 'ARRAYS["d"]'
    bf16 = np.arange(17).astype(ml_dtypes.bfloat16)
    assert operands.array(script, bf16, "e") == 'ARRAYS["e"].view(jnp.bfloat16)'
    assert script.arrays["e"].dtype == np.uint16
    assert same(script.arrays["e"].view(ml_dtypes.bfloat16), bf16)
    assert sorted(script.arrays) == ["d", "e"]


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg", "unsafe_rbg"])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_keys(impl: str, shape: tuple[int, ...]) -> None:
    key = jax.random.key(2**31 + 3, impl=impl)
    keys = jax.random.split(key, shape) if shape else key
    again = eval(operands.array(Script(x64=False), keys, "k"), SPACE)
    assert again.dtype == keys.dtype
    assert same(jax.random.key_data(again), jax.random.key_data(keys))


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.5, "2.5"), (np.float32(0.1), "0.1"), (7, "7"), (1j, "complex(0.0, 1.0)"), (True, "True")],
)
def test_weak_leaves(value: Any, text: str) -> None:
    aval = jax.make_jaxpr(lambda x: x)(getattr(value, "item", lambda: value)()).in_avals[0]
    assert operands.leaf(Script(x64=False), value, aval, "x") in (text, f"np.bool_({text})")


def test_weak_arrays_stay_weak() -> None:
    weak = jnp.broadcast_to(1.5, (3,))
    assert weak.weak_type
    script = Script(x64=False)
    text = operands.leaf(script, weak, weak.aval, "x")
    assert text == "weak(np.array([1.5, 1.5, 1.5], np.float32), f32)"
