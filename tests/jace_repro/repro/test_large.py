"""Large arrays of a repro: files of their own, named after their content, mapped and not copied."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, ReproError, large, load
from jace_repro.tester.workers.protocol import receive, send

X = np.random.default_rng(0).random(5000).astype(np.float32)


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "LARGE", 4000)


def _emit(name: str = "step", *more: np.ndarray) -> Repro:
    closed = jax.make_jaxpr(lambda *xs: sum(x.sum() for x in xs))(X, *more)
    return emit_flat(closed, (X, *more), header=Header(name=name))


def test_it_is_a_file_that_is_named_after_its_content(tmp_path: Path) -> None:
    small = np.arange(100, dtype=np.float32) ** 2
    saved = _emit("step", small).save(tmp_path / "step.py")
    assert (tmp_path / "step.npz").exists(), "small arrays are where they were"
    (file,) = tmp_path.glob("array-*.npy")
    (sha256,) = large.said(saved.source).values()
    assert file.name == f"array-{sha256[:16]}.npy"
    np.testing.assert_array_equal(np.load(file), X)

    loaded = load(tmp_path / "step.py")
    x, y = loaded.load_inputs()
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, small)
    assert large.file_of(x) == file
    assert loaded.text() == (tmp_path / "step.py").read_text()
    done = subprocess.run(
        [sys.executable, "step.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == pytest.approx(float(X.sum() + small.sum()), rel=1e-4)


def test_one_array_is_one_file_whoever_takes_it(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        _emit(name).save(tmp_path / f"{name}.py")
    (file,) = tmp_path.glob("array-*.npy")
    load(tmp_path / "a.py").save(tmp_path / "minimal" / "a.py")
    (other,) = (tmp_path / "minimal").glob("array-*.npy")
    assert other.samefile(file)


def test_another_array_of_that_name_is_told(tmp_path: Path) -> None:
    _emit().save(tmp_path / "step.py")
    (file,) = tmp_path.glob("array-*.npy")
    np.save(file, X + 1)
    with pytest.raises(ReproError, match=rf"step\.py: {file.name} is not the file it was saved with"):
        load(tmp_path / "step.py")
    done = subprocess.run(
        [sys.executable, "step.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "is not the file that belongs to this script" in done.stderr
    file.unlink()
    with pytest.raises(ReproError, match=rf"its arrays are missing: {file.name} should lie beside it"):
        load(tmp_path / "step.py")


def test_a_type_that_numpy_lacks(tmp_path: Path) -> None:
    x = jnp.asarray(X, jnp.bfloat16)
    closed = jax.make_jaxpr(lambda x: x * 2)(x)
    emit_flat(closed, (np.asarray(x),), header=Header()).save(tmp_path / "half.py")
    (read,) = load(tmp_path / "half.py").load_inputs()
    assert read.dtype == jnp.bfloat16
    np.testing.assert_array_equal(read, np.asarray(x))


def test_a_script_that_was_written_without_any_keeps_all_in_its_sidecar(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(large, "LARGE", 1 << 20)
    repro = _emit()
    assert "LARGE" not in repro.source
    monkeypatch.setattr(large, "LARGE", 4000)
    repro.save(tmp_path / "old.py")
    assert not list(tmp_path.glob("array-*"))
    np.testing.assert_array_equal(load(tmp_path / "old.py").load_inputs()[0], X)


def test_a_worker_maps_the_same_file(tmp_path: Path) -> None:
    _emit("step", X[:1200] + 1).save(tmp_path / "step.py")
    loaded = load(tmp_path / "step.py")
    changed = {name: array if name == "x0" else array + 1 for name, array in loaded.arrays.items()}
    stream = io.BytesIO()
    send(stream, {"do": "check"}, changed)
    assert len(stream.getvalue()) < X.nbytes, "only what lies in no file is sent"
    stream.seek(0)
    message, arrays = receive(stream)
    assert message == {"do": "check"}
    assert large.file_of(arrays["x0"]) == large.file_of(loaded.arrays["x0"])
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: array.tolist() for name, array in changed.items()
    }


def test_only_the_whole_of_a_file_is_that_file(tmp_path: Path) -> None:
    _emit().save(tmp_path / "step.py")
    (array,) = load(tmp_path / "step.py").arrays.values()
    assert large.file_of(array) is not None
    for other in (array[1:], array[::-1], array.reshape(50, 100), array.view(np.int32), array.copy()):
        assert large.file_of(other) is None


def test_nothing_is_left_of_one_that_does_not_fit(tmp_path: Path, monkeypatch) -> None:
    def full(array: np.ndarray) -> None:
        yield array.view(np.uint8)[:100]
        raise OSError(28, "No space left on device")

    sha256 = large.checksum(X)
    monkeypatch.setattr(large, "_parts", full)
    with pytest.raises(OSError, match="No space left"):
        large.put(X, tmp_path, sha256)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dtype", [np.float32, np.bool_, jnp.bfloat16, jax.dtypes.float0])
def test_bytes(dtype) -> None:
    array = np.zeros((3, 4), dtype)
    assert large.raw(array).tobytes() == array.tobytes()
    assert large.same_bytes(array, array.copy())
    assert large.same_bytes(X.reshape(50, 100).T, X.reshape(50, 100).T.copy())
    assert not large.same_bytes(X, X + 1)
    assert not large.same_bytes(X, X[:-1])
