"""Sanitized builds: an access out of bounds is found, and told in terms of the SDFG, the equation and the user."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace
from jace.debug import notes
from jace_repro import cli
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Pool
from jace_repro.tester.execute import sanitizer
from jace_repro.tester.verdict.culprit import Crash
from jace_repro.tester.verdict.verdict import Verdict

X = np.arange(6, dtype=np.float32)

#: `rev` that answers the elements in order, from `off` elements behind the first one on.
RULES = """
from jace import register_rule
from jace.registry import IndexMap

def behind(em, eqn, index, k):
    return em.value(eqn.invars[0], tuple(ix + {off} for ix in index))

register_rule("rev", IndexMap(behind, buffers=(0,)), override=True)
"""
#: An elementwise rule whose C++ does what is given.
ELEMENTWISE = """
from jace import register_rule

@register_rule("sub", override=True)
def wrong(params, in_dtypes, out_dtype, a, b):
    return f"{code}"
"""


#: `neg` that writes each element one further than it should: the last one behind the output.
WRITES = """
from jace import register_rule
from jace.registry import Region

def build(planner, eqn):
    out = planner.output(eqn.outvars[0])
    def body(em, index):
        value = em.value(eqn.invars[0], index)
        em.line(f"w_{out.buffer.name}[{out.address(index)} + 1] = {value};")
    planner.kernel("neg", eqn.outvars[0].aval.shape, body, writes=[out])

register_rule("neg", Region(build), override=True)
"""


def flat(fun, *args):
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="program"))


def reversed_sine(x):
    return jnp.sin(x)[::-1] * 2


def rules_file(tmp_path, text):
    path = tmp_path / "rules.py"
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    """Workers of sanitized builds with all of these rules: starting them takes longer than what they do."""
    wrong = [RULES.format(off=3), WRITES, ELEMENTWISE.format(code="({a} / ({b} - {b}))")]
    with Pool(rules=rules_file(tmp_path_factory.mktemp("rules"), "".join(wrong)), sanitize=True) as pool:
        yield pool


def test_an_access_out_of_bounds_is_a_crash_that_names_equation_state_and_line(workers):
    before = workers.spawned
    (verdict,) = workers.check(flat(reversed_sine, X), ["fused"])
    (fine,) = workers.check(flat(jnp.sin, X), ["fused"])
    assert workers.spawned == before + 2
    assert (verdict.outcome, verdict.stage) == ("crash", "run")
    crash = verdict.crash
    assert crash.kind == "heap-buffer-overflow"
    assert crash.access.startswith("read of 4 bytes")
    assert crash.primitive == "rev"
    assert crash.equation.startswith("f32[6] = rev[")
    assert crash.source.endswith("(repro)")
    assert crash.state.startswith("s_")
    assert "i0 + 3" in crash.code
    assert crash.code in Path(crash.file).read_text().splitlines()[crash.line - 1]
    assert f"{crash.file}:{crash.line}" in verdict.detail
    assert verdict.guilty.primitive == "rev"
    assert verdict.signature
    assert fine.outcome == "ok"


def test_a_write_behind_an_output_is_seen(workers):
    (verdict,) = workers.check(flat(lambda x: -x, X), ["fused"])
    assert verdict.outcome == "crash"
    assert verdict.crash.access.startswith("write of 4 bytes, 0 bytes after 24-byte region")
    assert verdict.crash.primitive == "neg"


def test_undefined_behaviour_is_a_crash_that_names_the_equation(workers):
    whole = np.arange(6, dtype=np.int32)
    (verdict,) = workers.check(flat(lambda x: (x * 2) - 3, whole), ["canonical"])
    assert verdict.outcome == "crash"
    assert verdict.crash.kind == "undefined-behavior"
    assert verdict.crash.access == "division by zero"
    assert verdict.crash.primitive == "sub"
    assert verdict.crash.map.startswith("m_")


def test_a_crash_is_explained_by_one_run_of_a_sanitized_build(tmp_path):
    rules = rules_file(tmp_path, RULES.format(off=10**9))
    program = flat(reversed_sine, X)
    with Pool(rules=rules) as workers:
        (plain,) = workers.check(program, ["fused"], explain=False)
        (told,) = workers.check(program, ["fused"])
        (sanitized,) = workers.sanitizing().check(program, ["fused"])
    assert (plain.outcome, told.outcome) == ("crash", "crash")
    assert told.signature == sanitized.signature
    assert plain.crash.to_json() == {"signal": "SIGSEGV"}
    assert told.crash.signal == "SIGSEGV"
    assert told.crash.kind == "SEGV"
    assert told.crash.access == "read"
    assert told.crash.state.startswith("s_")
    assert told.guilty.primitive == "rev"
    assert "equation f32[6] = rev[" in told.detail


def test_another_primitives_crash_is_another_bug_however_far_out_of_bounds_it_is(tmp_path):
    rules = rules_file(
        tmp_path, RULES.format(off=3) + RULES.format(off=10**9).replace('"rev"', '"transpose"')
    )
    near, far = flat(lambda x: x[::-1], X), flat(jnp.transpose, X.reshape(2, 3))
    with Pool(rules=rules, sanitize=True) as workers:
        (one,), (other,) = workers.check(near, ["fused"]), workers.check(far, ["fused"])
        (same,) = workers.check(flat(lambda x: jnp.exp(x)[::-1], X), ["fused"])
    assert (one.crash.kind, other.crash.kind) == ("heap-buffer-overflow", "SEGV")
    assert (one.guilty.primitive, other.guilty.primitive) == ("rev", "transpose")
    assert one.signature == same.signature != other.signature
    rules_file(tmp_path, RULES.format(off=10**9))
    with Pool(rules=rules, sanitize=True) as workers:
        (farther,) = workers.check(near, ["fused"])
    assert farther.crash.kind == "SEGV"
    assert farther.signature == one.signature


def test_without_a_cache_a_crash_has_a_place_too(tmp_path, monkeypatch):
    monkeypatch.setenv("JACE_CACHE", "0")
    with Pool(rules=rules_file(tmp_path, RULES.format(off=10**9))) as workers:
        (verdict,) = workers.check(flat(reversed_sine, X), ["fused"])
    assert verdict.guilty.primitive == "rev"
    assert verdict.crash.file is None, "what is gone with the workers is not named"


def test_a_crash_is_told_in_lines_of_the_users_program():
    script = flat(reversed_sine, X).source
    line = next(number for number, text in enumerate(script.splitlines(), 1) if "lax.rev(" in text)
    crash = Crash(kind="SEGV", source=f"<repro program 1234>:{line} (repro)")
    assert (
        Verdict("fused", "crash", crash=crash)
        .in_user_terms(script)
        .crash.source.startswith("test_sanitizer.py:")
    )


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_every_access_to_an_array_is_on_a_line_that_can_be_located(pipeline):
    def fun(x, i):
        y = x.at[i].add(1.0)
        return jax.lax.fori_loop(0, 2, lambda k, v: jnp.sort(v) * 0.5 + x, y)

    def text(sanitize):
        stages = jace.jit(fun, pipeline=pipeline, compiler_options={"sanitize": sanitize}).lower(
            X, np.array([1])
        )
        from jace.build import codegen

        return codegen.generate(stages._binding.unit.program, annotate=sanitize).body

    with_notes, without = text(True), text(False)
    assert "// = " in with_notes
    assert "// @ " in with_notes
    assert "// = " not in without
    assert "// @ " not in without
    body = with_notes.partition("DACE_EXPORTED")[0].splitlines()
    accesses = [k for k, line in enumerate(body, 1) if "[" in line.partition("//")[0] and ";" in line]
    places = [notes.locate(with_notes, k) for k in accesses]
    assert len(places) > 10
    assert all(place is not None and place.state and place.equation for place in places)
    assert {"scatter-add", "sort", "mul", "add"} <= {place.primitive for place in places}


SPD = np.array([[4, 1], [1, 3]], np.float32)
IN_BLOCKS = {
    "sort": (jnp.sort, X),
    "cholesky": (jnp.linalg.cholesky, SPD),
    "eigh": (lambda a: jnp.linalg.eigh(a)[0], SPD),
}
BOTH = ("fused", "canonical")


@pytest.mark.parametrize(
    "chosen",
    [
        {"sort": BOTH, "cholesky": ("canonical",), "eigh": ("fused",)},
        pytest.param({"cholesky": ("fused",), "eigh": ("canonical",)}, marks=pytest.mark.slow),
    ],
    ids=["each", "the others"],
)
def test_what_rules_write_in_blocks_compiles_with_notes_and_nothing_is_out_of_bounds(chosen):
    with Pool(sanitize=True) as workers:
        verdicts = [
            v for n, pipelines in chosen.items() for v in workers.check(flat(*IN_BLOCKS[n]), pipelines)
        ]
    assert {v.outcome for v in verdicts} == {"ok"}


REPORT = """noise
==7==ERROR: AddressSanitizer: {kind} on {address} at pc 0x1 bp 0x2 sp 0x3
WRITE of size 8 at 0x602000000038 thread T0
    #0 0x7f in jace::store(float&, float) /tmp/jace-1/program.cc:12
    #1 0x7f in __program_x /tmp/jace-1/program.cc:345
    #2 0x7f in ffi_call (/usr/lib/libffi.so+0x1)

0x602000000038 is located 0 bytes to the right of 24-byte region [0x602000000020,0x602000000038)
allocated by thread T0 here:
    #0 0x7f in operator new[] asan_new_delete.cpp:98
    #1 0x7f in __dace_init_x /tmp/jace-1/program.cc:999
"""


def test_a_report_is_read_without_the_stack_of_the_allocation():
    found = sanitizer.fault(REPORT.format(kind="heap-buffer-overflow", address="address 0x1"))
    assert found == sanitizer.Fault(
        "heap-buffer-overflow", "write of 8 bytes, 0 bytes after 24-byte region", (12, 345)
    )
    assert sanitizer.fault("Segmentation fault") is None


def test_a_compiler_without_a_sanitizer_is_told(tmp_path, monkeypatch):
    compiler = tmp_path / "c++"
    compiler.write_text('#!/bin/sh\ncase $1 in -print*) echo "${1#*=}";; *) echo "c++ 1";; esac\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    sanitizer._libraries.cache_clear()
    with pytest.raises(jace.errors.CompileError, match=r"--sanitize needs libasan\.so"):
        Pool(sanitize=True)
    sanitizer._libraries.cache_clear()


@pytest.mark.parametrize("command", [pytest.param("check", marks=pytest.mark.ci), "localize"])
def test_the_command_line_sanitizes_and_tells_where(command, tmp_path, capsys):
    path = flat(reversed_sine, X).save(tmp_path / "program.py").path
    rules = rules_file(tmp_path, RULES.format(off=3))
    words = [command, "--sanitize", "--rules", str(rules), "--pipeline", "fused", str(path)]
    with pytest.raises(SystemExit) as stop:
        cli.main([*words, "--json", str(tmp_path / "report.json")])
    assert stop.value.code == 1
    (entry,) = json.loads((tmp_path / "report.json").read_text())["entries"]
    (verdict,) = entry["verdicts"]
    assert verdict["crash"]["kind"] == "heap-buffer-overflow"
    assert verdict["guilty"]["equation"].startswith("f32[6] = rev[")
    told = capsys.readouterr().out
    assert "heap-buffer-overflow, read of 4 bytes" in told
    assert "equation f32[6] = rev[" in told
    if command == "localize":
        assert entry["localized"]["primitive"] == "rev"
        assert "No equation diverges" not in told
