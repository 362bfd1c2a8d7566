"""JACE_REPRO=record, through the line that stands in site-packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import types
import venv
from pathlib import Path

import pytest
from places import ROOT

from jace_repro.tester.workers import forkserver
from jace_repro.tracker import hook_line, switch
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import load

PROGRAM = """
import atexit, multiprocessing, subprocess, sys

def work(n):
    import jax, numpy as np
    jax.jit(lambda x: x * n)(np.full(3, n, np.float32)).block_until_ready()

if __name__ == "__main__":
    atexit.register(work, 4)
    if sys.argv[1:]:
        work(2)
        sys.exit(int(sys.argv[1]))
    work(1)
    subprocess.run([sys.executable, __file__, "0"], check=True)
    child = multiprocessing.get_context("spawn").Process(target=work, args=(3,))
    child.start()
    child.join()
    raise ValueError("the end")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An environment with this one's packages: its Python, and where its packages lie."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "behind.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    return folder / "bin" / "python", packages


def ran(
    python: Path, tmp_path: Path, *words: str, value: str | None = None
) -> subprocess.CompletedProcess[str]:
    env = {name: text for name, text in os.environ.items() if name not in ("JACE_REPRO", "PYTHONPATH")}
    if value is not None:
        env["JACE_REPRO"] = value
    command = [str(python), *words]
    return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)


def test_a_program_and_what_it_starts_are_one_recording(
    environment: tuple[Path, Path], tmp_path: Path
) -> None:
    python, packages = environment
    hook_line.install(packages)
    (tmp_path / "prog.py").write_text(PROGRAM)
    done = ran(python, tmp_path, "prog.py", value="record")
    assert done.returncode == 1
    assert "ValueError: the end" in done.stderr
    told = re.search(
        r"jace-repro: 5 functions and \d+ eager .*; test them with: (.*) check (.*)", done.stderr
    )
    assert told is not None, done.stderr
    assert told[2] == str(tmp_path / "jace-repro-out/prog")
    recording = load(tmp_path / "jace-repro-out/prog")
    own = [e.process != "" for e in recording.entries if not e.entry.eager]
    assert sorted(own) == [False, False, True, True, True]  # what runs as a program ends is recorded, too
    assert (recording.exit_code, recording.error) == (1, "ValueError: the end")
    assert recording.header["target"] == {"kind": "path", "value": "prog.py", "argv": []}
    assert len(recording.children) == 2
    assert not recording.tracker_errors


def test_a_directory_that_is_named_is_joined(environment: tuple[Path, Path], tmp_path: Path) -> None:
    python, packages = environment
    hook_line.install(packages)
    (tmp_path / "prog.py").write_text(PROGRAM.replace("atexit.register(work, 4)", ""))
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / JOURNAL).touch()
    done = ran(python, tmp_path, "prog.py", "3", value="record:there")
    assert (done.returncode, done.stderr) == (3, "")
    assert [e.process != "" for e in load(tmp_path / "there").entries if not e.entry.eager] == [True]


def test_jace_repro_does_not_record_itself(environment: tuple[Path, Path], tmp_path: Path) -> None:
    python, packages = environment
    hook_line.install(packages)
    done = ran(
        python, tmp_path, "-c", "import jace_repro.cli, jax; print(jax.jit(abs)(-1))", value="record:there"
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
    assert not list(tmp_path.iterdir())


def test_workers_are_no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for file, ours in ((forkserver.__file__, True), ("train.py", False)):
        monkeypatch.setitem(sys.modules, "__main__", types.SimpleNamespace(__file__=file))
        monkeypatch.delitem(sys.modules, "jace_repro.cli", raising=False)
        assert switch._is_ours() == ours


def test_a_value_that_is_not_understood_is_told_and_the_program_goes_on(
    environment: tuple[Path, Path], tmp_path: Path
) -> None:
    python, packages = environment
    hook_line.install(packages)
    done = ran(python, tmp_path, "-c", "print(1)", value="recrod")
    assert (done.returncode, done.stdout) == (0, "1\n")
    told = (
        "jace-repro: this process is not recorded: JACE_REPRO='recrod' is neither 'record' nor 'record:DIR'"
    )
    assert done.stderr == told + "\n"
    assert ran(python, tmp_path, "-c", "print(1)", value="record").stderr == ""
    assert not list(tmp_path.iterdir())


def test_nothing_is_imported_while_the_variable_is_not_set(
    environment: tuple[Path, Path], tmp_path: Path
) -> None:
    python, packages = environment

    def imported() -> list[str]:
        done = ran(python, tmp_path, "-X", "importtime", "-c", "pass")
        return [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]

    hook_line.remove(packages)
    without = imported()
    hook_line.install(packages)
    assert imported() == without


def test_where_a_recording_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen = []
    monkeypatch.setattr(switch, "when_imported", lambda name, action, before: seen.append(name))
    monkeypatch.setattr(switch.atexit, "register", seen.append)

    def turned(value: str, *words: str) -> str:
        monkeypatch.setattr(sys, "orig_argv", ["python", *words])
        monkeypatch.setattr(sys, "argv", ["-m" if "-m" in words[:1] else words[0], *words[1:]])
        environment = {"JACE_REPRO": value}
        switch.turn(environment)
        return environment["JACE_REPRO"].removeprefix(f"record:{tmp_path}/")

    assert turned("record", "src/train.py", "-m", "x") == "jace-repro-out/train"
    assert turned("record", "-m", "package.module") == "jace-repro-out/package.module"
    assert turned("record", "-c", "pass") == "jace-repro-out/python"
    assert turned("record:there/it/is", "train.py") == "there/it/is"
    assert "jax" in seen
    for value in ("", "record:", "replay", "record it"):
        with pytest.raises(ValueError, match="is neither 'record' nor 'record:DIR'"):
            turned(value, "train.py")
