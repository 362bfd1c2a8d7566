"""Recordings of fresh processes: the same bytes each time, scripts that pass their self-check, and their style."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import calltree_programs
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calltree_checks import own, script_of
from calltree_programs import PROGRAMS

from jace_repro import record
from jace_repro.repro import load
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker.api import record_program
from jace_repro.tracker.recording import Target

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)


RECORDED_ALONE = """
    import sys
    sys.path.insert(0, {support!r})
    from calltree_programs import PROGRAMS
    for name in {names!r}:
        program = PROGRAMS[name]
        program.jitted()(*program.args, **program.kwargs)
"""

IN_A_PROCESS = ("checked", "new_keys", "captured_from_far", "custom_vjps", "nested_jit", "train_step")


def record_alone(names: tuple[str, ...], directory: Path, seed: str) -> list[Path]:
    """The call-tree scripts of programs that were recorded in a process of their own."""
    text = RECORDED_ALONE.format(support=str(Path(calltree_programs.__file__).parents[1]), names=names)
    file = directory / "programs.py"
    directory.mkdir()
    file.write_text(textwrap.dedent(text))
    env = {**os.environ, "PYTHONHASHSEED": seed}
    recording = record_program(Target("path", str(file)), directory / "out", env=env)
    assert (recording.exit_code, recording.tracker_errors) == (0, ())
    entries = [e for e in recording.entries if not e.entry.eager]
    assert {e.entry.name: e.calltree_note for e in entries if e.calltree is None} == {}
    return [directory / "out" / e.calltree for e in entries if e.calltree is not None]


def test_two_recordings_of_a_program_are_the_same_bytes(tmp_path: Path) -> None:
    one = record_alone(IN_A_PROCESS, tmp_path / "one", "1")
    two = record_alone(IN_A_PROCESS, tmp_path / "two", "2")
    assert len(one) == len(IN_A_PROCESS)
    for a, b in zip(one, two, strict=True):
        assert a.name == b.name
        assert a.read_text().replace("/one/", "/two/") == b.read_text()
        sidecars = [p.with_suffix(".npz") for p in (a, b)]
        assert sidecars[0].exists() == sidecars[1].exists()
        if sidecars[0].exists():
            assert sidecars[0].read_bytes() == sidecars[1].read_bytes()


@pytest.mark.ci
def test_scripts_of_another_process_pass_the_self_check(tmp_path: Path) -> None:
    paths = record_alone(IN_A_PROCESS, tmp_path / "out", "0")
    found = {path.stem: check for path, check in zip(paths, self_check_many(paths), strict=True)}
    assert len(found) == len(IN_A_PROCESS)
    assert not any("jax._src" in path.read_text() for path in paths)
    assert {name: check.detail for name, check in found.items() if check.status != "exact"} == {}


RUFF = Path(sys.executable).with_name("ruff")


@pytest.mark.skipif(not RUFF.exists(), reason="ruff is not installed here")
def test_scripts_have_no_unused_names(tmp_path: Path) -> None:
    """Pyflakes finds nothing in a script: no name is unused, undefined or defined twice."""
    for name in ("gradients", "scans", "custom_jvps", "named_tuples"):
        program = PROGRAMS[name]
        script_of(program.jitted(), *program.args, directory=tmp_path / name)
    files = [str(p) for p in tmp_path.glob("*/calltrees/*.py")]
    assert len(files) == 4
    command = [str(RUFF), "check", "--isolated", "--select", "F", "--ignore", "F841", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_header_is_that_of_the_flat_script(tmp_path: Path) -> None:
    """Both scripts of an entry say the same of it."""
    with record(tmp_path) as rec:
        jax.jit(lambda x: jnp.sin(x) * 2, donate_argnums=0)(X.copy())
    (entry,) = own(rec)
    assert entry.calltree is not None
    flat, tree = load(rec.recording.path(entry)), load(tmp_path / entry.calltree)
    assert dataclasses.asdict(flat.header) == dataclasses.asdict(tree.header)
    assert tree.header.donated == (0,)
