"""The on-disk cache: compiled libraries by content, and an index from jaxprs to libraries.

Layout under the root (`$JACE_CACHE_DIR`, else the user's cache directory):

    objects/KEY.so    a shared library;  KEY = sha256 of its source text, flags and compiler
    objects/KEY.cpp   its source
    objects/KEY.json  size and sha256 of the .so: written last, so an entry without it does not exist
    index/KEY.json    what a jaxpr (with its pipeline, options, versions) compiled to

Every file is written to a temporary name and renamed, so concurrent processes see whole files or none. A
damaged entry is the same as a missing one. `JACE_CACHE=0` switches the cache off. Least recently used
entries are pruned when the total exceeds `$JACE_CACHE_MB` megabytes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FORMAT = 1
_DEFAULT_MB = 1024
_PRUNE_EVERY = 256
_ABANDONED_SECONDS = 3600.0


@dataclass(frozen=True)
class Cache:
    """A cache rooted at `root`."""

    root: Path

    def path(self, key: str, suffix: str) -> Path:
        """Path of one file of an object entry."""
        return self.root / "objects" / f"{key}{suffix}"

    def library(self, key: str) -> Path | None:
        """The shared library stored under `key`, checked against its checksum, or None."""
        record, so = _read_json(self.path(key, ".json")), self.path(key, ".so")
        if record is None:
            return None
        try:
            good = hashlib.sha256(so.read_bytes()).hexdigest() == record.get("sha256")
        except OSError:
            return None
        if not good:
            return None
        self._touch(self.path(key, ".json"))
        return so

    def source(self, key: str) -> str | None:
        """The C++ source stored under `key`, or None."""
        try:
            return self.path(key, ".cpp").read_text(encoding="utf-8")
        except OSError:
            return None

    def store(self, key: str, built: Path, source: str) -> Path:
        """Move the library file `built` into the cache under `key`.

        Returns:
            Its path there; `built` itself when the cache cannot be written (a full or read-only disk).
        """
        target = self.path(key, ".so")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            data = built.read_bytes()
            _write(self.path(key, ".cpp"), source.encode())
            _write(target, data, executable=True)
            record = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            _write(self.path(key, ".json"), json.dumps(record).encode())
        except OSError as error:
            _warn_once(f"jace: cannot write to the cache at {self.root} ({error}); going on without it")
            return built
        self._maybe_prune(key)
        return target

    def lookup(self, key: str) -> dict[str, Any] | None:
        """The index entry `key`, or None."""
        record = _read_json(self.root / "index" / f"{key}.json")
        if record is not None:
            self._touch(self.root / "index" / f"{key}.json")
        return record

    def remember(self, key: str, record: dict[str, Any]) -> None:
        """Store an index entry. A cache that cannot be written is not an error."""
        try:
            (self.root / "index").mkdir(parents=True, exist_ok=True)
            _write(self.root / "index" / f"{key}.json", json.dumps(record).encode())
        except OSError as error:
            _warn_once(f"jace: cannot write to the cache at {self.root} ({error}); going on without it")

    def prune(self, limit_bytes: int) -> int:
        """Delete least recently used entries until at most `limit_bytes` remain; answer how many files."""
        entries = list(self._entries())
        total = sum(size for _, size, _ in entries)
        removed = 0
        for _, size, files in sorted(entries, key=lambda entry: entry[0]):
            if total <= limit_bytes:
                break
            for file in files:
                with contextlib.suppress(FileNotFoundError):
                    file.unlink()
                    removed += 1
            total -= size
        return removed + self._drop_abandoned()

    def _entries(self) -> Iterator[tuple[float, int, list[Path]]]:
        """(last use, bytes, files with the commit marker first) of every entry."""
        for folder in ("objects", "index"):
            for marker in (self.root / folder).glob("*.json"):
                files = [marker]
                if folder == "objects":
                    files += [marker.with_suffix(".so"), marker.with_suffix(".cpp")]
                try:
                    used = marker.stat().st_mtime
                    size = sum(file.stat().st_size for file in files if file.exists())
                except FileNotFoundError:
                    continue  # another process pruned it
                yield used, size, files

    def _drop_abandoned(self) -> int:
        """Delete temporary files that a killed process left."""
        removed = 0
        for file in self.root.glob("*/.tmp-*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > _ABANDONED_SECONDS:
                    file.unlink()
                    removed += 1
        return removed

    def _maybe_prune(self, key: str) -> None:
        if int(key[:8], 16) % _PRUNE_EVERY == 0:
            self.prune(limit_bytes())

    @staticmethod
    def _touch(path: Path) -> None:
        with contextlib.suppress(OSError):  # read-only caches work too, without LRU order
            os.utime(path)


def limit_bytes() -> int:
    """The size limit, from $JACE_CACHE_MB."""
    try:
        return int(float(os.environ.get("JACE_CACHE_MB", _DEFAULT_MB)) * 2**20)
    except ValueError:
        return _DEFAULT_MB * 2**20


def default_cache() -> Cache | None:
    """The cache of this process's environment, or None when JACE_CACHE=0."""
    if os.environ.get("JACE_CACHE", "1").lower() in ("0", "off", "false", "no"):
        return None
    return Cache(cache_dir())


def cache_dir() -> Path:
    """Where the cache is, whether or not it exists yet."""
    if configured := os.environ.get("JACE_CACHE_DIR"):
        return Path(configured).expanduser() / f"v{_FORMAT}"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "jace" / f"v{_FORMAT}"


def digest(*parts: str) -> str:
    """SHA-256 (hex) of the parts, each delimited by its length."""
    h = hashlib.sha256()
    for part in parts:
        data = part.encode()
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()


def _read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None if the file is missing or damaged."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _write(path: Path, data: bytes, *, executable: bool = False) -> None:
    """Write a file so that no reader ever sees a part of it."""
    handle, name = tempfile.mkstemp(prefix=".tmp-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o755 if executable else 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


@functools.cache
def _warn_once(message: str) -> None:
    import warnings

    warnings.warn(message, RuntimeWarning, stacklevel=4)
