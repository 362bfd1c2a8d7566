"""Code that the C++ compiler rejects is told in the terms of the program: which equation, and the user's line."""

from __future__ import annotations

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace.debug import notes
from jace.errors import CompileError

X = np.arange(7, dtype=np.float32)


def program(x):
    def body(carry, t):
        carry = jnp.tanh(carry) - t * jnp.cos(carry)
        return carry, carry.sum()

    return lax.scan(body, jnp.sin(x) * 2, jnp.arange(3.0))


def error_of(pipeline, monkeypatch, **options):
    monkeypatch.setenv("JACE_CACHE", "0")
    wrong = jace.Elementwise(lambda params, dtypes, dtype, x: f"nobody_declared_this({x})")
    with jace.use_rules({"tanh": wrong}), pytest.raises(CompileError, match="nobody_declared_this") as caught:
        jace.jit(program, pipeline=pipeline, compiler_options=options).lower(X).compile()
    return caught.value


@pytest.mark.parametrize("pipeline", ["fused", "canonical", "canonical/simplify", "canonical/auto-optimize"])
def test_the_equation_and_the_line_of_rejected_code_are_told(pipeline, monkeypatch):
    error = error_of(pipeline, monkeypatch)
    assert error.primitive == "tanh"
    assert error.equation.startswith("f32[7] = tanh[")
    lines, first = inspect.getsourcelines(program)
    tanh = first + next(k for k, line in enumerate(lines) if "tanh" in line)
    assert f"{__name__.rpartition('.')[2]}.py:{tanh} " in error.source
    said = str(error).splitlines()
    assert said[1:3] == [f"  equation: {error.equation}", f"  from:     {error.source}"]


def test_dace_s_own_build_says_what_it_says(monkeypatch):
    error = error_of("fused", monkeypatch, compiler="stock")
    assert (error.primitive, error.equation) == (None, None)


def test_a_sanitized_build_names_it_as_well(monkeypatch):
    assert error_of("fused", monkeypatch, sanitize=True).primitive == "tanh"


def test_what_no_line_is_named_of_stays_as_it_is(tmp_path):
    from jace.translate.rejected import with_equation

    kept = tmp_path / "program.cc"
    kept.write_text("int x;\n")
    closed = jax.make_jaxpr(jnp.sin)(X)
    silent = CompileError("the C++ compiler failed", stderr="cc1plus: error: unknown", source_file=str(kept))
    gone = CompileError("it failed", stderr="program.cc:1:1: error: x", source_file=str(tmp_path / "none.cc"))
    for error in (silent, gone):
        assert with_equation(error, closed, "fused") is error


FUSED = """\
{  // @ state s, map m, node kernel
    const float* p_a = &a[0];  // @ state s, map m, node kernel
    for (int k = 0; k < 8; ++k) {  // @ state s, map m, node kernel
        const float v1 = p_a[k];  // = sin | f32[8] = sin[](f32[8]) | mine.py:3 (f)  // @ state s, map m, node kernel
        w[k] += v1;  // = scatter-add | f32[8] = scatter-add[] | mine.py:4 (f)  // @ state s, map m, node kernel
    }  // @ state s, map m, node kernel
"""


@pytest.mark.parametrize(
    ("line", "primitive"), [(2, "sin"), (3, "scatter-add"), (4, "sin"), (6, "scatter-add")]
)
def test_the_loop_of_a_kernel_is_of_the_equation_that_the_others_lead_to(line, primitive):
    place = notes.locate(FUSED, line)
    assert place is not None
    assert place.primitive == primitive
