"""Errors that help: what is wrong with what the user gave, before anything is tested with it."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header

X = np.ones(3, np.float32)


@pytest.fixture
def step(tmp_path: Path) -> str:
    """A repro of a right program."""
    closed = jax.make_jaxpr(lambda x: x + 1)(X)
    emit_flat(closed, (X,), header=Header(name="step")).save(tmp_path / "step.py")
    return "step.py"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import jace\ndef f(:\n", 'rules.py", line 2\n    def f(:'),
        ("import jace\n\ndef g():\n    return y\n\ng()\n", "line 4, in g\n    return y"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
def test_a_rules_file_that_fails_is_told_by_its_own_traceback(jace_repro, step, tmp_path, text, said) -> None:
    (tmp_path / "rules.py").write_text(text)
    ran = jace_repro("check", step, "--rules", "rules.py")
    assert ran.code == 2
    assert ran.err.startswith("Error: the rules file rules.py fails:\n")
    assert said in ran.err
    assert "jace_repro" not in ran.err, "nothing of how it is run"
    assert ran.report is None


def test_without_a_compiler_nothing_is_run(jace_repro, program) -> None:
    name = program("open('ran', 'w')\n")
    ran = jace_repro("run", name, env={"CXX": "no-such-compiler"})
    assert ran.code == 2
    assert "no C++ compiler: $CXX is 'no-such-compiler'" in ran.err
    assert "doctor checks it" in ran.err
    assert not Path(name).exists()


def test_what_is_no_repro_is_named_and_the_others_are_tested(jace_repro, step, tmp_path) -> None:
    text = (tmp_path / step).read_text()
    (tmp_path / "bytes.py").write_bytes(b"\x8b\x00\xff")
    (tmp_path / "newer.py").write_text(text.replace("# schema = 1", "# schema = 99"))
    (tmp_path / "cut.py").write_text(text[:40])
    ran = jace_repro("check", "--pipeline", "fused", "bytes.py", "newer.py", "cut.py", "none.py", step)
    assert ran.code == 2
    assert ran.report["summary"]["outcomes"] == {"ok": 1}
    assert ran.report["summary"]["errors"] == [
        "bytes.py: not a text file (invalid start byte at byte 0)",
        "newer.py: it has schema 99; this jace-repro reads schema 1",
        "cut.py: no `# /// jace-repro` block: not a repro file",
        "none.py: No such file or directory",
    ]
