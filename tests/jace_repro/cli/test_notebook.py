"""%load_ext jace_repro, and cells that %%jace_repro runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from planted_pool import SIGNATURE, open_pool

from jace_repro.cli import notebook
from jace_repro.tracker.recording import load


@pytest.fixture
def cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Runs a cell of a notebook in a directory of its own; nothing is tested for it but whether it has a floor."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setattr(notebook, "open_pool", open_pool)
    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)

    def run(text: str) -> Any:
        return shell.run_cell(text, store_history=True)

    run("import jax, jax.numpy as jnp, numpy as np")
    run("%load_ext jace_repro")
    yield run
    InteractiveShell.clear_instance()


WRONG = """%%jace_repro --pipeline fused --no-eager --no-self-check {options}
@jax.jit
def step(x):
    return jnp.floor(x) * 2

seen = step(np.ones(4, np.float32))
"""


def test_a_cell_is_run_recorded_and_tested(
    cell: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cell(WRONG.format(options="--json report.json")).success
    out = capsys.readouterr().out
    assert "FAIL In[3]:1: step (2 equations): mismatch on fused" in out
    assert f"Finding 1: mismatch on fused (signature {SIGNATURE})" in out
    assert "Everything is in jace-repro-out/notebook: " in out
    report = json.loads(Path("report.json").read_text())
    assert report["summary"]["program"] == {"command": "In[3]", "exit_code": 0, "error": None}
    assert report["entries"][0]["reduced"] is not None
    assert cell("print(seen.shape)").success  # names of the cell are the notebook's
    assert "(4,)" in capsys.readouterr().out
    cell("%%jace_repro --no-reduce --no-self-check -o again\n_ = step(np.ones(5, np.float32))")
    assert "FAIL In[3]:1: step" in capsys.readouterr().out  # it stands where it stood
    assert load(Path("again")).entries


def test_a_cell_that_raises_and_one_that_is_interrupted(
    cell: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    cell(WRONG.format(options="--no-reduce") + "raise ValueError('no')")
    out = capsys.readouterr().out
    assert "Note: the program ended early: ValueError: no (exit code 1)" in out
    assert "1 finding in 1 tested entries." in out
    cell(WRONG.format(options="--no-reduce") + "raise KeyboardInterrupt")
    assert "Interrupted: 0 of 1 entries were tested." in capsys.readouterr().out


def test_what_is_not_understood_is_told(
    cell: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    for line, told in (
        ("--pipelin fused", "Did you mean '--pipeline'?"),
        ("--select 'a", "No closing quotation"),
        ("--select fil:a", "begins with none of"),
    ):
        assert cell(f"%%jace_repro {line}\nprint('run')").success
        said = capsys.readouterr()
        assert told in said.err
        assert "run\n" not in said.out
    Path("jace-repro.toml").write_text("jobs = 'two'")
    cell("%%jace_repro\n1")
    assert "jobs: 'two' is no integer" in capsys.readouterr().err


def test_options_come_from_the_file_as_well(
    cell: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("jace-repro.toml").write_text("max-disk = 2\n[run]\nignore = ['step']\n")
    cell(WRONG.format(options=""))
    assert "every entry is left out" in capsys.readouterr().out
    cell("%unload_ext jace_repro")
    cell("%%jace_repro\n1")
    assert "Cell magic `%%jace_repro` not found" in capsys.readouterr().err
