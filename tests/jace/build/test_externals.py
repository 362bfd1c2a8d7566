"""External C functions: found in the source, resolved before loading, on both drivers and from a warm cache."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace
from jace.build import externals
from jace.build.codegen import preamble
from jace.build.externals import externals_in, resolve
from jace.build.runtime import PARTS, runtime_text
from jace.errors import CompileError
from jace.registry import Elementwise

CALL = """[&] {{
  static double (*const ddot)(const int*, const double*, const int*, const double*, const int*) =
      (double (*)(const int*, const double*, const int*, const double*, const int*))jace_external("{name}");
  const int n = 1, step = 1;
  return ddot(&n, &{x}, &step, &{x}, &step);
}}()"""


def square_by_blas(name: str = "blas/ddot") -> Elementwise:
    """`sin` planted as x * x, computed by BLAS."""
    return Elementwise(lambda params, ins, out, x: CALL.format(name=name, x=x))


def test_names_are_found_in_source() -> None:
    source = 'f(jace_external("lapack/dpotrf"), jace_external("blas/ddot"), jace_external("blas/ddot"));'
    assert externals_in(source) == ("blas/ddot", "lapack/dpotrf")
    assert externals_in('my_jace_external("blas/ddot"); jace_external(name);') == ()


def test_resolved_addresses_are_functions() -> None:
    assert resolve("lapack/dpotrf") != resolve("lapack/spotrf")


@pytest.mark.parametrize("name", ["lapack/no_such_routine", "no_family/dpotrf", "no_slash"])
def test_missing_externals_are_compile_errors(name: str) -> None:
    with pytest.raises(CompileError, match=name):
        resolve(name)


def test_a_lapack_with_64_bit_integers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(externals, "_capsule_name", lambda capsule: b"void (char *, blas_int64 *, int *)")
    with pytest.raises(CompileError, match="does not take 32-bit integers"):
        resolve("lapack/dpotrf")


def test_a_missing_module_is_a_compile_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(externals.RESOLVERS, "none", externals._cython_function("no_such_module"))
    with pytest.raises(CompileError, match="none/f"):
        resolve("none/f")


@pytest.mark.parametrize(
    ("compiler", "pipeline"), [("direct", "fused"), ("direct", "canonical"), ("stock", "fused")]
)
def test_external_functions_are_called(compiler: str, pipeline: str) -> None:
    with jax.enable_x64(True), jace.use_rules({"sin": square_by_blas()}):
        x = np.array([1.5, -2.0, 3.0])
        f: Any = jace.jit(jnp.sin, pipeline=pipeline, compiler_options={"compiler": compiler})
        np.testing.assert_array_equal(f(x), x * x)


def test_an_unresolvable_name_is_reported_before_the_program_runs() -> None:
    with jax.enable_x64(True), jace.use_rules({"sin": square_by_blas("blas/no_such")}):
        f: Any = jace.jit(jnp.sin)
        with pytest.raises(CompileError, match="blas/no_such"):
            f(np.ones(2))


PROGRAM = """
import sys
import jax, numpy as np
jax.config.update("jax_enable_x64", True)
import jace
compiled = jace.jit(jax.numpy.linalg.cholesky).lower(np.eye(3) * 4).compile()
np.testing.assert_array_equal(compiled(np.eye(3) * 4), np.eye(3) * 2)
print("dace" in sys.modules)
"""


def test_a_warm_cache_resolves_externals_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path))
    printed = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert printed == ["True", "False"]  # the second process translates nothing


def test_optional_parts_go_in_where_they_are_mentioned() -> None:
    bare, whole = runtime_text("x = 1;"), runtime_text()
    assert len(bare) < len(whole)
    assert "namespace jace::lapack" not in bare
    assert "namespace jace::lapack" in runtime_text("jace::lapack::potrf(x);")
    assert runtime_text('jace_external("blas/ddot")').count("jace_external(const char") == 1
    for part in PARTS:
        assert (Path(externals.__file__).parent / "runtime" / part).is_file()


@pytest.mark.parametrize("part", [part for part, mention in PARTS.items() if mention is not None])
def test_each_function_brings_its_part_and_what_that_needs(part: str, tmp_path: Path) -> None:
    text = (Path(externals.__file__).parent / "runtime" / part).read_text(encoding="utf-8")
    called = [f"{name}_" for name in re.findall(r"^JACE_UNARY\((\w+)\)", text, re.MULTILINE)]
    called += re.findall(r"^static inline .*?\b(\w+_)\(", text, re.MULTILINE)
    values = "jace::c64 z; " if part == "complex.h" else ""
    for name in called:
        assert text in runtime_text(f"{values}jace::{name}(x);"), name
    source = tmp_path / "part.cc"
    source.write_text(runtime_text(text), encoding="utf-8")
    subprocess.run(["g++", "-std=c++20", "-march=native", "-w", "-fsyntax-only", source], check=True)


def test_copies_of_several_dimensions_go_in_where_there_is_one() -> None:
    assert "struct CopyND" not in preamble("x = 1;")
    assert "struct CopyND" in preamble(
        "dace::CopyND<float, 1, false, 2, 3>::ConstDst<3, 1>::Copy(a, b, 1, 2);"
    )
