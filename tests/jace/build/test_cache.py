"""The on-disk cache."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace.build.cache import Cache, cache_dir, default_cache
from jace.stages import compile_jaxpr
from jace.translate import unit

SOURCE = "int x;"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("JACE_CACHE", "1")
    found = default_cache()
    assert found is not None
    return found


def put(cache: Cache, tmp_path: Path, key: str, size: int = 1000) -> Path:
    built = tmp_path / "built.so"
    built.write_bytes(key.encode() * (size // len(key)))
    return cache.store(key, built, SOURCE)


def key(i: int) -> str:
    return f"1{i:063d}"


def test_stores_and_finds(cache: Cache, tmp_path: Path) -> None:
    path = put(cache, tmp_path, key(1))
    assert cache.library(key(1)) == path
    assert cache.source(key(1)) == SOURCE
    assert cache.library(key(2)) is None


@pytest.mark.parametrize("suffix", [".so", ".json"])
@pytest.mark.parametrize("damage", [b"", b"\x00garbage", None])
def test_damaged_entries_are_missing_entries(
    cache: Cache, tmp_path: Path, suffix: str, damage: bytes | None
) -> None:
    put(cache, tmp_path, key(1))
    if damage is None:
        cache.path(key(1), suffix).unlink()
    else:
        cache.path(key(1), suffix).write_bytes(damage)
    assert cache.library(key(1)) is None
    put(cache, tmp_path, key(1))
    assert cache.library(key(1)) is not None


def test_damaged_index_is_a_missing_one(cache: Cache) -> None:
    cache.remember(key(1), {"object": "x"})
    assert cache.lookup(key(1)) == {"object": "x"}
    (cache.root / "index" / f"{key(1)}.json").write_text("{")
    assert cache.lookup(key(1)) is None


def test_prunes_least_recently_used_first(cache: Cache, tmp_path: Path) -> None:
    for i in range(3):
        put(cache, tmp_path, key(i), size=10_000)
        marker = cache.path(key(i), ".json")
        old = time.time() - 100 + i
        os.utime(marker, (old, old))
    assert cache.library(key(0)) is not None  # a use: key(1) is now the oldest
    cache.prune(25_000)
    assert [cache.library(key(i)) is not None for i in range(3)] == [True, False, True]


def test_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    cache = Cache(blocker / "below-a-file")
    with pytest.warns(RuntimeWarning, match="cannot write to the cache"):
        assert put(cache, tmp_path, key(1)) == tmp_path / "built.so"


def test_switching_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    assert default_cache() is None


def test_location(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JACE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_dir().parent in (tmp_path / "jace", Path.home() / "Library" / "Caches" / "jace")


_CHILD = textwrap.dedent(
    """
    import sys
    import jax, jax.numpy as jnp, numpy as np
    from jace.stages import compile_jaxpr
    compiled = compile_jaxpr(jax.make_jaxpr(lambda x: x * 3 + 1)(jnp.zeros(5, jnp.float32)))
    assert (compiled.call_direct(np.ones(5, np.float32))[0] == 4).all()
    print(sorted(compiled.seconds.values()) == [0.0, 0.0], "dace" in sys.modules)
    """
)


def test_a_second_process_translates_nothing(cache: Cache) -> None:
    outputs = [
        subprocess.run([sys.executable, "-c", _CHILD], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert outputs == ["False True\n", "True False\n"]
    assert list(cache.root.glob("*/.tmp-*")) == []


def test_processes_may_compile_the_same_program_at_the_same_time(cache: Cache) -> None:
    command = [sys.executable, "-c", _CHILD]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        out, _ = child.communicate(timeout=120)
        assert (child.returncode, out) in ((0, "False True\n"), (0, "True False\n"))
    assert len(list((cache.root / "objects").glob("*.so"))) == 2  # the shim and the program


def test_corrupt_object_is_rebuilt(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> unit.Unit:
        # As a new process would: nothing of this program is in memory.
        monkeypatch.setattr(unit, "_libraries", {})
        monkeypatch.setattr("jace.build.load._loaded", {})
        compiled = compile_jaxpr(jax.make_jaxpr(lambda x: x * 5 - 2)(jnp.zeros(6)))
        np.testing.assert_array_equal(compiled.call_direct(np.ones(6, compiled_dtype()))[0], np.full(6, 3.0))
        return compiled._binding.unit

    first = run()
    assert first.seconds["compile"] > 0
    assert run().seconds["compile"] == 0
    for so in (cache.root / "objects").glob("*.so"):
        data = so.read_bytes()
        so.unlink()  # the old file is mapped into this process
        so.write_bytes(data[:100])
    assert run().seconds["compile"] > 0


def compiled_dtype() -> np.dtype[np.floating]:
    return jnp.zeros(()).dtype
