"""Testing, reducing and localising repro files, with nobody at a terminal."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import SIGNATURE, open_pool

import jace_repro
from jace_repro.campaign import check, localize, reduce
from jace_repro.campaign.files import load_repros, without
from jace_repro.campaign.settings import Settings
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tracker.journal import JOURNAL


@pytest.fixture
def pool(monkeypatch):
    for module in (check, localize, reduce):
        monkeypatch.setattr(module, "open_pool", open_pool)


PROGRAMS = {"step": jnp.floor, "wave": jnp.sin, "loss": lambda x: jnp.sin(jnp.floor(x))}


@pytest.fixture(scope="module")
def repros(tmp_path_factory):
    """Repros of functions of src/NAME.py, by name."""
    folder = tmp_path_factory.mktemp("repros")
    x = np.ones(3, np.float32)
    for name, function in PROGRAMS.items():
        header = Header(name=name, origin=f"src/{name}.py:7 ({name})")
        emit_flat(jax.make_jaxpr(function)(x), [x], header=header).save(folder / f"{name}.py")
    return {name: folder / f"{name}.py" for name in PROGRAMS}


@pytest.mark.parametrize(
    ("settings", "tested"),
    [
        (Settings(select=("l*", "step")), ["step", "loss"]),
        (Settings(ignore=("file:loss.py",)), ["step", "wave"]),
        (Settings(select=("primitive:sin",), ignore=("primitive:floor",)), ["wave"]),
        (Settings(max_findings=1), ["step"]),
    ],
)
def test_some_repros_are_tested(pool, repros, settings, tested):
    result = check.check_files(list(repros.values()), settings)
    assert [e.name for e in result.entries if e.verdicts] == tested
    assert result.stopped == (settings.max_findings is not None)
    assert len(result.entries) + result.left_out == len(repros)


def test_repros_that_lie_where_they_were_recorded(pool, tmp_path):
    """What a script's header does not say, the journal does."""

    @jax.jit
    def wave(x):
        return jnp.sin(x)

    x = jnp.arange(3.0)
    with jace_repro.record(tmp_path / "out") as live:
        jnp.floor(wave(x))
    paths = [live.recording.path(entry) for entry in live.entries]
    result = check.check_files(paths, Settings(eager=False))
    assert [e.name for e in result.entries] == ["wave"]
    assert result.left_out == len(paths) - 1
    assert check.check_files(paths, replace(Settings(), select=("primitive:floor",))).left_out == 1


def test_directories_stand_for_the_repros_below_them(repros, tmp_path):
    for name in ("b", "a/c", "a/.hidden/d", "calltrees/e", "recording/calltrees/f", "recording/entries/g"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repros["step"], tmp_path / f"{name}.py")
    (tmp_path / "recording" / JOURNAL).touch()
    (tmp_path / "a/plain.py").write_text("print(1)")
    (tmp_path / "a/broken.py").write_text("# /// jace-repro\n# name = 1\n")
    (tmp_path / "nothing").mkdir()
    loaded = load_repros([tmp_path / "nothing", tmp_path, tmp_path / "b.py"])
    names = [path.relative_to(tmp_path).as_posix() for path in loaded.repros]
    assert names == ["a/c.py", "b.py", "calltrees/e.py", "recording/entries/g.py"]
    assert [error.partition(": ")[0] for error in loaded.errors] == [
        str(tmp_path / "nothing"),
        str(tmp_path / "a/broken.py"),
    ]
    assert list(load_repros([tmp_path / "recording/calltrees"]).repros)
    assert len(without(loaded.repros, tmp_path / "a")) == 3


def test_of_those_that_show_a_finding_the_smallest_is_reduced_and_the_first_is_localised(
    pool, repros, tmp_path
):
    loaded = load_repros([repros["loss"].parent])
    reduced = {e.name: e for e in reduce.reduce_files(loaded, tmp_path, Settings(("fused",))).entries}
    assert (reduced["loss"].same_as, reduced["loss"].reduced) == ("step", None)
    assert [path.name for path in tmp_path.glob("*.py")] == [f"step-mismatch-{SIGNATURE[:8]}.py"]
    seen = []
    result = localize.localize_files(loaded, tmp_path, Settings(("fused",)), on_located=seen.append)
    assert [located.path.stem for located in seen] == ["loss"]
    assert {e.name: e.same_as for e in result.entries} == {"loss": None, "step": "loss", "wave": None}
    assert result.exit_code == 1


def test_repros_of_one_name_get_folders_of_their_own():
    paths = [Path("out/entries/a.py"), Path("out/children/7/entries/b.py"), Path("out/entries/b.py")]
    folders = localize._folders(paths, Path("places"))
    assert [path.as_posix() for path in folders.values()] == [
        "places/a",
        "places/7-entries-b",
        "places/out-entries-b",
    ]
