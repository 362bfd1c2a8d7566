"""The finding without JAX: a script of DaCe and NumPy that applies the guilty transformation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from places import REPROS

from jace.plan import Buffer
from jace_repro.campaign import dace_only
from jace_repro.repro import load
from jace_repro.tester.locate.bisect import bisect_repro
from jace_repro.tester.locate.dace_script import MOST_ELEMENTS, Step, dace_script


@pytest.mark.ci
def test_a_bug_of_daces_is_shown_without_jax(tmp_path: Path) -> None:
    bisected = bisect_repro(load(REPROS / "dace" / "41002611a471.py"), "canonical/auto-optimize")
    assert bisected is not None
    bisected.save(tmp_path)
    assert len(bisected.scripts) == 3  # the application, the run of the pass, the SDFG after it
    # wrong ones are not written; of those that show it the first is, which applies the transformation
    path = dace_only.write_one(("1 / 0", "print('bug present')", *bisected.scripts), tmp_path)
    assert path == tmp_path / "dace_only.py"
    text = path.read_text()
    assert text == bisected.scripts[0]
    assert "MapFusionVertical" in text
    assert "jax" not in text.lower().replace("program of jax", "")
    (tmp_path / "after.sdfg").unlink()
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "bug present")
    assert "before: [array([1., 1.], dtype=float32)]\nafter:  [array([2., 2.]" in done.stdout


@pytest.mark.ci
@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("eaf7c7f75a14", "Pipeline([DeadDataflowElimination()])"),
        ("dd29ce70cba4", "MATCH = "),
        ("f0dc8e5f2b38", "BufferTiling"),
    ],
)
def test_what_raises_is_shown_without_jax(tmp_path: Path, entry: str, shown: str) -> None:
    """A pass, a transformation that leaves an invalid SDFG, one that raises itself."""
    repro = load(REPROS / "dace" / f"{entry}.py")
    assert repro.header.pipeline is not None
    bisected = bisect_repro(repro, repro.header.pipeline)
    assert bisected is not None
    bisected.save(tmp_path)
    path = dace_only.write_one(bisected.scripts, tmp_path)
    assert path is not None, bisected
    text = path.read_text()
    assert shown in text
    assert "after.sdfg" not in text
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "bug present")


def test_what_shows_nothing_is_not_left_there(tmp_path: Path) -> None:
    assert dace_only.write_one(("import jax\nprint('bug present')\nraise SystemExit(1)",), tmp_path) is None
    assert not list(tmp_path.iterdir())


class Program:
    """As much of a program as a script is made of."""

    def __init__(self, values: list[np.ndarray]) -> None:
        self.inputs = [Buffer(f"a{k}", v.shape, v.dtype, "input") for k, v in enumerate(values)]
        self.outputs = [Buffer("r", (), np.dtype(np.float32), "output")]
        self.sizes = {"size_3": 3}


def test_values_are_exact_and_large_or_strange_ones_make_no_script() -> None:
    values = [np.float32([0.1, np.inf, np.nan]), np.array(-7, np.int8), np.array([True])]
    scope: dict[str, object] = {"__file__": __file__, "__name__": "script"}
    exec(dace_script(Program(values), values, Step("a pass")), scope)
    arguments = scope["arguments"]()  # type: ignore[operator]
    for value, got in zip(values, arguments.values(), strict=False):
        np.testing.assert_array_equal(got, value.reshape(value.shape or (1,)))
        assert got.dtype == value.dtype
    assert arguments["r"].tolist() == [0.0]
    assert arguments["size_3"] == 3
    big = [np.zeros(MOST_ELEMENTS + 1, np.float32)]
    assert not dace_script(Program(big), big, Step("a pass"))
    half = [np.zeros(1, np.float16)]
    assert not dace_script(Program(half), half, Step("a pass"))
