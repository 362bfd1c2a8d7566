"""Programs that die in the middle lose nothing: the quick ones of `scripts/fault_table.py`, which runs them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from script_modules import load_script

from jace_repro.tracker.api import record_program
from jace_repro.tracker.journal import FAULTS
from jace_repro.tracker.recording import Target

TABLE = load_script("fault_table")
CASES = {case.name: case for case in TABLE.cases()}
QUICK = ("exception of JAX's, trace, main", "SIGKILL, run, main", "disk full, none, main")
#: With these, one for each death, phase and place. Each starts some processes cold: `-m ci`.
EACH = (
    "MemoryError, compile, main",
    "sys.exit, trace, main",
    "ctrl-C, trace, main",
    "os._exit, run, thread",
    "segmentation fault, trace, child",
    "SIGTERM, compile, main",
    "out of memory, trace, main",
    "--max-disk, none, child",
    "entries not writable, none, main",
)


def _opt_in(name: str) -> Any:
    if name in QUICK:
        return ()
    return pytest.mark.ci if name in EACH else pytest.mark.slow


@pytest.mark.parametrize("name", [pytest.param(n, marks=_opt_in(n)) for n in CASES])
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    result = TABLE.examine(CASES[name], tmp_path)
    assert result.problems == ()
    assert result.found == result.expected == 2


def test_the_quick_ones_are_cases() -> None:
    assert {*QUICK, *EACH} <= set(CASES)


@pytest.mark.ci
def test_the_table_sees_a_loss(tmp_path: Path) -> None:
    """A check that cannot fail would be none: a program that does other than its case says."""
    case = TABLE.Case("exception", "compile", prologue="import jax; jax.jit(lambda x: x)(1.0)")
    wrong = TABLE.Case("nothing at all", "trace")
    assert TABLE.examine(case, _new(tmp_path / "a")).problems == ()
    (problem,) = TABLE.examine(wrong, _new(tmp_path / "b")).problems
    assert problem == "deadly is completed, not tracing"


def _new(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_stack_of_a_crash_goes_to_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Plain Python says nothing of a segmentation fault."""
    program = tmp_path / "program.py"
    program.write_text("import ctypes\n\ndef crash():\n    ctypes.string_at(0)\n\ncrash()\n")
    recording = record_program(Target("path", str(program)), tmp_path / "out")
    assert recording.error == "killed by SIGSEGV"
    assert capfd.readouterr().err == ""
    assert "line 4 in crash" in (tmp_path / "out" / FAULTS).read_text()
    program.write_text("")
    record_program(Target("path", str(program)), tmp_path / "fine")
    assert not (tmp_path / "fine" / FAULTS).exists()
