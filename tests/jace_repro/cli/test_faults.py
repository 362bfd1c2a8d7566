"""Programs that end badly, end to end: each has its outcome, its repro on disk, and advice to the user."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interrupts import as_from_a_terminal

SINE = """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def wave(x):
    y = x * 2.0
    return jnp.sin(y) + 1.0

print(wave(np.arange(5, dtype=np.float32)).shape)
"""

RULE = """
import jace

@jace.register_rule("sin", override=True)
def sine(params, in_dtypes, out_dtype, x):
    return {expression!r}
"""


def entry(ran, name):
    (found,) = [e for e in ran.report["entries"] if e["name"] == name]
    return found


def test_a_segmentation_fault_is_an_outcome_and_is_reduced(jace_repro, program, tmp_path):
    rules = program(RULE.format(expression="(*(volatile float*)(unsigned long)8)"), "rules.py")
    ran = jace_repro("run", "--rules", rules, "--pipeline", "fused", program(SINE))
    assert ran.code == 1
    found = entry(ran, "wave")
    assert found["self_check"] == "exact"
    (verdict,) = found["verdicts"]
    assert verdict["outcome"] == "crash"
    assert "SIGSEGV" in verdict["detail"]
    assert found["reduced"]["equations"] == 1
    assert found["reduced"]["oracle_calls"] < 60
    minimal = tmp_path / found["reduced"]["repro"]
    assert "sin(" in minimal.read_text()
    assert f"python {found['reduced']['repro']}" in ran.out
    assert "crash on fused" in ran.out


TWO_BITS = """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def order(x, y):
    return jax.lax.sort(x + 1) * 2, jnp.sin(y).sum()

order(jnp.asarray(np.arange(5000) % 2, jnp.int2), np.ones((3, 4), np.float32))
"""


@pytest.mark.ci
def test_what_xla_crashes_on_is_xlas_and_is_reduced(jace_repro, program, tmp_path):
    script = program(TWO_BITS)
    if (
        subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, check=False).returncode
        == 0
    ):
        pytest.skip("this release of XLA sorts int2: corpus/repros/xla/890e893a3bc5.py")
    ran = jace_repro("run", "--pipeline", "fused", script)
    assert ran.code == 1
    found = entry(ran, "order")
    (verdict,) = found["verdicts"]
    assert (verdict["outcome"], verdict["who"]) == ("reference-crash", "XLA")
    assert found["reduced"]["equations"] == 1
    minimal = tmp_path / found["reduced"]["repro"]
    assert "lax.sort" in minimal.read_text()
    assert "self-check" not in ran.out
    again = subprocess.run([sys.executable, minimal], capture_output=True, text=True, check=False)
    assert again.stdout.startswith("XLA is asked to run the program now")


def test_an_endless_loop_is_a_timeout(jace_repro, program, tmp_path):
    # It sleeps while it waits: the tests beside it need the processor.
    loop = "[&]{ volatile int spin = 1; timespec t{0, 1000000}; while (spin) ::nanosleep(&t, nullptr); return 0.0f; }()"
    rules = program(RULE.format(expression=loop), "rules.py")
    ran = jace_repro(
        "run", "--rules", rules, "--pipeline", "fused", "--timeout", "8", "--no-reduce", program(SINE)
    )
    assert ran.code == 1
    found = entry(ran, "wave")
    assert found["verdicts"][0]["outcome"] == "timeout"
    assert found["verdicts"][0]["stage"] == "run"
    assert (tmp_path / found["repro"]).exists()
    assert "--timeout" in ran.out


def test_a_function_that_raises_while_traced_leaves_a_script_that_raises_the_same(
    jace_repro, program, tmp_path
):
    ran = jace_repro(
        "run",
        "--pipeline",
        "fused",
        program("""
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def broken(x):
    return jnp.concatenate([x[:, None], jnp.zeros((2, 2))], axis=1)

broken(np.ones(3, np.float32))
"""),
    )
    assert ran.code == 3
    assert "TypeError" in ran.err
    found = entry(ran, "broken")
    assert found["verdicts"][0]["outcome"] == "reference-error"
    assert ran.report["summary"]["program"]["exit_code"] == 1
    assert "reference-error" in ran.out
    script = tmp_path / found["repro"]
    replayed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert replayed.returncode != 0
    assert "TypeError" in replayed.stderr


WAITING = """
import time
print('ready', flush=True)
while True: time.sleep(0.1)
"""

IN_A_CHILD = """
import os
if os.fork() == 0:
    wave(np.arange(7, dtype=np.float32))
    os._exit(0)
os.wait()
"""


@pytest.mark.parametrize(
    "before", ["", pytest.param(IN_A_CHILD, marks=pytest.mark.ci)], ids=["alone", "with a child"]
)
def test_ctrl_c_keeps_what_was_recorded_and_says_how_to_go_on(jace_repro, program, tmp_path, before):
    calls, _, last = SINE.rpartition("print(")
    program(calls + before + "print(" + last + WAITING)
    options = ["--pipeline", "fused", "--json", "r.json", "-o", "out"]
    command = [sys.executable, "-m", "jace_repro", "run", *options, "prog.py"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_from_a_terminal,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    said = []
    deadline = time.monotonic() + 120
    while "ready" not in "".join(said):
        assert time.monotonic() < deadline, said
        said.append(process.stdout.readline())
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does: to the program as well
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert re.search(r"^Go on with: \S*jace-repro run --resume out$", out, re.MULTILINE)
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["summary"]["interrupted"] is True
    repros = [e["repro"] for e in report["entries"] if e["name"] == "wave"]
    assert len(repros) == 1 + bool(before)
    assert Path(tmp_path, repros[0]).exists()
    if before:
        return
    ran = jace_repro("run", "--resume", "out")
    assert ran.code == 3, ran.err
    verdicts = [v for e in ran.report["entries"] for v in e["verdicts"]]
    assert {(v["pipeline"], v["outcome"]) for v in verdicts} == {("fused", "ok")}
    assert "Note: the program ended early: interrupted while it was recorded" in ran.out
    assert re.search(r"^To record all of it: \S*jace-repro run prog.py$", ran.out, re.MULTILINE)


def test_a_program_that_dies_in_a_later_call(jace_repro, program):
    """The inputs of that call are not kept, but the function is named."""
    text = """
import os, signal, jax, jax.numpy as jnp, numpy as np

@jax.jit
def step(x):
    jax.debug.callback(lambda v: os.kill(os.getpid(), signal.SIGKILL) if np.asarray(v) > 99 else None, x)
    return x + 1

@jax.jit
def other(x):
    return x * 2

for n in range(102):
    other(np.float32(n))
    step(np.float32(n)).block_until_ready()
"""
    ran = jace_repro("record", "-o", "out", "--no-self-check", program(text))
    assert ran.code == 3
    assert "killed by SIGKILL" in ran.err
    assert "what it called last was step, for the 101th time (--max-inputs" in ran.err
    assert [entry(ran, name)["calls"] for name in ("step", "other")] == [101, 64]
    ran = jace_repro(
        "record", "-o", "fine", "--no-self-check", program("import sys\n" + text.replace("99", "999"))
    )
    assert (ran.code, "what it called last" in ran.err) == (0, False)
    assert [entry(ran, name)["calls"] for name in ("step", "other")] == [102, 102]


def test_an_unsupported_primitive_is_named_with_its_line(jace_repro, program):
    without = program(
        'import jace.rules\nfrom jace import registry\n\ndel registry._rules["eig"]\n', "rules.py"
    )
    ran = jace_repro(
        "run",
        "--rules",
        without,
        "--pipeline",
        "fused",
        program("""
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def spectrum(a):
    b = a * 2.0
    return jnp.linalg.eigvals(b + 1.0).real

spectrum(np.eye(3, dtype=np.float32))
"""),
    )
    assert ran.code == 1
    found = entry(ran, "spectrum")
    (verdict,) = found["verdicts"]
    assert verdict["outcome"] == "unsupported"
    assert "eig" in verdict["detail"]
    assert "prog.py:7" in json.dumps(found) + ran.out
    assert "register_rule" in ran.out
    assert found["reduced"]["equations"] == 1


def test_a_program_that_dies_without_jax_is_said_to(jace_repro, program):
    ran = jace_repro("run", program("raise SystemExit(7)\n"))
    assert ran.code == 3
    assert ran.report["entries"] == []
    assert "Nothing was recorded" in ran.out
    assert "7" in ran.out
