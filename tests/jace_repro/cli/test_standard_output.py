"""``-`` for the file of a report: it alone is on standard output, whatever the program and the command say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jax
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header

PROGRAM = """
import os
import jax, numpy as np
print("the program says", jax.jit(lambda x: x + 1)(np.ones(3, np.float32)), flush=True)
os.system("echo so does what it starts")
"""


@pytest.fixture
def step(tmp_path: Path) -> str:
    """A repro of a right program."""
    x = np.ones(3, np.float32)
    emit_flat(jax.make_jaxpr(lambda x: x + 1)(x), (x,), header=Header(name="step")).save(tmp_path / "step.py")
    return "step.py"


def test_what_a_program_prints_goes_to_standard_error(jace_repro, program) -> None:
    words = ("--pipeline", "fused", "--no-eager", "--no-self-check", program(PROGRAM))
    ran = jace_repro("run", "-o", "out", "--json", "-", *words)
    assert json.loads(ran.out)["summary"]["entries"] == 1
    assert "the program says" in ran.err
    assert "so does what it starts" in ran.err
    assert ran.report is None, "no other file is written"
    ran = jace_repro("run", "--resume", "out", "--json", "-")
    assert json.loads(ran.out)["summary"]["tested"] == 1


def test_json(jace_repro, step, tmp_path) -> None:
    ran = jace_repro("check", "--pipeline", "fused", "--json", "-", step)
    assert json.loads(ran.out)["entries"][0]["repro"] == step
    assert "No findings in 1 tested entries." in ran.err
    assert not (tmp_path / "-").exists()


def test_other_forms(jace_repro, step) -> None:
    ran = jace_repro("check", "--pipeline", "fused", "--junit", "-", step)
    assert ElementTree.fromstring(ran.out).tag == "testsuites"
    ran = jace_repro("check", "--json", "-", "--sarif", "-", step)
    assert (ran.code, ran.out) == (2, "")
    assert "only one report can go to standard output" in ran.err


def test_nothing_is_on_it_when_there_is_no_report(jace_repro) -> None:
    ran = jace_repro("check", "--json", "-", "none.py")
    assert ran.code == 2
    assert json.loads(ran.out)["summary"]["errors"] == ["none.py: No such file or directory"]
    ran = jace_repro("run", "--json", "-", "none.py")
    assert (ran.code, ran.out) == (2, "")


def test_a_reader_that_has_seen_enough_costs_no_report(step, tmp_path) -> None:
    read, write = os.pipe()
    os.close(read)
    words = ("check", "--pipeline", "fused", "--json", "report.json", step)
    done = subprocess.run(
        [sys.executable, "-m", "jace_repro", *words], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    os.close(write)
    assert done.returncode == 0, done.stderr
    assert "BrokenPipeError" not in done.stderr
    assert json.loads((tmp_path / "report.json").read_text())["summary"]["tested"] == 1
