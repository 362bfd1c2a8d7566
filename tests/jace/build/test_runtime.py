"""The C++ runtime header itself: what it needs, how it vectorizes, helpers that no elementwise rule uses."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax import lax

from jace.build.runtime import runtime_text

FLAGS = (
    "-O3",
    "-std=c++20",
    "-march=native",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fopenmp-simd",
    "-fPIC",
)

# Functions that libmvec has vector versions of.
VECTOR_FUNCTIONS = (
    "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "logistic",
)  # fmt: skip


def compiled(source: str, output: Path, *more: str) -> Path:
    compiler = shutil.which("g++")
    assert compiler, "the tests of the C++ runtime need g++"
    path = output.with_suffix(".cpp")
    path.write_text(source, encoding="utf-8")
    libraries = [] if "-S" in more else ["-lmvec", "-lm"]
    subprocess.run(
        [compiler, *FLAGS, *more, str(path), "-o", str(output), *libraries], check=True, timeout=120
    )
    return output


def loops(real: str) -> str:
    bodies = {name: f"jace::{name}_(x[i])" for name in VECTOR_FUNCTIONS}
    bodies["pow"] = "jace::pow_(x[i], y[i])"
    # a call in one arm of a selection must not turn into a branch around the call
    bodies["chosen"] = "jace::select(x[i] > 1, jace::exp_(x[i]), jace::max(x[i], jace::log_(y[i])))"
    return "\n".join(
        f"void f_{name}_{real}(jace::{real}* __restrict__ out, const jace::{real}* x, "
        f"const jace::{real}* y) {{\n"
        f"#pragma omp simd\n  for (long i = 0; i < 4096; ++i) out[i] = {body};\n}}"
        for name, body in bodies.items()
    )


@pytest.mark.parametrize("preamble", ["", "#include <cmath>\n#include <complex>\n#include <cstdlib>\n"])
def test_calls_become_vector_calls(tmp_path: Path, preamble: str) -> None:
    source = preamble + runtime_text() + loops("f32") + "\n" + loops("f64")
    assembly = compiled(source, tmp_path / "vector.s", "-S").read_text(encoding="utf-8")
    for real, suffix in (("f32", "f"), ("f64", "")):
        for name in (*VECTOR_FUNCTIONS, "pow"):
            symbol = ("exp" if name in ("logistic", "tanh") else name) + suffix
            assert any(
                f"_ZGV{isa}_{symbol}\n" in assembly.replace("@PLT", "") for isa in _isas(name, real)
            ), name
        start = assembly.index(f"f_chosen_{real}")
        body = assembly[start : assembly.index(".cfi_endproc", start)]
        assert "_ZGV" in body


def _isas(name: str, real: str) -> list[str]:
    operands = "vv" if name == "pow" else "v"
    lanes = {"b": 2, "c": 4, "d": 4, "e": 8}
    return [f"{isa}N{n * (2 if real == 'f32' else 1)}{operands}" for isa, n in lanes.items()]


def test_scalar_build_calls_no_vector_function(tmp_path: Path) -> None:
    source = runtime_text() + loops("f64")
    assembly = compiled(source, tmp_path / "scalar.s", "-S", "-DJACE_SCALAR_LIBM").read_text(encoding="utf-8")
    assert "_ZGV" not in assembly
    assert "log1p" in assembly


def test_header_needs_nothing() -> None:
    assert not any(line.lstrip().startswith("#include") for line in runtime_text().splitlines())


HELPERS = """
extern "C" {
void sort_compare(const double* a, const double* b, int* out, long n) {
  jace::ftz_scope ftz;
  for (long i = 0; i < n; ++i) out[i] = jace::sort_compare(a[i], b[i]) + 10 * jace::sort_less(a[i], b[i]);
}
long mulhi(long a, long b) { return jace::mulhi(a, b); }
unsigned mulhi_u32(unsigned a, unsigned b) { return jace::mulhi(a, b); }
unsigned control_word() { unsigned w; asm volatile("stmxcsr %0" : "=m"(w)); return w; }
unsigned control_word_inside() { jace::ftz_scope ftz; return control_word(); }
double reduce(const double* a, long n, int which) {
  double sum = 0, product = 1, top = jace::min_value<double>(), bottom = jace::max_value<double>();
  for (long i = 0; i < n; ++i) {
    sum = jace_add(sum, a[i]), product = jace_mul(product, a[i]);
    top = jace_max(top, a[i]), bottom = jace_min(bottom, a[i]);
  }
  return which == 0 ? sum : which == 1 ? product : which == 2 ? top : bottom;
}
}
extern "C" bool limits_are_right() {
  return jace::min_value<int>() == -2147483647 - 1 && jace::max_value<jace::u8>() == 255 &&
         jace::max_value<bool>() && !jace::min_value<bool>() &&
         jace::max_value<float>() == jace::inf<float>() &&
         jace::min_value<double>() == -jace::inf<double>() && jace::is_nan(jace::nan<jace::bf16>());
}
struct foreign { float re, im; };
extern "C" float through_foreign(float re, float im) {
  foreign buffer = {re, im};
  jace::c64 z = jace::load<jace::c64>(buffer) * jace::c64{0, 1};
  jace::store(buffer, z);
  return buffer.re * 1000 + buffer.im;
}
"""


@pytest.fixture(scope="module")
def helpers(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    # the whole header, every warning an error
    output = tmp_path_factory.mktemp("helpers") / "helpers.so"
    return ctypes.CDLL(
        str(
            compiled(
                runtime_text() + HELPERS,
                output,
                "-shared",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-unused-function",
            )
        )
    )


def pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def test_sort_order_is_that_of_lax_sort(helpers: ctypes.CDLL) -> None:
    keys = np.array([1.0, np.nan, -0.0, 0.0, -np.inf, np.inf, 5e-324, -np.nan, -2.0, 1.0])
    a, b = (m.ravel().copy() for m in np.meshgrid(keys, keys, indexing="ij"))
    out = np.empty(a.size, np.int32)
    helpers.sort_compare(pointer(a), pointer(b), pointer(out), ctypes.c_long(a.size))
    with jax.enable_x64(True):
        # a sorts strictly before b if sorting (b, a) moves it to the front
        _, order = jax.jit(lambda x, y: lax.sort((x, y), num_keys=1))(
            np.stack([b, a], 1), np.tile(np.array([1, 0]), (a.size, 1))
        )
    before = np.asarray(order)[:, 0] == 0
    assert (np.where(before, out == 9, out >= 0)).all()
    assert (out.reshape(len(keys), -1) % 10 == -(out.reshape(len(keys), -1).T % 10) % 10).all()


def test_mulhi(helpers: ctypes.CDLL) -> None:
    helpers.mulhi.restype = ctypes.c_long
    helpers.mulhi_u32.restype = ctypes.c_uint
    for a in (-7, -6, 0, 6, 7, 2**62, -(2**63)):
        for b in (-3, 3, 7, -7, 1):
            assert helpers.mulhi(ctypes.c_long(a), ctypes.c_long(b)) == (a * b) >> 64
    assert helpers.mulhi_u32(0xFFFFFFFF, 0xFFFFFFFF) == 0xFFFFFFFE


def test_ftz_scope_flushes_inside_and_restores(helpers: ctypes.CDLL) -> None:
    before = helpers.control_word()
    assert helpers.control_word_inside() & 0x8040 == 0x8040
    assert helpers.control_word() == before


def test_limits(helpers: ctypes.CDLL) -> None:
    helpers.limits_are_right.restype = ctypes.c_bool
    assert helpers.limits_are_right()


def test_reductions(helpers: ctypes.CDLL) -> None:
    helpers.reduce.restype = ctypes.c_double
    x = np.array([3.0, -2.0, 0.5])
    assert [helpers.reduce(pointer(x), ctypes.c_long(3), k) for k in range(4)] == [1.5, -3.0, 3.0, -2.0]
    assert [helpers.reduce(pointer(x), ctypes.c_long(0), k) for k in range(4)] == [0.0, 1.0, -np.inf, np.inf]
    x[1] = np.nan
    assert np.isnan(helpers.reduce(pointer(x), ctypes.c_long(3), 2))


def test_load_and_store_through_a_foreign_struct(helpers: ctypes.CDLL) -> None:
    helpers.through_foreign.restype = ctypes.c_float
    assert helpers.through_foreign(ctypes.c_float(2), ctypes.c_float(3)) == -3 * 1000 + 2
