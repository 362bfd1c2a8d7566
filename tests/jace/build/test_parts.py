"""A long function is compiled in parts, and computes what it did."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace.build import CompilerOptions, codegen, compiler, parts, toolchain, units
from jace.build.flags import compile_flags
from jace.debug import without_notes
from jace.errors import CompileError

X = np.linspace(0.1, 0.9, 40, dtype=np.float32).reshape(5, 8)


def straight(x, steps=2):
    """Many states, one after the other."""
    for k in range(steps):
        x = jnp.tanh(x @ jnp.cos(x).T @ x) + k * x[::-1].cumsum(0)
    return x, x.sum(0)


def with_loops(x):
    """States within loops and branches, and between them."""
    x = straight(x, 1)[0]
    x = lax.while_loop(lambda x: x.sum() < 50, lambda x: x + jnp.abs(jnp.sin(x @ x.T @ x)), x)
    x = lax.cond(x[0, 0] > 0, lambda x: straight(x, 1)[0], lambda x: x * 2, x)
    return straight(x, 1)


def code_of(fun, pipeline, **options):
    program = jace.translate_jaxpr(jax.make_jaxpr(fun)(X), pipeline, annotate=bool(options))
    return codegen.generate(program, **options).body


def parts_of(code):
    return re.findall(r"^JACE_PART (__jace_part_\d+)\(.*\)$", code, re.MULTILINE)


@pytest.fixture
def short(monkeypatch):
    """Functions of some lines are long, and parts are short."""
    for name, lines in {"LONG": 20, "PART": 40, "LEAST": 5}.items():
        monkeypatch.setattr(parts, name, lines)
    monkeypatch.setenv("JACE_CACHE", "0")  # lengths are no part of its keys


@pytest.fixture
def commands(monkeypatch):
    """The commands of the compiler for programs, on a machine of eight cores."""
    ran = []
    run = compiler.run_compiler

    def recorded(command, source):
        if "-std=c++20" in command:  # the FFI's shim is none
            ran.append(command)
        run(command, source)

    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(compiler, "run_compiler", recorded)
    return ran


@pytest.mark.parametrize(
    ("fun", "pipeline"),
    [
        (straight, "fused"),
        (straight, "canonical"),
        (with_loops, "fused"),
        pytest.param(with_loops, "canonical/simplify", marks=pytest.mark.ci),
    ],
)
def test_it_computes_the_same(short, commands, monkeypatch, fun, pipeline):
    def compiled():
        jace.clear_caches()
        commands.clear()
        return [np.asarray(out) for out in jace.jit(fun, pipeline=pipeline)(X)]

    made = parts_of(code_of(fun, pipeline))
    assert len(made) >= 3
    in_one_unit = compiled()
    assert len(commands) == 1
    monkeypatch.setattr(compiler, "PARTS", 1)
    at_once = compiled()
    assert len(commands) == min(len(made), compiler.MOST_UNITS) + 1, "and the linker"
    monkeypatch.setattr(parts, "LONG", 10**9)
    assert not parts_of(code_of(fun, pipeline))
    whole = compiled()
    assert len(commands) == 1
    for found in (in_one_unit, at_once):
        for one, other in zip(found, whole, strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_is_wrong_in_a_unit_is_said_with_its_command(short, commands, monkeypatch):
    monkeypatch.setattr(compiler, "PARTS", 1)
    body = code_of(straight, "fused")
    place = body.rindex("JACE_PART", 0, body.rindex("#else\nJACE_PART"))
    brace = body.index("{", place) + 1
    source = replace(
        codegen.generate(jace.translate_jaxpr(jax.make_jaxpr(straight)(X), "fused")),
        body=f"{body[:brace]} nobody_declared_this(); {body[brace:]}",
    )
    options = CompilerOptions()
    with pytest.raises(CompileError, match="nobody_declared_this") as raised:
        compiler.compile_text(source.text(), compile_flags(toolchain(), options, 1), (), toolchain(), None)
    assert "-DJACE_UNIT=" in str(raised.value)
    assert len(commands) == min(units.parts_in(body), compiler.MOST_UNITS), "nothing is linked"


def test_short_functions_stay_whole():
    assert not parts_of(code_of(straight, "fused"))


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_notes_make_no_difference(short, pipeline):
    with_notes = code_of(with_loops, pipeline, annotate=True)
    plain = code_of(with_loops, pipeline)
    assert "// = dot_general" in with_notes
    # programs are named by number
    names = [re.search(r"__program_(\w+?)_internal", code)[1] for code in (with_notes, plain)]
    alike = [
        [line.rstrip() for line in code.replace(name, "it").splitlines()]
        for code, name in zip((without_notes(with_notes), plain), names, strict=True)
    ]
    assert alike[0] == alike[1]


FUNCTION = """before
void __program_p_internal(p_state_t*__state, float * __restrict__ a0, float * __restrict__ r0)
{
    int k;
    {
        a0[0] = 1;
        a0[1] = 1;
    }
    {
        r0[0] = k;
        r0[1] = k;
    }

    if (a0[0] > 0)
    {
        r0[2] = 1;
        r0[3] = 1;
    }
    {
        r0[4] = "{"[0];
        r0[4] = 1;
    }
    {
        r0[5] = a0[1];
        goto end;
    }
    {
        r0[6] = a0[1];
        r0[7] = __state->x;
    }
    end:;
}
after
"""


def test_what_is_not_in_straight_line_stays(monkeypatch):
    for name in ("LONG", "PART", "LEAST"):
        monkeypatch.setattr(parts, name, 1)
    made = parts.in_parts(FUNCTION, "p")
    assert re.findall(r"^    __jace_part_.*;$", made, re.MULTILINE) == [
        "    __jace_part_0(a0);",
        "    __jace_part_1(__state, a0, r0);",
    ]
    own = made[made.index("void __program_p_internal") :]
    for line in ("r0[0] = k;", "r0[2] = 1;", 'r0[4] = "{"[0];', "goto end;", "end:;", "after"):
        assert line in own
    for line in ("a0[0] = 1;", "r0[6] = a0[1];"):
        assert line not in own
    assert parts.in_parts(FUNCTION, "another") == FUNCTION
